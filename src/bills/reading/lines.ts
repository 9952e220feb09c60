/** The charges of a row: its amounts on their basis, as one charge or as its parts. */
import { wallClockNow } from "../../base/wall-clock.ts"
import { KINDS, readCell, readText } from "../../contract/index.ts"
import { share } from "../../base/money.ts"
import { findNumbers } from "../names.ts"
import { type Basis, mayNotCount, saysNotAsked } from "../../input/index.ts"
import { type Money, NO_MONEY } from "../money.ts"
import type { BillName, ReadLine } from "../bill.ts"
import { toCharge } from "./charge.ts"
import { type BillFieldName, mayBeWhole, saysWhole } from "./columns.ts"
import { type BillColumnsRead, type BillRow, getText, type Part, sumParts } from "./row.ts"

export interface LineContext extends BillColumnsRead {
  /** The basis of unmarked amounts, by the GST beside them in the first rows. */
  gstBasis: Basis | undefined
  nowMs: number
}

/** Questions about a row that only a person can answer, by column position. */
export interface UnclearAmount {
  index: number
  as: "extra" | "whole" | "total" | "status"
  /** Headings of the columns that seem to be extra charges. */
  beside: string
}

export interface RowLines {
  /** The data common to all its charges, even if the row has no amount. */
  common: Pick<ReadLine, "names" | "damaged" | "service" | "grams">
  lines: ReadLine[]
  unclear: UnclearAmount[]
}

/** The cell of a row's GST where the amount that it is of is missing. */
export function findLoneGst({ cells, amounts }: BillRow): BillRow["cells"][number] | undefined {
  return amounts.get("gst") ? cells.find(({ field }) => field?.holds === "gst") : undefined
}

type PartLine = Money & Pick<Part, "charge" | "label">

/** The charges of a row; none where it has no amount. */
export function readLines(row: BillRow, context: LineContext): RowLines {
  const common = {
    ...readNames(row),
    service: getText(row, "service"),
    grams: row.grams,
    shipped: readDate(getText(row, "shipDate"), context.nowMs),
    item: findItem(row),
  }
  const { lines, unclear } = splitRow(row, context)
  const status = row.cells.find(({ field, text }) =>
    field ? field.name === "status" && mayNotCount(text) : saysNotAsked(text),
  )
  const isOpen = status && lines.length > 0 && !context.isMapped[status.index]
  return {
    common,
    lines: lines.map((line) => ({ ...common, ...line })),
    unclear: isOpen ? [...unclear, { index: status.index, as: "status", beside: "" }] : unclear,
  }
}

function splitRow(row: BillRow, context: LineContext): { lines: PartLine[]; unclear: UnclearAmount[] } {
  const { parts, extras, label } = row
  const whole = readWhole(row, context)
  const clear = (lines: PartLine[]) => ({ lines, unclear: [] })
  if (!whole) {
    const gst = row.amounts.get("gst") ?? 0
    const tax = gst !== 0 && toCharge(label) === "tax" ? [toTaxLine(gst)] : []
    const lines = parts.length > 0 ? splitParts(sumWhole(row, context), parts) : tax
    const totals = row.cells.filter(
      ({ field, index, column, text }) => !field && !context.isMapped[index] && mayBeWhole(column, text),
    )
    return {
      lines,
      unclear: [
        ...totals.map(({ index }) => ({ index, as: "total", beside: "" }) as const),
        ...extras.map(({ index }) => ({ index, as: "extra", beside: "" }) as const),
      ],
    }
  }
  const all = [...parts, ...extras]
  if (all.length > 1 && isSplit(whole, all)) return clear(splitParts(whole, all))
  if (parts.length > 0 && isSplit(whole, parts)) return clear(splitParts(whole, parts))
  const one = { ...whole, charge: chargeOf(label, whole), label }
  if (all.length === 0) return clear([one])
  const fallback = findFallbackWhole(row)
  // A charge that a person has mapped beside such an amount is extra.
  const onTop = parts.filter(({ index }) => context.isMapped[index])
  const isAdded = fallback !== undefined && onTop.length > 0 && onTop.length === parts.length
  const added = [toPart(row), ...parts]
  if (isAdded) return clear(splitParts(sumWhole(row, context, added), added))
  if (fallback === undefined || context.isMapped[fallback] || saysByGst(whole, all))
    return clear(parts.length > 0 ? splitParts(whole, parts) : [one])
  const beside = all.map(({ column }) => column).join('" and "')
  const unclear: UnclearAmount[] =
    parts.length > 0
      ? [{ index: fallback, as: "whole", beside }]
      : extras.map(({ index }) => ({ index, as: "extra", beside: context.headers[fallback] ?? "" }))
  return { lines: [one], unclear }
}

