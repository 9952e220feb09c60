/**
 * A rule is skipped only if it would find nothing: for random invoices, sound and with mistakes, each skipped rule is run
 * and finds nothing.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { collectBroken } from "../../../src/invoice/accounting/books.ts"
import { DOCUMENT_RULES, listPossibleRules, readBooks } from "../../../src/invoice/accounting/rules.ts"
import { findContractErrors } from "../../../src/invoice/violations.ts"
import { readJson } from "../../../src/input/json/read.ts"
import { isIn } from "../../../src/input/json/pointer.ts"
import { getFullPointer } from "../../../src/invoice/finding.ts"
import { soundInvoice } from "../random-invoices.ts"
import { fullInvoice, minimalInvoice } from "../samples.ts"

type Holder = Record<string, unknown>

/** A place in a document, by the shares of the way to take at each object or list. */
function change(document: unknown, way: readonly number[], action: Action): void {
  let holder = document as Holder
  for (const [step, share] of way.entries()) {
    const names = Object.keys(holder)
    const name = names[Math.floor(share * names.length)]
    if (name === undefined) return
    const inner = holder[name]
    if (typeof inner === "object" && inner !== null && step < way.length - 1) holder = inner as Holder
    else {
      act(holder, name, action)
      return
    }
  }
}

type Action = { do: "drop" | "rename" | "swap" } | { do: "set" | "add"; value: unknown; name: string }

function act(holder: Holder, name: string, action: Action): void {
  const value = holder[name]
  switch (action.do) {
    case "drop":
      delete holder[name]
      break
    case "rename":
      delete holder[name]
      holder[`${name}s`] = value
      break
    case "swap":
      if (typeof value === "number") holder[name] = -value
      break
    case "set":
      holder[name] = action.value
      break
    case "add":
      if (!Array.isArray(holder)) holder[action.name] = action.value
  }
}

const AMOUNTS = [0, 0.01, -0.01, 0.005, 1, 10, 5, 100, 110, -5, 1e9, 1e12, -1e13, 1.234, 2000]
const OTHERS = [
  "",
  " ",
  "x",
  null,
  true,
  [],
  {},
  "2026-11-20T09:00:00Z",
  "1999-01-01",
  "creditMemo",
  "delete",
]
const NAMES = [
  ...["taxRate", "taxAmount", "discountAmount", "shippingAmount", "grossAmount", "netAmount"],
  ...["depositAmount", "specialHandlingAmount", "taxBreakdown", "dueDate", "paymentTerms", "shipping"],
  ...["operation", "isERS", "remitTo", "documentReference", "serialNumbers", "description", "timestamp"],
]
const action = fc.oneof(
  fc.constantFrom<Action>({ do: "drop" }, { do: "rename" }, { do: "swap" }),
  fc.record({
    do: fc.constantFrom("set" as const, "add" as const),
    value: fc.oneof(
      fc.constantFrom<unknown>(...AMOUNTS, ...OTHERS),
      fc.integer({ min: -5000, max: 500_000 }).map((cents) => cents / 100),
    ),
    name: fc.constantFrom(...NAMES),
  }),
)
const mutant = fc.record({
  invoice: fc.oneof(soundInvoice, fc.constantFrom(fullInvoice(), minimalInvoice())),
  changes: fc.array(
    fc.tuple(
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 5 }),
      action,
    ),
    { maxLength: 4 },
  ),
  isDraft: fc.boolean(),
})

/** @param runs how many documents are tried */
export function passesRightly(runs: number): void {
  const seed = process.env.FREIGHT_GLANCE_SEED
  const numRuns = Number(process.env.FREIGHT_GLANCE_RUNS ?? runs)
  describe("a look at a document", () => {
    it("passes no rule that finds something", () => {
      let passed = 0
      fc.assert(
        fc.property(mutant, ({ invoice, changes, isDraft }) => {
          const changed = structuredClone(invoice)
          for (const [way, each] of changes) change(changed, way, each)
          const document = readJson(JSON.stringify(changed))
          const surroundings = { isDraft, today: "2026-11-20" }
          const broken = collectBroken(findContractErrors(document, isDraft ? "draft" : "canonical"))
          const possible = new Set(listPossibleRules(document, surroundings))
          const books = readBooks(document.value, document.numbers, broken, surroundings)
          for (const rule of DOCUMENT_RULES) {
            if (possible.has(rule) || rule.purposes?.has(books.purpose) === false) continue
            passed++
            const found =
              "check" in rule ? rule.check(books) : books.lines.flatMap((line) => rule.checkLine(line, books))
            const told = found.filter((finding) => !isIn(getFullPointer(finding), broken.pointers))
            // To expect something takes longer than to judge it.
            if (told.length > 0) expect({ rule: rule.id, told }).toEqual({ rule: rule.id, told: [] })
          }
        }),
        { numRuns, ...(seed && { seed: Number(seed) }) },
      )
      expect(passed).toBeGreaterThan(numRuns)
    })
  })
}
