/**
 * Corrects a sent invoice: withdraws it (operation `delete`), changes it (`update`), or credits it by a separate memo.
 * The contract: `operation` says whether a document creates, updates or deletes an invoice; `documentReference` is the
 * previous invoice, for memos and cancellations.
 */
import type { InvoiceData, LineItem } from "../../contract/generated/types.ts"
import { type Json, type JsonObject, sameJson } from "../../base/json.ts"
import { FreightError } from "../../base/errors.ts"
import {
  type Amount,
  add,
  formatMoney,
  formatPlain,
  getMagnitude,
  GST_PERCENT,
  multiply,
  negate,
  roundToCents,
  subtract,
  sum,
  takeShare,
  ZERO,
} from "../accounting/amounts.ts"
import { asksNothing, CREDITS, findKind } from "../kind.ts"
import {
  addTax,
  breakDownTax,
  chargeLine,
  createMetadata,
  type InvoiceDraft,
  NO_REASON,
  toLineItem,
  toNumber,
} from "../new/draft.ts"
import type { NewLine, ShippingCharge } from "../new/texts.ts"
import { getField, INVOICE } from "../schema.ts"
import { setInvoiceFields } from "../set-fields.ts"
import { findTotal } from "../steps.ts"
import { addUpLine, chargeOf, exact, type LineCharge, moveTotals, priceLine } from "./amounts.ts"
import type { LineChange, LineCredit } from "./line-texts.ts"

/** A valid document, as it was sent. */
export interface SentInvoice {
  metadata?: { payloadId?: string }
  data: InvoiceData
}

/** A text, number or Boolean of a document; null if there is none. */
export type Leaf = string | number | boolean | null

/** One field that is different, by its path inside `data`. */
export interface FieldChange {
  field: string
  before: Leaf
  after: Leaf
}

/** The amount due of the invoice, in AUD: negative if the customer gets it back. */
export interface Due {
  before: number
  after: number
}

export interface Correction {
  kind: "cancellation" | "update" | "credit"
  document: InvoiceDraft
  /** The differences; for a credit, the rest of the invoice. */
  changes: readonly FieldChange[]
  due: Due
  notes: readonly string[]
}

/** `freight-cli/1.2.3`, `2026-11-20`. */
export interface Writer {
  userAgent: string
  today: string
}

/** Withdraws a document under its own number. */
export function cancelInvoice(sent: SentInvoice, sets: readonly string[], writer: Writer): Correction {
  refuseCancelled(sent)
  const before = dropManaged(sent.data)
  const named: InvoiceData = { ...before, operation: "delete", documentReference: nameInvoice(sent) }
  const { metadata, data: withdrawn } = setFields(named, sets, NO_FIELDS, writer)
  return {
    kind: "cancellation",
    document: toDocument(metadata, withdrawn),
    changes: listChanges(before, withdrawn),
    due: { before: findDue(sent.data), after: 0 },
    notes: [],
  }
}

export interface InvoiceChanges {
  lines: readonly LineChange[]
  removed: readonly number[]
  added: readonly NewLine[]
  shipping?: ShippingCharge | undefined
  /** As typed. */
  sets: readonly string[]
}

/** Changes a document under its own number and date. Amounts follow from the lines, as in a new invoice. */
export function updateInvoice(sent: SentInvoice, changes: InvoiceChanges, writer: Writer): Correction {
  refuseCancelled(sent)
  const before = dropManaged(sent.data)
  // A memo's reference is the invoice that it changes.
  const isMemo = before.purpose !== "standard"
  const named: InvoiceData = {
    ...before,
    operation: "update",
    ...(isMemo ? {} : { documentReference: nameInvoice(sent) }),
  }
  const { metadata, data: set } = setFields(named, changes.sets, INPUT_FIELDS, writer)
  const edited = before.lineItems.map((line, at) =>
    changeLine(line, set.lineItems[at] ?? line, changes, before),
  )
  const pairs = [
    ...edited.map((after, at) => ({ before: before.lineItems[at], after })),
    ...addLines(before.lineItems, changes.added).map((after) => ({ after, before: undefined })),
  ]
  for (const number of changes.removed) {
    findLine(before.lineItems, number)
    if (changes.lines.some(({ line }) => line === number))
      throw new FreightError("usage", `line ${number} cannot be changed and taken out`)
  }
  const kept = pairs.map((pair) =>
    changes.removed.includes(pair.before?.invoiceLineNumber ?? Number.NaN)
      ? { before: pair.before, after: undefined }
      : pair,
  )
  const lineItems = kept.flatMap(({ after }) => after ?? [])
  if (lineItems.length === 0)
    throw new FreightError("usage", "an invoice has at least one line: to take all of it back, use --cancel")
  const updated = moveTotals(before, { ...set, lineItems }, kept, changes.shipping)
  if (sameJson(updated, named) && sameJson(metadata, createMetadata(writer.userAgent)))
    throw new FreightError("usage", "this changes nothing: the invoice says so already; nothing was written")
  return {
    kind: "update",
    document: toDocument(metadata, updated),
    changes: listChanges(before, updated),
    due: { before: findDue(sent.data), after: findDue(updated) },
    notes: [],
  }
}

