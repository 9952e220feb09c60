/** Headings of orders, bills and lines of invoices: what means the same in several tables is written once. */
import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { BILL_COLUMNS, listHeadings as listBillHeadings } from "../../src/bills/reading/columns.ts"
import { COLUMN_FIELDS, PARTY_COLUMNS, splitHeadings } from "../../src/contract/fields/booking.ts"
import { SHARED_HEADINGS } from "../../src/contract/fields/headings.ts"
import { COUNT_HEADINGS } from "../../src/contract/packaging.ts"
import { listHeadings as listLineHeadings, ROW_COLUMNS } from "../../src/invoice/new/rows/fields.ts"

/** The lists of a table's headings, by their fields; those of an address without its party. */
type Lists = readonly (readonly [field: string, headings: readonly string[]])[]

/** `ROW_COLUMNS` has the addresses twice. */
const LINE_LISTS: Lists = ROW_COLUMNS.fields.flatMap(({ name }): Lists => {
  const [party, part] = name.split(".")
  if (party === "shipTo") return []
  if (party !== "billTo") return [[name, listLineHeadings(name)]]
  const ofParty = listLineHeadings(name).filter((heading) => heading.startsWith("Bill to "))
  return part === undefined ? [] : [[name, ofParty.map((heading) => heading.slice("Bill to ".length))]]
})
const inLineLists = new Set(LINE_LISTS.flatMap(([, headings]) => headings))

const TABLES: Readonly<Record<string, Lists>> = {
  orders: [
    ...COLUMN_FIELDS.map(({ path = "", column: { name = path, headings } }): Lists[number] => [
      name,
      // These are made of words that are counted.
      splitHeadings(headings).filter((heading) => !COUNT_HEADINGS.includes(heading)),
    ]),
    ...PARTY_COLUMNS.map(({ name, headings }): Lists[number] => [
      `receiver.${name}`,
      splitHeadings(headings),
    ]),
  ],
  bills: BILL_COLUMNS.fields.map(({ name }) => [name, listBillHeadings(name)]),
  lines: [
    ...LINE_LISTS,
    ["references", (ROW_COLUMNS.fallbackHeadings ?? []).filter((heading) => !inLineLists.has(heading))],
  ],
}

/** Fields with a heading in common that means something else in each of their tables. */
const OTHER_MEANINGS: readonly string[] = [
  // Whether it was sent, when, and how many.
  "orders shipped, bills shipDate, lines quantity",
  "orders shipped, bills shipDate",
  "orders paid, bills status, lines depositAmount",
  "orders paid, lines depositAmount",
  // The whole bill, and the rest of it.
  "bills amountIncGst, lines dueAmount",
  "bills amount, lines dueAmount",
  "orders receiver.address2, lines unitOfMeasure",
  // Yes or no, and what it costs.
  "orders receiver.residential, bills residential",
  "bills service, lines description",
  "bills service, lines supplierItemId",
  "bills shipDate, lines invoiceDate",
  // All, and one.
  "bills amountExGst, lines price",
  "bills amount, lines price",
  "bills other, lines unsupported",
]

const shared = new Set(Object.values(SHARED_HEADINGS).flatMap((headings) => splitHeadings(headings)))
const toKey = (heading: string) => heading.toLowerCase()

/** Each heading, with all lists that it stands in: `bills weight`. */
function listPlaces(): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const [table, lists] of Object.entries(TABLES))
    for (const [field, headings] of lists)
      for (const heading of headings) {
        const key = toKey(heading)
        places.set(key, [...(places.get(key) ?? []), `${table} ${field}`])
      }
  return places
}

const isInSeveral = (places: readonly string[]) =>
  new Set(places.map((place) => place.split(" ")[0])).size > 1

it("a heading that means the same in two tables comes from the shared ones", () => {
  const sharedKeys = new Set([...shared].map(toKey))
  const found = new Map<string, string[]>()
  for (const [heading, places] of listPlaces())
    if (isInSeveral(places) && !sharedKeys.has(heading))
      found.set(places.join(", "), [...(found.get(places.join(", ")) ?? []), heading])
  expect([...found].filter(([places]) => !OTHER_MEANINGS.includes(places))).toEqual([])
  expect(OTHER_MEANINGS.filter((places) => !found.has(places))).toEqual([])
})

/** Each file that has lists of headings, and the shared headings that mean something else there. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  "contract/fields/booking.ts": [],
  "bills/reading/columns.ts": [],
  // A service that is sold, not a carrier's.
  "invoice/new/rows/fields.ts": ["Service"],
}

it.each(Object.entries(FILES))("%s writes no shared heading again", async (file, others) => {
  const source = await readFile(new URL(`../../src/${file}`, import.meta.url), "utf8")
  const lists = source.matchAll(/\b(?:headings|fallbackHeadings|open):\s*(?:"([^"]*)"|`([^`]*)`)/g)
  const written = Array.from(lists, ([, plain, template]) => splitHeadings(plain ?? template)).flat()
  expect(written.length).toBeGreaterThan(100)
  expect(written.filter((heading) => shared.has(heading.trim()))).toEqual(others)
})

it("no heading stands twice in a list", () => {
  const doubled = Object.entries(TABLES).flatMap(([table, lists]) =>
    lists.flatMap(([field, headings]) => {
      const keys = headings.map(toKey)
      return keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `${table} ${field}: ${key}`)
    }),
  )
  expect(doubled).toEqual([])
})

it("a shared heading stands in one of their lists, and in two tables", () => {
  const lists = Object.values(SHARED_HEADINGS).flatMap((headings) => splitHeadings(headings).map(toKey))
  expect(lists.filter((heading, at) => lists.indexOf(heading) !== at)).toEqual([])
  const places = listPlaces()
  expect(lists.filter((heading) => !isInSeveral(places.get(heading) ?? []))).toEqual([])
})

it.each([
  ["Consignment Code", "consignment"],
  ["Con Note #", "consignment"],
  ["Job Code", "order"],
  ["Senders reference nr", "reference"],
  ["Dead Wgt", "weight"],
  ["Chargeable Wgt (g)", "weight"],
  ["Fuel Code", undefined],
])("reads the heading %s of a bill by rule", (heading, field) => {
  const meaning = BILL_COLUMNS.meaning(heading)
  expect("field" in meaning ? meaning.field?.name : undefined).toBe(field)
})
