import { createPrompt, isEnterKey, useKeypress, useState } from "@inquirer/core"
import { safeText } from "../../contract/safe-text.ts"
import { BACK, type Back } from "../conversation.ts"
import type { Choice } from "../prompter.ts"
import { inLine } from "../said.ts"
import { useFrame } from "./frame.ts"
import { first, listLines, moved, next } from "./list.ts"
import { answered, heading, keyLine, LEFT, marks, type Window } from "./window.ts"

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
