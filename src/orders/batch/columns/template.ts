/** A file to fill in: the usual columns, with an example row. */
import { EXAMPLES, exampleBooking } from "../../booking/example.ts"
import { ADDRESS_PARTS, COLUMN_FIELDS, formatPackage, PARTY_COLUMNS } from "../../../contract/index.ts"
import { type Json, type JsonObject, put, segments } from "../../../base/json.ts"
import { jsonText, valueAt } from "../../../output/index.ts"
import type { Columns } from "./columns.ts"
import type { BatchField } from "./fields.ts"

const PARTY_TEMPLATE = PARTY_COLUMNS.filter(({ template }) => template !== undefined)

/** Headings of the usual columns as a spreadsheet shows them, by their fields: the order, to whom, what, by whom. */
const TEMPLATE: ReadonlyMap<string, string> = new Map([
  ...listOwnHeadings((name) => name === "reference"),
  ...PARTY_TEMPLATE.map(({ name, template = name }) => [`receiver.${name}`, template] as const),
  ...listOwnHeadings((name) => name !== "reference"),
  ...PARTY_TEMPLATE.filter(({ isOfSender }) => isOfSender).map(
    ({ name, template = name }) => [`sender.${name}`, `Sender ${template.toLowerCase()}`] as const,
  ),
])

function listOwnHeadings(isWanted: (name: string) => boolean) {
  return COLUMN_FIELDS.flatMap(({ path = "", column: { name = path, template } }) =>
    template !== undefined && isWanted(name) ? [[name, template] as const] : [],
  )
}

export const NEEDED: ReadonlySet<string> = new Set([
  ...COLUMN_FIELDS.flatMap(({ path = "", column: { name = path, isNeeded } }) => (isNeeded ? [name] : [])),
  ...["sender", "receiver"].flatMap((party) => ADDRESS_PARTS.map((part) => `${party}.${part}`)),
])

/**
 * The template's columns by their fields, with a package in one.
 * @param sender false when the profile knows the sender
 */
export function templateColumns({ sender }: { sender: boolean }): string[] {
  return listFields({ sender }).flatMap((name) =>
    name === "package.count" ? ["packages"] : name.startsWith("package.") ? [] : [name],
  )
}

function listFields({ sender }: { sender: boolean }): string[] {
  return [...TEMPLATE.keys()].filter((field) => sender || !field.startsWith("sender."))
}

type TemplateFormat = "csv" | "ndjson" | "json"

/**
 * The template for people, as CSV with plain headings. The sandbox books it unchanged.
 * @param nowMs milliseconds since the epoch; the example is collected on the next business day
 */
export function plainTemplate(columns: { sender: boolean }, nowMs: number): Promise<string> {
  return formatCsv(...plainColumns(columns, nowMs))
}

/** The same as a workbook with text cells, so that no spreadsheet drops a postcode's leading zero. */
export async function workbookTemplate(columns: { sender: boolean }, nowMs: number): Promise<Uint8Array> {
  const { writeWorkbook } = await import("../../../output/terminal/workbook.ts")
  const [headings, fields, row] = plainColumns(columns, nowMs)
  const cells = fields.map((name) => formatCell(name, valueAt(row, name)))
  const pieces: Uint8Array[] = []
  const texts = headings.map((heading) => ({ heading, isText: true }))
  for await (const piece of writeWorkbook(texts, [cells], "Orders")) pieces.push(piece)
  return Buffer.concat(pieces)
}

function plainColumns(columns: { sender: boolean }, nowMs: number) {
  const fields = listFields(columns)
  const row = { ...createExampleRow(nowMs), packagingCode: "carton", ...formatPlainTimes(nowMs) }
  return [fields.map((field) => TEMPLATE.get(field) ?? field), fields, row] as const
}

export async function templateText(
  names: readonly string[],
  format: TemplateFormat,
  nowMs: number,
): Promise<string> {
  const row = createExampleRow(nowMs)
  if (format === "csv") return formatCsv(names, names, row)
  const object: JsonObject = {}
  for (const name of names) {
    const value = valueAt(row, name)
    if (value !== undefined) put(object, segments(name), value as Json)
  }
  return `${format === "ndjson" ? jsonText(object) : jsonText([object], 2)}\n`
}

async function formatCsv(
  headings: readonly string[],
  fields: readonly string[],
  row: Record<string, unknown>,
): Promise<string> {
  const { stringify } = await import("csv-stringify/sync")
  const cells = fields.map((name) => formatCell(name, valueAt(row, name)))
  // Spreadsheets recognise UTF-8 only by its byte order mark.
  return `\ufeff${stringify([headings, cells], { record_delimiter: "windows" })}`
}

/** The example's times as people write them: `2026-11-23 10:00` and `17:00`. */
function formatPlainTimes(nowMs: number) {
  const { collectionDateTime, collectionCloseTime } = exampleBooking(nowMs)
  return {
    collectionDateTime: collectionDateTime.slice(0, 16).replace("T", " "),
    collectionCloseTime: collectionCloseTime.replace(/^(..)/, "$1:"),
  }
}

function createExampleRow(nowMs: number): Record<string, unknown> {
  const { receiver, ...booking } = exampleBooking(nowMs)
  return {
    ...booking,
    package: booking.packages[0],
    reference: EXAMPLES.row,
    receiver: { phoneNumber: "08 5550 4321", residential: "no", ...receiver },
    service: "cheapest",
    maxPrice: 500,
  }
}

function formatCell(name: string, value: unknown): string {
  if (name === "packages") return exampleBooking(0).packages.map(formatPackage).join("; ")
  return value === undefined ? "" : String(value)
}

export interface ColumnHelp {
  column: string
  needed: boolean
  also: string[]
  about: string
  example: string
}

export function columnHelp(columns: Columns): ColumnHelp[] {
  const first = templateColumns({ sender: true })
  const rank = ({ name }: BatchField) => (first.indexOf(name) + first.length + 1) % (first.length + 1)
  return columns.fields
    .toSorted((one, other) => rank(one) - rank(other))
    .map((field) => ({
      column: field.name,
      needed: NEEDED.has(field.name),
      also: columns.aliases(field).slice(0, 12),
      about: field.about,
      example: field.example,
    }))
}
