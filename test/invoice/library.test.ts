import { Buffer } from "node:buffer"
import { describe, expect, it } from "vitest"
import { validateInvoice } from "../../src/invoice/library.ts"
import { fullInvoice, minimalDraft, minimalInvoice, textOf } from "./samples.ts"
import { withChange } from "./writer.ts"

const BROKEN = textOf(withChange(minimalInvoice(), ["data", "lineItems", 0, "currency"], "AUd"))
const WARNED = textOf(withChange(minimalInvoice(), ["data", "invoiceSummary", "dueAmount"], 12))
const BROKEN_FINDING = {
  rule: "contract/enum",
  severity: "error",
  pointer: "/data/lineItems/0/currency",
  line: 37,
  column: 21,
  message: 'line item 1, currency: must be "AUD", not "AUd"',
  hint: 'did you mean "AUD"?',
}

/** Three characters of UTF-8 that take more bytes than UTF-16 code units stand before the error. */
const ACCENTED = BROKEN.replace("Ledgerline", "Lédgérlinê")

const rulesOf = ({ findings }: ReturnType<typeof validateInvoice>) => findings.map(({ rule }) => rule)

describe("a document that is given", () => {
  it.each([
    ["text", textOf(fullInvoice())],
    ["bytes", Buffer.from(textOf(fullInvoice()))],
    ["plain bytes", new TextEncoder().encode(textOf(fullInvoice()))],
    ["bytes with a mark", Buffer.from(`\ufeff${textOf(fullInvoice())}`)],
    ["an object", fullInvoice()],
    ["an object without a prototype", Object.assign(Object.create(null) as object, fullInvoice())],
    ["an instance of a class", Object.assign(new (class Invoice {})(), fullInvoice())],
  ])("as %s is valid when it is", (_, input) => {
    expect(validateInvoice(input)).toEqual({ valid: true, findings: [] })
  })

  it.each([
    ["text", (text: string) => text],
    ["bytes", (text: string) => Buffer.from(text)],
  ])("as %s may begin with one byte order mark, and not with two", (_, write) => {
    const rules = [1, 2].map((marks) =>
      rulesOf(validateInvoice(write("\ufeff".repeat(marks) + textOf(fullInvoice())))),
    )
    expect(rules).toEqual([[], ["json/syntax"]])
  })

  const bytes = new TextEncoder().encode(`${textOf(fullInvoice())} `)
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2))
  const buffer = even.slice().buffer
  const padded = new Uint8Array(even.length + 1)
  padded.set(even, 1)
  const shared = new SharedArrayBuffer(even.length)
  new Uint8Array(shared).set(even)
  it.each<[string, object]>([
    ["an ArrayBuffer", buffer],
    ["a SharedArrayBuffer", shared],
    ["a view of shared bytes", new Uint8Array(shared)],
    ["a DataView", new DataView(buffer)],
    ["numbers of 16 bits", new Uint16Array(buffer)],
    ["signed bytes", new Int8Array(buffer)],
    ["a DataView of a part", new DataView(padded.buffer, 1)],
  ])("as %s is taken as bytes", (_, input) => {
    expect(rulesOf(validateInvoice(input))).toEqual([])
  })

  it.each([
    ["text", BROKEN],
    ["bytes", Buffer.from(BROKEN)],
    ["an object", JSON.parse(BROKEN) as object],
  ])("as %s has its findings, with lines and columns", (_, input) => {
    expect(validateInvoice(input)).toMatchObject({ valid: false, findings: [BROKEN_FINDING] })
  })

  it.each([
    ["text", `\ufeff${ACCENTED}`, 1],
    ["bytes", Buffer.from(`\ufeff${ACCENTED}`), 6],
  ])("as %s has fixes that count in its units, the mark included", (_, input, more) => {
    const [finding] = validateInvoice(input).findings
    const offset = ACCENTED.indexOf('"AUd"') + more
    expect(finding?.fix).toEqual({ safety: "safe", edits: [{ offset, length: 5, text: '"AUD"' }] })
  })

  it("as text has its numbers checked as they are written", () => {
    const text = JSON.stringify(minimalInvoice()).replace(
      '"subtotal":10,',
      '"subtotal":10.0000000000000000001,',
    )
    expect(rulesOf(validateInvoice(text))).toEqual(["contract/multipleOf"])
  })

  it("as text has its repeated names found", () => {
    const text = textOf(minimalInvoice()).replace('"poNumber"', '"poNumber": "x", "poNumber"')
    expect(rulesOf(validateInvoice(text))).toEqual(["json/duplicate-key"])
  })

  it("as text that is not JSON has one finding", () => {
    expect(validateInvoice('{"a": NaN}')).toEqual({
      valid: false,
      findings: [
        {
          rule: "json/syntax",
          severity: "error",
          pointer: "",
          line: 1,
          column: 7,
          message: "NaN: JSON has no such number",
          hint: "write the number, or leave the field out",
        },
      ],
    })
  })

  it("as bytes that are not UTF-8 has one finding, without what is its own", () => {
    const { valid, findings } = validateInvoice(Buffer.from('{"a":"\xeb"}', "latin1"))
    expect(valid).toBe(false)
    expect(findings).toEqual([
      {
        rule: "json/syntax",
        severity: "error",
        pointer: "",
        line: 1,
        column: 7,
        message: "byte 7 (0xEB) is not UTF-8",
        hint: "save the file as UTF-8; it may have been saved as Windows-1252 (ANSI)",
      },
    ])
  })

  it.each([
    ["a list", []],
    ["nothing", ""],
    ["a text that is no object", '"INV"'],
  ])("as %s is not valid, and nothing is thrown", (_, input) => {
    expect(validateInvoice(input).valid).toBe(false)
  })

  it("as an object is checked as JSON would write it", () => {
    const invoice = { ...minimalInvoice(), timestamp: new Date("2026-11-20T09:30:00Z") }
    expect(validateInvoice(invoice).valid).toBe(true)
  })

  it("is left as it was", () => {
    const invoice = fullInvoice()
    validateInvoice(invoice)
    expect(invoice).toEqual(fullInvoice())
  })
})

