/** Results of an imagined run, for the reporters: what they say of it is kept as files beside the tests. */
import { strFromU8, unzipSync } from "fflate"
import type { DocumentResult, Finding, Summary } from "../../src/invoice/finding.ts"
import { createReporter } from "../../src/invoice/reporters/index.ts"

export const LAYOUT = { colour: false, unicode: true, columns: 80 }

export function finding(more: Partial<Finding> = {}): Finding {
  return {
    rule: "contract/multipleOf",
    severity: "error",
    pointer: "/data/lineItems/2/unitPrice",
    line: 31,
    column: 22,
    message: "line item 3, unit price: 1.00005 has more than 4 decimals",
    hint: "round it to 1.0001",
    ...more,
  }
}

/** An error with a hint, one of a field that is missing, and a warning that fills more than a line. */
export const FINDINGS: readonly Finding[] = [
  finding(),
  finding({
    rule: "contract/required",
    pointer: "/data/billTo",
    property: "city",
    line: 14,
    column: 15,
    message: "bill to: city is missing",
    hint: 'after this {, write "city": "..." and a comma',
  }),
  finding({
    rule: "accounting/summary-subtotal",
    severity: "warning",
    pointer: "/data/invoiceSummary/subtotal",
    line: 40,
    column: 19,
    message:
      "summary, subtotal: lines add up to 1,204.50, subtotal says 1,240.50: difference 36.00, perhaps swapped digits",
    hint: "write 1204.50 if the other amounts are right",
  }),
]

/** A broken file, a list of three of which one has a warning and one is broken, and names that need care. */
export const RESULTS: readonly DocumentResult[] = [
  { file: "outbox/INV-1.json", valid: false, findings: [...FINDINGS] },
  { file: "outbox/november list.json", index: 0, valid: true, findings: [] },
  { file: "outbox/november list.json", index: 1, valid: true, findings: FINDINGS.slice(2) },
  { file: "outbox/november list.json", index: 2, valid: false, findings: FINDINGS.slice(1, 2) },
  { file: "outbox/100%, über:all.json", valid: true, findings: [] },
]

export const SUMMARY: Summary = {
  documents: 5,
  empty: 0,
  valid: 3,
  invalid: 2,
  drafts: 0,
  errors: 3,
  warnings: 2,
  byRule: { "contract/multipleOf": 1, "contract/required": 2, "accounting/summary-subtotal": 2 },
  unreadable: [{ file: "outbox/lost.json", reason: "there is no such file" }],
  milliseconds: 1234,
}

export const NOTHING: Summary = {
  documents: 0,
  empty: 0,
  valid: 0,
  invalid: 0,
  drafts: 0,
  errors: 0,
  warnings: 0,
  byRule: {},
  unreadable: [],
  milliseconds: 0,
}

/** The lines that the findings stand in. */
const LINES: Readonly<Record<number, string>> = {
  14: '    "billTo": {',
  31: '        "unitPrice": 1.00005,',
  40: '      "subtotal": 1240.50,',
}

/** Only what people read has excerpts. */
function withExcerpts(result: DocumentResult): DocumentResult {
  const findings = result.findings.map((each) => ({
    ...each,
    excerpt: `${LINES[each.line] ?? ""}\n${" ".repeat(each.column - 1)}^`,
  }))
  return { ...result, findings }
}

/** All that a reporter writes of a run. */
export async function written(
  format: string,
  results: readonly DocumentResult[] = RESULTS,
  summary: Summary = SUMMARY,
  look = LAYOUT,
): Promise<string> {
  const reporter = await createReporter(format, look, new Set(results.map(({ file }) => file)).size > 1)
  const documents = results.flatMap((result) => [
    ...reporter.document(["table", "html"].includes(format) ? withExcerpts(result) : result),
  ])
  const sheet: Uint8Array[] = []
  for await (const piece of reporter.rest?.() ?? []) sheet.push(piece)
  const cells = sheet.length > 0 ? sheetIn(Buffer.concat(sheet)) : ""
  return [reporter.begin?.() ?? "", ...documents, reporter.end(summary), cells].join("")
}

/** The XML of a workbook's sheet, a row on a line. */
export function sheetIn(workbook: Uint8Array): string {
  const xml = strFromU8(unzipSync(workbook)["xl/worksheets/sheet1.xml"] ?? new Uint8Array())
  return xml.replaceAll("<row ", "\n<row ")
}

/** The report of one document with one finding. */
export function writtenOf(format: string, more: Partial<Finding>, file = "INV-1.json"): Promise<string> {
  const found = finding(more)
  const valid = found.severity === "warning"
  const counts = { documents: 1, valid: valid ? 1 : 0, invalid: valid ? 0 : 1, unreadable: [] }
  return written(format, [{ file, valid, findings: [found] }], { ...SUMMARY, ...counts })
}