/** A column that may be the total of its row, or exclude the other columns; undefined if none is open. */
function findFallbackWhole({ cells, amounts }: BillRow): number | undefined {
  if (amounts.has("amountExGst") && amounts.has("amountIncGst")) return undefined
  const wholes = cells.filter(({ field }) => field?.holds === "total")
  return wholes.some(({ column }) => saysWhole(column)) ? undefined : wholes[0]?.index
}

/** Whether a row's GST is that of its amount alone, without the charges beside it. */
function saysByGst({ exGst, gst }: Money, parts: readonly Part[]): boolean {
  if (exGst === null || gst === null || gst === 0) return false
  return isTenth(gst, exGst) && !isTenth(gst, exGst + sumParts(parts))
}

const TENTHS = 10
const isTenth = (gst: number, cents: number) => Math.abs(gst * 10 - cents) <= TENTHS

/** Whether an amount includes the GST beside it; undefined if that is not a tenth of either. */
function findBasisByGst(cents: number, gst: number): Basis | undefined {
  if (isTenth(gst, cents)) return "exGst"
  return isTenth(gst, cents - gst) ? "incGst" : undefined
}

function toPart({ label, amounts, basis: said }: BillRow): Part {
  const [name, cents = 0] = [...amounts].find(([each]) => each.startsWith("amount")) ?? []
  const basis = name === "amountExGst" ? "exGst" : name === "amountIncGst" ? "incGst" : said
  return { column: "", index: -1, charge: toCharge(label), label, cents, basis }
}

/** GST beside its amount is not a separate charge, whatever the row is called. */
function chargeOf(label: string, { gst }: Money): PartLine["charge"] {
  const charge = toCharge(label)
  return charge === "tax" && gst !== null && gst !== 0 ? "other" : charge
}

/** The total of the row, if a column has it. */
function readWhole(row: BillRow, { gstBasis }: LineContext): Money | undefined {
  const { amounts, label } = row
  const [ex, gst, inc, unspecifiedGstCents] = ["amountExGst", "gst", "amountIncGst", "amount"].map((name) =>
    amounts.get(name),
  )
  if (ex === undefined && inc === undefined && unspecifiedGstCents === undefined) return undefined
  if (ex !== undefined || inc !== undefined) return complete(ex, gst, inc)
  const basis =
    row.basis ?? (gst !== undefined && gst !== 0 && toCharge(label) !== "tax" ? gstBasis : undefined)
  if (basis === "exGst") return complete(unspecifiedGstCents, gst, undefined)
  if (basis === "incGst") return complete(undefined, gst, unspecifiedGstCents)
  return { ...NO_MONEY, gst: gst ?? null, unspecifiedGstCents: unspecifiedGstCents ?? null }
}

function complete(ex: number | undefined, gst: number | undefined, inc: number | undefined): Money {
  const exGst = ex ?? (inc !== undefined && gst !== undefined ? inc - gst : null)
  const incGst = inc ?? (ex !== undefined && gst !== undefined ? ex + gst : null)
  const tax = gst ?? (exGst !== null && incGst !== null ? incGst - exGst : null)
  return { exGst, gst: tax, incGst, unspecifiedGstCents: null }
}

/** The sum of a row's parts, with its GST; undefined if they are not all on one basis. */
function sumWhole(
  { basis: ofRow, amounts, parts: own }: BillRow,
  { gstBasis }: LineContext,
  parts: readonly Part[] = own,
): Money | undefined {
  const gst = amounts.get("gst")
  const cents = sumParts(parts)
  // Extra charges were not part of the first look at its GST.
  const byGst = gst ? (findBasisByGst(cents, gst) ?? gstBasis) : undefined
  const bases = new Set(parts.map(({ basis }) => basis ?? ofRow ?? byGst))
  if (bases.size > 1) return undefined
  const [basis] = bases
  if (basis === "exGst") return complete(cents, gst, undefined)
  if (basis === "incGst") return complete(undefined, gst, cents)
  return { ...NO_MONEY, gst: gst ?? null, unspecifiedGstCents: cents }
}

