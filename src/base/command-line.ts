/** Needs no quotes in any shell. */
const PLAIN = /^[\w./:-]+$/

/**
 * The command to run next, safe to paste into any shell; undefined if a word needs quotes, which differ between shells.
 * Ids come from servers, and must not become a second command or a flag.
 * @param words `freight`, the command, its arguments
 */
export function nextCommand(...words: readonly string[]): { next?: string } {
  return words.every((word) => PLAIN.test(word)) ? { next: words.join(" ") } : {}
}

/** Characters that double quotes keep as they are, in every shell. */
const QUOTABLE = /^[\w ./:@,;+#=()-]*$/

/** A corrected command line; undefined if a word cannot be quoted for every shell, or is a key. */
export function typedAgain(argv: readonly string[]): { next?: string } {
  if (!argv.every((word) => QUOTABLE.test(word) && !/[0-9a-f]{40}/i.test(word))) return {}
  const words = argv.map((word) => (PLAIN.test(word) ? word : `"${word}"`))
  return { next: ["freight", ...words].join(" ") }
}

/** Curly quotes of documents, and single quotes that cmd.exe passes on, around a whole value. */
const IN_QUOTES =
  /^(?:[\u2018\u201a\u201b\u201c\u201e\u201f\u00ab]([^\u2018-\u201f\u00ab\u00bb]*)[\u2018\u2019\u201c\u201d\u00bb]|'([^']*)')$/s

/** A value without the quotes that a document or cmd.exe left around it. */
export function dropQuotes(value: string): string {
  const [, curly, single = curly ?? value] = IN_QUOTES.exec(value) ?? []
  return single
}

/** Flags whose values are taken literally: a text, JSON, an idempotency key, or another command. */
const TO_THE_LETTER = ["--instructions", "--set", "--key", "--reference", "--exec"]

/** A command line without stray quotes around whole values. */
export function dropStrayQuotes(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word === "--" || word === "--exec")
  return argv.map((word, at) => {
    if ((end >= 0 && at > end) || TO_THE_LETTER.includes(argv[at - 1] ?? "")) return word
    const [, flag = "", value] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? []
    if (value === undefined) return dropQuotes(word)
    return TO_THE_LETTER.includes(flag.slice(0, -1)) ? word : `${flag}${dropQuotes(value)}`
  })
}

/** Dashes that documents make from a flag's hyphens, alone or beside a remaining hyphen. */
const DASHED = /^-?[\u2010-\u2015\u2212]-?(?=[a-z])/i

/** A flag that begins with a document's dash, with its hyphens; any other word as it is. */
export function withHyphens(word: string): string {
  return word.replace(DASHED, /^\W+[a-z]$/i.test(word) ? "-" : "--")
}

/**
 * A name as a word of a printed command: in double quotes, which every shell accepts, if it has blanks or special
 * characters.
 */
export function quoteBlanks(word: string): string {
  return /[\s&;|<>()']|^#/.test(word) ? `"${word}"` : word
}

/** A command line for the platform's usual shell, quoted where needed. */
export function shellLine(words: readonly string[], platform: string): string {
  // PowerShell doubles a quote inside quotes; other shells have to end the quotes for it.
  const inner = platform === "win32" ? "''" : "'\\''"
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", inner)}'`)).join(" ")
}

/** Options whose flag has another name: files and programs keep the option's name. */
const FLAG_NAMES: Readonly<Record<string, string>> = { acceptPlaces: "--allow-places" }

/** `labelName` → `--label-name` */
export function toFlagName(option: string): string {
  return FLAG_NAMES[option] ?? `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** `[shipment...]` → `shipment` */
export function argumentName(takes: string): string {
  return takes.replace(/^[<[]|(\.\.\.)?[>\]]$/g, "")
}
