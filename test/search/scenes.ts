/** The scenarios of the search: who does what at once, with which orders, and up to what bound. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { type Account, openAccount } from "../../src/ledger/accounts/account.ts"
import { claimOf } from "../../src/ledger/create.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import { createStore } from "../../src/ledger/store.ts"
import { areOne } from "../simulation/expectations.ts"
import { type Order, toBooking } from "../simulation/orders.ts"
import type { ApiKey, Shipment, Tenant } from "../simulation/services.ts"
import { openEngine } from "./engine.ts"
import { createRunner, type Program } from "./process.ts"
import { look, open, send, type Setting, settleOpen, type Way } from "./programs.ts"
import { search, type Searched } from "./search.ts"
import type { Budget } from "./model.ts"

export type Dialect = "sqlite" | "postgres"

/** The actions at one desk, by its order in the list. */
export type Doing =
  | {
      does: "send"
      way: Way
      orders: readonly number[]
      looks?: true
      after?: number
      at?: number
      /** With an API key of which nobody knows yet whether it is of the same account. */
      withOtherKey?: true
    }
  | { does: "look" | "settle" | "release" | "open"; after?: number; at?: number }

export interface Scenario {
  name: string
  orders: (key: ApiKey, shipments: readonly Shipment[]) => readonly (Order | undefined)[]
  /** All its orders are one. */
  areOneOrder?: true
  doings: readonly Doing[]
  /** Orders that a stranger may book too, at any moment. */
  strange?: readonly number[]
  /** Wrong dates that the service gives for them, by order. */
  dates?: Readonly<Record<number, string>>
  /** How many shipments were booked before. */
  shipments?: number
  /** Up to where it is searched in CI, where it is, and by hand. */
  bounds: Partial<Record<Dialect, Budget>> & { long: Budget }
}

const START = Date.parse("2026-11-20T00:00:00Z")

export function createTenant(): { tenant: Tenant; key: ApiKey } {
  const service = {
    name: "one",
    addresses: ["one.example"],
    isDown: false,
    tenants: [],
    shipments: [],
    sortsByDate: false,
    prefix: "",
  }
  const tenant: Tenant = {
    ...{ name: "t", service, keys: [], printsAlone: false, printAddress: "print.example", sender: "Sender" },
    connectors: [
      { id: "c1", isActive: true },
      { id: "c2", isActive: true },
    ],
    orders: { count: 0, recent: [] },
  }
  const key: ApiKey = {
    ...{
      fingerprint: "k1",
      printFingerprint: "p1",
      tenant,
      isBlind: false,
      isNarrow: false,
      isRevoked: false,
    },
  }
  return { tenant, key }
}

/** Books in the beginning what others then pick up. */
async function book(database: Database, owner: Account, order: Order, id: string): Promise<void> {
  const store = createStore(database, {
    ids: { uuid: () => `token-${id}`, random: () => 0 },
    leaseMs: LEASE_MS,
  })
  const { kind: _, intent, number } = order
  const claim = claimOf(
    { owner, sender: { workstation: "before", person: "" } },
    { ...intent, kind: "shipment", ...(number !== undefined && { key: number }) },
  )
  const claimed = await store.claim(claim, store.newToken())
  if (claimed.kind !== "claimed") throw new TypeError("it was not claimed")
  const response = { shipmentId: id, orderNumber: `ORD-${id}`, pickupStatus: "NOT_BOOKED" }
  const facts = { ...claimed.entry.facts, shipmentId: id }
  await store.record({ ...claimed.entry, state: "done", response, facts }, claimed.token)
}

