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

/** A line of text. Enter answers, Esc or `<` alone steps back. */
export const textQuestion = createPrompt<string | Back, TextConfig>((config, done) => {
  const { window, question, check, hint, live } = config
  const frame = useFrame(window)
  const [line, setLine] = useState(NOTHING)
  const [wrong, setWrong] = useState("")
  const [outcome, setOutcome] = useState<string | Back>()

  useEffect((reader) => {
    if (config.initial) setLine(retype(reader, config.initial))
  }, [])

  useKeypress((key, reader) => {
    const answer = line.text.trim()
    if (key.name === "escape" || (isEnterKey(key) && answer === "<")) {
      setOutcome(BACK)
      done(BACK)
    } else if (isEnterKey(key)) {
      const result = check?.(answer)
      if (result?.ok === false) {
        setWrong(result.reason)
        setLine(retype(reader, line.text))
      } else {
        setOutcome(answer)
        done(answer)
      }
    } else if (isTabKey(key)) retype(reader, line.text)
    else {
      if (reader.line !== line.text) setWrong("")
      setLine(typed(reader))
    }
  })

  if (outcome === BACK) return LEFT
  if (outcome !== undefined) return frame(answered(window, question, outcome))
  const asked = head(window, question, Math.max(16, Math.floor(window.columns / 4)))
  const shown = visible(line, asked.room)
  const help = line.text.trim() === "<" ? "Enter steps back" : live?.(line.text)
  return frame({
    above: asked.above,
    line: `${asked.lead}${paint(window, "cyan", shown.text)}`,
    cursor: widthOf(asked.lead) + shown.column,
    below: [
      ...(wrong ? note(window, "red", `${marks(window).wrong} ${wrong}`, 3) : []),
      ...(help && !wrong ? note(window, "cyan", help, 2) : []),
      ...(hint ? note(window, "dim", hint, 3) : []),
    ],
    keys: keyLine(window),
  })
})
