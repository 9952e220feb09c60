/** `freight invoice correct`: what was sent is withdrawn, changed or credited. */
import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Invoice } from "../../src/contract/generated/types.ts"
import type { CorrectionReport } from "../../src/invoice/correct/report.ts"
import { fullInvoice } from "../invoice/samples.ts"
import { desk, errorIn } from "./freight.ts"
import { atTerminal, hasTerminal, WIDE } from "./pty.ts"

const NEW = [
  ...["invoice", "new", "--number", "INV-1", "--po", "PO-7", "--supplier-id", "S-1"],
  ...["--supplier-name", "Harbour Lighting", "--abn", "51824753556", "--date", "2026-11-20"],
  ...["--bill-to", "Wattle Homes; 1 Harbour Street; Sydney NSW 2000"],
  ...["--line", "2 x Lamp @ 19.99 EA", "--line", "1 x Handbook @ 30 tax 0", "-o", "a.json"],
]
const NOW = Date.parse("2026-11-29T03:00:00Z")

type Draft = Pick<Invoice, "metadata" | "data">

/** A desk with an invoice of 73.98 in `a.json`: 2 lamps of 19.99 with GST, and a handbook of 30.00 without. */
async function office() {
  const made = await desk(undefined, NOW)
  const freight = (...words: string[]) => made.freight(words)
  expect((await freight(...NEW)).code).toBe(0)
  return {
    ...made,
    run: freight,
    correct: (...words: string[]) => freight("invoice", "correct", "a.json", ...words),
    read: async (name: string) => JSON.parse(await readFile(path.join(made.folder, name), "utf8")) as Draft,
    put: (name: string, value: object) => writeFile(path.join(made.folder, name), JSON.stringify(value)),
    files: async () => (await readdir(made.folder)).filter((name) => /^\w[\w-]*\.json$/.test(name)).sort(),
    /** The findings of the strictest check of a file. */
    check: async (name: string) =>
      (await freight("invoice", "validate", name, "--draft", "--strict")).stdout.trim(),
  }
}

const SELF = { invoiceId: "INV-1", invoiceDate: "2026-11-20T00:00:00Z" }

