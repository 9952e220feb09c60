import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { draw, share } from "../drawn.ts"
import { examine } from "../../src/invoice/examine.ts"
import type { Finding } from "../../src/invoice/finding.ts"
import { toPointer } from "../../src/input/json/pointer.ts"
import { anyLayout, validInvoice } from "./arbitrary.ts"
import { fieldsOf } from "./contract-tables.ts"
import { type Mutation, mutationsOf, spotsOf } from "./mutations.ts"
import { fullInvoice } from "./samples.ts"
import { PLAIN, raw, type Written, withChange, written } from "./writer.ts"

function findings(text: string, stage: "canonical" | "draft" = "canonical") {
  return examine(text, { stage, accounting: false, strict: false, rules: {} })
}

function mutated(document: unknown, { path, property, value }: Mutation): unknown {
  return withChange(document, property === undefined ? path : [...path, property], value)
}

/** The finding for a fault, its place counted in the text by the writer. */
function expected(mutation: Mutation, { place }: Written): Partial<Finding> {
  const { path, property, rule, atName } = mutation
  return {
    rule,
    severity: "error",
    pointer: toPointer(path),
    ...(property !== undefined && { property }),
    ...place(path, atName ? property : undefined),
  }
}

function withoutWords({ message: _message, hint: _hint, fix: _fix, ...finding }: Finding): Partial<Finding> {
  return finding
}

const full = fullInvoice()
const FAULTS = mutationsOf(full)
const title = ({ what, path, property }: Mutation) =>
  `${[...path, ...(property === undefined ? [] : [property])].join(".") || "the document"}: ${what}`

describe("an invoice that has every field", () => {
  const spots = spotsOf(full)

  it("has no findings", () => {
    expect(findings(written(full).text)).toEqual([])
  })

  it("has every field that the contract knows", () => {
    const there = new Set(spots.map(({ path }) => path.filter((key) => typeof key === "string").join(".")))
    const known = (table: string, at: string): string[] =>
      fieldsOf(table).flatMap(({ name, kind }) => {
        const inner = kind.is === "list" ? kind.of : kind
        return [at + name, ...(inner.is === "object" ? known(inner.table, `${at}${name}.`) : [])]
      })
    expect(known("Document", "").filter((path) => !there.has(path))).toEqual([])
  })

  it.each(
    FAULTS.map((mutation) => ({ title: title(mutation), mutation })),
  )("has one finding, and in its place: $title", ({ mutation }) => {
    const document = written(mutated(full, mutation))
    expect(findings(document.text).map(withoutWords)).toEqual([expected(mutation, document)])
  })

  it.each(
    spots
      .filter(({ path }) => typeof path.at(-1) === "string")
      .filter(({ path }) => !FAULTS.some((each) => title(each) === `${path.join(".")}: missing`))
      .map(({ path }) => ({ path, at: path.join(".") })),
  )("may do without $at", ({ path }) => {
    expect(findings(written(withChange(full, path, undefined)).text)).toEqual([])
  })
})

describe("any invoice that keeps the contract", () => {
  it("has no findings, however it is written", () => {
    fc.assert(
      fc.property(validInvoice, anyLayout, (invoice, layout) => {
        expect(findings(written(invoice, layout).text)).toEqual([])
      }),
      { numRuns: share(300) },
    )
  })

  it("has one finding for one fault, at its place", () => {
    fc.assert(
      fc.property(validInvoice, anyLayout, fc.nat(), (invoice, layout, choice) => {
        const mutations = mutationsOf(invoice)
        const mutation = mutations[choice % mutations.length]
        if (!mutation) throw new Error("an invoice without places")
        const document = written(mutated(invoice, mutation), layout)
        expect(findings(document.text).map(withoutWords)).toEqual([expected(mutation, document)])
      }),
      { numRuns: share(500) },
    )
  })

  it("has a finding for each of several faults, in the order of the text", () => {
    fc.assert(
      fc.property(validInvoice, anyLayout, fc.array(fc.nat(), { minLength: 2, maxLength: 6 }), (...given) => {
        const [invoice, layout, choices] = given
        const mutations = mutationsOf(invoice)
        const chosen = choices
          .flatMap((choice) => mutations[choice % mutations.length] ?? [])
          .reduce(apart, [])
        const document = written(chosen.reduce(mutated, invoice), layout)
        const found = findings(document.text).map(withoutWords)
        expect(found.toSorted(byPlace)).toEqual(chosen.map((each) => expected(each, document)).sort(byPlace))
        expect(found.map(lineOf)).toEqual(found.map(lineOf).sort((a, b) => a - b))
      }),
      { numRuns: share(300) },
    )
  })
})

