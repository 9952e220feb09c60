/** Saved suppliers and customers: kept by `freight party`, used by `freight invoice new`. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { InvoiceData } from "../../src/contract/generated/types.ts"
import { desk } from "./freight.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { take } from "./wizard.ts"

const SUPPLIER = { supplierId: "S-1", supplierName: "Harbour Lighting", abn: "51824753556" }
const CUSTOMER = {
  billTo: "Wattle Homes, 1 Harbour Street, Sydney NSW 2000",
  shipTo: "8 Market Street, Fremantle WA 6160",
}
const ADD_SUPPLIER = [
  ...["party", "add", "harbour", "--supplier-id", "S-1", "--supplier-name", "Harbour Lighting"],
  ...["--abn", "51824753556"],
]
const ADD_CUSTOMER = ["party", "add", "wattle", "--bill-to", CUSTOMER.billTo, "--ship-to", CUSTOMER.shipTo]
const NEW = ["invoice", "new", "--number", "INV-1", "--po", "PO-7", "--line", "1 x Lamp @ 5"]

/** A desk with a saved supplier and a saved customer. */
async function office() {
  const made = await desk()
  for (const args of [ADD_SUPPLIER, ADD_CUSTOMER]) expect((await made.freight(args)).code).toBe(0)
  return made
}

