import { describe, expect, it } from "vitest"
import { CONNECTORS, csvOf, defaults, rowsOf, rowWith, said, WAREHOUSE } from "../batches.ts"
import type { BatchRow } from "../../../src/batch/rows/row.ts"
import { readRows } from "../../../src/batch/rows/rows.ts"

describe("a good row", () => {
  it("becomes the booking, its wish and its cells", async () => {
    const row = await rowWith({
      service: "fastest",
      maxPrice: "50",
      arriveBy: "27/11/2026",
      connector: "connector-b",
    })
    expect(row).toMatchObject({
      row: 2,
      line: 2,
      reference: "SO-1",
      residential: { collection: false, receiver: false },
      wish: { kind: "fastest", connectorId: "connector-b", maxPriceCents: 5000, arriveBy: "2026-11-27" },
    })
    expect(row.cells[0]).toEqual(["reference", "SO-1"])
    expect(row.booking).toEqual({
      sender: WAREHOUSE,
      collection: WAREHOUSE,
      receiver: {
        companyName: "Port Street Fittings",
        address1: "8 Market Street",
        suburb: "Fremantle",
        state: "WA",
        postcode: "6160",
      },
      items: { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 },
      packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
      packagingCode: "CT",
      collectionDateTime: "2026-11-23T10:00:00",
      collectionCloseTime: "1700",
      payer: { type: "Sender" },
      dangerousGoods: false,
      customerReference: "SO-1",
    })
  })

  it("is the same whatever the bytes come in", async () => {
    const text = csvOf({ "receiver.contactName": "Zoë 木" })
    const [whole] = await rowsOf(text)
    const [cut] = await rowsOf(text, {}, 1)
    expect(cut).toEqual(whole)
  })

  it("names homes for the rates, which a booking does not", async () => {
    const row = await rowWith({ "receiver.residential": "yes" })
    expect(row.residential).toEqual({ collection: false, receiver: true })
    expect(row.booking?.receiver).not.toHaveProperty("residential")
  })
})

const MEASURES = {
  "package.lengthCm": "1",
  "package.widthCm": "2",
  "package.heightCm": "3",
  "package.weightKg": "4",
}

const defaultsBooking = {
  sender: { ...WAREHOUSE },
  packagingCode: "CT",
  collectionDateTime: "2026-11-23T10:00:00",
  collectionCloseTime: "1700",
}

