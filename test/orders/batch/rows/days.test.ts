/** A column says how it writes its days: with the day first, with the month, or so that a person has to say it. */
import { describe, expect, it } from "vitest"
import { UnclearColumns } from "../../../../src/input/columns/questions.ts"
import { failure } from "../../../failure.ts"
import { defaults, rowsOf } from "../batches.ts"

const HEAD = "Reference,Company,Address1,Suburb,State,Postcode,Packages,Ready,Close"

/** The day of each row, or what is wrong with it. */
async function readDays(days: readonly string[], map: readonly string[] = []) {
  const notes: string[] = []
  const lines = days.map(
    (day, at) => `SO-${at},Wattle,${at + 1} Main St,Dee Why,NSW,2099,40x30x20@5,${day},17:00`,
  )
  const rows = await rowsOf(`${HEAD}\n${lines.join("\n")}\n`, {
    ...{ ...defaults(), map },
    readyTime: "10:00:00",
    nowMs: Date.parse("2026-11-29T00:00:00Z"),
    tell: async (note) => void notes.push(note),
  })
  const read = rows.map(({ request, findings }) => {
    const errors = findings.filter(({ severity }) => severity === "error")
    return errors.length > 0
      ? errors.map(({ message }) => message).join(", ")
      : request?.collectionDateTime.slice(0, 10)
  })
  return { read, notes: notes.filter((note) => note.includes(" first")) }
}

/** The questions asked instead of reading the rows. */
async function askOf(days: readonly string[]) {
  const error = await failure(readDays(days))
  if (!(error instanceof UnclearColumns)) throw error
  return error.questions.map(({ column, choices }) => [column, ...choices])
}

const [DAY, MONTH] = ["dayFirst", "monthFirst"]

describe("a day in figures with two readings", () => {
  it.each<[what: string, days: string[], read: unknown[]]>([
    [
      "has the day first beside two that can have nothing else first",
      ["06/12/2026", "25/12/2026", "26/12/2026"],
      ["2026-12-06", "2026-12-25", "2026-12-26"],
    ],
    [
      "has the month first beside two that can have nothing else first",
      ["12/06/2026", "12/25/2026", "12/26/2026"],
      ["2026-12-06", "2026-12-25", "2026-12-26"],
    ],
    [
      "has the day first beside the 31st and the 13th",
      ["06/12/2026", "31/12/2026", "13/12/2026"],
      ["2026-12-06", "2026-12-31", "2026-12-13"],
    ],
    [
      "has the month first beside the 31st and the 13th",
      ["12/06/2026", "12/31/2026", "12/13/2026"],
      ["2026-12-06", "2026-12-31", "2026-12-13"],
    ],
    [
      "has the day first without its year, too",
      ["06/12", "25/12", "26/12"],
      ["2026-12-06", "2026-12-25", "2026-12-26"],
    ],
    [
      "is decided by cells with a time, and keeps its own",
      ["06/12/2026 09:00", "25/12/2026 10:00", "26.12.2026"],
      ["2026-12-06", "2026-12-25", "2026-12-26"],
    ],
  ])("%s", async (_, days, read) => {
    expect((await readDays(days)).read).toEqual(read)
  })

  it.each<[what: string, days: string[], asked: string[][]]>([
    ["where nothing decides", ["06/12/2026"], [["Ready", DAY, MONTH]]],
    ["without its year", ["06/12"], [["Ready", DAY, MONTH]]],
    ["beside one, which may be mistyped", ["06/12/2026", "12/25/2026"], [["Ready", MONTH, DAY]]],
    [
      "where one is against the others",
      ["06/12/2026", "25/12/2026", "26/12/2026", "12/27/2026"],
      [["Ready", DAY, MONTH]],
    ],
  ])("is asked about once %s", async (_, days, asked) => {
    expect(await askOf(days)).toEqual(asked)
  })

  it.each([
    ["dayFirst", "2026-12-06"],
    ["monthFirst", "2026-06-12"],
  ])("is read as --map Ready=%s says, and so is what has one reading by itself", async (answer, day) => {
    const { read } = await readDays(["06/12/2026", "25/12/2026", "12/26/2026"], [`Ready=${answer}`])
    expect(read.slice(1)).toEqual(["2026-12-25", "2026-12-26"])
    expect(read[0]).toContain(day)
  })

  it("is noted with the cells that decide it", async () => {
    const { notes } = await readDays(["06/12/2026", "25/12/2026", "26/12/2026"])
    expect(notes).toEqual([
      'orders.csv: Ready: 2 cells can only have the day first, so "06/12/2026" is read as 6 Dec 2026',
    ])
    expect((await readDays(["25/12/2026", "26/12/2026"])).notes).toEqual([])
  })

  it("is asked about where a row far below has the other order", async () => {
    const days = ["06/12/2026", ...Array.from({ length: 201 }, () => "25/12/2026"), "12/27/2026"]
    expect(await askOf(days)).toEqual([["Ready", DAY, MONTH]])
    expect((await readDays(days.slice(1))).read.at(-1)).toBe("2026-12-27")
  })
})