describe("freight party", () => {
  it("keeps suppliers and customers, and lists them", async () => {
    const { freight } = await office()
    expect((await freight(["party", "list", "--json"])).items()).toMatchObject([
      { name: "harbour", ...SUPPLIER },
      { name: "wattle", ...CUSTOMER },
    ])
    const { stdout } = await freight(["party", "list"])
    expect(stdout).toMatch(/^harbour +Harbour Lighting /m)
    expect(stdout).toMatch(/^wattle +- +Wattle Homes, 1 Harbour Street/m)
  })

  it("keeps where to pay, whom to ask and when to pay, for invoices of later", async () => {
    const { freight } = await desk()
    const bank = ["--bsb", "062-000", "--account-number", "12345678", "--contact", "Mia Tran, 02 9555 0134"]
    expect((await freight([...ADD_SUPPLIER, ...bank])).code).toBe(0)
    expect((await freight([...ADD_CUSTOMER, "--terms", "30 days"])).code).toBe(0)
    const parties = ["--supplier", "harbour", "--customer", "wattle"]
    const { json } = await freight([...NEW, ...parties])
    expect(json<{ data: InvoiceData }>().data).toMatchObject({
      supplier: { contact: { name: "Mia Tran", phone: "02 9555 0134" } },
      remitTo: { bankDetails: { bsb: "062-000", accountNumber: "12345678" } },
      paymentTerms: { netDays: 30 },
      dueDate: expect.any(String),
    })
    const due = await freight([...NEW, ...parties, "--due", "2099-12-20"])
    expect(due.json<{ data: InvoiceData }>().data).toMatchObject({ dueDate: "2099-12-20T00:00:00Z" })
    expect(due.json<{ data: InvoiceData }>().data).not.toHaveProperty("paymentTerms")
    const { code, stderr } = await freight([...ADD_SUPPLIER, "--replace", "--bsb", "062-000"])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--account-number: Account number to pay into"),
    ])
  })

  it("keeps when a bank account changed, and each invoice with the new one is reported", async () => {
    const { freight, folder } = await desk()
    const bank = (number: string) => [...ADD_SUPPLIER, "--bsb", "062-000", "--account-number", number]
    await freight(bank("12345678"))
    await freight(ADD_CUSTOMER)
    const parties = ["--supplier", "harbour", "--customer", "wattle"]
    const file = path.join(folder, "INV-1.json")
    const made = await freight([...NEW, ...parties, "--account-number", "87654321", "-o", file])
    expect(made).toMatchObject({ code: 0 })
    const check = async (verb: "show" | "validate") => (await freight(["invoice", verb, file])).stdout
    for (const verb of ["show", "validate"] as const)
      expect((await check(verb)).replaceAll(/\s+/g, " ")).toContain(
        "the account 062-000 …321 is not the supplier's usual one",
      )

    // A person accepts it.
    const replaced = await freight([...bank("87654321"), "--replace"])
    expect([replaced.code, replaced.stderr]).toEqual([
      0,
      expect.stringContaining('the bank account of "harbour" changed: before it was 062-000 …678.'),
    ])
    expect((await check("validate")).replaceAll(/\s+/g, " ")).toMatch(
      /has this account since \d{4}-\d\d-\d\d only; before it was 062-000 …678/,
    )
    const [harbour] = (await freight(["party", "list", "--json"])).items<{ accountChanges?: object[] }>()
    expect(harbour?.accountChanges).toEqual([
      { on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), before: "062-000 …678" },
    ])
  })

  it.each([
    ["after it was removed", ["party", "remove", "harbour"], "harbour"],
    ["under another name", undefined, "harbour-2"],
  ])("tells another account of a supplier that is saved again, %s", async (_, first, name) => {
    const { freight } = await desk()
    const bank = (number: string) => [
      ...ADD_SUPPLIER.slice(3),
      "--bsb",
      "062-000",
      "--account-number",
      number,
    ]
    const save = (as: string, number: string) => freight(["party", "add", as, ...bank(number)])
    await save("harbour", "12345678")
    if (first) expect((await freight(first)).code).toBe(0)
    const { code, stderr } = await save(name, "87654321")
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`the bank account of "${name}" changed: before it was 062-000 …678.`),
    ])
    const saved = (await freight(["party", "list", "--json"])).items<{
      name: string
      accountChanges: object[] | null
    }>()
    expect(saved.find((each) => each.name === name)?.accountChanges).toHaveLength(1)
    // The same account once more is no change, and the history stays.
    await freight(["party", "remove", name])
    expect((await save(name, "87654321")).stderr).not.toContain("changed")
    const again = (await freight(["party", "list", "--json"])).items<{
      name: string
      accountChanges: object[] | null
    }>()
    expect(again.find((each) => each.name === name)?.accountChanges).toHaveLength(1)
  })

  it("keeps one that is both under one name", async () => {
    const { freight } = await desk()
    await freight([...ADD_SUPPLIER, "--bill-to", CUSTOMER.billTo])
    const { code, json } = await freight([...NEW, "--supplier", "harbour", "--customer", "harbour"])
    expect(code).toBe(0)
    expect(json<{ data: InvoiceData }>().data).toMatchObject({
      supplier: { id: "S-1" },
      billTo: { city: "Sydney" },
    })
  })

  it.each([
    [["harbour"], "the party is incomplete; nothing was saved"],
    [["harbour", "--abn", "51824753556"], "  - --supplier-id: The buyer's code for the supplier"],
    [["harbour", "--ship-to", CUSTOMER.shipTo], "  - --bill-to: Address to bill"],
    [[...ADD_SUPPLIER.slice(2, -1), "51824753557"], '--abn: "51824753557" is not a valid ABN'],
    [["wattle", "--bill-to", "Sydney"], '--bill-to: "Sydney" is not an address'],
    [["a/b", "--bill-to", CUSTOMER.billTo], "a party's name begins with a letter or digit"],
    [["--bill-to", CUSTOMER.billTo], "freight party add needs NAME"],
  ])("refuses %j", async (args, message) => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["party", "add", ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect((await freight(["party", "list", "--json"])).items()).toEqual([])
  })
})

