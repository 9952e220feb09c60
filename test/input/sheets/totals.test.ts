/** The words of totals, of their GST and of the account, each list by itself. */
import { describe, expect, it } from "vitest"
import {
  findIncludedTax,
  isCountOfRecords,
  namesAccount,
  partSumWords,
  saysOfAccount,
  saysPageTotal,
  saysTax,
  saysTaxOfTotal,
  saysTotal,
  saysTotalOf,
} from "../../../src/input/sheets/totals.ts"

describe("words that were written as one", () => {
  it.each([
    ["TotalexGST", ["Total", "ex", "GST"]],
    ["Subtotal", ["Subtotal"]],
    ["Openingbalance", ["Opening", "balance"]],
    ["GST", ["GST"]],
  ])("%s is parted where they are of a sum or of the account", (text, words) => {
    expect(partSumWords(text)).toEqual(words)
  })

  it.each([
    "Fuellevy",
    "STDROAD",
    "exinc",
    "SBC00000001",
    `total${"gst".repeat(20)}`,
  ])("%s stays as it is", (text) => {
    expect(partSumWords(text)).toEqual([text])
  })
})

describe("words of a sum", () => {
  it.each([
    "Total",
    "Grand total",
    "Page total",
    "Amount payable",
    "Balance due",
    "Please pay",
    "Carried forward",
  ])("%s is a total, and no row of the account", (text) => {
    expect([saysTotal(text), saysOfAccount(text)]).toEqual([true, undefined])
  })

  it.each(["Total Tools Fremantle", "Freight", "", "x".repeat(400)])("%j is none", (text) => {
    expect(saysTotal(text)).toBe(false)
  })

  it("of a page are told from others", () => {
    expect(["Page total", "Carried forward", "Total"].map(saysPageTotal)).toEqual([true, true, false])
  })

  it("name what they sum", () => {
    expect(
      ["Total Coral Pumps", "Coral Pumps Total", "Coral Pumps  Total", "Freight"].map(saysTotalOf),
    ).toEqual(["Coral Pumps", "Coral Pumps", "Coral Pumps", undefined])
  })
})

describe("words of GST alone", () => {
  it.each(["GST", "Total GST", "plus GST", "GST @ 10%", "G.S.T.", "GST payable", "Tax"])("%s", (text) => {
    expect(saysTax(text)).toBe(true)
  })

  it.each(["GST free freight", "Total inc GST", "Freight", ""])("%j are more than that", (text) => {
    expect(saysTax(text)).toBe(false)
  })

  it.each([
    "GST included",
    "GST included in total",
    "Includes GST of",
    "of which GST",
  ])("%s is of a total", (text) => {
    expect([saysTaxOfTotal(text), saysTax(text)]).toEqual([true, false])
  })

  it("say how much a total includes", () => {
    expect(findIncludedTax("Total due (includes GST of $1,087.46)")).toBe("1087.46")
    expect(findIncludedTax("Total due")).toBeUndefined()
  })
})

describe("words of the account", () => {
  it.each([
    ...["Opening balance", "Previous balance", "Last statement", "Balance forward from October", "Overdue"],
    ...[
      " Current: ",
      "Over 30 days",
      "31-60 days",
      "90+",
      "90 days and over",
      "Total outstanding",
      "Arrears",
    ],
    ...[
      "Balance from last invoice",
      "Unallocated cash",
      "90 days +",
      "Unpaid invoices",
      "Old balance",
      "Last month",
    ],
    ...["Prior balance", "Opening bal.", "Bal b/f", "Total due on account", "Credit limit"],
    ...["Other invoices: CF-0998", "Unpaid invoices", "Earlier invoice CF-0997"],
  ])("%s is what is owed", (text) => {
    expect(saysOfAccount(text)).toBe("balance")
  })

  it.each([
    "Payment received",
    "Payment - thank you",
    "Less payments",
    "Remittance 12/11/2026",
    "Receipts",
    "Less deposit paid",
    "Direct debit 14/12/2026",
    "Cheque 00123",
    "Pmt rec'd",
    "Payment rec’d 3/11",
  ])("%s is what was paid", (text) => {
    expect(saysOfAccount(text)).toBe("payment")
  })

  it.each([
    "Late payment fee",
    "Overdue account fee",
    "Storage over 30 days",
    "Credit card",
    "EFT fee",
    "Last mile",
    "Invoice",
    "Deposit",
    "Freight",
    "October",
    "x".repeat(400),
  ])("%j is a charge, or nothing", (text) => {
    expect(saysOfAccount(text)).toBeUndefined()
  })
})

describe("words of the account among others", () => {
  it.each([
    ["Your balance on 30 November", true],
    ["Opening balance of store 4", true],
    ["Total balance of store 4", false],
    ["Late payment fee", false],
    ["Freight", false],
  ])("in %j: %s", (text, expected) => {
    expect(namesAccount(text)).toBe(expected)
  })
})

describe("a count of records", () => {
  it.each([
    [["4", "record(s) downloaded", "from ", "1-Nov-26"], true],
    [["", "", "End of report"], true],
    [["4 orders exported", "", "", "", "", "", ""], true],
    [["Wattle", "4 orders exported"], false],
    [["1", "2", "4 orders exported"], false],
    [["4 orders exported", "a", "b", "c", "d", "e", "f"], false],
    [["Freight", "5.00"], false],
  ])("%j: %s", (cells, expected) => {
    expect(isCountOfRecords(cells)).toBe(expected)
  })
})