describe("freight invoice correct", () => {
  it("writes a cancellation under the invoice's number and date, and says what is due after it", async () => {
    const { correct, read, check } = await office()
    const { code, stdout, stderr } = await correct("--cancel", "-o", "b.json")
    expect([code, stderr]).toEqual([0, "Saved as b.json: freight invoice show b.json\n"])
    expect(stdout).toBe(
      [
        "Cancels INV-1:",
        "  operation: (none) → delete",
        "  document reference, invoice id: (none) → INV-1",
        "  document reference, invoice date: (none) → 2026-11-20T00:00:00Z",
        "Due for INV-1: AUD 73.98 → AUD 0.00",
        "",
      ].join("\n"),
    )
    expect((await read("b.json")).data).toEqual({
      ...(await read("a.json")).data,
      operation: "delete",
      documentReference: SELF,
    })
    expect(await check("b.json")).toBe("b.json: valid")
  })

  it("writes an update whose totals follow from the lines, as a new invoice of them has", async () => {
    const { correct, run, read, check } = await office()
    const changes = [
      "--change-line",
      "1=3 x",
      "--change-line",
      "2=2 x Book @ 15",
      "--add-line",
      "1 x Cord @ 5",
    ]
    const { code, stdout } = await correct(...changes, "--set", "dueDate=2026-12-20", "-o", "b.json")
    expect(code).toBe(0)
    expect(stdout).toContain("  line item 1, quantity: 2 → 3\n")
    expect(stdout).toContain("  line item 2, description: Handbook → Book\n")
    expect(stdout).toContain("  due date: (none) → 2026-12-20T00:00:00Z\n")
    expect(stdout).toMatch(/\nDue for INV-1: AUD 73\.98 → AUD 101\.47\n$/)
    const lines = ["--line", "3 x Lamp @ 19.99 EA", "--line", "2 x Book @ 15 tax 0", "--line", "1 x Cord @ 5"]
    const again = NEW.filter((word, at) => word !== "--line" && NEW[at - 1] !== "--line").map((word) =>
      word === "a.json" ? "new.json" : word,
    )
    await run(...again, ...lines, "--due", "2026-12-20")
    const [update, anew] = [(await read("b.json")).data, (await read("new.json")).data]
    expect(update).toEqual({ ...anew, operation: "update", documentReference: SELF })
    expect(await check("b.json")).toBe("b.json: valid")
  })

  it("credits all of an invoice by a memo with a number and a date of its own", async () => {
    const { correct, read, check } = await office()
    const words = ["--number", "CM-1", "--comments", "Sent twice", "-o", "cm.json"]
    const { code, stdout, stderr } = await correct("--credit", ...words)
    expect([code, stderr]).toEqual([0, "Saved as cm.json: freight invoice show cm.json\n"])
    expect(stdout).toContain("Credits INV-1 by CM-1; left of it:\n  line item 1, quantity: 2 → 0\n")
    expect(stdout).toContain("\nDue for INV-1: AUD 73.98 → AUD 0.00\n")
    const { data } = await read("cm.json")
    expect(data).toMatchObject({
      invoiceNumber: "CM-1",
      invoiceDate: "2026-11-29T00:00:00Z",
      purpose: "creditMemo",
      documentReference: SELF,
      comments: "Sent twice",
      invoiceSummary: { subtotal: -69.98, taxAmount: -4, dueAmount: -73.98 },
    })
    expect(data.lineItems.map(({ quantity, subtotal }) => [quantity, subtotal])).toEqual([
      [-2, -39.98],
      [-1, -30],
    ])
    expect(data.operation).toBeUndefined()
    expect(await check("cm.json")).toBe("cm.json: valid")
  })

  it("credits some of a line, and by line where it names its line of the order", async () => {
    const { correct, run, check } = await office()
    const words = ["--credit-line", "1=1", "--number", "CM-1", "--json"]
    const header = (await correct(...words)).json<CorrectionReport>()
    expect(header.document.data.purpose).toBe("creditMemo")
    expect(header.dueAmount).toEqual({ before: 73.98, after: 51.99 })
    const byLine = await correct(...words, "--set", "lineItems.0.poLineReference=10", "-o", "cm.json")
    const { document, file, changes, kind } = byLine.json<CorrectionReport>()
    expect([kind, file, document.data.purpose]).toEqual(["credit", "cm.json", "lineLevelCreditMemo"])
    expect(document.data.lineItems).toEqual([
      expect.objectContaining({
        invoiceLineNumber: 1,
        poLineReference: 10,
        quantity: -1,
        unitPrice: 19.99,
        subtotal: -19.99,
        taxAmount: -2,
      }),
    ])
    expect(changes).toContainEqual({ field: "lineItems.0.quantity", before: 2, after: 1 })
    expect(await check("cm.json")).toBe("cm.json: valid")
    expect((await run("invoice", "show", "cm.json")).stdout).toContain(
      "Credits the lines below on the same lines of invoice INV-1",
    )
  })

  it("gives the document on standard output, and what changes on standard error", async () => {
    const { correct, files } = await office()
    const { stdout, stderr } = await correct("--remove-line", "2")
    expect((JSON.parse(stdout) as Draft).data.invoiceSummary.dueAmount).toBe(43.98)
    expect(stderr).toContain("  line item 2, subtotal: 30.00 → (none)\n")
    expect(stderr).toContain("Due for INV-1: AUD 73.98 → AUD 43.98\n")
    expect(await files()).toEqual(["a.json"])
  })

  it("keeps each amount of a full document that no change concerns, and all else that it says", async () => {
    const { run, put } = await office()
    await put("full.json", fullInvoice())
    const full = fullInvoice().data
    const words = ["invoice", "correct", "full.json", "--json"]
    const cancelled = (await run(...words, "--cancel")).json<CorrectionReport>().document
    const { documentReference: _, operation: _1, lineItems, ...kept } = full
    expect(cancelled.data).toMatchObject(kept)
    expect(cancelled.data.documentReference?.payloadId).toBe(fullInvoice().metadata.payloadId)
    expect(cancelled.data.lineItems).toEqual(lineItems.map(({ uniqueLineKey: _, ...line }) => line))
    expect(cancelled).not.toHaveProperty("correlationId")
    const set = (await run(...words, "--set", "poNumber=PO-9")).json<CorrectionReport>()
    expect(set.changes.map(({ field }) => field)).not.toContainEqual(expect.stringMatching(/amount|total/i))
    expect(set.document.data.invoiceSummary).toEqual(full.invoiceSummary)
  })
})

