import { describe, expect, it } from "vitest"
import {
  type DispatchEvent,
  findDispatches,
  findWaiting,
  finishDispatches,
} from "../../src/orders/dispatched/records.ts"
import { createNeed } from "../../src/reports/today/needs.ts"
import { copyLedger } from "../../src/ledger/maintenance/admin.ts"
import { addKnownOrders, dispatchOrders } from "../../src/orders/dispatched/dispatch.ts"
import {
  claimOrders,
  decideDispatch,
  decideDispatches,
  type OrderNow,
  planDispatches,
} from "../../src/orders/dispatched/plan.ts"
import { readBookedSince } from "../../src/orders/dispatched/orders.ts"
import { renderHead, renderOrder } from "../../src/orders/dispatched/file.ts"
import { getDispatchShop, type Item } from "../../src/orders/dispatched/shops.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import { entry, ledgerFileIn, openFile, put, storeIn, temporaryDir } from "./setup.ts"

const written = { writtenAt: "2026-11-23T00:00:00.000Z" }

describe("whether an order is exported", () => {
  const sent = { event: "sent", number: "N1", ...written } as const
  it.each([
    ["for the first time", undefined, { number: "N1" }, "sent"],
    ["when its number comes", undefined, { number: undefined }, "waiting"],
    ["once", sent, { number: "N1" }, undefined],
    ["again where a person says so", sent, { number: "N1", isAgain: true }, "again"],
    ["with another number", sent, { number: "N2" }, "changed"],
    ["when it is cancelled", sent, { number: "N1", isCancelled: true }, "cancelled"],
    ["not if it was cancelled before", undefined, { number: "N1", isCancelled: true }, undefined],
    ["cancelled once", { ...sent, event: "cancelled" }, { number: "N1", isCancelled: true }, undefined],
    ["in one unfinished file", { event: "sent", number: "N1" }, { number: "N2" }, undefined],
    [
      "out of an unfinished file",
      { event: "sent", number: "N1" },
      { number: "N2", isAgain: true },
      "changed",
    ],
  ] as const)("%s", (_, last, now, event) => {
    expect(decideDispatch(last, { isCancelled: false, ...now })).toBe(event)
  })
})

describe("what is exported of an order with several consignments", () => {
  const sent = { event: "sent", number: "N1", ...written } as const
  const cancelled = { ...sent, event: "cancelled" } as const
  type Last = { event: DispatchEvent; number?: string; writtenAt?: string }
  /** The first, and another one of its order. */
  type Case = [
    string,
    Last | undefined,
    { isCancelled: boolean },
    Last | undefined,
    string | undefined,
    string[],
  ]
  const [dead, live] = [{ isCancelled: true }, { isCancelled: false }]
  it.each<Case>([
    ["two that stand are two", undefined, live, undefined, "N2", ["sent", "sent"]],
    ["the second after the first", sent, live, undefined, "N2", ["", "sent"]],
    [
      "the number that stands in place of the dead one",
      sent,
      dead,
      undefined,
      "N2",
      ["cancelled", "changed"],
    ],
    ["once", cancelled, dead, { event: "changed", number: "N2", ...written }, "N2", ["", ""]],
    ["a number of which none was told before is sent", undefined, dead, undefined, "N2", ["", "sent"]],
    ["a new number after a cancellation is a change", cancelled, dead, undefined, "N2", ["", "changed"]],
    ["the old number stays until the new one is there", sent, dead, undefined, undefined, ["", "waiting"]],
    [
      "the one that stands is told again",
      sent,
      dead,
      { ...sent, number: "N2" },
      "N2",
      ["cancelled", "changed"],
    ],
    [
      "nothing while the dead one is in an unfinished file",
      { event: "sent", number: "N1" },
      dead,
      undefined,
      "N2",
      ["", ""],
    ],
    [
      "what is taken back is told anew, with the other one",
      cancelled,
      live,
      { ...sent, number: "N2" },
      "N2",
      ["changed", "changed"],
    ],
    [
      "both where the number of one has changed",
      { ...sent, number: "N0" },
      live,
      { ...sent, number: "N2" },
      "N2",
      ["changed", "changed"],
    ],
    [
      "nothing while the other one is in an unfinished file",
      { ...sent, number: "N0" },
      live,
      { event: "sent", number: "N2" },
      "N2",
      ["", ""],
    ],
  ])("%s", (_, last, { isCancelled }, lastOfOther, number, expected) => {
    const orders: OrderNow[] = [
      { shipmentId: "one", orderId: "1", number: "N1", isCancelled, ofOrder: "order 1" },
      { shipmentId: "other", orderId: "1", number, isCancelled: false, ofOrder: "order 1" },
      { shipmentId: "stranger", orderId: "2", number: "N3", isCancelled: false, ofOrder: "order 2" },
    ]
    const lastOf = new Map<string, Last>([
      ...(last ? [["one", last] as const] : []),
      ...(lastOfOther ? [["other", lastOfOther] as const] : []),
      ["stranger", { ...sent, number: "N3" }],
    ])
    const decided = decideDispatches(orders, lastOf)
    expect(["one", "other"].map((id) => decided.get(id) ?? "")).toEqual(expected)
    expect(decided.has("stranger")).toBe(false)
  })
})

