/** Fields of the whole invoice in its rows: one value of each field, which agrees with the flags. */
import type { InvoiceAddress } from "../../../contract/generated/types.ts"
import { quoted, valueOrThrow } from "../../../base/parsed.ts"
import type { RowFinding } from "../../../input/index.ts"
import { formatMoney, getMagnitude, ZERO } from "../../accounting/amounts.ts"
import { CREDITS } from "../../kind.ts"
import { type Need, NEEDS } from "../ask.ts"
import type { NewInvoice } from "../draft.ts"
import { FIELDS } from "../parties.ts"
import { parseAddress } from "../texts.ts"
import { toAssignment } from "../../set-fields.ts"
import { leaveOut, rowErrorAt } from "./errors.ts"
import { findLeaf } from "./fields.ts"
import type { InvoiceRow, InvoiceRows } from "./row.ts"

export type Head = Partial<Omit<NewInvoice, "lines">>

/** The field of each part of an invoice, and the flag that gives it, too. */
const PARTS = {
  number: ["invoiceNumber", NEEDS.number.flag],
  po: ["poNumber", NEEDS.po.flag],
  supplierId: ["supplier.id", NEEDS.supplierId.flag],
  supplierName: ["supplier.name", NEEDS.supplierName.flag],
  refersTo: ["refersTo", NEEDS.refersTo.flag],
  abn: ["abn", NEEDS.abn.flag],
  bsb: ["bsb", NEEDS.bsb.flag],
  accountNumber: ["accountNumber", NEEDS.accountNumber.flag],
  accountName: ["accountName", FIELDS.accountName.flag],
  terms: ["terms", FIELDS.terms.flag],
  contact: ["contact", FIELDS.contact.flag],
  date: ["invoiceDate", "--date"],
  due: ["dueDate", "--due"],
  purpose: ["purpose", "--purpose"],
  comments: ["comments", "--comments"],
} as const

/** Amounts of the whole invoice. */
const AMOUNT_PARTS = {
  deposit: ["depositAmount", "--deposit"],
  statedDue: ["dueAmount", "the total"],
} as const

/** A path in a column of lines means the line of each row. */
const FIRST_LINE = "lineItems.0."

export function fieldOf(need: Need): string {
  return need === "billTo" ? need : need === "line" ? "description" : PARTS[need][0]
}

interface Found {
  row: InvoiceRow
  text: string
}

type AddressPart = keyof InvoiceAddress
const NEEDED_PARTS: readonly AddressPart[] = ["street1", "city", "state", "postalCode"]
const ADDRESS_PARTS: readonly AddressPart[] = [
  "addressId",
  "addressee",
  "street1",
  "street2",
  ...NEEDED_PARTS,
]

/**
 * @param flags the values of the flags, without defaults
 * @returns the parts in rows or flags, and their errors
 */
