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

/** A name as a word of a command that is shown: in double quotes, which every shell takes, where it has blanks. */
export function quoteBlanks(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word
}

/** A command line for the platform's usual shell, quoted where needed. */
export function shellLine(words: readonly string[], platform: string): string {
  // PowerShell doubles a quote inside of quotes; the others have to leave them for it.
  const inner = platform === "win32" ? "''" : "'\\''"
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", inner)}'`)).join(" ")
}
