import { describe, expect, it } from "vitest"
import { LINE, type Path, said } from "./sayings.ts"
import { raw } from "./writer.ts"

describe("what is said of a fault", () => {
  it.each<[string, Path, unknown, string]>([
    // Missing
    [
      "a missing field that the service fills in",
      ["docType"],
      undefined,
      "invoice: document type is missing — use --draft to check a document before the service completes it",
    ],
    [
      "a missing text",
      ["data", "billTo", "city"],
      undefined,
      'bill to: city is missing — after this {, write "city": "..." and a comma',
    ],
    [
      "a missing number",
      [...LINE, "unitPrice"],
      undefined,
      'line item 2: unit price is missing — after this {, write "unitPrice": 0.00 and a comma; put the right number',
    ],
    [
      "a missing whole number",
      [...LINE, "invoiceLineNumber"],
      undefined,
      'line item 2: line number is missing — after this {, write "invoiceLineNumber": 1 and a comma; put the right number',
    ],
    [
      "a missing currency",
      [...LINE, "currency"],
      undefined,
      'line item 2: currency is missing — after this {, write "currency": "AUD" and a comma',
    ],
    [
      "a missing choice",
      ["metadata", "sourceLanguage"],
      undefined,
      'metadata: source language is missing — after this {, write "sourceLanguage": "json" and a comma; or another of "json", "cxml"',
    ],
    [
      "a missing date",
      ["data", "invoiceDate"],
      undefined,
      'invoice: invoice date is missing — after this {, write "invoiceDate": "2026-11-20T09:30:00+10:00" and a comma; put the right date and time',
    ],
    [
      "a missing object",
      ["data", "supplier"],
      undefined,
      'invoice: supplier is missing — after this {, write "supplier": { "id": "...", "name": "..." } and a comma',
    ],
    [
      "a missing list",
      ["data", "lineItems"],
      undefined,
      'invoice: line items are missing — after this {, write "lineItems": [ ... ] and a comma',
    ],
    [
      "missing data",
      ["data"],
      undefined,
      'invoice: the invoice itself is missing — after this {, write "data": { "invoiceNumber": "...", "poNumber": "...", "invoiceDate": "2026-11-20T09:30:00+10:00", "purpose": "standard", "supplier": { ... }, "billTo": { ... }, "lineItems": [ ... ], "invoiceSummary": { ... } } and a comma',
    ],
    // Unknown
    [
      "an unknown field like a free one",
      ["data", "supplier", "adress2"],
      1,
      'supplier: there is no field "adress2" here — "address" is here already: remove this one',
    ],
    [
      "an unknown field in a small object",
      ["data", "supplier", "taxRegistrations", "country"],
      "AU",
      'supplier, tax registration: there is no field "country" here — remove it, or put it into data.extrinsics; the fields here are type, value',
    ],
    [
      "an unknown field in a large object",
      [...LINE, "colour"],
      "red",
      'line item 2: there is no field "colour" here — remove it, or put it into data.extrinsics',
    ],
    // Types
    [
      "a number in quotes",
      [...LINE, "unitPrice"],
      "12.50",
      'line item 2, unit price: must be a number, not "12.50" — write 12.50 without quotes',
    ],
    [
      "money in quotes",
      [...LINE, "subtotal"],
      "$1,204.50",
      'line item 2, subtotal: must be a number, not "$1,204.50" — write 1204.50 without quotes',
    ],
    [
      "negative money in quotes",
      [...LINE, "subtotal"],
      "-AUD 0012",
      'line item 2, subtotal: must be a number, not "-AUD 0012" — write -12 without quotes',
    ],
    [
      "a percentage in quotes",
      [...LINE, "taxRate"],
      "10%",
      'line item 2, tax rate: must be a number, not "10%" — write 10 without quotes',
    ],
    [
      "words for a number",
      [...LINE, "quantity"],
      "two",
      'line item 2, quantity: must be a number, not "two"',
    ],
    [
      "a fraction in quotes for a whole number",
      ["data", "paymentTerms", "netDays"],
      "30.5",
      'payment terms, net days: must be a whole number, not "30.5"',
    ],
    [
      "a fraction for a whole number",
      ["data", "paymentTerms", "netDays"],
      raw("30.00000000000000000001"),
      "payment terms, net days: must be a whole number, not 30.00000000000000000001",
    ],
    [
      "a number for a text, as it is written",
      ["data", "invoiceNumber"],
      raw("1001.0"),
      'invoice number: must be text, not 1001.0 — write it in quotes: "1001.0"',
    ],
    [
      "a postcode that lost its zero",
      ["data", "shipTo", "postalCode"],
      800,
      'ship to, postal code: must be text, not 800 — write it in quotes: "0800"',
    ],
    [
      "a null that may be left out",
      ["data", "dueDate"],
      null,
      "due date: must be text, not null — leave the field out when it has no value",
    ],
    [
      "a null that may not",
      ["data", "poNumber"],
      null,
      "purchase order number: must be text, not null — it must not be empty: fill it in",
    ],
    [
      "a null in a list",
      [...LINE.slice(0, 2), 0, "serialNumbers", 1],
      null,
      "line item 1, serial number 2: must be text, not null — remove it",
    ],
    [
      "tax registrations as a list",
      ["data", "supplier", "taxRegistrations"],
      [{ type: "ABN", value: "51824753556" }],
      "supplier, tax registration: must be an object, not a list — there is only one: remove the [ and ] around it",
    ],
    [
      "one line that is no list",
      ["data", "lineItems"],
      { invoiceLineNumber: 1 },
      "line items: must be a list, not an object — put it in [ ], even when there is only one",
    ],
    [
      "yes for true",
      ["data", "isERS"],
      "yes",
      'evaluated receipt: must be true or false, not "yes" — write true without quotes',
    ],
    [
      "no for false",
      ["data", "isInformationOnly"],
      "No",
      'information only: must be true or false, not "No" — write false without quotes',
    ],
    // Choices
    [
      "a currency in the wrong case",
      [...LINE, "currency"],
      "AUd",
      'line item 2, currency: must be "AUD", not "AUd" — did you mean "AUD"?',
    ],
    [
      "another currency",
      [...LINE, "currency"],
      "USD",
      'line item 2, currency: must be "AUD", not "USD" — all amounts are in Australian dollars: convert them, then write "AUD"',
    ],
    [
      "a country in words",
      ["data", "billTo", "country"],
      "Australia",
      'bill to, country: must be "AU", not "Australia" — did you mean "AU"?',
    ],
    [
      "an incoterm in capitals",
      ["data", "shipping", "incoTerms"],
      "DAP",
      'shipping, incoterms: must be one of cfr, cif, cip, cpt, daf, dap, ddp, ddu, dpu, deq, des, exw, fas, fca, fob, not "DAP" — did you mean "dap"?',
    ],
    [
      "the beginning of a purpose",
      ["data", "purpose"],
      "credit",
      'purpose: must be one of standard, creditMemo, debitMemo, lineLevelCreditMemo, lineLevelDebitMemo, not "credit" — did you mean "creditMemo"?',
    ],
    [
      "a unit in words",
      [...LINE, "unitOfMeasure"],
      "Each",
      'line item 2, unit of measure: must be one of 63 codes, not "Each" — did you mean "EA"?',
    ],
    [
      "a unit of everyday",
      [...LINE, "unitOfMeasure"],
      "kg",
      'line item 2, unit of measure: must be one of 63 codes, not "kg" — did you mean "KGM"?',
    ],
    [
      "a unit that nobody knows",
      [...LINE, "unitOfMeasure"],
      "??",
      'line item 2, unit of measure: must be one of 63 codes, not "??" — common codes are EA (each), BX (box), CT (carton), PK (pack), KGM (kilogram), LTR (litre), MTR (metre), HUR (hour), DAY (day)',
    ],
    ["another document type", ["docType"], "PO", 'document type: must be "INV", not "PO" — write "INV"'],
    // Numbers
    [
      "too fine a price",
      [...LINE, "unitPrice"],
      raw("1.00005"),
      "line item 2, unit price: 1.00005 has more than 4 decimals — round it to 1.0001",
    ],
    [
      "a slip of binary arithmetic",
      [...LINE, "subtotal"],
      raw("0.30000000000000004"),
      "line item 2, subtotal: 0.30000000000000004 has more than 2 decimals — round it to 0.30",
    ],
    [
      "a negative amount that rounds to nought",
      ["data", "shipping", "amount"],
      raw("-0.001"),
      "shipping, amount: -0.001 has more than 2 decimals — round it to 0.00",
    ],
    [
      "an amount with an exponent",
      ["data", "shipping", "amount"],
      raw("12345E-3"),
      "shipping, amount: 12345E-3 (12.345) has more than 2 decimals — round it to 12.35",
    ],
    [
      "a fraction with an exponent for a whole number",
      ["data", "paymentTerms", "netDays"],
      raw("-305e-1"),
      "payment terms, net days: must be a whole number, not -305e-1 (-30.5)",
    ],
    [
      "a minute amount",
      ["data", "shipping", "amount"],
      raw("1e-999999999"),
      "shipping, amount: 1e-999999999 has more than 2 decimals",
    ],
    // Forms and lengths
    [
      "a date for a date-time",
      ["data", "invoiceDate"],
      "2026-11-20",
      'invoice date: "2026-11-20" is a date without a time — write it with a time and its offset from UTC, such as "2026-11-20T09:30:00+10:00"',
    ],
    [
      "an email with a blank",
      ["data", "contacts", 0, "email"],
      "a b@c",
      'contact 1, email: "a b@c" is not an email address: it has a blank in it — write one address such as "accounts@example.com", or "" when there is none',
    ],
    [
      "a comment that is too long",
      ["data", "comments"],
      "x".repeat(2014),
      "comments: must have at most 2,000 characters, and has 2,014 — shorten it by 14",
    ],
    [
      "no lines",
      ["data", "lineItems"],
      [],
      'line items: the list is empty — write at least one entry in it: { "invoiceLineNumber": ..., "quantity": ..., "unitPrice": ..., "subtotal": ..., "currency": "AUD" }',
    ],
  ])("%s", (_, path, value, expected) => {
    expect(said(path, value)).toEqual([expected])
  })
})
