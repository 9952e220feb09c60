/** Columns that say whether a receiver is a home, whatever people call them. */
import { expect, it } from "vitest"
import { rowsOf } from "./batches.ts"

const isHome = async (heading: string, cells: readonly string[]) => {
  const lines = cells.map(
    (cell, at) => `71${at}1,Nia New,8 Market Street,Fremantle,WA,6160,1,30,20,10,2,${cell}`,
  )
  const headings = `Order,Name,Address,Suburb,State,Postcode,Cartons,Length,Width,Height,Weight each,${heading}`
  const rows = await rowsOf(`${headings}\n${lines.join("\n")}\n`)
  return rows.map(({ own, request }) =>
    request === undefined ? "not to book" : own?.["receiver.residential"],
  )
}

it.each([
  ["Home", ["Y", "N", ""], [true, false, undefined]],
  ["Home delivery", ["yes", "no"], [true, false]],
  ["Resi", ["1", "0"], [true, false]],
  ["Delivery type", ["Residential", "Business", "Home delivery"], [true, false, true]],
  ["Address type", ["home", "commercial"], [true, false]],
  ["Ship to residential", ["true", "false"], [true, false]],
  ["Residential", ["Residential", "perhaps"], [true, "not to book"]],
  ["Delivery type", ["Residential", "perhaps"], [undefined, undefined]],
  ["Delivery type", ["Residential", "Business", "perhaps"], [true, false, "not to book"]],
  ["Address type", ["Residential", "R", "R"], [true, "not to book", "not to book"]],
  ["Is residential", ["yes", "perhaps"], [true, "not to book"]],
  ["Residential indicator", ["Y", "N"], [true, false]],
  ["Address type", ["Shipping", "Billing"], [undefined, undefined]],
  ["Delivery type", ["Express", "Standard"], [undefined, undefined]],
  ["Home", ["0400 000 001", "0400 000 002"], [undefined, undefined]],
])("a batch reads homes from a column %s with %j", async (heading, cells, homes) => {
  expect(await isHome(heading, cells)).toEqual(homes)
})

it("a batch takes neither of two columns that only seem to say it: a person says which", async () => {
  await expect(isHome("Resi,Delivery type", ["Y,Home delivery", "N,Business"])).rejects.toMatchObject({
    errors: [
      {
        message: expect.stringContaining(
          '"Resi" and "Delivery type" both mean the mark for a home of the receiver',
        ),
      },
    ],
  })
  await expect(isHome("Home,Address type", ["yes,Business"])).rejects.toThrow("the columns are ambiguous")
  expect(await isHome("Residential,Delivery type", ["Y,Home delivery", "N,Business"])).toEqual([true, false])
})
