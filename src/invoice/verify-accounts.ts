/**
 * The accounting rules over the cells of a scan: whether every one of them certainly holds. Where a rule allows for
 * more than is easily checked, the examiner is left to look.
 */
import { dayAt } from "./verify-dates.ts"
import { Lines } from "./verify-lines.ts"
import type { Cells, Listener } from "./verify-scan.ts"
import type { Field, Shape, Shapes } from "./verify-shapes.ts"
import { isAbn, isBsb } from "./verify-text.ts"
import { Totals } from "./verify-totals.ts"

/** Purchase orders beyond these are left to the examiner. */
const ORDERS = 64

export class Accounts implements Listener {
  private readonly lines: Lines
  private readonly totals: Totals
  /** The properties that were there, for each shape by its number. */
  private readonly seen: Int32Array
  private readonly orderStarts = new Int32Array(ORDERS)
  private readonly orderEnds = new Int32Array(ORDERS)
  private orders = 0
  private readonly root: Shape
  private readonly line: Shape
  private readonly part: Shape
  private readonly order: Shape
  private readonly data: Shape
  private readonly summary: Shape
  private readonly shipping: Shape
  private readonly supplier: Shape
  private readonly bank: Shape
  private readonly terms: Shape
  private readonly reference: Shape
  private readonly fields: Fields
  private readonly purposes: readonly string[]

  constructor(shapes: Shapes) {
    const { shapeAt, fieldAt } = shapes
    this.lines = new Lines(shapes)
    this.totals = new Totals(shapes)
    this.seen = new Int32Array(shapes.count)
    this.root = shapes.root
    this.line = shapeAt("data.lineItems[]")
    this.part = shapeAt("data.invoiceSummary.taxBreakdown[]")
    this.order = shapeAt("data.poReferences[]")
    this.data = shapeAt("data")
    this.summary = shapeAt("data.invoiceSummary")
    this.shipping = shapeAt("data.shipping")
    this.supplier = shapeAt("data.supplier")
    this.bank = shapeAt("data.remitTo.bankDetails")
    this.terms = shapeAt("data.paymentTerms")
    this.reference = shapeAt("data.documentReference")
    this.fields = {
      purpose: fieldAt("data.purpose"),
      poNumber: fieldAt("data.poNumber"),
      listedOrder: fieldAt("data.poReferences[].poNumber"),
      invoiceDate: fieldAt("data.invoiceDate"),
      dueDate: fieldAt("data.dueDate"),
      netDays: fieldAt("data.paymentTerms.netDays"),
      tax: fieldAt("data.invoiceSummary.taxAmount"),
      due: fieldAt("data.invoiceSummary.dueAmount"),
      registration: fieldAt("data.supplier.taxRegistrations"),
      abn: fieldAt("data.supplier.taxRegistrations.value"),
      bsb: fieldAt("data.remitTo.bankDetails.bsb"),
      invoiceId: fieldAt("data.documentReference.invoiceId"),
      documentId: fieldAt("data.documentReference.documentId"),
      payloadId: fieldAt("data.documentReference.payloadId"),
    }
    this.purposes = this.fields.purpose.words
  }

  begin(): void {
    this.seen.fill(0)
    this.orders = 0
    this.lines.begin()
    this.totals.begin()
  }

  closed(bytes: Uint8Array, cells: Cells, shape: Shape, seen: number): boolean {
    if (shape === this.line) return this.lines.add(cells.values, seen)
    if (shape === this.part) return this.totals.addPart(cells.values, seen)
    if (shape === this.order) return this.addOrder(cells)
    if (shape === this.root) return this.agree(bytes, cells)
    this.seen[shape.id] = seen
    return true
  }

  private addOrder({ starts, ends }: Cells): boolean {
    if (this.orders === ORDERS) return false
    const { cell } = this.fields.listedOrder
    this.orderStarts[this.orders] = starts[cell] as number
    this.orderEnds[this.orders++] = ends[cell] as number
    return true
  }

