import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
import { gatherInvoice, type InvoiceTexts } from "../../src/invoice/new/ask.ts"
import type { Questions } from "../../src/terminal/conversation/conversation.ts"

const TODAY = "2026-11-20"
const GIVEN: InvoiceTexts = {
  purpose: "standard",
  number: "INV-1",
  po: "PO-7",
  supplierId: "S-1",
  supplierName: "Harbour Lighting",
  abn: "51824753556",
  billTo: "1 Harbour Street; Sydney NSW 2000",
  line: ["2 x Lamp @ 19.99 EA"],
}

function without(...names: (keyof InvoiceTexts)[]): InvoiceTexts {
  return Object.fromEntries(
    Object.entries(GIVEN).filter(([name]) => !(names as string[]).includes(name)),
  ) as unknown as InvoiceTexts
}

/** A person with answers, who is asked again for as long as an answer is refused. */
function person(...answers: string[]) {
  const heard: string[] = []
  const totals: (string | undefined)[] = []
  const ask: Pick<Questions, "text" | "choose"> = {
    async choose(question, choices) {
      heard.push(question, ...choices.map(({ name }) => name))
      const answer = answers.shift()
      const chosen = choices.find(({ name }) => name === answer)
      if (!chosen) throw new Error(`no choice ${answer}`)
      return chosen.value
    },
    async text(question, { check, live } = {}) {
      for (;;) {
        heard.push(question)
        const answer = answers.shift()
        if (answer === undefined) throw new Error(`no answer to: ${question}`)
        const result = check?.(answer.trim())
        if (live) totals.push(live(answer.trim()))
        if (!result || result.ok) return answer.trim()
        heard.push(`refused: ${result.reason}`)
      }
    },
  }
  return { heard, totals, prompt: async () => ask }
}

async function refusalOf(texts: InvoiceTexts): Promise<FreightError> {
  const error = await gatherInvoice(texts, TODAY).catch((thrown: unknown) => thrown)
  if (!(error instanceof FreightError)) throw new Error("it was not refused")
  return error
}

describe("an invoice from flags", () => {
  it("asks nothing when nothing is missing", async () => {
    const { heard, prompt } = person()
    expect(await gatherInvoice(GIVEN, TODAY, prompt)).toMatchObject({
      number: "INV-1",
      date: "2026-11-20T00:00:00Z",
    })
    expect(heard).toEqual([])
  })

  it("has the date that is given", async () => {
    const { date } = await gatherInvoice({ ...GIVEN, date: "2026-10-01" }, TODAY)
    expect(date).toBe("2026-10-01T00:00:00Z")
  })

  it("needs no ABN when nothing is taxed", async () => {
    const untaxed = { ...without("abn"), line: ["1 x Handbook @ 30 tax 0"] }
    expect(await gatherInvoice(untaxed, TODAY)).not.toHaveProperty("abn")
  })

  it.each<[string, Partial<InvoiceTexts>, string]>([
    ["a number", { number: " " }, "--number: it is empty"],
    ["a line", { line: ["2 x Lamp @ 19.99", "Lamp"] }, '--line: "Lamp" is not a line: '],
    ["an address", { billTo: "Sydney" }, '--bill-to: "Sydney" is not an address: '],
    ["another address", { shipTo: "Sydney" }, '--ship-to: "Sydney" is not an address: '],
    ["an ABN", { abn: "1" }, '--abn: "1" has 1 digit, but an ABN has 11'],
    ["a date", { date: "soon" }, '--date: "soon" is not a date: '],
    [
      "a day of payment",
      { due: "2026-11-19" },
      '--due: "2026-11-19" is before the date of the invoice, 2026-11-20',
    ],
    [
      "comments",
      { comments: "x".repeat(3000) },
      "--comments: 3000 characters are more than the 2000 allowed",
    ],
    ["a purpose", { purpose: "refund" }, "--purpose takes standard, creditMemo, debitMemo, not 'refund'"],
  ])("names the flag of %s that is wrong", async (_, wrong, message) => {
    expect((await refusalOf({ ...GIVEN, ...wrong })).message.startsWith(message)).toBe(true)
  })

  it("lists everything that is missing where there is nobody to ask", async () => {
    const { kind, message, errors, hint } = await refusalOf({ purpose: "creditMemo" })
    expect([kind, message]).toEqual(["usage", "an invoice needs more than was given"])
    expect(errors?.map((each) => each.message)).toEqual([
      "--number: Number of the invoice",
      "--po: Purchase order that is billed",
      "--supplier-id: The buyer's code for the supplier",
      "--supplier-name: Name of the supplier",
      "--refers-to: Number of the invoice that this memo changes",
      "--bill-to: Address to bill (1 Harbour Street, Sydney NSW 2000)",
      "--line: Line (2 x Widget @ 19.99 tax 10 EA)",
      "--abn: ABN of the supplier, since there is tax",
    ])
    expect(hint).toBe(
      "On a terminal, what is missing is asked for. A line without tax is written with: tax 0",
    )
  })
})

