/** The errors of dates, times, ids and email addresses, and the values that were meant. */
import { describe, expect, it } from "vitest"
import {
  explainDate,
  explainDateTime,
  formatSerialDay,
  formatSerialTime,
} from "../../src/invoice/explain/dates.ts"
import { explainEmail, explainUuid } from "../../src/invoice/explain/formats.ts"
import { expectCalls } from "../cases.ts"

describe("a format", () => {
  it("is explained", () =>
    expectCalls(import.meta.dirname, "formats.txt", {
      ...{ explainDate, explainDateTime, formatSerialDay, formatSerialTime, explainEmail, explainUuid },
    }))

  it.each([
    ["9".repeat(100_000)],
    [" ".repeat(100_000)],
    [`2026-11-20T09:30:00.${"9".repeat(100_000)}`],
  ])("is explained in few words, however long the text is (%#)", (text) => {
    expect(explainDateTime(text)?.message.length).toBeLessThan(300)
    expect(explainUuid(text)?.hint).toMatch(/^a UUID has 32 digits/)
  })

  it("may have any number of decimals of a second", () => {
    expect(explainDateTime(`2026-11-20T09:30:00.${"9".repeat(100_000)}Z`)).toBeUndefined()
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("is not a day: %d", (number) => {
    expect(formatSerialDay(number)).toBeUndefined()
  })

  it("is not an email address of a hundred megabytes", () => {
    const long = "a".repeat(50_000_000)
    expect(explainEmail(`${long}@${long}`)?.message).toMatch(/is longer than an email address can be$/)
  })
})