/** Whether these parts add up to the amount, with or without its GST. */
function isSplit({ exGst, incGst, unspecifiedGstCents, gst }: Money, parts: readonly Part[]): boolean {
  const unsaidExGst = unspecifiedGstCents !== null && gst !== null ? unspecifiedGstCents - gst : null
  return [exGst, incGst, unspecifiedGstCents, unsaidExGst].includes(sumParts(parts))
}

const toTaxLine = (gst: number): PartLine => ({ ...NO_MONEY, gst, charge: "tax", label: "gst" })

/** The total's own GST decides for all parts; the rest that they lack is another charge. */
function splitParts(whole: Money | undefined, parts: readonly Part[]): PartLine[] {
  const sum = sumParts(parts)
  const lines = (nameOf: (part: Part) => keyof Money) =>
    parts.map((part) => ({
      ...NO_MONEY,
      [nameOf(part)]: part.cents,
      charge: part.charge,
      label: part.label,
    }))
  if (!whole) return lines(({ basis }) => basis ?? "unspecifiedGstCents")
  const { gst, incGst, unspecifiedGstCents } = whole
  // The parts decide whether a total includes the GST beside it.
  const exGst =
    unspecifiedGstCents !== null && gst !== null && sum === unspecifiedGstCents - gst ? sum : whole.exGst
  if (exGst !== null && sum === exGst)
    return gst === null ? lines(() => "exGst") : [...lines(() => "exGst"), toTaxLine(gst)]
  if (incGst !== null && sum === incGst) {
    if (gst === null) return lines(() => "incGst")
    const shares = share(
      gst,
      parts.map(({ cents }) => cents),
    )
    return parts.map(({ cents, charge, label }, at) => {
      const own = shares[at] ?? 0
      return { exGst: cents - own, gst: own, incGst: cents, unspecifiedGstCents: null, charge, label }
    })
  }
  if (unspecifiedGstCents !== null && sum === unspecifiedGstCents && gst === null)
    return lines(() => "unspecifiedGstCents")
  return [{ ...whole, charge: "freight", label: "" }]
}

const NAMES: readonly BillFieldName[] = ["consignment", "consignmentAbove", "shipment", "order", "reference"]
const NUMBERS: readonly string[] = ["consignment", "consignmentAbove"]

function readNames({ cells, label }: BillRow): { names: BillName[]; damaged?: string } {
  const names: BillName[] = []
  let damaged: string | undefined
  for (const name of NAMES)
    for (const { text, column, field } of cells) {
      if (field?.name !== name || text === label) continue
      const whole = text.replace(/^(\d+)\.0+$/, "$1")
      const isNumber = NUMBERS.includes(name)
      if (readText(whole).ok) names.push({ text: whole, field: column, isNumber })
      else if (isNumber) damaged = whole
    }
  if (names.length === 0 && damaged === undefined) {
    const column = cells.find(({ text }) => text === label)?.column ?? ""
    for (const text of findNumbers(label)) names.push({ text, field: column })
  }
  return { names, ...(damaged !== undefined && { damaged }) }
}

const ITEM = /^(?:\D{0,12} )?(\d{1,3}) ?(of|\/) ?(\d{1,3})$/i

/** Headings and words that make `2/3` an item count; otherwise it may be a day. */
const OF_ITEMS =
  /\b(?:items?|cartons?|ctns?|pieces?|pcs?|labels?|parcels?|packages?|pkgs?|box(?:es)?|articles?|pallets?)\b/i

/** `1 of 2`, `Carton 2/3`; a page is not an item. */
function findItem({ cells }: BillRow): string | undefined {
  for (const { text, column, field } of cells) {
    const [, nth = "", sign, all = ""] = ITEM.exec(text) ?? []
    if (sign === undefined || field?.kind === "day" || /\bpage\b/i.test(`${column} ${text}`)) continue
    if (sign === "/" && !OF_ITEMS.test(`${column} ${text}`)) continue
    if (Number(nth) >= 1 && Number(nth) <= Number(all)) return `${Number(nth)} of ${Number(all)}`
  }
  return undefined
}

/** An unambiguous day; otherwise empty, because no verdict relies on it. */
export function readDate(text: string, nowMs: number): string {
  if (text === "" || /^\d{4}-\d\d-\d\d$/.test(text)) return text
  const read = readCell(KINDS.day, text, { nowMs, now: () => wallClockNow(nowMs) })
  return (read.ok && read.value) || ""
}
