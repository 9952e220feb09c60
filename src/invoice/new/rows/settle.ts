/** Columns of lines with ambiguous headings: the rows decide, or a person does. */
import { readSignedNumber } from "../../../contract/index.ts"
import {
  type ColumnQuestion,
  type CsvRecord,
  listValues,
  type Mapping,
  toWords,
  UnclearColumns,
} from "../../../input/index.ts"
import {
  type Amount,
  add,
  CENT,
  getMagnitude,
  isWithin,
  subtract,
  takePercent,
  times,
  toAmount,
  ZERO,
} from "../../accounting/amounts.ts"
import type { RowValues } from "./cells.ts"
import { getField, type InvoiceField, mayBePrice, ROW_COLUMNS, saysPrice } from "./fields.ts"
import { AMBIGUOUS_AMOUNT, PRICES, priceLine, UNIT_PRICES } from "./price.ts"

/** A table whose columns are settled. */
export interface LineTable {
  name: string
  /** As `--map` names the columns. */
  names: readonly string[]
  fields: readonly (InvoiceField | undefined)[]
  records: readonly CsvRecord[]
}

/** @returns questions about unknown columns that may be the price or amount, if no row confirms the used one */
export function findOtherPrices(
  { names, fields, records }: LineTable,
  { isMapped }: Pick<Mapping<InvoiceField>, "isMapped">,
): ColumnQuestion[] {
  const has = (wanted: readonly string[]) => fields.some((field) => field && wanted.includes(field.name))
  const isConfirmed = has(SUMS) && (has(UNIT_PRICES) || has(["taxAmount"]))
  if (isConfirmed) return []
  const isListed = names.some((column, index) => fields[index]?.name === "price" && LISTED.test(column))
  return names.flatMap((column, index) => {
    const cells = records.map(({ cells }) => (cells[index] ?? "").trim()).filter((text) => text !== "")
    const heading = column.replace(/#\d+$/, "")
    const isNet = isListed && saysPrice(heading)
    if (fields[index] || isMapped(column) || !(isNet || mayBePrice(heading, cells))) return []
    const why = "may be the price or the amount, and nothing confirms the other"
    return [{ column, values: listValues(cells), why, choices: ["price", "amount"] }]
  })
}

/** A price that a net one beside it comes before. */
const LISTED = /^\W*(?:list|trade|wholesale)\b/i

const SUMS: readonly string[] = ["subtotal", "amountIncGst", "amount"]

const HUNDRED = toAmount(100) ?? ZERO

interface Settled {
  fields: (InvoiceField | undefined)[]
  /** Columns that are not used. */
  unused: string[]
  /** Questions that the rows do not answer. */
  questions: ColumnQuestion[]
}

/** Chooses among several columns of amounts: which repeats the total of the whole invoice, and which has GST in it. */
export function settleAmounts({ names, fields, records }: LineTable): Settled {
  const at = fields.flatMap((field, index) => (field?.name === "amount" ? [index] : []))
  const settled = [...fields]
  if (at.length < 2) return { fields: settled, unused: [], questions: [] }
  const invoice = fields.findIndex((field) => field?.name === "invoiceNumber")
  const ofWhole = at.filter((index) => isRepeated(records, index, invoice))
  const kept = at.filter((index) => !ofWhole.includes(index))
  const leaveOut = (indexes: readonly number[]) => {
    for (const index of indexes) settled[index] = undefined
    return { fields: settled, unused: indexes.map((index) => names[index] ?? ""), questions: [] }
  }
  if (kept.length === 1) return leaveOut(ofWhole)
  const [one = 0, other = 0, ...more] = kept
  if (kept.length === 2 && more.length === 0) {
    if (records.every(({ cells }) => readFigure(cells[one]) === readFigure(cells[other])))
      return leaveOut([...ofWhole, other])
    const tax = fields.findIndex((field) => field?.name === "taxAmount")
    for (const [before, after] of [
      [one, other],
      [other, one],
    ] as const)
      if (records.every(({ cells }) => addsTax(cells, before, after, tax))) {
        settled[before] = getField("subtotal")
        settled[after] = getField("amountIncGst")
        return { ...leaveOut(ofWhole), fields: settled }
      }
  }
  // The larger of two is with GST, if one is.
  const isReversed = records.some(
    ({ cells }) => (readFigure(cells[one]) ?? ZERO) > (readFigure(cells[other]) ?? ZERO),
  )
  return {
    ...{ fields: settled, unused: [] },
    questions: (kept.length > 0 ? kept : at).map((index, position) => ({
      column: names[index] ?? "",
      values: listValues(records.map(({ cells }) => cells[index] ?? "").filter(Boolean)),
      why: "is one of several amounts, and nothing says which",
      choices: (position === 0) !== isReversed ? ["subtotal", "amountIncGst"] : ["amountIncGst", "subtotal"],
    })),
  }
}

/** Takes the first of several columns of quantities, if all rows have the same in each. */
export function settleQuantities({ names, fields, records }: LineTable): Settled {
  const [first = -1, ...others] = fields.flatMap((field, index) =>
    field?.name === "quantity" ? [index] : [],
  )
  const differing = others.filter((index) =>
    records.some(({ cells }) => readFigure(cells[index]) !== readFigure(cells[first])),
  )
  if (differing.length === 0)
    return {
      fields: fields.map((field, index) => (others.includes(index) ? undefined : field)),
      unused: others.map((index) => names[index] ?? ""),
      questions: [],
    }
  return {
    ...{ fields: [...fields], unused: [] },
    questions: [first, ...differing].map((index) => ({
      column: names[index] ?? "",
      values: listValues(records.map(({ cells }) => cells[index] ?? "").filter(Boolean)),
      why: "is one of several quantities, and they differ",
      choices: ["quantity"],
      isOneOfSeveral: true,
    })),
  }
}

/**
 * The column of the descriptions if no known heading has them: the one with such words in its heading, or the only one
 * left with a different text on each line.
 * @returns its number; undefined if there is none, or more than one
 */
export function findDescription(
  { names, fields, records }: LineTable,
  { isMapped }: Pick<Mapping<InvoiceField>, "isMapped">,
): number | undefined {
  const has = (wanted: readonly string[]) => fields.some((field) => field && wanted.includes(field.name))
  if (has(["description"])) return undefined
  const priced = fields.flatMap((field, index) => (field && PRICES.includes(field.name) ? [index] : []))
  const lines = records.filter(({ cells }) => priced.some((index) => (cells[index] ?? "").trim() !== ""))
  const left = names.flatMap((column, index) => {
    const texts = lines.map(({ cells }) => (cells[index] ?? "").trim())
    const isLeft = !fields[index] && !isMapped(column) && !OF_OTHERS.test(toWords(column))
    return isLeft && column.trim() !== "" && areDescriptions(texts) ? [index] : []
  })
  const described = left.filter((index) => DESCRIBES.test(toWords(names[index] ?? "")))
  const candidates = described.length > 0 || has(["supplierItemId"]) ? described : left
  return candidates.length === 1 ? candidates[0] : undefined
}

const DESCRIBES = /^(?:descriptions?|details|particulars) of\b|\b(?:description|particulars)$/

/** Headings of texts about someone or something else than the goods. */
const OF_OTHERS =
  /\b(?:name|customer|client|buyer|supplier|vendor|contact|attention|staff|employee|worker|driver|by|rep|salesperson|person|email|phone|address|street|suburb|city|town|state|country|location|site|place|project|job|department|category|group|class|brand|colou?r|size|type|status|terms|method|payment|bank|account|currency|tax|gst|vat|discount|unit|uom|date|day|time|period|reference|ref|order|invoice|number|no|code|id|url|link|notes?|comments?|memo|reason|remarks?)\b(?!.* of (?:the )?(?:work|goods|jobs?|items?|services?)\b)/

/** Whether most of these are words, and say something else of each line. */
function areDescriptions(texts: readonly string[]): boolean {
  const words = texts.filter((text) => /\p{L}{3}/u.test(text) && !/@|:\/\//.test(text))
  return words.length > 0 && words.length === texts.length && new Set(words).size * 2 > texts.length
}

/**
 * Sets the quantity of lines without one to 1, if their amount is the unit price or there is no other price. A line
 * that may be the sum of the rows right above or below it is not changed.
 * @returns the rows, and those of them that were changed
 */
export function countAsOne<Row extends RowValues>(rows: readonly Row[]): { rows: Row[]; counted: Row[] } {
  const counted: Row[] = []
  const settled = rows.map((row, index) => {
    if (!isOne(row) || isSumOf(row, rows.slice(0, index).reverse()) || isSumOf(row, rows.slice(index + 1)))
      return row
    const one = { ...row, amounts: new Map([...row.amounts, ["quantity", ONE] as const]) }
    counted.push(one)
    return one
  })
  return { rows: settled, counted }
}

function isOne({ amounts, failed, texts }: RowValues): boolean {
  if (amounts.has("quantity") || failed.has("quantity")) return false
  if (SUMS.every((field) => !amounts.has(field)) || SUM_WORD.test(texts.get("description") ?? ""))
    return false
  const read = priceLine(new Map([...amounts, ["quantity", ONE]]), () => undefined)
  return "line" in read || read.finding.rule === AMBIGUOUS_AMOUNT
}

/** Whether an amount of a row is the sum of the first one or more others. */
function isSumOf({ amounts }: RowValues, others: readonly RowValues[]): boolean {
  return SUMS.some((field) => {
    const wanted = amounts.get(field)
    if (wanted === undefined || wanted === ZERO) return false
    let sum = ZERO
    for (const other of others) {
      sum = add(sum, other.amounts.get(field) ?? ZERO)
      if (sum === wanted) return true
      if (getMagnitude(sum) > getMagnitude(wanted)) return false
    }
    return false
  })
}

export const ONE = toAmount(1) ?? ZERO

/** Labels of rows below the lines, and of deductions without a minus. */
const SUM_WORD =
  /\b(?:sub-?totals?|totals?|sum|balance|due|payable|paid|payments?|deposit|forward|gst|tax|owing|net|gross|amount|invoice|less|discount|rebate|credit|refund)\b/i

/** Whether each invoice of several rows has the same figure in all of them. */
function isRepeated(records: readonly CsvRecord[], index: number, invoice: number): boolean {
  const groups = new Map<string, string[]>()
  for (const { cells } of records) {
    const number = cells[invoice] ?? ""
    const text = (cells[index] ?? "").trim()
    if (text !== "") groups.set(number, [...(groups.get(number) ?? []), text])
  }
  const all = [...groups.values()]
  return all.some((texts) => texts.length > 1) && all.every((texts) => new Set(texts).size === 1)
}

function addsTax(cells: readonly string[], before: number, after: number, tax: number): boolean {
  const [one, other] = [readFigure(cells[before]), readFigure(cells[after])]
  if (one === undefined || other === undefined) return one === other
  const [difference, said] = [subtract(other, one), tax < 0 ? undefined : readFigure(cells[tax])]
  if (said !== undefined) return difference === said
  return difference === ZERO || isWithin(difference, takePercent(one, times(CENT, 1000)), CENT)
}

function readFigure(text = ""): Amount | undefined {
  const read = readSignedNumber(text.trim(), { money: true })
  return read.ok ? toAmount(Number(read.value.toFixed(2))) : undefined
}

/**
 * Open questions about the rows: whether a discount is in percent, and whether GST is in the amounts.
 * @param columnOf the name of a field's column
 */
export function settleRows<Row extends RowValues>(
  name: string,
  rows: readonly Row[],
  columnOf: (field: string) => string | undefined,
): Row[] {
  const { settled, questions } = settleDiscount(rows, columnOf)
  const open = settled.filter(({ amounts }) => {
    const read = priceLine(amounts, columnOf)
    return "finding" in read && read.finding.rule === AMBIGUOUS_AMOUNT
  })
  if (open.length > 0) {
    const why = "does not say whether GST is in it, and nor does anything else"
    questions.push({ ...ask(columnOf, "amount", open), why, choices: ["subtotal", "amountIncGst"] })
  }
  if (questions.length > 0) throw unclear(name, questions)
  return settled
}

/** If the meaning of a discount is unknown, there is a question about it, and the rows follow the first answer. */
function settleDiscount<Row extends RowValues>(
  rows: readonly Row[],
  columnOf: (field: string) => string | undefined,
): { settled: Row[]; questions: ColumnQuestion[] } {
  const discounted = rows.filter(({ amounts }) => (amounts.get("discount") ?? ZERO) !== ZERO)
  const as = (field: string, row: Row): Row => {
    const { discount, ...others } = Object.fromEntries(row.amounts)
    return {
      ...row,
      amounts: new Map([
        ...Object.entries(others),
        ...(discount ? [[field, getMagnitude(discount)] as const] : []),
      ]),
    }
  }
  const settled = (field: string) => rows.map((row) => (row.amounts.has("discount") ? as(field, row) : row))
  if (discounted.length === 0) return { settled: settled(""), questions: [] }
  const price = (field: string) =>
    discounted.map((row) => {
      const { amounts } = as(field, row)
      if (field === "discountPercent" && (amounts.get(field) ?? ZERO) > HUNDRED) return undefined
      const read = priceLine(amounts, columnOf)
      return "line" in read ? read.line.sums.subtotal : undefined
    })
  const [inPercent, asAmount] = [price("discountPercent"), price("discountAmount")]
  const differing = discounted.map((_, at) => at).filter((at) => inPercent[at] !== asAmount[at])
  const [onlyPercent, onlyAmount] = [asAmount, inPercent].map((sums) =>
    differing.some((at) => sums[at] === undefined),
  )
  if (differing.length === 0 || onlyPercent !== onlyAmount)
    return { settled: settled(onlyAmount ? "discountAmount" : "discountPercent"), questions: [] }
  const question = {
    ...ask(columnOf, "discount", discounted),
    why: "may be in percent or an amount, and nothing says which",
    choices: ["discountPercent", "discountAmount"],
  }
  return { settled: settled("discountPercent"), questions: [question] }
}

function ask(columnOf: (field: string) => string | undefined, field: string, rows: readonly RowValues[]) {
  const values = rows.map(({ amounts }) =>
    String(Number(amounts.get(field) ?? ZERO) / Number(times(CENT, 100))),
  )
  return { column: columnOf(field) ?? field, values: listValues(values) }
}

export function unclear(name: string, questions: readonly ColumnQuestion[]): UnclearColumns {
  return new UnclearColumns(name, questions, undefined, ROW_COLUMNS.help.next, ROW_COLUMNS.fields)
}
