/**
 * Whether a bill is an earlier one that has grown: a month-to-date export has every line that it had, and more. Lines
 * are compared by what they say, as a multiset: neither their order nor the name of the file matters.
 */
import { createHash } from "node:crypto"
import { type Growth, plainName } from "../ledger/index.ts"
import type { BillLine, NamedLines } from "./bill.ts"

/** A hash of each line, apart from its place: at the line's `at`. */
export type LineHashes = readonly string[]

/** @param named all lines that were read together */
export function hashLines(named: readonly NamedLines[]): LineHashes {
  let count = 0
  for (const { lines } of named) for (const { at } of lines) count = Math.max(count, at + 1)
  const hashes = Array.from({ length: count }, () => "")
  for (const { names, damaged = "", lines } of named) {
    const own = [...new Set(names.map(({ text }) => plainName(text)))].sort()
    for (const { at, charge, label, service, grams, exGst, gst, incGst, unspecifiedGstCents } of lines) {
      const said = [own, damaged, charge, label, service, grams, exGst, gst, incGst, unspecifiedGstCents]
      hashes[at] = createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 11)
    }
  }
  return hashes
}

export function listHashes(lines: readonly BillLine[], hashes: LineHashes): string[] {
  return lines.map(({ at }) => hashes[at] ?? "")
}

/** How the lines of a bill compare with those of an earlier one. */
export interface Comparison {
  /**
   * `same`: the same lines; `grown`: these, and more; `outdated`: those that the earlier one had before it grew;
   * `other`: some are missing.
   */
  is: "same" | "grown" | "outdated" | "other"
  /** How many of the earlier one's lines are missing. */
  missing: number
  /** For each line the position in `growth` of when it was first on the bill; its length where it is new. */
  since: readonly number[]
}

/** @param lines hashes of the bill's lines */
export function compareLines(lines: readonly string[], growth: readonly Growth[]): Comparison {
  // The earliest is the last of each, and is taken first.
  const left = new Map<string, number[]>()
  for (const [at, { lines: some }] of [...growth.entries()].reverse())
    for (const hash of some) {
      const there = left.get(hash)
      if (there) there.push(at)
      else left.set(hash, [at])
    }
  const since = lines.map((hash) => left.get(hash)?.pop() ?? growth.length)
  const missing = new Set(Array.from(left.values()).flat())
  const count = Array.from(left.values()).reduce((sum, { length }) => sum + length, 0)
  const isNew = since.includes(growth.length)
  const firstMissing = Math.min(...missing, growth.length)
  const isWholeBefore = growth.slice(firstMissing).every((_, at) => !since.includes(firstMissing + at))
  if (count === 0) return { is: isNew ? "grown" : "same", missing: 0, since }
  return { is: !isNew && firstMissing > 0 && isWholeBefore ? "outdated" : "other", missing: count, since }
}
