/**
 * The life of an invoice after it was sent: updates, a cancellation, credit and debit memos. Each document is a step;
 * from all of them follows whether the next one can be right.
 */
import type { InvoiceData, LineItem } from "../contract/generated/types.ts"
import { foldIdentifier } from "../base/order-number.ts"
import { quoted } from "../base/parsed.ts"
import {
  type Amount,
  add,
  CENT,
  formatLiteral,
  formatMoney,
  getMagnitude,
  toAmount,
  ZERO,
} from "./accounting/amounts.ts"
import { CANCELLED_INVOICE, type InvoiceStep, OVER_CREDITED, type StepLine } from "./accounting/duplicates.ts"
import { formatFileName } from "./finding.ts"
import { findKind } from "./kind.ts"

export interface TakenStep extends InvoiceStep {
  /** As the document writes it. */
  number: string
  file: string
  /** When it was registered: ISO 8601, UTC. */
  at: string
}

export function readStep(value: unknown): InvoiceStep {
  const data = Object(value) as Partial<InvoiceData>
  const { operation, documentReference, invoiceSummary, lineItems } = data
  const kind = findKind({ ...data, operation: "new" })
  const total = findTotal(Object(invoiceSummary))
  const isMemo = kind === "credit" || kind === "debit"
  const refersTo = isMemo ? Object(documentReference).invoiceId : undefined
  return {
    operation: operation === "update" || operation === "delete" ? operation : "new",
    kind: isMemo || kind === "information" ? kind : "invoice",
    ...(typeof refersTo === "string" && { refersTo }),
    ...(total !== undefined && { total: formatLiteral(getMagnitude(total)) }),
    lines: Array.isArray(lineItems) ? lineItems.map(readLine) : [],
  }
}

/** The amount that a document asks for, with tax and before deposits: gross amounts may lack a discount, and are not read. */
export function findTotal(summary: Partial<InvoiceData["invoiceSummary"]>): Amount | undefined {
  const { dueAmount, depositAmount = 0, netAmount } = summary
  const [net, due, deposit] = [read(netAmount), read(dueAmount), read(depositAmount)]
  return net ?? (due === undefined || deposit === undefined ? undefined : add(due, deposit))
}

function read(value: unknown): Amount | undefined {
  return typeof value === "number" ? toAmount(value, String(value)) : undefined
}

function toMagnitude(value: unknown): Amount | undefined {
  const amount = read(value)
  return amount === undefined ? undefined : getMagnitude(amount)
}

/** Characters of an item's text that are kept. */
const MAX_TEXT = 60

function readLine(value: unknown): StepLine {
  const line = Object(value) as Partial<LineItem>
  const item = line.supplierItemId ?? line.description
  return {
    ...(typeof line.invoiceLineNumber === "number" && { line: line.invoiceLineNumber }),
    ...(typeof line.poLineReference === "number" && { po: line.poLineReference }),
    ...(typeof line.asnLineReference === "number" && { asn: line.asnLineReference }),
    ...(typeof item === "string" && { item: foldIdentifier(item).slice(0, MAX_TEXT) }),
    amount: formatLiteral(toMagnitude(line.subtotal) ?? ZERO),
  }
}

export interface StepWarning {
  rule: string
  message: string
  hint: string
}

/** The known steps of an invoice and its memos, by number, the oldest first. */
export interface Chain {
  own: readonly TakenStep[]
  /** Steps of the invoice that a memo changes, or of the invoice itself. */
  invoice: readonly TakenStep[]
  /** Steps of each other memo that changes that invoice. */
  memos: readonly (readonly TakenStep[])[]
}

/**
 * Finds the errors of a step after those that were taken before.
 * @param number as the document writes it
 */
export function judgeStep(number: string, step: InvoiceStep, chain: Chain): StepWarning[] {
  const cancelled = findCancellation(chain.own)
  if (step.operation !== "new" && cancelled)
    return [
      warnCancelled(
        `${quoted(number)} was cancelled before, ${describeSource(cancelled)}`,
        step.operation === "delete"
          ? "do not cancel it again"
          : "do not update it: to bill what is still to be paid, write an invoice with its own number",
      ),
    ]
  const isMemo = step.kind === "credit" || step.kind === "debit"
  const credits = chain.memos.flatMap(findStanding).filter(({ kind }) => kind === "credit")
  if (step.operation === "delete") return isMemo ? [] : warnOfCredits(number, credits)
  if (isMemo && step.refersTo !== undefined) {
    const gone = findCancellation(chain.invoice)
    if (gone)
      return [
        warnCancelled(
          `${quoted(step.refersTo)}, which this ${step.kind} memo changes, was cancelled, ${describeSource(gone)}`,
          "do not send it: nothing is to be paid for that invoice",
        ),
      ]
  }
  const debits = chain.memos.flatMap(findStanding).filter(({ kind }) => kind === "debit")
  if (step.kind === "credit") {
    const [invoice] = findStanding(chain.invoice)
    return invoice ? warnOverCredited(step.refersTo ?? "", invoice, debits, [...credits, step]) : []
  }
  return step.kind === "invoice" && step.operation === "update"
    ? warnOverCredited(number, step, debits, credits)
    : []
}

