/** How many there are of a thing, in words: `1 piece`, `2 pieces`, `1,200 pieces`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : several}`
}

/** `12345` → `12,345`. Intl takes ten milliseconds at its first use. */
export function grouped(digits: number | string): string {
  return String(digits).replace(/\B(?=(\d{3})+$)/g, ",")
}
