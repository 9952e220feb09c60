/** Plain patterns of the schema in words. */

/** What a pattern is made of. */
const CLASSES: Readonly<Record<string, readonly [one: string, several: string]>> = {
  "\\d": ["digit", "digits"],
  "[0-9]": ["digit", "digits"],
  "[A-Z]": ["capital letter", "capital letters"],
  "[a-z]": ["small letter", "small letters"],
  "[A-Za-z]": ["letter", "letters"],
  "[A-Z0-9]": ["capital letter or digit", "capital letters or digits"],
  "[A-Za-z0-9]": ["letter or digit", "letters or digits"],
}
const PART = /(\\d|\[[^\]]*\]|\\[^\w\s]|[\w /,:;@#-])(\{(\d+)(?:,(\d+))?\}|[+?])?/y

/** `^\\d{3}-\\d{3}$` as `3 digits, "-", 3 digits`; undefined for a pattern that has no such words. */
export function describePattern(pattern: string): string | undefined {
  const inner = /^\^(.*)\$$/.exec(pattern)?.[1] ?? ""
  const words: string[] = []
  PART.lastIndex = 0
  while (PART.lastIndex < inner.length) {
    const [part, what = "", count = "", least, most] = PART.exec(inner) ?? []
    if (part === undefined) return undefined
    const names = CLASSES[what]
    if (!names && what.startsWith("[")) return undefined
    const [one, several] = names ?? [`"${what.replace("\\", "")}"`, ""]
    if (count === "") words.push(names ? `1 ${one}` : one)
    else if (count === "?") words.push(`${names ? `1 ${one}` : one} or nothing`)
    else if (several === "") return undefined
    else if (count === "+") words.push(several)
    else
      words.push(
        `${least}${most === undefined ? "" : ` to ${most}`} ${Number(most ?? least) === 1 ? one : several}`,
      )
  }
  return words.length > 0 ? words.join(", ") : undefined
}
