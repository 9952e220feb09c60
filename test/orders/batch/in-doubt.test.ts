/** Headings that may mean something: they count where nothing is in doubt, and change nothing that is said otherwise. */
import { expect, it } from "vitest"
import type { RowDefaults } from "../../../src/orders/batch/rows/defaults.ts"
import { defaults, rowsOf } from "./batches.ts"

/** The notes about a file, and for each row its errors, or the values that a test looks for. */
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
])("a batch sends nothing to the addresses of an unknown column where %s", async (_, changes) => {
  const { notes, found } = await suburbs(`Order,Site\nU-1,${SITE}\n`, changes)
  expect(found).toEqual([["Port Street Fittings", "Fremantle"]])
  expect(notes).toEqual(
    changes.ignoreUnknown
      ? []
      : [expect.stringContaining('1 column is not used: "Site". --map COLUMN=FIELD uses one.')],
  )
})

it("a batch reads no receiver from an unknown column where unknown columns are ignored", async () => {
  const { found } = await suburbs(`Order,Site\nU-1,${SITE}\n`, { ignoreUnknown: true })
  expect(found).toEqual([[expect.stringContaining("receiver")]])
})

it("a batch sends to the addresses of an unknown column where nothing else says a receiver", async () => {
  expect((await suburbs(`Order,Site\nU-1,${SITE}\n`)).found).toEqual([["Acme Pty Ltd", "Perth"]])
})

it("a batch takes a column that --map names for the receiver beside a flag", async () => {
  const changes = { booking: { ...booking, packages: PACKAGES, receiver: LEE }, map: ["Site=receiver"] }
  expect((await suburbs(`Order,Site\nU-1,${SITE}\n`, changes)).found).toEqual([["Acme Pty Ltd", "Perth"]])
})

const STREET = "Company,Street,Suburb,State,Postcode"
const TO_LEE = "Port Street Fittings,8 Market Street,Fremantle,WA,6160"
const dropped = (text: string, changes: Partial<RowDefaults> = {}) =>
  read(text, { booking: { ...booking, packages: PACKAGES }, ...changes }, ({ request, own }) => [
    request?.receiver.suburb,
    own,
  ])

it("a batch takes a column called Drop off for where the goods go, if it has addresses", async () => {
  expect((await dropped(`Order,Drop off\nD-1,${SITE}\n`)).found).toEqual([["Perth", {}]])
})

it.each<[string, string, string, Partial<RowDefaults>]>([
  ["a flag", "Order", "D-1", { booking: { ...booking, packages: PACKAGES, receiver: LEE } }],
  ["other columns", `Order,${STREET}`, `D-1,${TO_LEE}`, {}],
])("a batch sends nothing to the addresses of such a column where %s says a receiver", async (_, headings, cells, changes) => {
  const { found } = await dropped(`${headings},Drop off\n${cells},${SITE}\n`, changes)
  expect(found).toEqual([["Fremantle", {}]])
})

it.each([
  ["yes", [["Fremantle", { dropOff: true }]]],
  ["", [["Fremantle", {}]]],
  ["at noon", [['Drop off: "at noon" must be yes or no']]],
])("a batch takes a column called Drop off with %j for whether the goods are brought to the carrier", async (cell, found) => {
  const text = `Order,${STREET},Drop off\nD-1,${TO_LEE},${cell}\n`
  expect((await dropped(text)).found).toEqual(found)
})

const PERTH = '"20 King Street, Perth WA 6000"'
it.each([
  ["Installer address,Suburb,State,Postcode", `${PERTH},Fremantle,WA,6160`, "street and number"],
  ["Ship to,Suburb,State,Postcode", `${PERTH},Fremantle,WA,6160`, 'Suburb: says "Fremantle"'],
  ["Ship to,State", `${PERTH},NSW`, 'State: says "NSW"'],
  ["Deliver to,Postcode", `${PERTH},6160`, 'Postcode: says "6160"'],
  ["receiver,Suburb", `${PERTH},Fremantle`, 'Suburb: says "Fremantle"'],
])("a batch puts no address together of a whole one and its parts: %s with %s", async (headings, cells, says) => {
  const { found } = await suburbs(`Order,Company,${headings}\nW-1,Acme,${cells}\n`)
  expect(found).toEqual([expect.arrayContaining([expect.stringContaining(says)])])
})

it("a batch takes a whole address where its parts in other columns are the same", async () => {
  const text = `Order,Company,Ship to,Suburb,State,Postcode\nW-1,Acme,${PERTH},PERTH,Western Australia,6000\n`
  expect((await suburbs(text)).found).toEqual([["Acme", "PERTH"]])
})

it("a batch leaves an unknown column of addresses out beside one that is known for the receiver", async () => {
  const { notes, found } = await suburbs(`Order,Company,Deliver to,Site\nW-1,Acme,${PERTH},${SITE}\n`)
  expect(found).toEqual([["Acme", "Perth"]])
  expect(notes).toEqual([expect.stringContaining('1 column is not used: "Site"')])
})

type Row = Awaited<ReturnType<typeof rowsOf>>[number]
const packagesOf = ({ request }: Row) => (request && "packages" in request ? request.packages : [])
const weighed = (row: Row) => packagesOf(row).map(({ count, weightKg }) => `${count} x ${weightKg}`)
const sized = (row: Row) =>
  packagesOf(row).map(({ lengthCm, widthCm, heightCm }) => `${lengthCm}x${widthCm}x${heightCm}`)

