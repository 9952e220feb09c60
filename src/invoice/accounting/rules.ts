/**
 * The accounting rules: relations between the contract's fields that no schema expresses. Each stands in the file of
 * its subject, with its words and its check; to add one, add it to a list there.
 *
 * Amounts are exact. A rule that needs an invalid amount, or one of more than forty digits, has no finding. An absent
 * amount counts as zero unless the rule says otherwise, or the amount may be there under an unknown name. If an amount
 * is reported as wrong, the amounts calculated from it are not reported if they fit the right one: one mistake has one
 * finding.
 */
import { getValueAt, isIn, type JsonDocument, parsePointer } from "../../input/index.ts"
import { getFullPointer } from "../finding.ts"
import { describePlace } from "../labels.ts"
import { Books, type BrokenPlaces, type DocumentFacts, getProduct, NOTHING_BROKEN } from "./books.ts"
import { ADDRESS_RULES } from "./addresses.ts"
import { CODE_RULES } from "./codes.ts"
import { COMMENT_RULES } from "./comments.ts"
import { DATE_RULES } from "./dates.ts"
import { DELIVERY_RULES } from "./delivery.ts"
import { CANCELLED_INVOICE, DUPLICATE_INVOICE, OVER_CREDITED } from "./duplicates.ts"
import { type FieldName, glanceAt, NeededNames, type Surroundings } from "./glance.ts"
import { IDENTIFIER_RULES } from "./identifiers.ts"
import { LINE_WORD_RULES } from "./line-words.ts"
import { isOffPrice, LINE_RULES } from "./lines.ts"
import { MAGNITUDE_RULES } from "./magnitudes.ts"
import { MEMO_RULES } from "./memos.ts"
import { PAYEE_RULES } from "./payees.ts"
import type { AccountingFinding, DocumentRule, Rule, RuleFinding } from "./rule.ts"
import { SUMMARY_RULES } from "./summary.ts"
import { SUPPLIER_RULES } from "./suppliers.ts"
import { TAX_RULES } from "./tax.ts"
import { TERMS_RULES } from "./terms.ts"
import { WORD_RULES } from "./words.ts"

export const DOCUMENT_RULES: readonly DocumentRule[] = [
  ...LINE_RULES,
  ...SUMMARY_RULES,
  ...TAX_RULES,
  ...DATE_RULES,
  ...TERMS_RULES,
  ...WORD_RULES,
  ...LINE_WORD_RULES,
  ...COMMENT_RULES,
  ...MEMO_RULES,
  ...IDENTIFIER_RULES,
  ...CODE_RULES,
  ...PAYEE_RULES,
  ...SUPPLIER_RULES,
  ...ADDRESS_RULES,
  ...DELIVERY_RULES,
  ...MAGNITUDE_RULES,
]

/** The rules about amounts: their findings may explain why another amount is wrong. */
export const AMOUNT_RULES: ReadonlySet<string> = new Set(
  DOCUMENT_RULES.filter(({ judges }) => judges === "amounts").map(({ id }) => id),
)

/** The rules whose findings may be intentional. */
export const MEANT_RULES: ReadonlySet<string> = new Set(
  DOCUMENT_RULES.filter(({ mayBeMeant }) => mayBeMeant).map(({ id }) => id),
)

const NEEDED = new NeededNames()
/** Each rule with the names that it needs, as positions in the list of a glance. */
const DECLARED = DOCUMENT_RULES.map((rule) => ({
  rule,
  needs: (rule.needs ?? []).map((need) => [need].flat().map((field) => NEEDED.add(field as FieldName))),
}))

/**
 * The rules that may find something in a document. One that is not among them finds nothing.
 * @param document with numbers that a double does not hold, no rule passes by a look at its amounts
 */