export interface CreditParts {
  number: string
  /** Date-time. */
  date: string
  comments?: string | undefined
  /** The whole invoice if omitted. */
  lines?: readonly LineCredit[] | undefined
  /** Shipping that is given back beside the lines. */
  shipping?: ShippingCharge | undefined
  sets: readonly string[]
}

/**
 * Credits an invoice, by a memo with a number of its own. All of it is a `creditMemo`; chosen lines that each name their
 * line of the order are a `lineLevelCreditMemo`.
 */
export function creditInvoice(sent: SentInvoice, parts: CreditParts, writer: Writer): Correction {
  refuseCancelled(sent)
  const { data } = sent
  const { invoiceNumber } = data
  if (CREDITS.has(data.purpose))
    throw new FreightError("input", `${invoiceNumber} is a credit memo itself: there is nothing to credit`, {
      hint: "To take the credit back, cancel it: --cancel.",
    })
  if (asksNothing(findKind(data)))
    throw new FreightError(
      "input",
      `${invoiceNumber} is for information only: it asks for no money to give back`,
      {
        hint: "To withdraw it, cancel it: --cancel.",
      },
    )
  const before = dropManaged(data)
  const credited = parts.lines ? creditLines(before, parts.lines, parts.shipping) : negateInvoice(before)
  const {
    documentReference: _,
    operation: _1,
    dueDate: _2,
    paymentTerms: _3,
    remitTo: _4,
    ...rest
  } = credited
  const { comments: _5, isInformationOnly: _6, ...kept } = rest
  const draft: InvoiceData = {
    ...kept,
    invoiceNumber: parts.number,
    invoiceDate: parts.date,
    purpose: "creditMemo",
    documentReference: nameInvoice(sent),
    ...(parts.comments !== undefined && { comments: parts.comments }),
  }
  const asked = exact(draft.invoiceSummary.dueAmount)
  if (asked > ZERO)
    throw new FreightError(
      "usage",
      `the memo would ask for ${formatMoney(asked)}, because the lines that it credits give money back themselves`,
      { hint: "Update the invoice, or write a debit memo: freight invoice new --purpose debitMemo." },
    )
  const { metadata, data: memo } = setFields(draft, parts.sets, NO_FIELDS, writer)
  const unnamed = memo.lineItems.filter(
    ({ poLineReference, asnLineReference }) => (poLineReference ?? asnLineReference) === undefined,
  )
  if (parts.lines && unnamed.length === 0) memo.purpose = "lineLevelCreditMemo"
  const due = findDue(data)
  return {
    kind: "credit",
    document: toDocument(metadata, memo),
    changes: listLeft(before, memo),
    due: { before: due, after: toNumber(add(exact(due), exact(memo.invoiceSummary.dueAmount))) },
    notes: [
      ...(parts.lines && unnamed[0]
        ? [
            `It is a creditMemo: line ${unnamed[0].invoiceLineNumber} names no line of the order. With --set lineItems.${memo.lineItems.indexOf(unnamed[0])}.poLineReference=N it is a lineLevelCreditMemo.`,
          ]
        : []),
      ...(memo.comments === undefined ? [NO_REASON] : []),
    ],
  }
}

