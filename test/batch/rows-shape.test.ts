import { describe, expect, it } from "vitest"
import type { Row } from "../../src/batch/rows/row.ts"
import { readRows } from "../../src/batch/rows/rows.ts"
import { csvOf, defaults, rowsOf, rowWith, said } from "./batches.ts"

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
      { row: 3, line: 5, rule: "unique", message: 'the reference "SO-1" is also in row 1 (line 2)' },
      { row: 1, line: 2, rule: "unique", message: 'the reference "SO-1" is also in row 3 (line 5)' },
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

  it("leaves out rows without anything in them, and does not count them", async () => {
    const rows = await rowsOf("Order,Suburb\n\nSO-1,Perth\n , \n,\nSO-2,Perth\n")
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 3],
      [2, 6],
    ])
  })
})

describe("a row as an object", () => {
  const one = (object: unknown): Promise<Row[]> => rowsOf(JSON.stringify(object))
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
      receiver: { ...receiver, suburb: ["Perth"] },
      packages: { count: 1 },
      foodFreight: "yes",
    })
    expect(said(row)).toEqual(
      expect.arrayContaining(["Order twice", "colour unknown", "receiver.suburb type"]),
    )
    expect(row?.booking).toBeUndefined()
  })

  it("that is no JSON is reported, and the next is read", async () => {
    const rows = await rowsOf('{"reference":"SO-1"}\n{"reference":}\n{"reference":"SO-3"}\n')
    expect(rows.map(({ reference }) => reference)).toEqual(["SO-1", "", "SO-3"])
    expect(said(rows[1])).toEqual(["json"])
  })

  it("cannot reach what every object has", async () => {
    const [row] = await rowsOf(
      '{"reference":"SO-1","__proto__":{"polluted":1},"receiver.__proto__.x":1,"constructor.prototype.x":1}',
    )
    expect(said(row).filter((each) => each.endsWith("unknown"))).toHaveLength(3)
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
