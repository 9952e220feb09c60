import { describe, expect, it } from "vitest"
import { batchColumns } from "../../../src/batch/columns/columns.ts"
import { failure } from "../../failure.ts"
import { rowsOf, said } from "../batches.ts"

const columns = batchColumns()
const means = (header: string) => {
  const meaning = columns.meaning(header)
  return "field" in meaning ? meaning.field?.name : meaning
}

describe("a header", () => {
  it.each([
    ["reference", ["customerReference", "Order #", "Order No.", "P.O. Number", "Reference"]],
    ["service", ["serviceCode"]],
    ["receiver.name", ["Name"]],
    ["receiver.companyName", ["Company", "Shipping Company"]],
    ["receiver.address1", ["Street"]],
    ["receiver.suburb", ["receiver.suburb", "Receiver Suburb", "RECEIVER_SUBURB", "Suburb", "City"]],
    ["receiver.suburb", ["Ship To Suburb"]],
    ["receiver.state", ["STATE"]],
    ["receiver.postcode", ["Post Code", "Zip"]],
    ["receiver.phoneNumber", ["Phone"]],
    ["receiver.email", ["E-mail"]],
    ["sender.postcode", ["From Postcode"]],
    ["collection.suburb", ["Pickup City"]],
    ["package.count", ["Qty"]],
    ["package.weightKg", ["Weight", "Weight (kg)"]],
    ["package.lengthCm", ["Length [cm]"]],
    ["package.widthCm", ["Width"]],
    ["package.heightCm", ["Height"]],
    ["packages[1].count", ["packages[1].count", "packages.1.count"]],
    ["alertAddresses[0].email", ["alertAddresses[0].email"]],
    ["maxPrice", ["Max Price"]],
    ["arriveBy", ["arrive by"]],
    ["dangerousGoods", ["DG"]],
  ])("of %s is any of %j", (name, headers) => {
    for (const header of headers) expect(means(header), header).toBe(name)
  })

  const DOUBTFUL = [
    "Customer",
    "Number",
    "ID",
    "Code",
    "Time",
    "Type",
    "Carrier",
    "Delivery date",
    "Total weight",
  ]
  it.each(DOUBTFUL)("%s can mean two things, and both are reported", (header) => {
    expect(means(header)).toMatchObject({
      error: expect.stringMatching(/ can mean .+ or .+/),
      hint: expect.stringContaining("--map"),
    })
  })

  it.each([
    ["Subrub", "receiver.suburb"],
    ["receiver.adress1", "receiver.address1"],
    ["Ship to postcod", "receiver.postcode"],
    ["Referense", "reference"],
  ])("%s is unknown, and %s is near", (header, near) => {
    const meaning = columns.meaning(header)
    expect("likely" in meaning && meaning.likely()).toBe(near)
  })

  const NONE = ["__proto__", "constructor", "toString", "receiver.__proto__", "😀", "x".repeat(5000)]
  it.each(NONE)("%s is unknown", (header) => {
    const meaning = columns.meaning(header)
    expect("likely" in meaning && meaning.likely()).toBeUndefined()
  })

  it("in another unit is not taken for ours", () => {
    expect(means("Weight (g)")).toMatchObject({ error: expect.stringContaining("is in g") })
    expect(means("Length (mm)")).toMatchObject({ error: expect.stringContaining("is in mm") })
  })

  it("of what is found out when the row is booked is refused", () => {
    for (const header of ["rateId", "quotedPriceExGstMinor"])
      expect(means(header)).toMatchObject({ error: expect.stringContaining("fills in the column") })
  })

  it("of an earlier run's results is left out", () => {
    expect(means("freight.state")).toBeUndefined()
  })

  it("that a field shows as another name of it means that field", () => {
    for (const field of columns.fields)
      for (const alias of columns.aliases(field)) {
        expect(means(alias), alias).toBe(field.name)
      }
  })
})

describe("the header line", () => {
  it("is reported with everything that is wrong with it", async () => {
    const error = await failure(
      rowsOf("Order,PO,Subrub,Customer,Phone,Phone,Colour,Colour\n1,2,3,4,5,6,7,8\n"),
    )
    expect(error.errors?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"Subrub" is unknown: did you mean receiver.suburb\?.*--map/),
      expect.stringMatching(/"Customer" can mean/),
      expect.stringMatching(/"Order" and "PO" both mean reference/),
      expect.stringMatching(/"Phone" appears twice: as number 5 and 6/),
    ])
    expect(error.errors?.every(({ line }) => line === 1)).toBe(true)
  })

  it.each([
    [false, ['orders.csv: 1 column is not used: "Colour". --map COLUMN=FIELD uses one.']],
    [true, []],
  ])("may have columns that mean nothing, which is told once: --ignore-unknown %s", async (ignoreUnknown, notes) => {
    const told: string[] = []
    const [row] = await rowsOf("Order,Colour\nSO-1,red\n", {
      ignoreUnknown,
      tell: async (note) => void told.push(note),
    })
    expect(told).toEqual(notes)
    expect(row?.reference).toBe("SO-1")
    expect(row?.cells).toEqual([
      ["Order", "SO-1"],
      ["Colour", "red"],
    ])
  })

  it("has no column left out that can mean two things", async () => {
    const error = await failure(rowsOf("Order,Colour,Customer\nSO-1,red,Lee\n", { ignoreUnknown: true }))
    expect(error.errors?.map(({ field }) => field)).toEqual(["Customer"])
  })

  it("is mapped by --map, whatever the case", async () => {
    const [row] = await rowsOf("Kunde,Ort,Order,Colour\nLee,Perth,SO-1,red\n", {
      map: ["kunde=Company", "Ort=receiver.suburb", "Colour="],
    })
    expect(said(row)).not.toContain("Ort required")
    expect(row?.findings.map(({ message }) => message)).toContain("receiver.address1 is missing")
  })

  it("takes a column out of two that mean the same with --map", async () => {
    const [row] = await rowsOf("Order,PO\nSO-1,7\n", { map: ["PO="] })
    expect(row?.reference).toBe("SO-1")
  })

  it.each([
    ["names no field", ["Order=nothing"], "there is no field"],
    ["has no equals sign", ["Order"], "--map takes COLUMN=FIELD"],
    ["names no column", ["=reference"], "--map takes COLUMN=FIELD"],
  ])("is not mapped by a --map that %s", async (_, map, words) => {
    const error = await failure(rowsOf("Order\nSO-1\n", { map }))
    expect(error.kind).toBe("usage")
    expect(error.message).toContain(words)
  })

  it("has the columns that --map names", async () => {
    const error = await failure(rowsOf("Order\nSO-1\n", { map: ["Ordr=reference"] }))
    expect(error.errors?.[0]?.message).toContain('did you mean "Order"?')
  })

  it("is missing when nothing in it means anything", async () => {
    const error = await failure(rowsOf("SO-1,Lee,Perth\nSO-2,Kim,Perth\n"))
    expect(error.message).toContain("freight recognises no column of row 1")
    expect(error.next).toBe("freight batch template --columns")
  })

  it.each([
    ["", "is empty"],
    ["\ufeff\r\n \n", "is empty"],
  ])("is needed: %j", async (text, words) => {
    expect((await failure(rowsOf(text))).message).toContain(words)
  })
})
