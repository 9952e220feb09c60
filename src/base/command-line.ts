/** Needs no quotes in any shell. */
const PLAIN = /^[\w./:-]+$/

/**
 * The command to run next, safe to paste into any shell; none if a word needs quotes, which shells write differently.
 * Ids come from servers, and must not become a second command or a flag.
 * @param words `freight`, the command, its arguments
 */
export function nextCommand(...words: readonly string[]): { next?: string } {
  return words.every((word) => PLAIN.test(word)) ? { next: words.join(" ") } : {}
}

/** What stands in double quotes as it is, in every shell. */
const QUOTABLE = /^[\w ./:@,;+#=()-]*$/

/** A command line that a person typed, corrected; none where a word cannot be quoted for every shell, or is a key. */
export function typedAgain(argv: readonly string[]): { next?: string } {
  if (!argv.every((word) => QUOTABLE.test(word) && !/[0-9a-f]{40}/i.test(word))) return {}
  const words = argv.map((word) => (PLAIN.test(word) ? word : `"${word}"`))
  return { next: ["freight", ...words].join(" ") }
}

/** A name as a word of a command that is shown: in double quotes, which every shell takes, where it has blanks or would be a comment. */
export function quoteBlanks(word: string): string {
  return /\s|^#/.test(word) ? `"${word}"` : word
}

/** A command line for the platform's usual shell, quoted where needed. */
export function shellLine(words: readonly string[], platform: string): string {
  // PowerShell doubles a quote inside of quotes; the others have to leave them for it.
  const inner = platform === "win32" ? "''" : "'\\''"
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", inner)}'`)).join(" ")
}

/** `labelName` → `--label-name` */
export function toFlagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** `[shipment...]` → `shipment` */
export function argumentName(takes: string): string {
  return takes.replace(/^[<[]|(\.\.\.)?[>\]]$/g, "")
}
