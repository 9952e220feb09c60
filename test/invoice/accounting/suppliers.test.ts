/** Bank accounts and emails of invoices against those of saved suppliers. */
import { describe, expect, it } from "vitest"
import type { KnownSupplier } from "../../../src/invoice/accounting/known-supplier.ts"
import { examine } from "../../../src/invoice/examine.ts"
import { keepAccountChanges } from "../../../src/invoice/new/parties.ts"
import { makeInvoice } from "../practice/setup.ts"

const WATTLE: KnownSupplier = {
  party: "wattle",
  supplierId: "S-204",
  supplierName: "Wattle & Sons Hardware",
  abn: "51824753556",
  bsb: "062-000",
  accountNumber: "12345678",
  accountName: "Wattle Trading",
  email: "accounts@wattle.com.au",
}
const HARBOUR: KnownSupplier = {
  party: "harbour",
  supplierId: "S-1",
  supplierName: "Harbour Lighting",
  abn: "53004085616",
  bsb: "033-001",
  accountNumber: "445566",
  email: "pay@harbourlighting.com.au",
}
const BANK = (bsb: string, accountNumber: string, accountName = "Wattle Trading") =>
  `remitTo.bankDetails = ${JSON.stringify({ bsb, accountNumber, accountName })}`
const EMAIL = (email: string) => `supplier.contact = ${JSON.stringify({ email })}`

function findUsual(words: string, suppliers: readonly KnownSupplier[], today = "2026-11-20"): string[] {
  const text = JSON.stringify(makeInvoice(`lines 4 EA @ 25 ; ${words}`))
  const options = { stage: "auto", accounting: true, strict: false, rules: {}, today, suppliers } as const
  return examine(text, options)
    .filter(({ rule }) => rule === "accounting/usual-account")
    .map(({ pointer, message }) => `${pointer.replace("/data/", "")}: ${message.replace(/^.*?: /, "")}`)
}

describe("an invoice of a saved supplier", () => {
  it.each([
    ["the usual account", BANK("062-000", "12345678")],
    ["the usual account, written otherwise", BANK("062 000", "0012 345-678", "WATTLE TRADING PTY LTD")],
    ["the usual account, in short", BANK("062-000", "12345678", "Wattle Trading P/L")],
    ["the supplier's own name on it", BANK("062-000", "12345678", "Wattle & Sons Hardware Pty Ltd")],
    ["both of its names on it", BANK("062-000", "12345678", "Wattle & Sons Hardware P/L T/A Wattle Trading")],
    ["no bank details", 'poNumber = "PO-1"'],
    ["an account without a BSB", 'remitTo.bankDetails = {"accountNumber":"12345678"}'],
    ["the usual domain, another person", EMAIL("mia@wattle.com.au")],
    ["a domain below the usual one", EMAIL("mia@perth.wattle.com.au")],
    ["the buyer's own email", 'contacts = [{"role":"billTo","email":"ap@buyer.com.au"}]'],
  ])("with %s is not reported", (_, words) => {
    expect(findUsual(words, [WATTLE, HARBOUR])).toEqual([])
  })

  it.each([
    [
      BANK("062-000", "87654321"),
      'remitTo/bankDetails/accountNumber: the account 062-000 …321 is not the supplier\'s usual one: the party "wattle" has 062-000 …678',
    ],
    [
      BANK("733-000", "12345678"),
      'remitTo/bankDetails/bsb: the account 733-000 …678 is not the supplier\'s usual one: the party "wattle" has 062-000 …678',
    ],
    [
      BANK("033-001", "445566"),
      'remitTo/bankDetails/accountNumber: the account 033-001 …566 belongs to the saved supplier "harbour": the party "wattle" has 062-000 …678',
    ],
    [
      BANK("062-000", "12345678", "Wattle Hardware Payments"),
      'remitTo/bankDetails/accountName: "Wattle Hardware Payments" is not the supplier\'s usual account name: the party "wattle" has "Wattle Trading"',
    ],
    [
      BANK("062-000", "12345678", "Harbour Lighting"),
      'remitTo/bankDetails/accountName: "Harbour Lighting" is not the supplier\'s usual account name, but that of the saved supplier "harbour": the party "wattle" has "Wattle Trading"',
    ],
    [
      EMAIL("accounts@wattle-au.com"),
      'supplier/contact/email: the domain of "accounts@wattle-au.com" is not the supplier\'s usual one: the party "wattle" has "accounts@wattle.com.au"',
    ],
    [
      'contacts = [{"role":"remitTo","email":"pay@harbourlighting.com.au"}]',
      'contacts/0/email: the domain of "pay@harbourlighting.com.au" belongs to the saved supplier "harbour": the party "wattle" has "accounts@wattle.com.au"',
    ],
  ])("with %s is reported", (words, said) => {
    expect(findUsual(words, [WATTLE, HARBOUR])).toEqual([said])
  })

  it("is known by its ABN, its name, or its code", () => {
    const other = BANK("062-000", "87654321")
    const known = (...drops: string[]) => findUsual(`${other} ; ${drops.join(" ; ")}`, [WATTLE]).length
    expect([
      known('supplier.id = "V-9"', 'supplier.name = "Wattle Hardware Group"'),
      known('supplier.id = "V-9"', "drop supplier.taxRegistrations"),
      known('supplier.name = "Wattle Hardware Group"', "drop supplier.taxRegistrations"),
      known('supplier.name = "Wattle Hardware Group"', 'supplier.taxRegistrations.value = "53004085616"'),
    ]).toEqual([1, 1, 1, 0])
  })

  it("is paid into any account of a supplier that is saved under two names", () => {
    const second = { ...WATTLE, party: "wattle-perth", supplierId: "S-9", accountNumber: "87654321" }
    expect(findUsual(BANK("062-000", "87654321"), [WATTLE, second])).toEqual([])
  })
})