describe("a row's own cells", () => {
  const DANA = { ...WAREHOUSE, contactName: "Dana" }
  const ADDRESS = { address1: "8 Market Street", suburb: "Fremantle", state: "WA", postcode: "6160" }
  const TWO_OF_TWO = Object.fromEntries(
    ["count", "lengthCm", "widthCm", "heightCm", "weightKg"].flatMap((each) => [
      [`packages[0].${each}`, "1"],
      [`packages[1].${each}`, "2"],
    ]),
  )

  it.each<[string, Record<string, string>, object]>([
    [
      "come before what holds for all",
      { packagingCode: "PA", payer: "receiver:77" },
      { packagingCode: "PA", payer: { type: "Receiver", accountNumber: "77" } },
    ],
    ["come before a time for all", { collectionCloseTime: "16:00" }, { collectionCloseTime: "1600" }],
    ["give way where they are empty", { "sender.companyName": "", sender: " " }, { sender: WAREHOUSE }],
    [
      "take the time for all on their own day",
      { collectionDateTime: "2026-11-24" },
      { collectionDateTime: "2026-11-24T08:30:00" },
    ],
    [
      "name a person as the company where there is no other",
      { "receiver.companyName": "", Name: "Lee Watson" },
      { receiver: { companyName: "Lee Watson", ...ADDRESS } },
    ],
    [
      "name a person beside a company",
      { Name: "Lee Watson" },
      { receiver: { companyName: "Port Street Fittings", contactName: "Lee Watson" } },
    ],
    [
      "name a person in two parts",
      { "First name": "Lee", Surname: "Watson" },
      { receiver: { contactName: "Lee Watson" } },
    ],
    [
      "name a saved address, and change its fields",
      { sender: "Warehouse", "sender.contactName": "Dana" },
      { sender: DANA },
    ],
    [
      "have packages as columns",
      { packages: "", ...MEASURES },
      { packages: [{ count: 1, lengthCm: 1, widthCm: 2, heightCm: 3, weightKg: 4 }] },
    ],
    [
      "have packages one by one",
      { packages: "", ...TWO_OF_TWO },
      { packages: [{ count: 1 }, { count: 2 }], items: { count: 3, totalWeightKg: 5 } },
    ],
  ])("%s", async (_, cells, booking) => {
    const row = await rowWith(cells, { readyTime: "08:30:00" })
    expect([said(row), row.booking]).toMatchObject([[], booking])
    if (cells.Name && "companyName" in cells) expect(row.booking?.receiver.contactName).toBeUndefined()
  })

  it.each<[string, Record<string, string>, string[], object]>([
    [
      "mix no address with that of all",
      { "sender.companyName": "Other Pty Ltd" },
      Array(4).fill("required"),
      { message: "sender.address1 is missing" },
    ],
    [
      "name no address that there is not",
      { sender: "Warehose" },
      ["sender address"],
      { hint: expect.stringContaining("Warehouse") },
    ],
    ["have packages in one way", MEASURES, ["package.lengthCm packages"], {}],
    [
      "lack all packages",
      { packages: "", "package.weightKg": "", "package.lengthCm": "" },
      ["packages required"],
      { message: "packages is missing", hint: "fill in the cell" },
    ],
    [
      "lack a measure",
      { packages: "", ...MEASURES, "package.widthCm": "" },
      ["package.widthCm required"],
      {},
    ],
    [
      "arrive before they are collected",
      { arriveBy: "2026-11-20", collectionDateTime: "2026-11-23" },
      ["arriveBy arriveBy"],
      {},
    ],
    ["cost less than nothing", { maxPrice: "-1" }, ["maxPrice minimum"], {}],
    ["cost more than anything", { maxPrice: "999999999999" }, ["maxPrice maximum"], {}],
    ["have dangerous goods that no column tells of", { dangerousGoods: "yes" }, ["required"], {}],
    ["have no reference", { reference: " " }, ["reference required"], {}],
    ["have the template's reference", { reference: "EXAMPLE-1" }, ["reference example"], {}],
  ])("that %s are an error", async (_, cells, errors, first) => {
    const row = await rowWith(cells)
    expect([said(row), row.findings[0]]).toMatchObject([errors, first])
  })

  it("can be booked in the sandbox under the template's reference", async () => {
    expect(said(await rowWith({ reference: "EXAMPLE-1" }, { sandbox: true }))).toEqual([])
  })

  it("can be collected elsewhere", async () => {
    const collection = { ...WAREHOUSE, suburb: "Botany" }
    const [row] = await rowsOf(csvOf(), { booking: { ...defaultsBooking, collection } })
    expect(row?.booking).toMatchObject({ collection, sender: WAREHOUSE })
  })

  it("that are missing are reported with the ways to give each", async () => {
    const row = await rowWith({}, { booking: {}, service: undefined })
    expect(row.findings.map(({ message, hint }) => `${message}: ${hint}`)).toEqual([
      expect.stringMatching(/^service is missing: .*--service/),
      expect.stringMatching(/^sender is missing: add a column sender.*--sender NAME/),
      expect.stringMatching(/^packagingCode is missing: .*--packaging CT/),
      expect.stringMatching(/^collectionDateTime is missing: .*--ready/),
      expect.stringMatching(/^collectionCloseTime is missing: .*--close/),
    ])
  })
})

describe("a service", () => {
  it.each([
    ["STD", "connector-a", { kind: "code", serviceCode: "STD", connectorId: "connector-a" }],
    ["PRM", "", { kind: "code", serviceCode: "PRM", connectorId: "connector-b" }],
    ["STD", "air", { kind: "code", serviceCode: "STD", connectorId: "connector-c" }],
    ["Cheapest", "", { kind: "cheapest" }],
  ])("%s of %j is known", async (service, connector, wish) => {
    const row = await rowWith({ service, connector }, { connectors: CONNECTORS })
    expect(row.wish).toEqual(wish)
    expect(said(row)).toEqual([])
  })

  it.each<[Record<string, string>, string, object]>([
    [
      { service: "STD" },
      "service service",
      {
        message: '"STD" is offered by 2 connectors',
        hint: expect.stringContaining("connector-a, connector-c"),
      },
    ],
    [{ service: "EXPR" }, "service service", { hint: "did you mean EXP?" }],
    [{ service: "STD", connector: "connector-d" }, "connector connector", {}],
  ])("%j is not known", async (cells, error, first) => {
    const row = await rowWith(cells, { connectors: CONNECTORS })
    expect([said(row), row.findings[0]]).toMatchObject([[error], first])
  })

  it("is left as it is while no connectors are known", async () => {
    expect((await rowWith({ service: "STD" })).wish).toEqual({ kind: "code", serviceCode: "STD" })
  })

  it("has limits from the row or for all rows", async () => {
    const limits = { maxPriceCents: 9900, arriveBy: "2026-11-30", connectorId: "connector-a" }
    expect((await rowWith({ maxPrice: "10" }, { limits })).wish).toEqual({
      kind: "cheapest",
      ...limits,
      maxPriceCents: 1000,
    })
  })
})

