/** How rows come out of bytes; what they become is in ../texts/rows.txt. */
import { expect, it } from "vitest"
import { readAllRows, readRows } from "../../../../src/orders/batch/rows/rows.ts"
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

it("a batch holds so many rows and no more", async () => {
  const source = {
    name: "orders.json",
    async *chunks() {
      yield Buffer.from(JSON.stringify(["SO-1", "SO-2", "SO-3"].map((reference) => ({ reference }))))
    },
  }
  expect(await readAllRows(source, defaults(), 3)).toHaveLength(3)
  await expect(readAllRows(source, defaults(), 2)).rejects.toMatchObject({
    kind: "input",
    message: "orders.json has more than 2 rows; nothing was sent",
  })
})
