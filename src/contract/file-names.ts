/** Names of files and folders that are made of what people call things. */
import { hash } from "node:crypto"

/** What file systems take, the endings of the names included. */
const LONGEST = 120

/**
 * A unique and readable file or folder name for a text, safe on every file system, also where case does not count.
 * Only long texts are hashed: loading the hash takes milliseconds.
 */
export function encodeFileName(text: string): string {
  const name = text.replace(/[^\w./-]|^\./g, escaped).replaceAll("/", "+")
  if (name.length <= LONGEST) return name
  const mark = hash("sha256", text).slice(0, 16)
  return `${name.slice(0, LONGEST - 17)}-${mark}`
}

function escaped(char: string): string {
  const code = char.charCodeAt(0).toString(16)
  return code.length > 2 ? `%u${code.padStart(4, "0")}` : `%${code.padStart(2, "0")}`
}

/** A name without its ending; most file systems take 255 bytes. */
export const LONGEST_NAME = 100
/** Names that Windows keeps for itself. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** As a person wrote it, without what a file system does not take, and `1001` for `#1001`; may be empty. @param before put before a reserved name */
export function toFileName(text: string, before: string): string {
  const name = Array.from(text.replaceAll("#", "").replace(/[^\p{L}\p{N} ._-]/gu, "_"))
    .slice(0, LONGEST_NAME)
    .join("")
    .replace(/^[. -]+|[. ]+$/g, "")
  return RESERVED.test(name) ? `${before}${name}` : name
}

/** Tells names apart that are the same as file names. */
export function markOf(text: string): string {
  return hash("sha256", text).slice(0, 8)
}
