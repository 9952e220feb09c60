/** A column says how it writes its numbers: with a decimal comma, with a point, or so that a person has to say it. */
import { describe, expect, it } from "vitest"
import { auditBill, BOOKED, bookedDatabase, money } from "../../../bills/desk.ts"
import { defaults, rowsOf } from "../batches.ts"

const HEAD = "Reference;Company;Address1;Suburb;State;Postcode;Weight;Length;Width;Height"

/** The kg of each row, or what is wrong with it. @param sizes the length beside each weight, 40 for all others */
async function weigh(weights: readonly string[], sizes: readonly string[] = []) {
  const notes: string[] = []
  const lines = weights.map(
    (weight, at) => `SO-${at};Wattle;${at + 1} Main St;Dee Why;NSW;2099;${weight};${sizes[at] ?? "40"};30;20`,
  )
  const rows = await rowsOf(`${HEAD}\n${lines.join("\n")}\n`, {
    ...defaults(),
    tell: async (note) => void notes.push(note),
  })
  const kg = rows.map(({ request, findings }) => {
    const errors = findings.filter(({ severity }) => severity === "error")
    return errors.length > 0
      ? errors.map(({ message }) => message).join(", ")
      : request?.packages[0]?.weightKg
  })
  return { kg, notes: notes.filter((note) => note.includes("decimal")) }
}

describe("a number with three digits behind its sign", () => {
  it.each<[what: string, weights: string[], sizes: string[], kg: unknown[]]>([
    ["is a decimal where nothing in the file has a comma", ["1.800", "2.5"], [], [1.8, 2.5]],
    ["is a decimal beside two with a point", ["1.800", "2.5", "3.75"], ["120,5"], [1.8, 2.5, 3.75]],
    ["is thousands beside two with a comma", ["1.800", "2,5", "3,75"], [], [1800, 2.5, 3.75]],
    ["is a decimal beside two others with a comma", ["1,800", "2,5", "3,75"], [], [1.8, 2.5, 3.75]],
    ["is thousands beside two others with a point", ["1,800", "2.5", "3.75"], [], [1800, 2.5, 3.75]],
    [
      "is asked about beside one with a comma, which may be mistyped",
      ["1.800", "2,5"],
      [],
      ['"1.800" can be 1800 or 1.8', 2.5],
    ],
    [
      "is asked about where another column has a comma",
      ["1.800", "2"],
      ["120,5"],
      ['"1.800" can be 1800 or 1.8', 2],
    ],
    [
      "is asked about between both",
      ["1.800", "2,5", "3,5", "4.5"],
      [],
      ['"1.800" can be 1800 or 1.8', 2.5, 3.5, 4.5],
    ],
  ])("%s", async (_, weights, sizes, kg) => {
    expect((await weigh(weights, sizes)).kg).toEqual(kg)
  })

  it("is told with what decides it, where it is not read as it stands", async () => {
    const { notes } = await weigh(["1.800", "2,5", "3,75"])
    expect(notes).toEqual(['orders.csv: Weight: 2 numbers have a decimal comma, so "1.800" is read as 1800'])
    expect((await weigh(["1.800", "2.5", "3.75"])).notes).toEqual([])
  })

  it("is not believed any more where a row far below writes decimals otherwise", async () => {
    const plain = Array.from({ length: 300 }, () => "2")
    const { kg } = await weigh(["1.800", ...plain, "2,5"])
    expect(kg[0]).toBe(1.8)
    expect(kg.at(-1)).toBe('"2,5" has a decimal comma, and "1.800" of row 2 was read as with a point')
    const decided = await weigh(["1.800", "2,5", "2,5", ...plain, "2.5"])
    expect(decided.kg[0]).toBe(1800)
    expect(decided.kg.at(-1)).toBe('"2.5" has a decimal point, and "1.800" of row 2 was read as with a comma')
  })

  it("leaves references and phone numbers as they are", async () => {
    const [row] = await rowsOf(
      `Reference;Phone;Company;Address1;Suburb;State;Postcode;Weight;Length;Width;Height\n1.001;1.800;Wattle;1 Main St;Dee Why;NSW;2099;2,5;40,5;30,5;20\n`,
    )
    expect(row?.reference).toBe("1.001")
    expect(row?.request?.receiver.phoneNumber).toBe("1.800")
  })
})

it("reads the amounts of a bill by their column, too", async () => {
  const rows = BOOKED.slice(0, 4).map(({ number, cents }) => `${number};${money(cents).replace(".", ",")}`)
  const head = "Consignment;Amount ex GST\n"
  const { rows: audited } = await auditBill(await bookedDatabase(), {
    bill: `${head}${rows.join("\n")}\nSBC99999999;1.072\n`,
  })
  expect(audited.map(({ billed }) => billed).sort()).toContain(1072)
})
