/**
 * Many days of all shops and two desks that share a ledger: numbers come late, change, and shipments are cancelled; a desk
 * is killed before, between and after the writes. In some runs what names items comes from the ledger alone.
 * FREIGHT_DISPATCH_DAYS says how many days.
 */
import { describe, expect, it } from "vitest"
import type { Database } from "../../../src/ledger/database/database.ts"
import {
  addKnownOrders,
  type DispatchDeps,
  dispatchOrders,
  type ShopOrder,
} from "../../../src/orders/dispatched/dispatch.ts"
import {
  DISPATCH_SHOP_NAMES,
  type DispatchShopName,
  getDispatchShop,
  type Item,
  listItemColumns,
} from "../../../src/orders/dispatched/shops.ts"
import { connectTo, newDatabase, SERVER } from "../../ledger/postgres.ts"
import { entry, ledgerFileIn, openFile, put, storeIn, temporaryDir, testClock } from "../../ledger/setup.ts"

const DAYS = Number(process.env.FREIGHT_DISPATCH_DAYS ?? 40)
const SHOPS = DISPATCH_SHOP_NAMES.filter((name) => name !== "csv")
const NAMES = new Map([
  ["A", "StarTrack"],
  ["B", "TNT"],
])
const KILLS = ["before the claim", "before the file", "after the file", undefined] as const

class Killed extends Error {}

interface Shipment extends ShopOrder {
  shop: DispatchShopName
  number: string | undefined
  isCancelled: boolean
  day: number
}

/** A generator of numbers from 0 to 1 that is the same each time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Reads the orders of a file with their numbers. The items of an order's consecutive lines are joined. */
function readFile(text: string, shop: DispatchShopName): { order: string; number: string; items: string }[] {
  const [head = [], ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(getDispatchShop(shop).delimiter ?? ","))
  const at = (names: RegExp) => head.findIndex((heading) => names.test(heading))
  const [order, number] = [at(/^order|^name$/i), at(/tracking.?number|shipment tracking/i)]
  const item = listItemColumns(getDispatchShop(shop)).map(([heading]) => head.indexOf(heading))
  const orders: { order: string; number: string; items: string }[] = []
  for (const cells of rows) {
    const line = { order: cells[order] ?? "", number: cells[number] ?? "" }
    const text = item.map((index) => cells[index] ?? "").join(" ")
    const last = orders.at(-1)
    if (last?.order === line.order && last.number === line.number) last.items += `, ${text}`
    else orders.push({ ...line, items: text })
  }
  return orders
}

/** One to three items, as the shop's import wants them; none where it wants nothing of them. */
function createItems(shop: DispatchShopName, n: number): readonly Item[] | undefined {
  const columns = listItemColumns(getDispatchShop(shop))
  if (columns.length === 0) return undefined
  return Array.from({ length: 1 + (n % 3) }, (_, at) =>
    Object.fromEntries(columns.map(([heading]) => [heading, `0${n}-${at}`])),
  )
}

const describeItems = (items: readonly Item[] = []) =>
  items.map((item) => Object.values(item).join(" ")).join(", ")

