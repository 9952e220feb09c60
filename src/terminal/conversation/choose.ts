import { createPrompt, isEnterKey, useKeypress, useState } from "@inquirer/core"
import { safeText } from "../../contract/safe-text.ts"
import { inLine } from "../sanitize.ts"
import { paint } from "../style.ts"
import { widthOf } from "../width.ts"
import { BACK, type Back, type Choice } from "./conversation.ts"
import {
  answered,
  fitted,
  heading,
  keyLine,
  LEFT,
  marks,
  note,
  room,
  useFrame,
  type Window,
} from "./window.ts"

interface ChooseConfig {
  window: Window
  question: string
  choices: readonly Choice<unknown>[]
  /** Index of the choice that is highlighted first. */
  initial: number
}

/** One of a list: arrows move, a letter goes to the next name that begins with it. */
export const chooseQuestion = createPrompt<Choice<unknown> | Back, ChooseConfig>(
  ({ window, question, choices, initial }, done) => {
    const frame = useFrame(window)
    const [active, setActive] = useState(() =>
      choices[initial] && choices[initial].disabled === undefined ? initial : first(choices),
    )
    const [outcome, setOutcome] = useState<Choice<unknown> | Back>()
    const finish = (answer: Choice<unknown> | Back) => {
      setOutcome(answer)
      done(answer)
    }
    const title = heading(window, question)
    const { lines, page } = listLines(window, { choices, active }, window.rows - title.length - 2)

    useKeypress((key, reader) => {
      const letter = reader.line.at(-1) ?? ""
      reader.clearLine(0)
      if (key.name === "escape" || letter === "<") finish(BACK)
      else if (isEnterKey(key)) {
        const chosen = choices[active]
        if (chosen) finish(chosen)
      } else setActive(moved({ choices, active }, key.name, page) ?? beginning(choices, active, letter))
    })

    if (outcome === BACK) return LEFT
    if (outcome !== undefined) return frame(answered(window, question, inLine(outcome.name)))
    const { above: up, below: down } = marks(window)
    const arrows = window.unicode ? `${up}${down} moves` : "arrows move"
    const where = page < choices.length ? [`${active + 1} of ${choices.length}`] : []
    return frame({
      above: title.slice(0, -1),
      line: title.at(-1) ?? "",
      below: lines,
      keys: keyLine(window, ...where, arrows, "Enter takes"),
    })
  },
)

/** The next choice whose name begins with a letter; the same one where there is none. */
function beginning(choices: readonly Choice<unknown>[], active: number, letter: string): number {
  if (letter.trim() === "") return active
  const begins = (at: number) =>
    safeText(choices[at]?.name ?? "", 200)
      .toLocaleLowerCase()
      .startsWith(letter.toLocaleLowerCase())
  let at = active
  do {
    at = next(choices, at, 1)
    if (begins(at)) return at
  } while (at !== active)
  return active
}

const DETAIL_LINES = 3
/** Rows of a window in which none is left empty. */
const LOW = 12

interface List<T> {
  choices: readonly Choice<T>[]
  /** The highlighted one; -1 where none can be chosen. */
  active: number
}

/** The next choice in a direction that can be chosen, going round at the ends; `from` itself where there is no other. */
export function next<T>(choices: readonly Choice<T>[], from: number, direction: 1 | -1): number {
  for (let step = 1; step <= choices.length; step++) {
    const at = (from + direction * step + choices.length * step) % choices.length
    if (choices[at]?.disabled === undefined) return at
  }
  return from
}

/** The first choice that can be chosen, or -1. */
export function first<T>(choices: readonly Choice<T>[]): number {
  return choices.findIndex(({ disabled }) => disabled === undefined)
}

/** Where a key leads in a list of which `page` lines are seen; undefined for a key that does not move. */
export function moved<T>({ choices, active }: List<T>, key: string, page: number): number | undefined {
  switch (key) {
    case "up":
      return next(choices, active, -1)
    case "down":
      return next(choices, active, 1)
    case "pageup":
      return next(choices, Math.max(active - page, 0) - 1, 1)
    case "pagedown":
      return next(choices, Math.min(active + page, choices.length - 1) + 1, -1)
    case "home":
      return next(choices, -1, 1)
    case "end":
      return next(choices, choices.length, -1)
  }
}

/**
 * The lines of a list with, below, what there is to say of the highlighted choice, in at most `height` lines.
 * @param mark paints what was typed where it stands in a name
 * @returns also how many choices are seen at once
 */
export function listLines<T>(
  window: Window,
  { choices, active }: List<T>,
  height: number,
  mark = (name: string) => name,
): { lines: string[]; page: number } {
  const below = detail(window, choices[active])
  const near = choices.slice(Math.max(0, active - window.rows), active + window.rows)
  const tallest = Math.max(below.length, ...near.map((choice) => detail(window, choice).length))
  const page = Math.max(1, Math.min(choices.length, height - tallest))
  // The highlighted line stays in the middle while the list moves, except near its ends.
  const top = Math.max(0, Math.min(active - Math.floor(page / 2), choices.length - page))
  const { pointer, above: more, below: further } = marks(window)
  const lines = choices.slice(top, top + page).map((choice, row) => {
    const at = top + row
    const hidden =
      row === 0 && top > 0 ? more : row === page - 1 && top + page < choices.length ? further : " "
    if (at === active)
      return (
        paint(window, ["bold", "cyan"], `${pointer} `) +
        paint(window, "cyan", mark(shortName(window, choice)))
      )
    const name = choice.disabled === undefined ? mark(shortName(window, choice)) : unavailable(window, choice)
    return `${paint(window, "dim", hidden)} ${name}`
  })
  // What stands below the list keeps its place while the highlight moves.
  const blank = Array.from({ length: tallest - below.length }, () => "")
  return { lines: [...lines, ...below, ...blank], page }
}

function shortName<T>(window: Window, { name }: Choice<T>): string {
  return fitted(window, safeText(name, 200), room(window) - 2)
}

/** A choice that cannot be made: its reason is the last that is cut. */
function unavailable<T>(window: Window, { name, disabled = "" }: Choice<T>): string {
  const width = room(window) - 2
  const why = ` (${safeText(disabled, 200)})`
  const short = fitted(window, inLine(name), Math.max(width - widthOf(why), Math.floor(width / 3)))
  return paint(window, "dim", fitted(window, `${short}${why}`, width))
}

/** A name that was cut, whole; and the choice's description. */
function detail<T>(window: Window, choice: Choice<T> | undefined): string[] {
  if (!choice || choice.disabled !== undefined) return []
  const { name, description } = choice
  const lines = shortName(window, choice) === safeText(name, 200) ? [] : told(window, inLine(name), 2)
  if (description) lines.push(...told(window, description, Math.min(2, DETAIL_LINES - lines.length)))
  return lines.length > 0 && window.rows > LOW ? ["", ...lines] : lines
}

function told(window: Window, text: string, lines: number): string[] {
  return note(window, "dim", text, lines, "    ")
}
