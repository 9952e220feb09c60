import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const PARTIES = [
  ...["--number", "INV-1", "--po", "PO-7", "--supplier-id", "S-1", "--supplier-name", "Harbour Lighting"],
  ...["--abn", "51824753556", "--bill-to", "1 Harbour Street; Sydney NSW 2000"],
]
const LINES = ["--line", "2 x Lamp @ 19.99 EA", "--line", "1 x Handbook @ 30 tax 0"]

interface Draft {
  data: {
    invoiceDate: string
    purpose: string
    documentReference?: object
    invoiceSummary: { subtotal: number; taxAmount: number; dueAmount: number }
  }
}

/** A desk where invoices are written, and checked by the strictest rules. */
async function office() {
  const made = await desk()
  return {
    ...made,
    make: (...args: string[]) => made.freight(["invoice", "new", ...args]),
    check: (file: string) => made.freight(["invoice", "validate", "--draft", "--strict", file]),
    files: async () => (await readdir(made.folder)).filter((name) => name !== "state" && name !== "config"),
    saved: async (name: string) => JSON.parse(await readFile(path.join(made.folder, name), "utf8")) as Draft,
  }
}

describe("freight invoice new, from flags", () => {
  it("writes a draft to standard output, with its totals", async () => {
    const { make } = await office()
    const { code, stderr, json } = await make(...PARTIES, ...LINES)
    expect([code, stderr]).toEqual([0, ""])
    expect(json<Draft>().data.invoiceSummary).toMatchObject({
      subtotal: 69.98,
      taxAmount: 4,
      dueAmount: 73.98,
    })
  })

  it("writes what has no finding, warnings included", async () => {
    const { make, check } = await office()
    await make(...PARTIES, ...LINES, "--due", "2099-12-20", "--comments", "Thank you", "-o", "invoice.json")
    const { code, stdout } = await check("invoice.json")
    expect([code, stdout]).toEqual([0, "invoice.json: valid\n"])
  })

  it("saves to a file, and says how to look at it", async () => {
    const { make, freight } = await office()
    const { code, stdout, stderr } = await make(...PARTIES, ...LINES, "-o", "my invoice.json")
    expect([code, stdout, stderr]).toEqual([
      0,
      "",
      'Saved as my invoice.json: freight invoice show "my invoice.json"\nIt does not say where to pay: --bsb and --account-number do, or a saved supplier.\n',
    ])
    expect((await freight(["invoice", "show", "--draft", "my invoice.json"])).stdout).toContain("AUD 73.98")
  })

  it("says where and when to pay, and whom to ask", async () => {
    const { make, check, freight } = await office()
    const pay = ["--bsb", "062000", "--account-number", "1234 5678", "--terms", "30 days"]
    const contact = ["--contact", "Mia Tran, 02 9555 0134, accounts@harbour.example"]
    const { stderr } = await make(...PARTIES, ...LINES, ...pay, ...contact, "-o", "a.json")
    expect(stderr).toBe("Saved as a.json: freight invoice show a.json\n")
    expect((await check("a.json")).stdout).toBe("a.json: valid\n")
    const { stdout } = await freight(["invoice", "show", "a.json"])
    for (const text of [
      "BSB             062-000",
      "Account number  12345678",
      "Terms           net 30 days",
      "Mia Tran",
    ])
      expect(stdout).toContain(text)
  })
})

describe("freight invoice new, with what few invoices have", () => {
  it("writes any field of the contract with --set, and takes a deposit off the amount due", async () => {
    const { make, check, freight } = await office()
    const { code, stderr } = await make(
      ...[...PARTIES, ...LINES, "--bsb", "062000", "--account-number", "12345678"],
      ...[
        "--deposit",
        "20",
        "--special-handling",
        "5 tax 0",
        "--sold-to",
        "Wattle; 2 Pitt Street; Sydney NSW 2000",
      ],
      ...["--remit-to", "Harbour Lighting; 9 Bank Street; Sydney NSW 2000"],
      ...["--set", "shipping.carrier=Northern Freight", "--set", "shipping.incoTerms=DAP"],
      ...["--set", "contacts.0.role=shipTo", "--set", "contacts.0.name=Dock 4"],
      ...["--set", "remitTo.bankDetails.swift=HARBAU2S", "--set", "poReferences.0.poVersion=2"],
      ...["--set", "extrinsics.costCentre=A-4100", "--set", "lineItems.1.countryOfOrigin=Australia"],
      ...["-o", "a.json"],
    )
    expect([code, stderr]).toEqual([0, "Saved as a.json: freight invoice show a.json\n"])
    expect((await check("a.json")).stdout).toBe("a.json: valid\n")
    const { stdout } = await freight(["invoice", "show", "a.json"])
    for (const text of [
      "Northern Freight",
      "dap",
      "Ship to         Dock 4",
      "HARBAU2S",
      "PO-7, version 2",
      "A-4100",
      "from AU",
      "2 Pitt Street",
      "9 Bank Street",
      "Less deposit paid",
      "AUD 58.98",
    ])
      expect(stdout).toContain(text)
  })

  it("writes a line-level memo, whose lines name those that they change", async () => {
    const { make, check } = await office()
    const memo = ["--purpose", "lineLevelCreditMemo", "--refers-to", "INV-0", "--comments", "Broken"]
    const bare = await make(...PARTIES, ...LINES, ...memo, "-o", "a.json")
    expect([bare.code, bare.stderr]).toEqual([
      2,
      expect.stringContaining("which line of the earlier invoice"),
    ])
    const lines = ["--set", "lineItems.0.poLineReference=1", "--set", "lineItems.1.poLineReference=2"]
    const { code } = await make(...PARTIES, ...LINES, ...memo, ...lines, "-o", "a.json")
    expect([code, (await check("a.json")).stdout]).toEqual([0, "a.json: valid\n"])
  })
})

