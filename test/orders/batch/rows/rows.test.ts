/** How rows come out of bytes; what they become is in ../texts/rows.txt. */
import { expect, it } from "vitest"
import { readAllRows, readRows } from "../../../../src/orders/batch/rows/rows.ts"
import { csvOf, defaults, rowsOf, rowWith, said } from "../batches.ts"

it("a row is the same whatever the bytes come in", async () => {
  const text = csvOf({ "receiver.contactName": "Zoë 木" })
  const [whole] = await rowsOf(text)
  const [cut] = await rowsOf(text, {}, 1)
  expect(cut).toEqual(whole)
})

it("a cell that equals the one above it is read with what stands beside it", async () => {
  const sender = { "sender.companyName": "", sender: "Warehouse", "sender.suburb": "", "sender.state": "" }
  const rows: Readonly<Record<string, string>>[] = [
    { ...sender, reference: "SO-1", "receiver.state": "NT", "receiver.postcode": "800" },
    { ...sender, reference: "SO-2", "receiver.state": "WA", "receiver.postcode": "800" },
    { ...sender, reference: "SO-3", "sender.companyName": "Annex", "receiver.postcode": " 6160" },
    { ...sender, reference: "SO-4", "receiver.postcode": " 6160" },
    { ...sender, reference: "SO-5", sender: "", "sender.suburb": "Perth", "sender.state": "WA" },
  ].map((cells) => ({ ...cells, collectionDateTime: "tomorrow" }))
  // In Sydney it is the next day by then.
  const late = { nowMs: Date.parse("2026-11-20T14:30:00Z") }
  const [heading = ""] = csvOf(rows[0]).split("\n")
  const file = [heading, ...rows.map((cells) => csvOf(cells).split("\n")[1])].join("\n")
  const together = await rowsOf(file, late)
  const alone = await Promise.all(rows.map((cells) => rowWith(cells, late)))
  const toText = (row: (typeof alone)[number]) => [
    row.source.written,
    row.request,
    said(row),
    said(row, "repaired"),
  ]
  expect(together.map(toText)).toEqual(alone.map(toText))
  expect(together.map(({ source }) => source.written.fields.collectionDateTime)).toEqual([
    ...Array.from({ length: 4 }, () => "2026-11-22"),
    "2026-11-21",
  ])
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

it("rows of one order are streamed, too: none waits for the last to say what to do about them", async () => {
  let read = 0
  const order = `"Order":"SO-1","Deliver to":"Cedar","Address":"71 Test Street","Suburb":"Fremantle","State":"WA","Postcode":"6160"`
  const source = {
    name: "-",
    async *chunks() {
      for (let row = 1; row <= 3; row++) {
        read = row
        yield Buffer.from(`{${order},"Packages":"1x40x30x20@${row}"}\n`)
      }
    },
  }
  const rows = readRows(source, { ...defaults(), sampleRows: 0 })
  const first = (await rows.next()).value
  const second = (await rows.next()).value
  expect([first?.request?.packages, second?.request, read]).toEqual([
    [{ count: 1, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 1 }],
    undefined,
    2,
  ])
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