it.each([
  "Kg per item",
  "Kg per piece",
  "Kg per unit",
])("takes %s for no weight of a carton: a carton may hold many", async (heading) => {
  const text = `Order,Cartons,Units,${heading},Total weight,Length,Width,Height\nI-1,2,40,0.8,32,40,30,20\n`
  const { notes, found } = await read(text, { booking: { ...booking, receiver: LEE } }, weighed)
  expect(found).toEqual([["2 x 16"]])
  expect(notes).toEqual([expect.stringContaining(`"${heading}"`)])
})

const TO = "Order,Company,Street,Suburb,State,Postcode"
const AT = "S-1,Acme,20 King Street,Perth,WA,6000"
it.each<[string, string, Partial<RowDefaults>, string[]]>([
  ["Product,Dimensions", "Tile,30x30x1", { booking: { ...booking, packages: PACKAGES } }, ["30x20x10"]],
  ["Size,Length,Width,Height,Weight each", "30x30x1,40,30,20,5", {}, ["40x30x20"]],
  ["Dims (mm),Length,Width,Height,Weight each", "300x300x10,40,30,20,5", {}, ["40x30x20"]],
  ["Size,Packages", "30x30x1,2x40x30x20@5", {}, ["40x30x20"]],
  ["Product,Carton size", "Tile,40x30x20", { booking: { ...booking, packages: PACKAGES } }, ["30x20x10"]],
])("a batch takes %s with %s for no size of a package beside one that is said", async (headings, cells, more, size) => {
  const { notes, found } = await read(`${TO},${headings}\n${AT},${cells}\n`, more, sized)
  expect(found).toEqual([size])
  expect(notes).toEqual([expect.stringMatching(/"(?:Size|Dimensions|Dims \(mm\)|Carton size)"/)])
})

it.each([
  ["Size,Weight each", ["30x20x10,2", "40x30x20,5"], [["30x20x10"], ["40x30x20"]]],
  ["Dims (mm),Weight each", ["300x200x100,2"], [["30x20x10"]]],
  ["L x W x H,Weight each", ["30 x 20 x 10 cm,2"], [["30x20x10"]]],
  ["Dims (LxWxH),Weight each", ["30x20x10,2"], [["30x20x10"]]],
  ["Dimension,Weight each", ["30x20x10,2"], [["30x20x10"]]],
  [
    "Dimensions,Weight each",
    ["30x20x10,2", "40x30x20,5", "large,2"],
    [["30x20x10"], ["40x30x20"], [expect.stringContaining("is not a size")]],
  ],
  [
    "Carton size (mm),Weight each",
    ["300x200x100,2", "M,2"],
    [["30x20x10"], [expect.stringContaining("is not a size")]],
  ],
  [
    "Carton size,Length,Width,Height,Weight each",
    ["30x20x10,40,20,10,5"],
    [[expect.stringContaining("another column")]],
  ],
])("a batch reads the size of packages from %s with %j", async (headings, cells, sizes) => {
  const rows = cells.map((each, at) => `${AT.replace("S-1", `S-${at}`)},${each}\n`)
  const { found } = await read(`${TO},${headings}\n${rows.join("")}`, {}, sized)
  expect(found).toEqual(sizes)
})

it("a batch takes sizes of which some are none for those of the goods", async () => {
  const rows = `${AT},30x20x10,2\n${AT.replace("S-1", "S-2")},XL,2\n`
  const { notes } = await read(`${TO},Size,Weight each\n${rows}`, {}, sized)
  expect(notes).toEqual([expect.stringContaining('"Size"')])
})

const isHome = (row: Awaited<ReturnType<typeof rowsOf>>[number]) => [row.own?.["receiver.residential"]]
const homes = (headings: string, cells: readonly string[], changes: Partial<RowDefaults> = {}) =>
  read(
    `${TO},${headings}\n${cells.map((each, at) => `${AT.replace("S-1", `S-${at}`)},${each}\n`).join("")}`,
    { booking: { ...booking, packages: PACKAGES }, ...changes },
    isHome,
  )

it.each([
  "Residential",
  "receiver.residential",
  "Ship to residential",
])("refuses what cannot be read in a column %s", async (heading) => {
  const refused = (text: string) => [expect.stringContaining(`"${text}" must be yes or no`)]
  const { found } = await homes(heading, ["resid.;", "si"])
  expect(found).toEqual([refused("resid.;"), refused("si")])
})

it.each<[string, string[], Partial<RowDefaults>, (boolean | undefined)[]]>([
  ["Delivery type", ["Express", "Home delivery", "Standard"], {}, [undefined, undefined, undefined]],
  ["Residential,Address type", ["yes,Business"], {}, [true]],
  ["Address type", ["Business"], { own: { "receiver.residential": true } }, [true]],
  ["Home", ["yes"], { ignoreUnknown: true }, [undefined]],
])("a batch reads no home from %s with %j where it is not sure", async (headings, cells, changes, expected) => {
  expect((await homes(headings, cells, changes)).found).toEqual(expected.map((each) => [each]))
})

it.each([
  ["From,To", "09:00,12:00"],
  ["To", "Perth"],
])("a batch takes %s with %s for nobody's name", async (headings, cells) => {
  const { notes, found } = await read(
    `${TO},${headings}\n${AT},${cells}\n`,
    { booking: { ...booking, packages: PACKAGES } },
    ({ request }) => [request?.receiver.contactName],
  )
  expect(found).toEqual([[undefined]])
  expect(notes).toEqual([expect.stringContaining('"To"')])
})