describe("freight invoice correct as built", () => {
  it("writes a file as a whole, and leaves none where it refuses", async () => {
    const made = await office()
    const correct = (...words: string[]) => made.binary(["invoice", "correct", "a.json", ...words])
    const { code, stdout } = await correct("--cancel", "-o", "b.json")
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Due for INV-1: AUD 73\.98 .+ AUD 0\.00$/m)])
    expect((await made.read("b.json")).data.operation).toBe("delete")
    expect((await correct("--set", "contacts.0.role=boss", "-o", "c.json")).code).toBe(2)
    expect(await made.files()).toEqual(["a.json", "b.json"])
  })
})

describe("freight invoice correct refuses", () => {
  it.each([
    ["to do nothing", [], "nothing says what to do with the invoice"],
    ["two things at once", ["--cancel", "--credit"], "--cancel"],
    ["a memo without a number", ["--credit"], "the credit memo is incomplete"],
    [
      "a memo with the invoice's number",
      ["--credit", "--number", "inv 1"],
      "--number: inv 1 is the number of",
    ],
    ["a line that there is not", ["--change-line", "3=1 x"], "there is no line 3: the lines are 1, 2"],
    [
      "what is not a change",
      ["--change-line", "1=Lamp"],
      '--change-line: "1=Lamp" is not a change of a line',
    ],
    [
      "more than a line has",
      ["--credit-line", "1=3", "--number", "CM-1"],
      "line 1 has 2: 3 cannot be credited",
    ],
    [
      "a line twice",
      ["--credit-line", "1", "--credit-line", "1=1", "--number", "CM-1"],
      "--credit-line: line 1 is",
    ],
    [
      "to take out all lines",
      ["--remove-line", "1", "--remove-line", "2"],
      "an invoice has at least one line",
    ],
    ["another number", ["--set", "invoiceNumber=INV-2"], "--set invoiceNumber: a correction keeps it"],
    ["another purpose", ["--set", "purpose=creditMemo"], "--set purpose: a correction keeps it"],
    [
      "an amount",
      ["--set", "invoiceSummary.dueAmount=1"],
      "--set invoiceSummary.dueAmount: amounts are worked out",
    ],
    [
      "an amount of a cancellation",
      ["--cancel", "--set", "lineItems.0.quantity=1"],
      "--set lineItems.0.quantity",
    ],
    ["an unknown field", ["--set", "poNumbr=1"], "--set poNumbr: there is no such field"],
    ["what is so already", ["--set", "poNumber=PO-7"], "this changes nothing"],
    ["fields", ["--cancel", "--fields", "invoiceNumber"], "a correction is written as JSON"],
    ["the invoice's own file", ["--cancel", "-o", "a.json", "--force"], "-o a.json would overwrite a.json"],
    [
      "a document that would not be valid",
      ["--set", "contacts.0.name=Kim"],
      "the document would not be valid",
    ],
    [
      "a value that the field does not take",
      ["--set", "contacts.0.role=boss"],
      '--set contacts.0.role: "boss" is not one of',
    ],
  ])("%s", async (_, words, message) => {
    const { correct, files } = await office()
    const { code, stdout, stderr } = await correct(...words)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(`error: ${message}`)
    expect(await files()).toEqual(["a.json"])
  })

  it("a file that is there, unless it is told to overwrite it", async () => {
    const { correct, put, read } = await office()
    await put("b.json", { mine: true })
    expect((await correct("--cancel", "-o", "b.json")).stderr).toContain("b.json already exists")
    expect(await read("b.json")).toEqual({ mine: true })
    expect((await correct("--cancel", "-o", "b.json", "--force")).code).toBe(0)
  })

  it("an invoice that is not valid itself, and one of several that is not named", async () => {
    const { run, put, read } = await office()
    const { data, metadata } = await read("a.json")
    await put("bad.json", { metadata, data: { ...data, purpose: "gift" } })
    const { code, stderr } = await run("invoice", "correct", "bad.json", "--cancel")
    expect([code, stderr]).toEqual([2, expect.stringContaining("bad.json is not a valid invoice")])
    await put("two.json", [
      { metadata, data },
      { metadata, data: { ...data, invoiceNumber: "INV-2" } },
    ])
    expect((await run("invoice", "correct", "two.json", "--cancel")).stderr).toContain(
      "say which with --index",
    )
    const second = await run("invoice", "correct", "two.json", "--cancel", "--index", "1", "--json")
    expect(second.json<CorrectionReport>().invoiceNumber).toBe("INV-2")
  })
})

