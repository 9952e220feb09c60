/** Two desks that correct one invoice at a time, with one register. */
import { describe, expect, it } from "vitest"
import { openChain } from "../../src/invoice/correct/chain.ts"
import { cancelInvoice, creditInvoice } from "../../src/invoice/correct/correct.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { connectTo, newDatabase, SERVER } from "../ledger/postgres.ts"
import { ledgerFileIn, NOW, openFile, temporaryDir } from "../ledger/setup.ts"
import { fullInvoice } from "./samples.ts"

const WRITER = { userAgent: "test", today: "2026-11-29" }
const sent = { data: fullInvoice().data }
const cancellation = cancelInvoice(sent, [], WRITER)
const creditAll = (number: string) =>
  creditInvoice(sent, { number, date: "2026-11-29T00:00:00Z", sets: [] }, WRITER)

const DATABASES = [
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const

describe.each(DATABASES)("two desks at a time, on %s", (_, isThere, open) => {
  const openFor = (database: Database, { document }: Pick<typeof cancellation, "document">) =>
    openChain(database, () => NOW, { file: "a.json", sent, document })

  it.runIf(isThere).each([
    ["cancellation", "a credit", cancellation, creditAll("CM-1")],
    ["credit of all", "another", creditAll("CM-1"), creditAll("CM-2")],
    ["credit", "a cancellation", creditAll("CM-1"), cancellation],
  ])("write a %s, and not %s on top of it", async (_1, _2, one, other) => {
    const database = await open()
    const [first, second] = [await openFor(database, one), await openFor(database, other)]
    expect([first.objections, second.objections]).toEqual([[], []])
    const ended = await Promise.allSettled([first.keep("one.json"), second.keep("other.json")])
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: "another workstation was quicker; nothing was written" },
    })
  })

  it.runIf(isThere)("give the number of a credit memo to one of two invoices", async () => {
    const database = await open()
    const chains = await Promise.all(
      ["INV-A", "INV-B"].map(async (invoiceNumber) => {
        const one = { data: { ...sent.data, invoiceNumber } }
        const credit = creditInvoice(one, { number: "CM-1", date: "2026-11-29T00:00:00Z", sets: [] }, WRITER)
        const chain = await openChain(database, () => NOW, { file: "a.json", sent: one, ...credit })
        expect(chain.objections).toEqual([])
        return chain
      }),
    )
    const kept = await Promise.allSettled(chains.map((chain) => chain.keep("credit.json")))
    expect(kept.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(kept.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: "another workstation was quicker; nothing was written" },
    })
  })
})
