/**
 * Forty faults as they come from people and their programs, one a document, and what is said of each. Beside the
 * fault, the golden file has all that a reader is given: does it say what, where, and what to write instead?
 */
import { describe, expect, it } from "vitest"
import { examineDocument } from "../../src/invoice/examine.ts"
import { formatDiff } from "../../src/invoice/fixes/diff.ts"
import { createByteCounter } from "../../src/invoice/fixes/edits.ts"
import { fixDocument } from "../../src/invoice/fixes/fix.ts"
import { createReporter } from "../../src/invoice/reporters/index.ts"
import { formatExcerpt } from "../../src/input/json/position.ts"
import { readJson } from "../../src/input/json/read.ts"
import { LAYOUT } from "./reported.ts"

const OPTIONS = { stage: "auto", accounting: true, strict: false, rules: {} } as const

/** An invoice as a supplier's program writes it: no faults. */
const SOUND = `{
  "metadata": { "sourceLanguage": "json", "sourceVersion": "1.0", "userAgent": "Ledgerline 4.2" },
  "data": {
    "invoiceNumber": "INV-2041",
    "poNumber": "PO-7781",
    "invoiceDate": "2026-11-20T09:30:00+11:00",
    "dueDate": "2026-12-20T09:30:00+11:00",
    "purpose": "standard",
    "isInformationOnly": false,
    "supplier": {
      "id": "S-204",
      "name": "Harbour Lighting",
      "taxRegistrations": { "type": "ABN", "value": "51 824 753 556" },
      "contact": { "name": "Mai Nguyen", "email": "mai@harbour.example" }
    },
    "billTo": {
      "addressee": "Harbour Hotel",
      "street1": "1 Harbour Street",
      "city": "Sydney",
      "state": "NSW",
      "postalCode": "2000",
      "country": "AU"
    },
    "remitTo": { "bankDetails": { "accountNumber": "12345678", "bsb": "062-000" } },
    "paymentTerms": { "netDays": 30 },
    "lineItems": [
      {
        "invoiceLineNumber": 1,
        "description": "Pendant lamp",
        "quantity": 30,
        "unitOfMeasure": "EA",
        "unitPrice": 40.15,
        "subtotal": 1204.50,
        "taxRate": 10,
        "taxAmount": 120.45,
        "currency": "AUD"
      }
    ],
    "invoiceSummary": {
      "subtotal": 1204.50,
      "taxAmount": 120.45,
      "dueAmount": 1324.95,
      "currency": "AUD"
    }
  }
}
`

