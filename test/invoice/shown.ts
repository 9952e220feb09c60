/** The page that `freight invoice show` prints of a document, made without a process. */
import { examineDocument } from "../../src/invoice/examine.ts"
import type { ReportLayout } from "../../src/output/pages/layout.ts"
import { renderInvoice } from "../../src/invoice/show/show.ts"
import { readJson } from "../../src/input/json/read.ts"
import { LAYOUT } from "./reported.ts"
import { fullInvoice } from "./samples.ts"
import { withChange, written } from "./writer.ts"

export type Path = readonly (string | number)[]

export function page(
  document: unknown,
  layout: Partial<ReportLayout> = {},
  stage: "canonical" | "draft" = "canonical",
) {
  return pageOf(written(document).text, layout, stage)
}

export function pageOf(
  text: string,
  layout: Partial<ReportLayout> = {},
  stage: "canonical" | "draft" = "canonical",
) {
  const json = readJson(text)
  const findings = examineDocument(json, { stage, accounting: true, strict: false, rules: {} })
  return renderInvoice(json, findings, { ...LAYOUT, ...layout })
}

/** The lines of the page of the full invoice with one place changed, without blanks at their ends. */
export function linesWith(path: Path, value: unknown, layout: Partial<ReportLayout> = {}): string[] {
  return page(withChange(fullInvoice(), path, value), layout).split("\n")
}

/** The line that holds a text, and the next ones. */
export function from(lines: readonly string[], text: string, count: number): string[] {
  const at = lines.findIndex((line) => line.includes(text))
  return at < 0 ? [] : lines.slice(at, at + count)
}