function refuseCancelled({ data: { operation, invoiceNumber } }: SentInvoice): void {
  if (operation !== "delete") return
  throw new FreightError(
    "input",
    `${invoiceNumber} is cancelled by this document: there is nothing left to correct`,
    {
      hint: "To bill what is still to be paid, write an invoice with its own number: freight invoice new.",
    },
  )
}

/** The invoice as its corrections name it. */
function nameInvoice({ data, metadata }: SentInvoice): NonNullable<InvoiceData["documentReference"]> {
  const payloadId = metadata?.payloadId
  return {
    invoiceId: data.invoiceNumber,
    invoiceDate: data.invoiceDate,
    ...(payloadId !== undefined && { payloadId }),
  }
}

/** Without the fields that the service fills in. */
function dropManaged(data: InvoiceData): InvoiceData {
  return { ...data, lineItems: data.lineItems.map(({ uniqueLineKey: _, ...line }) => line) }
}

/** In the order of the schema. */
function toDocument(metadata: InvoiceDraft["metadata"], data: InvoiceData): InvoiceDraft {
  const order = Object.keys(getField(INVOICE, "data")?.properties ?? {}).filter((name) =>
    Object.hasOwn(data, name),
  )
  const ordered = Object.fromEntries(order.map((name) => [name, data[name as keyof InvoiceData]]))
  return { metadata, data: { ...ordered, ...data } }
}

/**
 * Applies `--set` to the data, and to the metadata of its document.
 * @param allowed amounts that may be set
 */
function setFields(
  data: InvoiceData,
  sets: readonly string[],
  allowed: RegExp,
  { userAgent, today }: Writer,
): InvoiceDraft {
  const draft = { metadata: createMetadata(userAgent), data: structuredClone(data) }
  if (sets.length === 0) return draft
  const set = setInvoiceFields(draft as unknown as JsonObject, sets, today) as unknown as InvoiceDraft
  if (set.data.lineItems?.length !== data.lineItems.length)
    throw new FreightError("usage", "--set adds and removes no lines: use --add-line or --remove-line")
  refuseChangedAmounts(data, set.data, allowed)
  return set
}

const NO_FIELDS = /^$/
/** Amounts that others are worked out from. */
const INPUT_FIELDS =
  /^(?:lineItems\.\d+\.(?:quantity|unitPrice|taxRate|discountAmount)|invoiceSummary\.depositAmount)$/
/** Amounts, and the fields that determine their meaning. */
const GUARDED_FIELDS =
  /(?:amount|subtotal|quantity|price|currency|taxRate)$|^(?:invoiceSummary\.taxBreakdown|lineItems\.\d+\.invoiceLineNumber)/i
/** Fields that identify a correction, and its kind. */
const IDENTITY = /^(?:invoiceNumber|supplier\.id|operation|purpose|documentReference\.invoiceId)$/

function refuseChangedAmounts(before: InvoiceData, after: InvoiceData, allowed: RegExp): void {
  for (const { field } of listChanges(before, after)) {
    if (IDENTITY.test(field))
      throw new FreightError("usage", `--set ${field}: a correction keeps it; nothing was written`, {
        hint: "Where it is wrong, cancel the invoice, and write a new one.",
      })
    if (!GUARDED_FIELDS.test(field) || allowed.test(field)) continue
    throw new FreightError("usage", `--set ${field}: amounts are worked out; nothing was written`, {
      hint: "Use --change-line, --add-line, --remove-line or --shipping-amount.",
    })
  }
}

function findLine(lines: readonly LineItem[], number: number): LineItem {
  const [found, ...others] = lines.filter(({ invoiceLineNumber }) => invoiceLineNumber === number)
  if (found && others.length === 0) return found
  const numbers = lines.map(({ invoiceLineNumber }) => invoiceLineNumber)
  throw new FreightError(
    "usage",
    found
      ? `${others.length + 1} lines have the number ${number}: nothing says which is meant`
      : `there is no line ${number}: the lines are ${numbers.slice(0, MAX_NAMED).join(", ")}${numbers.length > MAX_NAMED ? ", …" : ""}`,
  )
}

const MAX_NAMED = 20

