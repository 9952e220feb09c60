import { describe, expect, it } from "vitest"
import { cell, rowWith, said } from "../batches.ts"

describe("a day", () => {
  it.each([
    ["2026-11-24", "2026-11-24T10:00:00", []],
    ["2026-11-24T11:30", "2026-11-24T11:30:00", []],
    ["2026-11-24 11:30", "2026-11-24T11:30:00", []],
    ["2026-11-24 11:30:00 AM", "2026-11-24T11:30:00", []],
    ["2026-11-24T11:30:00.000", "2026-11-24T11:30:00", []],
    ["20261124", "2026-11-24T10:00:00", []],
    ["24/11/2026", "2026-11-24T10:00:00", ["turned-date"]],
    ["24/11/2026 2:15 PM", "2026-11-24T14:15:00", ["turned-date"]],
    ["11/24/2026", "2026-11-24T10:00:00", ["turned-date"]],
    ["24.11.2026", "2026-11-24T10:00:00", ["turned-date"]],
    ["12/12/2026", "2026-12-12T10:00:00", ["turned-date"]],
    ["24-Nov-26", "2026-11-24T10:00:00", []],
    ["24 November 2026", "2026-11-24T10:00:00", []],
    ["Nov 24, 2026", "2026-11-24T10:00:00", []],
    ["Tuesday, 24 November 2026", "2026-11-24T10:00:00", []],
    ["tomorrow", "2026-11-21T10:00:00", []],
    ["tomorrow 10am", "2026-11-21T10:00:00", []],
    ["Mon 5:00 PM", "2026-11-23T17:00:00", []],
    ["23/11", "2026-11-23T10:00:00", ["turned-date"]],
    ["46350", "2026-11-24T10:00:00", ["serial"]],
    ["46350.4375", "2026-11-24T10:30:00", ["serial"]],
  ])("%s is %s", async (text, value, rules) => {
    const found = await cell("collectionDateTime", text)
    expect(found).toMatchObject({ value, errors: [] })
    expect(found.repaired).toEqual(rules.map((rule) => `collectionDateTime ${rule}`))
  })

  it("that can be read in two ways is refused with both", async () => {
    const { row, errors } = await cell("collectionDateTime", "11/12/2026")
    expect(errors).toEqual(["collectionDateTime ambiguous-date"])
    expect(row.findings[0]).toMatchObject({
      message: '"11/12/2026" can be 11 Dec 2026 or 12 Nov 2026',
      hint: "write it as 2026-12-11 or 2026-11-12",
    })
  })

  it.each([
    ["31/11/2026", "date"],
    ["2026-02-30", "date"],
    ["24/11/26", "date"],
    ["24/13/2026", "date"],
    ["10:00", "date"],
    ["soon", "date"],
    ["2026-11-24 25:00", "time"],
    ["2026-11-24T10:00:00Z", "zone"],
    ["2026-11-24T10:00:00+11:00", "zone"],
    ["12345", "serial"],
  ])("%s is reported as %s", async (text, rule) => {
    expect((await cell("collectionDateTime", text)).errors).toEqual([`collectionDateTime ${rule}`])
  })

  it("needs a time from somewhere", async () => {
    const row = await rowWith({ collectionDateTime: "2026-11-24" }, { readyTime: undefined })
    expect(said(row)).toEqual(["collectionDateTime time"])
  })

  it("takes its time from a column", async () => {
    expect((await cell("collectionDateTime", "24/11/2026 0:00", { readyTime: "8am" })).value).toBe(
      "2026-11-24T08:00:00",
    )
  })

  it("that has a time is refused beside another", async () => {
    const { errors } = await cell("collectionDateTime", "2026-11-24 11:00", { readyTime: "8:00" })
    expect(errors).toEqual(["readyTime time"])
  })

  it("that is past is an error while the row is not booked", async () => {
    const row = await rowWith({ collectionDateTime: "2026-11-19" })
    expect(row.booking && row.late).toMatchObject([{ column: "collectionDateTime", rule: "past" }])
  })

  it("that is past is a warning for whoever means it", async () => {
    const row = await rowWith({ collectionDateTime: "2026-11-19" }, { allowed: { allowPast: true } })
    expect(row.findings).toMatchObject([{ rule: "past", severity: "warning" }])
    expect(row.booking && row.late).toEqual([])
  })
})

describe("a time", () => {
  it.each([
    ["17:00", "1700"],
    ["5 pm", "1700"],
    ["5:30:00 PM", "1730"],
    ["900", "0900"],
    ["1700", "1700"],
    ["0.7083333333", "1700"],
    [".75", "1800"],
  ])("%s is %s", async (text, value) => {
    expect(await cell("collectionCloseTime", text)).toMatchObject({ value, errors: [] })
  })

  it.each(["25:00", "17.00", "noon", "17:00:30"])("%s is refused", async (text) => {
    expect((await cell("collectionCloseTime", text)).errors).toEqual(["collectionCloseTime time"])
  })
})
