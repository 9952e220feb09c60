/** A file to fill in: the usual columns, with an example row. */
import { exampleBooking } from "../../booking/example.ts"
import { type Json, type JsonObject, put, segments } from "../../booking/schema-fields.ts"
import { formatPackage } from "../../contract/packages.ts"
import { valueAt } from "../../terminal/columns.ts"
import { jsonText } from "../../terminal/json-text.ts"
import type { Columns } from "./columns.ts"
import type { Field } from "./fields.ts"

/** Only the sandbox books the example row. */
export const EXAMPLE_REFERENCE = "EXAMPLE-1"

const ADDRESS = ["companyName", "contactName", "email", "address1", "address2", "suburb", "state", "postcode"]
const WANTED = ["companyName", "address1", "suburb", "state", "postcode"]

const SENDER = ADDRESS.filter((part) => part !== "address2").map((part) => `sender.${part}`)
const RECEIVER = ADDRESS.toSpliced(2, 0, "phoneNumber").map((part) => `receiver.${part}`)
const REST = [
  ...["packages", "packagingCode", "service", "maxPrice", "collectionDateTime", "collectionCloseTime"],
  "specialInstructions",
]

/** Columns that need a value unless a flag or the profile gives it for all rows. */
export const NEEDED: ReadonlySet<string> = new Set([
  "reference",
  ...["sender", "receiver"].flatMap((party) => WANTED.map((part) => `${party}.${part}`)),
  ...["packages", "packagingCode", "service", "collectionDateTime", "collectionCloseTime"],
])

/** The template's columns. @param sender false when the profile knows the sender */
export function templateColumns({ sender }: { sender: boolean }): string[] {
  return ["reference", ...RECEIVER, ...REST, ...(sender ? SENDER : [])]
}

type TemplateFormat = "csv" | "ndjson" | "json"

/**
 * The template's text, which the sandbox books unchanged.
 * @param nowMs milliseconds since the epoch; the example is collected on the next business day
 */
export async function templateText(
  names: readonly string[],
  format: TemplateFormat,
  nowMs: number,
): Promise<string> {
  const row = exampleRow(nowMs)
  if (format === "csv") {
    const { stringify } = await import("csv-stringify/sync")
    const cells = names.map((name) => shown(name, valueAt(row, name)))
    // Spreadsheets recognise UTF-8 only by its byte order mark.
    return `\ufeff${stringify([names, cells], { record_delimiter: "windows" })}`
  }
  const object: JsonObject = {}
  for (const name of names) {
    const value = valueAt(row, name)
    if (value !== undefined) put(object, segments(name), value as Json)
  }
  return `${format === "ndjson" ? jsonText(object) : jsonText([object], 2)}\n`
}

function exampleRow(nowMs: number): Record<string, unknown> {
  const { receiver, ...booking } = exampleBooking(nowMs)
  return {
    ...booking,
    reference: EXAMPLE_REFERENCE,
    receiver: { phoneNumber: "08 5550 4321", ...receiver },
    service: "cheapest",
    maxPrice: 500,
  }
}

function shown(name: string, value: unknown): string {
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

/** Every column, those of the template first. */
export function columnHelp(columns: Columns): ColumnHelp[] {
  const first = templateColumns({ sender: true })
  const rank = ({ name }: Field) => (first.indexOf(name) + first.length + 1) % (first.length + 1)
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
