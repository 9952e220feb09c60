/** What is guessed that people meant. */
import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import { findMeantChoice } from "../../src/invoice/explain/choices.ts"
import { fullDraft, fullInvoice, minimalDraft, textOf } from "./samples.ts"
import { raw, withChange, written } from "./writer.ts"

type Path = readonly (string | number)[]

function hintsOf(document: unknown): (string | undefined)[] {
  const { text } = written(document)
  return examine(text, { stage: "draft", accounting: false, strict: false, rules: {} }).map(
    ({ hint }) => hint,
  )
}

const hints = (path: Path, value: unknown) => hintsOf(withChange(fullDraft(), path, value))
const LINE: Path = ["data", "lineItems", 1]

/** A copy of an object with one of its fields under another name. */
function renamed(object: object, name: string, to: string): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === name ? to : key, value]))
}

describe("a field under another name", () => {
  const { billTo, lineItems, invoiceSummary, supplier } = fullDraft().data
  it.each<[string, string, Path, object]>([
    ["suburb", "city", ["data", "billTo"], billTo],
    ["Postcode", "postalCode", ["data", "billTo"], billTo],
    ["post_code", "postalCode", ["data", "billTo"], billTo],
    ["Address Line 1", "street1", ["data", "billTo"], billTo],
    ["qty", "quantity", LINE, lineItems[1] ?? {}],
    ["price", "unitPrice", LINE, lineItems[1] ?? {}],
    ["unit_price", "unitPrice", LINE, lineItems[1] ?? {}],
    ["lineTotal", "subtotal", LINE, lineItems[1] ?? {}],
    ["amountDue", "dueAmount", ["data", "invoiceSummary"], invoiceSummary],
    ["GST", "taxAmount", ["data", "invoiceSummary"], invoiceSummary],
    ["nmae", "name", ["data", "supplier"], supplier],
  ])("%j is %s", (given, meant, path, object) => {
    expect(hints(path, renamed(object, meant, given)).sort()).toEqual([
      `did you mean "${meant}"?`,
      `rename "${given}" to "${meant}"`,
    ])
  })

  it.each<[string, string, Path]>([
    ["address1", "street1", ["data", "billTo"]],
    ["Address 2", "street2", ["data", "billTo"]],
    ["accountNo", "accountNumber", ["data", "remitTo", "bankDetails"]],
    ["account_holder", "accountName", ["data", "remitTo", "bankDetails"]],
    ["issueDate", "invoiceDate", ["data"]],
    ["paidAmount", "depositAmount", ["data", "invoiceSummary"]],
    ["invoiceNumber", "invoiceId", ["data", "documentReference"]],
    ["dueDate", "discountDueDate", ["data", "paymentTerms", "discountTerms", 0]],
    ["type", "docType", []],
  ])("%j is meant for %s", (given, meant, path) => {
    const without = withChange(fullInvoice(), [...path, meant], undefined)
    expect(hintsOf(withChange(without, [...path, given], "x"))).toContain(`did you mean "${meant}"?`)
  })

  it.each<[string, Path]>([
    ["invoiceType", ["data"]],
    ["taxDate", ["data"]],
    ["unitAmount", LINE],
    ["dueAmount2", LINE],
    ["netPrice", LINE],
    ["supplierPartId", LINE],
    ["discountPercentage", LINE],
    ["totalAmount", ["data", "invoiceSummary"]],
    ["street3", ["data", "billTo"]],
    ["address3", ["data", "billTo"]],
    ["id", ["data"]],
    ["amount", ["data"]],
  ])("%j at %j is not one that is only similar", (given, path) => {
    expect(hints([...path, given], 1)[0]).toMatch(/^remove it, /)
  })

  it("is not the one that is there already", () => {
    expect(hints(["data", "billTo", "suburb"], "Sydney")).toEqual(['"city" is here already: remove this one'])
  })
})

