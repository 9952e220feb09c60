/** What stands below the totals: how to pay, delivery, whom to ask, comments, and whatever else the sender added. */
import { safeText } from "../contract/safe-text.ts"
import { pointerOf } from "../json/pointer.ts"
import type { Look } from "./reporters/layout.ts"
import { BLANK, type Cell, cell, columnWidth, labelled, type Row } from "./show-page.ts"
import { joined } from "./show-parties.ts"
import { DATA, type Reading } from "./show-reading.ts"

export function sectionRows(reading: Reading, look: Look): Row[] {
  const width = columnWidth(look, 1)
  const line = (label: string, text: string, shows: string): Cell[] =>
    text === "" ? [] : [labelled(label, text, width, shows)]
  const sections: readonly (readonly [string, string[], Cell[]])[] = [
    [
      "Payment",
      [`${DATA}/paymentTerms`, `${DATA}/remitTo/bankDetails`],
      [
        ...line("Terms", termsOf(reading), `${DATA}/paymentTerms/netDays`),
        ...reading
          .entries(`${DATA}/paymentTerms/discountTerms`)
          .flatMap((at) => line("Discount", discountOf(reading, at), at)),
        ...bankCells(reading, line),
      ],
    ],
    ["Delivery", [`${DATA}/shipping`], deliveryCells(reading, line)],
    [
      "Contacts",
      [`${DATA}/contacts`],
      reading
        .entries(`${DATA}/contacts`)
        .flatMap((at) => line(roleOf(reading, at), listed(reading, at, ["name", "phone", "email"]), at)),
    ],
    [
      "Comments",
      [`${DATA}/comments`],
      reading.text(`${DATA}/comments`) === "" ? [] : [cell(reading.text(`${DATA}/comments`), width, [])],
    ],
    [
      "Extension fields",
      [`${DATA}/extrinsics`],
      reading.names(`${DATA}/extrinsics`).flatMap((name) => {
        const at = `${DATA}/extrinsics${pointerOf([name])}`
        return line(safeText(name, 200), reading.text(at), at)
      }),
    ],
  ]
  return sections.flatMap(([title, shows, cells]): Row[] => {
    if (!shows.some((pointer) => reading.has(pointer))) return []
    const strays = cells.length > 0 ? [] : shows.map((pointer) => reading.stray(pointer)).filter(Boolean)
    const all = [...cells, ...strays.map((text) => cell(text, width, []))]
    return [BLANK, [[cell(title, width, shows, "bold")]], ...all.map((each): Row => [[each]])]
  })
}

/** Who made the document, and what the service knows it by. */
export function footerCells(reading: Reading, look: Look): Cell[] {
  const width = columnWidth(look, 1)
  const source = ["sourceLanguage", "sourceVersion"].map((name) => reading.text(`/metadata/${name}`))
  const id = reading.text("/correlationId")
  const made = reading.date("/timestamp")
  return [
    cell(
      `Written by ${reading.text("/metadata/userAgent") || "(missing)"}, ${source.join(" ")}`.replace(
        /[, ]+$/,
        "",
      ),
      width,
      "/metadata",
      "dim",
    ),
    cell(
      id === ""
        ? "A draft: the service has not filled in its part."
        : joined(`Correlation id ${id}`, made && `made ${made}`),
      width,
      ["/correlationId", "/timestamp", "/docType"],
      "dim",
    ),
  ]
}

type Line = (label: string, text: string, shows: string) => Cell[]

function listed(reading: Reading, at: string, names: readonly string[]): string {
  return joined(...names.map((name) => reading.text(`${at}/${name}`)))
}

function termsOf(reading: Reading): string {
  const at = `${DATA}/paymentTerms`
  const days = reading.text(`${at}/netDays`)
  return joined(reading.stray(at), reading.text(`${at}/description`), days && `net ${days} days`)
}

function discountOf(reading: Reading, at: string): string {
  const [percent, days, until] = [
    reading.quantity(`${at}/discountPercent`),
    reading.text(`${at}/discountDays`),
    reading.date(`${at}/discountDueDate`),
  ]
  return joined(percent && `${percent}%`, days && `when paid within ${days} days`, until && `by ${until}`)
}

function bankCells(reading: Reading, line: Line): Cell[] {
  const bank = `${DATA}/remitTo/bankDetails`
  const labels = {
    bankName: "Bank",
    accountName: "Account name",
    bsb: "BSB",
    accountNumber: "Account number",
    swift: "SWIFT",
    iban: "IBAN",
  }
  const cells = Object.entries(labels).flatMap(([name, label]) =>
    line(label, reading.text(`${bank}/${name}`), `${bank}/${name}`),
  )
  return [...line("Bank", reading.stray(bank), bank), ...cells]
}

function deliveryCells(reading: Reading, line: Line): Cell[] {
  const at = `${DATA}/shipping`
  const labels = {
    carrier: "Carrier",
    route: "Route",
    incoTerms: "Terms",
    buyerAcctNumber: "Charged to",
    shippingInstructions: "Instructions",
  }
  return [
    ...Object.entries(labels).flatMap(([name, label]) =>
      line(label, reading.text(`${at}/${name}`), `${at}/${name}`),
    ),
    ...line(
      "Price",
      joined(`${reading.text(`${at}/currency`)} ${reading.money(`${at}/amount`)}`.trim()),
      `${at}/amount`,
    ),
  ]
}

const ROLES: Readonly<Record<string, string>> = {
  issuerOfInvoice: "Issuer",
  soldTo: "Sold to",
  billTo: "Bill to",
  remitTo: "Remit to",
  shipFrom: "Ship from",
  shipTo: "Ship to",
}

function roleOf(reading: Reading, at: string): string {
  const role = reading.text(`${at}/role`)
  return ROLES[role] ?? role
}
