/** Bills as one PDF, each in the style of its carrier. Loads the PDF library, so import this file only where one is made. */
import { CARRIERS } from "../../carriers/index.ts"
import { amountOf, formatCents } from "../../base/money.ts"
import { A4, createPdf, type Faces, Sheet } from "../../output/index.ts"
import { type BillCharge, type Billed, getGst } from "./consignments.ts"
import { ABNS, type Bill, getCompany } from "./documents.ts"

interface Column {
  heading: string
  /** In millimetres. */
  width: number
  isAmount?: boolean
  read(billed: Billed, charge: BillCharge): string
}

interface Style {
  columns: readonly Column[]
  size: number
  hasPageTotals: boolean
  sums: readonly [exGst: string, gst: string, incGst: string]
}

const amount = (cents: number) => amountOf(cents).toFixed(2)
const number = (heading: string): Column => ({ heading, width: 30, read: ({ consignment }) => consignment })
const reference = (heading: string): Column => ({ heading, width: 32, read: (billed) => billed.reference })
const service = (heading: string): Column => ({ heading, width: 18, read: ({ serviceCode }) => serviceCode })
const charged = (heading: string): Column => ({ heading, width: 34, read: (_, { name }) => name })
const weight = (heading: string): Column => {
  return { heading, width: 16, isAmount: true, read: ({ weightKg }) => String(weightKg) }
}
const money = (heading: string, read: (charge: BillCharge) => number): Column => {
  return { heading, width: 19, isAmount: true, read: (_, charge) => amount(read(charge)) }
}

const STYLES: readonly Style[] = [
  {
    columns: [
      ...[number("Consignment"), reference("Reference"), service("Service"), charged("Charge type")],
      ...[weight("Weight kg"), money("Amount ex GST", ({ cents }) => cents), money("GST", getGst)],
      money("Amount inc GST", (charge) => charge.cents + getGst(charge)),
    ],
    size: 7,
    hasPageTotals: false,
    sums: ["Total ex GST", "GST", "Total inc GST"],
  },
  {
    columns: [
      ...[charged("Description"), number("Connote no"), reference("Your ref"), weight("Actual kg")],
      ...[service("Service"), money("Net amount", ({ cents }) => cents), money("GST", getGst)],
    ],
    size: 7.5,
    hasPageTotals: true,
    sums: ["Invoice total excluding GST", "Plus GST", "Invoice total including GST"],
  },
  {
    columns: [
      ...[number("Con note"), service("Service"), reference("Customer ref"), charged("Charge description")],
      ...[weight("Dead kg"), money("GST amount", getGst)],
      money("Total inc GST", (charge) => charge.cents + getGst(charge)),
    ],
    size: 8,
    hasPageTotals: false,
    sums: ["Total (excl. GST)", "Total GST", "Total (incl. GST)"],
  },
]

const LEFT = 12
const BOTTOM = 272
const COLUMN_GAP_MM = 2
const ROW_HEIGHT_MM = 5

/** Each bill begins on a page of its own. The same bills give the same bytes. */
export async function writeBillPdf(bills: readonly Bill[]): Promise<Uint8Array> {
  const { pdf, faces } = await createPdf("Carriers' bills", bills)
  for (const bill of bills) drawBill(() => new Sheet(pdf.addPage(A4)), faces, bill)
  return pdf.save({ useObjectStreams: false })
}

function drawBill(addSheet: () => Sheet, { regular, bold }: Faces, bill: Bill): void {
  const style = STYLES[CARRIERS.indexOf(bill.carrier)] ?? STYLES[0]
  if (!style) return
  const { columns, size } = style
  const plain = { face: regular, size, width: 120 }
  const right = LEFT + columns.reduce((sum, { width }) => sum + width, 0)
  let sheet = addSheet()
  let y = 12
  let onPage = 0
  const line = (text: string, face = regular, big = size) => {
    y = sheet.write(text, LEFT, y, { face, size: big, width: 150 }) + 1
  }
  const row = (texts: readonly string[], face = regular) => {
    let x = LEFT
    for (const [at, { width, isAmount }] of columns.entries()) {
      const align = isAmount ? "right" : "left"
      sheet.write(texts[at] ?? "", x, y, { face, size, width: width - COLUMN_GAP_MM, align, smallest: 4 })
      x += width
    }
    y += ROW_HEIGHT_MM
  }
  const sum = (label: string, cents: number) => {
    sheet.write(label, right - 80, y, { ...plain, width: 50 })
    sheet.write(`$${formatCents(cents)}`, right - 30, y, {
      ...plain,
      width: 30 - COLUMN_GAP_MM,
      align: "right",
    })
    y += ROW_HEIGHT_MM
  }
  const headings = () =>
    row(
      columns.map(({ heading }) => heading),
      bold,
    )
  line(getCompany(bill.carrier), bold, 14)
  line(`ABN ${ABNS[bill.carrier]}`)
  line("TAX INVOICE", bold, 11)
  line(`Carrier: ${getCompany(bill.carrier)}`)
  line(`Invoice no: ${bill.invoiceNumber}`)
  line(`Invoice date: ${bill.invoiceDate}`)
  y += ROW_HEIGHT_MM
  headings()
  for (const billed of bill.consignments)
    for (const charge of billed.charges) {
      if (y > BOTTOM - ROW_HEIGHT_MM) {
        if (style.hasPageTotals) sum("Page total", onPage)
        sheet = addSheet()
        y = 12
        onPage = 0
        line(`${getCompany(bill.carrier)}, invoice no: ${bill.invoiceNumber}`)
        y += ROW_HEIGHT_MM
        headings()
      }
      row(columns.map(({ read }) => read(billed, charge)))
      onPage += charge.cents
    }
  if (y > BOTTOM - 5 * ROW_HEIGHT_MM) {
    sheet = addSheet()
    y = 12
  }
  y += ROW_HEIGHT_MM
  const [exGst, gst, incGst] = style.sums
  sum(exGst, bill.exGst)
  sum(gst, bill.gst)
  sum(incGst, bill.exGst + bill.gst)
}
