/** How rows are looked up that are not all held. */
import { expect, it } from "vitest"
import { findStandings } from "../../../src/orders/batch/check.ts"
import { testLedger } from "../../ledger/setup.ts"
import { rowOf } from "./bench.ts"

it("a batch looks rows up as they come, and reads none ahead of those of one question", async () => {
  let read = 0
  async function* rows() {
    for (; read < 200; ) yield rowOf(`PO-${++read}`)
  }
  const aheadOf: number[] = []
  const found: string[] = []
  for await (const { row, standing } of findStandings(testLedger(), rows())) {
    expect(standing.kind).toBe("free")
    found.push(row.reference)
    aheadOf.push(read - found.length)
  }
  expect(found).toEqual(Array.from({ length: 200 }, (_, n) => `PO-${n + 1}`))
  expect(Math.max(...aheadOf)).toBe(63)
})
