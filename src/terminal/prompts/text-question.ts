import { createPrompt, isEnterKey, isTabKey, useEffect, useKeypress, useState } from "@inquirer/core"
import { BACK, type Back, type Question } from "../conversation.ts"
import { paint } from "../style.ts"
import { widthOf } from "../width.ts"
import { useFrame } from "./frame.ts"
import { NOTHING, retype, typed, visible } from "./line.ts"
import { answered, head, keyLine, LEFT, marks, note, type Window } from "./window.ts"

interface TextConfig extends Question {
  window: Window
  question: string
}

/** Keys that take a default into the line, to be edited there. */
const EDITS = ["left", "right", "home", "end"]
const ERASES = ["backspace", "delete"]

/**
 * A line of text. Enter answers, Esc or `<` alone steps back. A default stands in the line, dim: Enter takes it, the first
 * key that is typed replaces it, and Tab or an arrow edits it.
 */
export const textQuestion = createPrompt<string | Back, TextConfig>((config, done) => {
  const { window, question, check, hint, live, initial = "" } = config
  const frame = useFrame(window)
  const [line, setLine] = useState(NOTHING)
  const [isDefault, setIsDefault] = useState(initial !== "")
  const [wrong, setWrong] = useState("")
  const [outcome, setOutcome] = useState<string | Back>()

  // The first drawing has the cursor behind the default, where the reader's own reckoning puts it.
  useEffect(() => setLine({ ...NOTHING }), [])

  useKeypress((key, reader) => {
    const text = isDefault ? initial : line.text
    const answer = text.trim()
    const edit = () => {
      setIsDefault(false)
      setLine(retype(reader, text))
    }
    if (key.name === "escape" || (isEnterKey(key) && answer === "<")) {
      setOutcome(BACK)
      done(BACK)
    } else if (isEnterKey(key)) {
      const result = check?.(answer)
      if (result?.ok === false) {
        setWrong(result.reason)
        edit()
      } else {
        setOutcome(answer)
        done(answer)
      }
    } else if (isTabKey(key) || (isDefault && EDITS.includes(key.name))) edit()
    else if (!isDefault || reader.line !== "" || ERASES.includes(key.name)) {
      setIsDefault(false)
      if (reader.line !== line.text) setWrong("")
      setLine(typed(reader))
    }
  })

  if (outcome === BACK) return LEFT
  if (outcome !== undefined) return frame(answered(window, question, outcome))
  const asked = head(window, question, Math.max(16, Math.floor(window.columns / 4)))
  const standing = window.colour ? initial : `[${initial}]`
  const shown = isDefault ? visible({ text: standing, cursor: 0 }, asked.room) : visible(line, asked.room)
  const help = line.text.trim() === "<" ? "Enter steps back" : live?.(isDefault ? initial : line.text)
  return frame({
    above: asked.above,
    line: `${asked.lead}${paint(window, isDefault ? "dim" : "cyan", shown.text)}`,
    cursor: widthOf(asked.lead) + shown.column,
    below: [
      ...(wrong ? note(window, "red", `${marks(window).wrong} ${wrong}`, 3) : []),
      ...(help && !wrong ? note(window, "cyan", help, 2) : []),
      ...(hint ? note(window, "dim", hint, 3) : []),
    ],
    keys: keyLine(window, ...(isDefault ? ["Enter takes it", "Tab edits it"] : [])),
  })
})
