/**
 * Valid invoices with one to three mistakes, and what `--fix` and `--fix=totals` make of them.
 *
 * Changes of meaning are found by comparing three texts, without freight: the invoice before the mistakes, with them, and
 * after the fix. Each value of the fixed document must be at the same place in the mistaken one (it was left alone) or in
 * the valid one (it was put right). Nothing else may appear, and no number that was in its place may disappear.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import type { ExamineOptions } from "../../src/invoice/finding.ts"
import { fixDocument } from "../../src/invoice/fixes/fix.ts"
import { applyEdits } from "../../src/invoice/fixes/splice.ts"
import { soundInvoice } from "./random-invoices.ts"
import { fullInvoice } from "./samples.ts"

type Leaf = string | number | boolean | null
type Holder = Record<string, unknown>

/** Every value that is not an object or a list, by its place. */
function leavesOf(value: unknown, place = "", leaves = new Map<string, Leaf>()): Map<string, Leaf> {
  if (typeof value !== "object" || value === null) leaves.set(place, value as Leaf)
  else for (const [name, inner] of Object.entries(value)) leavesOf(inner, `${place}/${name}`, leaves)
  return leaves
}

/** @returns the number that a comma is in, where it is not JSON and a text stands for it until the document is written */
function getMeant(value: Leaf | undefined): Leaf | undefined {
  const number = typeof value === "string" ? /^raw (\S+) /.exec(value)?.[1] : undefined
  return number === undefined ? value : Number(number)
}

/** Values that may move to another name: they add nothing. */
const SAYS_NOTHING: ReadonlySet<Leaf> = new Set(["", " ", 0])

/** Changes of meaning, by place: none if the fix is right. */
function changesOfMeaning(valid: unknown, mistaken: unknown, fixed: unknown): string[] {
  const [before, after, now] = [valid, mistaken, fixed].map((each) => leavesOf(each))
  const changed: string[] = []
  for (const [place, value] of now ?? [])
    if (value !== getMeant(after?.get(place)) && value !== before?.get(place) && !SAYS_NOTHING.has(value))
      changed.push(`${place} became ${value}`)
  for (const [place, value] of after ?? [])
    if (typeof value === "number" && before?.has(place) && !now?.has(place)) changed.push(`${place} is gone`)
  return changed
}

/** Names that people, spreadsheets and other programs give to fields. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  quantity: ["qty", "Quantity", "quantitiy"],
  unitPrice: ["price", "unit_price", "unitprice", "UnitPrice"],
  subtotal: ["lineTotal", "subTotal", "sub_total"],
  taxAmount: ["tax", "gst", "gstAmount", "tax_amount"],
  taxRate: ["gstRate", "taxPercent", "TaxRate"],
  shippingAmount: ["freight", "shipping", "shippingCost"],
  discountAmount: ["discount", "discount_amount", "discountAmt"],
  grossAmount: ["gross", "GrossAmount", "grossAmt"],
  netAmount: ["net", "NetAmount"],
  depositAmount: ["paidAmount", "amountPaid"],
  dueAmount: ["amountDue", "totalDue", "dueAmt"],
  postalCode: ["postcode", "zip"],
  city: ["suburb", "City"],
  description: ["desc", "item"],
  invoiceNumber: ["invoiceNo", "InvoiceNumber"],
}
/** Amounts under such names that the invoice does not have. */
const INVENTED = [
  "gst",
  "tax",
  "freight",
  "shipping",
  "price",
  "rate",
  "amountPaid",
  "discount",
  "qty",
  "percent",
]

/** A mistake, made in a document at a place that the numbers choose. The text may not be JSON afterwards. */
type Mistake = (document: unknown, at: number, other: number) => ((text: string) => string) | undefined

interface Spot {
  holder: Holder
  name: string
  value: Leaf
}

function spotsIn(value: unknown, spots: Spot[] = []): Spot[] {
  if (typeof value !== "object" || value === null) return spots
  for (const [name, inner] of Object.entries(value)) {
    if (name === "extrinsics") continue
    if (typeof inner === "object" && inner !== null) spotsIn(inner, spots)
    else if (!Array.isArray(value)) spots.push({ holder: value as Holder, name, value: inner as Leaf })
  }
  return spots
}

function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % from.length]
}

function amountsIn(document: unknown): (Spot & { value: number })[] {
  return spotsIn(document).filter(
    (spot): spot is Spot & { value: number } =>
      typeof spot.value === "number" && !/Reference|LineNumber|postalCode|phone/.test(spot.name),
  )
}

const TYPED = "a typing mistake"