describe("a field in the wrong place", () => {
  it.each<[string, Path, string]>([
    ["what belongs to the invoice", ["invoiceNumber"], 'it belongs inside "data"'],
    ["a total", ["data", "dueAmount"], 'it belongs inside "invoiceSummary"'],
    ["a name of the line", ["data", "serialNumbers"], 'it belongs inside "lineItems"'],
    ["the days of payment", ["data", "netDays"], 'it belongs inside "paymentTerms"'],
    [
      "what the service fills in",
      ["data", "timestamp"],
      'it belongs at the top of the document, beside "data"',
    ],
    ["the supplier's registration", ["data", "taxRegistrations"], 'it belongs inside "supplier"'],
  ])("is sent home: %s", (_, path, hint) => {
    expect(hints(path, 1)).toEqual([hint])
  })

  it("is sent nowhere when it could belong to several", () => {
    expect(hints(["currency"], "AUD")[0]).toMatch(/^remove it, or put it into data\.extrinsics/)
  })

  it("is sent nowhere into what lies beside it", () => {
    expect(hints([...LINE, "netDays"], 1)[0]).toMatch(/^remove it, /)
  })

  it("is told with the brackets of a list where it belongs into one", () => {
    const { lineItems, ...rest } = minimalDraft().data
    const flat = {
      ...minimalDraft(),
      data: { ...rest, serialNumbers: [], unitPrice: lineItems[0]?.unitPrice },
    }
    expect(hintsOf(flat)).toContain(
      'write "lineItems": [ { before the fields that belong inside it, and } ] after them',
    )
  })

  it("is told once for the object that lacks it, too", () => {
    const { metadata, data } = minimalDraft()
    expect(hintsOf({ metadata, ...data })[0]).toBe(
      'write "data": { before the fields that belong inside it, and } after them',
    )
  })
})

describe("an object that is empty", () => {
  it("wants no comma after the first field that is written into it", () => {
    const [id, name] = hints(["data", "supplier"], {})
    expect([id, name]).toEqual([
      'after this {, write "id": "..."',
      'after this {, write "name": "..." and a comma',
    ])
  })
})

describe("a number in the place of a date", () => {
  it("is the day that a spreadsheet shows", () => {
    expect(hints(["data", "invoiceDate"], 46346)).toEqual([
      'in a spreadsheet this number is 2026-11-20: write it with a time and its offset, such as "2026-11-20T09:30:00+10:00"',
    ])
    expect(hints(["data", "invoiceDate"], 46346.5)).toEqual([
      'in a spreadsheet this number is 2026-11-20 12:00:00: write it with its offset, such as "2026-11-20T12:00:00+10:00"',
    ])
    expect(hints(["data", "paymentTerms", "discountTerms", 0, "discountDueDate"], 46346.5)).toEqual([
      'in a spreadsheet this number is 2026-11-20: write "2026-11-20"',
    ])
  })

  it.each([0, -1, 1e300])("is not a day: %d", (number) => {
    expect(hints(["data", "invoiceDate"], number)).toEqual([
      'write the date, T, the time and its offset from UTC, such as "2026-11-20T09:30:00+10:00"',
    ])
  })

  it("may be a date without its hyphens", () => {
    expect(hints(["data", "invoiceDate"], 20261120)).toEqual([
      'write it with a time and its offset from UTC, such as "2026-11-20T09:30:00+10:00"',
    ])
  })

  it("is not a day in the place of an email address", () => {
    expect(hints(["data", "contacts", 0, "email"], 46346)).toEqual([
      'write one address such as "accounts@example.com", or "" when there is none',
    ])
  })
})

describe("a number in quotes", () => {
  it.each([
    ["120,45", "120.45"],
    ["1.204,50", "1204.50"],
    ["1,204", "1204"],
    ["1 204.50", "1204.50"],
    ["1\u00a0204.50", "1204.50"],
    ["1'204.50", "1204.50"],
    ["(120.45)", "-120.45"],
    ["120.45-", "-120.45"],
    ["-$5", "-5"],
    ["$-5", "-5"],
    ["5 AUD", "5"],
    ["AU$ 5.10", "5.10"],
    ["007", "7"],
    ["0.50", "0.50"],
  ])("%j is %s", (text, number) => {
    expect(hints([...LINE, "subtotal"], text)).toEqual([`write ${number} without quotes`])
  })

  it.each([
    "1.204",
    "12,34,567",
    "1,20,4.5",
    "five",
    "$",
    "--5",
    "1e5",
    "€5",
    "5 USD",
    "9".repeat(100),
  ])("is left alone when it could be another, or none: %j", (text) => {
    const [hint] = hints([...LINE, "subtotal"], text)
    expect(hint).toBe(text === "1.204" ? "write 1.204 without quotes" : undefined)
  })
})

