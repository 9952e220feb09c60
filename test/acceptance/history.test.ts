import type { Rate } from "../../src/app/library.ts"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import { systemClock } from "../../src/machine/host.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { driver } from "../ledger/setup.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import type { HistorySpendRow } from "../../src/reports/spend-by.ts"
import { bookingDesk } from "./bookings.ts"
import { fileSandbox, ownSandbox } from "./own-sandbox.ts"

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

const sandbox = await fileSandbox()

describe("booking twice", () => {
  it("refuses an equal booking, and names the earlier shipment and how to go on; --again books it", async () => {
    const { book } = await bookingDesk(sandbox)
    const { shipmentId } = (await book()).json<BookingResponse>()
    const second = await book()
    expect(second.code).toBe(1)
    const { error } = JSON.parse(second.stderr.trim().split("\n").at(-1) ?? "")
    expect(error.message).toContain(shipmentId)
    expect(error.next).toBe(`freight shipments show ${shipmentId}`)
    const other = (await book("--again")).json<BookingResponse>()
    expect(other.shipmentId).not.toBe(shipmentId)
  })

  it("a rate of its own does not make an equal booking another one", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    const rate = async () =>
      (await freight(["rate-shop", ...LANE, "--service", "STD", "--cheapest", "--json"])).items<{
        rateId: string
      }>()[0]?.rateId ?? ""
    expect((await book("--rate", await rate())).code).toBe(0)
    expect((await book("--rate", await rate())).code).toBe(1)
  })

  it("knows nothing of what another account booked under the same key", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await book("--key", "order-7")
    const env = { FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "" }
    const line = "book --file booking.json --key order-7 --service STD --connector connector-c"
    const other = await freight(line.split(" "), { env })
    expect(other.stderr).not.toContain("was used for another booking")
  })

  it("--key with --again books an equal one under that key, once", async () => {
    const { book } = await bookingDesk(sandbox)
    await book()
    expect((await book("--key", "k")).code).toBe(1)
    const first = await book("--key", "k", "--again")
    const second = await book("--key", "k", "--again")
    expect([first.code, second.code]).toEqual([0, 0])
    expect(second.json()).toEqual(first.json())
  })

  it("is refused also where the address of the service is spelled otherwise", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await book("--key", "order-8")
    const env = { FREIGHT_BASE_URL: sandbox.freightBaseUrl.replace("127.0.0.1", "localhost") }
    const again = await freight(["book", "--file", "booking.json"], { env })
    expect(again.code).toBe(1)
    expect(again.stderr).toContain("an equal booking was made")
  })
})

describe("history", () => {
  it("shows what was booked, found by key, reference or consignment", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    const booking = (await book("--key", "order-7", "--reference", "PO-77")).json<BookingResponse>()
    for (const words of ["order-7", "po-77", booking.orderNumber ?? "", "fremantle"]) {
      const rows = (await freight(["history", "--search", words, "--json"])).items<HistoryRow>()
      expect(rows).toMatchObject([
        { kind: "shipment", state: "done", key: "order-7", shipmentId: booking.shipmentId },
      ])
    }
    expect((await freight(["history", "--search", "nothing like it", "--json"])).items()).toEqual([])
  })

  it("keeps what cannot be asked for again", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await book("--reference", "PO-78")
    expect((await freight(["history", "--json"])).items<HistoryRow>()).toMatchObject([
      {
        reference: "PO-78",
        workstation: "test-desk",
        price: expect.any(Number),
        currency: "AUD",
        rateId: expect.any(String),
        quoteId: expect.any(String),
        orderNumber: expect.any(String),
        weightKg: 11,
        receiverPostcode: "6160",
        packages: [expect.objectContaining({ count: 2 })],
      },
    ])
    expect((await freight(["history", "--spend", "--json"])).items()).toMatchObject([{ unpriced: 0 }])
  })

  it("shows the same in a table, for which less is read, as in a table of chosen fields", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await book("--key", "order-9", "--reference", "PO-79", "--connector", "connector-a", "--service", "76")
    const { stdout } = await freight(["history"])
    for (const text of ["order-9", "PO-79", "76", "AUD", "Fremantle"]) expect(stdout).toContain(text)
    const fields =
      "reference,consignmentNumber,about,price,state,sentAt,kind,serviceCode,key,shipmentId".split(",")
    expect(stdout.split("\n")[0]?.split(/ {2,}/)).toHaveLength(fields.length)
    expect((await freight(["history", "--fields", fields.join(",")])).stdout).toBe(stdout)
  })

  it("shows the newest 50 in a table on a terminal, and all in a pipe and every other format", async () => {
    const { book, freight, state } = await bookingDesk(sandbox)
    await book("--key", "order-0")
    const database = openSqlite(path.join(state, "ledger.db"), { driver, clock: systemClock })
    const [row = {}] = await database.all("select * from sends")
    const copies = Array.from({ length: 50 }, (_, n) => ({
      ...row,
      id: `copy-${n}`,
      idempotency_key: `copy-${n}`,
      shipment_id: `copy-${n}`,
    }))
    await database.transaction((transaction) => insertRows(transaction, "sends", copies.slice(0, 49)))
    const countRows = (table: string) => table.split("\n").filter((line) => /\bdone\b/.test(line)).length
    const whole = await freight(["history"], { columns: 200 })
    expect([countRows(whole.stdout), whole.stderr]).toEqual([50, expect.not.stringContaining("newest")])
    await database.transaction((transaction) => insertRows(transaction, "sends", copies.slice(49)))
    await database.close()
    const shown = await freight(["history"], { columns: 200 })
    expect([countRows(shown.stdout), shown.stderr]).toEqual([50, expect.stringContaining("newest 50")])
    const piped = await freight(["history"])
    expect([countRows(piped.stdout), piped.stderr]).toEqual([51, expect.not.stringContaining("newest")])
    const json = await freight(["history", "--json"], { columns: 200 })
    expect(json.items<HistoryRow>()).toHaveLength(51)
  })

  it("filters by time, kind and state", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await book()
    const count = async (...args: string[]) =>
      (await freight(["history", "--json", ...args])).items<HistoryRow>().length
    expect(await count("--since", "1h")).toBe(1)
    expect(await count("--since", "2126-01-01")).toBe(0)
    expect(await count("--kind", "pickup")).toBe(0)
    expect(await count("--state", "done")).toBe(1)
    expect(await count("--since", "yesterday")).toBe(1)
  })

  it("adds up what was booked, from the rate that each is linked to", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    const [rate] = (await freight(["rate-shop", ...LANE, "--cheapest", "--json"])).items<Rate>()
    await book("--rate", rate?.rateId ?? "")
    const sums = (await freight(["history", "--spend", "--json"])).items<HistorySpendRow>()
    expect(sums).toEqual([
      { group: rate?.carrier, bookings: 1, unpriced: 0, amount: rate?.price, currency: "AUD" },
    ])
  })
})

