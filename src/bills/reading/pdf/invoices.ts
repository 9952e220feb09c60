/** The invoices of a PDF: each is a separate bill, with its tables, its facts and its stated sums. */
import {
  groupByPage,
  type Line,
  MONEY,
  namesAccount,
  overlaps,
  saysOfAccount,
  saysTotal,
} from "../../../input/index.ts"
import type { Band } from "../../../machine/index.ts"
import type { HeadingReader, PdfTable } from "./headings.ts"
import { readFacts } from "../facts.ts"
import { findRegions, joinTables, measureBands, type Step, type TableChoices } from "./tables.ts"
import {
  type Charged,
  listAccount,
  listAmounts,
  listCharged,
  listStated,
  listStatedInTable,
  type StatedTotal,
} from "./stated.ts"

export interface PdfInvoice {
  number: string
  page: number
  /** Cells of lines that may hold facts, with their positions. */
  facts: readonly { page: number; line: number; cells: string[] }[]
  stated: readonly StatedTotal[]
  /** Amounts with words; they may be rows or be left out. */
  amounts: readonly Charged[]
  /** Amounts with words of the account. */
  account: readonly StatedTotal[]
  /** It states a balance or payments other than zero. */
  hasBalance: boolean
  readTables(choices: TableChoices): Promise<readonly PdfTable[]>
  /** The column positions; undefined if they cannot be determined. */
  measureBands(): Band[] | undefined
}

interface Splitting extends Pick<TableChoices, "keepsRefused"> {
  reader: HeadingReader
  nowMs: number
  step: Step
}

/** Splits lines into invoices, in order. A page with another number, or a first page of several, starts another. */
export async function splitInvoices(
  name: string,
  lines: readonly Line[],
  splitting: Splitting,
): Promise<PdfInvoice[]> {
  const starts = await findStarts(lines, splitting)
  const invoices: PdfInvoice[] = []
  for (const [at, start] of starts.entries()) {
    const own = lines.slice(start, starts[at + 1])
    const [first] = own
    if (first) invoices.push(await toInvoice(name, own, first.page, splitting))
  }
  return invoices
}

async function toInvoice(
  name: string,
  lines: readonly Line[],
  page: number,
  { reader, nowMs, step, keepsRefused = false }: Splitting,
): Promise<PdfInvoice> {
  const regions = await findRegions(lines, reader, step)
  const read = new Map<string, readonly PdfTable[]>()
  const readTables = async ({ stopsAtTotal, addsExGst = false }: TableChoices) => {
    const key = `${stopsAtTotal} ${addsExGst}`
    const choices = { stopsAtTotal, addsExGst, keepsRefused }
    const tables = read.get(key) ?? (await joinTables(name, regions.regions, choices, step))
    read.set(key, tables)
    return tables
  }
  const tables = await readTables({ stopsAtTotal: false })
  const inTables = tables.flatMap(listStatedInTable)
  const sums = new Set(inTables.map(keyOf))
  const rows = new Set(
    tables.flatMap((table) => table.rows.filter(({ is }) => is === "row").map((row) => keyOf(row))),
  )
  const found = {
    facts: [] as { page: number; line: number; cells: string[] }[],
    stated: inTables,
    amounts: [] as Charged[],
    account: [] as StatedTotal[],
    hasBalance: false,
  }
  for (const own of groupByPage(lines)) {
    for (const [at, line] of own.entries()) {
      await step()
      if (rows.has(keyOf(line))) continue
      for (const cells of listFactCells(line, own[at + 1]))
        found.facts.push({ page: line.page, line: line.line, cells })
    }
    found.stated.push(...listStated(own, (line) => rows.has(keyOf(line)) || sums.has(keyOf(line))))
    found.amounts.push(...listCharged(own))
    found.account.push(...listAccount(own))
    found.hasBalance ||= own.some((line, at) => hasBalance(line, own[at - 1]))
  }
  return {
    ...found,
    number: readFacts(found.facts, nowMs).number,
    page,
    facts: found.facts.slice(0, MAX_FACTS),
    readTables,
    measureBands: () => measureBands(regions.regions),
  }
}

/** Maximum number of facts: a letterhead and the facts beside it have fewer. */
const MAX_FACTS = 200

const keyOf = ({ page, line }: Pick<Line, "page" | "line">) => `${page} ${line}`

