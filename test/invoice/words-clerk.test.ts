/** What clerks and their programs write in the place of an invoice's values, and files that are something else. */
import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import { describePlace } from "../../src/invoice/labels.ts"
import { decodeJsonBytes } from "../../src/json/bytes.ts"
import { fullInvoice, minimalDraft, textOf } from "./samples.ts"
import { LINE, type Path, said } from "./sayings.ts"
import { withChange, written } from "./writer.ts"

const PRICE: Path = [...LINE, "unitPrice"]
const TERMS: Path = ["data", "paymentTerms"]

/** `message — hint` of each finding of a draft. */
function told(text: string): string[] {
  return examine(text, { stage: "draft", accounting: false, strict: false, rules: {} }).map(
    ({ message, hint }) => (hint === undefined ? message : `${message} — ${hint}`),
  )
}

describe("an amount as a text", () => {
  it.each<[string, string | RegExp]>([
    ["1.234,56", "write 1234.56 without quotes"],
    ["1_000", "write 1000 without quotes"],
    ["1_000.50", "write 1000.50 without quotes"],
    ["+50", "write 50 without quotes"],
    [".5", "write 0.5 without quotes"],
    ["-.5", "write -0.5 without quotes"],
    ["50c", "if these are cents, write 0.50 without quotes"],
    ["5 cents", "if these are cents, write 0.05 without quotes"],
    ["50 CR", "if CR is a credit, write -50 without quotes"],
    ["50.00 DR", "if DR is a debit, write 50.00 without quotes"],
    ["1,2345", "write 1.2345 or 12345, without quotes: it can be either"],
    ["12,3456", "write 12.3456 or 123456, without quotes: it can be either"],
    ["N/A", "write the value: the contract needs this field"],
    ["-", "write the value: the contract needs this field"],
    ["TBC", "write the value: the contract needs this field"],
  ])("%j", (text, hint) => {
    expect(said(PRICE, text)).toEqual([`line item 2, unit price: must be a number, not "${text}" — ${hint}`])
  })

  it.each<[string, string, string]>([
    ["1,2345", "1,2345: a number has no commas in it", "write 1.2345 or 12345: it can be either"],
    [
      "1.234,56",
      "1.234,56: a number has a point before its decimals, and nothing else in it",
      "write 1234.56",
    ],
    ["1_000", "1_000: a number has no underscores in it", "write 1000"],
    ["+50", "+50: a number does not start with a plus sign", "write 50"],
    [".5", ".5: a digit is missing before the point", "write 0.5"],
    ["-.5", "-.5: a digit is missing before the point", "write -0.5"],
    ["50c", "50c: this is not a number", "write 0.50 if these are cents"],
    ["50 CR", "50 CR: this is not a number", "write -50 if CR is a credit"],
    ["N/A", "N/A is not JSON", "write the value, or leave the field out"],
    ["TBA", "TBA is not JSON", "write the value, or leave the field out"],
    ["-", "-: this is not a number", "write the number, or leave the field out"],
  ])("%s without quotes", (text, message, hint) => {
    const document = textOf(withChange(minimalDraft(), ["data", "lineItems", 0, "unitPrice"], "PRICE"))
    expect(told(document.replace('"PRICE"', text))).toEqual([`${message} — ${hint}`])
  })
})

describe("a value that says that there is none", () => {
  it.each<[Path, string, string]>([
    [["data", "dueDate"], "N/A", "leave the field out when it has no value"],
    [[...LINE, "discountAmount"], "n/a", "leave the field out when it has no value"],
    [[...LINE, "unitOfMeasure"], "-", "leave the field out when it has no value"],
    [["data", "isERS"], "TBA", "leave the field out when it has no value"],
    [["data", "invoiceDate"], "tbc", "write the value: the contract needs this field"],
  ])("%j: %j", (path, value, hint) => {
    expect(said(path, value).map((each) => each.replace(/^.* — /, ""))).toEqual([hint])
  })
})

describe("days and lists as a text", () => {
  it.each<[Path, string, string]>([
    [[...TERMS, "netDays"], "30 days", "write 30 without quotes"],
    [[...TERMS, "netDays"], "Net 30", "write 30 without quotes"],
    [[...TERMS, "netDays"], "30 days net", "write 30 without quotes"],
    [TERMS, "30 days", 'write { "netDays": 30 }'],
    [TERMS, "end of month", 'write { "description": "end of month" }'],
    [[...LINE, "serialNumbers"], "A1, A2", 'write ["A1", "A2"]'],
    [[...LINE, "serialNumbers"], "A1; A2;A3", 'write ["A1", "A2", "A3"]'],
    [[...LINE, "serialNumbers"], "A1", 'write ["A1"]'],
    [[...LINE, "quantity"], "2 pcs", "write 2 without quotes, and the unit in unitOfMeasure"],
  ])("%j: %j", (path, value, hint) => {
    expect(said(path, value).map((each) => each.replace(/^.*? — /, ""))).toEqual([hint])
  })
})

describe("a place in a list", () => {
  it.each([
    ["/data/lineItems/0/serialNumbers/2", "line item 1, serial number 3"],
    ["/data/notes/0/text", "notes, entry 1, text"],
    ["/data/extrinsics/list/0", "extension fields, list, entry 1"],
    ["/data/extrinsics/0", "extension fields, 0"],
  ])("%s counts from 1", (pointer, words) => {
    expect(describePlace(pointer)).toBe(words)
  })
})

