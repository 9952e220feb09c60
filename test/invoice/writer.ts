/** Writes documents in any layout and knows where it put things, apart from the code that is tested. */

/** JSON that is written as it stands: a number in a form of one's own. */
interface Raw {
  raw: string
}

export function raw(text: string): Raw {
  return { raw: text }
}

export interface Layout {
  indent: string
  newline: "\n" | "\r\n" | "\r"
  mark: boolean
}

export const PLAIN: Layout = { indent: "  ", newline: "\n", mark: false }

export interface Written {
  text: string
  /** Where a value starts, or a property's name, in lines and characters from 1. */
  place(path: readonly (string | number)[], property?: string): { line: number; column: number } | undefined
}

export function written(document: unknown, layout: Layout = PLAIN): Written {
  const marks = new Map<string, number>()
  let text = layout.mark ? "\ufeff" : ""
  const put = (value: unknown, at: string, depth: number) => {
    marks.set(at, text.length)
    const line = (deep: number) => {
      if (layout.indent !== "") text += layout.newline + layout.indent.repeat(deep)
    }
    if (isRaw(value)) text += value.raw
    else if (typeof value !== "object" || value === null) text += JSON.stringify(value)
    else {
      const [open, close] = Array.isArray(value) ? "[]" : "{}"
      const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
      text += open
      for (const [index, [key, child]] of entries.entries()) {
        if (index > 0) text += ","
        line(depth + 1)
        if (!Array.isArray(value)) {
          marks.set(nameOf(at, String(key)), text.length)
          text += `${JSON.stringify(key)}:${layout.indent && " "}`
        }
        put(child, stepTo(at, key), depth + 1)
      }
      if (entries.length > 0) line(depth)
      text += close
    }
  }
  put(document, "", 0)
  return {
    text,
    place: (path, property) => {
      const at = path.reduce<string>(stepTo, "")
      const offset = marks.get(property === undefined ? at : nameOf(at, property))
      return offset === undefined ? undefined : lineAndColumn(text, offset)
    },
  }
}

/** The mark of a value, by that of what holds it. */
function stepTo(at: string, key: string | number): string {
  return `${at}/${JSON.stringify(key)}`
}

/** The mark of a property's name. */
function nameOf(at: string, property: string): string {
  return `${at}#${JSON.stringify(property)}`
}

function lineAndColumn(text: string, offset: number) {
  const lines = text
    .slice(0, offset)
    .replace("\ufeff", "")
    .split(/\r\n|\r|\n/)
  return { line: lines.length, column: Array.from(lines.at(-1) ?? "").length + 1 }
}

function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "raw"
}

/** A copy of a document with one place changed: set, or taken away where the value is undefined. */
export function withChange(document: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(document))
    return document.map((each, index) => (index === key ? withChange(each, rest, value) : each))
  const entries = new Map(Object.entries(Object(document)))
  const changed = withChange(entries.get(String(key)), rest, value)
  if (changed === undefined) entries.delete(String(key))
  else entries.set(String(key), changed)
  return Object.fromEntries(entries)
}
