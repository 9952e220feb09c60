/** How many there are of a thing, in words: `1 piece`, `2 pieces`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`
}
