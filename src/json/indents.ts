/** Guesses from the indents of a text which bracket was forgotten or is one too many, where brackets do not pair. */

/** A bracket that is open. */
interface Open {
  /** Offset of the bracket. */
  at: number
  /** How far its line is indented. */
  indent: number
  /** How far its entries are indented, once one has begun a line further in than the bracket's own. */
  inner: number | undefined
}

interface Slips {
  /** Where a bracket still open should have been closed before, and that bracket. */
  forgotten?: { before: number; opener: number }
  /** A closing bracket that is one too many, or the first entry that stands outside because of one. */
  surplus?: number
}

/** The first of either slip up to an offset; none where the text is not indented. */
export function slipsIn(text: string, end: number): Slips {
  const slips: Slips = {}
  const open: Open[] = []
  let [indent, isFirst, last] = [0, true, ""]
  for (let at = 0; at <= end && at < text.length; at++) {
    const char = text.charAt(at)
    if (char === "\n" || char === "\r") {
      ;[indent, isFirst] = [0, true]
      continue
    }
    if (char === " " || char === "\t") {
      if (isFirst) indent++
      continue
    }
    const holder = open.at(-1)
    const closes = char === "}" || char === "]"
    if (isFirst && holder) {
      if (holder.inner === undefined && indent > holder.indent && !closes) holder.inner = indent
      else if (holder.inner !== undefined) {
        const { inner } = holder
        if (indent < holder.indent || (indent === holder.indent && !closes))
          slips.forgotten ??= { before: at, opener: holder.at }
        // A value may stand on the line after its name, further in.
        else if (closes ? indent > holder.indent : indent > inner && last === ",") slips.surplus ??= at
      }
    }
    isFirst = false
    last = char
    if (char === "{" || char === "[") open.push({ at, indent, inner: undefined })
    else if (closes) open.pop()
    else if (char === '"') at = quoteAfter(text, at)
  }
  return slips
}

/** Where a string ends that opens at `start`, or its line. */
function quoteAfter(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return at
    if (char === "\\") at++
    else if (char === "\n" || char === "\r") return at - 1
  }
  return text.length
}
