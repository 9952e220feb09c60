/** `freight invoice validate --register`: the same invoice in a later run. */
import { renameSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { brokenLine, line } from "../invoice/runs.ts"
import { minimalDraft, textOf } from "../invoice/samples.ts"
import { desk } from "./freight.ts"
import { invoiceDesk, type Report } from "./invoices.ts"

const DRAFT = textOf(minimalDraft())
const REPEAT =
  /^invoice number: "INV-1" of supplier "S-204" was registered before, on \d{4}-\d\d-\d\d from out.ndjson, /

async function deskOf(files: Readonly<Record<string, string>>) {
  const made = await invoiceDesk(files)
  const messages = async (args: readonly string[]) => {
    const { code, json } = await made.validate(["--json", ...args])
    const { items: results } = json<Report>()
    return [code, ...results.map(({ findings }) => findings.map(({ message }) => message).join("; "))]
  }
  return { ...made, messages }
}

describe("--register", () => {
  it("warns of a number that was registered in an earlier run, with its amount", async () => {
    const { messages, folder, validate } = await deskOf({ "out.ndjson": `${line(1)}\n${line(2)}\n` })
    const { stderr } = await validate(["out.ndjson", "--register"])
    expect(stderr).toContain("2 invoices registered: freight warns when a number comes again.\n")
    writeFileSync(
      path.join(folder, "new.ndjson"),
      `${line(3)}\n${line(1)}\n${line(1).replace('"dueAmount":11', '"dueAmount":11.00,"x":0')}`,
    )
    const [code, third, same, other] = await messages(["new.ndjson", "--register"])
    expect([code, third]).toEqual([1, ""])
    expect(same).toMatch(REPEAT)
    expect(same).toMatch(/with the same amount$/)
    expect(other).toContain("is also in new.ndjson, index 1")
  })

  it("compares without registering only when asked, and registers nothing that is not valid", async () => {
    const { messages } = await deskOf({ "out.ndjson": `${line(1)}\n`, "bad.ndjson": `${brokenLine(5)}\n` })
    await messages(["out.ndjson", "--register"])
    expect(await messages(["out.ndjson"])).toEqual([0, ""])
    await messages(["bad.ndjson", "--register"])
    const [, said] = await messages(["bad.ndjson", "--register"])
    expect(said).not.toContain("registered before")
  })

  it("misses no reference of an update whose invoice was registered", async () => {
    const { messages } = await deskOf({
      "out.ndjson": `${line(1)}\n`,
      "update.ndjson": `${line(1, { operation: "update" })}\n`,
    })
    const missing = "invoice: this document does not say which invoice it updates"
    expect(await messages(["update.ndjson"])).toEqual([0, missing])
    await messages(["out.ndjson", "--register"])
    expect(await messages(["update.ndjson", "--register"])).toEqual([0, ""])
    expect(await messages(["out.ndjson", "--register"])).toEqual([0, expect.stringMatching(REPEAT)])
  })

  describe("knows what was done to an invoice:", () => {
    const memo = (number: string, amount: number, more: object = {}) =>
      line(number, {
        purpose: "creditMemo",
        documentReference: { invoiceId: "INV-1" },
        lineItems: [creditLine(amount)],
        invoiceSummary: {
          subtotal: -amount,
          taxAmount: -amount / 10,
          dueAmount: -Math.round(amount * 110) / 100,
          currency: "AUD",
        },
        ...more,
      })
    const creditLine = (amount: number) => ({
      invoiceLineNumber: 1,
      quantity: -1,
      unitPrice: amount,
      subtotal: -amount,
      taxAmount: -amount / 10,
      taxRate: 10,
      currency: "AUD",
    })
    const deletion = line(1, { operation: "delete", documentReference: { invoiceId: "INV-1" } })
    const update = line(1, { operation: "update", comments: "Changed" })

    it.each<[string, string[], string, string | RegExp]>([
      [
        "a second cancellation",
        [line(1), deletion],
        deletion,
        /"INV-1" was cancelled before, on \d{4}-\d\d-\d\d by out1\.json/,
      ],
      ["an update of what was cancelled", [line(1), deletion], update, '"INV-1" was cancelled before'],
      ["an update that is cancelled", [line(1), update], deletion, ""],
      [
        "a credit of what was cancelled",
        [line(1), deletion],
        memo("C1", 5),
        "which this credit memo changes, was cancelled",
      ],
      ["credits that are within the invoice", [line(1), memo("C1", 5)], memo("C2", 5), ""],
      [
        "credits above the invoice",
        [line(1), memo("C1", 5)],
        memo("C2", 6),
        '"INV-1" asked for 11.00, and 12.10 is credited in 2 memos',
      ],
      ["one credit above the invoice", [line(1)], memo("C1", 20), "22.00 is credited in this memo"],
      [
        "credits of which one was cancelled",
        [line(1), memo("C1", 5), memo("C1", 5, { operation: "delete" })],
        memo("C2", 6),
        "",
      ],
      [
        "credits of an invoice that was raised",
        [
          line(1),
          memo("C1", 5),
          line("D1", { purpose: "debitMemo", documentReference: { invoiceId: "inv 1" } }),
        ],
        memo("C2", 6),
        "",
      ],
      [
        "a cancellation after a credit",
        [line(1), memo("C1", 5)],
        deletion,
        '"INV-1" is cancelled, and was credited before by "INV-C1"',
      ],
      ["credits of an invoice that it does not have", [memo("C1", 5)], memo("C2", 6), ""],
    ])("%s", async (_, sent, next, message) => {
      const { messages } = await deskOf({
        ...Object.fromEntries(sent.map((text, at) => [`out${at}.json`, text])),
        "next.json": next,
      })
      for (const at of sent.keys()) await messages([`out${at}.json`, "--register"])
      const [, said] = await messages(["next.json", "--register"])
      const told = String(said)
        .split("; ")
        .filter((each) => !each.includes("names no"))
      const found = told.filter((each) => /cancelled|credited/.test(each)).join("; ")
      if (message === "") expect(found).toBe("")
      else expect(found).toMatch(message)
    })

    it("a second cancellation in one run is reported, as an error with --strict, and not where the rule is off", async () => {
      const { messages } = await deskOf({ "out.ndjson": [line(1), deletion, deletion].join("\n") })
      const off = ["--rule-level", "accounting/cancelled-invoice=off"]
      expect((await messages(["out.ndjson", "--register", ...off])).join()).not.toContain("cancelled before")
      expect((await messages(["out.ndjson", "--register"])).join()).toContain("was cancelled before")
      expect((await messages(["out.ndjson", "--register", "--strict"]))[0]).toBe(1)
      expect((await messages(["out.ndjson"])).join()).not.toContain("cancelled before")
    })
  })

  it("knows a number with a sign that nobody sees", async () => {
    const { messages } = await deskOf({
      "out.ndjson": `${line(1)}\n`,
      "copied.ndjson": `${line(1).replace("INV-1", "INV-1\u200b")}\n`,
    })
    await messages(["out.ndjson", "--register"])
    const [code, said] = await messages(["copied.ndjson", "--register"])
    expect(code).toBe(0)
    expect(said).toContain("was registered before")
    expect(said).toContain('invoice number: "INV-1" has an invisible character in it')
  })

  it.each([
    "INV\u20131",
    "inv 1",
    "Inv\u20110001",
  ])("knows a number that is written as %s", async (number) => {
    const { messages } = await deskOf({
      "out.ndjson": `${line(1)}\n`,
      "copied.ndjson": `${line(1).replace("INV-1", number)}\n`,
      "part.ndjson": `${line(1).replace("INV-1", "INV-1.1")}\n`,
    })
    await messages(["out.ndjson", "--register"])
    expect((await messages(["copied.ndjson", "--register"]))[1]).toContain("was registered before")
    expect((await messages(["part.ndjson", "--register"]))[1]).toBe("")
  })

  it("registers drafts too: they are what a sender sends", async () => {
    const { messages } = await deskOf({ "draft.json": DRAFT })
    expect(await messages(["draft.json", "--register"])).toEqual([0, ""])
    expect((await messages(["draft.json", "--register"]))[1]).toContain("was registered before")
  })

  it("makes it an error under --strict, and says nothing where the rule is off", async () => {
    const { messages } = await deskOf({ "out.ndjson": `${line(1)}\n` })
    await messages(["out.ndjson", "--register"])
    expect((await messages(["out.ndjson", "--register", "--strict"]))[0]).toBe(1)
    const off = ["--rule-level", "accounting/duplicate-invoice=off"]
    expect(await messages(["out.ndjson", "--register", ...off])).toEqual([0, ""])
  })

  it("is on where the profile says so, and off again with --no-register", async () => {
    const { freight, folder } = await desk()
    writeFileSync(path.join(folder, "a.json"), DRAFT)
    expect((await freight(["config", "set", "register", "maybe"])).stderr).toContain(
      'register takes yes or no, not "maybe"',
    )
    await freight(["config", "set", "register", "yes"])
    expect((await freight(["invoice", "validate", "a.json", "--no-register"])).stderr).not.toContain(
      "registered",
    )
    expect((await freight(["invoice", "validate", "a.json"])).stderr).toContain("1 invoice registered")
    renameSync(path.join(folder, "a.json"), path.join(folder, "b.json"))
    expect((await freight(["invoice", "validate", "b.json"])).stdout).toContain("from a.json")
  })
})
