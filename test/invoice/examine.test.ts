import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { share } from "../drawn.ts"
import { RULES } from "../../src/invoice/accounting/rules.ts"
import { examine } from "../../src/invoice/examine.ts"
import type { ExamineOptions, Finding } from "../../src/invoice/finding.ts"
import { fullDraft, fullInvoice, minimalDraft, minimalInvoice, textOf } from "./samples.ts"
import { raw, withChange, written } from "./writer.ts"

const USUAL: ExamineOptions = { stage: "canonical", accounting: true, strict: false, rules: {} }

/** `line:column rule` of each finding. */
function found(text: string, options: Partial<ExamineOptions> = {}): string[] {
  return examine(text, { ...USUAL, ...options }).map(({ line, column, rule }) => `${line}:${column} ${rule}`)
}

describe("a good document", () => {
  it.each([
    ["full", textOf(fullInvoice())],
    ["minimal", textOf(minimalInvoice())],
    ["compact", JSON.stringify(fullInvoice())],
    ["CRLF", textOf(fullInvoice()).replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\ufeff${textOf(fullInvoice())}`],
  ])("has no findings: %s", (_, text) => {
    expect(examine(text, USUAL)).toEqual([])
  })

  it.each([
    ["full", fullDraft()],
    ["minimal", minimalDraft()],
  ])("has no findings as a draft: %s", (_, draft) => {
    expect(examine(textOf(draft), { ...USUAL, stage: "draft" })).toEqual([])
  })

  it("that is a draft lacks three fields at the canonical stage", () => {
    expect(examine(textOf(minimalDraft()), USUAL).map(({ property }) => property)).toEqual([
      "docType",
      "correlationId",
      "timestamp",
    ])
  })
})

describe("a text that is not JSON", () => {
  it.each([
    ["", "1:1"],
    ["{", "1:2"],
    ['{\n  "docType": "INV",\n}', "2:19"],
    ['{"a": NaN}', "1:7"],
    ['{"a": 1} // done', "1:10"],
    ["[".repeat(1_000_000), "1:1001"],
    ["<Invoice/>", "1:1"],
  ])("has one finding (%#)", (text, place) => {
    expect(found(text)).toEqual([`${place} json/syntax`])
  })

  it("has a finding for the whole document", () => {
    expect(examine("{]", USUAL)).toEqual<Finding[]>([
      {
        rule: "json/syntax",
        severity: "error",
        pointer: "",
        line: 1,
        column: 2,
        message: "a name in double quotes is expected here, not ]",
      },
    ])
  })
})

describe("a name that is repeated", () => {
  const text = textOf(minimalInvoice()).replace(
    '"quantity": 1,',
    '"quantity": 1,\n  "quantity": 1, "quantity": 1,',
  )

  it("is found at each repetition", () => {
    expect(examine(text, USUAL)).toMatchObject([
      {
        rule: "json/duplicate-key",
        severity: "error",
        pointer: "/data/lineItems/0",
        property: "quantity",
        column: 3,
        message:
          'line item 1: the name "quantity" is repeated in this object; the first is on line 34, column 9',
        hint: "keep one of the two",
      },
      { rule: "json/duplicate-key", column: 18 },
    ])
  })

  it("is found in extension fields too", () => {
    const twice = written(withChange(fullInvoice(), ["data", "extrinsics"], raw('{"a":{"b":1,"b":2}}')))
    expect(examine(twice.text, USUAL)).toMatchObject([{ pointer: "/data/extrinsics/a", property: "b" }])
  })

  it("is checked by its last value", () => {
    const last = textOf(minimalInvoice()).replace('"quantity": 1,', '"quantity": "1", "quantity": 1,')
    expect(examine(last, USUAL).map(({ rule }) => rule)).toEqual(["json/duplicate-key"])
  })
})

describe("the order of findings", () => {
  it("is that of the text, accounting among the contract", () => {
    const invoice = fullInvoice()
    const text = textOf(invoice)
      .replace('"currency": "AUD"', '"currency": "aud"')
      .replace('"subtotal": 125', '"subtotal": 126')
      .replace('"batchId"', '"batchid"')
    const findings = examine(text, USUAL)
    expect(findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["contract/enum", "accounting/line-subtotal", "contract/additionalProperties"]),
    )
    const places = findings.map(({ line, column }) => line * 1000 + column)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it("puts what an object lacks before what is in it", () => {
    expect(found('{"metadata":1}', { accounting: false })).toEqual([
      "1:1 contract/required",
      "1:1 contract/required",
      "1:1 contract/required",
      "1:1 contract/required",
      "1:13 contract/type",
    ])
  })
})

describe("accounting rules", () => {
  const wrong = textOf(fullInvoice()).replace('"subtotal": 125', '"subtotal": 126')
  const subtotal = ({ rule }: Finding) => rule === "accounting/line-subtotal"
  const severity = (options: Partial<ExamineOptions>) =>
    examine(wrong, { ...USUAL, ...options }).find(subtotal)?.severity

  it("warn", () => {
    expect(severity({})).toBe("warning")
  })

  it("have the place of the amount in the text", () => {
    const line = wrong.split("\n").findIndex((each) => each.includes('"subtotal": 126')) + 1
    expect(examine(wrong, USUAL).find(subtotal)).toMatchObject({ line, column: 21 })
  })

  it("are errors when strict", () => {
    expect(severity({ strict: true })).toBe("error")
  })

  it("are not looked at when left out", () => {
    expect(examine(wrong, { ...USUAL, accounting: false })).toEqual([])
  })

  it.each(["warning", "error"] as const)("are a %s when set so, strict or not", (set) => {
    const rules = { "accounting/line-subtotal": set }
    expect([severity({ rules }), severity({ rules, strict: true })]).toEqual([set, set])
  })

  it("can be turned off one by one", () => {
    expect(severity({ rules: { "accounting/line-subtotal": "off" } })).toBeUndefined()
  })

  it("cannot turn the contract off", () => {
    const broken = textOf(fullInvoice()).replace('"currency": "AUD"', '"currency": "aud"')
    expect(examine(broken, { ...USUAL, rules: { "contract/enum": "off" } })).toHaveLength(1)
  })

  it("have nothing to add to what breaks the contract", () => {
    const text = textOf(
      withChange(fullInvoice(), ["data", "supplier", "taxRegistrations"], [{ type: "ABN", value: "1" }]),
    )
    expect(examine(text, USUAL).map(({ rule }) => rule)).toEqual(["contract/type"])
  })

  it("are named as the rules are listed", () => {
    const known = RULES.map(({ id }): string => id)
    const text = textOf(withChange(fullInvoice(), ["data", "invoiceSummary"], {}))
    expect(
      examine(text, USUAL)
        .map(({ rule }) => rule)
        .filter((rule) => rule.startsWith("accounting/") && !known.includes(rule)),
    ).toEqual([])
  })
})

describe("a document that is broken all over", () => {
  it.each([
    "null",
    "[]",
    '"INV"',
    "1e400",
    "{}",
    '{"data":null}',
    '{"data":{"lineItems":[1,null,"x",[],{}],"invoiceSummary":[]}}',
    '{"data":{"lineItems":{},"invoiceSummary":{"taxBreakdown":[null]}}}',
    '{"data":{"lineItems":[{"quantity":1e999999999,"unitPrice":1e-999999999,"subtotal":-1E+999}]}}',
    '{"__proto__":{"data":1},"constructor":1,"toString":null}',
    '{"data":{"extrinsics":{"__proto__":1}}}',
  ])("is never too much: %s", (text) => {
    expect(found(text).length).toBeGreaterThan(0)
  })

  it("is never too much, whatever the JSON", () => {
    const names = ["data", "lineItems", "invoiceSummary", "supplier", "quantity", "subtotal", "taxBreakdown"]
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "large" },
        fc.jsonValue(),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie("tree"), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.boolean(), (value, strict) => {
        const findings = examine(JSON.stringify({ data: value }), { ...USUAL, strict })
        expect(findings.filter(({ message }) => message.includes("undefined"))).toEqual([])
      }),
      { numRuns: share(500) },
    )
  })

  it("is never too much when any value of a good one is another", () => {
    const odd = [
      null,
      true,
      "",
      "x",
      [],
      {},
      [[]],
      raw("1e400"),
      raw("-1e-400"),
      raw("12345678901234567890.5"),
    ]
    const keys = Object.keys(fullInvoice().data)
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.constantFrom(...odd), (key, value) => {
        const { text } = written(withChange(fullInvoice(), ["data", key], value))
        expect(() => examine(text, USUAL)).not.toThrow()
      }),
    )
  })

  it("may be large", () => {
    const line = { ...fullInvoice().data.lineItems[0], currency: "aud" }
    const text = textOf(
      withChange(
        fullInvoice(),
        ["data", "lineItems"],
        Array.from({ length: 5000 }, () => line),
      ),
    )
    expect(examine(text, { ...USUAL, accounting: false })).toHaveLength(5000)
  })

  it("may be deep where anything goes", () => {
    const deep = raw(`{"a":${"[".repeat(990)}${"]".repeat(990)}}`)
    expect(examine(written(withChange(fullInvoice(), ["data", "extrinsics"], deep)).text, USUAL)).toEqual([])
  })
})
