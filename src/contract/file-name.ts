import { createHash } from "node:crypto"

/** What file systems take, the endings of the names included. */
const LONGEST = 120

/**
 * A name of a file or folder that stands for a text: safe on every file system, another for every other text (case apart,
 * where the file system makes no difference), and such that a person recognises the text in it. Only of a long text is a
 * part hashed: to load what hashes takes milliseconds.
 */
export function fileName(text: string): string {
  const name = text.replace(/[^\w./-]|^\./g, escaped).replaceAll("/", "+")
  if (name.length <= LONGEST) return name
  const mark = createHash("sha256").update(text).digest("hex").slice(0, 16)
  return `${name.slice(0, LONGEST - 17)}-${mark}`
}

function escaped(char: string): string {
  const code = char.charCodeAt(0).toString(16)
  return code.length > 2 ? `%u${code.padStart(4, "0")}` : `%${code.padStart(2, "0")}`
}
