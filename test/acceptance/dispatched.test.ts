/** Tracking numbers on their way back to a shop. */
import { writeFileSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { systemIds } from "../../src/machine/host.ts"
import { desk, errorIn } from "./freight.ts"
import { LEAVE, scripted } from "../orders/wizard/scripted.ts"
import { type Order, ORDER_DAY, order, saveOrders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"

const A = { connector: "connector-a", service: "76" }
const DAY_MS = 86_400_000

async function openShop() {
  const sandbox = await ownSandbox()
  const here = await desk(sandbox)
  await here.freight(["config", "set", "carrierNames", "A=StarTrack,B=TNT,C=Toll"])
  return {
    ...here,
    sandbox,
    read: (name: string) => readFile(path.join(here.folder, name), "utf8"),
    remove: (name: string) => rm(path.join(here.folder, name)),
    async book(...list: Order[]) {
      await saveOrders(here.folder, list)
      return here.freight(["batch", "book", "orders.csv", "--yes", "--json"])
    },
    handOut: (output: string, ...words: string[]) =>
      here.freight(["dispatched", "--for", "csv", "-o", output, ...words]),
  }
}

const ORDERS = ["--orders", "orders.csv"]

describe("dispatched", () => {
  it("hands each order out once, and gives the same file again under its name", async () => {
    const { book, handOut, read } = await openShop()
    await book(order("PO-1", A))
    expect((await handOut("tracking.csv")).stderr).toBe(
      "No order waits for its number. To export others: --orders with the shop's export, or --since 7d.\n",
    )
    const first = await handOut("tracking.csv", ...ORDERS)
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("1 order in tracking.csv")])
    const text = await read("tracking.csv")
    expect(text).toMatch(
      /^order,carrier,service,number,day,event\nPO-1,CARRIER_A_AU,76,SBA\d+,\d{4}-\d\d-\d\d,sent\n$/,
    )
    const again = await handOut("tracking.csv", ...ORDERS)
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("the same file again")])
    expect(await read("tracking.csv")).toBe(text)
    expect((await handOut("other.csv", ...ORDERS)).stderr).toContain("1 order exported before, last on")
    await expect(read("other.csv")).rejects.toThrow("ENOENT")
    expect((await handOut("other.csv", "--export-again", "PO-1")).code).toBe(0)
    expect(await read("other.csv")).toBe(text.replace("sent", "again"))
  })

  it("names orders without a number, and has them in the next file without their export", async () => {
    const { book, freight, handOut, read, sandbox } = await openShop()
    await book(order("B-1", { specialInstructions: "sandbox:slow" }), order("A-1", A))
    expect((await handOut("one.csv", ...ORDERS)).stderr).toContain(
      "1 order without a number yet, for the next file: B-1",
    )
    expect(await read("one.csv")).not.toContain("B-1")
    const { items: needs } = (await freight(["today", "--json"])).json<{
      items: { need: string; what: string }[]
    }>()
    expect(needs.find(({ need }) => need === "not-dispatched")?.what).toBe("1 order without a number yet")
    await sandbox.control("clock", { advanceMs: 2 * DAY_MS })
    expect((await handOut("two.csv")).code).toBe(0)
    expect(await read("two.csv")).toMatch(/^order.*\nB-1,CARRIER_B_AU,GEN,\w+,[\d-]+,sent\n$/)
  })

  it("shows with --dry-run what would be handed out, in any format, and claims and writes nothing", async () => {
    const { book, freight, handOut, read, sandbox } = await openShop()
    await book(order("B-1", { specialInstructions: "sandbox:slow" }), order("A-1", A))
    const dry = (...words: string[]) => freight(["dispatched", "--for", "csv", "--dry-run", ...words])
    const shown = await dry(...ORDERS, "--format", "csv", "--fields", "order,event")
    expect([shown.code, shown.stdout]).toEqual([0, "order,event\nA-1,sent\nB-1,waiting\n"])
    expect(shown.stderr).toContain("Nothing was written: 1 order would be handed to")
    const named = await dry(...ORDERS, "-o", "one.csv", "--json")
    expect(named.items()).toMatchObject([{ order: "A-1" }, { order: "B-1", event: "waiting" }])
    await expect(read("one.csv")).rejects.toThrow("ENOENT")
    // Neither is B-1 known to wait, nor its number kept.
    expect((await dry()).stdout).toBe("")
    await sandbox.control("clock", { advanceMs: 2 * DAY_MS })
    expect((await dry(...ORDERS, "--json")).items()).toMatchObject([{ event: "sent" }, { event: "sent" }])
    const known = await freight([
      "history",
      "--search",
      "B-1",
      "--format",
      "csv",
      "--fields",
      "consignmentNumber",
    ])
    expect(known.stdout).toBe("consignmentNumber\n\n")
    expect((await handOut("one.csv", ...ORDERS)).stderr).toContain("2 orders in one.csv")
    expect((await dry(...ORDERS, "-o", "one.csv")).stderr).toContain("one.csv would be the same file again.")
    expect((await dry(...ORDERS)).stderr).toContain("2 orders exported before")
    const bare = await freight(["dispatched", "--for", "csv"])
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("name the import file with -o")])
  })

  it("refuses with --dry-run what the run would refuse", async () => {
    const { book, handOut, freight } = await openShop()
    await book(order("A-1", A))
    await handOut("one.csv", ...ORDERS)
    await book(order("A-2", A))
    const words = ["dispatched", "--for", "csv", ...ORDERS, "-o", "one.csv"]
    const [dry, run] = [await freight([...words, "--dry-run"]), await freight(words)]
    expect([dry.code, dry.stderr]).toEqual([run.code, run.stderr])
    expect(run.code).toBe(2)
  })

  it("keeps the orders of two accounts in one ledger apart", async () => {
    const { book, folder, freight, handOut, read, sandbox } = await openShop()
    await freight(["config", "set", "account", "main"])
    await book(order("M-1", { specialInstructions: "sandbox:slow" }))
    await handOut("main-1.csv", ...ORDERS)
    const env = {
      FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "",
      FREIGHT_CONFIG_DIR: path.join(folder, "second"),
    }
    const second = (...words: string[]) => freight(words, { env })
    await second("config", "set", "account", "second")
    await saveOrders(folder, [
      order("S-1", { connector: "second-b-pickup-fails", specialInstructions: "sandbox:slow" }),
    ])
    expect((await second("batch", "book", "orders.csv", "--yes")).code).toBe(0)
    await second("dispatched", "--for", "csv", "-o", "second-1.csv", ...ORDERS)
    const { items: needs } = (await second("today", "--json")).json<{
      items: { need: string; what: string }[]
    }>()
    expect(needs.find(({ need }) => need === "not-dispatched")).toMatchObject({
      what: "1 order without a number yet",
    })
    await sandbox.control("clock", { advanceMs: 2 * DAY_MS })
    // The ledger learns the number of M-1.
    await freight(["today"])
    const handedOut = await second("dispatched", "--for", "csv", "-o", "second-2.csv")
    expect([handedOut.code, handedOut.stdout]).toEqual([0, expect.not.stringContaining("M-1")])
    expect(await read("second-2.csv")).toMatch(/^order.*\nS-1,[^\n]*\n$/)
    await handOut("main-2.csv")
    expect(await read("main-2.csv")).toMatch(/^order.*\nM-1,[^\n]*\n$/)
  })

  it("finishes a file as it was begun, and not for another shop or account", async () => {
    const { book, folder, freight, handOut, read, sandbox } = await openShop()
    await freight(["config", "set", "account", "main"])
    await book(order("M-1", A))
    // The name is checked before anything is done, and the folder cannot be made any more once the file is claimed.
    const uuid = () => {
      writeFileSync(path.join(folder, "gone"), "a file where the folder is to be")
      return systemIds.uuid()
    }
    const killed = await freight(["dispatched", "--for", "csv", "-o", "gone/tracking.csv", ...ORDERS], {
      host: { ids: { ...systemIds, uuid } },
    })
    expect([killed.code, killed.stderr]).toEqual([2, expect.stringContaining("gone/tracking.csv")])
    await rm(path.join(folder, "gone"))
    const elsewhere = await handOut("other.csv", ...ORDERS)
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      0,
      expect.stringMatching(
        /\n1 order in (\S+\/gone\/tracking\.csv), which test-desk began and did not finish\. At test-desk: freight dispatched --for csv -o \1\n$/,
      ),
    ])
    const other = await freight(["dispatched", "--for", "ebay", "-o", "gone/tracking.csv", ...ORDERS])
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(
        /gone\/tracking\.csv was begun for csv and is not finished; nothing was written\n.*\nnext: freight dispatched --for csv -o gone\/tracking\.csv\n$/,
      ),
    ])
    const env = {
      FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "",
      FREIGHT_CONFIG_DIR: path.join(folder, "second"),
    }
    await freight(["config", "set", "account", "second"], { env })
    await saveOrders(folder, [order("S-1", { connector: "second-b-pickup-fails" })])
    expect((await freight(["batch", "book", "orders.csv", "--yes"], { env })).code).toBe(0)
    const stranger = await freight(["dispatched", "--for", "csv", "-o", "gone/tracking.csv", ...ORDERS], {
      env,
    })
    expect([stranger.code, stranger.stderr]).toEqual([
      2,
      expect.stringContaining("was begun with another account's orders and is not finished"),
    ])
    const since = ["-o", "gone/tracking.csv", "--since", "7d", "--json"]
    const { next } = errorIn((await freight(["dispatched", "--for", "csv", ...since], { env })).stderr)
    expect(next).toBe("freight dispatched --for csv --since 7d -o gone/tracking-2.csv")
    await expect(read("gone/tracking.csv")).rejects.toThrow("ENOENT")
    const pasted = /^next: freight (.*)$/m.exec(stranger.stderr)?.[1] ?? ""
    expect(pasted).toBe("dispatched --for csv --orders orders.csv -o gone/tracking-2.csv")
    expect((await freight(pasted.split(" "), { env })).code).toBe(0)
    expect(await read("gone/tracking-2.csv")).toMatch(/^order.*\nS-1,[^\n]*\n$/)
    const finished = await handOut("gone/tracking.csv")
    expect([finished.code, finished.stderr]).toEqual([
      0,
      expect.stringContaining("begun before and not finished"),
    ])
    expect(await read("gone/tracking.csv")).toMatch(/^order.*\nM-1,[^\n]*\n$/)
  })

  it("never writes over orders that may not be imported yet", async () => {
    const { book, handOut, read, remove } = await openShop()
    await book(order("PO-1", A))
    await handOut("tracking.csv", ...ORDERS)
    await book(order("PO-2", A))
    const refused = await handOut("tracking.csv", ...ORDERS)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /holds the orders of an earlier run.*\n.*\nnext: freight dispatched --for csv --orders orders\.csv -o tracking-2\.csv\n$/,
      ),
    ])
    await remove("tracking.csv")
    expect((await handOut("tracking.csv", ...ORDERS)).code).toBe(0)
    expect(await read("tracking.csv")).toContain("PO-2")
    expect(await read("tracking.csv")).not.toContain("PO-1")
  })

  it("asks for the carrier's name before anything is claimed", async () => {
    const { book, freight, read } = await openShop()
    await book(order("PO-1", A))
    await freight(["config", "unset", "carrierNames"])
    const words = ["dispatched", "--for", "amazon", ...ORDERS, "-o", "amazon.txt"]
    const refused = await freight(words)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('config set carrierNames "A=NAME"'),
    ])
    await freight(["config", "set", "carrierNames", "A=TNT"])
    expect((await freight(words)).code).toBe(0)
    expect((await read("amazon.txt")).split("\n")[1]).toMatch(/^PO-1\t\t\t[\d-]+\tTNT\t\tSBA\d+\t76$/)
  })

  it("asks a person at a terminal once for each carrier, and keeps the answer", async () => {
    const { book, freight, read } = await openShop()
    await book(order("PO-1", A), order("PO-2"))
    await freight(["config", "unset", "carrierNames"])
    await freight(["config", "set", "carrierNames", "B=TNT"])
    const conversation = scripted([
      ["How do your shop's customers know CARRIER_A_AU?", "Star,Track"],
      ["CARRIER_A_AU?", "StarTrack"],
    ])
    const words = ["dispatched", "--for", "ebay", ...ORDERS, "-o", "ebay.csv"]
    const asked = await freight(words, { columns: 100, host: { converse: async () => conversation } })
    expect([asked.code, conversation.left, conversation.refusals]).toEqual([
      0,
      [],
      ["Enter a name without = and commas."],
    ])
    expect(asked.stderr).toContain("carrierNames is saved in profile")
    expect(await read("ebay.csv")).toMatch(/^Shipped,PO-1,,,,,StarTrack,\w+\nShipped,PO-2,,,,,TNT,\w+\n$/m)
    const later = await freight([...words.slice(0, -1), "later.csv", "--export-again", "PO-1"])
    expect([later.code, await read("later.csv")]).toEqual([
      0,
      expect.stringContaining("Shipped,PO-1,,,,,StarTrack,"),
    ])
  })

  it("writes nothing where the person leaves instead of naming a carrier", async () => {
    const { book, freight, read } = await openShop()
    await book(order("PO-1", A))
    await freight(["config", "unset", "carrierNames"])
    const words = ["dispatched", "--for", "ebay", ...ORDERS, "-o", "ebay.csv"]
    const host = { converse: async () => scripted([["CARRIER_A_AU?", LEAVE]]) }
    expect((await freight(words, { columns: 100, host })).code).toBe(130)
    await expect(read("ebay.csv")).rejects.toThrow("ENOENT")
    await freight(["config", "set", "carrierNames", "A=TNT"])
    expect([(await freight(words)).code, await read("ebay.csv")]).toEqual([
      0,
      expect.stringContaining("Shipped,PO-1,,,,,TNT,"),
    ])
  })

  it("is written by a batch for what has a number", async () => {
    const { book, freight, read } = await openShop()
    await saveBoth(book)
    const ran = await freight(["batch", "book", "orders.csv", "--yes", "--dispatched", "tracking.csv"])
    expect(ran.stderr).toContain("1 order in tracking.csv")
    expect(await read("tracking.csv")).toMatch(/^order.*\nPO-1,/)
    expect(await read("orders.results.csv")).toMatch(/freight_?\.?day/i)
  })

  it("has a line for each item as the export had it, also when the number comes late", async () => {
    const { freight, folder, read, sandbox } = await openShop()
    const warehouse = {
      ...{ companyName: "Harbour Lighting Pty Ltd", address1: "14 Bourke Road", suburb: "Alexandria" },
      ...{ state: "NSW", postcode: "2015", email: "dispatch@harbour-lighting.example" },
    }
    await writeFile(path.join(folder, "warehouse.json"), JSON.stringify(warehouse))
    await freight(["address", "add", "warehouse", "--file", "warehouse.json"])
    await writeFile(path.join(folder, "amazon.txt"), AMAZON)
    const words = [
      ...["amazon.txt", "--sender", "warehouse", "--package", "30x20x10@2", "--connector", "connector-b"],
      ...["--service", "GEN", "--ready", `${ORDER_DAY} 10:00`, "--close", "17:00"],
      ...["--set", "packagingCode=CT", "--include", "partially-shipped"],
      ...["--set", "specialInstructions=sandbox:slow", "--yes", "--dispatched", "one.txt"],
    ]
    const booked = await freight(["batch", "book", ...words])
    expect([booked.code, booked.stderr]).toEqual([0, expect.stringContaining("2 orders without a number")])
    await rm(path.join(folder, "amazon.txt"))
    await sandbox.control("clock", { advanceMs: 2 * DAY_MS })
    const late = await freight(["dispatched", "--for", "amazon", "-o", "two.txt"])
    expect(late.code, late.stderr).toBe(0)
    const lines = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.split("\t"))
    const items = ["1 11 2", "1 12 1", "2 21 1"].map((line) => {
      const [n = "", item = "", quantity] = line.split(" ")
      return [`250-000000${n}-0000000`, `058356377734${item}`, quantity]
    })
    const two = lines(await read("two.txt"))
    expect(two.map((cells) => cells.slice(0, 3))).toEqual(items)
    const again = ["--export-again", "250-0000001-0000000"]
    expect((await freight(["dispatched", "--for", "amazon", "-o", "three.txt", ...again])).code).toBe(0)
    expect(lines(await read("three.txt"))).toEqual(two.slice(0, 2))
    const [head = "", one = "", two2 = "", zero = "", other = ""] = AMAZON.split("\n")
    await writeFile(path.join(folder, "mixed.txt"), `${[head, one, other, zero, two2].join("\n")}\n`)
    const mixed = ["--orders", "mixed.txt", ...again]
    expect((await freight(["dispatched", "--for", "amazon", "-o", "mixed-1.txt", ...mixed])).code).toBe(0)
    expect(lines(await read("mixed-1.txt"))).toEqual(two.slice(0, 2))
    const since = ["--since", "7d", "--export-again", "250-0000002-0000000"]
    expect((await freight(["dispatched", "--for", "amazon", "-o", "four.txt", ...since])).code).toBe(0)
    expect(lines(await read("four.txt"))).toEqual(two.slice(2))
  })

  it.each([
    ["without a shop", ["dispatched", "-o", "x.csv"], "--for says which shop"],
    ["without a file", ["dispatched", "--for", "csv"], "name the import file with -o"],
    [
      "for an order that nobody knows",
      ["dispatched", "--for", "csv", "-o", "x.csv", "--export-again", "X"],
      "no order X",
    ],
  ])("is refused %s", async (_, words, message) => {
    const { freight } = await openShop()
    const { code, stderr } = await freight(words)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

const saveBoth = (book: (...list: Order[]) => Promise<unknown>) =>
  book(order("PO-1", A), order("B-2", { specialInstructions: "sandbox:slow" }))

/** An export of Amazon: two items of one order, and one that was refunded; then another order. */
const AMAZON = [
  [
    ...["order-id", "order-item-id", "purchase-date", "buyer-name", "quantity-purchased", "quantity-to-ship"],
    ...["recipient-name", "ship-address-1", "ship-city", "ship-state", "ship-postal-code", "ship-country"],
  ],
  ...["1 11 2 2", "1 12 1 1", "1 13 1 0", "2 21 1 1"].map((line) => {
    const [n = "", item, purchased, toShip] = line.split(" ")
    return [
      ...[`250-000000${n}-0000000`, `058356377734${item}`, "2026-11-24", "Al", purchased, toShip],
      ...[`Receiver ${n}`, `${n} Market Street`, "FREMANTLE", "WA", "6160", "AU"],
    ]
  }),
]
  .map((cells) => `${cells.join("\t")}\n`)
  .join("")
