/** Puts the rows of a file together to invoices. */
import { counted } from "../../../base/counted.ts"
import { quoted, valueOrThrow } from "../../../base/parsed.ts"
import { FreightError } from "../../../base/errors.ts"
import { createRowsReport, errorsIn, type RowFinding } from "../../../input/index.ts"
import { foldIdentifier } from "../../../base/order-number.ts"
import {
  type Asking,
  askInOrder,
  type InvoiceTexts,
  type KnownParts,
  type Need,
  NEEDS,
  type OfferedParties,
  listMissing,
  readTexts,
} from "../ask.ts"
import {
  formatMoney,
  getMagnitude,
  HALF_CENT,
  isWithin,
  times,
  toAmount,
  ZERO,
} from "../../accounting/amounts.ts"
import type { Finding } from "../../finding.ts"
import { CREDITS } from "../../kind.ts"
import { createDraft, examineDraft, type NewInvoice, reverseLine } from "../draft.ts"
import { type NewLine, parseDue } from "../texts.ts"
import { describeColumn } from "./fields.ts"
import { leaveOut, rowErrorAt } from "./errors.ts"
import { fieldOf, findConflict, readHead } from "./head.ts"
import { readLine } from "./line.ts"
import type { InvoiceRow, InvoiceRows } from "./row.ts"

type Group = readonly [InvoiceRow, ...InvoiceRow[]]

export interface RowsInvoice {
  parts: NewInvoice
  rows: Group
}

/**
 * Builds invoices from rows and flags, and asks the person once for what all of them lack.
 * @param today the default date of the invoices: `2026-11-20`
 * @param person how to ask the person, and the parties to offer; absent if nobody can be asked
 * @param known the shipments' data; rows and flags override it
 * @returns also whether GST was added because no column states the tax
 */
export async function gatherInvoices(
  source: InvoiceRows,
  texts: InvoiceTexts,
  today: string,
  person?: { prompt(): Promise<Asking>; parties: OfferedParties },
  known: KnownParts = {},
): Promise<{ invoices: RowsInvoice[]; isTaxAssumed: boolean }> {
  const groups = groupRows(source)
  const compose = (given: InvoiceTexts) => composeInvoices(source, groups, given, today, known)
  let composed = compose(texts)
  throwErrors(source, [...source.findings, ...composed.findings])
  if (composed.lacking.length > 0) {
    // A number that is asked for can be that of one invoice only.
    const isAskable = groups.length === 1 || !composed.lacking.includes("number")
    if (!person || !isAskable) throw lackingError(composed.lacking, groups.length)
    const findLacking = (given: InvoiceTexts) => compose(given).lacking
    composed = compose(await askInOrder(texts, findLacking, await person.prompt(), person.parties, known))
    throwErrors(source, composed.findings)
  }
  return composed
}

/**
 * Makes the draft of each invoice, and checks it as `invoice validate` does.
 * @param userAgent the program that writes it: `freight-cli/1.0.0`
 * @param write gives its text
 */
export function writeDrafts(
  source: InvoiceRows,
  invoices: readonly RowsInvoice[],
  userAgent: string,
  write: (draft: ReturnType<typeof createDraft>) => string,
): { draft: ReturnType<typeof createDraft>; text: string; isNameless: boolean; doubts: Finding[] }[] {
  const findings: RowFinding[] = []
  const drafts = invoices.flatMap(({ parts, rows }) => {
    const tell = (row: InvoiceRow, rule: string, message: string, hint?: string) =>
      findings.push(rowErrorAt(source, row, undefined, rule, message, hint))
    try {
      const draft = createDraft(parts, userAgent)
      const text = write(draft)
      const wrongDue = explainDue(source, parts, draft.data.invoiceSummary.dueAmount)
      if (wrongDue) findings.push(rowErrorAt(source, rows[0], "dueAmount", "due", ...wrongDue))
      const { wrong, doubts, nameless } = examineDraft(text)
      for (const { rule, pointer, message, hint } of wrong) {
        const [, line] = /^\/data\/lineItems\/(\d+)/.exec(pointer) ?? []
        tell(rows[Number(line ?? 0)] ?? rows[0], rule, message, hint)
      }
      return [{ draft, text, isNameless: nameless !== undefined, doubts }]
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      tell(rows[0], "amounts", error.message)
      return []
    }
  })
  throwErrors(source, findings)
  return drafts
}

/**
 * Errors of the stated amount due, if that of the draft is different. Lines may each be rounded by
 * half a cent.
 */