describe("options", () => {
  it("have warnings leave a document valid", () => {
    const { valid, findings } = validateInvoice(WARNED)
    expect([valid, findings.map(({ rule, severity }) => [rule, severity])]).toEqual([
      true,
      [["accounting/summary-due", "warning"]],
    ])
  })

  it("draft: what the service fills in may be absent", () => {
    expect(validateInvoice(minimalDraft(), { draft: true }).valid).toBe(true)
    expect(rulesOf(validateInvoice(minimalDraft()))).toEqual(Array(3).fill("contract/required"))
  })

  it("accounting: false leaves those rules out", () => {
    expect(validateInvoice(WARNED, { accounting: false })).toEqual({ valid: true, findings: [] })
  })

  it("strict: warnings are errors", () => {
    expect(validateInvoice(WARNED, { strict: true }).valid).toBe(false)
  })

  it.each([
    ["off", true, []],
    ["warning", true, ["warning"]],
    ["error", false, ["error"]],
  ] as const)("rules: one rule is set to %s", (severity, valid, severities) => {
    const result = validateInvoice(WARNED, { rules: { "accounting/summary-due": severity } })
    expect([result.valid, result.findings.map((finding) => finding.severity)]).toEqual([valid, severities])
  })

  it("rules: one that is set keeps that when all else is strict", () => {
    const options = { strict: true, rules: { "accounting/summary-due": "warning" } } as const
    expect(validateInvoice(WARNED, options).valid).toBe(true)
  })
})