/** The current step: the last one that is not cancelled. */
export function findStanding(steps: readonly TakenStep[]): TakenStep[] {
  const last = findCancellation(steps) ? undefined : steps.findLast(({ operation }) => operation !== "delete")
  return last && last.kind !== "information" ? [last] : []
}

/** The cancellation after which no new document took the number. */
function findCancellation(steps: readonly TakenStep[]): TakenStep | undefined {
  return steps.findLast(({ operation }) => operation !== "update")?.operation === "delete"
    ? steps.findLast(({ operation }) => operation === "delete")
    : undefined
}

function warnCancelled(message: string, hint: string): StepWarning {
  return { rule: CANCELLED_INVOICE.id, message, hint }
}

function warnOfCredits(number: string, credits: readonly TakenStep[]): StepWarning[] {
  const [first] = credits
  if (!first) return []
  const others = credits.length > 1 ? ` and ${credits.length - 1} more` : ""
  return [
    {
      rule: OVER_CREDITED.id,
      message: `${quoted(number)} is cancelled, and was credited before by ${quoted(first.number)}${others}, ${describeSource(first)}`,
      hint: "cancel the credit memos first, or the customer gets the money back twice",
    },
  ]
}

const amountOf = (literal: string | undefined): Amount =>
  (literal === undefined ? undefined : toAmount(Number(literal), literal)) ?? ZERO

/** Credits above the invoice: as a whole, otherwise line by line. A cent for each credit is rounding. */
function warnOverCredited(
  number: string,
  invoice: InvoiceStep,
  debits: readonly InvoiceStep[],
  credits: readonly InvoiceStep[],
): StepWarning[] {
  if (credits.length === 0) return []
  const over = (message: string): StepWarning => ({
    rule: OVER_CREDITED.id,
    message,
    hint: "check which of the credits is wrong: the customer would get back more than was invoiced",
  })
  const slack = Number(CENT) * credits.length
  const total = (steps: readonly InvoiceStep[]) => steps.map((step) => amountOf(step.total)).reduce(add, ZERO)
  const asked = add(amountOf(invoice.total), total(debits))
  const credited = total(credits)
  if (invoice.total !== undefined && credited > add(asked, slack))
    return [
      over(
        `${quoted(number)} asked for ${formatMoney(asked)}, and ${formatMoney(credited)} is credited in ${credits.length === 1 ? "this memo" : `${credits.length} memos`}`,
      ),
    ]
  const byLine = new Map<StepLine, Amount>()
  for (const { lines } of credits)
    for (const line of lines) {
      const billed = findBilledLine(line, invoice.lines)
      if (billed) byLine.set(billed, add(byLine.get(billed) ?? ZERO, amountOf(line.amount)))
    }
  return [...byLine].flatMap(([line, amount]) =>
    amount > add(amountOf(line.amount), slack)
      ? [
          over(
            `line ${line.line ?? invoice.lines.indexOf(line) + 1} of ${quoted(number)} asked for ${formatMoney(amountOf(line.amount))} before tax, and ${formatMoney(amount)} is credited`,
          ),
        ]
      : [],
  )
}

/** How a credited line names the line that it credits, the surest first. */
const NAMES: readonly ((line: StepLine) => unknown)[] = [
  ({ po }) => po,
  ({ asn }) => asn,
  ({ line, item }) => (item === undefined ? undefined : `${line} ${item}`),
  ({ item }) => item,
]

/** The credited line; undefined if it is ambiguous or missing. */
function findBilledLine(line: StepLine, billed: readonly StepLine[]): StepLine | undefined {
  for (const name of NAMES) {
    const wanted = name(line)
    const found = wanted === undefined ? [] : billed.filter((each) => name(each) === wanted)
    if (found.length > 0) return found.length === 1 ? found[0] : undefined
  }
  return undefined
}

/** `on 2026-11-29 by cancel.json` */
function describeSource({ at, file }: TakenStep): string {
  return `on ${at.slice(0, 10)} by ${formatFileName(file)}`
}
