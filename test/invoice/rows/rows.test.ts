/** Rows of CSV files as invoices: headings, spreadsheet damage, what is one invoice's, and what is wrong with them. */
import { stringify } from "csv-stringify/sync"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import type { OfferedParties } from "../../../src/invoice/new/ask.ts"
import { gatherInvoices } from "../../../src/invoice/new/rows/invoices.ts"
import { listHeadings, plainHeading, ROW_COLUMNS } from "../../../src/invoice/new/rows/fields.ts"
import type { Questions } from "../../../src/output/terminal/conversation/conversation.ts"
import { expectCases } from "../../cases.ts"
import { failure } from "../../failure.ts"
import { createDraft } from "../../../src/invoice/new/draft.ts"
import { listInvoiceLeaves } from "../../../src/invoice/set-fields.ts"
import { listValues } from "../leaves.ts"
import { fullDraft } from "../samples.ts"
import { draftsOf, GIVEN, linesOf, readRows, refusalOf } from "./rows.ts"

type Cells = Record<string, string>

const LAMP: Cells = { Description: "Lamp", Qty: "2", Price: "19.99", "Tax rate": "10" }

/** A row for each, with all their columns. */
function csv(...rows: readonly Cells[]): string {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return stringify([headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ""))])
}

/** A lamp with these cells besides, or instead. */
const lamp = (cells: Cells = {}): Cells => ({ ...LAMP, ...cells })

it("refuses rows with all that is wrong with each, by row and column", () =>
  expectCases(import.meta.dirname, "refused.txt", (line) => {
    const [, shown = "", given = "{}"] = /^(.*␊)(?: with (.*))?$/.exec(line) ?? []
    const text = shown.replaceAll("␊", "\n").replaceAll("␛", "\u001b")
    const { texts = {}, options } = JSON.parse(given)
    for (const [name, value] of Object.entries(texts)) if (value === "gone") texts[name] = undefined
    return refusalOf(text, { texts, options })
  }))

it("reads lines in layouts that people use, or says what is open", () =>
  expectCases(import.meta.dirname, "layouts.txt", async (line) => {
    const text = line.replaceAll("␊", "\n")
    try {
      return (await linesOf(text)).map(
        ({ description, quantity, unitPrice, subtotal, taxAmount, comments }) => {
          const said = comments === undefined ? "" : ` (${comments})`
          return `${description}: ${quantity} x ${unitPrice} = ${subtotal} + ${taxAmount}${said}`
        },
      )
    } catch {
      return refusalOf(text)
    }
  }))

describe("a column with the path of a field of the contract", () => {
  /** Worked out of the amounts of the rows, or of each other. */
  const isCounted = (path: string) =>
    /^lineItems\.0\.(?:quantity|unitPrice|subtotal|taxAmount|taxRate|discountAmount|currency)$/.test(path) ||
    path === "invoiceSummary.dueAmount"
  const PRICED = { quantity: "10", unitPrice: "12.50", taxRate: "10" }

  it("writes that field, whichever it is, and it is read back equal", async () => {
    const whole = fullDraft()
    whole.data.extrinsics = { costCentre: "A-4100" }
    whole.data.supplier.taxRegistrations = { type: "ABN", value: "51824753556" }
    Object.assign(whole.data.remitTo?.bankDetails ?? {}, { iban: "GB29NWBK60161331926819" })
    whole.data.lineItems = whole.data.lineItems.slice(0, 1)
    const values = listValues(whole)
      .map(([path, text]) => [path.replace(/^data\./, ""), text] as const)
      .filter(([path, text]) => text !== "" && !isCounted(path) && !path.includes("serialNumbers"))
    const cells = {
      ...PRICED,
      "lineItems.serialNumbers": "SN-1; SN-2",
      ...Object.fromEntries(values.map(([path, text]) => [path.replace("lineItems.0.", "lineItems."), text])),
    }
    const { rows } = await readRows(csv(cells))
    expect(rows.findings.filter(({ severity }) => severity === "error")).toEqual([])
    const nothing = Object.fromEntries(Object.keys(GIVEN).map((name) => [name, undefined]))
    const texts = { ...nothing, purpose: "standard" }
    const { invoices } = await gatherInvoices(rows, texts, "2026-11-20")
    const [first] = invoices
    if (!first) throw new Error("there is no invoice")
    const written = listValues(createDraft(first.parts, "freight-cli/1.0.0"))
    const byPath = new Map(written.map(([path, text]) => [path.replace(/^data\./, ""), text]))
    for (const [path, text] of values) expect([path, byPath.get(path)]).toEqual([path, text])
    expect(first.parts.lines[0]?.more?.serialNumbers).toEqual(["SN-1", "SN-2"])
    const named = new Set(values.map(([path]) => path))
    const unwritten = listInvoiceLeaves().filter(
      ({ path }) =>
        !isCounted(path) &&
        !path.endsWith("serialNumbers") &&
        ![...named].some((each) => each === path || each.startsWith(`${path}.`)),
    )
    expect(unwritten).toEqual([])
  })

  it("is read like the others: what people write, damage of spreadsheets, one value of an invoice", async () => {
    const cells = {
      "shipping.incoTerms": "DAP",
      "PO date": "46328",
      "SWIFT code": "HARBAU2S",
      "Sold to street": "1 Harbour Street",
      ...{ "Sold to suburb": "Darwin", "Sold to state": "Northern Territory", "Sold to postcode": "800" },
      "extrinsics.costCentre": "0800",
      "Country of origin": "Australia",
      "contacts.role": "shipTo",
    }
    const { drafts } = await draftsOf(csv(lamp(cells), lamp()))
    expect(drafts[0]).toMatchObject({
      shipping: { incoTerms: "dap" },
      poReferences: [{ poNumber: "PO-7", orderDate: "2026-11-02T00:00:00Z" }],
      remitTo: { bankDetails: { swift: "HARBAU2S" } },
      soldTo: { city: "Darwin", state: "NT", postalCode: "0800" },
      extrinsics: { costCentre: "0800" },
      contacts: [{ role: "shipTo" }],
    })
    expect(drafts[0]?.lineItems.map(({ countryOfOrigin }) => countryOfOrigin)).toEqual(["AU", undefined])
    const refused = await refusalOf(
      csv(lamp({ "shipping.route": "Road" }), lamp({ "shipping.route": "Rail" })),
    )
    expect(refused[1]).toContain('"Rail" differs from "Road" in row 2, and an invoice has one')
    expect((await refusalOf(csv(lamp({ "contacts.0.role": "boss" }))))[1]).toContain(
      'row 2, contacts.0.role: "boss" is not one of issuerOfInvoice',
    )
  })

  it("counts less than --set, and --map gives it to any column", async () => {
    const { drafts } = await draftsOf(csv(lamp({ "shipping.route": "Road", Cost: "A-1" })), {
      texts: { set: ["shipping.route=Rail"] },
      options: { map: ["Cost=extrinsics.costCentre"] },
    })
    expect(drafts[0]).toMatchObject({ shipping: { route: "Rail" }, extrinsics: { costCentre: "A-1" } })
  })
})