describe("the contract", () => {
  it("is checked with the carrier's rules where the carrier is known", async () => {
    const late = { collectionDateTime: "2026-11-23 18:00", service: "STD" }
    const onA = await rowWith({ ...late, connector: "connector-a" }, { connectors: CONNECTORS })
    expect(said(onA)).toContain("collectionDateTime collectionWindow")
    const onC = await rowWith({ ...late, connector: "connector-c" }, { connectors: CONNECTORS })
    expect(said(onC)).toEqual([])
    expect(said(onC, "warning")).toContain("collectionEmail")
  })

  it("keeps the totals of the packages", async () => {
    const totals = { count: "5", totalWeightKg: "11", maxLengthCm: "40", maxWidthCm: "30", maxHeightCm: "20" }
    const cells = Object.entries(totals).map(([name, value]) => [`items.${name}`, value])
    expect(said(await rowWith(Object.fromEntries(cells)), "warning")).toEqual(["items.count items"])
  })
})

describe("a reference", () => {
  it("has a column", async () => {
    const [row] = await rowsOf('Suburb\n"Perth"\n')
    expect(row?.findings).toContainEqual(
      expect.objectContaining({ rule: "required", hint: expect.stringContaining("add a column reference") }),
    )
  })

  it("that comes again is reported with both rows, and for both", async () => {
    const row = csvOf().split("\n")[1]
    const rows = await rowsOf(`${csvOf()}${row?.replace("SO-1", "SO-2")}\n\n${row}\n`)
    expect(rows.map(({ booking }) => booking !== undefined)).toEqual([true, true, false])
    expect(rows[2]?.findings).toMatchObject([
      { row: 5, line: 5, rule: "unique", message: 'the reference "SO-1" is also in row 2' },
      { row: 2, line: 2, rule: "unique", message: 'the reference "SO-1" is also in row 5' },
    ])
  })
})

describe("the shape of a row", () => {
  it("is reported when it has fewer or more cells than the header", async () => {
    const rows = await rowsOf("Order,Suburb,State\nSO-1,Perth\nSO-2,Perth,WA,x\nSO-3,Perth,WA,,\n")
    expect(rows.map((row) => said(row).includes("ragged"))).toEqual([true, true, false])
    expect([rows[0]?.findings[0], rows[1]?.findings[0]]).toMatchObject([
      { line: 2, message: "has 2 cells, and the first line has 3 columns" },
      { line: 3, message: "has 4 cells, and the first line has 3 columns" },
    ])
  })

  it("may have nameless columns as long as they are empty", async () => {
    const rows = await rowsOf("Order,Suburb,,\nSO-1,Perth,,\nSO-2,Perth\nSO-3,Perth,,x\n")
    expect(rows.map((row) => said(row).includes("nameless"))).toEqual([false, false, true])
  })

  it("leaves out rows without anything in them, which a spreadsheet counts", async () => {
    const rows = await rowsOf("Order,Suburb\n\nSO-1,Perth\n , \n,\nSO-2,Perth\n")
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [3, 3],
      [6, 6],
    ])
  })
})

