/** Documents that the verifier is not sure of: read, examined and, where findings are, quoted. Loaded when needed. */
import type { Buffer } from "node:buffer"
import { decodeJsonBytes } from "../json/bytes.ts"
import { excerpt } from "../json/excerpt.ts"
import { type JsonDocument, readJson } from "../json/read.ts"
import type { CheckSettings } from "./documents.ts"
import { nameOf } from "./documents-numbers.ts"
import { examineDocument } from "./examine.ts"
import type { Finding } from "./finding.ts"

interface Examined {
  findings: Finding[]
  excerpts: string[]
  numbered?: { name: string; line: number; column: number }
}

/** A document with more findings than this is beyond mending by quotes. */
const MOST_EXCERPTS = 200

/** The number that a second document of the same supplier may not have; none where the document has none. */
const NO_NEW_INVOICE = new Set<unknown>(["update", "delete"])

/** What stands before a document in the line that it starts in. */
export interface Lead {
  /** How many characters. */
  indent: number
  /** The last of them, as many as a quote may show. */
  text: string
}

const NO_LEAD: Lead = { indent: 0, text: "" }

/** Lines and columns count from the document's first line. */
export function examineBytes(bytes: Buffer, settings: CheckSettings, lead = NO_LEAD): Examined {
  const decoded = decodeJsonBytes(bytes)
  if ("problem" in decoded) {
    const { offset: _, ...problem } = decoded.problem
    return { findings: [indented({ severity: "error", ...problem }, lead)], excerpts: [] }
  }
  const { text } = decoded
  const json = readJson(text)
  const findings = examineDocument(json, settings.examine)
  const excerpts = settings.excerpts && findings.length > 0 ? quotes(text, findings, lead.text) : []
  const numbered = settings.numbers ? numberIn(json) : undefined
  return {
    findings: findings.map((finding) => indented(finding, lead)),
    excerpts,
    ...(numbered && { numbered: indented(numbered, lead) }),
  }
}

function indented<Placed extends { line: number; column: number }>(placed: Placed, { indent }: Lead): Placed {
  return placed.line === 1 && indent > 0 ? { ...placed, column: placed.column + indent } : placed
}

function quotes(text: string, findings: readonly Finding[], before: string): string[] {
  const lines = text.split(/\r\n?|\n/)
  return findings.slice(0, MOST_EXCERPTS).map(({ line, column }) => {
    const lead = line === 1 ? before : ""
    return excerpt(`${lead}${lines[line - 1] ?? ""}`, { line: 1, column: column + Array.from(lead).length })
  })
}

/** The number of the invoice, when it is one that counts among the others of a run. */
function numberIn(json: JsonDocument): Examined["numbered"] {
  const data = memberOf(json.value, "data")
  const supplierId = memberOf(memberOf(data, "supplier"), "id")
  const invoiceNumber = memberOf(data, "invoiceNumber")
  const place = json.locate("/data/invoiceNumber")
  if (typeof supplierId !== "string" || typeof invoiceNumber !== "string" || !place) return undefined
  if (NO_NEW_INVOICE.has(memberOf(data, "operation"))) return undefined
  return { name: nameOf(supplierId, invoiceNumber), line: place.line, column: place.column }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