describe("what was paid before, and what is left to pay", () => {
  const row = { Description: "Lamp", Qty: "2", "Unit price ex GST": "54.00", "Tax rate": "10" }
  const summaryOf = async (rows: readonly Cells[], texts: object = {}) =>
    (await draftsOf(csv(...rows), { texts })).drafts[0]?.invoiceSummary

  it.each([
    ["of Xero", { InvoiceAmountPaid: "50.00", InvoiceAmountDue: "68.80" }],
    ["of MYOB", { "Amount Paid": "$50.00" }],
    ["of QuickBooks", { "Amount paid": "50.00", "Balance due": "68.80" }],
    ["in a column Paid", { Paid: "50", "Amount outstanding": "68.80" }],
    ["with GST in it", { "Deposit (inc GST)": "50.00", "Amount due inc GST": "68.80" }],
  ])("is a deposit, taken off the amount due: %s", async (_, cells) => {
    expect(await summaryOf([{ ...row, ...cells }])).toMatchObject({
      grossAmount: 118.8,
      depositAmount: 50,
      dueAmount: 68.8,
    })
  })

  it("is the same in all rows of an invoice, or stands in the first one only", async () => {
    const two = { Description: "Lamp", Qty: "1", "Unit price ex GST": "54.00", "Tax rate": "10" }
    for (const second of ["50.00", ""])
      expect(
        await summaryOf([
          { ...two, "Amount paid": "50.00" },
          { ...two, "Amount paid": second },
        ]),
      ).toMatchObject({ depositAmount: 50, dueAmount: 68.8 })
    const refused = await refusalOf(
      csv({ ...two, "Amount paid": "50.00" }, { ...two, "Amount paid": "10.00" }),
    )
    expect(refused[1]).toContain("10.00 differs from 50.00 in row 2, and an invoice has one")
  })

  it("leaves nothing out where nothing was paid, and nothing due where all was", async () => {
    const none = { InvoiceAmountPaid: "0.00", InvoiceAmountDue: "118.80" }
    expect(await summaryOf([{ ...row, ...none }])).toMatchObject({ dueAmount: 118.8 })
    expect(await summaryOf([{ ...row, "Amount due": "118.80" }])).toMatchObject({ dueAmount: 118.8 })
    const all = { Status: "Paid", InvoiceAmountPaid: "118.80", InvoiceAmountDue: "0.00" }
    expect(await summaryOf([{ ...row, ...all }])).toMatchObject({ depositAmount: 118.8, dueAmount: 0 })
  })

  it("is taken off what a credit memo gives back, whatever its sign", async () => {
    const memo = { purpose: "creditMemo", refersTo: "INV-0" }
    for (const [paid, due] of [
      ["50.00", "68.80"],
      ["-50.00", "-68.80"],
    ] as const)
      expect(await summaryOf([{ ...row, "Amount paid": paid, "Amount due": due }], memo)).toMatchObject({
        grossAmount: -118.8,
        depositAmount: -50,
        dueAmount: -68.8,
      })
  })

  it.each([
    [{ "Amount due": "68.80" }, "68.80 is due of 118.80, and nothing says what was paid before"],
    [
      { "Amount paid": "40.00", "Balance due": "68.80" },
      "68.80 is not 78.80, which the lines come to less 40.00 paid before",
    ],
    [{ Status: "Paid" }, 'it says "Paid", and nothing says what was paid before'],
    [
      { "Financial Status": "partially paid" },
      'it says "partially paid", and nothing says what was paid before',
    ],
    [{ Paid: "Yes" }, 'the column "Paid" (Yes) can mean depositAmount or something else'],
    [
      { "Customer payments": "50.00" },
      'the column "Customer payments" (50.00) can mean depositAmount or dueAmount',
    ],
    [
      { "Credits applied": "20.00" },
      'the column "Credits applied" (20.00) can mean depositAmount or dueAmount',
    ],
    [
      { "Amount refunded": "20.00" },
      'the column "Amount refunded" (20.00) can mean depositAmount or dueAmount',
    ],
    [{ "Invoice discount": "20.00" }, 'the column "Invoice discount" (20.00) can mean discountAmount or'],
    [{ "Amount paid": "200.00" }, "-81.20 is negative"],
  ])("is refused where it would be asked for again: %j", async (cells, message) => {
    expect((await refusalOf(csv({ ...row, ...cells }))).join("\n")).toContain(message)
  })

  it("may be said by --deposit, which must not differ from a column", async () => {
    const due = { ...row, "Amount due": "68.80" }
    expect(await summaryOf([due], { deposit: "50" })).toMatchObject({ depositAmount: 50, dueAmount: 68.8 })
    const paid = csv({ ...due, "Amount paid": "50.00" })
    expect((await refusalOf(paid, { texts: { deposit: "40" } })).join("\n")).toContain(
      '"50.00" is not "40.00", which --deposit gives',
    )
  })

  it("is not asked about where nothing was paid, nor when and how it is paid", async () => {
    const cells = {
      "Customer payments": "0.00",
      "Paid date": "2026-11-20",
      "Payment method": "EFT",
      "Terms - Balance Due Days": "30",
      "Terms - % Discount": "2",
      "Discount code": "10",
      "Credit limit": "500.00",
    }
    expect(await summaryOf([{ ...row, ...cells }])).toMatchObject({ dueAmount: 118.8 })
  })

  it("is not added up where a total stands below it", async () => {
    const cells = { ...row, "Amount ex GST": "108.00", "Amount paid": "50.00" }
    const total = { Description: "Total", "Amount ex GST": "216.00", "Amount paid": "50.00" }
    expect(await summaryOf([cells, cells, total])).toMatchObject({ depositAmount: 50, dueAmount: 187.6 })
  })
})