describe("a code that is a number", () => {
  const BANK: Path = ["data", "remitTo", "bankDetails"]
  const PHONE: Path = ["data", "supplier", "contact", "phone"]
  const BSB_FORM = "write it in quotes: three digits, a hyphen, three digits"
  it.each<[string, Path, unknown, string]>([
    ["a BSB without its zero", [...BANK, "bsb"], 62000, 'write it in quotes: "062-000"'],
    ["a whole BSB", [...BANK, "bsb"], 732001, 'write it in quotes: "732-001"'],
    ["a number that is too short for a BSB", [...BANK, "bsb"], 2000, BSB_FORM],
    ["a number that is too long for a BSB", [...BANK, "bsb"], 1062000, BSB_FORM],
    ["a fraction for a BSB", [...BANK, "bsb"], 62.5, BSB_FORM],
    ["a mobile number without its zero", PHONE, 412345678, 'write it in quotes: "0412345678"'],
    ["a landline without its zero", PHONE, 255501234, 'write it in quotes: "0255501234"'],
    ["an international number without its plus", PHONE, 61255501234, 'write it in quotes: "+61255501234"'],
    ["a number for the whole country", PHONE, 1300555012, 'write it in quotes: "1300555012"'],
    ["nine digits of no area", PHONE, 912345678, 'write it in quotes: "912345678"'],
    ["a postcode without its zero", ["data", "billTo", "postalCode"], 800, 'write it in quotes: "0800"'],
    [
      "a postcode with decimals",
      ["data", "billTo", "postalCode"],
      raw("2041.0"),
      'write it in quotes: "2041"',
    ],
    [
      "a number too long for a postcode",
      ["data", "billTo", "postalCode"],
      20411,
      "write its four digits in quotes",
    ],
    ["true for a postcode", ["data", "billTo", "postalCode"], true, "write its four digits in quotes"],
    ["a BSB with decimals", [...BANK, "bsb"], raw("732001.00"), 'write it in quotes: "732-001"'],
    ["a mobile number with decimals", PHONE, raw("412345678.0"), 'write it in quotes: "0412345678"'],
    [
      "an account with decimals",
      [...BANK, "accountNumber"],
      raw("1234567.0"),
      'write it in quotes: "1234567", with any zeros that it starts with',
    ],
    [
      "a number too short for a postcode",
      ["data", "billTo", "postalCode"],
      80,
      "write its four digits in quotes",
    ],
    [
      "an account, whose length differs",
      [...BANK, "accountNumber"],
      1234567,
      'write it in quotes: "1234567", with any zeros that it starts with',
    ],
  ])("is repaired where only one code fits: %s", (_, path, value, hint) => {
    expect(hints(path, value)).toEqual([hint])
  })
})

describe("an empty value", () => {
  it.each([
    [[...LINE, "discountAmount"], ""],
    [[...LINE, "discountAmount"], []],
    [["data", "isERS"], " "],
    [["data", "shipping"], ""],
    [["data", "shipping"], []],
    [["data", "contacts"], ""],
    [["data", "dueDate"], []],
  ] as [Path, unknown][])("is left out: %j %j", (path, value) => {
    expect(hints(path, value)).toEqual(["leave the field out when it has no value"])
  })

  it.each([
    [[...LINE, "quantity"], ""],
    [["data", "supplier"], []],
    [["data", "lineItems"], ""],
  ] as [Path, unknown][])("is filled in where it is required: %j %j", (path, value) => {
    expect(hints(path, value)).toEqual(["it must not be empty: fill it in"])
  })
})