function hasBalance(line: Line, above: Line | undefined): boolean {
  return listAmounts(line, above).some(
    ({ label, amount }) =>
      (isOverdue(label) || (namesAccount(label) && !/amount due|balance due/i.test(label))) &&
      /[1-9]/.test(amount.text),
  )
}

/** `30 days`, unlike `Current` and the total due. */
const isOverdue = (label: string) =>
  saysOfAccount(label) === "balance" && !/^current$/i.test(label) && !saysTotal(label)

async function findStarts(lines: readonly Line[], { reader, nowMs, step }: Splitting): Promise<number[]> {
  const { regions } = await findRegions(lines, reader, step)
  const rows = new Set(
    regions.flatMap((region) =>
      region.lines.filter(({ phrases }) => phrases.some(({ text }) => MONEY.test(text))).map(keyOf),
    ),
  )
  const starts = [0]
  let number = ""
  let lastRow = -1
  let pageStart = 0
  for (const [at, line] of lines.entries()) {
    await step()
    if (lines[at - 1]?.page !== line.page) pageStart = at
    const own = rows.has(keyOf(line))
      ? []
      : listFactCells(line, lines[at + 1]).map((cells) => readFacts([{ cells }], nowMs).number)
    const found = own.find((text) => text !== "") ?? ""
    const hasRows = lastRow >= (starts.at(-1) ?? 0)
    const isFirstPage = line.phrases.some(({ text }) => /\bpage:? *1 *(?:of|\/) *\d+/i.test(text))
    const isOther = found !== "" && number !== "" && found !== number
    const begins =
      hasRows &&
      (isOther ||
        (isFirstPage &&
          lastRow < pageStart &&
          found === "" &&
          !(await saysNumber(lines, pageStart, line.page, number, { nowMs, step }))))
    if (begins) starts.push(lastRow < pageStart ? pageStart : lastRow + 1)
    if (begins && found === "") number = ""
    if (found !== "") number = found
    if (rows.has(keyOf(line))) lastRow = at
  }
  return [...new Set(starts)]
}

/** Whether a page repeats the invoice number of the pages before it. */
async function saysNumber(
  lines: readonly Line[],
  from: number,
  page: number,
  number: string,
  { nowMs, step }: Pick<Splitting, "nowMs" | "step">,
): Promise<boolean> {
  if (number === "") return false
  for (let at = from; lines[at]?.page === page; at++) {
    await step()
    const line = lines[at]
    if (
      line &&
      listFactCells(line, lines[at + 1]).some((cells) => readFacts([{ cells }], nowMs).number === number)
    )
      return true
  }
  return false
}

/** `Invoice N0098812`, `Tax invoice no. RT 123`, `Invoice date 30/11/2026`: label and value in one phrase. */
const LABELLED =
  /^((?:tax )?invoice(?: ?(?:no|number|num|ref|date|#))?\.?|(?:bill|statement|document) (?:no|number|date)\.?|date(?: of (?:invoice|issue))?|issue date)\s*[:#]?\s+(?=(?:(?<=(?:no|number|num|#)\W+)[a-z]{1,4} )?\S*\d)(\S.{0,40})$/i
const CANONICAL: readonly (readonly [RegExp, string])[] = [
  [/date/i, "Invoice date"],
  [/./, "Invoice no"],
]

/** Cells of a line for finding facts: labels with the values beside or below them. */
export function listFactCells(line: Line, below: Line | undefined): string[][] {
  const cells = line.phrases.flatMap(({ text }): string[] => {
    const [, label, value] = LABELLED.exec(text) ?? []
    if (label === undefined || value === undefined) return [text]
    return [CANONICAL.find(([pattern]) => pattern.test(label))?.[1] ?? label, value]
  })
  const isNear = below?.page === line.page && below.y - line.y <= FACT_LEADING * line.height
  if (!isNear || line.phrases.some(({ text }) => /\d/.test(text))) return [cells]
  const pairs = line.phrases.flatMap((label) => {
    const value = below.phrases.find((each) => overlaps(each, label))
    return value &&
      /\d/.test(value.text) &&
      !/:|^\p{L}+ (?:no|number)\b/iu.test(value.text) &&
      /^[\p{L} .#:]{3,24}$/u.test(label.text)
      ? [[label.text.replace(/:$/, ""), value.text]]
      : []
  })
  return [cells, ...pairs]
}

/** Maximum distance of a value below its label, in letter heights. */
const FACT_LEADING = 2.4
