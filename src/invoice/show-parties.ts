/** The head of the page: dates and references, who asks for the money and whom. */
import type { Look } from "./reporters/layout.ts"
import { BLANK, type Cell, cell, columnWidth, labelled, type Row } from "./show-page.ts"
import { DATA, type Reading } from "./show-reading.ts"

/** Texts that are there, with commas between. */
export function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(", ")
}

export function factCells(reading: Reading, look: Look): Cell[] {
  const width = columnWidth(look, 2)
  const fact = (name: string, label: string, text: string): Cell =>
    labelled(label, text || "(missing)", width, `${DATA}/${name}`)
  const ifGiven = (name: string, label: string, read: (at: string) => string): Cell[] =>
    reading.has(`${DATA}/${name}`)
      ? [fact(name, label, read(`${DATA}/${name}`) || reading.text(`${DATA}/${name}`))]
      : []
  return [
    fact("invoiceDate", "Invoice date", reading.date(`${DATA}/invoiceDate`)),
    ...ifGiven("dueDate", "Due date", (at) => reading.date(at)),
    fact("poNumber", "Purchase order", reading.text(`${DATA}/poNumber`)),
    ...ifGiven("poReferences", "All orders", (at) =>
      joined(...reading.entries(at).map((entry) => reading.text(`${entry}/poNumber`))),
    ),
    ...ifGiven("documentReference", "Refers to", (at) =>
      joined(
        reading.text(`${at}/invoiceId`) || reading.text(`${at}/documentId`),
        reading.date(`${at}/invoiceDate`),
      ),
    ),
    ...ifGiven("asnReference", "Ship notice", (at) =>
      joined(reading.text(`${at}/shipmentId`), reading.date(`${at}/shipmentDate`)),
    ),
    ...ifGiven("shipmentDetails", "Sent with", (at) =>
      joined(
        reading.text(`${at}/carrier`),
        reading.text(`${at}/trackingNumber`),
        reading.date(`${at}/shippingDate`),
      ),
    ),
  ]
}

export function supplierCells(reading: Reading, look: Look): Cell[] {
  const width = columnWidth(look, 2)
  const at = `${DATA}/supplier`
  const line = (name: string, lead: string, text = reading.text(`${at}/${name}`)): Cell => ({
    ...cell(`${lead}${text}`, width, `${at}/${name}`),
    ...(text === "" && { lines: [] }),
  })
  const supplier = reading.has(at)
    ? line("name", "", reading.text(`${at}/name`) || reading.stray(at) || "(no name)")
    : cell("(missing)", width, at)
  const contact = `${at}/contact`
  const contactLines = [
    joined(reading.text(`${contact}/name`), reading.text(`${contact}/role`)),
    reading.text(`${contact}/phone`),
    reading.text(`${contact}/email`),
    reading.stray(contact),
  ].flatMap((text) => (text === "" ? [] : cell(text, width, []).lines))
  return [
    cell("From", width, at, "bold"),
    supplier,
    line(
      "taxRegistrations",
      "ABN ",
      reading.text(`${at}/taxRegistrations/value`) || reading.text(`${at}/taxRegistrations`),
    ),
    { shows: [`${at}/address`], lines: addressLines(reading, `${at}/address`, width) },
    { shows: [contact], lines: contactLines },
    line("id", "Supplier id "),
  ]
}

const ADDRESSES = { billTo: "Bill to", shipTo: "Ship to", soldTo: "Sold to", remitTo: "Remit to" }

/** Two side by side. */
export function addressRows(reading: Reading, look: Look): Row[] {
  const width = columnWidth(look, 2)
  const cells = Object.entries(ADDRESSES).flatMap(([name, title]): (readonly Cell[])[] => {
    const at = `${DATA}/${name}`
    const lines = addressLines(reading, at, width)
    if (lines.length === 0 && name === "remitTo") return []
    if (!reading.has(at) && name !== "billTo") return []
    return [[cell(title, width, at, "bold"), { shows: [], lines: lines.length > 0 ? lines : ["(missing)"] }]]
  })
  const rows: Row[] = []
  for (let index = 0; index < cells.length; index += 2)
    rows.push([cells[index] ?? [], cells[index + 1] ?? []], BLANK)
  return rows
}

function addressLines(reading: Reading, at: string, width: number): string[] {
  const stray = reading.stray(at)
  if (stray !== "") return cell(stray, width, []).lines.slice()
  const country = reading.text(`${at}/country`)
  const parts = ["city", "state", "postalCode"].map((name) => reading.text(`${at}/${name}`))
  const lines = [
    ...["addressee", "street1", "street2"].map((name) => reading.text(`${at}/${name}`)),
    parts.filter((part) => part !== "").join(" "),
    country === "AU" ? "" : country,
  ]
  return lines.filter((line) => line !== "").flatMap((line) => cell(line, width, []).lines)
}