describe("freight invoice new, for saved parties", () => {
  it("has all that they say, and what is given besides counts instead", async () => {
    const { binary } = await office()
    const { code, stderr, json } = await binary([
      ...[...NEW, "--supplier", "harbour", "--customer", "wattle"],
      ...["--supplier-name", "Harbour Lighting Pty Ltd"],
    ])
    expect([code, stderr]).toEqual([0, ""])
    expect(json<{ data: InvoiceData }>().data).toMatchObject({
      supplier: {
        id: "S-1",
        name: "Harbour Lighting Pty Ltd",
        taxRegistrations: { type: "ABN", value: "51824753556" },
      },
      billTo: { addressee: "Wattle Homes", street1: "1 Harbour Street" },
      shipTo: { city: "Fremantle" },
    })
  })

  it.each([
    [["--supplier", "harbor"], 'there is no saved supplier "harbor"', 'Did you mean "harbour"?'],
    [["--customer", "harbour"], 'there is no saved customer "harbour"', "Saved are: wattle."],
  ])("refuses %j", async (args, message, hint) => {
    const { freight } = await office()
    const { code, stderr } = await freight([...NEW, ...args])
    expect(code).toBe(2)
    for (const text of [message, hint, "next: freight party list"]) expect(stderr).toContain(text)
  })

  it.each([
    ['"51824753556"', '"51824753557"', '--abn: "51824753557" is not a valid ABN'],
    ['"S-1"', "1001", "--supplier-id: it is not text in quotes"],
  ])("says what is wrong where %s was changed to %s by hand, and how to fix it", async (was, is, reason) => {
    const { folder, freight } = await office()
    const file = path.join(folder, "config", "config.json")
    await writeFile(file, (await readFile(file, "utf8")).replace(was, is))
    expect((await freight(["party", "list"])).code).toBe(0)
    const { code, stderr } = await freight([...NEW, "--supplier", "harbour"])
    expect(code).toBe(2)
    expect(stderr).toContain(`error: the saved supplier "harbour" is not valid: ${reason}`)
    expect(stderr).toContain('freight party add "harbour" --replace')
  })

  it("refuses a settings file whose parties are none", async () => {
    const { folder, freight } = await office()
    await writeFile(path.join(folder, "config", "config.json"), '{"parties":{"harbour":7}}')
    const { code, stderr } = await freight(["party", "list"])
    expect(code).toBe(2)
    expect(stderr).toContain('"parties" does not hold suppliers and customers by their names')
  })
})

describe.runIf(hasTerminal)("at a terminal", () => {
  it("party add asks what it is, and for the rest", async () => {
    const { env, freight } = await desk()
    const seat = await sitDown(["party", "add"], env)
    await take(seat, [
      ["? What is it?", "enter"],
      ["? The buyer's code for the supplier", { type: "S-1" }, "enter"],
      ["? Name of the supplier", { type: "Harbour Lighting" }, "enter"],
      ["? ABN of the supplier", { type: "51824753556" }, "enter"],
      ["? BSB of the account", "enter"],
      ["? Who answers questions", { type: "Mia Tran" }, "enter"],
      ["? Address of the supplier", { type: "7 Quay Street, Sydney NSW 2000" }, "enter"],
      ["? Save it as", { type: "harbour" }, "enter"],
    ])
    expect(await seat.exit).toBe(0)
    expect((await freight(["party", "list", "--json"])).items()).toMatchObject([
      {
        name: "harbour",
        ...SUPPLIER,
        contact: "Mia Tran",
        supplierAddress: "7 Quay Street, Sydney NSW 2000",
      },
    ])
  })

  it("invoice new offers them, and keeps those that are typed", async () => {
    const { env, folder, freight } = await desk()
    expect((await freight(ADD_SUPPLIER)).code).toBe(0)
    const seat = await sitDown([...NEW, "-o", path.join(folder, "INV-1.json")], env)
    await take(seat, [
      ["? Who is the supplier?", { type: "lighting" }],
      [/❯ [^\n]*harbour: Harbour Lighting \(S-1\)/, "enter"],
      ["? Address to bill", { type: CUSTOMER.billTo }, "enter"],
      ["? Payment terms", { type: "14 days" }, "enter"],
      ["? Save this customer for next time?", "enter"],
      ["? Under which name?", "enter"],
    ])
    expect(await seat.exit, await seat.scrollback()).toBe(0)
    expect((await freight(["party", "list", "--json"])).items()).toMatchObject([
      { name: "harbour", ...SUPPLIER },
      { name: "wattle-homes", billTo: CUSTOMER.billTo, terms: "14 days" },
    ])
  })
})