describe("the headings of lines", () => {
  it("each mean one field", () => {
    const seen = new Map<string, string>()
    for (const { name } of ROW_COLUMNS.fields)
      for (const word of [name, ...listHeadings(name)]) {
        const meaning = ROW_COLUMNS.meaning(word)
        // Cells decide whether a discount is in percent, and whether a tax is an amount.
        const byCells = "byCells" in meaning ? meaning.byCells?.(["1.00"]) : undefined
        const decided = byCells === "unused" ? undefined : byCells
        const meant = "field" in meaning ? meaning.field?.name : decided?.name
        expect([word, meant]).toEqual([word, name])
        const before = word === name ? name : (seen.get(plainHeading(word)) ?? name)
        expect([word, before]).toEqual([word, name])
        if (word !== name) seen.set(plainHeading(word), name)
      }
  })

  it.each([
    [
      "of Xero",
      "*ContactName,POAddressLine1,POCity,PORegion,POPostalCode,*InvoiceNumber,*InvoiceDate,*DueDate,InventoryItemCode,*Description,*Quantity,*UnitAmount,*TaxType,Currency\n" +
        "Kmart,690 Springvale Road,Mulgrave,VIC,3170,INV-9,13/11/2026,13/12/2026,L-1,Lamp,2,19.99,GST on Income,AUD\n" +
        "Kmart,690 Springvale Road,Mulgrave,VIC,3170,INV-9,13/11/2026,13/12/2026,B-1,Handbook,1,30.00,GST Free Income,AUD\n",
    ],
    [
      "of MYOB",
      "Co./Last Name\tBilling Address 1\tBilling City\tBilling State\tBilling Postcode\tInvoice #\tDate\tDue Date\tItem Number\tDescription\tQuantity\tPrice\tInc-Tax Price\tTotal\tInc-Tax Total\tTax Code\tTax Amount\n" +
        "Kmart\t690 Springvale Road\tMulgrave\tVIC\t3170\tINV-9\t13/11/2026\t13/12/2026\tL-1\tLamp\t2\t$19.99\t$21.99\t$39.98\t$43.98\tGST\t$4.00\n" +
        "Kmart\t690 Springvale Road\tMulgrave\tVIC\t3170\tINV-9\t13/11/2026\t13/12/2026\tB-1\tHandbook\t1\t$30.00\t$30.00\t$30.00\t$30.00\tFRE\t$0.00\n",
    ],
    [
      "of QuickBooks",
      "Invoice No,Customer,Billing Street,Billing Suburb,Billing State,Billing Postcode,Invoice Date,Due Date,SKU,Product/Service,Qty,Rate,Amount,GST,Taxable\n" +
        "INV-9,Kmart,690 Springvale Road,Mulgrave,VIC,3170,2026-11-13,2026-12-13,L-1,Lamp,2,19.99,39.98,4.00,Yes\n" +
        "INV-9,Kmart,690 Springvale Road,Mulgrave,VIC,3170,2026-11-13,2026-12-13,B-1,Handbook,1,30.00,30.00,0.00,No\n",
    ],
  ])("%s are understood", async (_, text) => {
    const { drafts } = await draftsOf(text, { texts: { number: undefined, billTo: undefined } as object })
    expect(drafts).toMatchObject([
      {
        invoiceNumber: "INV-9",
        invoiceDate: "2026-11-13T00:00:00Z",
        dueDate: "2026-12-13T00:00:00Z",
        billTo: {
          addressee: "Kmart",
          street1: "690 Springvale Road",
          city: "Mulgrave",
          state: "VIC",
          postalCode: "3170",
        },
        lineItems: [
          { invoiceLineNumber: 1, supplierItemId: "L-1", description: "Lamp", subtotal: 39.98, taxAmount: 4 },
          {
            invoiceLineNumber: 2,
            supplierItemId: "B-1",
            description: "Handbook",
            subtotal: 30,
            taxAmount: 0,
          },
        ],
        invoiceSummary: { subtotal: 69.98, taxAmount: 4, dueAmount: 73.98 },
      },
    ])
  })

  const XERO =
    "ContactName,InvoiceNumber,Reference,InvoiceDate,Total,TaxTotal,InvoiceAmountPaid,Description,Quantity,UnitAmount,Discount,LineAmount,TaxType,TaxAmount,Currency,Type,Sent,Status\n"
  const ofXero = (...lines: string[]) =>
    XERO +
    lines
      .map((line) => {
        const [total, ...cells] = line.split(";")
        return `Kmart,INV-9,PO-88,13/11/2026,${total},9,0.00,${cells.join(",")},AUD,Sales Invoice,Sent,Awaiting Payment\n`
      })
      .join("")
  const unnumbered = { texts: { number: undefined, po: undefined } as object }

  it.each([
    [
      "an export of Xero with discounts",
      ofXero(
        "139.00;Lamp;4.0000;20.00;12.5;70.00;GST on Income;7.00",
        "139.00;Handbook;2.0000;20.00;;40.00;GST Free Income;0.00",
      ),
      [
        { quantity: 4, unitPrice: 17.5, subtotal: 70, taxAmount: 7, comments: "20.00 less 12.5%" },
        { quantity: 2, unitPrice: 20, subtotal: 40, taxAmount: 0 },
      ],
    ],
    [
      "an export of Xero whose amounts include GST",
      ofXero("30.00;Lamp;3.0000;10.00;;30.00;GST on Income;2.73"),
      [{ quantity: 3, unitPrice: 9.0909, subtotal: 27.27, taxAmount: 2.73 }],
    ],
    [
      "a text that MYOB exports",
      "{}\nCo./Last Name\tInvoice No.\tDate\tCustomer PO\tInclusive\tDescription\tQuantity\tPrice\tDiscount\tTotal\tTax Code\tGST Amount\tFreight Amount\tFreight Tax Code\tExchange Rate\n" +
        "Kmart\tINV-9\t13/11/2026\tPO-88\t\tLamp\t2\t$19.99\t0%\t$39.98\tGST\t$4.00\t$0.00\tGST\t1\n\n",
      [{ quantity: 2, unitPrice: 19.99, subtotal: 39.98, taxAmount: 4 }],
    ],
    [
      "amounts before and after GST",
      "Invoice,PO,Item,Qty,Price,Amount,GST,Total\nINV-9,PO-88,Lamp,2,19.99,39.98,4.00,43.98\nINV-9,PO-88,Desk,1,10.00,10.00,1.00,11.00\n",
      [
        { subtotal: 39.98, taxAmount: 4 },
        { subtotal: 10, taxAmount: 1 },
      ],
    ],
    [
      "a column that says what is in the amounts",
      "Invoice,PO,Item,Qty,Price,Amount,Tax rate,Amounts are\nINV-9,PO-88,Lamp,3,10.00,30.00,10%,inc GST\nINV-9,PO-88,Desk,1,10.00,10.00,10%,ex GST\n",
      [
        { unitPrice: 9.0909, subtotal: 27.27, taxAmount: 2.73 },
        { unitPrice: 10, subtotal: 10, taxAmount: 1 },
      ],
    ],
    [
      "a discount in dollars",
      "Invoice,PO,Item,Qty,Price,Disc,Line total ex GST\nINV-9,PO-88,Lamp,4,20.00,5.00,75.00\n",
      [{ unitPrice: 18.75, subtotal: 75, taxAmount: 7.5, comments: "20.00 less 5.00" }],
    ],
  ])("%s are read", async (_, text, lines) => {
    const { drafts } = await draftsOf(text, unnumbered)
    expect(drafts).toMatchObject([{ invoiceNumber: "INV-9", poNumber: "PO-88", lineItems: lines }])
  })

  it("give every field of a line that a sender sets", async () => {
    const cells = {
      ...{
        Unit: "each",
        SKU: "L-1",
        "Customer part number": "K-1",
        MPN: "M-1",
        Manufacturer: "Arc",
        Lot: "B-1",
      },
      ...{
        "Serial numbers": "S1; S2",
        Line: "10",
        "PO line": "3",
        "ASN line": "4",
        "Line comments": "fragile",
      },
    }
    expect(await linesOf(csv(lamp(cells)))).toEqual([
      {
        ...{ invoiceLineNumber: 10, poLineReference: 3, asnLineReference: 4, supplierItemId: "L-1" },
        ...{ buyerItemId: "K-1", manufacturerPartId: "M-1", manufacturerName: "Arc", batchId: "B-1" },
        ...{ serialNumbers: ["S1", "S2"], comments: "fragile", description: "Lamp", quantity: 2 },
        ...{
          unitOfMeasure: "EA",
          unitPrice: 19.99,
          subtotal: 39.98,
          taxAmount: 4,
          taxRate: 10,
          currency: "AUD",
        },
      },
    ])
  })

  it("are mapped by --map, and what is not used is reported in one line", async () => {
    const text = csv(lamp({ Salesperson: "Ann", Region: "East", Ordered: "PO-9" }))
    const { drafts, notes } = await draftsOf(text, {
      texts: { po: undefined } as object,
      options: { map: ["Ordered=poNumber"] },
    })
    expect(drafts[0]?.poNumber).toBe("PO-9")
    expect(notes).toEqual([
      'lines.csv: 2 columns are not used: "Salesperson", "Region". --map COLUMN=FIELD uses one.',
    ])
    expect((await readRows(text, { ignoreUnknown: true })).notes).toEqual([])
  })
})

