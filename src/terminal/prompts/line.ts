/** The line in which one types: scrolled sideways where it is longer than its room. */
import { UNSAFE } from "../../contract/safe-text.ts"
import { graphemes, widthOf } from "../width.ts"

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
