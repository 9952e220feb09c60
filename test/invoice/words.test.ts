/** The message of a fault: what is wrong, where, what to write instead, and whether `--fix` writes it. */
import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import { findMeantChoice } from "../../src/invoice/explain/choices.ts"
import { explainContractError } from "../../src/invoice/explain/contract.ts"
import type { Finding } from "../../src/invoice/finding.ts"
import { describePlace } from "../../src/invoice/labels.ts"
import { decodeJsonBytes } from "../../src/input/json/bytes.ts"
import { expectCases } from "../cases.ts"
import { fullDraft, fullInvoice, minimalDraft, textOf } from "./samples.ts"
import { raw, withChange, written } from "./writer.ts"

type Path = readonly (string | number)[]

/** `message — hint` of each finding, marked where `--fix` would write that or ask. */
function told(text: string, stage: "draft" | "canonical" = "draft"): string[] {
  const show = ({ message, hint, fix }: Finding) =>
    [
      message,
      ...(hint ? [` — ${hint}`] : []),
      ...(fix ? [fix.safety === "safe" ? " [fix]" : " [fix?]"] : []),
    ].join("")
  return examine(text, { stage, accounting: false, strict: false, rules: {} }).map(show)
}

const changed = (path: Path, value: unknown) =>
  told(written(withChange(fullInvoice(), path, value)).text, "canonical")

function toPath(text: string): Path {
  return text === "" ? [] : text.split("/").map((name) => (/^\d+$/.test(name) ? Number(name) : name))
}

/** The finding of a line of words.txt: the whole invoice with a place changed, gone, or under another name. */
function outcomeOf(line: string): string | string[] {
  const [, verb = "", rest = ""] = /^(text |place |draft )?(.*)$/.exec(line) ?? []
  if (verb === "text ") return told(JSON.parse(rest))
  if (verb === "place ") return describePlace(JSON.parse(rest))
  const [, place = "", gone, value = ""] = /^([^:= ]*)(?: (gone)| = (.*)|: .*)$/.exec(rest) ?? []
  const path = toPath(place)
  const [, name, other] = /: (.*) -> (.*)$/.exec(rest) ?? []
  const base = verb === "draft " ? fullDraft() : fullInvoice()
  const document =
    name !== undefined && other !== undefined
      ? withChange(
          base,
          path,
          renamed(
            path.reduce<unknown>((at, key) => Object(at)[key], base),
            name,
            other,
          ),
        )
      : withChange(base, path, gone ? undefined : raw(value))
  return told(written(document).text, verb === "draft " ? "draft" : "canonical")
}

function renamed(object: unknown, name: string, other: string): object {
  return Object.fromEntries(
    Object.entries(Object(object)).map(([key, value]) => [key === name ? other : key, value]),
  )
}

describe("a message", () => {
  it("of each fault is that of words.txt", () => expectCases(import.meta.dirname, "words.txt", outcomeOf))

  it("of a text that is too long says by how much", () => {
    expect(changed(["data", "comments"], "x".repeat(2014))).toEqual([
      "comments: must have at most 2,000 characters, and has 2,014 — shorten it by 14",
    ])
  })

  it("is nothing of the whole sample", () => {
    const strict = { stage: "canonical", accounting: true, strict: true, rules: {} } as const
    expect(examine(textOf(fullInvoice()), strict)).toEqual([])
  })

  it.each([
    ["a value", ["data", "purpose"]],
    ["a name", ["data", "\u001b[2J\u202eevil\n"]],
    ["a date", ["data", "dueDate"]],
    ["an email", ["data", "contacts", 0, "email"]],
    ["an id", ["correlationId"]],
  ])("has no control characters of %s, and not much of it", (_, path) => {
    const [message = ""] = changed(path, `\u001b[2J\u0007\u009b31m\u202eevil\n@${"x".repeat(1_000_000)}`)
    expect(message.replace(/ — .*/, "")).toMatch(/^[\P{C}]{1,400}$/u)
  })

  it("has not much of a number of a million digits, and takes any object for a value", () => {
    const [message] = changed(["data", "shipping", "amount"], raw(`0.${"1".repeat(1_000_000)}`))
    expect(message).toMatch(/^shipping, amount: 0\.1{37}… has more than 2 decimals$/)
    expect(changed(["data", "isERS"], { toString: null })[0]).toContain("must be true or false")
  })
})

