/**
 * Whether the fix of an amount is safe. A value under another name, or in a text, may be another amount than it seems:
 * a rate, a price with GST, a comma for a point. The fix is safe if the document has several sums, the fixed document
 * agrees with all of them, and they would not agree with another amount in its place.
 */
import { type JsonDocument, readJson, toPointer } from "../../input/index.ts"
import { collectBroken } from "../accounting/books.ts"
import { AMOUNT_RULES, checkAccounting, countSums } from "../accounting/rules.ts"
import { type Edit, type Finding, type FindingAnswer, getFullPointer } from "../finding.ts"
import { getField, getSchemaAt } from "../schema.ts"
import { chooseEdits, findEdits, replaceValue } from "./edits.ts"
import { applyEdits } from "./splice.ts"

type Found = Pick<Finding, "rule" | "pointer" | "property"> & { answer?: FindingAnswer }

/** Everything that is wrong with a document, with answers as if each amount could be trusted. */
type Examine = (document: JsonDocument) => readonly Found[]

/** Rounds of fixes that are looked ahead: a field that is renamed, then the amount in it. */
const MAX_ROUNDS = 20

/** Makes the safe answers about amounts suggestions, but for those that agree with every sum. */
export function keepAgreed<F extends Found>(
  document: JsonDocument,
  found: readonly F[],
  examine: Examine,
): readonly F[] {
  if (!found.some((finding) => findAmount(finding) !== undefined)) return found
  const doubtful = new Set<string>()
  // An amount that is not fixed after all may be missing from the sums of another.
  for (let isSettled = false; !isSettled; ) {
    const { fixed, amounts } = fixAhead(document, found, examine, doubtful)
    const unproven = findUnproven(fixed, amounts, examine)
    isSettled = unproven.length === 0
    for (const pointer of unproven) doubtful.add(pointer)
  }
  return found.map((finding) => {
    const amount = findAmount(finding)
    const isDoubtful = amount !== undefined && doubtful.has(amount) && finding.answer
    return isDoubtful ? { ...finding, answer: { ...finding.answer, safety: "suggestion" as const } } : finding
  })
}

/** Whether a document with repaired syntax agrees with its repaired numbers. @param starts offsets of these */
export function isAgreed(document: JsonDocument, starts: readonly number[], examine: Examine): boolean {
  if (starts.length === 0) return true
  const repaired = starts.map((start) => document.findPointer(start) ?? "")
  const found = keepAgreed(document, examine(document), examine)
  const { fixed, amounts } = fixAhead(document, found, examine, new Set())
  return findUnproven(fixed, [...amounts, ...repaired], examine).length === 0
}

/** The place of the amount after a safe answer; undefined for an answer about something else. */
function findAmount({ pointer, property, answer }: Found): string | undefined {
  if (answer?.safety !== "safe" || "edit" in answer) return undefined
  if ("does" in answer && answer.does === "remove") return undefined
  const name = "rename" in answer ? answer.rename[1] : undefined
  const field =
    name === undefined
      ? getSchemaAt(getFullPointer({ pointer, ...(property && { property }) }))
      : getField(getSchemaAt(pointer), name)
  if (field?.type !== "number") return undefined
  return name === undefined
    ? getFullPointer({ pointer, ...(property && { property }) })
    : pointer + toPointer([name])
}

/** The document after all safe fixes, but for those of doubtful amounts; and the amounts that were fixed. */
function fixAhead(
  document: JsonDocument,
  found: readonly Found[],
  examine: Examine,
  doubtful: ReadonlySet<string>,
): { fixed: JsonDocument; amounts: readonly string[] } {
  const amounts = new Set<string>()
  let fixed = document
  let left = found
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fixes = left.flatMap((finding) => {
      const amount = findAmount(finding)
      if (finding.answer?.safety !== "safe" || (amount !== undefined && doubtful.has(amount))) return []
      if (amount !== undefined) amounts.add(amount)
      return [findEdits(finding, finding.answer, fixed)]
    })
    const edits = chooseEdits(fixes)
    if (edits.length === 0) break
    fixed = readJson(applyEdits(fixed.text, edits))
    left = examine(fixed)
  }
  return { fixed, amounts: [...amounts] }
}

/** The amounts that no sum of the document proves; all of them if a sum is wrong, or there is only one. */
function findUnproven(
  document: JsonDocument,
  amounts: readonly string[],
  examine: Examine,
): readonly string[] {
  if (amounts.length === 0) return []
  const broken = collectBroken(
    examine(document).filter(({ rule }) => rule.startsWith("contract/") || rule.startsWith("json/")),
  )
  const findWrongSums = (of: JsonDocument) =>
    checkAccounting(of, broken).filter(({ rule }) => AMOUNT_RULES.has(rule))
  if (findWrongSums(document).length > 0 || countSums(document, broken) < 2) return amounts
  const groups = new Map<string, string[]>()
  for (const amount of amounts) {
    const field = amount.replace(/\/\d+(?=\/)/g, "/0")
    groups.set(field, [...(groups.get(field) ?? []), amount])
  }
  return [...groups.values()].flatMap((group) => {
    const changes = group.flatMap((amount) => changeAmount(document, amount))
    changes.sort((one, other) => one.offset - other.offset)
    const elements = new Set(
      findWrongSums(readJson(applyEdits(document.text, changes))).map(({ pointer }) => findElement(pointer)),
    )
    // A sum over a list is wrong by each of its elements.
    return elements.has("")
      ? []
      : group.filter(
          (amount) =>
            !elements.has(findElement(amount)) && (elements.size === 0 || findElement(amount) !== ""),
        )
  })
}

/** The line, or the part of a list, that a place is in. */
function findElement(pointer: string): string {
  return /^.*\/\d+(?=\/|$)/.exec(pointer)?.[0] ?? ""
}

/** More than any rounding. */
const ANOTHER = 1000

function changeAmount(document: JsonDocument, amount: string): Edit[] {
  const span = document.findSpan(amount)
  const value = Number(document.sourceOf(amount))
  if (!span || Number.isNaN(value)) return []
  const isRate = /(?:Rate|Percent)$/.test(amount)
  return [replaceValue(span, isRate ? (value === 0 ? "10" : "0") : (value + ANOTHER).toFixed(2))]
}