describe("a filter that finds nothing", () => {
  it("does not say that nothing was sent", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    expect((await freight(["history", "--state", "unknown"])).stderr).toContain("Nothing was sent.")
    await book()
    for (const filter of ["--state unknown", "--search nothing", "--since 2126-01-01", "--kind pickup"]) {
      const { code, stderr } = await freight(["history", ...filter.split(" ")])
      expect(code).toBe(0)
      expect(stderr).toContain(`Nothing matches ${filter}. The history has 1 entry in total.`)
    }
    const spend = await freight(["history", "--spend", "--since", "2126-01-01"])
    expect(spend.stderr).toContain("Nothing matches --since 2126-01-01.")
  })
})

describe("times", () => {
  /** A zone in which today is another day than in UTC. */
  const elsewhere = () => (new Date().getUTCHours() < 12 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati")
  const today = (zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(Date.now())

  it("are those of the person's clock: the day of --since, the months of --spend, what is shown", async () => {
    const TZ = elsewhere()
    const { book, freight } = await bookingDesk(sandbox)
    const { shipmentId } = (await book()).json<BookingResponse>()
    const run = (...args: string[]) => freight(["history", ...args], { env: { TZ } })
    expect((await run("--since", today(TZ), "--json")).items<HistoryRow>()).toHaveLength(1)
    const dayAfter = new Date(Date.parse(today(TZ)) + 86_400_000).toISOString().slice(0, 10)
    expect((await run("--since", dayAfter, "--json")).items()).toEqual([])
    const [month] = (await run("--spend", "month", "--json")).items<HistorySpendRow>()
    expect(month?.group).toBe(today(TZ).slice(0, 7))
    const [, , day] = today(TZ).split("-")
    expect((await run("--fields", "sentAt")).stdout).toMatch(
      new RegExp(`\\w{3} ${Number(day)} \\w{3} \\d{4}, `),
    )
    const shown = await freight(["shipments", "show", shipmentId], { env: { TZ } })
    expect(shown.stdout).toMatch(new RegExp(`Booked.* ${Number(day)} \\w{3} \\d{4}, `))
  })

  it("stay UTC in JSON, and are read by spreadsheets in CSV", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await book()
    const [row] = (await freight(["history", "--json"])).items<HistoryRow>()
    expect(row?.sentAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const csv = await freight(["history", "--format", "csv", "--fields", "sentAt,sentLocal"], {
      env: { TZ: "Australia/Sydney" },
    })
    const [sentAt, sentLocal = ""] = csv.stdout.trim().split(/\r?\n/)[1]?.split(",") ?? []
    expect(sentAt).toBe(row?.sentAt)
    expect(sentLocal).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })
})

describe("shipments list", () => {
  it("has what the ledger knows in its table and on request, and the API's own fields otherwise", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await book("--key", "list-1", "--reference", "PO-LIST", "--connector", "connector-a", "--service", "76")
    const table = await freight(["shipments", "list", "--limit", "1"], { columns: 80 })
    expect(table.stdout).toMatch(
      /^REFERENCE +CONSIGNMENT +TO +PRICE +STATUS .*\nPO-LIST +\S+ +Port Street .+ +AUD \d+\.\d\d +\S+/,
    )
    const list = ["shipments", "list", "--limit", "1", "--format", "csv"]
    expect((await freight(list)).stdout).toMatch(
      /^id,consignmentNumber,carrier,connectorName,orderNumber,serviceCode,serviceDescription,fromSuburb,toSuburb,status,pickupStatus,source,createdAt\n/,
    )
    const fields = ["--fields", "freight.key,freight.price,freight.currency,toSuburb"]
    expect((await freight([...list, ...fields])).stdout).toMatch(/\nlist-1,\d+(\.\d+)?,AUD,Fremantle\n$/)
    const json = await freight(["shipments", "list", "--limit", "1", "--json"])
    expect(json.stdout).not.toContain("PO-LIST")
  })
})

describe("reconcile", () => {
  it("settles a booking whose reply never came, and then gives its result", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    const lost = await book("--key", "order-8", "--reference", "PO-8")
    await sandbox.control("faults", undefined, "DELETE")
    expect(lost.code).toBe(7)
    const again = await book("--key", "order-8", "--reference", "PO-8", "--without-looking")
    expect(again.code).toBe(7)
    expect(JSON.parse(again.stderr.trim().split("\n").at(-1) ?? "").error.next).toBe("freight reconcile")

    const settled = await freight(["reconcile", "--json"])
    expect(settled.code).toBe(0)
    expect(settled.items<{ outcome: string }>()).toMatchObject([{ key: "order-8", outcome: "settled" }])
    expect((await book("--key", "order-8", "--reference", "PO-8")).code).toBe(0)
  })

  it("leaves open what it cannot find, by its reference where it has no key, until it is released", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
    expect((await book("--reference", "PO-10")).code).toBe(7)
    await sandbox.control("faults", undefined, "DELETE")
    const { code, stdout, stderr } = await freight(["reconcile"])
    expect([code, stdout]).toEqual([7, expect.stringMatching(/^none +PO-10 /m)])
    expect(stdout + stderr).not.toContain("content:")
    expect(stderr).toContain("PO-10: ")
    const [open] = (await freight(["reconcile", "--json"])).items<{ key: string; reference: string }>()
    expect(open).toMatchObject({ key: expect.stringMatching(/^content:/), reference: "PO-10" })
    expect((await freight(["reconcile", "--release", "PO-10"])).code).toBe(0)
    expect((await book("--reference", "PO-10")).code).toBe(0)
  })

  it("releases several at once, up to one that is not there", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    await sandbox.control("faults", { fault: "drop-before:x2@POST/shipments" })
    for (const key of ["order-11", "order-12"])
      expect((await book("--key", key, "--reference", key)).code).toBe(7)
    await sandbox.control("faults", undefined, "DELETE")
    const names = ["order-11", "nothing", "order-12"].flatMap((key) => ["--release", key])
    const first = await freight(["reconcile", ...names, "--json"])
    expect(first.code, first.stderr).toBe(5)
    expect(first.items()).toMatchObject([{ key: "order-11", outcome: "released" }])
    expect((await freight(["reconcile", "--release", "order-12"])).code).toBe(0)
  })
})