export function readHead(
  source: InvoiceRows,
  rows: readonly InvoiceRow[],
  flags: Head,
): { head: Head; findings: RowFinding[] } {
  const findings: RowFinding[] = []
  const tell = (row: InvoiceRow, field: string, rule: string, message: string, hint: string) =>
    findings.push(rowErrorAt(source, row, field, rule, message, hint))
  const { columnOf } = source

  /** The first value of a field; a different one is an error. */
  const find = (field: string): Found | undefined => {
    const filled = rows.flatMap((row) => {
      const text = row.texts.get(field)
      return text === undefined ? [] : [{ row, text }]
    })
    const [first] = filled
    const other = filled.find(({ text }) => text !== first?.text)
    if (first && other) {
      const hint =
        field === "comments"
          ? `--map "${columnOf(field)}=lineComments" if it is about the lines`
          : `make them the same, give each invoice its own --per value, or ${leaveOut(columnOf, field)}`
      const message = `${show(other.text)} differs from ${show(first.text)} in row ${first.row.row}, and an invoice has one`
      tell(other.row, field, "differs", message, hint)
    }
    return first
  }
  const checkFlag = (field: string, flag: string, given: unknown, { row, text }: Found) => {
    if (typeof given === "string") findings.push(...findConflict(source, row, field, text, flag, given))
  }

  const head: Record<string, unknown> = { ...flags }
  for (const [part, [field, flag]] of Object.entries(PARTS)) {
    const found = find(field)
    if (!found) continue
    checkFlag(field, flag, flags[part as keyof Head], found)
    head[part] = found.text
  }
  const assignments = [...new Set(rows.flatMap(({ texts }) => [...texts.keys()]))].flatMap((name) => {
    const leaf = findLeaf(name)
    if (!leaf) return []
    if (!leaf.path.startsWith(FIRST_LINE)) {
      const found = find(name)
      return found ? [toAssignment(leaf, found.text)] : []
    }
    return rows.flatMap(({ texts }, index) => {
      const text = texts.get(name)
      const path = `lineItems.${index}.${leaf.path.slice(FIRST_LINE.length)}`
      return text === undefined ? [] : [toAssignment({ ...leaf, path }, text)]
    })
  })
  if (assignments.length > 0) head.assignments = [...assignments, ...(flags.assignments ?? [])]
  for (const [part, [field, flag]] of Object.entries(AMOUNT_PARTS)) {
    const [first, ...others] = rows.filter(({ amounts }) => amounts.has(field))
    const amount = first?.amounts.get(field)
    if (!first || amount === undefined) continue
    const money = formatMoney(amount)
    const other = others.find(({ amounts }) => amounts.get(field) !== amount)
    if (other)
      tell(
        other,
        field,
        "differs",
        `${formatMoney(other.amounts.get(field) ?? ZERO)} differs from ${money} in row ${first.row}, and an invoice has one`,
        `write what the whole invoice has in each of its rows, or ${leaveOut(columnOf, field)}`,
      )
    const given = flags[part as keyof typeof AMOUNT_PARTS]
    if (given !== undefined)
      findings.push(...findConflict(source, first, field, money, flag, formatMoney(given)))
    // A credit's may have either sign; the draft gives it that of the credit.
    head[part] = CREDITS.has(head.purpose) ? getMagnitude(amount) : amount
  }
  for (const [party, flag] of [
    ["billTo", NEEDS.billTo.flag],
    ["shipTo", "--ship-to"],
    ["soldTo", "--sold-to"],
  ] as const) {
    const given: Partial<Record<AddressPart, string>> = flags[party] ?? {}
    const address = { ...given }
    const whole = find(party)
    const parsed: typeof given = whole ? valueOrThrow(parseAddress(whole.text), party) : {}
    let partOf = whole?.row
    for (const part of ADDRESS_PARTS) {
      const text = parsed[part]
      const own = find(`${party}.${part}`)
      const found = own ?? (whole && text !== undefined ? { row: whole.row, text } : undefined)
      if (!found) continue
      if (own && text !== undefined && withoutBlanks(own.text) !== withoutBlanks(text)) {
        const message = `${show(own.text)} differs from ${show(text)} in the column ${quoted(columnOf(party) ?? party)}`
        tell(own.row, `${party}.${part}`, "differs", message, leaveOut(columnOf, `${party}.${part}`))
      }
      checkFlag(own ? `${party}.${part}` : party, flag, given[part], found)
      address[part] = found.text
      partOf ??= found.row
    }
    const missing = NEEDED_PARTS.filter((part) => address[part] === undefined)
    if (missing.length === 0) head[party] = toAddress(address)
    // The rows may name the billed party; its address comes from the flag or a question.
    else if (partOf && !(party === "billTo" && missing.length === NEEDED_PARTS.length)) {
      const isFailed = missing.some((part) => rows.some(({ failed }) => failed.has(`${party}.${part}`)))
      const hint = `fill it in, or give the whole address with ${flag}`
      if (!isFailed)
        tell(partOf, `${party}.${missing[0]}`, "required", `${party} has no ${missing.join(", no ")}`, hint)
      head[party] = toAddress(address)
    }
  }
  return { head: head as Head, findings }
}

/** A value of a row that contradicts a flag. */
export function findConflict(
  source: InvoiceRows,
  row: InvoiceRow,
  field: string,
  text: string,
  flag: string,
  given: string,
): RowFinding[] {
  if (withoutBlanks(given) === withoutBlanks(text)) return []
  const message = `${show(text)} is not ${show(given)}, which ${flag} gives`
  const hint = `leave out the flag, or ${leaveOut(source.columnOf, field)}`
  return [rowErrorAt(source, row, field, "flag", message, hint)]
}

/** In the order of the contract. */
function toAddress(address: Partial<Record<AddressPart, string>>): InvoiceAddress {
  const parts = ADDRESS_PARTS.flatMap((part) => (address[part] === undefined ? [] : [[part, address[part]]]))
  return { ...Object.fromEntries(parts), country: "AU" } as InvoiceAddress
}

/** A day without the time of its date-time. */
function show(text: string): string {
  return quoted(text.replace(/T00:00:00Z$/, ""))
}

function withoutBlanks(text: string): string {
  return text.replace(/\s/g, "")
}
