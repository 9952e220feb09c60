/** Names of JSON, and headings, whose rows behind the first say what those did not. */
import { describe, expect, it } from "vitest"
import { UnclearColumns } from "../../../../src/input/columns/questions.ts"
import { failure } from "../../../failure.ts"
import { rowsOf, said } from "../batches.ts"

const ORDER = {
  Company: "Port Street Fittings",
  Street: "8 Market Street",
  Suburb: "Fremantle",
  State: "WA",
  Postcode: "6160",
  Weight: 6,
  Length: 30,
  Width: 20,
  Height: 10,
}

type Row = Readonly<Record<string, unknown>>

let numbers = 0
const ordered = (rows: readonly Row[]) => rows.map((row) => ({ Order: `SO-${++numbers}`, ...ORDER, ...row }))
const ndjson = (rows: readonly Row[]) =>
  ordered(rows)
    .map((row) => JSON.stringify(row))
    .join("\n")

function csv(rows: readonly Row[]): string {
  const all = ordered(rows)
  const headings = [...new Set(all.flatMap((row) => Object.keys(row)))]
  return [headings, ...all.map((row: Row) => headings.map((each) => row[each] ?? ""))]
    .map((cells) => cells.join(","))
    .join("\n")
}

/** More rows than are read before columns are judged. */
const many = (row: Row) => Array.from({ length: 201 }, () => row)

describe("a name that only a later row has", () => {
  it("is asked about, and in a row behind those that are read ahead refused there", async () => {
    const unclear = ndjson([{}, { "Measured in": "g" }])
    expect(await failure(rowsOf(unclear))).toBeInstanceOf(UnclearColumns)
    const rows = await rowsOf(ndjson([...many({}), { "Measured in": "g" }, {}]))
    expect(rows.flatMap((row) => said(row))).toEqual(["Measured in column"])
    const [, refused] = await rowsOf(unclear, { sampleRows: 0 })
    expect([refused?.request, said(refused)]).toEqual([undefined, ["Measured in column"]])
  })

  it("is used where it means something", async () => {
    const rows = await rowsOf(ndjson([...many({}), { "Weight unit": "g", Weight: 600 }]))
    expect(rows.at(-1)?.request?.packages[0]?.weightKg).toBe(0.6)
    expect(rows.flatMap((row) => said(row))).toEqual([])
  })

  it("is judged with the others of its own row where a file has more of them than a table may", async () => {
    const odd = (n: number) =>
      Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`odd ${n} ${at}`, n]))
    const text = ndjson([...[1, 2, 3, 4].map(odd), { "Measured in": "g" }, { Status: "cancelled" }])
    for (const rows of [await rowsOf(text), await rowsOf(text, { sampleRows: 0 })]) {
      expect(rows.map((row) => said(row))).toEqual([[], [], [], [], ["Measured in column"], []])
      expect(rows.at(-1)?.statuses).toMatchObject([{ status: "cancelled" }])
    }
  })
})

describe("a column that changes nothing in the first rows", () => {
  it.each([
    ["NDJSON", ndjson],
    ["CSV", csv],
  ])("is refused in a row that it changes, in %s", async (_, write) => {
    const rows = await rowsOf(
      write([...many({ "Boxes left": "1" }), { "Boxes left": "3" }, { "Boxes left": "1" }]),
    )
    expect(rows.flatMap((row) => said(row))).toEqual(["Boxes left column"])
    expect(rows.at(-2)?.request).toBeUndefined()
  })
})

it.each([
  { Weight: 5 },
  { Length: 40 },
  { Size: "40x30x20" },
  { Packages: "1x40x30x20@5" },
])("a unit that nothing is said of is asked about beside %j", async (measures) => {
  const { Order, Company, Street, Suburb, State, Postcode } = ordered([{}])[0] ?? {}
  const row = { Order, Company, Street, Suburb, State, Postcode, ...measures, "Measured in": "lb" }
  expect(await failure(rowsOf(JSON.stringify(row)))).toBeInstanceOf(UnclearColumns)
})

describe("two names of one field", () => {
  it("may be in different rows, and not in one", async () => {
    const rows = await rowsOf(
      ndjson([{ Ph: "08 5550 4321" }, { Phone: "08 5550 4321" }, { Ph: "1", Phone: "2" }]),
    )
    expect(rows.map((row) => said(row))).toEqual([[], [], ["Phone twice"]])
    expect(rows[1]?.request?.receiver.phoneNumber).toBe("08 5550 4321")
  })
})

describe("a weight beside a number of packages", () => {
  const TEMPLATE = { Packaging: "CT", Service: "cheapest", Ready: "2026-11-23 10:00", Close: "17:00" }
  const weights = async (text: string, map: readonly string[] = []) =>
    (await rowsOf(text, { map })).map(
      (row) => row.request?.packages.map((each) => each.weightKg) ?? said(row),
    )

  it("is asked about where it may be that of all packages", async () => {
    const error = await failure(rowsOf(csv([{ Cartons: "2" }])))
    expect(error).toBeInstanceOf(UnclearColumns)
    const text = csv([{ Cartons: "2" }])
    expect(await weights(text, ["Weight=package.weightKg"])).toEqual([[6]])
    expect(await weights(text, ["Weight=package.totalWeightKg"])).toEqual([[3]])
  })

  it("keeps the unit of its heading whatever it is of", async () => {
    const text = csv([{ Cartons: "2" }]).replace("Weight", "Weight (g)")
    expect(await weights(text, ["Weight (g)=package.totalWeightKg"])).toEqual([[0.003]])
  })

  it("is clear where the heading says it, in freight's own template, and where each row has one package", async () => {
    const each = csv([{ Cartons: "2" }]).replace("Weight", "Weight each")
    const template = csv([{ Qty: "2", ...TEMPLATE }])
    const single = csv([{ Cartons: "1" }, { Cartons: "" }, { Cartons: "1 ctn" }])
    for (const text of [each, template, single])
      expect((await weights(text)).every((found) => Object.is(found[0], 6))).toBe(true)
    expect(
      await weights(csv([{ "package.count": 2, "package.weightKg": 5 }]).replace("Weight,", "Colour,")),
    ).toEqual([[5]])
  })

  it("is refused in a later row that is the first to have several", async () => {
    for (const write of [csv, ndjson]) {
      const rows = await rowsOf(write([...many({ Cartons: "1" }), { Cartons: "2" }]))
      expect(rows.flatMap((row) => said(row))).toEqual(["Weight column"])
    }
  })
})

describe("a guess at a misspelt heading", () => {
  it.each([
    ["Shiping date", ["2026-11-24", "24/11/2026"], true],
    ["Shiping date", ["46349", ""], true],
    ["Shiping date", ["8.95", "12.00", "8.10"], false],
    ["Emial address", ["lee@shop.example"], true],
    ["Emial address", ["8 Market Street"], false],
    ["Resdential", ["yes", "no"], true],
    ["Resdential", ["Zone 3"], false],
    ["Delivery instrutions", ["8.95"], true],
  ])("is made for %s only where its cells may be of that field: %j", async (heading, cells, isGuessed) => {
    for (const write of [csv, ndjson]) {
      const read = rowsOf(write(cells.map((each) => ({ [heading]: each }))))
      const refused = await read.then(
        (rows) => rows.some((row) => said(row).includes(`${heading} unknown`)),
        (error: Error) => error.message.includes("ambiguous"),
      )
      expect(refused).toBe(isGuessed)
    }
  })
})