describe("an order whose outcome is unknown", () => {
  const lose = async (fault: string, ...line: string[]) => {
    const own = await ownSandbox()
    const made = await bookingDesk(own)
    await own.control("faults", { fault: `${fault}:x1@POST/shipments` })
    expect((await made.book(...line)).code).toBe(7)
    return { ...made, sandbox: own }
  }

  it("stops no other reference, which is sent with a warning that names it", async () => {
    const { book } = await lose("drop-before", "--key", "PO-21", "--reference", "PO-21")
    const dry = await book("--key", "PO-22", "--reference", "PO-22", "--dry-run")
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining("PO-21 has the same goods")])
    const other = await book("--key", "PO-22", "--reference", "PO-22")
    expect([other.code, other.stderr]).toEqual([0, expect.stringContaining("PO-21 has the same goods")])
    expect((await book("--key", "PO-21", "--reference", "PO-21")).code).toBe(7)
    const unlike = await book("--key", "PO-23", "--reference", "PO-23", "--package", "3x40x30x20@6")
    expect([unlike.code, unlike.stderr]).toEqual([0, expect.not.stringContaining("the same goods")])
  })

  it("stops the same booking without a key", async () => {
    const { book } = await lose("drop-before", "--key", "PO-24")
    expect((await book()).code).toBe(7)
  })

  it("is settled by the next look, which has read its shipment", async () => {
    const { book, freight } = await lose("drop-after-commit", "--key", "PO-25", "--reference", "PO-25")
    const again = await book("--key", "PO-25", "--reference", "PO-25")
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining("PO-25, whose outcome was unknown, is shipment"),
    ])
    expect((await freight(["reconcile", "--json"])).items()).toEqual([])
  })
})
