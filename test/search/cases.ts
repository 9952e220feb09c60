/** Looks at cases one after the other, until one is not as the rules say. */
import type { Searched } from "./search.ts"

/** @returns what is wrong; undefined where nothing is, false where there can be no such case */
export type Check = () => Promise<string | undefined | false>

/** @param most cases that are looked at */
export async function searchCases(
  cases: Iterable<readonly [text: string, check: Check]>,
  most: number,
): Promise<Searched> {
  const found: Searched = { states: 0, steps: 0, ends: 0, settled: 0, excused: 0, isCut: false }
  for (const [text, check] of cases) {
    if (found.states >= most) {
      found.isCut = true
      break
    }
    const what = await check()
    if (what === false) continue
    found.states++
    if (what === undefined) continue
    found.finding = { what, trace: [text] }
    break
  }
  return found
}

/** Each combination of a value of each list. */
export function* combine<T extends object>(
  lists: {
    [Name in keyof T]: readonly T[Name][]
  },
): Generator<T> {
  const names = Object.keys(lists) as (keyof T)[]
  const [first, ...others] = names
  if (first === undefined) {
    yield {} as T
    return
  }
  const rest = Object.fromEntries(others.map((name) => [name, lists[name]])) as {
    [Name in keyof T]: readonly T[Name][]
  }
  for (const value of lists[first]) for (const each of combine<T>(rest)) yield { ...each, [first]: value }
}
