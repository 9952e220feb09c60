/** How rows come out of bytes; what they become is in ../texts/rows.txt. */
import { expect, it } from "vitest"
import { readRows } from "../../../../src/orders/batch/rows/rows.ts"
import { csvOf, defaults, rowsOf } from "../batches.ts"

it("a row is the same whatever the bytes come in", async () => {
  const text = csvOf({ "receiver.contactName": "Zoë 木" })
  const [whole] = await rowsOf(text)
  const [cut] = await rowsOf(text, {}, 1)
  expect(cut).toEqual(whole)
})

it("rows are streamed: each is out before the next is read", async () => {
  let read = 0
  const source = {
    name: "-",
    async *chunks() {
      for (let row = 1; row <= 3; row++) {
        read = row
        yield Buffer.from(`{"reference":"SO-${row}"}\n`)
      }
    },
  }
  const rows = readRows(source, { ...defaults(), sampleRows: 0 })
  await rows.next()
  expect(read).toBe(1)
  await rows.return(undefined)
})