describe("what spreadsheets do", () => {
  it("to amounts is put right and told once for a column", async () => {
    const { drafts, repaired } = await draftsOf(
      csv(lamp({ Price: "$1,234.50" }), lamp({ Price: "19.989999999999995" }), lamp({ Qty: "1,200" })),
    )
    expect(drafts[0]?.lineItems.map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([
      [2, 1234.5],
      [2, 19.99],
      [1200, 19.99],
    ])
    expect(repaired).toEqual([
      'row 2, Price: "$1,234.50" is taken as "1234.5"',
      'row 3, Price: "19.989999999999995" is taken as "19.99"',
      'row 4, Qty: "1,200" is taken as "1200"',
    ])
  })

  it("to a postcode and a tax rate is put right", async () => {
    const address = {
      "Ship to street": "88 Depot Road",
      "Ship to city": "Darwin",
      "Ship to state": "Northern Territory",
    }
    const { drafts, repaired } = await draftsOf(
      csv(lamp({ "Tax rate": "0.1", ...address, "Ship to postcode": "800" })),
    )
    expect(drafts[0]?.shipTo).toEqual({
      ...{ street1: "88 Depot Road", city: "Darwin", state: "NT", postalCode: "0800", country: "AU" },
    })
    expect(repaired.map((each) => each.split(":")[0])).toEqual([
      "row 2, Tax rate",
      "row 2, Ship to state",
      "row 2, Ship to postcode",
    ])
  })

  it("to dates is understood where two dates of the column show the order of day and month", async () => {
    const dated = (...dates: string[]) =>
      csv(...dates.map((day, at) => lamp({ Date: day, Invoice: String.fromCharCode(65 + at) })))
    const given = { texts: { number: undefined } as object, options: { per: "Invoice" } }
    const { drafts, notes } = await draftsOf(dated("05/11/2026", "13/11/2026", "14/11/2026"), given)
    expect(drafts.map(({ invoiceDate }) => invoiceDate)).toEqual([
      "2026-11-05T00:00:00Z",
      "2026-11-13T00:00:00Z",
      "2026-11-14T00:00:00Z",
    ])
    expect(notes).toContain(
      'lines.csv: Date: 2 cells can only have the day first, so "05/11/2026" is read as 5 Nov 2026',
    )
  })

  it("to dates and amounts with two readings is asked about once, for all columns", async () => {
    const text = csv(
      lamp({ Date: "05/11/2026", Price: "1.800" }),
      lamp({ Date: "05/11/2026", Price: "19,99" }),
    )
    expect(await failure(readRows(text))).toMatchObject({
      questions: [
        { column: "Price", choices: ["decimalComma", "decimalPoint"] },
        { column: "Date", choices: ["dayFirst", "monthFirst"] },
      ],
    })
    const { drafts } = await draftsOf(text, { options: { map: ["Price=decimalComma", "Date=dayFirst"] } })
    expect(drafts).toMatchObject([
      { invoiceDate: "2026-11-05T00:00:00Z", lineItems: [{ unitPrice: 1800 }, { unitPrice: 19.99 }] },
    ])
  })

  it("to bank details, terms and a contact is put right", async () => {
    const bank = { BSB: "62000", "Bank account number": "1234 5678", "Bank account name": "Harbour Pty Ltd" }
    const more = { Terms: "30 days", "Supplier contact": "Mia Tran; 02 9555 0134" }
    const { drafts, repaired } = await draftsOf(csv(lamp({ ...bank, ...more })))
    expect(drafts[0]).toMatchObject({
      remitTo: {
        bankDetails: { bsb: "062-000", accountNumber: "12345678", accountName: "Harbour Pty Ltd" },
      },
      paymentTerms: { netDays: 30 },
      dueDate: "2026-12-20T00:00:00Z",
      supplier: { contact: { name: "Mia Tran", phone: "02 9555 0134" } },
    })
    expect(repaired).toContain('row 2, BSB: "62000" is taken as "062-000": it has lost its leading 0')
  })

  it("a number for a day, and a date-time, are read as they are", async () => {
    const dateOf = async (date: string) => (await draftsOf(csv(lamp({ Date: date })))).drafts[0]?.invoiceDate
    expect(await dateOf("46339")).toBe("2026-11-13T00:00:00Z")
    expect(await dateOf("2026-11-13T09:30:00+11:00")).toBe("2026-11-13T09:30:00+11:00")
  })

  it.each([
    [
      "a workbook",
      Buffer.from("504b030414000600", "hex"),
      "lines.csv is a workbook (.xlsx) or another office document, not a text file",
    ],
    ["UTF-32", Buffer.from("fffe000051000000", "hex"), "lines.csv is UTF-32, not UTF-8"],
    ["JSON", Buffer.from(' [{"Qty": 1}]'), "lines.csv is JSON: --lines-from takes a CSV file"],
    ["nothing", Buffer.from(""), "lines.csv is empty"],
    ["a total alone", Buffer.from("Description,Qty,Price\nTotal,,5\n"), "lines.csv has headings and no rows"],
    ["headings alone", Buffer.from("Description,Qty,Price\n"), "lines.csv has headings and no rows"],
  ])("is told of a file that is %s", async (_, bytes, message) => {
    const [said = ""] = await refusalOf(bytes)
    expect(said.slice(0, message.length)).toBe(message)
  })

  it("a title above the headings and a total below the rows are left out, and told", async () => {
    const text = `Sales of November\n\n${csv(lamp())}Total,,39.98,\n`
    const { drafts, notes } = await draftsOf(text)
    expect(drafts[0]?.lineItems).toHaveLength(1)
    expect(notes).toEqual([
      'row 1: "Sales of November" is above the headings and is left out',
      "row 5 is a total, not a line, and is left out (39.98)",
    ])
  })
})

it("tells which column is taken as the description, and which rows count as one", async () => {
  const text = "Flower,Colour,Qty,Price ex GST,Amount ex GST\nRose,Red,2,5.00,10.00\nCourier,,,,12.00\n"
  expect((await draftsOf(text)).notes).toEqual([
    'lines.csv: 1 column is not used: "Colour". --map COLUMN=FIELD uses one.',
    'lines.csv: the column "Flower" is taken as the description',
    "row 3 has an amount and no quantity: it counts as one",
  ])
})

describe("the pages of a printed list", () => {
  it("have headings and notes between their rows, which are left out", async () => {
    const [headings = "", row = ""] = csv(lamp()).split("\n")
    const blanks = ",".repeat(headings.split(",").length - 1)
    const text = `${headings}\n${row}\nPage 1 of 2${blanks}\n${headings.toUpperCase()}\n${row}\nThank you for your business.${blanks}\n`
    const { drafts, notes } = await draftsOf(text)
    expect(drafts.flatMap(({ lineItems }) => lineItems)).toHaveLength(2)
    expect(notes).toEqual([
      'row 3: "Page 1 of 2" is a note, not a line, and is left out',
      'row 6: "Thank you for your business." is a note, not a line, and is left out',
    ])
  })
})

describe("the invoices of a file", () => {
  const per = { texts: { number: undefined } as object, options: { per: "invoiceNumber" } }

  it("are one for each value of a column, in the order of the rows, wherever their rows stand", async () => {
    const rows = ["B", "A", "B"].map((number, index) =>
      lamp({ "Invoice no": number, Description: `Lamp ${index + 1}` }),
    )
    const { drafts } = await draftsOf(csv(...rows), per)
    expect(
      drafts.map(({ invoiceNumber, lineItems }) => [
        invoiceNumber,
        lineItems.map((line) => line.description),
      ]),
    ).toEqual([
      ["B", ["Lamp 1", "Lamp 3"]],
      ["A", ["Lamp 2"]],
    ])
  })

  it("can be distinguished by any column, also one that is not a field", async () => {
    const rows = [lamp({ Run: "1", Invoice: "A" }), lamp({ Run: "2", Invoice: "B" })]
    const { drafts } = await draftsOf(csv(...rows), { ...per, options: { per: "run" } })
    expect(drafts.map(({ invoiceNumber }) => invoiceNumber)).toEqual(["A", "B"])
  })

  it("take what a flag gives for all rows", async () => {
    const rows = [lamp({ Invoice: "INV-1" }), lamp({ Invoice: "", ABN: "51 824 753 556" })]
    expect((await draftsOf(csv(...rows))).drafts[0]?.invoiceNumber).toBe("INV-1")
  })

  it("take the name of who is billed from a row, and the address from the flag", async () => {
    const { drafts } = await draftsOf(csv(lamp({ Customer: "Kmart", "Customer no": "C-7" })))
    expect(drafts[0]?.billTo).toEqual({
      ...{ addressId: "C-7", addressee: "Kmart", street1: "1 Harbour Street" },
      ...{ city: "Sydney", state: "NSW", postalCode: "2000", country: "AU" },
    })
  })

  it("take an address from one cell, or from a street beside its suburb", async () => {
    const texts = { billTo: undefined } as object
    const one = await draftsOf(csv(lamp({ "Billing address": "690 Springvale Road; Mulgrave VIC 3170" })), {
      texts,
    })
    const parts = { "Billing address": "690 Springvale Road", "Billing city": "Mulgrave" }
    const other = await draftsOf(
      csv(lamp({ ...parts, "Billing state": "VIC", "Billing postcode": "3170" })),
      { texts },
    )
    expect(one.drafts[0]?.billTo).toEqual(other.drafts[0]?.billTo)
  })

  it("are judged by their own date when the day of payment comes from a flag", async () => {
    const { drafts } = await draftsOf(csv(lamp({ Date: "2026-10-01" })), { texts: { due: "2026-10-30" } })
    expect(drafts[0]?.dueDate).toBe("2026-10-30T00:00:00Z")
  })

  it.each([
    ["positive", "2"],
    ["negative", "-2"],
  ])("can be credit memos whose rows are %s", async (_, quantity) => {
    const memo = { Purpose: "Credit note", "Original invoice": "INV-0", Qty: quantity }
    const { drafts } = await draftsOf(csv(lamp(memo)))
    expect(drafts[0]).toMatchObject({
      purpose: "creditMemo",
      documentReference: { invoiceId: "INV-0" },
      lineItems: [{ quantity: -2, subtotal: -39.98, taxAmount: -4 }],
      invoiceSummary: { dueAmount: -43.98 },
    })
  })

  it("need an ABN where one is taxed, and none where none is", async () => {
    const free = lamp({ "Tax rate": "0" })
    expect((await draftsOf(csv(free), { texts: { abn: undefined } as object })).drafts).toHaveLength(1)
  })

  it("have GST where no column says the tax, and that is reported", async () => {
    const { isTaxAssumed, drafts } = await draftsOf("Description,Qty,Price\nLamp,1,10\n")
    expect([isTaxAssumed, drafts[0]?.invoiceSummary.taxAmount]).toEqual([true, 1])
    expect((await draftsOf(csv(lamp()))).isTaxAssumed).toBe(false)
  })
})

describe("what all invoices of a file lack", () => {
  const asking = (answers: Record<string, string>) => {
    const heard: string[] = []
    const ask: Pick<Questions, "text" | "pick" | "confirm"> = {
      async confirm(question) {
        heard.push(question)
        return false
      },
      async pick(question, find) {
        heard.push(question)
        const [first] = find("")
        if (!first) throw new Error("no choices")
        return first.value
      },
      async text(question) {
        heard.push(question)
        return answers[question] ?? ""
      },
    }
    return { heard, person: { prompt: async () => ask, parties } }
  }
  const wattle = { supplierId: "S-9", supplierName: "Wattle", abn: "51824753556" }
  const parties: OfferedParties = {
    saved: { supplier: { wattle }, customer: {} },
    last: {},
    listTaken: () => ["wattle"],
    save: async () => {},
  }

  it("is asked once, and known suppliers are offered", async () => {
    const { rows } = await readRows(csv(lamp({ Invoice: "A" }), lamp({ Invoice: "B" })), { per: "Invoice" })
    const { heard, person } = asking({
      "Purchase order that is billed": "PO-9",
      "Address to bill (1 Harbour Street, Sydney NSW 2000)": "1 Harbour Street; Sydney NSW 2000",
    })
    const { invoices } = await gatherInvoices(rows, { purpose: "standard" }, "2026-11-20", person)
    expect(heard).toEqual([
      "Who is the supplier?",
      "Purchase order that is billed",
      "Address to bill (1 Harbour Street, Sydney NSW 2000)",
      "Save this customer for next time?",
    ])
    expect(invoices.map(({ parts }) => [parts.number, parts.po, parts.supplierName])).toEqual([
      ["A", "PO-9", "Wattle"],
      ["B", "PO-9", "Wattle"],
    ])
  })

  it("is not asked where it is the number of several, or where only some lack it", async () => {
    const { heard, person } = asking({})
    const gather = async (...cells: readonly Cells[]) => {
      const { rows } = await readRows(csv(...cells), { per: "Run" })
      return gatherInvoices(
        rows,
        { ...GIVEN, number: undefined, po: undefined } as never,
        "2026-11-20",
        person,
      )
    }
    const [one, other] = [lamp({ Run: "1" }), lamp({ Run: "2" })]
    const error = await gather(one, other).catch((thrown: unknown) => thrown)
    expect(error instanceof FreightError && error.errors?.[0]?.message).toBe(
      'a column invoiceNumber (such as "Invoice number"): Number of the invoice',
    )
    const some = gather({ ...one, Invoice: "A", PO: "PO-1" }, { ...other, Invoice: "B" })
    await expect(some).rejects.toMatchObject({
      errors: [{ message: "row 3, PO: poNumber is missing: other invoices have it" }],
    })
    expect(heard).toEqual([])
  })
})

describe("what a row is", () => {
  it.each([
    ["Type", "Credit note", "creditMemo"],
    ["Doc type", "CREDIT MEMO", "creditMemo"],
    ["Transaction type", "Credit", "creditMemo"],
    ["Document type", "ACCRECCREDIT", "creditMemo"],
    ["Type", "Debit note", "debitMemo"],
    ["Txn type", "Tax invoice", "standard"],
    ["Type", "Sales invoice", "standard"],
  ])("is said by a column %s: %s", async (heading, text, purpose) => {
    const { drafts } = await draftsOf(csv(lamp({ [heading]: text, "Original invoice": "INV-0" })))
    expect(drafts[0]?.purpose).toBe(purpose)
  })

  it("stops a row with an original number that says nothing of it", async () => {
    const rows = csv(lamp({ "Original invoice no": "INV-0", Price: "5" }))
    expect((await draftsOf(rows, { texts: { purpose: "creditMemo" } })).drafts[0]?.purpose).toBe("creditMemo")
  })

  it("is not said by a column Type of goods, which is left out and told", async () => {
    const { drafts, notes } = await draftsOf(csv(lamp({ Type: "Product" }), lamp({ Type: "Service" })))
    expect(drafts[0]?.purpose).toBe("standard")
    expect(notes).toEqual(['lines.csv: 1 column is not used: "Type". --map COLUMN=FIELD uses one.'])
  })

  it("may stand beside a column of goods that is called Type", async () => {
    const memo = { "Document type": "Credit note", Type: "Product", "Original invoice": "INV-0" }
    expect((await draftsOf(csv(lamp(memo)))).drafts[0]?.purpose).toBe("creditMemo")
  })

  it("is wrong where one of them is unknown", async () => {
    const text = csv(lamp({ Type: "Invoice" }), lamp({ Type: "Bill" }))
    expect((await draftsOf(text, { options: { map: ["Type="] } })).drafts).toHaveLength(1)
  })
})

describe("a total below the lines", () => {
  const LINES = csv(
    lamp({ Amount: "39.98", GST: "4.00" }),
    lamp({ Description: "Desk", Amount: "39.98", GST: "4.00" }),
  )
  // Columns: Description, Qty, Price, Tax rate, Amount, GST
  it.each([
    ["of both columns", "Total,,,,79.96,8.00\n"],
    ["with its quantity", "Total,4,,,79.96,8.00\n"],
    ["with GST in it", "Total inc GST,,,,87.96,\n"],
    ["of GST in the wrong column", "Total GST,,,,8.00,\n"],
    ["twice", "Subtotal,,,,79.96,\nTotal,,,,87.96,\n"],
    ["in money", 'Total,,,,"$79.96",$8.00\n'],
    ["that says nothing", "Total,,,,,\n"],
    ["of a page", "Page total,,,,79.96,\nCarried forward,,,,79.96,8.00\nAmount payable,,,,87.96,\n"],
  ])("agrees: %s", async (_, total) => {
    expect((await draftsOf(LINES + total)).drafts[0]?.invoiceSummary.subtotal).toBe(79.96)
  })

  it("agrees with the rows since the last one, and with all", async () => {
    const text = `${LINES}Subtotal,,,,79.96,\nChair,1,10.00,10,10.00,1.00\nSubtotal,,,,10.00,\nTotal,,,,89.96,9.00\n`
    expect((await draftsOf(text)).drafts[0]?.lineItems).toHaveLength(3)
  })
})