describe("a supplier that is not saved", () => {
  it("is reported where it asks to pay into the account of one that is", () => {
    expect(findUsual(BANK("033-001", "445566"), [HARBOUR])).toEqual([
      'remitTo/bankDetails/accountNumber: the account 033-001 …566 belongs to the saved supplier "harbour"',
    ])
    expect(findUsual(BANK("062-000", "12345678"), [HARBOUR])).toEqual([])
  })
})

describe("an account that was changed", () => {
  const OLD = { supplierId: "S-204", supplierName: "Wattle", bsb: "062-000", accountNumber: "12345678" }
  const NEW = { ...OLD, bsb: "733-000", accountNumber: "99887766" }
  const first = keepAccountChanges(OLD, NEW, "2026-11-18").party
  const suppliers = [{ ...first, party: "wattle", supplierId: "S-204", supplierName: "Wattle" }]

  it("is reported for 30 days, with its day and the end of the one before", () => {
    const words = BANK("733-000", "99887766")
    const said =
      'remitTo/bankDetails/accountNumber: the party "wattle" has this account since 2026-11-18 only; before it was 062-000 …678'
    const without = `${words} ; drop supplier.taxRegistrations`
    expect([20, 18].map((day) => findUsual(without, suppliers, `2026-12-${day}`))).toEqual([[], [said]])
  })

  it("is named where the one of before is used again", () => {
    expect(findUsual(`${BANK("062-000", "12345678")} ; drop supplier.taxRegistrations`, suppliers)).toEqual([
      'remitTo/bankDetails/accountNumber: the account 062-000 …678 is not the supplier\'s usual one: the party "wattle" has 733-000 …766, saved on 2026-11-18 in the place of 062-000 …678',
    ])
  })

  it("is kept with each change before it, and only where the number changes", () => {
    const named = keepAccountChanges(first, { ...NEW, accountName: "Wattle" }, "2026-11-19")
    expect(named).toEqual({ party: { ...NEW, accountName: "Wattle", accountChanges: first.accountChanges } })
    const again = keepAccountChanges(named.party, OLD, "2026-11-20")
    expect(again.party.accountChanges).toEqual([
      { on: "2026-11-18", before: "062-000 …678" },
      { on: "2026-11-20", before: "733-000 …766" },
    ])
    expect(keepAccountChanges({ supplierId: "S-204" }, OLD, "2026-11-20")).toEqual({ party: OLD })
  })
})
