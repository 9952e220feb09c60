import { describe, expect, it } from "vitest"
import { formatLiteral } from "../../src/invoice/accounting/amounts.ts"
import {
  ADDRESS_FORM,
  LINE_FORM,
  parseAbn,
  parseAddress,
  parseComments,
  parseDay,
  parseDue,
  parseLine,
  parseSome,
} from "../../src/invoice/new/texts.ts"

/** A line in one string: quantity, description, price, tax, unit. */
function read(text: string): string {
  const line = parseLine(text)
  if (!line.ok) return line.reason
  const { quantity, description, unitPrice, taxRate, unitOfMeasure } = line.value
  return [
    formatLiteral(quantity),
    description,
    formatLiteral(unitPrice),
    formatLiteral(taxRate),
    unitOfMeasure,
  ].join("|")
}

function reasonOf(result: { ok: true } | { ok: false; reason: string }): string {
  return result.ok ? "" : result.reason
}

const COMMON =
  "common ones are EA (each), BX (box), CT (carton), PK (pack), KGM (kilogram), LTR (litre), MTR (metre), HUR (hour), DAY (day)"

describe("a line as it is typed", () => {
  it.each([
    [LINE_FORM, "2.00|Widget|19.99|10.00|EA"],
    ["2 x Widget @ 19.99", "2.00|Widget|19.99|10.00|"],
    ["2x Widget @19.99", "2.00|Widget|19.99|10.00|"],
    ["  3 × Bolt, M10 x 50 @ 0.0333 ea ", "3.00|Bolt, M10 x 50|0.0333|10.00|EA"],
    ["0.5 X Hour of work @ $120.125 HUR tax 0", "0.50|Hour of work|120.125|0.00|HUR"],
    ["1,000 x Washer @ 1,234.50 tax 10%", "1000.00|Washer|1234.50|10.00|"],
    ["1 x Lamp @ 5 tax 10 % each", "1.00|Lamp|5.00|10.00|EA"],
    ["2 x Sugar @ 3 kg", "2.00|Sugar|3.00|10.00|KGM"],
    ["2 x mail to a@b.example @ 3", "2.00|mail to a@b.example|3.00|10.00|"],
    ["2 x x-ray film @ 3", "2.00|x-ray film|3.00|10.00|"],
    ["0 x Sample @ 1", "0.00|Sample|1.00|10.00|"],
  ])("%j", (text, line) => {
    expect(read(text)).toBe(line)
  })

  it.each([
    ["", `"" is not a line: write it as "${LINE_FORM}"`],
    ["Lamp", `"Lamp" is not a line: write it as "${LINE_FORM}"`],
    ["2 Lamp @ 3", `"2 Lamp @ 3" is not a line: write it as "${LINE_FORM}"`],
    ["2 x @ 3", `"2 x @ 3" is not a line: write it as "${LINE_FORM}"`],
    ["-1 x Lamp @ 3", 'the quantity "-1" is not an amount: write it as 19.99'],
    ["1e5 x Lamp @ 3", 'the quantity "1e5" is not an amount: write it as 19.99'],
    ["10,00 x Lamp @ 3", 'the quantity "10,00" is not an amount: write it as 19.99'],
    ["2.005 x Lamp @ 3", 'the quantity "2.005" has more than 2 decimals'],
    ["2 x Lamp @ three", 'the unit price "three" is not an amount: write it as 19.99'],
    ["2 x Lamp @ 3.00001", 'the unit price "3.00001" has more than 4 decimals'],
    ["2 x Lamp @ 3 tax ten", 'the tax "ten" is not an amount: write it as 19.99'],
    ["2 x Lamp @ 3 tax 5", 'there is no tax of "5" percent: GST is 10, or 0 for what is free of it'],
    ["2 x Lamp @ 3 tax", `"tax" is not a unit: ${COMMON}`],
    ["2 x Lamp @ 3 KGMM", '"KGMM" is not a unit: did you mean KGM?'],
    ["2 x Lamp @ 3 EA BX", 'after the price of "Lamp" come tax and a unit, not "BX"'],
  ])("is refused with a reason: %j", (text, reason) => {
    expect(read(text)).toBe(reason)
  })

  it("is refused at any length in little time and few words", () => {
    const long = `2 x ${"a ".repeat(50_000)}@ ${"9".repeat(50_000)}`
    expect(read(long).length).toBeLessThan(200)
  })
})

