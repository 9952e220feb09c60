import { describe, expect, it } from "vitest"
import { keepRows } from "../../../../src/orders/batch/rows/rows.ts"
import type { BatchRow } from "../../../../src/orders/batch/rows/row.ts"
import { fileSource } from "../../../../src/input/sheets/source.ts"

const rowOf = (row: number): BatchRow => ({
  row,
  line: row,
  reference: `PO-${row}`,
  cells: [["Order", `PO-${row}`]],
  residential: { collection: false, receiver: false },
  written: { fields: {} },
  findings: [],
  booking: undefined,
  wish: undefined,
})

/** So many rows, and how often they were read. */
function source(count: number) {
  const read = { times: 0 }
  const rows = async function* () {
    read.times++
    for (let row = 1; row <= count; row++) yield rowOf(row)
  }
  return { read, rows }
}
async function all(rows: AsyncIterable<BatchRow>): Promise<number[]> {
  const numbers: number[] = []
  for await (const { row } of rows) numbers.push(row)
  return numbers
}

describe("the rows of a batch", () => {
  it("are read once where they are few", async () => {
    const { read, rows } = source(3)
    const kept = keepRows(rows)
    for (let pass = 0; pass < 3; pass++) expect(await all(kept())).toEqual([1, 2, 3])
    expect(read.times).toBe(1)
  })

  it("are read for each pass where they are many", async () => {
    const { read, rows } = source(30)
    const kept = keepRows(rows, 200)
    for (let pass = 0; pass < 2; pass++) expect(await all(kept())).toHaveLength(30)
    expect(read.times).toBe(2)
  })

  it("are read again after a pass that ended early, or failed", async () => {
    const { read, rows } = source(3)
    const kept = keepRows(rows)
    for await (const { row } of kept()) if (row === 2) break
    expect(await all(kept())).toEqual([1, 2, 3])
    expect(read.times).toBe(2)
    const missing = keepRows(async function* () {
      yield* source(1).rows()
      for await (const _ of fileSource("no-such-file").chunks()) yield rowOf(2)
    })
    for (let pass = 0; pass < 2; pass++) await expect(all(missing())).rejects.toThrow("no-such-file")
  })
})