describe("a field that people know by another name", () => {
  it("the ABN of a supplier", () => {
    const supplier = { id: "S-1", name: "Harbour", abn: "51824753556" }
    expect(said(["data", "supplier"], supplier)).toEqual([
      'supplier: there is no field "abn" here — write "taxRegistrations": { "type": "ABN", "value": "51824753556" } in its place',
    ])
  })

  it.each<[string, Path, string]>([
    ["amount", LINE, "subtotal"],
    ["discount", LINE, "discountAmount"],
    ["discount", ["data", "invoiceSummary"], "discountAmount"],
    ["discount", [...TERMS, "discountTerms", 0], "discountPercent"],
  ])("%s at %j", (given, path, meant) => {
    const without = withChange(fullInvoice(), [...path, meant], undefined)
    const { text } = written(withChange(without, [...path, given], 5))
    const found = examine(text, { stage: "auto", accounting: false, strict: false, rules: {} })
    expect(found.map(({ hint }) => hint)).toContain(`did you mean "${meant}"?`)
    expect(found.filter(({ fix }) => fix?.safety === "safe")).toEqual([])
  })

  it("an adjustment, which reduces or increases", () => {
    expect(said(["data", "purpose"], "adjustment")[0]).toMatch(
      / — write "creditMemo" where it reduces an earlier invoice, "debitMemo" where it increases one$/,
    )
  })

  it("a ton", () => {
    expect(said([...LINE, "unitOfMeasure"], "TON")[0]).toMatch(/ — did you mean "TNE"\?$/)
  })
})

describe("a document that is another", () => {
  const draft = minimalDraft()
  it.each<[string, unknown, string]>([
    [
      "wrapped",
      { invoice: draft },
      'invoice: the document is wrapped in "invoice" — remove the { "invoice": before it, and the last }',
    ],
    [
      "its data, wrapped",
      { invoice: draft.data },
      'invoice: the document has "invoice" where "data" belongs — rename "invoice" to "data", and write "metadata" beside it: "metadata": { "sourceLanguage": "json", "sourceVersion": "...", "userAgent": "..." }',
    ],
    [
      "a line alone",
      draft.data.lineItems[0],
      'invoice: this is a line item, not an invoice — put the lines into "lineItems" of "data"; or make an invoice of them: freight invoice new',
    ],
    [
      "a bare list of lines",
      draft.data.lineItems,
      'invoice: this is a list of line items, not an invoice — put the lines into "lineItems" of "data"; or make an invoice of them: freight invoice new',
    ],
    ["a text", "N/A", 'invoice: must be an object, not "N/A"'],
  ])("%s", (_, document, finding) => {
    expect(told(textOf(document))).toEqual([finding])
  })

  it("keeps every finding of a document that only looks like one", () => {
    expect(told(textOf({ invoice: draft, data: draft.data })).length).toBeGreaterThan(1)
  })
})

describe("a file that is not JSON", () => {
  const TABLE = "a table (CSV), not JSON"
  const FROM = "export it as JSON; freight batch book and freight invoice new --from take tables"
  it.each<[string, string, string, string]>([
    ["a table", "Description,Quantity,Price\nLamp,2,19.99\n", `this is ${TABLE}`, FROM],
    ["a table with semicolons", "number;po\r\nINV-1;PO-1\r\n", `this is ${TABLE}`, FROM],
    ["a table with tabs", "number\tpo\nINV-1\tPO-1\n", `this is ${TABLE}`, FROM],
    ["a table in quotes", '"number","po"\n"INV-1","PO-1"\n', `this is ${TABLE}`, FROM],
    [
      "a saved web page",
      "<!DOCTYPE html>\n<html><body>Log in</body></html>",
      "this is a web page, not JSON",
      "save the file itself, not the page that shows it or asks you to log in",
    ],
    ["XML", '<?xml version="1.0"?><cXML/>', "this is XML, not JSON", "export it as JSON"],
    ["nothing", "N/A\n", "N/A is not JSON", "write the value, or leave the field out"],
  ])("%s", (_, text, message, hint) => {
    expect(told(text)).toEqual([`${message} — ${hint}`])
  })

  it.each<[string, string, string, string]>([
    ["a zip archive", `${"PK\u0003\u0004".padEnd(30, "\0")}invoice.json`, "a zip archive", "unpack it first"],
    [
      "a workbook",
      `${"PK\u0003\u0004".padEnd(30, "\0")}[Content_Types].xml`,
      "a workbook (.xlsx) or another office document",
      "save it as CSV: freight batch book and freight invoice new --from take tables",
    ],
  ])("%s", (_, bytes, kind, hint) => {
    expect(decodeJsonBytes(Buffer.from(bytes, "latin1"))).toMatchObject({
      error: { message: `this is ${kind}, not JSON`, hint },
    })
  })

  const document = JSON.stringify(minimalDraft(), null, 2)
  it.each<[string, string]>([
    ["before a name", document.replace('  "data"', '<<<<<<< HEAD\n  "data"')],
    ["before a value", document.replace('"data": ', '"data":\n<<<<<<< HEAD\n')],
    ["between", document.replace(/,(?=\n {2}"data")/, "\n=======\n,")],
    ["at the start", `<<<<<<< HEAD\n${document}`],
    ["at the end", `${document}\n>>>>>>> theirs\n`],
  ])("merge markers %s", (_, text) => {
    expect(told(text)).toEqual([
      "a merge marker is here: two versions of the file stand one below the other — keep one of them, and remove the lines that start with <<<<<<<, ======= and >>>>>>>",
    ])
  })

  it("is not taken for a table where it is one line", () => {
    expect(told("Lamp, 2, 19.99")).toEqual([
      "this starts with Lamp, which is not JSON — a JSON document starts with {",
    ])
    expect(told("foo")).toEqual(["this starts with foo, which is not JSON — a JSON document starts with {"])
  })
})
