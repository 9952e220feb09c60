/**
 * Recognises an earlier bill that has grown: a month-to-date export has all its earlier lines, and more. Lines are
 * compared by their content, as a multiset: order and file name do not matter.
 */
import { createHash } from "node:crypto"
import { plainName } from "../ledger/index.ts"
import type { Growth } from "./records/bills.ts"
import type { BillLine, NamedLines } from "./bill.ts"

/** A hash of each line without its position, at the line's `at`. */
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

export interface Comparison {
  /**
   * `same`: the same lines. `grown`: these, and more. `outdated`: the lines that it had before it grew. `other`: some
   * are missing.
   */
  is: "same" | "grown" | "outdated" | "other"
  /** Number of missing lines of the earlier bill. */
  missing: number
  /** For each line the position in `growth` at which it first appeared; for a new line, the length of `growth`. */
  since: readonly number[]
}

/** @param lines hashes of the bill's lines */
export function compareLines(lines: readonly string[], growth: readonly Growth[]): Comparison {
  // Each list ends with the earliest, which is taken first.
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
