/** A column says how it writes its numbers: with a decimal comma, with a point, or so that a person has to say it. */
import { describe, expect, it } from "vitest"
import { auditBill, BOOKED, bookedDatabase, money } from "../../../bills/desk.ts"
import { UnclearColumns } from "../../../../src/input/columns/questions.ts"
import { failure } from "../../../failure.ts"
import { defaults, rowsOf } from "../batches.ts"

const [COMMA, POINT] = ["decimalComma", "decimalPoint"]
const HEAD = "Reference;Company;Address1;Suburb;State;Postcode;Weight;Length;Width;Height"

/** The kg of each row. @param sizes the length beside each weight, 40 for all others */
async function weigh(weights: readonly string[], sizes: readonly string[] = [], map: readonly string[] = []) {
  const notes: string[] = []
  const lines = weights.map(
    (weight, at) => `SO-${at};Wattle;${at + 1} Main St;Dee Why;NSW;2099;${weight};${sizes[at] ?? "40"};30;20`,
  )
  const rows = await rowsOf(`${HEAD}\n${lines.join("\n")}\n`, {
    ...{ ...defaults(), map },
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

/** The questions asked instead of reading the rows, with the answers that are offered. */
async function askOf(weights: readonly string[], sizes: readonly string[] = []) {
  const error = await failure(weigh(weights, sizes))
  if (!(error instanceof UnclearColumns)) throw error
  return error.questions.map(({ column, choices }) => [column, ...choices])
}

describe("a number with three digits behind its sign", () => {
  it.each<[what: string, weights: string[], sizes: string[], kg: unknown[]]>([
    ["is a decimal where nothing in the file has a comma", ["1.800", "2.5"], [], [1.8, 2.5]],
    ["is a decimal beside two with a point", ["1.800", "2.5", "3.75"], ["120,5"], [1.8, 2.5, 3.75]],
    ["is thousands beside two with a comma", ["1.800", "2,5", "3,75"], [], [1800, 2.5, 3.75]],
    ["is a decimal beside two others with a comma", ["1,800", "2,5", "3,75"], [], [1.8, 2.5, 3.75]],
    ["is thousands beside two others with a point", ["1,800", "2.5", "3.75"], [], [1800, 2.5, 3.75]],
  ])("%s", async (_, weights, sizes, kg) => {
    expect((await weigh(weights, sizes)).kg).toEqual(kg)
  })

  it.each<[what: string, weights: string[], sizes: string[], asked: string[][]]>([
    ["beside one with a comma, which may be mistyped", ["1.800", "2,5"], [], [["Weight", COMMA, POINT]]],
    ["where another column has a comma", ["1.800", "2"], ["120,5"], [["Weight", POINT, COMMA]]],
    ["between both", ["1.800", "2,5", "3,5", "4.5"], [], [["Weight", COMMA, POINT]]],
    ["with a comma and nothing beside it", ["1,800", "2"], [], [["Weight", POINT, COMMA]]],
    [
      "in two columns at once",
      ["1.800", "2,5"],
      ["1.200"],
      [
        ["Weight", COMMA, POINT],
        ["Length", POINT, COMMA],
      ],
    ],
  ])("is asked about once %s", async (_, weights, sizes, asked) => {
    expect(await askOf(weights, sizes)).toEqual(asked)
  })

  it.each([
    ["decimalPoint", [1.8, 1800, 2.5, 3.5]],
    ["decimalComma", [1800, 1.8, 2.5, 3.5]],
    ["Decimal comma", [1800, 1.8, 2.5, 3.5]],
  ])("is read as --map Weight=%s says, and so is what has one reading by itself", async (answer, kg) => {
    expect((await weigh(["1.800", "1,800", "2,5", "3.5"], [], [`Weight=${answer}`])).kg).toEqual(kg)
  })

  it("is read by what --map says last, beside the field of its column", async () => {
    const map = ["Weight=decimalPoint", "Weight=package.weightKg", "Weight=decimalComma"]
    expect((await weigh(["1.800"], [], map)).kg).toEqual([1800])
  })

  it("is asked about with both readings and an answer for each", async () => {
    const { message, errors, hint } = (await failure(weigh(["1.800", "2,5"]))) as UnclearColumns
    expect([message, ...(errors ?? []).map((each) => each.message), hint]).toEqual([
      "orders.csv: the columns are ambiguous; nothing was done",
      'the column "Weight" (1.800) has numbers that can be read in two ways: --map Weight=decimalComma ("1.800" is 1800) or --map Weight=decimalPoint ("1.800" is 1.8)',
      "Say what they are in one line, such as --map Weight=decimalComma.",
    ])
  })

  it("is reported with what decides it, where it is not read as it stands", async () => {
    const { notes } = await weigh(["1.800", "2,5", "3,75"])
    expect(notes).toEqual([
      'orders.csv: Weight: 2 cells can only have a decimal comma, so "1.800" is read as 1800',
    ])
    expect((await weigh(["1.800", "2.5", "3.75"])).notes).toEqual([])
  })

  it.each<[what: string, weights: string[], last: Record<string, string>]>([
    ["taken as it stands", ["1.800"], { weight: "2,5" }],
    ["taken by what two decided", ["1.800", "2,5", "2,5"], { weight: "2.5" }],
    ["taken as it stands, by another column", ["1.800"], { length: "120,5" }],
    ["in doubt only there", ["2,5", "2,5"], { weight: "2.5", after: "1.800" }],
    ["in doubt only there, after a comma", ["2"], { weight: "2,5", after: "1.800" }],
  ])("is asked about where a row far below writes decimals otherwise: %s", async (_, weights, last) => {
    const plain = Array.from({ length: 205 }, () => "2")
    const all = [...weights, ...plain, last.weight ?? "2", ...(last.after === undefined ? [] : [last.after])]
    const sizes = all.map((_, at) => (at === weights.length + 205 ? (last.length ?? "40") : "40"))
    expect((await askOf(all, sizes)).map(([column]) => column)).toEqual(["Weight"])
    const { kg } = await weigh(all, sizes, ["Weight=decimalComma"])
    expect(kg[all.indexOf("1.800")]).toBe(1800)
  })

  it("leaves references and phone numbers as they are", async () => {
    const [row] = await rowsOf(
      `Reference;Phone;Company;Address1;Suburb;State;Postcode;Weight;Length;Width;Height\n1.001;1.800;Wattle;1 Main St;Dee Why;NSW;2099;2,5;40,5;30,5;20\n`,
    )
    expect(row?.reference).toBe("1.001")
    expect(row?.request?.receiver.phoneNumber).toBe("1.800")
  })
})

describe("texts of JSON", () => {
  const place = {
    receiver: { companyName: "W", address1: "1 Main St", suburb: "Dee Why", state: "NSW", postcode: "2099" },
  }
  const ndjson = (...packages: object[]) =>
    packages.map((each, at) => `${JSON.stringify({ reference: `J-${at}`, ...place, ...each })}\n`).join("")
  const size = { lengthCm: 40, widthCm: 30, heightCm: 20 }
  const named = (weight: string | number, length: string | number = 40) => ({
    ...{ Weight: weight, Length: length, Width: 30, Height: 20 },
  })

  it("are judged as the cells of a table are, and refused in their row, and numbers are not", async () => {
    const texts = ndjson(named("1.800"), named(2, "40,5"))
    const [refused] = await rowsOf(texts)
    expect(refused?.findings.map(({ message }) => message)).toEqual(['"1.800" can be 1800 or 1.8'])
    const [row] = await rowsOf(texts, { map: ["Weight=decimalComma"] })
    expect(row?.request?.packages[0]).toMatchObject({ ...size, weightKg: 1800 })
    const [number] = await rowsOf(ndjson(named(1.8), named(2, "40,5")))
    expect(number?.request?.packages[0]).toMatchObject({ weightKg: 1.8 })
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
