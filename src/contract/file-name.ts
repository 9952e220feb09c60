import { hash } from "node:crypto"

/** What file systems take, the endings of the names included. */
const LONGEST = 120

/**
 * A unique and readable file or folder name for a text, safe on every file system, also where case does not count.
 * Only long texts are hashed: loading the hash takes milliseconds.
 */
export function fileName(text: string): string {
  const name = text.replace(/[^\w./-]|^\./g, escaped).replaceAll("/", "+")
  if (name.length <= LONGEST) return name
  const mark = hash("sha256", text).slice(0, 16)
  return `${name.slice(0, LONGEST - 17)}-${mark}`
}

function escaped(char: string): string {
  const code = char.charCodeAt(0).toString(16)
  return code.length > 2 ? `%u${code.padStart(4, "0")}` : `%${code.padStart(2, "0")}`
}
