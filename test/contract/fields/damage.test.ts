import { toFinding } from "../../../src/contract/parsed.ts"
import { describe, expect, it } from "vitest"
import { readNumber, readSignedNumber } from "../../../src/contract/fields/damage.ts"

describe("an amount of money", () => {
  it.each([
    ["-$5.00", -5],
    ["-A$1,234.50", -1234.5],
    ["$-5.00", -5],
    ["-5.00 AUD", -5],
    ["5.00$", 5],
  ])("can be negative and have a currency sign: %s", (text, value) => {
    expect(readNumber(text, { money: true })).toMatchObject({ ok: true, value })
  })

  it.each([
    ["(12.50)", -12.5],
    ["($1,200.00)", -1200],
    ["12.50-", -12.5],
    ["12.50 CR", -12.5],
    ["12.50", 12.5],
    ["-12.50", -12.5],
    ["(0)", 0],
    ["\u221212.50", -12.5],
    ["$\u221212.50", -12.5],
    ["12.50\u2212", -12.5],
    ["\u201312.50", -12.5],
    ["12.50cr", -12.5],
    ["12.50 DR", 12.5],
    ["$(12.50)", -12.5],
  ])("can be written as accountants do: %s", (text, value) => {
    expect(readSignedNumber(text, { money: true })).toMatchObject({ ok: true, value })
  })

  it.each(["€5.00", "US$5.00", "(12.50", "five"])("is nothing else: %s", (text) => {
    const read = readSignedNumber(text, { money: true })
    expect(read.ok || toFinding(read).rule).toBe("type")
  })
})