/** @param set the line with the changes of `--set` */
function changeLine(before: LineItem, set: LineItem, { lines }: InvoiceChanges, data: InvoiceData): LineItem {
  const changes = lines.filter(({ line }) => findLine(data.lineItems, line) === before)
  if (changes.length === 0 && sameJson(before, set)) return before
  const changed: LineItem = { ...set }
  for (const { line: _, quantity, unitPrice, taxRate, description, unitOfMeasure } of changes)
    Object.assign(changed, {
      ...(quantity !== undefined && { quantity: toNumber(quantity) }),
      ...(unitPrice !== undefined && { unitPrice: toNumber(unitPrice) }),
      ...(taxRate !== undefined && { taxRate: toNumber(taxRate) }),
      ...(description !== undefined && { description }),
      ...(unitOfMeasure !== undefined && { unitOfMeasure }),
    })
  const isPriced = (["quantity", "unitPrice", "taxRate", "discountAmount"] as const).some(
    (name) => changed[name] !== before[name],
  )
  if (!isPriced) return changed
  const isRepriced = changed.quantity !== before.quantity || changed.unitPrice !== before.unitPrice
  if (isRepriced && exact(before.discountAmount) !== ZERO && set.discountAmount === before.discountAmount) {
    const at = data.lineItems.indexOf(before)
    throw new FreightError(
      "usage",
      `line ${before.invoiceLineNumber} has a discount of ${formatMoney(exact(before.discountAmount))}, and nothing says what it is now`,
      { hint: `Say it: --set lineItems.${at}.discountAmount=0, or another amount.` },
    )
  }
  return priceLine(changed, before, data)
}

/** The new lines, with numbers behind those that are there. */
function addLines(lines: readonly LineItem[], added: readonly NewLine[]): LineItem[] {
  const last = Math.max(...lines.map(({ invoiceLineNumber }) => invoiceLineNumber))
  return added.map((line, at): LineItem => {
    const charge = chargeLine(line)
    const item: LineItem = {
      ...toLineItem({ ...line, ...charge }, last + at),
      ...(lines.every(({ grossAmount }) => grossAmount !== undefined) && { grossAmount: 0 }),
      ...(lines.every(({ netAmount }) => netAmount !== undefined) && { netAmount: 0 }),
    }
    return addUpLine(item, charge.tax)
  })
}

const reverse = (amount: number): number => toNumber(negate(exact(amount)))

/** The amounts of a part that are named, with the other sign. */
function reverseAmounts<T extends object>(part: T, names: readonly (keyof T)[]): T {
  const reversed = { ...part }
  for (const name of names) {
    const amount = part[name]
    if (typeof amount === "number") reversed[name] = reverse(amount) as T[keyof T]
  }
  return reversed
}

const LINE_AMOUNTS = [
  ...(["quantity", "subtotal", "taxAmount", "discountAmount"] as const),
  ...(["shippingAmount", "grossAmount", "netAmount"] as const),
] as const
const TOTALS = [
  ...(["subtotal", "shippingAmount", "specialHandlingAmount", "taxAmount"] as const),
  ...(["discountAmount", "grossAmount", "netAmount"] as const),
] as const

/** All of an invoice given back. A deposit was paid, and is not part of it. */
function negateInvoice(data: InvoiceData): InvoiceData {
  const { depositAmount: _, ...summary } = data.invoiceSummary
  const asked = findTotal(data.invoiceSummary) ?? ZERO
  const { taxBreakdown } = summary
  return {
    ...data,
    ...(data.shipping && { shipping: reverseAmounts(data.shipping, ["amount"]) }),
    lineItems: data.lineItems.map((line) => reverseAmounts(line, LINE_AMOUNTS)),
    invoiceSummary: {
      ...reverseAmounts(summary, TOTALS),
      ...(taxBreakdown && {
        taxBreakdown: taxBreakdown.map((part) => reverseAmounts(part, ["taxableAmount", "taxAmount"])),
      }),
      dueAmount: toNumber(negate(asked)),
    },
  }
}

