/** Names of files and folders, made from people's names. */
import { hash } from "node:crypto"
import path from "node:path"

/** The longest name that file systems take, with its ending. */
const MAX_LENGTH = 120

/**
 * A unique and readable file or folder name for a text, safe on every file system, also on one that ignores case. Only
 * long texts are hashed: loading the hash takes milliseconds.
 */
export function encodeFileName(text: string): string {
  const plain = text.replace(/[^\w./-]|^\.|\.$/g, escaped).replaceAll("/", "+")
  const name = RESERVED.test(plain) ? escaped(plain.charAt(0)) + plain.slice(1) : plain
  if (name.length <= MAX_LENGTH) return name
  const mark = hash("sha256", text).slice(0, 16)
  return `${name.slice(0, MAX_LENGTH - 17)}-${mark}`
}

function escaped(char: string): string {
  const code = char.charCodeAt(0).toString(16)
  return code.length > 2 ? `%u${code.padStart(4, "0")}` : `%${code.padStart(2, "0")}`
}

/** A name without its ending; most file systems take 255 bytes. */
export const MAX_NAME_LENGTH = 100
/** Names that Windows reserves, with any ending. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i
const DEVICE = /^(nul|[\\/]{2}\.[\\/].*)$/i
const NOT_IN_NAMES = '< > : " | ? *'

/** Whether a name is a Windows device: data written to `NUL` is lost. */
export function isWindowsDevice(name: string): boolean {
  return DEVICE.test(name)
}

/**
 * Whether a name leads to a device, or to an open file, as `/dev/stdin` and `/dev/fd/63` do. `/dev/shm` is a folder in
 * memory.
 */
export function isUnderDevices(name: string): boolean {
  return /^\/(dev(?!\/shm\/)|proc)\//.test(path.resolve(name))
}

/** Whether a file may be written beside an input: standard input has no name, nor has `<(a command)`. */
export function isNamed(input: string): boolean {
  return input !== "-" && !isUnderDevices(input)
}

/**
 * Why a file or folder of this path should not be created on Windows; undefined if it may. Node would create some of
 * them, and Explorer could neither open nor delete them; the part after a colon would be hidden in the file before it.
 */
export function findWindowsNameError(file: string): string | undefined {
  if (isWindowsDevice(file)) return undefined
  const [root = ""] = /^([\\/]{2}[?][\\/])?([a-z]:)?/i.exec(file) ?? []
  for (const part of file.slice(root.length).split(/[\\/]/)) {
    if (part === "." || part === "..") continue
    if (RESERVED.test(part)) return `Windows keeps the name ${part} for itself: choose another`
    if (/[. ]$/.test(part)) return `on Windows no name may end in a dot or a blank, as "${part}" does`
    if (/[<>:"|?*]/.test(part)) return `on Windows no name may contain ${NOT_IN_NAMES}`
  }
  return undefined
}

/**
 * As a person wrote it, without characters that file systems reject, and `1001` for `#1001`; may be empty. @param
 * before put before a reserved name
 */
export function toFileName(text: string, before: string): string {
  const name = Array.from(text.replaceAll("#", "").replace(/[^\p{L}\p{N} ._-]/gu, "_"))
    .slice(0, MAX_NAME_LENGTH)
    .join("")
    .replace(/^[. -]+|(?<![. ])[. ]+$/g, "")
  return RESERVED.test(name) ? `${before}${name}` : name
}

/** A suffix for names that are equal as file names. */
export function markOf(text: string): string {
  return hash("sha256", text).slice(0, 8)
}