/** The values that replace others. */
const FAULTS: readonly (readonly [name: string, piece: string, by: string])[] = [
  // From a spreadsheet.
  ["amount-in-quotes", '1204.50,\n        "taxRate', '"1204.50",\n        "taxRate'],
  ["amount-with-dollar-sign", '"unitPrice": 40.15', '"unitPrice": "$40.15"'],
  ["amount-with-bare-comma", '"dueAmount": 1324.95', '"dueAmount": 1,324.95'],
  ["date-as-number", '"2026-11-20T09:30:00+11:00"', "46346"],
  ["order-number-with-exponent", '"PO-7781"', "4.5E+09"],
  ["bsb-without-zero", '"062-000"', "62000"],
  ["rate-as-fraction", '"taxRate": 10', '"taxRate": 0.1'],
  // From people.
  ["date-day-first", '"2026-12-20T09:30:00+11:00"', '"20/12/2026"'],
  ["date-without-offset", '"2026-12-20T09:30:00+11:00"', '"2026-12-20T09:30:00"'],
  ["date-with-zone-name", '"2026-12-20T09:30:00+11:00"', '"2026-12-20 09:30:00 AEDT"'],
  ["day-that-is-not", '"2026-12-20T09:30:00+11:00"', '"2026-11-31T09:30:00+11:00"'],
  ["currency-in-small-letters", '"currency": "AUD"\n      }\n    ]', '"currency": "aud"\n      }\n    ]'],
  ["currency-that-is-not", '"currency": "AUD"\n      }\n    ]', '"currency": "NZD"\n      }\n    ]'],
  ["country-in-words", '"country": "AU"', '"country": "Australia"'],
  ["unit-in-words", '"unitOfMeasure": "EA"', '"unitOfMeasure": "pieces"'],
  ["purpose-in-words", '"purpose": "standard"', '"purpose": "credit note"'],
  ["yes-for-true", '"isInformationOnly": false', '"isInformationOnly": "no"'],
  ["email-with-name", '"mai@harbour.example"', '"Mai Nguyen <mai@harbour.example>"'],
  ["abn-with-hyphens", '"51 824 753 556"', '"51-824-753-556"'],
  ["abn-swapped-digits", '"51 824 753 556"', '"51 824 735 556"'],
  // From other programs.
  ["field-in-other-case", '"unitPrice"', '"UnitPrice"'],
  ["field-with-other-name", '"postalCode"', '"postcode"'],
  ["field-misspelt", '"invoiceDate"', '"invoceDate"'],
  ["field-in-wrong-place", '"purpose": "standard",', '"purpose": "standard",\n    "netDays": 30,'],
  ["field-missing", '    "poNumber": "PO-7781",\n', ""],
  ["field-null", '"dueDate": "2026-12-20T09:30:00+11:00"', '"dueDate": null'],
  ["field-twice", '"poNumber": "PO-7781",', '"poNumber": "PO-7781",\n    "poNumber": "PO-7718",'],
  [
    "list-around-object",
    '{ "type": "ABN", "value": "51 824 753 556" }',
    '[{ "type": "ABN", "value": "51 824 753 556" }]',
  ],
  ["price-with-noise", '"unitPrice": 40.15', '"unitPrice": 40.150000000000006'],
  ["price-with-five-decimals", '"unitPrice": 40.15', '"unitPrice": 40.15005'],
  // Sums.
  [
    "subtotal-swapped-digits",
    '"subtotal": 1204.50,\n      "taxAmount',
    '"subtotal": 1240.50,\n      "taxAmount',
  ],
  ["due-without-tax", '"dueAmount": 1324.95', '"dueAmount": 1204.50'],
  ["due-before-invoiced", '"2026-12-20T09:30:00+11:00"', '"2025-12-20T09:30:00+11:00"'],
  // JSON syntax.
  ["comma-missing", '"city": "Sydney",', '"city": "Sydney"'],
  ["comma-too-many", '"currency": "AUD"\n    }\n  }', '"currency": "AUD",\n    }\n  }'],
  ["quotes-curly", '"Harbour Lighting"', "“Harbour Lighting”"],
  ["true-in-capitals", '"isInformationOnly": false', '"isInformationOnly": False'],
]

/** Faults that are not the replacement of one piece. */
const OTHERS: readonly (readonly [name: string, text: string])[] = [
  ["lines-without-list", SOUND.replace("[\n      {", "{").replace("}\n    ]", "}")],
  ["no-lines", SOUND.replace(/\[[^\]]*\]/, "[]")],
  ["cut-off", SOUND.slice(0, SOUND.indexOf('"invoiceSummary"'))],
]

const ALL = [
  ...FAULTS.map(([name, piece, by]) => {
    expect(SOUND, name).toContain(piece)
    return [name, SOUND.replace(piece, () => by)] as const
  }),
  ...OTHERS,
]

/** The document, what is said of it, and what `--fix` makes of the lines that are wrong. */
async function tell(text: string): Promise<string> {
  const reporter = await createReporter("table", LAYOUT)
  const findings = examineDocument(readJson(text), OPTIONS).map(({ offset, answer: _, ...finding }) => ({
    ...finding,
    excerpt: formatExcerpt(text, offset),
  }))
  const report = [...reporter.document({ file: "invoice.json", valid: false, findings })].join("")
  const edits = fixDocument(text, { examine: OPTIONS, totals: false })
  const inBytes = edits.map(createByteCounter(text, 0))
  const outcome =
    edits.length === 0 ? "nothing\n" : `\n${formatDiff("invoice.json", Buffer.from(text), inBytes, LAYOUT)}`
  return `${text.trimEnd()}\n\n${"=".repeat(80)}\n${report.trimEnd()}\n\n--fix writes: ${outcome}`
}

describe("a fault", () => {
  it("is none in the sound document", () => {
    expect(examineDocument(readJson(SOUND), OPTIONS)).toEqual([])
  })

  it("is one of forty kinds", () => {
    expect(new Set(ALL.map(([name]) => name)).size).toBe(40)
  })

  it.each(ALL)("is reported with place and remedy: %s", async (name, text) => {
    await expect(await tell(text)).toMatchFileSnapshot(`./golden/${name}.txt`)
  })
})