describe("a document that is another", () => {
  const draft = minimalDraft()
  const { lineItems, ...rest } = draft.data
  it.each<[string, unknown, string]>([
    [
      "wrapped",
      { invoice: draft },
      'wrapped in "invoice" — remove the { "invoice": before it, and the last }',
    ],
    [
      "data, wrapped",
      { invoice: draft.data },
      'has "invoice" where "data" belongs — rename "invoice" to "data", and write "metadata" beside it: "metadata": { "sourceLanguage": "json", "sourceVersion": "...", "userAgent": "..." }',
    ],
    [
      "a line alone",
      lineItems[0],
      'this is a line item, not an invoice — put the lines into "lineItems" of "data"',
    ],
    [
      "a list of lines",
      lineItems,
      'this is a list of line items, not an invoice — put the lines into "lineItems" of "data"',
    ],
    [
      "two invoices",
      [fullDraft(), fullDraft()],
      "give each invoice as a document of its own, without [ ] around it",
    ],
    ["a text", "N/A", 'invoice: must be an object, not "N/A"'],
  ])("has one finding: %s", (_, document, finding) => {
    const found = told(textOf(document))
    expect(found).toEqual([expect.stringContaining(finding)])
  })

  it.each<[string, unknown, string]>([
    [
      "without data",
      { metadata: draft.metadata, ...draft.data },
      'write "data": { before the fields that belong inside it, and } after them',
    ],
    [
      "without a list of lines",
      { ...draft, data: { ...rest, serialNumbers: [], unitPrice: 1 } },
      'write "lineItems": [ { before the fields that belong inside it, and } ] after them',
    ],
    [
      "without metadata",
      { data: draft.data },
      'after this {, write "metadata": { "sourceLanguage": "json", "sourceVersion": "...", "userAgent": "..." } and a comma',
    ],
  ])("lacks an object: %s", (_, document, hint) => {
    expect(told(textOf(document)).join("\n")).toContain(hint)
  })

  it("keeps every finding where it only looks like one", () => {
    expect(told(textOf({ invoice: draft, data: draft.data })).length).toBeGreaterThan(1)
  })

  it.each([
    ["a zip archive", "invoice.json", "unpack it first"],
    [
      "a workbook (.xlsx) or another office document",
      "[Content_Types].xml",
      "export it as JSON; freight batch book and freight invoice new --lines-from take tables",
    ],
  ])("is %s", (kind, name, hint) => {
    const bytes = Buffer.from(`${"PK\u0003\u0004".padEnd(30, "\0")}${name}`, "latin1")
    expect(decodeJsonBytes(bytes)).toMatchObject({ error: { message: `this is ${kind}, not JSON`, hint } })
  })

  const document = JSON.stringify(draft, null, 2)
  it.each<[string, string]>([
    ["before a name", document.replace('  "data"', '<<<<<<< HEAD\n  "data"')],
    ["before a value", document.replace('"data": ', '"data":\n<<<<<<< HEAD\n')],
    ["between", document.replace(/,(?=\n {2}"data")/, "\n=======\n,")],
    ["at the start", `<<<<<<< HEAD\n${document}`],
    ["at the end", `${document}\n>>>>>>> theirs\n`],
  ])("has merge markers %s", (_, text) => {
    expect(told(text)).toEqual([
      "a merge marker is here: two versions of the file are one below the other — keep one of them, and remove the lines that start with <<<<<<<, ======= and >>>>>>>",
    ])
  })
})

it("means no choice that the contract does not have there, or that every object has", () => {
  expect(findMeantChoice("each", ["AUD"])).toBeUndefined()
  expect(findMeantChoice("constructor", ["constructor", "toString"])).toBeUndefined()
})

it("lists the names of an object once, however many of them are unknown: explanations take linear time", () => {
  let lists = 0
  const names = Array.from({ length: 50 }, (_, index) => `invoiceNumbr${index}`)
  const value = new Proxy(Object.fromEntries(names.map((name) => [name, 1])), {
    ownKeys(target) {
      lists++
      return Reflect.ownKeys(target)
    },
  })
  const error = { keyword: "additionalProperties", pointer: "/data", params: {} }
  for (const property of names)
    expect(explainContractError({ ...error, property }, value, () => "1").hint).toBe(
      'did you mean "invoiceNumber"?',
    )
  expect(lists).toBe(1)
})
