/** A count with its noun: `1 piece`, `2 pieces`, `1,200 pieces`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : several}`
}

/** The first of some texts, and how many are left: `A, B and 3 more`. */
export function listSome(texts: readonly string[], most = 3): string {
  const left = texts.length - most
  return `${texts.slice(0, most).join(", ")}${left > 0 ? ` and ${left} more` : ""}`
}

/** `12345` → `12,345`. Intl takes ten milliseconds at its first use. */
export function grouped(digits: number | string): string {
  return String(digits).replace(/(?<!\d)\d+$/, (run) => {
    const first = run.length % 3 || 3
    return run.slice(0, first) + run.slice(first).replace(/\d{3}/g, ",$&")
  })
}

const SURROGATE = /[\ud800-\udfff]/

/** Counts the characters (code points) of a text, one by one: a list of a huge text's characters could be too large. */
export function countCharacters(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}
