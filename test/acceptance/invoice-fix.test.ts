/** `freight invoice validate --fix`: what it writes, what it leaves, and what it says. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { line } from "../invoice/runs.ts"
import { fullDraft, minimalDraft, textOf } from "../invoice/samples.ts"
import { withChange } from "../invoice/writer.ts"
import { invoiceDesk, type Report } from "./invoices.ts"
import { hasTerminal, sitDown } from "./pty.ts"

const GOOD = textOf(fullDraft())
/** Four faults: a name, an amount in quotes under it, a date-time, a currency. */
const BROKEN = GOOD.replace('"unitPrice": 12.5', '"unit_price": "$12.50"')
  .replace('"2026-12-20T09:00:00+11:00"', '"2026-12-20 9:00 AEDT"')
  .replace('"currency": "AUD",\n      "carrier"', '"currency": "aud",\n      "carrier"')
const FIXED = GOOD.replace('"unitPrice": 12.5', '"unitPrice": 12.50')

async function deskOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const desk = await invoiceDesk(files)
  const read = (name: string) => readFileSync(path.join(desk.folder, name), "utf8")
  return { ...desk, read, at: (name: string) => path.join(desk.folder, name) }
}

describe("--fix --yes", () => {
  it("writes what has one right answer, through several rounds, and the file is then valid", async () => {
    const { validate, read } = await deskOf({ "a.json": BROKEN })
    const { code, stdout, stderr } = await validate(["a.json", "--fix", "--yes"])
    expect(read("a.json")).toBe(FIXED)
    expect(stderr).toBe(
      [
        "--- a.json",
        "+++ a.json (fixed)",
        "@@ line 12 @@",
        '-    "dueDate": "2026-12-20 9:00 AEDT",',
        '+    "dueDate": "2026-12-20T09:00:00+11:00",',
        "@@ line 113 @@",
        '-      "currency": "aud",',
        '+      "currency": "AUD",',
        "@@ line 161 @@",
        '-        "unit_price": "$12.50",',
        '+        "unitPrice": 12.50,',
        "4 changes written in 1 file.",
        "The invoice was checked as a draft: docType, correlationId, timestamp are not filled in yet. --complete requires them.",
        "",
      ].join("\n"),
    )
    expect([code, stdout]).toEqual([0, "a.json: valid\n"])
  })

  it("keeps every other byte: mark, CRLF, indents, and what is not ASCII", async () => {
    const text = `\ufeff${BROKEN.replace("Hex bolt", "Hex bölt 😀").replaceAll("\n", "\r\n").replaceAll("  ", "\t ")}  `
    const { validate, read } = await deskOf({ "a.json": text })
    expect((await validate(["a.json", "--fix", "--yes"])).code).toBe(0)
    const expected = `\ufeff${FIXED.replace("Hex bolt", "Hex bölt 😀").replaceAll("\n", "\r\n").replaceAll("  ", "\t ")}  `
    expect(read("a.json")).toBe(expected)
  })

  it("fixes each document of a list and of lines, and leaves the lines that it cannot read", async () => {
    const wrong = line(2).replace('"standard"', '"Standard"')
    const lines = Buffer.concat([
      Buffer.from(`${line(1)}\r\n${wrong}\n`),
      Buffer.from([0xe9, 10]),
      Buffer.from(`no JSON\n\n${wrong.replace("INV-2", "INV-3")}`),
    ])
    const { validate, at, read } = await deskOf({ "a.ndjson": lines, "b.json": `[${line(4)},\n ${wrong}]\n` })
    const { code } = await validate(["a.ndjson", "b.json", "--fix", "--yes"])
    expect(code).toBe(1)
    expect(readFileSync(at("a.ndjson")).toString("latin1")).toBe(
      lines.toString("latin1").replaceAll('"Standard"', '"standard"'),
    )
    expect(read("b.json")).toBe(`[${line(4)},\n ${line(2)}]\n`)
  })

  it("keeps permissions and links", async () => {
    const { validate, at, read } = await deskOf({ "kept/a.json": BROKEN })
    chmodSync(at("kept/a.json"), 0o640)
    symlinkSync("kept/a.json", at("link.json"))
    expect((await validate(["link.json", "--fix", "--yes"])).code).toBe(0)
    expect(lstatSync(at("link.json")).isSymbolicLink()).toBe(true)
    expect(statSync(at("kept/a.json")).mode & 0o777).toBe(0o640)
    expect(read("kept/a.json")).toBe(FIXED)
  })

  it("leaves a file that is write-protected, and fixes the others", async () => {
    const { validate, at, read } = await deskOf({ "a.json": BROKEN, "b.json": BROKEN })
    chmodSync(at("a.json"), 0o444)
    const { code, stderr } = await validate(["a.json", "b.json", "--fix", "--yes"])
    expect(code).toBe(1)
    expect(stderr).toContain("warning: not fixed: cannot write a.json: you may not read or write it\n")
    expect([read("a.json"), read("b.json")]).toEqual([BROKEN, FIXED])
  })

  it("says what is left, with the exit code of the fixed file", async () => {
    const { validate, read } = await deskOf({ "a.json": BROKEN.replace('"PO-7781"', "null") })
    const { code, json } = await validate(["a.json", "--fix", "--yes", "--json"])
    expect(code).toBe(1)
    expect(json<Report>().items[0]?.findings.map(({ message }) => message)).toEqual([
      "purchase order number: must be text, not null",
    ])
    expect(read("a.json")).toBe(FIXED.replace('"PO-7781"', "null"))
  })
})

