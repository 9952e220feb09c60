/** What `freight invoice show` prints of a document, without a process. */
import { examineDocument } from "../../src/invoice/examine.ts"
import type { Look } from "../../src/invoice/reporters/layout.ts"
import { renderInvoice } from "../../src/invoice/show/invoice.ts"
import { readJson } from "../../src/json/read.ts"
import { LOOK } from "./reported.ts"
import { fullInvoice } from "./samples.ts"
import { withChange, written } from "./writer.ts"

export type Path = readonly (string | number)[]

export function page(
  document: unknown,
  look: Partial<Look> = {},
  stage: "canonical" | "draft" = "canonical",
) {
  return pageOf(written(document).text, look, stage)
}

export function pageOf(text: string, look: Partial<Look> = {}, stage: "canonical" | "draft" = "canonical") {
  const json = readJson(text)
  const findings = examineDocument(json, { stage, accounting: true, strict: false, rules: {} })
  return renderInvoice(json, findings, { ...LOOK, ...look })
}

/** The lines of the page of the full invoice with one place changed, without blanks at their ends. */
export function linesWith(path: Path, value: unknown, look: Partial<Look> = {}): string[] {
  return page(withChange(fullInvoice(), path, value), look).split("\n")
}

/** The line that holds a text, and the next ones. */
export function from(lines: readonly string[], text: string, count: number): string[] {
  const at = lines.findIndex((line) => line.includes(text))
  return at < 0 ? [] : lines.slice(at, at + count)
}