export function listPossibleRules(
  { value, numbers }: Pick<JsonDocument, "value" | "numbers">,
  surroundings: Surroundings = {},
): readonly DocumentRule[] {
  const present = new Uint8Array(NEEDED.count)
  const glance = glanceAt(value, NEEDED, present, surroundings)
  const isReadable = glance.isPlain && numbers === undefined
  const possible: DocumentRule[] = []
  for (const { rule, needs } of DECLARED) {
    if (rule.purposes && !rule.purposes.has(glance.data.purpose)) continue
    if (lacksNeeded(needs, present)) continue
    if (!isReadable || rule.passes?.(glance) !== true) possible.push(rule)
  }
  return possible
}

/** Whether none of the fields of some need is there. Plain loops: it is asked for each rule of each document. */
function lacksNeeded(needs: readonly (readonly number[])[], present: Uint8Array): boolean {
  for (const fields of needs) {
    let isThere = false
    for (const field of fields) if (present[field] === 1) isThere = true
    if (!isThere) return true
  }
  return false
}

export const RULES: readonly Rule[] = [
  ...DOCUMENT_RULES,
  DUPLICATE_INVOICE,
  CANCELLED_INVOICE,
  OVER_CREDITED,
].map(({ id, title, about, basis }) => ({ id, title, about, basis }))

/**
 * Findings of the rules about one document: line by line, then as a whole. Never throws: in a broken document, values that cannot be
 * counted with are passed over.
 */
export function checkAccounting(
  { value, numbers }: Pick<JsonDocument, "value" | "numbers">,
  broken: BrokenPlaces = NOTHING_BROKEN,
  surroundings: Surroundings = {},
): AccountingFinding[] {
  const possible = listPossibleRules({ value, numbers }, surroundings)
  if (possible.length === 0) return []
  const books = readBooks(value, numbers, broken, surroundings)
  const findings: AccountingFinding[] = []
  const report = (rule: string, found: readonly RuleFinding[]) => {
    for (const finding of found) {
      // Violations of the contract are reported already: further findings about them only follow from that.
      if (isIn(getFullPointer(finding), broken.pointers)) continue
      const message = `${describePlace(finding.pointer)}: ${finding.message}`
      findings.push({ rule, severity: "warning", ...finding, message })
    }
  }
  const ofLines = possible.filter((rule) => "checkLine" in rule)
  for (const line of books.lines)
    for (const { id, checkLine } of ofLines) {
      const found = checkLine(line, books)
      if (found.length > 0) report(id, found)
    }
  for (const rule of possible) if ("check" in rule) report(rule.id, rule.check(books))
  return findings
}

/** The number of sums in a document: lines, their subtotals together, and the amount due. */
export function countSums(
  { value, numbers }: Pick<JsonDocument, "value" | "numbers">,
  broken: BrokenPlaces,
): number {
  const books = readBooks(value, numbers, broken)
  const { lines, summary } = books
  // Amounts that agree only because a price may be rounded prove nothing.
  if (lines.some(isOffPrice)) return 0
  const products = lines.filter((line) => line.subtotal !== undefined && getProduct(line) !== undefined)
  const totals = ["subtotal", "dueAmount"].filter((field) => summary.amount(field) !== undefined)
  return products.length + totals.length
}

/** */
export function readBooks(
  value: unknown,
  numbers: DocumentFacts["numbers"],
  broken: BrokenPlaces,
  surroundings: Surroundings = {},
): Books {
  const unknown = new Map<string, unknown[]>()
  for (const place of broken.unknown) {
    const holder = place.slice(0, Math.max(0, place.lastIndexOf("/")))
    const known = unknown.get(holder) ?? []
    unknown.set(holder, known)
    known.push(getValueAt(value, parsePointer(place)))
  }
  return new Books(value, { numbers, broken: groupByHolder(broken.pointers), unknown, ...surroundings })
}

function groupByHolder(places: ReadonlySet<string>): DocumentFacts["broken"] {
  const names = new Map<string, Set<string>>()
  for (const place of places) {
    const end = place.lastIndexOf("/")
    const holder = place.slice(0, Math.max(0, end))
    const known = names.get(holder) ?? new Set()
    names.set(holder, known.add(place.slice(end + 1)))
  }
  return names
}
