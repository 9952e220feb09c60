/** Tells the files of other commands from invoices, however broken these are. */
import { nextCommand } from "../contract/command-line.ts"

/** Fields that no invoice has, and which command takes what has all of them. */
const REQUESTS: readonly { fields: readonly string[]; kind: string; command: string }[] = [
  { fields: ["from", "to"], kind: "a rate request", command: "rate-shop" },
  { fields: ["receiver"], kind: "a booking", command: "book" },
  { fields: ["sender", "packages"], kind: "a booking", command: "book" },
]

const INVOICE_FIELDS = ["data", "docType", "invoiceNumber"]

/** What a document is when it is a request and not an invoice, and the command that takes it. */
export function findOtherRequest(
  value: unknown,
  file: string,
): { kind: string; next: string | undefined } | undefined {
  const fields: object = Object(value)
  const has = (name: string) => Object.hasOwn(fields, name)
  if (INVOICE_FIELDS.some(has)) return undefined
  const request = REQUESTS.find((each) => each.fields.every(has))
  return request && { kind: request.kind, next: nextCommand("freight", request.command, "--file", file).next }
}
