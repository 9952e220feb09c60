import { type Entry, TREE } from "../../src/app/tree.ts"

/** The commands that do something, by their words: `shipments list`. */
export function commandNames(): string[] {
  return [...TREE.flatMap(({ entries }) => entries.flatMap((entry) => namesOf(entry, ""))), "help"]
}

function namesOf({ name, load, children = [] }: Entry, words: string): string[] {
  const own = `${words} ${name}`.trim()
  return [...(load ? [own] : []), ...children.flatMap((child) => namesOf(child, own))]
}
