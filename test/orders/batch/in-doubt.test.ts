/** Headings that may mean something: they count where nothing is in doubt, and change nothing that is said otherwise. */
import { expect, it } from "vitest"
import type { RowDefaults } from "../../../src/orders/batch/rows/defaults.ts"
import { defaults, rowsOf } from "./batches.ts"

/** What is told of a file, and of each of its rows its errors, or what a test looks for. */
async function read<Found>(
  text: string,
  changes: Partial<RowDefaults>,
  find: (row: Awaited<ReturnType<typeof rowsOf>>[number]) => Found,
) {
  const notes: string[] = []
  const rows = await rowsOf(text, { ...changes, tell: async (note) => void notes.push(note) })
  const found = rows.map((row) => {
    const errors = row.findings.filter(({ severity }) => severity === "error")
    return row.request ? find(row) : errors.map(({ column, message }) => `${column}: ${message}`)
  })
  return { notes, found }
}

const PACKAGES = [{ count: 1, lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2 }]
const { booking } = defaults()
const LEE = {
  companyName: "Port Street Fittings",
  ...{ address1: "8 Market Street", suburb: "Fremantle", state: "WA", postcode: "6160" },
}
const SITE = '"Acme Pty Ltd, 20 King Street, Perth WA 6000"'

const suburbs = (text: string, changes: Partial<RowDefaults> = {}) =>
  read(text, { booking: { ...booking, packages: PACKAGES }, ...changes }, ({ request }) => [
    request?.receiver.companyName,
    request?.receiver.suburb,
  ])

it.each<[string, Partial<RowDefaults>]>([
  [
    "a flag or the profile names the receiver",
    { booking: { ...booking, packages: PACKAGES, receiver: LEE } },
  ],
  [
    "it does so and unknown columns are ignored",
    { booking: { ...booking, packages: PACKAGES, receiver: LEE }, ignoreUnknown: true },
  ],
])("sends nothing to the addresses of an unknown column where %s", async (_, changes) => {
  const { notes, found } = await suburbs(`Order,Site\nU-1,${SITE}\n`, changes)
  expect(found).toEqual([["Port Street Fittings", "Fremantle"]])
  expect(notes).toEqual(
    changes.ignoreUnknown
      ? []
      : [expect.stringContaining('1 column is not used: "Site". --map COLUMN=FIELD uses one.')],
  )
})

it("reads no receiver from an unknown column where unknown columns are ignored", async () => {
  const { found } = await suburbs(`Order,Site\nU-1,${SITE}\n`, { ignoreUnknown: true })
  expect(found).toEqual([[expect.stringContaining("receiver")]])
})

it("sends to the addresses of an unknown column where nothing else says a receiver", async () => {
  expect((await suburbs(`Order,Site\nU-1,${SITE}\n`)).found).toEqual([["Acme Pty Ltd", "Perth"]])
})

it("takes a column that --map names for the receiver beside a flag", async () => {
  const changes = { booking: { ...booking, packages: PACKAGES, receiver: LEE }, map: ["Site=receiver"] }
  expect((await suburbs(`Order,Site\nU-1,${SITE}\n`, changes)).found).toEqual([["Acme Pty Ltd", "Perth"]])
})

const PERTH = '"20 King Street, Perth WA 6000"'
it.each([
  ["Installer address,Suburb,State,Postcode", `${PERTH},Fremantle,WA,6160`, "address1"],
  ["Ship to,Suburb,State,Postcode", `${PERTH},Fremantle,WA,6160`, 'Suburb: says "Fremantle"'],
  ["Ship to,State", `${PERTH},NSW`, 'State: says "NSW"'],
  ["Deliver to,Postcode", `${PERTH},6160`, 'Postcode: says "6160"'],
  ["receiver,Suburb", `${PERTH},Fremantle`, 'Suburb: says "Fremantle"'],
])("puts no address together of a whole one and its parts: %s with %s", async (headings, cells, says) => {
  const { found } = await suburbs(`Order,Company,${headings}\nW-1,Acme,${cells}\n`)
  expect(found).toEqual([expect.arrayContaining([expect.stringContaining(says)])])
})

it("takes a whole address where its parts in other columns are the same", async () => {
  const text = `Order,Company,Ship to,Suburb,State,Postcode\nW-1,Acme,${PERTH},PERTH,Western Australia,6000\n`
  expect((await suburbs(text)).found).toEqual([["Acme", "PERTH"]])
})

it("leaves an unknown column of addresses out beside one that is known for the receiver", async () => {
  const { notes, found } = await suburbs(`Order,Company,Deliver to,Site\nW-1,Acme,${PERTH},${SITE}\n`)
  expect(found).toEqual([["Acme", "Perth"]])
  expect(notes).toEqual([expect.stringContaining('1 column is not used: "Site"')])
})

type Row = Awaited<ReturnType<typeof rowsOf>>[number]
const packagesOf = ({ request }: Row) => (request && "packages" in request ? request.packages : [])
const weighed = (row: Row) => packagesOf(row).map(({ count, weightKg }) => `${count} x ${weightKg}`)

it.each(["Kg per item", "Kg per piece", "Kg per unit"])(
  "takes %s for no weight of a carton: a carton may hold many",
  async (heading) => {
    const text = `Order,Cartons,Units,${heading},Total weight,Length,Width,Height\nI-1,2,40,0.8,32,40,30,20\n`
    const { notes, found } = await read(text, { booking: { ...booking, receiver: LEE } }, weighed)
    expect(found).toEqual([["2 x 16"]])
    expect(notes).toEqual([expect.stringContaining(`"${heading}"`)])
  },
)