describe("an address as it is typed", () => {
  const sydney = { city: "Sydney", state: "NSW", postalCode: "2000", country: "AU" }

  it.each([
    [ADDRESS_FORM, { street1: "1 Harbour Street", ...sydney }],
    [
      "Kim Tran; 1 Harbour Street; Sydney NSW 2000",
      { addressee: "Kim Tran", street1: "1 Harbour Street", ...sydney },
    ],
    [
      " Kim Tran ;1 Harbour Street; Level 2 ; sydney, new south wales 2000;",
      { addressee: "Kim Tran", street1: "1 Harbour Street", street2: "Level 2", ...sydney, city: "sydney" },
    ],
    ["1 Harbour Street, Sydney NSW 2000", { street1: "1 Harbour Street", ...sydney }],
    [
      "Kim Tran, Level 2, 1 Harbour Street, Sydney NSW 2000",
      { addressee: "Kim Tran", street1: "1 Harbour Street", street2: "Level 2", ...sydney },
    ],
    [
      "88 Depot Road; Darwin NT 800",
      { street1: "88 Depot Road", city: "Darwin", state: "NT", postalCode: "0800", country: "AU" },
    ],
  ])("%j", (text, address) => {
    expect(parseAddress(text)).toEqual({ ok: true, value: address })
  })

  it.each([
    "",
    ";;",
    "Sydney NSW 2000",
    "a; b; c; d; Sydney NSW 2000",
  ])("is refused with its form: %j", (text) => {
    expect(reasonOf(parseAddress(text))).toBe(
      `"${text}" is not an address: write it as "${ADDRESS_FORM}", with a comma or semicolon between its lines`,
    )
  })

  it("is refused without a state where several use the postcode", () => {
    expect(reasonOf(parseAddress("1 Harbour Street; Jervis Bay 2540"))).toBe(
      '"Jervis Bay 2540" has no state: write a place as "Jervis Bay NSW 2540"',
    )
  })
})

describe("a day as it is typed", () => {
  it("is that day at 00:00 UTC", () => {
    for (const text of [" 2026-11-20 ", "20/11/2026", "20/11", "20 Nov", "fri", "yesterday"])
      expect(parseDay(text, "2026-11-21")).toEqual({ ok: true, value: "2026-11-20T00:00:00Z" })
  })

  it.each([
    ["11/12/2026", '"11/12/2026" can be 11 Dec 2026 or 12 Nov 2026: write it as 2026-12-11 or 2026-11-12'],
    ["2026-02-30", '"2026-02-30" is not a date: there is no such day'],
  ])("is refused: %j", (text, reason) => {
    expect(reasonOf(parseDay(text, "2026-11-21"))).toBe(reason)
  })

  it("may be the day of the invoice when payment is due", () => {
    expect(parseDue("2026-11-20", "2026-11-20T00:00:00Z")).toEqual({
      ok: true,
      value: "2026-11-20T00:00:00Z",
    })
  })

  it("is refused for payment before the invoice", () => {
    expect(reasonOf(parseDue("2026-11-19", "2026-11-20T00:00:00Z"))).toBe(
      '"2026-11-19" is before the date of the invoice, 2026-11-20',
    )
  })
})

describe("the rest as it is typed", () => {
  it.each(["51824753556", " 51 824 753 556 "])("an ABN: %j", (text) => {
    expect(parseAbn(text)).toEqual({ ok: true, value: text.trim() })
  })

  it.each([
    ["51824753557", '"51824753557" is not a valid ABN: its check digits do not match'],
    ["123", '"123" has 3 digits, but an ABN has 11'],
    ["ABN 51824753556", '"ABN 51824753556" is not an ABN as written'],
  ])("no ABN: %j", (text, reason) => {
    expect(reasonOf(parseAbn(text))).toBe(reason)
  })

  it("text that is only blanks is empty", () => {
    expect(reasonOf(parseSome("  "))).toBe("it is empty")
  })

  it("text loses the blanks around it", () => {
    expect(parseSome(" INV-1 ")).toEqual({ ok: true, value: "INV-1" })
  })

  it("comments have 2,000 characters at most, whatever their size in memory", () => {
    expect(parseComments("\u{1f600}".repeat(2000)).ok).toBe(true)
    expect(reasonOf(parseComments("x".repeat(2001)))).toBe("2001 characters are more than the 2000 allowed")
  })
})