/** @param open another connection to the same ledger */
async function live(open: () => Promise<Database>, days: number, seed: number, isAtOnce: boolean) {
  const random = createRandom(seed)
  const desks = await Promise.all(
    ["front", "dock"].map(async (workstation) => ({
      workstation,
      store: storeIn(await open()),
      /** Files as they are on its disk, by their names. */
      files: new Map<string, string>(),
      /** Was killed while it wrote this file. */
      unfinished: new Map<DispatchShopName, string>(),
    })),
  )
  const [first] = desks
  if (!first) throw new Error("no desk")
  const shipments: Shipment[] = []
  const byId = new Map<string, Shipment>()
  /** Orders with the number that a file gave the shop. */
  const told: string[] = []
  const imported = new Map<string, string>()
  let [made, kills, batches] = [0, 0, 0]

  const handOut = async (
    desk: (typeof desks)[number],
    shop: DispatchShopName,
    kill: (typeof KILLS)[number],
    isFromLedger = false,
  ) => {
    const file = desk.unfinished.get(shop) ?? `${shop}-${++batches}.csv`
    const idOf = ({ entry: booked }: ShopOrder) => booked.facts.shipmentId ?? ""
    const recent = shipments.filter((each) => each.shop === shop && each.day > day - 12)
    const known = isFromLedger ? await addKnownOrders({ store: desk.store }, [], shop) : []
    const knownIds = new Set(known.map(idOf))
    // An export that has only what the ledger does not know.
    const orders: ShopOrder[] = [...known, ...recent.filter((each) => !knownIds.has(idOf(each)))]
    const found = new Map(
      orders.flatMap((each) => [[idOf(each), byId.get(idOf(each)) ?? expect.unreachable()]]),
    )
    const deps: DispatchDeps = {
      store: desk.store,
      sender: { workstation: desk.workstation, person: "ann" },
      ids: { uuid: () => `batch ${++batches}` },
      readText: async (name) => desk.files.get(name),
      confirmOverwrite: async () => expect.unreachable("no file is written over"),
      nameCarriers: async () => {
        if (kill === "before the claim") throw new Killed()
        return NAMES
      },
      outputs: {
        check: () => {},
        async write(name, text) {
          if (kill === "before the file") throw new Killed()
          desk.files.set(name, String(text))
          if (kill === "after the file") throw new Killed()
        },
      },
    }
    desk.unfinished.set(shop, file)
    const before = desk.files.get(file)
    try {
      const done = await dispatchOrders(deps, orders, { shop, file, force: false, again: new Set(), found })
      desk.unfinished.delete(shop)
      if (before !== undefined) expect(desk.files.get(file), "the same bytes after a kill").toBe(before)
      const text = desk.files.get(file)
      const lines = text === undefined ? [] : readFile(text, shop)
      const withLine = done.rows.filter(
        ({ event }) => event !== "cancelled" || getDispatchShop(shop).canWithdraw,
      )
      expect(lines).toEqual(
        withLine.map(({ order, number, event, shipmentId }) => ({
          order,
          number: shop === "amazon" && event === "cancelled" ? "NULL" : number,
          items: describeItems(byId.get(shipmentId)?.items),
        })),
      )
      for (const { shipmentId, event, number, numberBefore } of done.rows) {
        const last = imported.get(shipmentId)
        if (event === "sent") expect(last, `${shipmentId} twice`).toBeUndefined()
        else expect(last, `${shipmentId} ${event} without before`).toBeDefined()
        if (event === "changed") expect(number).not.toBe(last)
        if (event === "changed" && last !== "cancelled") expect(numberBefore).toBe(last)
        if (event !== "cancelled") told.push(`${shipmentId} ${number}`)
        imported.set(shipmentId, event === "cancelled" ? "cancelled" : number)
      }
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      kills++
    }
  }

  let day = 0
  for (; day < days; day++) {
    const fresh: Shipment[] = SHOPS.flatMap((shop) =>
      Array.from({ length: Math.floor(random() * 3) }, (): Shipment => {
        const n = ++made
        const isLate = random() < 0.4
        const carrier = isLate ? "CARRIER_B_AU" : "CARRIER_A_AU"
        const facts = { carrier, serviceCode: "GEN", shipmentId: `shp-${n}`, reference: `${shop}-${n}` }
        const booked = entry({
          ...{ key: `key:${shop}-${n}`, state: "done", facts, content: `content-${n}` },
          request: { collectionDateTime: "2026-11-23T10:00:00" },
        })
        const orderId = `${shop}-${n}`
        const items = createItems(shop, n)
        const number = isLate ? undefined : `N${n}`
        return { entry: booked, orderId, ...(items && { items }), shop, number, isCancelled: false, day }
      }),
    )
    if (fresh.length > 0) await put(first.store, ...fresh.map((each) => each.entry))
    shipments.push(...fresh)
    for (const each of fresh) byId.set(each.entry.facts.shipmentId ?? "", each)
    for (const each of shipments.slice(-60)) {
      if (each.number === undefined && (random() < 0.5 || each.day < day - 6))
        each.number = `L${each.orderId}`
      else if (each.number !== undefined && !each.isCancelled && each.day > day - 6) {
        if (random() < 0.03) each.number += "x"
        if (random() < 0.02) each.isCancelled = true
      }
    }
    for (const shop of SHOPS) {
      const kill = () => KILLS[Math.floor(random() * 8)]
      const isFromLedger = random() < 0.1
      if (isAtOnce) await Promise.all(desks.map((desk) => handOut(desk, shop, kill(), isFromLedger)))
      else for (const desk of desks) await handOut(desk, shop, kill(), isFromLedger)
    }
  }
  for (let again = 0; again < 2; again++)
    for (const shop of SHOPS) for (const desk of desks) await handOut(desk, shop, undefined)
  return { shipments, told, imported, kills, desks }
}

const KINDS = [
  {
    name: "SQLite",
    isThere: true,
    // Its driver holds the thread while another desk writes: these two would wait for each other.
    isAtOnce: false,
    async open() {
      const file = ledgerFileIn(temporaryDir())
      const clock = testClock()
      return async () => openFile(file, clock)
    },
  },
  {
    name: "PostgreSQL",
    isThere: SERVER !== undefined,
    isAtOnce: true,
    async open() {
      const address = await newDatabase()
      return () => connectTo(address)
    },
  },
]

describe.each(KINDS)("orders of all shops, on $name", ({ isThere, isAtOnce, open }) => {
  it.runIf(isThere)(
    `${DAYS} days: none is lost, and none is handed out twice`,
    { timeout: 3_600_000 },
    async () => {
      const { shipments, told, imported, kills } = await live(await open(), DAYS, 56, isAtOnce)
      expect(shipments.length).toBeGreaterThan(DAYS * 3)
      expect(kills).toBeGreaterThan(DAYS)
      expect(new Set(told).size).toBe(told.length)
      for (const { entry: booked, number, isCancelled } of shipments) {
        const last = imported.get(booked.facts.shipmentId ?? "")
        // A shipment that was cancelled before its export was never imported.
        if (isCancelled) expect([undefined, "cancelled"], booked.id).toContain(last)
        else expect(last, booked.id).toBe(number)
      }
    },
  )
})