it("takes the brackets off one value only where that is of the right kind", () => {
  const unwrap = "there is only one: remove the [ and ] around it"
  expect(hints(["data", "billTo", "city"], ["Sydney"])).toEqual([unwrap])
  expect(hints([...LINE, "quantity"], ["2"])).toEqual([unwrap])
  expect(hints(["data", "supplier"], [fullDraft().data.supplier])).toEqual([unwrap])
  expect(hints(["data", "billTo", "city"], [{}])).toEqual([undefined])
  expect(hints(["data", "supplier"], ["Wattle"])).toEqual([undefined])
  expect(hints(["data", "supplier"], [[]])).toEqual([undefined])
})

it("does not advise to keep one of several invoices", () => {
  expect(hintsOf([fullDraft(), fullDraft()])).toEqual([
    "give each invoice as a document of its own, without [ ] around it",
  ])
})

it("does not make a street the addressee", () => {
  const { billTo } = fullDraft().data
  expect(hints(["data", "billTo"], renamed(billTo, "street1", "addr"))).toContain(
    'rename "addr" to "street1"',
  )
})

describe("a value of another kind in the place of a choice or a date", () => {
  it.each<[string, Path, unknown, string]>([
    [
      "true for a purpose",
      ["data", "purpose"],
      true,
      'write one of "standard", "creditMemo", "debitMemo", "lineLevelCreditMemo", "lineLevelDebitMemo"',
    ],
    ["1 for an operation", ["data", "operation"], 1, 'write one of "new", "update", "delete"'],
    ["true for the only currency", ["data", "invoiceSummary", "currency"], true, 'write "AUD"'],
    ["1 for the document type", ["docType"], 1, 'write "INV"'],
    [
      "1 for a unit",
      [...LINE, "unitOfMeasure"],
      1,
      "common codes are EA (each), BX (box), CT (carton), PK (pack), KGM (kilogram), LTR (litre), MTR (metre), HUR (hour), DAY (day)",
    ],
    [
      "true for a date",
      ["data", "dueDate"],
      true,
      'write the date, T, the time and its offset from UTC, such as "2026-11-20T09:30:00+10:00"',
    ],
  ])("is not put in quotes: %s", (_, path, value, hint) => {
    expect(hints(path, value)).toEqual([hint])
  })
})

describe("an amount that could be another", () => {
  it.each<[string, Path]>([
    ["10%", [...LINE, "taxAmount"]],
    ["$10", [...LINE, "taxRate"]],
    ["$3", [...LINE, "quantity"]],
    ["AUD 30", ["data", "paymentTerms", "netDays"]],
  ])("%j at %j has no hint", (text, path) => {
    expect(hints(path, text)).toEqual([undefined])
  })
})

describe("a value that says nothing", () => {
  it.each<[string, Path, unknown, string]>([
    [
      "an empty date that may be left out",
      ["data", "dueDate"],
      "",
      "leave the field out when it has no value",
    ],
    ["an empty date that may not", ["data", "invoiceDate"], " ", "it must not be empty: fill it in"],
    ["an empty choice", [...LINE, "unitOfMeasure"], "", "leave the field out when it has no value"],
    [
      "an empty id of the service's",
      ["correlationId"],
      "",
      "leave it out: the service fills it in (--draft)",
    ],
    ["an empty type of the service's", ["docType"], "", "leave it out: the service fills it in (--draft)"],
    ["a null of the service's", ["timestamp"], null, "leave it out: the service fills it in (--draft)"],
  ])("%s", (_, path, value, hint) => {
    expect(hints(path, value)).toEqual([hint])
  })
})

