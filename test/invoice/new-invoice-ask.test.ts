import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import {
  askForMissing,
  type InvoiceTexts,
  type KnownParts,
  type OfferedParties,
  readInvoice,
} from "../../src/invoice/new/ask.ts"
import { createDraft, type NewInvoice } from "../../src/invoice/new/draft.ts"
import type { Party } from "../../src/invoice/new/parties.ts"
import type { Questions } from "../../src/output/terminal/conversation/conversation.ts"

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
  const ask: Pick<Questions, "text" | "pick" | "confirm"> = {
    async confirm(question) {
      heard.push(question)
      return answers.shift() === "yes"
    },
    async pick(question, find) {
      const choices = find("")
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

/** A settings file with these suppliers and customers, and what is saved into it. */
function book(saved: Partial<OfferedParties["saved"]> = {}, last: OfferedParties["last"] = {}) {
  const kept: Record<string, Party> = {}
  const parties: OfferedParties = {
    saved: { supplier: {}, customer: {}, ...saved },
    last,
    listTaken: () => Object.keys({ ...saved.supplier, ...saved.customer, ...kept }),
    async save(name, party) {
      kept[name] = party
    },
  }
  return { kept, parties }
}

async function gatherInvoice(
  texts: InvoiceTexts,
  prompt?: ReturnType<typeof person>["prompt"],
  { parties } = book(),
  known: KnownParts = {},
): Promise<NewInvoice> {
  const complete = prompt ? await askForMissing(texts, TODAY, prompt, parties, known) : texts
  return readInvoice(complete, TODAY, known)
}

async function refusalOf(texts: InvoiceTexts): Promise<FreightError> {
  const error = await gatherInvoice(texts).catch((thrown: unknown) => thrown)
  if (!(error instanceof FreightError)) throw new Error("it was not refused")
  return error
}

describe("an invoice from flags", () => {
  it("asks nothing when nothing is missing", async () => {
    const { heard, prompt } = person()
    expect(await gatherInvoice(GIVEN, prompt)).toMatchObject({
      number: "INV-1",
      date: "2026-11-20T00:00:00Z",
    })
    expect(heard).toEqual([])
  })

  it("has the date that is given", async () => {
    const { date } = await gatherInvoice({ ...GIVEN, date: "2026-10-01" })
    expect(date).toBe("2026-10-01T00:00:00Z")
  })

  it("needs no ABN when nothing is taxed", async () => {
    const untaxed = { ...without("abn"), line: ["1 x Handbook @ 30 tax 0"] }
    expect(await gatherInvoice(untaxed)).not.toHaveProperty("abn")
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
    ["shipping", { shippingAmount: "free" }, '--shipping-amount: the shipping "free" is not an amount: '],
    [
      "comments",
      { comments: "x".repeat(3000) },
      "--comments: 3000 characters are more than the 2000 allowed",
    ],
    [
      "a purpose",
      { purpose: "refund" },
      '--purpose takes standard, creditMemo, debitMemo, lineLevelCreditMemo, lineLevelDebitMemo, not "refund"',
    ],
  ])("names the flag of %s that is wrong", async (_, wrong, message) => {
    expect((await refusalOf({ ...GIVEN, ...wrong })).message.startsWith(message)).toBe(true)
  })

  it("lists everything that is missing where there is nobody to ask", async () => {
    const { kind, message, errors, hint } = await refusalOf({ purpose: "creditMemo" })
    expect([kind, message]).toEqual(["usage", "the invoice is incomplete"])
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
      "On a terminal, freight asks for what is missing. A line without tax is written with: tax 0",
    )
  })
})

describe("an invoice from a conversation", () => {
  const NEW = ["INV-2", "PO-8", "S-2", "Wattle", "Wattle Homes; 1 Harbour Street; Sydney NSW 2000"]
  const PAYMENT = ["062-000", "12345678", "", "Mia Tran", "30"]
  const NEW_LINES = ["1 x Lamp @ 5", "2 x Bolt @ 1 tax 0", "", "51 824 753 556"]

  it("asks for everything that is missing, in order, and for lines until there are no more", async () => {
    const { heard, prompt } = person(...NEW, ...NEW_LINES, ...PAYMENT, "no", "no")
    const made = book()
    const invoice = await gatherInvoice({ purpose: "standard" }, prompt, made)
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
      "BSB of the account to pay into (062-000) (Enter alone: none)",
      "Account number to pay into",
      "Name of the account, if not the supplier's (Enter alone: none)",
      "Who answers questions about invoices (Mia Tran, 02 9555 0134, accounts@example.com) (Enter alone: none)",
      "Payment terms (30 days) (Enter alone: none)",
      "Save this supplier for next time?",
      "Save this customer for next time?",
    ])
    expect([invoice.number, invoice.lines.length, invoice.abn]).toEqual(["INV-2", 2, "51 824 753 556"])
    expect(invoice).toMatchObject({
      bsb: "062-000",
      accountNumber: "12345678",
      contact: "Mia Tran",
      terms: "30",
    })
    expect(invoice).not.toHaveProperty("accountName")
    expect(made.kept).toEqual({})
  })

  it("saves the supplier and the customer that were typed, under names that are free", async () => {
    const { heard, prompt } = person(
      ...NEW,
      ...NEW_LINES,
      ...PAYMENT,
      "yes",
      "wattle",
      "yes",
      "wattle",
      "homes",
    )
    const made = book()
    await gatherInvoice({ purpose: "standard" }, prompt, made)
    expect(made.kept).toEqual({
      wattle: {
        supplierId: "S-2",
        supplierName: "Wattle",
        abn: "51 824 753 556",
        ...{ bsb: "062-000", accountNumber: "12345678", contact: "Mia Tran" },
      },
      homes: { billTo: "Wattle Homes; 1 Harbour Street; Sydney NSW 2000", terms: "30" },
    })
    expect(heard).toContain('refused: a party "wattle" already exists')
  })

  it("shows what the lines come to while they are typed", async () => {
    const { totals, prompt } = person("2 x Lamp @ 19.99 EA", "1 x Handbook @ 30 tax 0", "")
    await gatherInvoice(without("line"), prompt)
    expect(totals).toEqual([
      "1 line, 39.98 and 4.00 GST, 43.98 in all",
      "2 lines, 69.98 and 4.00 GST, 73.98 in all",
      "2 lines, 69.98 and 4.00 GST, 73.98 in all",
    ])
  })

  const HARBOUR = { supplierId: "S-1", supplierName: "Harbour Lighting", abn: "51824753556" }
  const HOMES = { billTo: "1 Harbour Street, Sydney NSW 2000", shipTo: "8 Market Street, Fremantle WA 6160" }
  const open = without("supplierId", "supplierName", "abn", "billTo")

  it("offers the saved suppliers and customers, and what was used last before them", async () => {
    const other = { supplierId: "S-9", supplierName: "Wattle" }
    const saved = { supplier: { harbour: HARBOUR, wattle: other }, customer: { homes: HOMES } }
    const made = book(saved, { supplier: other, customer: { billTo: "2 Port Road, Perth WA 6000" } })
    const { heard, prompt } = person("harbour: Harbour Lighting (S-1)", `homes: ${HOMES.billTo}`)
    expect(await gatherInvoice(open, prompt, made)).toMatchObject({
      supplierId: "S-1",
      supplierName: "Harbour Lighting",
      abn: "51824753556",
      billTo: { city: "Sydney" },
      shipTo: { city: "Fremantle" },
    })
    expect(heard).toEqual([
      ...["Who is the supplier?", "wattle: Wattle (S-9)", "harbour: Harbour Lighting (S-1)", "Another"],
      ...["Who is billed?", "2 Port Road, Perth WA 6000", `homes: ${HOMES.billTo}`, "Another"],
    ])
  })

  it("leaves what was given, and where the shipments went, as it is", async () => {
    const made = book({
      supplier: { harbour: { ...HARBOUR, abn: "53004085616" } },
      customer: { homes: HOMES },
    })
    const { prompt } = person("harbour: Harbour Lighting (S-1)", `homes: ${HOMES.billTo}`)
    const texts = { ...open, abn: "51824753556" }
    const { abn, shipTo } = await gatherInvoice(texts, prompt, made, { shipmentId: "1" })
    expect([abn, shipTo]).toEqual(["51824753556", undefined])
  })

  it("asks for another supplier as ever, and whether to save it", async () => {
    const { heard, prompt } = person("Another", "S-2", "Wattle", "", "", "no")
    const suppliers = book({ supplier: { harbour: HARBOUR } })
    const invoice = await gatherInvoice(without("supplierId", "supplierName"), prompt, suppliers)
    expect(invoice).toMatchObject({ supplierId: "S-2", supplierName: "Wattle" })
    expect(heard.at(-1)).toBe("Save this supplier for next time?")
  })

  it("counts shipping in what the lines come to", async () => {
    const { totals, prompt } = person("2 x Lamp @ 19.99 EA", "")
    await gatherInvoice({ ...without("line"), shippingAmount: "10" }, prompt)
    expect(totals[0]).toBe("1 line, 39.98, shipping 10.00 and 5.00 GST, 54.98 in all")
  })

  it("asks for no ABN when nothing turns out to be taxed", async () => {
    const { heard, prompt } = person("2 x Bolt @ 1 tax 0", "")
    await gatherInvoice(without("abn", "line"), prompt)
    expect(heard).toHaveLength(2)
  })

  it("asks again with the reason when an answer is refused", async () => {
    const { heard, prompt } = person("", "Lamp", "1 x Lamp @ 5 tax 7", "1 x Lamp @ 5", "")
    await gatherInvoice(without("line"), prompt)
    expect(heard.filter((each) => each.startsWith("refused"))).toEqual([
      'refused: "" is not a line: write it as "2 x Widget @ 19.99 tax 10 EA"',
      'refused: "Lamp" is not a line: write it as "2 x Widget @ 19.99 tax 10 EA"',
      'refused: tax is 10 (GST) or 0 (GST-free), not "7"',
    ])
  })

  it("asks which invoice a memo changes, and why", async () => {
    const { heard, prompt } = person("INV-0", "One lamp more was sent")
    const { refersTo, comments } = await gatherInvoice({ ...GIVEN, purpose: "debitMemo" }, prompt)
    expect(heard).toEqual([
      "Number of the invoice that this memo changes",
      "Reason for it, for the buyer (Enter alone: none)",
    ])
    expect([refersTo, comments]).toEqual(["INV-0", "One lamp more was sent"])
  })

  it("reads the supplier's address as one to bill", async () => {
    const { prompt } = person()
    const invoice = await gatherInvoice(
      { ...GIVEN, supplierAddress: "7 Quay Street, Sydney NSW 2000" },
      prompt,
    )
    expect(createDraft(invoice, "freight-cli/1.0.0").data.supplier.address).toEqual({
      street1: "7 Quay Street",
      city: "Sydney",
      state: "NSW",
      postalCode: "2000",
      country: "AU",
    })
  })

  it("asks why also where nothing else is missing, and takes no reason for an answer", async () => {
    const { heard, prompt } = person("")
    const memo = { ...GIVEN, purpose: "creditMemo", refersTo: "INV-0" }
    const { comments } = await gatherInvoice(memo, prompt)
    expect([heard.length, comments]).toEqual([1, undefined])
  })

  it("refuses a wrong flag before it asks anything", async () => {
    const { heard, prompt } = person()
    await expect(gatherInvoice({ ...without("number"), abn: "1" }, prompt)).rejects.toThrow("--abn: ")
    expect(heard).toEqual([])
  })
})