describe("on the second day, freight invoice correct", () => {
  it.each([
    ["a cancelled document", "--cancel", "INV-1 is cancelled by this document"],
    ["a cancelled document", "--credit", "INV-1 is cancelled by this document"],
    ["a cancelled document", "--add-line", "INV-1 is cancelled by this document"],
    ["an information-only document", "--credit", "INV-1 is for information only"],
    ["a credit memo", "--credit", "CM-1 is a credit memo itself"],
  ])("of %s refuses %s", async (kind, flag, message) => {
    const { correct, run } = await office()
    const first = kind.includes("cancelled")
      ? ["--cancel"]
      : kind.includes("memo")
        ? ["--credit", "--number", "CM-1"]
        : ["--set", "isInformationOnly=true"]
    await correct(...first, "-o", "b.json")
    const more = flag === "--credit" ? ["--number", "CM-2"] : flag === "--add-line" ? ["1 x Lamp @ 1"] : []
    const { code, stderr } = await run("invoice", "correct", "b.json", flag, ...more)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it("updates an update, and takes back a credit memo, which keeps its invoice until then", async () => {
    const { correct, run, read, check } = await office()
    await correct("--change-line", "1=3 x", "-o", "b.json")
    const again = await run("invoice", "correct", "b.json", "--change-line", "1=4 x", "--json")
    expect(again.json<CorrectionReport>().dueAmount).toEqual({ before: 95.97, after: 117.96 })
    await correct("--credit", "--number", "CM-1", "-o", "cm.json")
    await run("invoice", "correct", "cm.json", "--comments", "Wrong colour", "-o", "cm2.json")
    expect((await read("cm2.json")).data).toMatchObject({ operation: "update", documentReference: SELF })
    await run("invoice", "correct", "cm.json", "--cancel", "-o", "cm3.json")
    expect((await read("cm3.json")).data).toMatchObject({
      operation: "delete",
      documentReference: { invoiceId: "CM-1" },
    })
    expect(await check("cm3.json")).toBe("cm3.json: valid")
  })
})

describe("freight invoice correct --register", () => {
  it("tells a second cancellation, an update and a credit of what was cancelled", async () => {
    const { correct, files } = await office()
    const { stderr } = await correct("--cancel", "--register", "-o", "b.json")
    expect(stderr).toContain("INV-1 is registered as sent.\n")
    for (const words of [["--cancel"], ["--change-line", "1=3 x"], ["--credit", "--number", "CM-1"]]) {
      const { code, stderr } = await correct(...words, "--register", "-o", "c.json")
      expect([code, stderr]).toEqual([2, expect.stringMatching(/was cancelled.*, on 2026-11-29 by b\.json/)])
    }
    expect(await files()).toEqual(["a.json", "b.json"])
    expect((await correct("--cancel", "--register", "--yes", "-o", "c.json")).code).toBe(0)
  })

  it("counts what was credited before: per line, as a whole, and in what is due", async () => {
    const { correct } = await office()
    const credit = (line: string, number: string) =>
      correct("--credit-line", line, "--number", number, "--register", "--json", "-o", `${number}.json`)
    expect((await credit("1=1", "CM-1")).json<CorrectionReport>().dueAmount).toEqual({
      before: 73.98,
      after: 51.99,
    })
    expect((await credit("1=1", "CM-2")).json<CorrectionReport>().dueAmount).toEqual({
      before: 51.99,
      after: 30,
    })
    const third = await credit("1=1", "CM-3")
    expect([third.code, errorIn(third.stderr).errors?.[0]?.message]).toEqual([
      2,
      expect.stringContaining('line 1 of "INV-1" asked for 39.98 before tax, and 59.97 is credited'),
    ])
    const all = await correct("--credit", "--number", "CM-4", "--register")
    expect(all.stderr).toContain('"INV-1" asked for 73.98, and 117.96 is credited in 3 memos')
    expect((await correct("--cancel", "--register")).stderr).toContain(
      'was credited before by "CM-1" and 1 more',
    )
  })

  it("takes earlier credits off what is due after an update and a cancellation, too", async () => {
    const { correct } = await office()
    await correct("--credit-line", "1=1", "--number", "CM-1", "--register", "-o", "cm.json")
    const update = await correct("--add-line", "1 x Cord @ 10", "--register", "--json")
    expect(update.json<CorrectionReport>().dueAmount).toEqual({ before: 51.99, after: 62.99 })
    const cancelled = await correct("--cancel", "--register", "--yes", "--json")
    expect(cancelled.json<CorrectionReport>().dueAmount).toEqual({ before: 51.99, after: -21.99 })
  })

  it("says once what the register has against it, and where a document went that has no file", async () => {
    const { correct } = await office()
    expect((await correct("--cancel", "--register")).code).toBe(0)
    const { stderr } = await correct("--cancel", "--register")
    expect(stderr.match(/was cancelled before, on [\d-]+ by standard output/g)).toHaveLength(1)
  })

  it("takes an update as the one that stands, also where an earlier one said the same", async () => {
    const { run } = await office()
    const correct = async (from: string, words: string[], to: string) => {
      const flags = ["--register", "-o", `${to}.json`]
      return (await run("invoice", "correct", `${from}.json`, ...words, ...flags)).code
    }
    for (const [from, pieces, to] of [
      ["a", 3, "b"],
      ["b", 4, "c"],
      ["c", 3, "d"],
    ] as const)
      expect(await correct(from, ["--change-line", `1=${pieces} x`], to)).toBe(0)
    expect(await correct("c", ["--cancel"], "e")).toBe(2)
    expect(await correct("d", ["--credit", "--number", "CM-1"], "cm")).toBe(0)
  })

  it("says when another document stands for the number", async () => {
    const { correct } = await office()
    await correct("--change-line", "1=3 x", "--register", "-o", "b.json")
    const { code, stderr } = await correct("--credit", "--number", "CM-1", "--register")
    expect([code, stderr]).toEqual([2, expect.stringContaining("INV-1 is different in the register")])
  })
})

describe.skipIf(!hasTerminal)("freight invoice correct at a terminal", () => {
  it("asks what to do, shows what changes, and writes after a yes", async () => {
    const { folder, env, read } = await office()
    const steps = [
      { see: "How do you want to correct INV-1", type: "some\r" },
      { see: "Line to credit", type: "1=1\r" },
      { see: "Enter alone finishes", type: "\r" },
      { see: "own number", type: "CM-1\r" },
      { see: "Reason for it", type: "Broken\r" },
      { see: "Save it as", type: "\r" },
      { see: "CM-1.json?", type: "\r" },
    ]
    const words = ["invoice", "correct", path.join(folder, "a.json")]
    const { code, screen } = await atTerminal(words, env, steps, WIDE)
    expect([code, screen]).toEqual([0, expect.stringContaining("Due for INV-1: AUD 73.98 → AUD 51.99")])
    expect((await read("CM-1.json")).data).toMatchObject({ comments: "Broken", purpose: "creditMemo" })
  })

  it("writes nothing after a no", async () => {
    const { folder, env, files } = await office()
    const words = ["invoice", "correct", path.join(folder, "a.json"), "--cancel"]
    const steps = [
      { see: "Save it as", type: "\r" },
      { see: "INV-1-cancelled.json?", type: "n\r" },
    ]
    const { code, screen } = await atTerminal(words, env, steps, WIDE)
    expect([code, screen, await files()]).toEqual([
      0,
      expect.stringContaining("Nothing was written."),
      ["a.json"],
    ])
  })
})
