/** How a correction changes the amounts of any sound invoice, whichever amounts it states. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { InvoiceData, LineItem } from "../../src/contract/generated/types.ts"
import { creditInvoice, updateInvoice } from "../../src/invoice/correct/correct.ts"
import { parseLineChange, parseLineCredit } from "../../src/invoice/correct/line-texts.ts"
import { examine } from "../../src/invoice/examine.ts"
import { CREDITS } from "../../src/invoice/kind.ts"
import { valueOrThrow } from "../../src/base/parsed.ts"
import { soundInvoice } from "./random-invoices.ts"

const WRITER = { userAgent: "test", today: "2026-11-29" }
/** Later than any invoice at random. */
const MEMO = { number: "CM-1", date: "2060-01-01T00:00:00Z", sets: [] }
const asking = soundInvoice.map(({ data }) => data).filter(({ purpose }) => !CREDITS.has(purpose))

const LINE_AMOUNTS = [
  "subtotal",
  "shippingAmount",
  "taxAmount",
  "discountAmount",
  "grossAmount",
  "netAmount",
] as const
const TOTALS = [...LINE_AMOUNTS, "specialHandlingAmount"] as const
type Total = (typeof TOTALS)[number]

const toCents = (value = 0) => Math.round(value * 100)
const listLineCents = (line: LineItem | undefined) =>
  [line?.quantity, ...LINE_AMOUNTS.map((name) => line?.[name])].map(toCents)
const listCents = ({ invoiceSummary }: InvoiceData, names: readonly Total[] = TOTALS) =>
  names.map((name) => toCents(invoiceSummary[name]))
const reverse = (numbers: number[]) => numbers.map((each) => 0 - each)

/** The errors of the amounts, whatever the words say. */
function findWrong(data: InvoiceData): string[] {
  const document = { metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent: "test" }, data }
  const options = { stage: "draft", accounting: true, strict: false, rules: {} } as const
  return examine(JSON.stringify(document), options)
    .filter(({ message }) => /amount|total|tax|due/i.test(message) && !/says that/.test(message))
    .map(({ message }) => message)
}

const credit = (data: InvoiceData, lines?: string[]) =>
  creditInvoice(
    { data },
    { ...MEMO, lines: lines?.map((text) => valueOrThrow(parseLineCredit(text), text)) },
    WRITER,
  ).document.data

const listNumbers = ({ lineItems }: InvoiceData) => lineItems.map((line) => String(line.invoiceLineNumber))

describe("of any sound invoice", () => {
  it("a credit of all has each amount with the other sign, and no other amount", () => {
    fc.assert(
      fc.property(asking, (data) => {
        const memo = credit(data)
        expect(listCents(memo)).toEqual(reverse(listCents(data)))
        memo.lineItems.forEach((line, at) => {
          expect(listLineCents(line)).toEqual(reverse(listLineCents(data.lineItems[at])))
          expect(line.unitPrice).toBe(data.lineItems[at]?.unitPrice)
        })
        expect(findWrong(memo)).toEqual([])
      }),
    )
  })

  it("a line that is changed to what it is changes nothing", () => {
    fc.assert(
      fc.property(asking, (data) => {
        for (const {
          invoiceLineNumber,
          quantity,
          unitPrice,
          unitOfMeasure = "",
          taxRate,
        } of data.lineItems) {
          const tax = taxRate === undefined ? "" : ` tax ${taxRate}`
          const text = `${invoiceLineNumber}=${quantity} x @ ${unitPrice}${tax} ${unitOfMeasure}`
          const lines = [valueOrThrow(parseLineChange(text), text)]
          expect(() => updateInvoice({ data }, { lines, removed: [], added: [], sets: [] }, WRITER)).toThrow(
            "this changes nothing",
          )
        }
      }),
    )
  })

  it("credits of single lines come to a credit of all lines, which has their part of the credit of all", () => {
    fc.assert(
      fc.property(asking, (data) => {
        const numbers = listNumbers(data)
        const [whole, together] = [credit(data), credit(data, numbers)]
        const names = ["subtotal", "discountAmount"] as const
        expect(listCents(together, names)).toEqual(listCents(whole, names))
        const sums = ["subtotal", "taxAmount", "discountAmount", "grossAmount"] as const
        const singles = numbers.map((number) => listCents(credit(data, [number]), sums))
        expect(singles.reduce((all, each) => all.map((sum, at) => sum + (each[at] ?? 0)))).toEqual(
          listCents(together, sums),
        )
        expect(findWrong(together)).toEqual([])
      }),
    )
  })

  it("two parts of a line come to the line, but for the cent that each may be rounded by", () => {
    fc.assert(
      fc.property(asking, fc.integer({ min: 1, max: 99 }), (data, percent) => {
        for (const { invoiceLineNumber: line, quantity } of data.lineItems) {
          const part = Math.max(1, Math.floor(quantity * percent))
          const rest = toCents(quantity) - part
          if (rest <= 0) continue
          const names = ["subtotal", "taxAmount", "discountAmount"] as const
          const [one = [], other = [], whole = []] = [
            `${line}=${part / 100}`,
            `${line}=${rest / 100}`,
            `${line}`,
          ].map((text) => listCents(credit(data, [text]), names))
          whole.forEach((sum, at) => {
            expect(Math.abs((one[at] ?? 0) + (other[at] ?? 0) - sum)).toBeLessThanOrEqual(1)
          })
        }
      }),
    )
  })
})