describe("an invoice from a conversation", () => {
  it("asks for everything that is missing, in order, and for lines until there are no more", async () => {
    const { heard, prompt } = person(
      ...["INV-2", "PO-8", "S-2", "Wattle", "1 Harbour Street; Sydney NSW 2000"],
      ...["1 x Lamp @ 5", "2 x Bolt @ 1 tax 0", "", "51 824 753 556"],
    )
    const invoice = await gatherInvoice({ purpose: "standard" }, TODAY, prompt)
    expect(heard).toEqual([
      "Number of the invoice",
      "Purchase order that is billed",
      "The buyer's code for the supplier",
      "Name of the supplier",
      "Address to bill (1 Harbour Street, Sydney NSW 2000)",
      "Line (2 x Widget @ 19.99 tax 10 EA)",
      "Line 2 (Enter alone finishes)",
      "Line 3 (Enter alone finishes)",
      "ABN of the supplier, since there is tax",
    ])
    expect([invoice.number, invoice.lines.length, invoice.abn]).toEqual(["INV-2", 2, "51 824 753 556"])
  })

  it("shows what the lines come to while they are typed", async () => {
    const { totals, prompt } = person("2 x Lamp @ 19.99 EA", "1 x Handbook @ 30 tax 0", "")
    await gatherInvoice(without("line"), TODAY, prompt)
    expect(totals).toEqual([
      "1 line, 39.98 and 4.00 GST, 43.98 in all",
      "2 lines, 69.98 and 4.00 GST, 73.98 in all",
      "2 lines, 69.98 and 4.00 GST, 73.98 in all",
    ])
  })

  it("offers the suppliers of earlier invoices, with code and ABN", async () => {
    const suppliers = [{ id: "S-1", name: "Harbour Lighting", abn: "51824753556" }]
    const { heard, prompt } = person("Harbour Lighting (S-1)")
    const texts = without("supplierId", "supplierName", "abn")
    expect(await gatherInvoice(texts, TODAY, prompt, suppliers)).toMatchObject({
      supplierId: "S-1",
      supplierName: "Harbour Lighting",
      abn: "51824753556",
    })
    expect(heard).toEqual(["Who is the supplier?", "Harbour Lighting (S-1)", "Another"])
  })

  it("asks for another supplier as ever", async () => {
    const suppliers = [{ id: "S-1", name: "Harbour Lighting" }]
    const { prompt } = person("Another", "S-2", "Wattle")
    const invoice = await gatherInvoice(without("supplierId", "supplierName"), TODAY, prompt, suppliers)
    expect(invoice).toMatchObject({ supplierId: "S-2", supplierName: "Wattle" })
  })

  it("asks for no ABN when nothing turns out to be taxed", async () => {
    const { heard, prompt } = person("2 x Bolt @ 1 tax 0", "")
    await gatherInvoice(without("abn", "line"), TODAY, prompt)
    expect(heard).toHaveLength(2)
  })

  it("asks again with the reason when an answer is refused", async () => {
    const { heard, prompt } = person("", "Lamp", "1 x Lamp @ 5 tax 7", "1 x Lamp @ 5", "")
    await gatherInvoice(without("line"), TODAY, prompt)
    expect(heard.filter((each) => each.startsWith("refused"))).toEqual([
      'refused: "" is not a line: write it as "2 x Widget @ 19.99 tax 10 EA"',
      'refused: "Lamp" is not a line: write it as "2 x Widget @ 19.99 tax 10 EA"',
      'refused: there is no tax of "7" percent: GST is 10, or 0 for what is free of it',
    ])
  })

  it("asks which invoice a memo changes", async () => {
    const { heard, prompt } = person("INV-0")
    const { refersTo } = await gatherInvoice({ ...GIVEN, purpose: "debitMemo" }, TODAY, prompt)
    expect([heard, refersTo]).toEqual([["Number of the invoice that this memo changes"], "INV-0"])
  })

  it("refuses a wrong flag before it asks anything", async () => {
    const { heard, prompt } = person()
    await expect(gatherInvoice({ ...without("number"), abn: "1" }, TODAY, prompt)).rejects.toThrow("--abn: ")
    expect(heard).toEqual([])
  })
})