describe("--fix=totals", () => {
  const draft = minimalDraft()
  const lineItems = [
    { ...draft.data.lineItems[0], quantity: 3, unitPrice: 19.99, subtotal: 59.97, taxAmount: 6 },
    {
      ...draft.data.lineItems[0],
      invoiceLineNumber: 2,
      quantity: 4,
      unitPrice: 250,
      subtotal: 1000,
      taxAmount: 100,
    },
  ]
  const withSummary = (invoiceSummary: object, lines: readonly object[] = lineItems) =>
    textOf(
      withChange(withChange(draft, ["data", "lineItems"], lines), ["data", "invoiceSummary"], invoiceSummary),
    )
  const RIGHT = { subtotal: 1059.97, taxAmount: 106, dueAmount: 1165.97, currency: "AUD" }

  it.each<[string, object, RegExp]>([
    [
      "a wrong sum",
      { subtotal: 1095.97, taxAmount: 106, dueAmount: 1165.97, currency: "AUD" },
      /1059.97,\s+"taxAmount": 106,\s+"dueAmount": 1165.97,/,
    ],
    [
      "missing ones",
      { currency: "AUD" },
      /\{\s+"dueAmount": 1165.97,\s+"taxAmount": 106.00,\s+"subtotal": 1059.97,\s+"currency"/,
    ],
    [
      "gross and net too",
      { ...RIGHT, grossAmount: 1, netAmount: 2, discountAmount: 5, dueAmount: 1160.97 },
      /"dueAmount": 1160.97,\s+"currency": "AUD",\s+"grossAmount": 1165.97,\s+"netAmount": 1160.97,/,
    ],
  ])("works out %s from the lines", async (_, summary, expected) => {
    const { validate, read } = await deskOf({ "a.json": withSummary(summary) })
    const { code } = await validate(["a.json", "--fix=totals", "--yes"])
    expect(read("a.json")).toMatch(expected)
    expect(code).toBe(0)
  })

  it("leaves the totals where the lines are wrong themselves, or leave a choice", async () => {
    const wrong = { ...RIGHT, subtotal: 1 }
    const unsound = withSummary(wrong, [{ ...lineItems[0], subtotal: 60 }, { ...lineItems[1] }])
    const untaxed = withSummary({ ...RIGHT, taxAmount: undefined, shippingAmount: 5 })
    const { validate, read } = await deskOf({ "a.json": unsound, "b.json": untaxed })
    await validate(["a.json", "b.json", "--fix=totals", "--yes"])
    expect([read("a.json"), read("b.json")]).toEqual([unsound, untaxed])
  })

  it("leaves them where subtotal and tax are both wrong, and no total agrees with the lines", async () => {
    const wrong = withSummary({ ...RIGHT, subtotal: 1095.97, taxAmount: 10, dueAmount: 1 })
    const { validate, read } = await deskOf({ "a.json": wrong })
    await validate(["a.json", "--fix=totals", "--yes"])
    expect(read("a.json")).toBe(wrong)
  })

  it("is not done by --fix alone", async () => {
    const { validate, read } = await deskOf({ "a.json": withSummary({ ...RIGHT, dueAmount: 1 }) })
    await validate(["a.json", "--fix", "--yes"])
    expect(read("a.json")).toBe(withSummary({ ...RIGHT, dueAmount: 1 }))
  })
})

describe("--fix without --yes", () => {
  it("changes nothing where there is nobody to ask, and says so", async () => {
    const { validate, read } = await deskOf({ "a.json": BROKEN })
    const { code, stderr } = await validate(["--fix", "a.json"])
    expect([code, read("a.json")]).toEqual([1, BROKEN])
    expect(stderr).toContain('+        "unitPrice": 12.50,\n')
    expect(stderr).toContain(
      "warning: 4 changes in 1 file not written, because there is nobody to ask: add --yes to write them\n",
    )
  })

  it.runIf(hasTerminal)("asks, and leaves a file that changed meanwhile", async () => {
    const { env, folder, at, read } = await deskOf({ "a.json": BROKEN, "b.json": BROKEN })
    const seat = await sitDown(["invoice", "validate", "--fix", folder], env)
    await seat.see("? Write 8 changes in 2 files?")
    writeFileSync(at("a.json"), `${BROKEN} `)
    seat.press("enter")
    expect(await seat.exit).toBe(1)
    expect((await seat.scrollback()).replace(/\s+/g, " ")).toContain(
      "a.json was changed by someone else meanwhile, and is left as it is",
    )
    expect([read("a.json"), read("b.json")]).toEqual([`${BROKEN} `, FIXED])
  })

  it.runIf(hasTerminal)("changes nothing when the answer is no", async () => {
    const { env, at, read } = await deskOf({ "a.json": BROKEN })
    const seat = await sitDown(["invoice", "validate", "--fix", at("a.json")], env)
    await seat.see("? Write 4 changes in 1 file?")
    seat.type("n")
    seat.press("enter")
    expect(await seat.exit).toBe(1)
    expect(read("a.json")).toBe(BROKEN)
  })
})

describe("--fix of standard input", () => {
  it("writes the fixed document to standard output, and the report to standard error", async () => {
    const { validate } = await deskOf({})
    const { code, stdout, stderr } = await validate(["-", "--fix"], { input: BROKEN })
    expect([code, stdout]).toEqual([0, FIXED])
    expect(stderr).toContain("4 changes in standard input.\n")
    expect(stderr).toContain("standard input: valid\n")
  })

  it("writes the report to a file where one is named", async () => {
    const { validate, read } = await deskOf({})
    const { stdout } = await validate(["-", "--fix", "-o", "report.json"], { input: BROKEN })
    expect(stdout).toBe(FIXED)
    expect(JSON.parse(read("report.json"))).toMatchObject({ total: 1, valid: 1 })
  })
})

describe("what --fix does not go with", () => {
  it.each<[string[], string]>([
    [["a.json", "--yes"], "--yes needs --fix"],
    [["-", "a.json", "--fix"], "--fix takes either files or standard input, not both"],
    [["-", "--fix", "--json"], "with --fix -, standard output is the fixed document"],
    [["a.json", "--fix=totals", "--no-accounting"], "--fix=totals needs the rules of accounting"],
  ])("%j", async (args, message) => {
    const { validate, folder } = await deskOf({})
    mkdirSync(path.join(folder, "empty"))
    const { code, stderr } = await validate(args, { input: BROKEN })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