function explainDue(
  { columnOf, isGrouped }: InvoiceRows,
  { statedDue, deposit = ZERO, lines }: NewInvoice,
  dueAmount: number,
): [message: string, hint: string] | undefined {
  const due = getMagnitude(toAmount(dueAmount) ?? ZERO)
  if (statedDue === undefined) return undefined
  const stated = getMagnitude(statedDue)
  const allowed = lines.length > 1 ? times(HALF_CENT, lines.length) : ZERO
  if (isWithin(stated, due, allowed)) return undefined
  const leave = leaveOut(columnOf, "dueAmount")
  return deposit === ZERO && stated < due
    ? [
        `${formatMoney(statedDue)} is due of ${formatMoney(due)}, and nothing says what was paid before`,
        // The flag would hold for all invoices of the file.
        `a column ${describeColumn("depositAmount")}${isGrouped ? "" : " or --deposit"} says it; or ${leave}, if all of it is to be paid`,
      ]
    : [
        `${formatMoney(statedDue)} is not ${formatMoney(due)}, which the lines come to${deposit === ZERO ? "" : ` less ${formatMoney(deposit)} paid before`}`,
        `correct it, or ${leave}`,
      ]
}

function throwErrors({ name, rowCount }: InvoiceRows, findings: readonly RowFinding[]): void {
  const report = createRowsReport()
  for (const finding of findings)
    if (finding.severity === "error") report.add({ row: finding.row, findings: [finding] })
  const errors = errorsIn(report)
  if (errors.length === 0) return
  throw new FreightError(
    "input",
    `${name}: ${report.bad.size} of ${counted(rowCount, "row")} cannot be used; nothing was written`,
    {
      errors,
      hint: "Fix them, and run this again. Rows are numbered as a spreadsheet shows them, headings included.",
    },
  )
}

function lackingError(lacking: readonly Need[], invoices: number): FreightError {
  return new FreightError("usage", "the invoices are incomplete", {
    errors: lacking.map((need) => {
      const { flag, question } = NEEDS[need]
      const column = `a column ${describeColumn(fieldOf(need))}`
      return {
        message: `${need === "number" && invoices > 1 ? column : `${flag}, or ${column}`}: ${question}`,
      }
    }),
    hint: "On a terminal, freight asks for what all of them lack. --map COLUMN=FIELD says what a column is.",
  })
}

function groupRows({ name, isGrouped, rows, columnOf }: InvoiceRows): Group[] {
  const groups = new Map<string, [InvoiceRow, ...InvoiceRow[]]>()
  for (const row of rows) {
    const group = groups.get(row.group)
    if (group) group.push(row)
    else groups.set(row.group, [row])
  }
  const numbered = isGrouped ? [] : rows.filter(({ texts }) => texts.has("invoiceNumber"))
  const [first] = numbered
  const numberOf = (row: InvoiceRow | undefined) => row?.texts.get("invoiceNumber") ?? ""
  const other = numbered.find((row) => numberOf(row) !== numberOf(first))
  if (first && other)
    throw new FreightError(
      "input",
      `${name}: rows ${first.row} and ${other.row} are of different invoices, ${quoted(numberOf(first))} and ${quoted(numberOf(other))}`,
      { hint: `For a draft of each: --per "${columnOf("invoiceNumber")}" -o FOLDER` },
    )
  return [...groups.values()]
}

interface Composed {
  invoices: RowsInvoice[]
  isTaxAssumed: boolean
  findings: RowFinding[]
  /** Fields that neither rows nor flags give, in the order of the questions. */
  lacking: Need[]
}

