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