describe("a value of another kind", () => {
  it.each<[string, Path, unknown, string | undefined]>([
    ["1 for true", ["data", "isERS"], 1, "write true without quotes"],
    ["0 for false", ["data", "isERS"], 0, "write false without quotes"],
    ["2 for neither", ["data", "isERS"], 2, undefined],
    [
      "a text for an address",
      ["data", "shipTo"],
      "Dock 4",
      'write it as { "street1": "...", "city": "...", "state": "...", "postalCode": "...", "country": "AU" }',
    ],
    ["a text for terms", ["data", "paymentTerms"], "30 days", 'write { "netDays": 30 }'],
    [
      "a text for extension fields",
      ["data", "extrinsics"],
      "x",
      "write it in { }, each value after its name",
    ],
    [
      "an ABN for a registration",
      ["data", "supplier", "taxRegistrations"],
      "51 824 753 556",
      'write it as { "type": "ABN", "value": "..." }',
    ],
    [
      "a number that a spreadsheet shortened",
      ["data", "poNumber"],
      raw("1.23457E+11"),
      "write it in quotes, with all its digits and without an exponent",
    ],
    ["a long number for a text", ["data", "poNumber"], raw("1".repeat(50)), "put it in double quotes"],
  ])("%s", (_, path, value, hint) => {
    expect(hints(path, value)).toEqual([hint])
  })

  it("has no hint where it is the whole document", () => {
    expect(hintsOf("INV")).toEqual([undefined])
  })
})

describe("a choice in people's words", () => {
  it.each([
    ["Tax Invoice", "standard", ["data", "purpose"]],
    ["credit note", "creditMemo", ["data", "purpose"]],
    ["cancel", "delete", ["data", "operation"]],
    ["pallets", "D97", [...LINE, "unitOfMeasure"]],
    ["Hrs", "HUR", [...LINE, "unitOfMeasure"]],
    ["PAL", "D97", [...LINE, "unitOfMeasure"]],
    ["mL", "MLT", [...LINE, "unitOfMeasure"]],
    ["creditNote", "creditMemo", ["data", "purpose"]],
    ["credit_note", "creditMemo", ["data", "purpose"]],
    ["creditMeno", "creditMemo", ["data", "purpose"]],
    ["suplier", "supplier", ["data", "invoiceOrigin"]],
    ["dat", "dpu", ["data", "shipping", "incoTerms"]],
    ["C&F", "cfr", ["data", "shipping", "incoTerms"]],
  ])("%j is %s", (word, choice, path) => {
    expect(hints(path, word)).toEqual([`did you mean "${choice}"?`])
  })

  it.each([
    ["ACN", ["data", "supplier", "taxRegistrations", "type"], "the contract allows the ABN only"],
    ["xml", ["metadata", "sourceLanguage"], undefined],
    ["fot", ["data", "shipping", "incoTerms"], undefined],
    ["soldBy", ["data", "contacts", 0, "role"], undefined],
    ["none", ["data", "operation"], "leave the field out when it has no value"],
  ])("is not one that differs by a letter: %j", (word, path, hint) => {
    expect(hints(path, word)).toEqual([hint])
  })

  it.each(["U", "W", "PAD1", "PX"])("is not a unit that starts like it or is similar: %j", (word) => {
    expect(hints([...LINE, "unitOfMeasure"], word)[0]).toMatch(/^common codes are/)
  })

  it("is none that the contract does not have there", () => {
    expect(findMeantChoice("each", ["AUD"])).toBeUndefined()
  })

  it("is none of what every object has", () => {
    expect(findMeantChoice("constructor", ["constructor", "toString"])).toBeUndefined()
  })

  it.each([
    [
      "USD",
      ["data", "invoiceSummary", "currency"],
      'all amounts are in Australian dollars: convert them, then write "AUD"',
    ],
    ["NZ", ["data", "billTo", "country"], "the contract allows Australia only"],
    ["GST", ["data", "supplier", "taxRegistrations", "type"], "the contract allows the ABN only"],
  ])("has a reason where there is but one, and %j is not it", (word, path, reason) => {
    expect(hints(path, word)).toEqual([reason])
  })
})

describe("the whole sample", () => {
  it("has nothing to be guessed", () => {
    expect(
      examine(textOf(fullInvoice()), { stage: "canonical", accounting: true, strict: true, rules: {} }),
    ).toEqual([])
  })
})