const MISTAKES: Readonly<Record<string, Mistake>> = {
  "another name": (document, at, other) => {
    const spot = pick(
      spotsIn(document).filter(({ name }) => Object.hasOwn(OTHER_NAMES, name)),
      at,
    )
    const name = spot && pick(OTHER_NAMES[spot.name] ?? [], other)
    if (!spot || !name || Object.hasOwn(spot.holder, name)) return undefined
    const members = Object.entries(spot.holder)
    for (const [each] of members) delete spot.holder[each]
    for (const [each, value] of members) spot.holder[each === spot.name ? name : each] = value
    return undefined
  },
  "an amount in a text": (document, at, other) => {
    const spot = pick(amountsIn(document), at)
    if (!spot) return undefined
    const [whole = "", cents = ""] = spot.value.toFixed(2).split(".")
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
    if (Number(`${whole}.${cents}`) !== spot.value) return undefined
    const forms = [
      String(spot.value),
      `$${grouped}.${cents}`,
      `${whole},${cents}`,
      `${grouped}.${cents}`,
      cents === "00" ? grouped : `${grouped}.${cents}`,
      `${spot.value} AUD`,
    ]
    spot.holder[spot.name] = pick(forms, other)
    return undefined
  },
  "a comma in a number": (document, at, other) => {
    const spot = pick(amountsIn(document), at)
    if (!spot) return undefined
    const [whole = "", cents = ""] = spot.value.toFixed(2).split(".")
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
    if (Number(`${whole}.${cents}`) !== spot.value) return undefined
    const raw = pick(
      [
        `${whole},${cents}`,
        `${grouped}.${cents}`,
        cents === "00" ? grouped : `${grouped}.${cents}`,
        `$${whole}.${cents}`,
      ],
      other,
    )
    const mark = `raw ${spot.value} ${at} ${other}`
    spot.holder[spot.name] = mark
    return (text) => text.replace(JSON.stringify(mark), () => raw ?? "")
  },
  [TYPED]: (document, at, other) => {
    const spot = pick(amountsIn(document), at)
    if (!spot) return undefined
    const digits = spot.value.toFixed(2)
    const place = other % digits.length
    const typed = [
      String(-spot.value),
      String(Number((spot.value * 10).toFixed(2))),
      String(Number((spot.value / 10).toFixed(2))),
      digits.replace(/(\d)(\d)/, "$2$1"),
      `${digits.slice(0, place)}${(other >> 3) % 10}${digits.slice(place)}`,
      digits.slice(0, place) + digits.slice(place + 1),
      "0",
    ]
    const value = Number(pick(typed, other >> 1))
    if (!Number.isNaN(value)) spot.holder[spot.name] = value
    return undefined
  },
  "a field that is gone": (document, at) => {
    const spot = pick(spotsIn(document), at)
    if (spot) delete spot.holder[spot.name]
    return undefined
  },
  "an empty field": (document, at, other) => {
    const spot = pick(spotsIn(document), at)
    if (spot) spot.holder[spot.name] = pick([null, "", " "], other)
    return undefined
  },
  "an invented amount": (document, at, other) => {
    const { lineItems, invoiceSummary } = (
      document as { data: { lineItems: Holder[]; invoiceSummary: Holder } }
    ).data
    const holder = pick([...lineItems, invoiceSummary], at)
    const name = pick(INVENTED, other)
    // 10 percent is what the tax says already.
    const amounts = name === "percent" ? [5, "12%"] : [10, 5, 12, 55.5, "10", "$7.77", "12%"]
    if (holder && name) holder[name] = pick(amounts, other >> 4)
    return undefined
  },
  "a choice in other letters": (document, at) => {
    const spot = pick(
      spotsIn(document).filter(({ name }) => /currency|country|purpose|type|Type|unitOfMeasure/.test(name)),
      at,
    )
    if (spot) spot.holder[spot.name] = String(spot.value).toLowerCase()
    return undefined
  },
  "a code as a number": (document, at) => {
    const spot = pick(
      spotsIn(document).filter(
        ({ value }) => /^[1-9]\d{3}$/.test(String(value)) && typeof value === "string",
      ),
      at,
    )
    if (spot) spot.holder[spot.name] = Number(spot.value)
    return undefined
  },
  "a list of one": (document, at) => {
    const spot = pick(amountsIn(document), at)
    if (spot) spot.holder[spot.name] = [spot.value]
    return undefined
  },
  "a comma too many": () => (text) => text.replace(/\}(?=[^}]*$)/, ",}"),
}

const mistakes = fc.array(
  fc.record({ kind: fc.constantFrom(...Object.keys(MISTAKES)), at: fc.nat(), other: fc.nat() }),
  { minLength: 1, maxLength: 3 },
)

const OPTIONS: ExamineOptions = { stage: "canonical", accounting: true, strict: false, rules: {} }

function errorsIn(text: string): number {
  return examine(text, OPTIONS).filter(({ severity }) => severity === "error").length
}

/** @param runs documents, each fixed in both ways */
export function describeFixes(runs: number, seed?: number): void {
  describe.each([
    ["--fix", false],
    ["--fix=totals", true],
  ])("%s of a valid invoice with mistakes", (_, totals) => {
    it("changes no meaning, makes nothing worse, and is done", () => {
      const settings = { examine: OPTIONS, totals }
      const fix = (text: string) => applyEdits(text, fixDocument(text, settings))
      fc.assert(
        fc.property(
          fc.oneof({ weight: 5, arbitrary: soundInvoice }, fc.constant(fullInvoice())),
          mistakes,
          (valid, made) => {
            const mistaken = structuredClone(valid) as unknown
            // A value in another notation keeps its meaning and a mistyped one loses it, so mistyping comes last.
            const inOrder = [...made].sort(
              (one, other) => Number(one.kind === TYPED) - Number(other.kind === TYPED),
            )
            const writes = inOrder.map(({ kind, at, other }) => MISTAKES[kind]?.(mistaken, at, other))
            const plain = JSON.stringify(mistaken)
            const text = writes.reduce((written, write) => write?.(written) ?? written, plain)
            const fixed = fix(text)
            expect(fix(fixed)).toBe(fixed)
            if (fixed === text) return
            // A text that is not JSON has one error, whatever else is wrong with it.
            expect(errorsIn(fixed)).toBeLessThanOrEqual(Math.max(errorsIn(text), errorsIn(plain)))
            expect(changesOfMeaning(valid, mistaken, JSON.parse(fixed))).toEqual([])
          },
        ),
        { numRuns: runs, ...(seed !== undefined && { seed }) },
      )
    })
  })
}
