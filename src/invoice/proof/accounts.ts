/**
 * The accounting rules over the cells of a scan: whether every one of them certainly holds. Where a rule allows for
 * more than is easily checked, the examiner is left to look.
 */
import { BACKSLASH, byteAt, isSame, QUOTE } from "./bytes"
import { endOf, startOf, valueAt } from "./cells"
import { dayAt } from "./dates"
import { addLine, anyNegative, anyPositive, beginLines, everyHasReference } from "./lines"
import {
  Bank,
  Data,
  DocumentReference,
  Line,
  Order,
  Purpose,
  ROOT,
  Shipping,
  Summary,
  Supplier,
  TaxPart,
  TaxRegistrations,
  Terms,
} from "./tables"
import { isAbn, isBsb } from "./text"
import { addPart, beginTotals, totalsAgree } from "./totals"

/** Purchase orders beyond these are left to the examiner. */
const MOST_ORDERS: u32 = 64
const ORDER_STARTS = memory.data(64 * sizeof<usize>())
const ORDER_ENDS = memory.data(64 * sizeof<usize>())
let orders: u32 = 0

/** The properties that the document's only object of a shape has. */
let ofData: u32 = 0
let ofSummary: u32 = 0
let ofShipping: u32 = 0
let ofSupplier: u32 = 0
let ofBank: u32 = 0
let ofTerms: u32 = 0
let ofReference: u32 = 0

export function begin(): void {
  ofData = ofSummary = ofShipping = ofSupplier = ofBank = ofTerms = ofReference = orders = 0
  beginLines()
  beginTotals()
}

/** Whether an object that has been read can be free of findings, by the cells and the bits of the properties it has. */
export function closed(shape: usize, seen: u32): bool {
  if (shape === Line.SHAPE) return addLine(seen)
  if (shape === TaxPart.SHAPE) return addPart(seen)
  if (shape === Order.SHAPE) return addOrder()
  if (shape === ROOT) return agrees()
  if (shape === Data.SHAPE) ofData = seen
  else if (shape === Summary.SHAPE) ofSummary = seen
  else if (shape === Shipping.SHAPE) ofShipping = seen
  else if (shape === Supplier.SHAPE) ofSupplier = seen
  else if (shape === Bank.SHAPE) ofBank = seen
  else if (shape === Terms.SHAPE) ofTerms = seen
  else if (shape === DocumentReference.SHAPE) ofReference = seen
  return true
}

function addOrder(): bool {
  if (orders === MOST_ORDERS) return false
  store<usize>(ORDER_STARTS + orders * sizeof<usize>(), startOf(Order.poNumber))
  store<usize>(ORDER_ENDS + orders * sizeof<usize>(), endOf(Order.poNumber))
  orders++
  return true
}

function agrees(): bool {
  return (
    totalsAgree(ofSummary, ofShipping) && partiesAgree() && datesAgree() && purposeAgrees() && ordersAgree()
  )
}

function partiesAgree(): bool {
  if ((ofBank & Bank.bsbBit) !== 0 && !isBsb(startOf(Bank.bsb), endOf(Bank.bsb))) return false
  if ((ofSupplier & Supplier.taxRegistrationsBit) === 0) return valueAt(Summary.taxAmount) === 0
  return isAbn(startOf(TaxRegistrations.value), endOf(TaxRegistrations.value))
}

/** Due on the day of the terms, as written; without terms on the day it is issued, or later. */
function datesAgree(): bool {
  if ((ofData & Data.dueDateBit) === 0) return true
  const days = dayAt(startOf(Data.dueDate)) - dayAt(startOf(Data.invoiceDate))
  const later = valueAt(Data.dueDate) > valueAt(Data.invoiceDate)
  if (days < 0 && !later) return false
  return (ofTerms & Terms.netDaysBit) === 0 || valueAt(Terms.netDays) === days
}

function purposeAgrees(): bool {
  const purpose = <u32>valueAt(Data.purpose)
  const due = valueAt(Summary.dueAmount)
  if (purpose === Purpose.STANDARD) return due >= 0
  const isCredit = purpose === Purpose.CREDIT_MEMO || purpose === Purpose.LINE_LEVEL_CREDIT_MEMO
  if (isCredit ? due > 0 || (anyNegative && anyPositive) : due < 0) return false
  if (purpose !== Purpose.CREDIT_MEMO && purpose !== Purpose.DEBIT_MEMO && !everyHasReference) return false
  return (
    says(DocumentReference.invoiceIdBit, DocumentReference.invoiceId) ||
    says(DocumentReference.documentIdBit, DocumentReference.documentId) ||
    says(DocumentReference.payloadIdBit, DocumentReference.payloadId)
  )
}

/** Whether a field of the document reference begins with something that can be seen. */
function says(bit: u32, cell: u32): bool {
  if ((ofReference & bit) === 0) return false
  const first = byteAt(startOf(cell))
  return first > 32 && first < 127 && first !== QUOTE && first !== BACKSLASH
}

/** Whether the purchase order is one of those listed, if any are. */
function ordersAgree(): bool {
  const start = startOf(Data.poNumber)
  const length = endOf(Data.poNumber) - start
  for (let order: u32 = 0; order < orders; order++) {
    const other = load<usize>(ORDER_STARTS + order * sizeof<usize>())
    if (load<usize>(ORDER_ENDS + order * sizeof<usize>()) - other !== length) continue
    if (isSame(start, other, length)) return true
  }
  return orders === 0
}
