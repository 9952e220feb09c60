/** The parts of a report on findings: number, rules, places, and fixable ones. */
import { counted, grouped } from "../../base/counted.ts"
import { safeText } from "../../base/safe-text.ts"
import { formatFileName, type RulePlaces, type Summary } from "../finding.ts"

/** `2 errors, 1 warning`; empty if there are none. */
export function countFindings({ errors, warnings }: { errors: number; warnings: number }): string {
  return [errors > 0 && counted(errors, "error"), warnings > 0 && counted(warnings, "warning")]
    .filter(Boolean)
    .join(", ")
}

/** The advice for findings with only one right answer. */
export function describeFixable({ fixable = 0, errors, warnings }: Summary): string[] {
  if (fixable === 0) return []
  const isAll = errors + warnings === fixable
  const which = isAll ? (fixable === 1 ? "this" : "all of these") : `${grouped(fixable)} of these`
  return [`--fix fixes ${which}: it shows the changes and asks.`]
}

/** The number and places of each rule's findings, the most frequent first. */
export function countByRule({
  byRule,
  places = {},
}: Pick<Summary, "byRule" | "places">): { rule: string; count: string; where: string }[] {
  return Object.entries(byRule)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([rule, count]) => ({
      rule: safeText(rule),
      count: grouped(count),
      where: describePlaces(places[rule]),
    }))
}

/** `in 12 files: a.json, b.json, c.json, …`; of one file of many documents, their indexes. */
function describePlaces(places: RulePlaces | undefined): string {
  if (!places) return ""
  const { files, documents, firstFiles, firstIndexes } = places
  const name = (count: number, thing: string, names: readonly (string | number)[]) =>
    `in ${counted(count, thing)}: ${names.join(", ")}${count > names.length ? ", …" : ""}`
  if (files === 1 && firstIndexes.length > 0)
    return `${name(
      documents,
      "document",
      firstIndexes.map((index) => `index ${index}`),
    )} of ${formatFileName(firstFiles[0] ?? "")}`
  return files === 1
    ? `in ${formatFileName(firstFiles[0] ?? "")}`
    : name(files, "file", firstFiles.map(formatFileName))
}