/** Credits chosen lines with their tax and discount; shipping only if requested. */
function creditLines(
  data: InvoiceData,
  credits: readonly LineCredit[],
  shipping: ShippingCharge | undefined,
): InvoiceData {
  const { lineItems, invoiceSummary } = data
  const ofLines = sum(lineItems.map((line) => exact(line.discountAmount)))
  const ofWhole = subtract(exact(invoiceSummary.discountAmount), ofLines)
  if (ofWhole !== ZERO && exact(invoiceSummary.discountAmount) !== ZERO)
    throw new FreightError(
      "usage",
      `a discount of ${formatMoney(ofWhole)} is given on the whole invoice, and nothing says which part of it belongs to a line`,
      {
        hint: "Credit all of it (--credit alone), or write the memo: freight invoice new --purpose creditMemo.",
      },
    )
  const lines = credits.map((credit, at) => {
    const line = findLine(lineItems, credit.line)
    if (credits.findIndex((other) => other.line === credit.line) !== at)
      throw new FreightError("usage", `--credit-line: line ${credit.line} is named twice`)
    return creditLine(line, credit.quantity, data)
  })
  const charges = lines.map(({ charge }) => ({
    subtotal: charge.taxed,
    taxRate: charge.rate,
    tax: charge.tax,
  }))
  const isTaxed = charges.some(({ taxRate }) => taxRate !== ZERO)
  const shipped =
    shipping && addTax(negate(shipping.amount), shipping.taxRate ?? (isTaxed ? GST_PERCENT : ZERO))
  const taxed = shipped ? [...charges, shipped] : charges
  const subtotal = sum(lines.map(({ charge }) => charge.subtotal))
  const discount = sum(lines.map(({ charge }) => charge.discount))
  const tax = sum(taxed.map((charge) => charge.tax))
  const gross = sum([subtotal, shipped?.subtotal ?? ZERO, tax])
  const { shipping: billed, ...rest } = data
  const { amount: _, currency: _1, ...route } = billed ?? {}
  return {
    ...rest,
    ...((shipped || Object.keys(route).length > 0) && {
      shipping: {
        ...(shipped && { amount: toNumber(shipped.subtotal), currency: "AUD" as const }),
        ...route,
      },
    }),
    lineItems: lines.map(({ line }) => line),
    invoiceSummary: {
      subtotal: toNumber(subtotal),
      ...(shipped && { shippingAmount: toNumber(shipped.subtotal) }),
      taxAmount: toNumber(tax),
      taxBreakdown: breakDownTax(taxed),
      ...(discount !== ZERO && { discountAmount: toNumber(discount) }),
      grossAmount: toNumber(gross),
      ...(discount !== ZERO && { netAmount: toNumber(subtract(gross, discount)) }),
      dueAmount: toNumber(subtract(gross, discount)),
      currency: "AUD",
    },
  }
}

/** @param quantity the credited quantity; the whole line if undefined */
function creditLine(line: LineItem, quantity: Amount | undefined, data: InvoiceData) {
  const how = `update the invoice first, with --set lineItems.${data.lineItems.indexOf(line)}.taxRate=10`
  const charge = chargeOf(line, data, how)
  const [billed, price] = [exact(line.quantity), exact(line.unitPrice)]
  const given = quantity === undefined ? billed : billed < 0 ? negate(quantity) : quantity
  if (getMagnitude(given) > getMagnitude(billed))
    throw new FreightError(
      "usage",
      `line ${line.invoiceLineNumber} has ${formatPlain(billed)}: ${formatPlain(given)} cannot be credited; nothing was written`,
    )
  const isAll = given === billed
  const share = (amount: Amount) => roundToCents(takeShare(amount, given, billed))
  const priced = (count: Amount) => roundToCents(multiply(count, price))
  // A rounded price does not determine the price of many to the cent.
  const part = charge.subtotal === priced(billed) ? priced(given) : share(charge.subtotal)
  const subtotal = isAll ? charge.subtotal : part
  const discount = isAll ? charge.discount : limitDiscount(share(charge.discount), subtotal, charge)
  const { lessDiscount, withShipping } = charge.base
  const taxed = lessDiscount ? subtract(subtotal, discount) : subtotal
  const isTaxKept = isAll && !(withShipping && charge.shipping !== ZERO)
  const tax = isTaxKept ? charge.tax : addTax(taxed, charge.rate).tax
  const { shippingAmount: _, ...bare } = line
  const credited: LineItem = {
    ...bare,
    quantity: toNumber(negate(given)),
    subtotal: toNumber(negate(subtotal)),
    ...(line.taxAmount !== undefined && { taxAmount: toNumber(negate(tax)) }),
    ...(line.discountAmount !== undefined && { discountAmount: toNumber(negate(discount)) }),
  }
  return {
    line: addUpLine(credited, negate(tax)),
    charge: {
      subtotal: negate(subtotal),
      taxed: negate(taxed),
      rate: charge.rate,
      tax: negate(tax),
      discount: negate(discount),
    },
  }
}