describe("a mistake of the program that calls", () => {
  it.each(["accounting/none", "contract/enum", "toString"])("is an unknown rule: %s", (rule) => {
    expect(() => validateInvoice("{}", { rules: { [rule]: "off" } })).toThrow(
      new RangeError(`rules: there is no accounting rule "${rule}"`),
    )
  })

  it("is an unknown option", () => {
    const options = JSON.parse('{"strcit":true}') as object
    expect(() => validateInvoice("{}", options)).toThrow(new RangeError('there is no option "strcit"'))
  })

  it("is an unknown severity", () => {
    const rules = JSON.parse('{"accounting/abn":"quiet"}') as Record<string, "off">
    expect(() => validateInvoice("{}", { rules })).toThrow(
      new RangeError('rules: accounting/abn takes off, warning, error, not "quiet"'),
    )
  })

  it("is an object that contains itself", () => {
    const invoice: Record<string, unknown> = {}
    invoice.data = invoice
    expect(() => validateInvoice(invoice)).toThrow(TypeError)
  })

  const { data } = fullInvoice()
  it.each<[string, object, string]>([
    [
      "a Map",
      { data: { ...data, lineItems: new Map() } },
      "data.lineItems: JSON cannot hold an object of the class Map",
    ],
    [
      "a Set in a list",
      { data: { lineItems: [1, new Set([1])] } },
      "data.lineItems[1]: JSON cannot hold an object of the class Set",
    ],
    ["a function", { data: { total: () => 1 } }, "data.total: JSON cannot hold a function"],
    ["a symbol", { data: Symbol("x") }, "data: JSON cannot hold a symbol"],
    [
      "a BigInt",
      { data: { lineItems: [{ quantity: 3n }] } },
      "data.lineItems[0].quantity: JSON cannot hold a BigInt",
    ],
    ["bytes", { data: new Uint8Array(2) }, "data: JSON cannot hold an object of the class Uint8Array"],
    ["an error", { data: new Error("x") }, "data: JSON cannot hold an object of the class Error"],
    ["a promise", { data: Promise.resolve(data) }, "data: JSON cannot hold an object of the class Promise"],
  ])("is %s in the object", (_, input, message) => {
    expect(() => validateInvoice(input)).toThrow(new TypeError(message))
  })

  it.each<[string, object]>([
    ["a Map", new Map()],
    ["a Date", new Date(0)],
    ["a boxed text", Object("{}") as object],
    ["a class with nothing in it", new (class Invoice {})()],
  ])("is %s as the document", (_, input) => {
    expect(() => validateInvoice(input)).toThrow(
      new TypeError("a document is JSON text, its bytes, or an object"),
    )
  })

  it("is a function", () => {
    expect(() => validateInvoice(() => undefined)).toThrow(
      new TypeError("a document is JSON text, its bytes, or an object"),
    )
  })
})

describe("suppliers that a program knows", () => {
  const invoice = () => {
    const document = fullInvoice() as { data: { supplier: { name: string } } }
    return JSON.stringify({
      ...document,
      data: { ...document.data, remitTo: { bankDetails: { bsb: "062-000", accountNumber: "87654321" } } },
    })
  }
  const supplierName = () => (fullInvoice() as { data: { supplier: { name: string } } }).data.supplier.name
  const rulesOf = (accountNumber: string) =>
    validateInvoice(invoice(), {
      suppliers: [{ supplierName: supplierName(), bsb: "062-000", accountNumber }],
    }).findings.map(({ rule }) => rule)

  it("have their usual account compared", () => {
    expect(rulesOf("12345678")).toContain("accounting/usual-account")
    expect(rulesOf("87654321")).not.toContain("accounting/usual-account")
  })

  it("have no field that is misspelt", () => {
    const suppliers = [{ supplierName: "Harbour", acountNumber: "1" }] as never
    expect(() => validateInvoice(invoice(), { suppliers })).toThrow(
      'suppliers: there is no field "acountNumber"',
    )
  })
})
