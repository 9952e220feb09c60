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

describe("what holds for all rows", () => {
  it("gives way to the row's own", async () => {
    const row = await rowWith({ packagingCode: "PA", collectionCloseTime: "16:00", payer: "receiver:77" })
    expect(row.booking).toMatchObject({
      packagingCode: "PA",
      collectionCloseTime: "1600",
      payer: { type: "Receiver", accountNumber: "77" },
    })
  })

  it("is not mixed with an address of the row's own", async () => {
    const row = await rowWith({ "sender.companyName": "Other Pty Ltd" })
    expect(said(row)).toEqual(["required", "required", "required", "required"])
    expect(row.findings[0]).toMatchObject({ message: "sender.address1 is missing" })
  })

  it("holds where the row's cells are empty", async () => {
    expect((await rowWith({ "sender.companyName": "", sender: " " })).booking?.sender).toEqual(WAREHOUSE)
  })

  it("can be a collection address", async () => {
    const collection = { ...WAREHOUSE, suburb: "Botany" }
    const [row] = await rowsOf(csvOf(), { booking: { ...defaultsBooking, collection } })
    expect(row?.booking?.collection).toEqual(collection)
    expect(row?.booking?.sender).toEqual(WAREHOUSE)
  })

  it("has a time for rows that give a day", async () => {
    const row = await rowWith({ collectionDateTime: "2026-11-24" }, { readyTime: "08:30:00" })
    expect(row.booking?.collectionDateTime).toBe("2026-11-24T08:30:00")
  })

  it("can be missing: each part is reported with the ways to give it", async () => {
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

const defaultsBooking = {
  sender: { ...WAREHOUSE },
  packagingCode: "CT",
  collectionDateTime: "2026-11-23T10:00:00",
  collectionCloseTime: "1700",
}

describe("names", () => {
  it("are the company's when there is no other", async () => {
    const row = await rowWith({ "receiver.companyName": "", Name: "Lee Watson" })
    expect(row.booking?.receiver).toMatchObject({ companyName: "Lee Watson" })
    expect(row.booking?.receiver.contactName).toBeUndefined()
  })

  it("are the contact's beside a company", async () => {
    const row = await rowWith({ Name: "Lee Watson" })
    expect(row.booking?.receiver).toMatchObject({
      companyName: "Port Street Fittings",
      contactName: "Lee Watson",
    })
  })

  it("come in two parts", async () => {
    const row = await rowWith({ "First name": "Lee", Surname: "Watson" })
    expect(row.booking?.receiver.contactName).toBe("Lee Watson")
  })
})

describe("a saved address", () => {
  it("is used by its name, and its fields can be changed", async () => {
    const row = await rowWith({ sender: "Warehouse", "sender.contactName": "Dana" })
    expect(row.booking?.sender).toEqual({ ...WAREHOUSE, contactName: "Dana" })
  })

  it("that there is not is reported once, with what was meant", async () => {
    const row = await rowWith({ sender: "Warehose" })
    expect(said(row)).toEqual(["sender address"])
    expect(row.findings[0]?.hint).toContain("Warehouse")
  })
})

describe("packages", () => {
  const measures = {
    "package.lengthCm": "1",
    "package.widthCm": "2",
    "package.heightCm": "3",
    "package.weightKg": "4",
  }

  it("can be columns, one kind in a row", async () => {
    const row = await rowWith({ packages: "", ...measures })
    expect(row.booking?.packages).toEqual([{ count: 1, lengthCm: 1, widthCm: 2, heightCm: 3, weightKg: 4 }])
  })

  it("can be columns one by one", async () => {
    const row = await rowWith({
      packages: "",
      ...Object.fromEntries(
        ["count", "lengthCm", "widthCm", "heightCm", "weightKg"].map((each) => [`packages[0].${each}`, "1"]),
      ),
      ...Object.fromEntries(
        ["count", "lengthCm", "widthCm", "heightCm", "weightKg"].map((each) => [`packages[1].${each}`, "2"]),
      ),
    })
    expect(row.booking?.packages).toHaveLength(2)
    expect(row.booking?.items).toMatchObject({ count: 3, totalWeightKg: 5 })
  })

  it("cannot be both", async () => {
    expect(said(await rowWith(measures))).toEqual(["package.lengthCm packages"])
  })

  it("that are missing are reported by the columns that there are", async () => {
    const row = await rowWith({ packages: "", "package.weightKg": "", "package.lengthCm": "" })
    expect(row.findings).toMatchObject([
      { column: "packages", message: "packages is missing", hint: "fill in the cell" },
    ])
  })

  it("that lack a measure are reported by its column", async () => {
    const row = await rowWith({ packages: "", ...measures, "package.widthCm": "" })
    expect(said(row)).toEqual(["package.widthCm required"])
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

  it("of several connectors needs one", async () => {
    const row = await rowWith({ service: "STD" }, { connectors: CONNECTORS })
    expect(row.findings[0]).toMatchObject({
      column: "service",
      message: '"STD" is offered by 2 connectors',
      hint: expect.stringContaining("connector-a, connector-c"),
    })
  })

  it("of no connector is reported with the near one", async () => {
    const row = await rowWith({ service: "EXPR" }, { connectors: CONNECTORS })
    expect(row.findings[0]).toMatchObject({ rule: "service", hint: "did you mean EXP?" })
  })

  it("can be of a connector that there is not", async () => {
    const row = await rowWith({ service: "STD", connector: "connector-d" }, { connectors: CONNECTORS })
    expect(said(row)).toEqual(["connector connector"])
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

  it("cannot arrive before it is collected, or cost less than nothing", async () => {
    expect(said(await rowWith({ arriveBy: "2026-11-20", collectionDateTime: "2026-11-23" }))).toEqual([
      "arriveBy arriveBy",
    ])
    expect(said(await rowWith({ maxPrice: "-1" }))).toEqual(["maxPrice minimum"])
    expect(said(await rowWith({ maxPrice: "999999999999" }))).toEqual(["maxPrice maximum"])
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

  it("is checked for what no column says", async () => {
    expect(said(await rowWith({ dangerousGoods: "yes" }))).toEqual(["required"])
  })

  it("keeps the totals of the packages", async () => {
    const row = await rowWith({
      "items.count": "5",
      "items.totalWeightKg": "11",
      "items.maxLengthCm": "40",
      "items.maxWidthCm": "30",
      "items.maxHeightCm": "20",
    })
    expect(said(row, "warning")).toEqual(["items.count items"])
  })
})

describe("a reference", () => {
  it("is needed", async () => {
    expect(said(await rowWith({ reference: " " }))).toEqual(["reference required"])
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

  it("of the template is booked in the sandbox alone", async () => {
    expect(said(await rowWith({ reference: "EXAMPLE-1" }))).toEqual(["reference example"])
    expect(said(await rowWith({ reference: "EXAMPLE-1" }, { sandbox: true }))).toEqual([])
  })
})

describe("the shape of a row", () => {
  it("is reported when it has fewer or more cells than the header", async () => {
    const rows = await rowsOf("Order,Suburb,State\nSO-1,Perth\nSO-2,Perth,WA,x\nSO-3,Perth,WA,,\n")
    expect(rows.map((row) => said(row).includes("ragged"))).toEqual([true, true, false])
    expect(rows[0]?.findings[0]).toMatchObject({
      line: 2,
      message: "has 2 cells, and the first line has 3 columns",
    })
    expect(rows[1]?.findings[0]).toMatchObject({
      line: 3,
      message: "has 4 cells, and the first line has 3 columns",
    })
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

  it.each([
    ["nested", { reference: "SO-1", receiver, packages }],
    [
      "with dots",
      {
        reference: "SO-1",
        ...Object.fromEntries(Object.entries(receiver).map(([key, value]) => [`receiver.${key}`, value])),
        packages: "1x1x1x1@1",
      },
    ],
    [
      "with other names",
      {
        Order: "SO-1",
        Company: "Port",
        Street: "8 Market",
        City: "Darwin",
        State: "NT",
        Zip: 800,
        Qty: 1,
        Weight: 1,
        Length: 1,
        Width: 1,
        Height: 1,
      },
    ],
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