it("an order of which one number is dead is reported with all the others that its shop has", () => {
  const sent = { event: "sent", ...written } as const
  const orders: OrderNow[] = ["dead", "first", "second", "new", "late"].map((shipmentId) => ({
    ...{ shipmentId, orderId: "1", ofOrder: "order 1", isCancelled: shipmentId === "dead" },
    number: shipmentId === "late" ? undefined : shipmentId,
  }))
  const lastOf = new Map(["dead", "first", "second"].map((number) => [number, { ...sent, number }]))
  expect([...decideDispatches(orders, lastOf)]).toEqual([
    ["dead", "cancelled"],
    ["new", "changed"],
    ["late", "waiting"],
    ["first", "changed"],
    ["second", "changed"],
  ])
})

const DATABASES = [
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const

describe.each(DATABASES)("orders in files, on %s", (_, isThere, open) => {
  const order = (n: number): OrderNow => {
    return { shipmentId: `shp-${n}`, orderId: `${n}`, number: `N${n}`, isCancelled: false }
  }
  const claim = (
    database: Awaited<ReturnType<typeof open>>,
    workstation: string,
    file: string,
    ...orders: OrderNow[]
  ) =>
    claimOrders(database, orders, {
      ...{ shop: "csv", file, batch: `${workstation} ${file} ${orders.length}`, head: "order\n" },
      ...{ workstation, person: "ann" },
      render: ({ orderId }) => `${orderId}\n`,
    })

  it.runIf(isThere)("are claimed once, and written as they were claimed after a kill", async () => {
    const database = await open()
    const first = await claim(database, "front", "a.csv", order(1), { ...order(2), number: undefined })
    expect([first.from, first.rows.map(({ id }) => id)]).toEqual(["new", ["shp-1 1"]])
    expect((await claim(database, "dock", "b.csv", order(1))).rows).toEqual([])
    const [waiting] = await findWaiting(database)
    expect(waiting).toMatchObject({
      shop: "csv",
      count: 2,
      waiting: 1,
      ready: 0,
      file: { name: "a.csv", desk: "front" },
    })
    const need = waiting && createNeed("not-dispatched", waiting)
    expect([need?.what, need?.next]).toEqual([
      "a.csv was begun at front and not finished: run this there; 1 order without a number yet",
      "freight dispatched --for csv -o a.csv",
    ])
    const killed = await claim(database, "front", "a.csv", order(1), order(3))
    expect([killed.from, killed.rows]).toEqual(["unfinished", first.rows])
    await finishDispatches(database, first.rows[0]?.batch ?? "")
    const again = await claim(database, "front", "a.csv", order(1))
    expect([again.from, again.rows.map(({ body }) => body)]).toEqual(["same", ["1\n"]])
    const next = await claim(database, "front", "c.csv", order(1), order(2), order(3))
    expect(next.rows.map(({ orderId, event }) => `${orderId} ${event}`)).toEqual(["2 sent", "3 sent"])
  })

  it.runIf(isThere)("are found out as they would be claimed, and nothing is written", async () => {
    const database = await open()
    const orders = [order(1), { ...order(2), number: undefined }]
    const given = {
      ...{ shop: "csv", file: "a.csv", batch: "a", head: "order\n", workstation: "front", person: "ann" },
      render: ({ orderId }: OrderNow) => `${orderId}\n`,
    }
    const plan = async () => {
      const { rows, from } = await planDispatches(database, orders, given)
      return { from, rows: rows.map(({ at: _, ...row }) => row) }
    }
    const planned = await plan()
    expect(await plan()).toEqual(planned)
    expect(await findDispatches(database, ["shp-1", "shp-2"])).toEqual([])
    const { rows, from } = await claimOrders(database, orders, given)
    expect({ from, rows: rows.map(({ at: _, ...row }) => row) }).toEqual(planned)
    expect(await plan()).toMatchObject({ from: "unfinished", rows: [{ id: "shp-1 1", event: "sent" }] })
    await finishDispatches(database, "a")
    expect((await plan()).from).toBe("same")
    expect(await findDispatches(database, ["shp-1"])).toHaveLength(1)
  })

  it.runIf(isThere)("wait for the account that booked them", async () => {
    const database = await open()
    const [own, other] = ["freight:own", "freight:other"]
    const book = (n: number, scope: string) =>
      entry({ scope, key: `key:${n}`, state: "done", facts: { shipmentId: `shp-${n}`, about: "" } })
    await put(storeIn(database), book(1, own), book(2, other), book(3, own), book(4, other))
    await claim(database, "front", "a.csv", { ...order(1), number: undefined }, order(3))
    await claim(database, "front", "b.csv", { ...order(2), number: undefined }, order(4))
    const known = async (scopes?: readonly string[]) =>
      (await addKnownOrders({ store: { database }, scopes }, [], "csv")).map(({ orderId }) => orderId).sort()
    expect(await known([own])).toEqual(["1", "3"])
    expect(await known([other])).toEqual(["2", "4"])
    expect(await known()).toEqual(["1", "2", "3", "4"])
    const waiting = async (scopes?: readonly string[]) =>
      (await findWaiting(database, scopes)).map(({ count, file }) => [count, file?.name])
    expect(await waiting([own])).toEqual([[2, "a.csv"]])
    expect(await waiting([other])).toEqual([[2, "b.csv"]])
    expect((await waiting()).map(([count]) => count)).toEqual([4])
  })

  it.runIf(isThere)(
    "are undone with the number that the shop has, whatever the carrier gave since",
    async () => {
      const database = await open()
      const write = (file: string, now: Partial<OrderNow>) =>
        claimOrders(database, [{ ...order(1), ...now }], {
          ...{ shop: "csv", file, batch: file, head: "order\n", workstation: "front", person: "ann" },
          render: ({ orderId, number }, event) => `${orderId},${number},${event}\n`,
        })
      await write("a.csv", {})
      await finishDispatches(database, "a.csv")
      const { rows } = await write("b.csv", { number: "M1", isCancelled: true })
      expect(rows.map(({ number, body }) => [number, body])).toEqual([["N1", "1,N1,cancelled\n"]])
      await finishDispatches(database, "b.csv")
      const again = await write("c.csv", { number: "M1", isCancelled: true, isAgain: true })
      expect(again.rows.map(({ body }) => body)).toEqual(["1,N1,cancelled\n"])
    },
  )

  it.runIf(isThere)(
    "are undone where their shipment turns out to be another order's, which is exported with it",
    async () => {
      const database = await open()
      const store = storeIn(database)
      const book = (id: string, facts: object, state: "done" | "unknown" = "done") =>
        entry({ id, key: `key:${id}`, keyGiven: true, state, facts: { about: "", ...facts } })
      const handOut = async (file: string, found: Record<string, { number: string }>) => {
        const given = await readBookedSince(store, undefined, "csv", 0)
        const orders = await addKnownOrders({ store }, given, "csv")
        const kept: string[] = []
        await dispatchOrders(
          {
            ...{ store, sender: { workstation: "front", person: "" }, ids: { uuid: () => file } },
            readText: async () => undefined,
            confirmOverwrite: async () => {},
            nameCarriers: async () => new Map(),
            outputs: { check() {}, write: async (_, written) => void kept.push(String(written)) },
          },
          orders,
          {
            ...{ shop: "csv", file, force: false, again: new Set<string>() },
            found: new Map(
              Object.entries(found).map(([id, each]) => [id, { ...each, isCancelled: false }] as const),
            ),
          },
        )
        return (kept[0] ?? "")
          .split("\n")
          .slice(1, -1)
          .map((line) => line.replace(/,.*?(N\d).*,/, " $1 "))
      }
      await put(store, book("PO-1", { shipmentId: "shp-1" }), book("PO-2", {}, "unknown"))
      expect(await handOut("a.csv", { "shp-1": { number: "N1" } })).toEqual(["PO-1 N1 sent"])
      expect(await handOut("b.csv", { "shp-1": { number: "N1" } })).toEqual([])
      await database.run("update sends set shipment_id = null, state = 'unknown' where id = 'PO-1'", [])
      await database.run("update sends set shipment_id = 'shp-1', state = 'done' where id = 'PO-2'", [])
      expect(await handOut("c.csv", { "shp-1": { number: "N1" } })).toEqual([
        "PO-1 N1 cancelled",
        "PO-2 N1 sent",
      ])
      expect(await handOut("d.csv", { "shp-1": { number: "N1" } })).toEqual([])
      await database.run("update sends set shipment_id = 'shp-2', state = 'done' where id = 'PO-1'", [])
      const both = { "shp-1": { number: "N1" }, "shp-2": { number: "N2" } }
      expect(await handOut("e.csv", both)).toEqual(["PO-1 N2 changed"])
      expect(await handOut("f.csv", both)).toEqual([])
    },
  )

  it.runIf(isThere)("keep what names their items, also where a desk hands them out without", async () => {
    const database = await open()
    await put(storeIn(database), entry({ key: "key:1", state: "done", facts: { shipmentId: "shp-1" } }))
    const shop = getDispatchShop("amazon")
    const items: readonly Item[] = ["01", "2"].map((n) => ({ "order-item-id": n, quantity: "1" }))
    const claimFor = (file: string, now: Partial<OrderNow>, kept: readonly Item[] | undefined) =>
      claimOrders(database, [{ ...order(1), ...now }], {
        ...{ shop: "amazon", file, batch: file, head: renderHead(shop), workstation: "front", person: "ann" },
        render: ({ orderId, number = "" }, event) => {
          const told = { order: orderId, number, event, carrier: "TNT", service: "76", day: "2026-11-24" }
          return renderOrder(shop, told, kept)
        },
      })
    const known = async () => {
      const [found] = await addKnownOrders({ store: { database } }, [], "amazon")
      return found?.items
    }
    await claimFor("a.txt", { number: undefined }, undefined)
    expect(await known()).toBeUndefined()
    await claimFor("a.txt", { number: undefined }, items)
    expect(await known(), "found out while it waits").toEqual(items)
    await claimFor("b.txt", {}, undefined)
    expect(await known(), "a desk of an older version has no items in its file").toEqual(items)
    await finishDispatches(database, "b.txt")
    const changed = await claimFor("c.txt", { number: "N1x" }, await known())
    expect(changed.rows[0]?.body).toBe(
      ["01", "2"].map((n) => `1\t${n}\t1\t2026-11-24\tTNT\t\tN1x\t76\n`).join(""),
    )
  })

  it.runIf(isThere)("come along when a ledger is copied", async () => {
    const [from, to] = [await open(), await open()]
    await claim(from, "front", "a.csv", order(1))
    await claim(to, "dock", "b.csv", order(1), order(2))
    await copyLedger(from, to)
    const rows = await findDispatches(to, ["shp-1", "shp-2"])
    expect(rows.map(({ id, file }) => `${id} ${file}`)).toEqual(["shp-1 1 b.csv", "shp-2 1 b.csv"])
  })
})