  private agree(bytes: Uint8Array, cells: Cells): boolean {
    return (
      this.totals.agree(cells.values, this.seenOf(this.summary), this.seenOf(this.shipping), this.lines) &&
      this.partiesAgree(bytes, cells) &&
      this.datesAgree(bytes, cells) &&
      this.purposeAgrees(bytes, cells) &&
      this.ordersAgree(bytes, cells)
    )
  }

  private seenOf(shape: Shape): number {
    return this.seen[shape.id] as number
  }

  private partiesAgree(bytes: Uint8Array, { starts, ends, values }: Cells): boolean {
    const { registration, abn, bsb, tax } = this.fields
    if ((this.seenOf(this.bank) & bsb.bit) !== 0)
      if (!isBsb(bytes, starts[bsb.cell] as number, ends[bsb.cell] as number)) return false
    if ((this.seenOf(this.supplier) & registration.bit) === 0) return values[tax.cell] === 0
    return isAbn(bytes, starts[abn.cell] as number, ends[abn.cell] as number)
  }

  /** Due on the day of the terms, as written; without terms on the day it is issued, or later. */
  private datesAgree(bytes: Uint8Array, { starts, values }: Cells): boolean {
    const { invoiceDate, dueDate, netDays } = this.fields
    if ((this.seenOf(this.data) & dueDate.bit) === 0) return true
    const days =
      dayAt(bytes, starts[dueDate.cell] as number) - dayAt(bytes, starts[invoiceDate.cell] as number)
    const later = (values[dueDate.cell] as number) > (values[invoiceDate.cell] as number)
    if (days < 0 && !later) return false
    return (this.seenOf(this.terms) & netDays.bit) === 0 || values[netDays.cell] === days
  }

  private purposeAgrees(bytes: Uint8Array, cells: Cells): boolean {
    const purpose = this.purposes[cells.values[this.fields.purpose.cell] as number]
    const due = cells.values[this.fields.due.cell] as number
    if (purpose === "standard") return due >= 0
    const isCredit = purpose === "creditMemo" || purpose === "lineLevelCreditMemo"
    if (isCredit ? due > 0 || (this.lines.anyNegative && this.lines.anyPositive) : due < 0) return false
    if (purpose !== "creditMemo" && purpose !== "debitMemo" && !this.lines.everyHasReference) return false
    const { invoiceId, documentId, payloadId } = this.fields
    return (
      this.says(bytes, cells, invoiceId) ||
      this.says(bytes, cells, documentId) ||
      this.says(bytes, cells, payloadId)
    )
  }

  /** Whether a field of the document reference begins with something that can be seen. */
  private says(bytes: Uint8Array, { starts }: Cells, field: Field): boolean {
    if ((this.seenOf(this.reference) & field.bit) === 0) return false
    const first = bytes[starts[field.cell] as number] as number
    return first > 32 && first < 127 && first !== 34 && first !== 92
  }

  /** Whether the purchase order is one of those listed, if any are. */
  private ordersAgree(bytes: Uint8Array, { starts, ends }: Cells): boolean {
    const { cell } = this.fields.poNumber
    const start = starts[cell] as number
    const length = (ends[cell] as number) - start
    for (let order = 0; order < this.orders; order++) {
      const other = this.orderStarts[order] as number
      if ((this.orderEnds[order] as number) - other !== length) continue
      let same = 0
      while (same < length && bytes[start + same] === bytes[other + same]) same++
      if (same === length) return true
    }
    return this.orders === 0
  }
}

type Fields = Readonly<
  Record<
    | "purpose"
    | "poNumber"
    | "listedOrder"
    | "invoiceDate"
    | "dueDate"
    | "netDays"
    | "tax"
    | "due"
    | "registration"
    | "abn"
    | "bsb"
    | "invoiceId"
    | "documentId"
    | "payloadId",
    Field
  >
>