/** Keeps the faults that do not undo or contain each other. */
function apart(kept: Mutation[], next: Mutation): Mutation[] {
  const at = ({ path, property }: Mutation) => [...path, ...(property === undefined ? [] : [property])]
  const within = (one: Mutation, other: Mutation) =>
    `${toPointer(at(one))}/`.startsWith(`${toPointer(at(other))}/`)
  return kept.some((each) => within(each, next) || within(next, each)) ? kept : [...kept, next]
}

function lineOf({ line = 0 }: Partial<Finding>): number {
  return line
}

function byPlace(one: Partial<Finding>, other: Partial<Finding>): number {
  const key = ({ line = 0, column = 0, property = "" }: Partial<Finding>) =>
    `${line.toString().padStart(9)}:${column.toString().padStart(9)}:${property}`
  return key(one) < key(other) ? -1 : 1
}

describe("the draft stage", () => {
  const managed = ["docType", "correlationId", "timestamp"]

  it.each([...managed, "data.lineItems.0.uniqueLineKey"])("may do without %s", (path) => {
    const keys = path.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key))
    expect(findings(written(withChange(full, keys, undefined)).text, "draft")).toEqual([])
  })

  it.each(
    draw(FAULTS)
      .filter(({ rule, property = "" }) => rule !== "contract/required" || !managed.includes(property))
      .map((mutation) => ({ title: title(mutation), mutation })),
  )("finds all else that the canonical stage does: $title", ({ mutation }) => {
    const document = written(mutated(full, mutation))
    expect(findings(document.text, "draft").map(withoutWords)).toEqual([expected(mutation, document)])
  })
})

describe("at the edges of the rules", () => {
  it.each([
    ["2,000 characters beyond the basic plane", ["data", "comments"], "😀".repeat(2000)],
    ["500 characters on a line", ["data", "lineItems", 0, "comments"], "é".repeat(500)],
    ["half a character", ["data", "comments"], "\ud800"],
    ["an empty text", ["data", "invoiceNumber"], ""],
    ["an empty email", ["data", "contacts", 0, "email"], ""],
    ["a whole number written 30.0", ["data", "paymentTerms", "netDays"], raw("30.0")],
    ["a whole number written 3e1", ["data", "paymentTerms", "netDays"], raw("3e1")],
    ["a whole number beyond all doubles", ["data", "paymentTerms", "netDays"], raw("1e400")],
    ["an amount beyond all doubles", ["data", "shipping", "amount"], raw("1e400")],
    ["an amount between two doubles", ["data", "shipping", "amount"], raw("99999999999999.99")],
    ["a negative amount", ["data", "shipping", "amount"], raw("-19.99")],
    ["minus nought", ["data", "shipping", "amount"], raw("-0.00")],
    ["no orders at all", ["data", "poReferences"], []],
    [
      "any extension field",
      ["data", "extrinsics"],
      { a: null, b: [{ docType: 1, unitPrice: raw("1.00005") }] },
    ],
    ["an empty bank account", ["data", "remitTo"], { bankDetails: {} }],
  ])("%s may stand", (_, path, value) => {
    expect(findings(written(withChange(full, path, value), PLAIN).text)).toEqual([])
  })
})