/** Searches a scenario on one of the databases. @param most states that are looked at */
export async function searchScenario(
  { orders: toOrders, areOneOrder, doings, strange = [], dates = {}, shipments: booked = 0 }: Scenario,
  dialect: Dialect,
  budget: Budget,
  most: number,
): Promise<Searched> {
  const { key } = createTenant()
  const [address = ""] = key.tenant.service.addresses
  const folder = mkdtempSync(path.join(tmpdir(), "freight-search-"))
  const file = dialect === "sqlite" ? path.join(folder, "ledger.db") : ":memory:"
  const shipments: Shipment[] = []
  let account: Account | undefined
  let other: Account | undefined
  const engine = await openEngine(
    file,
    dialect === "postgres",
    async (database) => {
      account = await openAccount(
        database,
        { fingerprint: key.fingerprint, address, api: "freight", workstation: "before" },
        { listConnectors: async () => key.tenant.connectors.map(({ id }) => id), sees: async () => true },
      )
      if (doings.some((doing) => "withOtherKey" in doing))
        other = await openAccount(
          database,
          { fingerprint: "k2", address, api: "freight", workstation: "before" },
          { listConnectors: async () => ["c9"], sees: async () => false },
        )
      for (let n = 0; n < booked; n++) {
        const order = toBooking(key, 100 + n, { number: `OLD-${n}` })
        if (!order) throw new TypeError("there is no connector")
        const id = `old-${n}`
        await book(database, account, order, id)
        shipments.push({
          ...{
            id,
            tenant: key.tenant,
            key,
            order,
            at: START,
            visibleFrom: START,
            hasPickup: false,
            isCancelled: false,
            isRenumbered: false,
            waits: false,
          },
        })
      }
    },
    () => START - 60_000,
  )
  try {
    const orders = toOrders(key, shipments).map((order) => {
      if (!order) throw new TypeError("there is no connector")
      return order
    })
    const toSetting = (of: Account | undefined): Setting => ({
      orders,
      account: () => {
        if (!of) throw new TypeError("there is no account")
        return { ...of }
      },
    })
    const setting = toSetting(account)
    const otherSetting = other && toSetting(other)
    const programs = new Map<string, Program>()
    const add = (program: Program) => {
      programs.set(program.name, program)
      return program.name
    }
    const nameOf = (n: number) => `desk ${String.fromCharCode(65 + n)}`
    const names = doings.map((doing, n) =>
      add(
        toProgram(
          "withOtherKey" in doing && otherSetting ? otherSetting : setting,
          doing,
          nameOf(doing.at ?? n),
          doing.at === undefined ? nameOf(n) : `${nameOf(doing.at)}, command ${n}`,
        ),
      ),
    )
    const after = new Map(
      doings.flatMap((doing, n): [string, string][] => {
        const [own, before] = [names[n], doing.after === undefined ? undefined : names[doing.after]]
        return own !== undefined && before !== undefined ? [[own, before]] : []
      }),
    )
    const desks = [...new Set([...programs.values()].map(({ desk }) => desk))]
    const ending = {
      taking: desks.map((desk) => add(open(`the next command at ${desk}`, desk))),
      settling: [
        add(look(setting, "who looks in the end")),
        add(settleOpen(setting, "who asks the carrier in the end", true)),
        ...(otherSetting
          ? [add(settleOpen(otherSetting, "who asks the carrier in the end with the other key", true))]
          : []),
      ],
      again: orders.map((_, n) =>
        add(send(setting, `who sends order ${n} again`, "api", [n], { looks: strange.length > 0 })),
      ),
    }
    const scene = {
      ...{ isServer: dialect === "postgres", engine, runner: createRunner(dialect), programs, after },
      ...{ orders, shipments, strange, dates },
      findWhyOne: (later: Order, earlier: Order) =>
        areOneOrder ? "one number in two spellings" : areOne(later, earlier, 0),
    }
    return await search(scene, names, { time: START, budget, ending, most })
  } finally {
    engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function toProgram(setting: Setting, doing: Doing, desk: string, name: string): Program {
  switch (doing.does) {
    case "send":
      return send(setting, name, doing.way, doing.orders, { desk, looks: doing.looks ?? false })
    case "look":
      return look(setting, name, desk)
    case "settle":
    case "release":
      return settleOpen(setting, name, doing.does === "settle", desk)
    case "open":
      return open(name, desk)
  }
}
