/** Names of files that are made of what people call things. */
import { hash } from "node:crypto"

/** A name without its ending; most file systems take 255 bytes. */
export const LONGEST_NAME = 100
/** Names that Windows keeps for itself. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** As a person wrote it, without what a file system does not take; may be empty. @param before put before a reserved name */
export function toFileName(text: string, before: string): string {
  const name = Array.from(text.replace(/[^\p{L}\p{N} ._-]/gu, "_"))
    .slice(0, LONGEST_NAME)
    .join("")
    .replace(/^[. -]+|[. ]+$/g, "")
  return RESERVED.test(name) ? `${before}${name}` : name
}

/** Tells names apart that are the same as file names. */
export function markOf(text: string): string {
  return hash("sha256", text).slice(0, 8)
}