describe("freight invoice new refuses", () => {
  it("an invoice of which something is missing, and lists it all", async () => {
    const { make, files } = await office()
    const { code, stdout, stderr } = await make(
      "--number",
      "INV-1",
      "--line",
      "1 x Handbook @ 30 tax 0",
      "-o",
      "a.json",
    )
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toBe(
      [
        "error: the invoice is incomplete",
        "  - --po: Purchase order that is billed",
        "  - --supplier-id: The buyer's code for the supplier",
        "  - --supplier-name: Name of the supplier",
        "  - --bill-to: Address to bill (1 Harbour Street, Sydney NSW 2000)",
        "On a terminal, freight asks for what is missing. A line without tax is written with: tax 0",
        "next: freight help invoice new",
        "",
      ].join("\n"),
    )
    expect(await files()).toEqual([])
  })

  it.each([
    [
      "a line",
      ["--line", "Lamp"],
      '--line: "Lamp" is not a line: write it as "2 x Widget @ 19.99 tax 10 EA"',
    ],
    [
      "an ABN",
      ["--abn", "51824753557"],
      '--abn: "51824753557" is not a valid ABN: its check digits do not match',
    ],
    ["a day of payment", ["--due", "2020-01-01"], '--due: "2020-01-01" is before the date of the invoice, '],
    [
      "a purpose",
      ["--purpose", "gift"],
      '--purpose takes standard, creditMemo, debitMemo, lineLevelCreditMemo, lineLevelDebitMemo, not "gift"',
    ],
    ["a field", ["--set", "shiping.carrier=X"], "--set shiping: there is no such field"],
    [
      "a field with a flag of its own",
      ["--set", "purpose=creditMemo"],
      "--set purpose: give --purpose instead",
    ],
    ["rows", ["--format", "csv"], '--format takes table, json, ndjson with freight invoice new, not "csv"'],
    ["fields", ["--fields", "data"], "an invoice is written as JSON"],
    ["a folder to write to", ["-o", "."], "cannot write "],
  ])("%s that is wrong", async (_, wrong, message) => {
    const { make, files } = await office()
    const { code, stdout, stderr } = await make(...PARTIES, ...LINES, ...wrong)
    expect([code, stdout, stderr.startsWith(`error: ${message}`)]).toEqual([2, "", true])
    expect(await files()).toEqual([])
  })
})

describe.skipIf(!hasTerminal)("freight invoice new at a terminal", () => {
  const ANSWERS = [
    { see: "Number of the invoice", type: "INV-9\r" },
    { see: "Purchase order that is billed", type: "PO-9\r" },
    { see: "The buyer's code for the supplier", type: "S-9\r" },
    { see: "Name of the supplier", type: "Wattle\r" },
    { see: "Address to bill", type: "1 Harbour Street; Sydney NSW 2000\r" },
    { see: "Line (2 x Widget", type: "2 x Lamp @ 19.99 EA\r" },
    { see: "Line 2", type: "1 x Handbook @ 30 tax 0\r" },
    { see: "Line 3", type: "\r" },
    { see: "ABN of the supplier", type: "51824753556\r" },
    { see: "BSB of the account", type: "062-000\r" },
    { see: "Account number to pay", type: "12345678\r" },
    { see: "Name of the account", type: "\r" },
    { see: "Who answers questions", type: "Mia Tran\r" },
    { see: "Payment terms", type: "30 days\r" },
    { see: "Save this supplier", type: "n\r" },
    { see: "Save this customer", type: "n\r" },
  ]

  /** The file's path stands in the folder of the desk, wherever the command runs. */
  const target = (folder: string) => path.join(folder, "talk.json")

  it("asks for what is missing and saves what validates", async () => {
    const { folder, env, check, saved } = await office()
    const { code } = await atTerminal(["invoice", "new", "-o", target(folder)], env, ANSWERS)
    expect(code).toBe(0)
    expect((await check("talk.json")).code).toBe(0)
    expect((await saved("talk.json")).data.invoiceSummary.dueAmount).toBe(73.98)
  })

  it("offers the supplier that was used last", async () => {
    const { folder, env, make, saved } = await office()
    await make(...PARTIES, ...LINES, "-o", "first.json")
    const given = [...PARTIES.slice(0, 4), ...PARTIES.slice(10)]
    const { code, screen } = await atTerminal(
      ["invoice", "new", ...given, ...LINES, "-o", target(folder)],
      env,
      [{ see: "Who is the supplier?", type: "\r" }],
    )
    expect(code, screen).toBe(0)
    expect((await saved("talk.json")).data).toMatchObject({
      supplier: { id: "S-1", name: "Harbour Lighting", taxRegistrations: { value: "51824753556" } },
    })
  })

  it("ends with 130 at Ctrl-C and writes nothing", async () => {
    const { folder, env, files } = await office()
    const steps = [{ see: "Number of the invoice", type: "\u0003" }]
    const { code } = await atTerminal(["invoice", "new", "-o", target(folder)], env, steps)
    expect([code, await files()]).toEqual([130, []])
  })

  it("asks nothing with --no-input", async () => {
    const { env } = await office()
    const { code, screen } = await atTerminal(["invoice", "new", "--no-input"], env, [])
    expect(code).toBe(2)
    expect(screen).toContain("the invoice is incomplete")
  })
})
