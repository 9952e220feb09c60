import { createPrompt, isEnterKey, isTabKey, useKeypress, useMemo, useState } from "@inquirer/core"
import { inLine } from "../sanitize.ts"
import { paint } from "../style.ts"
import { widthOf } from "../width.ts"
import { first, listLines, moved } from "./choose.ts"
import { BACK, type Back, type Choice } from "./conversation.ts"
import { NOTHING, retype, typed, visible } from "./text.ts"
import { answered, head, keyLine, LEFT, note, useFrame, type Window } from "./window.ts"

/** Maximum number of results shown. */
const SEEN_AT_ONCE = 10

interface PickConfig {
  window: Window
  question: string
  find: (typed: string) => readonly Choice<unknown>[]
}

/** One of many, filtered by what is typed. */
export const pickQuestion = createPrompt<Choice<unknown> | Back, PickConfig>(
  ({ window, question, find }, done) => {
    const frame = useFrame(window)
    const [line, setLine] = useState(NOTHING)
    const term = line.text.trim()
    const choices = useMemo(() => find(term), [term])
    const [moves, setMoves] = useState({ term, at: first(choices) })
    const [outcome, setOutcome] = useState<Choice<unknown> | Back>()
    const finish = (answer: Choice<unknown> | Back) => {
      setOutcome(answer)
      done(answer)
    }
    const active = moves.term === term ? moves.at : first(choices)
    const asked = head(window, question, Math.max(10, Math.floor(window.columns / 4)))
    const height = Math.min(window.rows - asked.above.length - 3, SEEN_AT_ONCE + 3)
    const { lines, page } = listLines(window, { choices, active }, height, (name) =>
      marked(window, name, term),
    )

    useKeypress((key, reader) => {
      const at = active >= 0 ? moved({ choices, active }, vertical(key.name), page) : undefined
      const chosen = choices[active]
      if (key.name === "escape" || (isEnterKey(key) && term === "<")) finish(BACK)
      else if (isEnterKey(key) && chosen) finish(chosen)
      else if (isEnterKey(key) || isTabKey(key) || VERTICAL.includes(key.name)) {
        // Readline has emptied the line, or filled it with something else.
        setLine(retype(reader, line.text))
        if (at !== undefined) setMoves({ term, at })
      } else setLine(typed(reader))
    })

    if (outcome === BACK) return LEFT
    if (outcome !== undefined) return frame(answered(window, question, inLine(outcome.name)))
    const shown = visible(line, asked.room)
    const nothing =
      term === "<" ? "Enter steps back" : term === "" ? "nothing to choose from" : `nothing matches "${term}"`
    return frame({
      above: asked.above,
      line: `${asked.lead}${paint(window, "cyan", shown.text)}`,
      cursor: widthOf(asked.lead) + shown.column,
      below: choices.length > 0 ? lines : note(window, "yellow", nothing, 2),
      keys: keyLine(
        window,
        ...(page < choices.length ? [`${active + 1} of ${choices.length}`] : []),
        "type part of a name",
      ),
    })
  },
)

const VERTICAL = ["up", "down", "pageup", "pagedown"]

/** Home and End move in the line that is typed, not in the list. */
function vertical(key: string): string {
  return VERTICAL.includes(key) ? key : ""
}

/** The name with each word that was typed marked where it first stands. */
function marked(window: Window, name: string, term: string): string {
  const lower = name.toLocaleLowerCase()
  // A few letters become two when they are lowered; then the places do not tally.
  if (!window.colour || lower.length !== name.length) return name
  const hit = new Set<number>()
  for (const word of term.toLocaleLowerCase().split(/\s+/).filter(Boolean)) {
    const at = lower.indexOf(word)
    for (let index = at; at >= 0 && index < at + word.length; index++) hit.add(index)
  }
  let painted = ""
  for (let from = 0; from < name.length; ) {
    let to = from + 1
    while (to < name.length && hit.has(to) === hit.has(from)) to++
    const part = name.slice(from, to)
    painted += hit.has(from) ? paint(window, ["bold", "underline"], part) : part
    from = to
  }
  return painted
}