describe("a row as an object", () => {
  const one = (object: unknown): Promise<BatchRow[]> => rowsOf(JSON.stringify(object))
  const receiver = {
    companyName: "Port",
    address1: "8 Market",
    suburb: "Darwin",
    state: "NT",
    postcode: "0800",
  }
  const packages = [{ count: 1, lengthCm: 1, widthCm: 1, heightCm: 1, weightKg: 1 }]
  const dotted = Object.fromEntries(
    Object.entries(receiver).map(([key, value]) => [`receiver.${key}`, value]),
  )
  const OTHER_NAMES = {
    ...{ Order: "SO-1", Company: "Port", Street: "8 Market", City: "Darwin", State: "NT", Zip: 800 },
    ...{ Qty: 1, Weight: 1, Length: 1, Width: 1, Height: 1 },
  }

  it.each([
    ["nested", { reference: "SO-1", receiver, packages }],
    ["with dots", { reference: "SO-1", ...dotted, packages: "1x1x1x1@1" }],
    ["with other names", OTHER_NAMES],
  ])("can be %s", async (_, object) => {
    const [row] = await one(object)
    expect(said(row)).toEqual([])
    expect(row?.booking).toMatchObject({ customerReference: "SO-1", receiver, packages })
  })

  it("has null for nothing", async () => {
    const [row] = await one({
      reference: "SO-1",
      receiver: { ...receiver, email: null },
      packages,
      sender: null,
    })
    expect(said(row)).toEqual([])
    expect(row?.booking?.receiver).toEqual(receiver)
    expect(row?.cells).toContainEqual(["receiver.email", "null"])
  })

  it("keeps all digits of a number that is meant as text", async () => {
    const [row] = await rowsOf('{"reference":12345678901234567891,"receiver.phoneNumber":412345678}')
    expect(row?.reference).toBe("12345678901234567891")
    expect(row?.cells).toContainEqual(["reference", "12345678901234567891"])
  })

  it("is reported with unknown and repeated names, and of the wrong types", async () => {
    const [row] = await one({
      reference: "SO-1",
      Order: "SO-2",
      colour: "red",
      reciever: { postcode: "6160" },
      receiver: { ...receiver, suburb: ["Perth"] },
      packages: { count: 1 },
      foodFreight: "yes",
    })
    expect(said(row)).toEqual(
      expect.arrayContaining(["Order twice", "reciever.postcode unknown", "receiver.suburb type"]),
    )
    expect(row?.booking).toBeUndefined()
  })

  it("that is no JSON is reported, and the next is read", async () => {
    const rows = await rowsOf('{"reference":"SO-1"}\n{"reference":}\n{"reference":"SO-3"}\n')
    expect(rows.map(({ reference }) => reference)).toEqual(["SO-1", "", "SO-3"])
    expect(said(rows[1])).toEqual(["json"])
  })

  it("cannot reach what every object has", async () => {
    const told: string[] = []
    await rowsOf(
      '{"reference":"SO-1","__proto__":{"polluted":1},"receiver.__proto__.x":1,"constructor.prototype.x":1}',
      { tell: async (note) => void told.push(note) },
    )
    expect(told).toEqual([expect.stringContaining("3 columns are not used")])
    expect({}).not.toHaveProperty("polluted")
    expect({}).not.toHaveProperty("x")
  })
})

describe("a long batch", () => {
  it("is streamed: a row is out before the next is read", async () => {
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
    const rows = readRows(source, defaults())
    await rows.next()
    expect(read).toBe(1)
    await rows.return(undefined)
  })
})

describe("a package that all rows share", () => {
  const each = { count: 1, lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2 }
  const shared = (packages: (typeof each)[]) => ({ booking: { ...defaultsBooking, packages } })

  it.each([
    ["is for a row without measures", { packages: "" }, [each]],
    [
      "gives way to a row's own",
      { packages: "1x1x1x1@1" },
      [{ count: 1, lengthCm: 1, widthCm: 1, heightCm: 1, weightKg: 1 }],
    ],
    ["is taken as often as a row says", { packages: "", Qty: "3" }, [{ ...each, count: 3 }]],
  ])("%s", async (_, cells, packages) => {
    const row = await rowWith(cells, shared([each]))
    expect(said(row)).toEqual([])
    expect(row.booking).toMatchObject({ packages, items: { count: packages[0]?.count } })
  })

  it("is not mixed with a row's measures, nor counted twice", async () => {
    expect(said(await rowWith({ packages: "", Weight: "3" }, shared([each])))).toHaveLength(3)
    expect(said(await rowWith({ packages: "", Qty: "3" }, shared([{ ...each, count: 2 }])))).toEqual([
      "Qty packages",
    ])
    expect(said(await rowWith({ packages: "", Qty: "three" }, shared([each])))).toEqual(["Qty type"])
  })
})
