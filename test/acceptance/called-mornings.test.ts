/**
 * Two mornings of an office: forty orders in three files, at two desks. Carriers cancel two of them on the phone, one is
 * corrected, and one comes back.
 */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { expect, it } from "vitest"
import type { HistoryRow } from "../../src/app/outputs.ts"
import { formatDate, nextBusinessDay } from "../../src/base/wall-clock.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { csvBill, saveBill } from "./bills.ts"
import { desk } from "./freight.ts"
import { type Order, ORDER_DAY, orders, saveOrders } from "./orders.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"

const DAY_MS = 86_400_000
const [YEAR = 0, MONTH = 0, DAY = 0] = ORDER_DAY.split("-").map(Number)
/** When what comes back is collected: after the others. */
const BACK = `${formatDate(nextBusinessDay({ year: YEAR, month: MONTH, day: DAY }))}T10:00`
const FILES = { "a.csv": [0, 14], "b.csv": [14, 27], "c.csv": [27, 40] } as const

const LEDGERS = [
  { name: "SQLite", isThere: true, open: async (folder: string) => path.join(folder, "ledger.db") },
  { name: "PostgreSQL", isThere: SERVER !== undefined, open: () => newDatabase() },
]

for (const { name, isThere, open } of LEDGERS)
  it.runIf(isThere)(
    `the desk ends the second morning with exactly the numbers that stand at the shop, disputes the dead ones, and pays for what came back (${name})`,
    async () => {
      const sandbox = await ownSandbox()
      const office = await desk(sandbox)
      const ledger = await open(office.folder)
      const at = (workstation: string) => {
        const env = { FREIGHT_LEDGER: ledger, FREIGHT_WORKSTATION: workstation, USER: workstation }
        return (...words: string[]) => office.freight(words, { env })
      }
      const [front, dock] = [at("front"), at("dock")]
      const all: Order[] = orders(40, "SO", { connector: "connector-a", service: "76" })
      const save = async () => {
        for (const [file, [from, to]] of Object.entries(FILES))
          await saveOrders(office.folder, all.slice(from, to), file)
      }
      const done = async (running: ReturnType<typeof front>, code = 0) => {
        const ran = await running
        expect(ran.code, ran.stderr).toBe(code)
        return ran
      }
      /** The consignment numbers that the shop has for each order, in the order of the files. */
      const shop = new Map<string, string[]>()
      let handedOut = 0
      const handOut = async (freight: typeof front, ...words: string[]) => {
        const file = `tracking-${++handedOut}.csv`
        await done(freight("dispatched", "--for", "csv", "-o", file, ...words))
        const text = await readFile(path.join(office.folder, file), "utf8").catch(() => "")
        const rows = parse(text, { columns: true }) as Record<"order" | "number" | "event", string>[]
        for (const { order, number, event } of rows) {
          const before = event === "sent" ? (shop.get(order) ?? []) : []
          shop.set(order, event === "cancelled" ? [] : [...before, number])
        }
      }
      const bookAll = async () => {
        for (const file of Object.keys(FILES)) {
          const freight = file === "c.csv" ? dock : front
          await done(freight("batch", "book", file, "--yes"))
        }
      }

      await save()
      await bookAll()
      for (const file of Object.keys(FILES)) await handOut(front, "--orders", file)
      expect([shop.size, [...shop.values()].flat().length]).toEqual([40, 40])
      const firstNumber = (order: string) => shop.get(order)?.[0] ?? ""
      const dead = ["SO-3", "SO-9", "SO-30"].map(firstNumber)

      // On the phone: two are cancelled, one of them while the shop is told of the rest.
      await done(front("cancel", "SO-3", "--confirmed", "Kim, 13 20 50"))
      await done(dock("cancel", "SO-30", "--confirmed", "Lee"))
      // One is corrected: it is told as changed, cancelled, and booked in its place at the other desk.
      all[8] = { ...all[8], "receiver.address1": "80 Market Street" }
      await save()
      const changed = await done(front("batch", "book", "a.csv", "--yes"), 1)
      expect(changed.stderr).toContain(`freight cancel ${dead[1]} --confirmed; then freight batch book a.csv`)
      await done(front("cancel", dead[1] ?? "", "--confirmed", "Kim"))
      await done(dock("batch", "book", "a.csv", "--yes", "--again-for", "SO-9", "--replaces"))
      await bookAll()
      expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(41)
      await handOut(dock)

      await sandbox.control("clock", { advanceMs: DAY_MS })
      // The customer of one sends it back: both desks say so, and nobody can of what was cancelled.
      const back = (order: string) => {
        const words = ["--connector", "connector-a", "--service", "76", "--ready", BACK, "--close", "17:00"]
        return [...["book", "--return-of", order], ...words, "--yes", "--json"]
      }
      const returned = await done(dock(...back("SO-12")))
      const twice = await done(front(...back("SO-12")), 1)
      expect(twice.stderr).toContain("these packages of SO-12 come back already")
      await done(front(...back("SO-3")), 1)
      await bookAll()
      await handOut(front, "--since", "7d")
      for (const file of Object.keys(FILES)) await handOut(dock, "--orders", file)
      expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(42)

      const told = Object.fromEntries(shop)
      await done(dock("track", "SO-9"))
      const shown = await done(dock("shipments", "show", "SO-9", "--json"))
      const live = shown.json<{ shipment: { consignmentNumber: string } }>().shipment.consignmentNumber
      expect(told["SO-9"]).toEqual([live])
      expect(dead).not.toContain(live)
      expect([told["SO-3"], told["SO-30"]]).toEqual([[], []])
      expect(Object.values(told).flat()).toHaveLength(38)
      expect(Object.keys(told).filter((order) => order.includes("#"))).toEqual([])

      const today = await done(front("today", "--json"))
      expect(today.json<{ items: unknown[] }>().items).toEqual([])
      const collected = await done(front("pickup", "book", "--open", "--date", ORDER_DAY, "--dry-run"))
      expect(collected.stderr).toContain("38 shipments at ")
      const spend = await done(front("history", "--spend", "--format", "csv", "--fields", "bookings"))
      expect(spend.stdout).toBe("bookings\n39\n")

      const bill = [
        "Invoice Number,Invoice Date,Carrier,Consignment,Charge,Amount ex GST,GST,Amount inc GST",
        ...[...dead, live].map((number) => `INV-1,2031-01-05,Carrier A,${number},Freight,50.00,5.00,55.00`),
      ]
      await writeFile(path.join(office.folder, "INV-1.csv"), `${bill.join("\n")}\n`)
      const audited = await dock("audit", "INV-1.csv", "--offline", "--json", "--raise")
      const items = audited.items<{ consignmentNumber: string; verdict: string; why: string }>()
      const judged = new Map(items.map((each) => [each.consignmentNumber, each]))
      for (const [at, who] of ["Kim, 13 20 50", "Kim", "Lee"].entries())
        expect(judged.get(dead[at] ?? "")).toMatchObject({
          verdict: "cancelled",
          why: expect.stringMatching(new RegExp(`^cancelled on .*, confirmed by ${who}`)),
        })
      expect(judged.get(live)?.verdict).not.toBe("cancelled")
      const history = await done(dock("history", "--json", "--search", "RETURN-OF-SO-12"))
      const [{ consignmentNumber = "", reference = "", price = 0, weightKg = 0 } = {} as HistoryRow] =
        history.items<HistoryRow>()
      const { shipmentId } = returned.json<{ shipmentId: string }>()
      const line = { consignment: consignmentNumber ?? "", reference: reference ?? "", service: "76" }
      const charged = {
        ...line,
        weightKg: weightKg ?? 0,
        cents: Math.round((price ?? 0) * 100),
        invoice: "INV-2",
      }
      const second = await saveBill(office.folder, "INV-2.csv", csvBill([charged]))
      expect((await done(dock("audit", second, "--offline", "--json"))).json()).toMatchObject({
        items: [{ verdict: "agrees", shipmentId }],
      })
      const letter = await done(dock("disputes", "letter", "INV-1"))
      expect(letter.stdout).toContain("confirmed by Kim, 13 20 50")
    },
    120_000,
  )