/** Limits the discount of a part to the part itself, if rounding made it greater and that of the line is not. */
function limitDiscount(discount: Amount, subtotal: Amount, line: LineCharge): Amount {
  const isGreater = (one: Amount, other: Amount) => getMagnitude(one) > getMagnitude(other)
  const isOneWay = discount < ZERO === subtotal < ZERO
  const isRounded = isGreater(discount, subtotal) && !isGreater(line.discount, line.subtotal)
  return isOneWay && isRounded ? subtotal : discount
}

/** The amount due of a document by itself; negative for a credit, however its amounts are signed. */
export function findDue(data: InvoiceData): number {
  if (asksNothing(findKind(data))) return 0
  const due = exact(data.invoiceSummary.dueAmount)
  return toNumber(CREDITS.has(data.purpose) ? negate(getMagnitude(due)) : due)
}

/** The leaves that differ, lines by their numbers. */
export function listChanges(before: InvoiceData, after: InvoiceData): FieldChange[] {
  const { lineItems: lines, invoiceSummary: summary, ...head } = before
  const { lineItems: others, invoiceSummary: otherSummary, ...otherHead } = after
  const numbers = [...new Set([...lines, ...others].map(({ invoiceLineNumber }) => invoiceLineNumber))]
  const isByNumber = [lines, others].every(
    (each) => new Set(each.map(({ invoiceLineNumber }) => invoiceLineNumber)).size === each.length,
  )
  const pairs = isByNumber
    ? numbers.map((number) =>
        [lines, others].map((each) => each.find(({ invoiceLineNumber }) => invoiceLineNumber === number)),
      )
    : Array.from({ length: Math.max(lines.length, others.length) }, (_, at) => [lines[at], others[at]])
  return [
    ...diff("", head as unknown as Json, otherHead as unknown as Json),
    ...pairs.flatMap(([line, changed]) => {
      const at = line ? lines.indexOf(line) : others.indexOf(changed as LineItem)
      return diff(`lineItems.${at}`, (line ?? null) as Json, (changed ?? null) as Json)
    }),
    ...diff("invoiceSummary", summary as unknown as Json, otherSummary as unknown as Json),
  ]
}

function diff(path: string, before: Json | undefined, after: Json | undefined): FieldChange[] {
  if (sameJson(before, after)) return []
  const isPart = (value: Json | undefined) => typeof value === "object" && value !== null
  if (!isPart(before) && !isPart(after))
    return [{ field: path, before: (before ?? null) as Leaf, after: (after ?? null) as Leaf }]
  const [one, other] = [before, after].map((value) =>
    isPart(value) ? (value as Record<string, Json>) : {},
  ) as [Record<string, Json>, Record<string, Json>]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
    diff(path === "" ? name : `${path}.${name}`, one[name], other[name]),
  )
}

/** The rest of an invoice after a memo: quantities and subtotals of its lines, and its totals. */
function listLeft(data: InvoiceData, memo: InvoiceData): FieldChange[] {
  const left = (field: string, before: number | undefined, credited: number | undefined): FieldChange[] =>
    before === undefined || credited === undefined || credited === 0
      ? []
      : [{ field, before, after: toNumber(add(exact(before), exact(credited))) }]
  const ofLines = memo.lineItems.flatMap((credit) => {
    const at = data.lineItems.findIndex(
      ({ invoiceLineNumber }) => invoiceLineNumber === credit.invoiceLineNumber,
    )
    const line = data.lineItems[at]
    return line
      ? [
          ...left(`lineItems.${at}.quantity`, line.quantity, credit.quantity),
          ...left(`lineItems.${at}.subtotal`, line.subtotal, credit.subtotal),
        ]
      : []
  })
  const totals = ["subtotal", "shippingAmount", "taxAmount", "grossAmount", "netAmount"] as const
  return [
    ...ofLines,
    ...totals.flatMap((name) =>
      left(`invoiceSummary.${name}`, data.invoiceSummary[name], memo.invoiceSummary[name]),
    ),
  ]
}
