import { createPrompt, isEnterKey, isTabKey, useEffect, useKeypress, useState } from "@inquirer/core"
import { UNSAFE } from "../../contract/safe-text.ts"
import { paint } from "../style.ts"
import { graphemes, widthOf } from "../width.ts"
import { BACK, type Back, parseYesNo, type Question } from "./conversation.ts"
import { answered, head, keyLine, LEFT, marks, note, useFrame, type Window } from "./window.ts"

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
  const { window, question, check, hint, live, isHidden, initial = "" } = config
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
  if (outcome !== undefined) return frame(answered(window, question, shownAnswer(outcome, config)))
  const asked = head(window, question, Math.max(16, Math.floor(window.columns / 4)))
  const standing = window.colour ? initial : `[${initial}]`
  const typedLine = isHidden ? NOTHING : line
  const shown = visible(isDefault ? { text: standing, cursor: 0 } : typedLine, asked.room)
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

interface ConfirmConfig {
  window: Window
  question: string
  /** What Enter alone means. */
  initial: boolean
}

/** Yes or no, as a word that is typed: pasted text is neither. */
export const confirmQuestion = createPrompt<boolean | Back, ConfirmConfig>(
  ({ window, question, initial }, done) => {
    const frame = useFrame(window)
    const [line, setLine] = useState(NOTHING)
    const [isWrong, setIsWrong] = useState(false)
    const [outcome, setOutcome] = useState<boolean | Back>()
    const finish = (answer: boolean | Back) => {
      setOutcome(answer)
      done(answer)
    }

    useKeypress((key, reader) => {
      const text = line.text.trim()
      const answer = parseYesNo(text, initial)
      if (key.name === "escape" || (isEnterKey(key) && text === "<")) finish(BACK)
      else if (isEnterKey(key) && answer !== undefined) finish(answer)
      else {
        setIsWrong(isEnterKey(key))
        // Readline has emptied the line at Enter.
        setLine(typed(reader))
      }
    })

    if (outcome === BACK) return LEFT
    if (outcome !== undefined) return frame(answered(window, question, outcome ? "yes" : "no"))
    const choices = initial ? "(Y/n) " : "(y/N) "
    const { above, lead, room } = head(window, question, choices.length + LONGEST_WORD)
    const shown = visible(line, room - choices.length)
    return frame({
      above,
      line: `${lead}${choices}${paint(window, "cyan", shown.text)}`,
      cursor: widthOf(lead) + choices.length + shown.column,
      below: isWrong ? note(window, "red", `${marks(window).wrong} Please answer yes or no.`, 1) : [],
      keys: keyLine(window, "y or n", "Enter answers"),
    })
  },
)

/** Columns for `yes` and the cursor. */
const LONGEST_WORD = 4

/** What may stand of an answer when it was given. */
export function shownAnswer(answer: string, { isHidden }: Question): string {
  return isHidden && answer !== "" ? "(hidden)" : answer
}

/** What readline holds; the type that Inquirer gives leaves the cursor out. */
interface Typed {
  text: string
  /** Characters of `text` before the cursor, as a string counts them. */
  cursor: number
}

export const NOTHING: Typed = { text: "", cursor: 0 }

interface Reader {
  line: string
  write(text: string): void
  clearLine(direction: 0): void
}

export function typed(reader: Reader): Typed {
  const cursor = "cursor" in reader && typeof reader.cursor === "number" ? reader.cursor : reader.line.length
  return { text: reader.line, cursor }
}

/** Puts a text into the line, with the cursor at its end. */
export function retype(reader: Reader, text: string): Typed {
  reader.clearLine(0)
  reader.write(text)
  return typed(reader)
}

/** The part of the line that is shown in so many columns, the cursor in it, and the cursor's column there. */
export function visible({ text, cursor }: Typed, room: number): { text: string; column: number } {
  const safe = (part: string) => part.replace(UNSAFE, "\ufffd")
  const before = graphemes(safe(text.slice(0, cursor)))
  let column = widthOf(before.join(""))
  while (column >= room && before.length > 0) column -= widthOf(before.shift() ?? "")
  let shown = before.join("")
  let used = column
  for (const each of graphemes(safe(text.slice(cursor)))) {
    used += widthOf(each)
    if (used > room) break
    shown += each
  }
  return { text: shown, column }
}