/** Invoices are composed only if nothing is missing and there are no errors. */
function composeInvoices(
  source: InvoiceRows,
  groups: readonly Group[],
  texts: InvoiceTexts,
  today: string,
  known: KnownParts,
): Composed {
  // Each invoice has its own date, by which the day of payment is judged.
  const { due, line: _, ...others } = texts
  const { lines: __, purpose, date, ...given } = readTexts(others, today)
  const flags = {
    ...given,
    ...(texts.date !== undefined && { date }),
    ...(purpose !== "standard" && { purpose }),
  }
  const findings: RowFinding[] = []
  let isTaxAssumed = false
  const invoices = groups.map((rows): RowsInvoice => {
    const { head, findings: wrong } = readHead(source, rows, flags)
    findings.push(...wrong)
    const whole = { purpose, date, ...known, ...head }
    const lines = rows.flatMap((row) => {
      const read = readLine(source, row)
      if ("findings" in read) {
        findings.push(...read.findings.map((finding) => ({ ...finding, row: row.row, line: row.line })))
        return []
      }
      isTaxAssumed ||= read.isTaxAssumed
      return [read.line]
    })
    const payable = due === undefined ? head.due : valueOrThrow(parseDue(due, whole.date), "--due")
    const referring = rows.find(({ texts }) => texts.has("refersTo"))
    if (referring && head.purpose === undefined && !rows.some(({ failed }) => failed.has("purpose")))
      findings.push(
        rowErrorAt(source, referring, "refersTo", "required", ...explainUntyped(head.refersTo ?? "")),
      )
    if (source.creditNote !== undefined && head.purpose === undefined)
      findings.push(rowErrorAt(source, rows[0], "purpose", "required", ...explainTitle(source.creditNote)))
    const paid = rows.find(({ texts }) => IS_PAID.test(texts.get("status") ?? ""))
    if (paid && (head.deposit ?? ZERO) === ZERO && head.statedDue === undefined)
      findings.push(rowErrorAt(source, paid, "status", "paid", ...explainPaid(source, paid)))
    const dated = rows.find(({ texts }) => texts.has("dueDate"))
    if (dated && head.due !== undefined && payable !== undefined)
      findings.push(...findConflict(source, dated, "dueDate", head.due, "--due", payable))
    const parts = {
      ...whole,
      ...(payable !== undefined && { due: payable }),
      lines: signLines(lines, whole.purpose),
    }
    return { parts: parts as NewInvoice, rows }
  })
  findings.push(...findRepeated(source, invoices))
  // For unreadable lines it is unknown whether they are taxed.
  const readable = invoices
    .filter(({ parts }) => parts.lines.length > 0)
    .map(({ parts, rows }) => ({ rows, missing: listMissing(parts) }))
  const lacking: Need[] = []
  for (const need of Object.keys(NEEDS) as Need[]) {
    if (need === "line") continue
    const field = fieldOf(need)
    const without = readable.filter(({ missing }) => missing.includes(need))
    if (without.length > 0 && invoices.every(({ parts }) => parts[need] === undefined)) lacking.push(need)
    else
      for (const { rows } of without) {
        const message = `${field} is missing`
        // A cell that cannot be read has its error already.
        if (!rows.some(({ failed }) => failed.has(field)))
          findings.push(rowErrorAt(source, rows[0], field, "required", message, "other invoices have it"))
      }
  }
  return { invoices, isTaxAssumed, findings, lacking }
}

/** A draft makes the quantities of a credit memo negative; rows may have them so already. */
function signLines(lines: readonly NewLine[], purpose: NewInvoice["purpose"]): NewLine[] {
  const isSigned =
    CREDITS.has(purpose) && lines.some(({ quantity, unitPrice }) => quantity < 0 !== unitPrice < 0)
  return lines.map((line) => (isSigned ? reverseLine(line) : line))
}

/** A row that names an earlier invoice may be a credit: as an invoice it would ask for the money again. */
function explainUntyped(number: string): [message: string, hint: string] {
  return [
    `${quoted(number)} is an earlier invoice, and nothing says whether this is a credit or a debit`,
    'a column "Type" with credit note or debit note says so, or --purpose creditMemo or debitMemo',
  ]
}

/** As an invoice, a credit note would ask for what it gives back. */
function explainTitle(title: string): [message: string, hint: string] {
  return [
    `${quoted(title)} above the headings says that this is a credit note, and nothing else says so`,
    'a column "Type" with credit note says so, or --purpose creditMemo; or take the title out',
  ]
}

const IS_PAID =
  /^(?:(?:fully|part|partly|partially)[ _-]?)?(?:paid|settled|refunded|credited|written[ _-]off)(?: in full| off)?$/i

/** A draft of a paid invoice would ask for the payment again. */
function explainPaid({ columnOf }: InvoiceRows, { texts }: InvoiceRow): [message: string, hint: string] {
  return [
    `it says ${quoted(texts.get("status") ?? "")}, and nothing says what was paid before: the draft would ask for all of it`,
    `a column ${describeColumn("depositAmount")} says it; or ${leaveOut(columnOf, "status")}, if all of it is to be paid`,
  ]
}

function findRepeated(source: InvoiceRows, invoices: readonly RowsInvoice[]): RowFinding[] {
  const first = new Map<string, number>()
  return invoices.flatMap(({ parts: { number }, rows: [row] }) => {
    if (number === undefined) return []
    const name = foldIdentifier(number)
    const before = first.get(name)
    if (before === undefined) {
      first.set(name, row.row)
      return []
    }
    const message = `${quoted(number)} is also the number of the invoice that begins in row ${before}`
    const hint = "give each invoice a number of its own"
    return [rowErrorAt(source, row, "invoiceNumber", "unique", message, hint)]
  })
}
