/** The packaging that the heading of a count says, where nothing else says one. */
import { describe, expect, it } from "vitest"
import { defaults, rowsOf } from "./batches.ts"

/** The packaging of a row with these columns beside its address and size; its errors where it cannot be booked. */
async function findPackaging(
  columns: Readonly<Record<string, string>>,
  packagingCode?: string,
  filledIn: readonly string[] = [],
  size: Readonly<Record<string, string>> = { Size: "30x20x20", "Weight each": "4" },
): Promise<unknown> {
  const { booking } = defaults()
  const given = { ...booking, packagingCode: undefined, ...(packagingCode && { packagingCode }) }
  const all = { ...size, ...columns }
  const headings = ["Order,Name,Address,Suburb,State,Postcode", ...Object.keys(all)]
  const cells = ["7101,Nia New,8 Market Street,Fremantle,WA,6160", ...Object.values(all)]
  const [row] = await rowsOf(`${headings.join()}\n${cells.join()}\n`, {
    booking: JSON.parse(JSON.stringify(given)),
    filledIn,
  })
  const errors = row?.findings.filter(({ severity }) => severity === "error").map(({ message }) => message)
  return row?.request?.packagingCode ?? errors
}

it.each([
  ["Cartons", "CT"],
  ["No of pallets", "PA"],
  ["Ctns", "CT"],
  ["Qty (boxes)", "BX"],
  ["Satchels", "SA"],
])("the packaging is taken from a count headed %s", async (heading, code) => {
  expect(await findPackaging({ [heading]: "2" })).toBe(code)
})

it.each([
  "Parcels",
  "Pieces",
  "No of pieces",
  "Qty",
])("does not take it from a count headed %s", async (heading) => {
  expect(await findPackaging({ [heading]: "2" })).toContain("the packaging is missing")
})

it("the packaging is that of a column of its own, or of a flag, before that of the heading", async () => {
  expect(await findPackaging({ Cartons: "2", Packaging: "pallet" })).toBe("PA")
  expect(await findPackaging({ Cartons: "2" }, "BX")).toBe("BX")
})

it("the packaging is that of the heading before that of a profile", async () => {
  expect(await findPackaging({ Pallets: "2" }, "CT", ["packagingCode"])).toBe("PA")
  expect(await findPackaging({ Qty: "2" }, "CT", ["packagingCode"])).toBe("CT")
})

it("the packaging is that of the count that is filled, and two kinds of packages are not one booking", async () => {
  expect(await findPackaging({ Cartons: "", Pallets: "2" })).toBe("PA")
  expect(await findPackaging({ Cartons: "2", Pallets: "2" })).toContain(
    'is 2, and "Cartons" is 2: both count the packages',
  )
})

it.each([
  "Box 2 Weight",
  "Carton #3 weight (kg)",
  "Weight of second box",
  "2nd parcel weight",
  "Third carton length",
  "Pallet 2 qty",
])("asks about %s, a part of a package that it would leave behind", async (heading) => {
  await expect(findPackaging({ Cartons: "1", [heading]: "3" })).rejects.toMatchObject({
    errors: [
      {
        message: `the column ${JSON.stringify(heading)} is of one of several packages: give them in one column "Packages", such as 1x40x30x20@5; 1x20x20x20@3, or leave it out with --map ${JSON.stringify(`${heading}=`)}`,
      },
    ],
  })
})

it.each([
  "Box 2 tracking",
  "Pallet 2 barcode",
  "Item 2 weight",
])("a column %s does not decide the packaging", async (heading) => {
  expect(await findPackaging({ Cartons: "1", [heading]: "3" })).toBe("CT")
})

describe("the packaging of a cell of packages", () => {
  /** The packaging of a row with such a cell; its errors where it cannot be booked. */
  const inCell = (packages: string, more: Readonly<Record<string, string>> = {}, code?: string) =>
    findPackaging({ Packages: packages, ...more }, code, [], {})

  it.each([
    ["1 pallet 120x120x100 80kg", "PA"],
    ["2 boxes 40x30x20 5kg", "BX"],
    ["2 cartons 40x30x20 5kg; 1 ctn 30x20x10 2kg", "CT"],
  ])("is what its words say: %s", async (packages, code) => {
    expect(await inCell(packages)).toBe(code)
  })

  it.each([
    "2x40x30x20@5",
    "2 parcels 40x30x20 5kg",
    "2 cartons 40x30x20 5kg; 1 pallet 120x120x100 80kg",
  ])("is missing where they say none, or several: %s", async (packages) => {
    expect(await inCell(packages)).toContain("the packaging is missing")
  })

  it("is that of a column of its own, or of a flag, before that", async () => {
    expect(await inCell("1 pallet 120x120x100 80kg", { Packaging: "crate" })).toBe("CR")
    expect(await inCell("1 pallet 120x120x100 80kg", {}, "CR")).toBe("CR")
  })
})
