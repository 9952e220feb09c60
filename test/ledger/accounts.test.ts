/** Which account an API key belongs to: all keys at one address are one account, unless they are proven apart. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import {
  type Account,
  findCompared,
  setAccountName,
  openAccount,
  openPrintAccount,
  type OwnKey,
} from "../../src/ledger/accounts/account.ts"
import { describeAccounts } from "../../src/ledger/accounts/describe.ts"
import { keyId, type Look, readKeys, type ServiceKey } from "../../src/ledger/accounts/keys.ts"
import { relate } from "../../src/ledger/accounts/relation.ts"
import { release, settleDuplicate } from "../../src/ledger/by-hand.ts"
import { createOnce, type Intent } from "../../src/ledger/create.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { copyLedger } from "../../src/ledger/maintenance/admin.ts"
import type { TestClock } from "./setup.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import {
  entry,
  failure,
  intent,
  ledgerFileIn,
  MINUTE,
  NOW,
  openFile,
  put,
  refusing,
  serviceKey,
  storeIn,
  temporaryDir,
  testClock,
  testLedger,
} from "./setup.ts"

const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString()
const MISSED_ONCE: Look = { missedAt: at(0) }
const MISSED_TWICE: Look = { missedAt: at(0), missedAgainAt: at(1) }

describe("two accounts", () => {
  const [k1, k2] = [{ fingerprint: "k1" }, { fingerprint: "k2" }]
  const one = (changes: Partial<ServiceKey>) => serviceKey(k1.fingerprint, changes)
  const two = (changes: Partial<ServiceKey>) => serviceKey(k2.fingerprint, changes)
  const looks = (look: Look) => ({ "k2@api.example": look })
  const [a, b] = [{ connectors: ["a"] }, { connectors: ["b"] }]

  it.each<[string, Partial<ServiceKey>, Partial<ServiceKey>, string]>([
    ["share a connector", { connectors: ["a", "b"] }, { connectors: ["b"] }, "one"],
    ["see each other", { looks: looks({ seenAt: at(0) }) }, {}, "one"],
    ["have one name", { name: "acme", ...a }, { name: "acme", ...b }, "one"],
    ["have two names, whatever else is known", { name: "acme", ...a }, { name: "beta", ...a }, "apart"],
    ["are named on one side alone", { name: "acme", ...a }, b, "unknown"],
    ["know nothing of each other", {}, {}, "unknown"],
    ["share no connector, and nothing was booked", a, b, "unknown"],
    ["share no connector, and missed the shipment once", { ...a, looks: looks(MISSED_ONCE) }, b, "unknown"],
    [
      "missed it twice within a minute",
      { ...a, looks: looks({ missedAt: at(0), missedAgainAt: at(0.9) }) },
      b,
      "unknown",
    ],
    ["share no connector, and missed it twice", { ...a, looks: looks(MISSED_TWICE) }, b, "apart"],
    ["missed it twice, where one lists no connector", { looks: looks(MISSED_TWICE) }, b, "unknown"],
    [
      "missed it in one direction alone",
      { ...a, hasShipment: true, looks: looks(MISSED_TWICE) },
      b,
      "unknown",
    ],
    [
      "missed it twice in one direction, and once in the other",
      { ...a, hasShipment: true, looks: looks(MISSED_TWICE) },
      { ...b, looks: { "k1@api.example": MISSED_ONCE } },
      "unknown",
    ],
    [
      "were proven apart, and book",
      { ...a, hasShipment: true, looks: looks({ ...MISSED_TWICE, apartAt: at(1) }) },
      b,
      "apart",
    ],
    [
      "share a connector, and one is not shown the other's shipment yet",
      { ...a, looks: looks(MISSED_ONCE) },
      a,
      "unknown",
    ],
    [
      "contradict: a connector in common, a shipment that stays away",
      { ...a, looks: looks(MISSED_TWICE) },
      a,
      "unknown",
    ],
    [
      "were called apart after one look",
      { ...a, looks: looks({ missedAt: at(0), apartAt: at(0) }) },
      b,
      "unknown",
    ],
    ["are at two addresses", { address: "old.example" }, {}, "unknown"],
    [
      "are at two addresses, and missed the shipment once",
      { address: "old.example", ...a, looks: looks({ missedAt: at(0), apartAt: at(0) }) },
      b,
      "unknown",
    ],
    [
      "are at two addresses, and missed it twice",
      { address: "old.example", hasShipment: true, ...a, looks: looks(MISSED_TWICE) },
      b,
      "apart",
    ],
    [
      "are at two addresses and have one name, and missed it twice",
      { address: "old.example", name: "acme", looks: looks(MISSED_TWICE) },
      { name: "acme" },
      "apart",
    ],
    [
      "are at two addresses and have two names, whatever else is known",
      { address: "old.example", name: "acme", looks: looks({ seenAt: at(0) }) },
      { name: "beta" },
      "apart",
    ],
    ["are at two addresses and share a connector", { address: "old.example", ...a }, a, "one"],
    [
      "are at two addresses and contradict",
      { address: "old.example", ...a, looks: looks(MISSED_TWICE) },
      a,
      "unknown",
    ],
    [
      "are at two addresses and contradict, and have one name",
      { address: "old.example", name: "acme", ...a, looks: looks(MISSED_TWICE) },
      { name: "acme", ...a },
      "one",
    ],
    [
      "are at two addresses and share a connector, and have two names",
      { address: "old.example", name: "acme", ...a },
      { name: "beta", ...a },
      "apart",
    ],
    [
      "are at two addresses and see each other",
      { address: "old.example", looks: looks({ seenAt: at(0) }) },
      {},
      "one",
    ],
    ["are on this machine and elsewhere", { address: "localhost:8080", ...a }, a, "apart"],
    [
      "are on two ports of this machine",
      { address: "localhost:8080", ...a },
      { address: "localhost:8081", ...a },
      "apart",
    ],
  ])("that %s", (_, left, right, expected) => {
    expect(relate([one(left)], [two(right)]).is).toBe(expected)
    expect(relate([two(right)], [one(left)]).is).toBe(expected)
  })

  it("are one when any two of their keys are", () => {
    const others = [two({}), two({ fingerprint: "k3", ...a })]
    expect(relate([one(a)], others).is).toBe("one")
  })
})

/** Tenants at one service: their connectors, and who made which shipment. */
function service() {
  const made: { id: string; tenant: string; at: number }[] = []
  const connectors: Record<string, string[]> = { acme: ["acme-1"], beta: ["beta-1"] }
  const [hidden, isDown] = [new Set<string>(), { value: false }]
  return { made, connectors, hidden, isDown }
}
type Service = ReturnType<typeof service>

interface DeskOptions {
  tenant?: string
  name?: string
  address?: string
  database?: Database
}

async function openTeam(open: (clock: TestClock) => Promise<Database>, server: Service = service()) {
  const clock = testClock()
  const shared = await open(clock)
  /** A desk with a key: opens its account, as a command does, and books. */
  const desk = (
    fingerprint: string,
    { tenant = "acme", name, address = "api.example", database = shared }: DeskOptions = {},
  ) => {
    const own = {
      fingerprint,
      address,
      api: "freight" as const,
      workstation: `desk of ${fingerprint}`,
      ...(name && { name }),
    }
    const sees = async (shipmentId: string) => {
      if (server.isDown.value) throw new FreightError("unavailable", "down")
      return server.made.some(
        ({ id, tenant: owner }) => id === shipmentId && owner === tenant && !server.hidden.has(id),
      )
    }
    const listConnectors = async () => {
      if (server.isDown.value) throw new FreightError("unavailable", "down")
      return server.connectors[tenant] ?? []
    }
    const open = () => openAccount(database, own, { listConnectors, sees })
    const sendsWith = async (
      owner: Account,
      key: string | undefined,
      send: () => Promise<{ shipmentId: string }>,
    ) => {
      const ledger = testLedger({ database, clock })
      const refreshAccount = async () => void Object.assign(owner, await open())
      const sender = { workstation: own.workstation, person: "" }
      return createOnce(
        { ...ledger, owner, sender, refreshAccount },
        intent({ ...(key && { key }) }),
        send,
        (reply) => reply,
      )
    }
    const make = async () => {
      const id = `shp-${server.made.length + 1}`
      server.made.push({ id, tenant, at: clock.now() })
      return { shipmentId: id }
    }
    return {
      open,
      book: async (key?: string, send = make) => sendsWith(await open(), key, send),
      sendsWith,
      make,
      pickup: async (key: string, send: () => Promise<object> = async () => ({ status: "BOOKED" })) => {
        const owner = await open()
        const ledger = { ...testLedger({ database, clock }), owner }
        const content = { goods: key }
        return createOnce(ledger, intent({ kind: "pickup", key, content, shipments: ["shp-x"] }), send)
      },
    }
  }
  return { server, clock, shared, desk }
}

type Desk = ReturnType<Awaited<ReturnType<typeof openTeam>>["desk"]>

/** A server's database, by the clock of the test. */
async function openServer(clock: TestClock): Promise<Database> {
  const database = await connectTo(await newDatabase())
  const now = async () => clock.now()
  return {
    ...database,
    now,
    transaction: (work) => database.transaction((transaction) => work({ ...transaction, now })),
  }
}

const DATABASES = [
  {
    name: "SQLite",
    isThere: true,
    open: async (clock: TestClock) => openFile(ledgerFileIn(temporaryDir()), clock),
  },
  { name: "PostgreSQL", isThere: SERVER !== undefined, open: openServer },
]

const REFUSED = refusing(new FreightError("refused", "bad postcode", { status: 400 }))
const LOST = refusing(new FreightError("outcomeUnknown", "the connection broke"))
const scopesIn = async (database: Database) =>
  new Set((await readKeys(database)).map(({ scope }) => scope)).size

it("accounts are described by their keys, and why they are one or apart", () => {
  const keys = [
    serviceKey("k1", { connectors: ["a"] }),
    serviceKey("k2", { scope: "freight:k1", connectors: ["a"] }),
    serviceKey("p1", { scope: "freight:k1", api: "direct-print" }),
    serviceKey("k3", { connectors: ["b"], name: "beta" }),
  ]
  expect(
    describeAccounts(keys).map(({ account, apiKey: key, why, isUnclear }) => [account, key, why, isUnclear]),
  ).toEqual([
    [
      1,
      "k1",
      "not known whether one with account 2: they share no connector, and have not been asked twice for each other's shipment",
      true,
    ],
    [1, "k2", "both list connector a", false],
    [1, "p1", "it prints for that account", false],
    [
      2,
      "k3",
      "not known whether one with account 1: they share no connector, and have not been asked twice for each other's shipment",
      true,
    ],
  ])
})

describe.each(DATABASES)("in $name", ({ isThere, open }) => {
  const on = it.runIf(isThere)
  const team = () => openTeam(open)

  describe("two keys of one tenant book an order once", () => {
    on.each<[string, (k1: Desk) => Promise<unknown>]>([
      ["after the first one's booking was refused", (k1) => failure(k1.book("R0", REFUSED))],
      ["after the first one's was a pickup", (k1) => k1.pickup("P1")],
      ["after the first one's outcome was lost", (k1) => failure(k1.book("R0", LOST))],
      ["after the first one booked something else", (k1) => k1.book("R0")],
      ["that was never used", async () => {}],
    ])("%s", async (_, before) => {
      const { desk, server, clock } = await team()
      const [k1, k2] = [desk("k1"), desk("k2")]
      await before(k1)
      clock.advance(2 * 24 * 60 * MINUTE)
      await k2.book("R1")
      const made = server.made.length
      expect(await k1.book("R1")).toMatchObject({ recorded: true })
      expect(server.made).toHaveLength(made)
    })

    on("at one moment in a new ledger, with three keys at five desks", async () => {
      const { desk, server } = await team()
      const desks = ["k1", "k2", "k3", "k1", "k2"].map((key) => desk(key))
      const ends = await Promise.allSettled(desks.map((each) => each.book("R1")))
      expect(server.made).toHaveLength(1)
      expect(ends.map(({ status }) => status)).toEqual(ends.map(() => "fulfilled"))
    })

    on("without a key of their own, by its content", async () => {
      const { desk, server } = await team()
      await desk("k1").book()
      expect(await failure(desk("k2").book())).toMatchObject({ kind: "refused" })
      expect(server.made).toHaveLength(1)
    })

    on("after their service has moved to another address", async () => {
      const { desk, server } = await team()
      await desk("k1").book("R1")
      expect(await desk("k2", { address: "new.example" }).book("R1")).toMatchObject({ recorded: true })
      expect(await desk("k1", { address: "new.example" }).book("R1")).toMatchObject({ recorded: true })
      expect(server.made).toHaveLength(1)
    })

    on("where the service shows the shipment late: it is refused, and given once it is shown", async () => {
      const { desk, server, clock } = await team()
      await desk("k1").book("R1")
      server.hidden.add("shp-1")
      expect(await failure(desk("k2").book("R1"))).toMatchObject({ kind: "input", exitCode: 2 })
      server.hidden.clear()
      expect(await failure(desk("k2").book("R1"))).toMatchObject({ exitCode: 2 })
      clock.advance(MINUTE)
      expect(await desk("k2").book("R1")).toMatchObject({ recorded: true })
      expect(server.made).toHaveLength(1)
    })

    on("and are never sure while one does not see the other's shipment", async () => {
      const { desk, server, clock } = await team()
      await desk("k1").book("R1")
      server.hidden.add("shp-1")
      for (let tries = 0; tries < 3; tries++) {
        const error = await failure(desk("k2").book("R1"))
        expect(error).toMatchObject({ kind: "input" })
        expect(`${error.message} ${error.hint}`).toMatch(
          /at desk of k1 .* \(k1\).* yours \(k2, desk of k2\).* account NAME/,
        )
        clock.advance(2 * MINUTE)
      }
      expect(await desk("k2").book("R2")).toMatchObject({ recorded: false })
    })

    on("by a claim whose account was joined with the other's since it was opened", async () => {
      const { desk, server, shared } = await team()
      await desk("k1").book("R1")
      const k2 = desk("k2", { tenant: "beta" })
      const owner = await k2.open()
      for (const key of ["k1", "k2"]) await setAccountName(shared, key, "acme")
      expect(await k2.sendsWith(owner, "R1", k2.make)).toMatchObject({ recorded: true })
      expect(server.made).toHaveLength(1)
    })

    on("that were never shown a connector at the same time", async () => {
      const { desk, server, clock, shared } = await team()
      await desk("k1").open()
      clock.advance(25 * 60 * MINUTE)
      server.connectors.acme = ["acme-2"]
      await desk("k1").open()
      server.connectors.acme = ["acme-1"]
      await desk("k2").open()
      expect(await scopesIn(shared)).toBe(1)
    })

    on("also a pickup whose outcome is unknown, where nothing but its shipment ties them", async () => {
      const { desk, shared, clock } = await team()
      const k1 = desk("k1", { tenant: "one", name: "one" })
      const k2 = desk("k2", { tenant: "two", name: "two", address: "new.example" })
      await failure(k1.pickup("P1", LOST))
      expect(await failure(k2.pickup("P1"))).toMatchObject({ kind: "outcomeUnknown" })
      const error = await failure(k2.pickup("P2"))
      expect(error).toMatchObject({ kind: "outcomeUnknown", next: "freight ledger status" })
      const { scope } = await k2.open()
      const ledger = { ...testLedger({ database: shared, clock }), scopes: [scope] }
      const [open] = await ledger.store.open()
      expect(`${error.message} ${error.hint}`).toMatch(
        new RegExp(`with another API key \\(k1\\).* unknown.* ${open?.id}`),
      )
      expect(await failure(release(ledger, "P1"))).toMatchObject({ kind: "notFound" })
      expect(await release(ledger, String(open?.id))).toMatchObject({ outcome: "released" })
      expect(await k2.pickup("P2")).toMatchObject({ recorded: false })
    })

    on("whose open bookings only their own account names", async () => {
      const { desk, shared, clock } = await team()
      await failure(desk("k1", { tenant: "one" }).book("R1", LOST))
      const { scope } = await desk("k2", { tenant: "two", address: "new.example" }).open()
      const ledger = { ...testLedger({ database: shared, clock }), scopes: [scope] }
      const [open] = await ledger.store.open()
      expect(await failure(release(ledger, String(open?.id)))).toMatchObject({ kind: "notFound" })
    })

    on(
      "at two addresses, once the new key has looked: that a person names their account is not enough",
      async () => {
        const { desk, server, clock, shared } = await team()
        const moved = desk("k2", { address: "new.example" })
        server.connectors.acme = []
        await moved.open()
        server.connectors.acme = ["acme-1"]
        await desk("k1").book("R1")
        clock.advance(MINUTE)
        for (const key of ["k1", "k2"]) await setAccountName(shared, key, "acme")
        expect(await scopesIn(shared)).toBe(2)
        await moved.open()
        expect(await scopesIn(shared)).toBe(1)
      },
    )

    on(
      "at two addresses, where one key has booked at the old one since it was used at the new one",
      async () => {
        const { desk, server } = await team()
        const old = desk("k1", { address: "old.example" })
        await old.open()
        server.connectors.acme = ["acme-2"]
        const moved = desk("k1", { address: "new.example" })
        await moved.open()
        await old.book("R1")
        expect(await moved.book("R1")).toMatchObject({ recorded: true })
        expect(server.made).toHaveLength(1)
      },
    )

    on.each<[string, string, DeskOptions]>([
      ["the other key", "k1", {}],
      ["the same key", "k2", {}],
      ["a key that was never used", "k3", {}],
      ["a key of an account that a person has named", "k3", { name: "acme" }],
    ])(
      "at two addresses at one moment, where the new one shows nothing of the account yet: %s",
      async (_, key, named) => {
        const { desk, server, clock } = await team()
        const old = [desk("k1", named), desk("k2", named)] as const
        await old[0].book("R0")
        await old[1].open()
        server.hidden.add("shp-1")
        server.connectors.acme = ["acme-2"]
        const moved = desk(key, { address: "new.example", ...named })
        await moved.open()
        await Promise.allSettled([old[1].book("R1"), moved.book("R1")])
        expect(server.made).toHaveLength(2)
        server.hidden.clear()
        clock.advance(MINUTE)
        expect(await moved.book("R1")).toMatchObject({ recorded: true })
        expect(server.made).toHaveLength(2)
      },
    )

    on("at two addresses at one moment, where nothing was booked yet", async () => {
      const { desk, server } = await team()
      const [old, moved] = [desk("k1"), desk("k1", { address: "new.example" })]
      await old.open()
      server.connectors.acme = ["acme-2"]
      await moved.open()
      await Promise.allSettled([old.book("R1"), moved.book("R1")])
      expect(server.made).toHaveLength(1)
      expect(await moved.book("R1")).toMatchObject({ recorded: true })
    })

    on("where of many shipments the newest are always shown late", async () => {
      const { desk, server, clock } = await team()
      const k1 = desk("k1")
      await k1.book("R1")
      server.connectors.acme = ["acme-2"]
      server.hidden.add("shp-1")
      const k2 = desk("k2")
      await k2.open()
      clock.advance(MINUTE)
      server.hidden.delete("shp-1")
      server.hidden.add("shp-2")
      await k1.book("R2")
      expect(await k2.book("R1")).toMatchObject({ recorded: true })
      expect(server.made).toHaveLength(2)
    })

    on("where a person names their account", async () => {
      const { desk, server, shared } = await team()
      await desk("k1", { name: "acme" }).book("R1")
      server.hidden.add("shp-1")
      expect(await desk("k2", { name: "acme" }).book("R1")).toMatchObject({ recorded: true })
      expect(await scopesIn(shared)).toBe(1)
    })

    on.each([
      [false, "after the other"],
      [true, "at one moment"],
    ])("that have copied ledgers of their own to one that they share (%s: %s)", async (isAtOnce) => {
      const { desk, server, clock, shared } = await team()
      const own = [1, 2].map(() => openFile(ledgerFileIn(temporaryDir()), clock))
      const [one, two] = own as [Database, Database]
      await desk("k1", { database: one }).book("R1")
      clock.advance(MINUTE)
      await desk("k2", { database: two }).book("R2")
      if (isAtOnce) await Promise.all([copyLedger(two, shared), copyLedger(one, shared)])
      else for (const database of own) await copyLedger(database, shared)
      expect(await scopesIn(shared)).toBe(1)
      expect(await desk("k2").book("R1")).toMatchObject({ recorded: true })
      expect(await desk("k1").book("R2")).toMatchObject({ recorded: true })
      expect(server.made).toHaveLength(2)
    })

    /** Desk 1 has sent R1, and nothing came of it; desk 2 has booked it. Both have ledgers of their own. */
    async function bookedApart() {
      const all = await team()
      const { desk, clock } = all
      const [one, two] = [
        openFile(ledgerFileIn(temporaryDir()), clock),
        openFile(ledgerFileIn(temporaryDir()), clock),
      ]
      const unknown = testLedger({ database: one, clock })
      await failure(desk("k1", { database: one }).book("R1", LOST))
      clock.advance(MINUTE)
      await desk("k2", { database: two }).book("R1")
      return { ...all, one, two, unknown }
    }

    on("after what the earlier one had sent was copied too, and then released", async () => {
      const { desk, server, clock, shared, one, two } = await bookedApart()
      for (const database of [one, two]) await copyLedger(database, shared)
      clock.advance(MINUTE)
      const { store } = testLedger({ database: shared, clock })
      // The one without an outcome is: nobody has to settle that.
      expect(await store.duplicates()).toEqual([])
      const [open] = await store.open()
      await release(testLedger({ database: shared, clock }), String(open?.id))
      for (const key of ["k1", "k2"]) expect(await desk(key).book("R1")).toMatchObject({ recorded: true })
      expect(server.made).toHaveLength(1)
      expect(await store.duplicates()).toEqual([])
    })

    on("also where the earlier one was taken for what the later one had made", async () => {
      const { desk, clock, shared, one, two, unknown } = await bookedApart()
      const [open] = await unknown.store.open()
      const guessed: Entry = {
        ...(open as Entry),
        state: "done",
        facts: { shipmentId: "shp-1" },
        note: "Found.",
      }
      expect(await unknown.store.settle(guessed)).toBe(true)
      for (const database of [one, two]) await copyLedger(database, shared)
      const { store } = testLedger({ database: shared, clock })
      expect(await store.ofShipment(undefined, "shp-1")).toMatchObject({ account: "k2" })
      expect(await store.open()).toMatchObject([{ account: "k1", facts: {} }])
      expect(await desk("k1").book("R1")).toMatchObject({ recorded: true, entry: { account: "k2" } })
    })
  })

  describe("two tenants at one address", () => {
    on("each book an order of the same number, once they are proven apart", async () => {
      const { desk, server, clock } = await team()
      await desk("k1").book("1001")
      const other = desk("k2", { tenant: "beta" })
      expect(await failure(other.book("1001"))).toMatchObject({ exitCode: 2 })
      clock.advance(MINUTE)
      expect(await other.book("1001")).toMatchObject({ recorded: false })
      expect(await desk("k1").book("1001")).toMatchObject({ recorded: true, entry: { account: "k1" } })
      expect(await other.book("1001")).toMatchObject({ recorded: true, entry: { account: "k2" } })
      expect(server.made.map(({ tenant }) => tenant)).toEqual(["acme", "beta"])
      // Proven once: what the second one has booked since need not be asked about.
      clock.advance(25 * 60 * MINUTE)
      await other.book("1002")
      expect(await desk("k1").book("1002")).toMatchObject({ recorded: false })
    })

    on.each(["k1", "k2"])("at two addresses, too, with the key k1 and %s", async (key) => {
      const { desk, server, clock } = await team()
      const [one, other] = [desk("k1"), desk(key, { tenant: "beta", address: "other.example" })]
      await one.book("1001")
      expect(await failure(other.book("1001"))).toMatchObject({ exitCode: 2 })
      // Other orders that it books meanwhile need not be looked up at the other address.
      expect(await other.book("1002")).toMatchObject({ recorded: false })
      clock.advance(MINUTE)
      expect(await other.book("1001")).toMatchObject({ recorded: false })
      expect(await one.book("1001")).toMatchObject({
        recorded: true,
        entry: { facts: { shipmentId: "shp-1" } },
      })
      expect(server.made.map(({ tenant }) => tenant)).toEqual(["acme", "beta", "beta"])
    })

    on("are not proven apart by a service that is down", async () => {
      const { desk, server, clock } = await team()
      const other = desk("k2", { tenant: "beta" })
      await other.open()
      await desk("k1").book("1001")
      server.isDown.value = true
      for (let tries = 0; tries < 3; tries++) {
        await other.open()
        clock.advance(MINUTE)
      }
      server.isDown.value = false
      expect(await failure(other.book("1001"))).toMatchObject({ exitCode: 2 })
    })

    on("which have both booked must have looked at each other", async () => {
      const { desk, clock } = await team()
      const [one, two] = [desk("k1"), desk("k2", { tenant: "beta" })]
      await one.book("1")
      clock.advance(MINUTE)
      await two.book("2")
      for (const each of [one, two, one, two]) {
        await each.open()
        clock.advance(MINUTE)
      }
      await one.book("1001")
      expect(await two.book("1001")).toMatchObject({ recorded: false })
    })

    on("are apart at once where their profiles say so, also after they were taken for one", async () => {
      const { desk, server, shared } = await team()
      server.connectors.beta = ["acme-1"]
      await desk("k1").book("1001")
      await desk("k2").open()
      expect(await scopesIn(shared)).toBe(1)
      await desk("k1", { name: "acme" }).open()
      expect(await desk("k2", { name: "beta" }).book("1001")).toMatchObject({ recorded: false })
      expect(await desk("k1", { name: "acme" }).book("1001")).toMatchObject({
        recorded: true,
        entry: { account: "k1" },
      })
      expect(await scopesIn(shared)).toBe(2)
    })

    on("take along what they booked while they were one, and leave its number to the other", async () => {
      const { desk, server } = await team()
      server.connectors.beta = ["acme-1"]
      await desk("k1", { name: "acme" }).open()
      await desk("k2").book("1001")
      expect(await desk("k2", { name: "beta" }).book("1001")).toMatchObject({ recorded: true })
      expect(await desk("k1", { name: "acme" }).book("1001")).toMatchObject({ recorded: false })
      expect(await desk("k2", { name: "beta" }).book("1001")).toMatchObject({ entry: { account: "k2" } })
    })
  })

  describe("a key", () => {
    on(
      "sends nothing before its connectors were listed once; a known one goes on with what is kept",
      async () => {
        const { desk, server, clock } = await team()
        server.isDown.value = true
        expect(await failure(desk("k1").book("R1"))).toMatchObject({ kind: "unavailable", exitCode: 6 })
        server.isDown.value = false
        await desk("k1").book("R1")
        server.isDown.value = true
        clock.advance(48 * 60 * MINUTE)
        expect(await desk("k1").book("R2")).toMatchObject({ recorded: false })
      },
    )

    on("asks the service nothing within a day, where it is alone", async () => {
      const { shared } = await team()
      const own = { fingerprint: "k1", address: "api.example", api: "freight" as const, workstation: "desk" }
      let asked = 0
      const counting = { listConnectors: async () => [`c-${asked++}`], sees: async () => Boolean(asked++) }
      for (let n = 0; n < 3; n++) await openAccount(shared, own, counting)
      expect(asked).toBe(1)
      expect((await readKeys(shared)).map(keyId)).toEqual(["k1@api.example"])
    })
  })

  describe("what was booked in two accounts that turn out to be one", () => {
    async function bookedTwice() {
      const all = await team()
      const { desk, server, clock, shared } = all
      const [one, two] = [desk("k1"), desk("k2", { tenant: "beta" })]
      await one.book("R1")
      clock.advance(MINUTE)
      await failure(two.book("R1"))
      clock.advance(MINUTE)
      await two.book("R1")
      // The second tenant was the first one after all.
      for (const each of server.made) each.tenant = "acme"
      clock.advance(48 * 60 * MINUTE)
      server.connectors.beta = ["beta-1"]
      await desk("k2").open()
      return { ...all, shared, clock }
    }

    on("is marked as a duplicate of the earlier one, which alone counts", async () => {
      const { shared, desk, clock } = await bookedTwice()
      expect(await scopesIn(shared)).toBe(1)
      const { store } = testLedger({ database: shared, clock: clock as TestClock })
      const [duplicate, ...others] = await store.duplicates()
      expect(others).toEqual([])
      expect(duplicate).toMatchObject({ account: "k2", facts: { shipmentId: "shp-2" } })
      for (const key of ["k1", "k2"])
        expect(await desk(key).book("R1")).toMatchObject({
          recorded: true,
          entry: { facts: { shipmentId: "shp-1" } },
        })
    })
  })

  on("what is being sent while its account is joined with another is recorded there", async () => {
    const { desk, shared } = await team()
    await desk("k1").book("R1")
    const k2 = desk("k2", { tenant: "beta" })
    await k2.book("R2", async () => {
      for (const key of ["k1", "k2"]) await setAccountName(shared, key, "acme")
      return k2.make()
    })
    expect(await scopesIn(shared)).toBe(1)
    expect(await desk("k1").book("R2")).toMatchObject({ recorded: true, entry: { account: "k2" } })
  })

  on("a duplicate stands until a person has settled it", async () => {
    const { database } = storeIn(openFile(ledgerFileIn(temporaryDir())))
    const ledger = testLedger({ database })
    const first = entry({ state: "done", facts: { shipmentId: "shp-1" } })
    const second = entry({ state: "done", key: "key:PO-1", facts: { shipmentId: "shp-2" } })
    await put(ledger.store, first, second)
    await database.run("update sends set duplicate_of = ? where id = ?", [first.id, second.id])
    expect(await failure(settleDuplicate(ledger, "shp-1"))).toMatchObject({ kind: "notFound" })
    expect(await settleDuplicate(ledger, "shp-2")).toMatchObject({ outcome: "settled", matches: ["shp-2"] })
    expect(await ledger.store.duplicates()).toEqual([])
  })

  on("a person can name the account of a key that is not used any more", async () => {
    const { desk, server, shared } = await team()
    await desk("k1").book("R1")
    server.hidden.add("shp-1")
    await failure(desk("k2", { name: "acme" }).book("R1"))
    expect(await failure(setAccountName(shared, "k9", "acme"))).toMatchObject({ kind: "notFound" })
    expect(await setAccountName(shared, "k1", "acme")).toBeUndefined()
    expect(await setAccountName(shared, "k1", "acme")).toBe("acme")
    expect(await desk("k2", { name: "acme" }).book("R1")).toMatchObject({ recorded: true })
  })

  describe("a key that prints", () => {
    const own = {
      fingerprint: "p1",
      address: "print.example",
      api: "direct-print" as const,
      workstation: "desk",
    }

    on(
      "belongs to the account of its profile's freight key; without one, all at an address are one",
      async () => {
        const { desk, shared } = await team()
        const owner = await desk("k1").open()
        expect(await openPrintAccount(shared, own, owner)).toMatchObject({ scope: owner.scope })
        const alone = await openPrintAccount(shared, { ...own, fingerprint: "p2" }, undefined)
        expect(alone).toMatchObject({ scope: "direct-print:print.example" })
        expect(await findCompared(shared, alone)).toMatchObject({ own: [alone.scope, owner.scope] })
      },
    )

    async function printingWorld() {
      const { desk, shared, clock } = await team()
      const print = async (owner: Account, changes: Partial<Intent> = { key: "P1" }) =>
        createOnce(
          { ...testLedger({ database: shared, clock }), owner },
          intent({
            kind: "pdf-print",
            content: { sha256: "page", deviceId: "device-1", copy: 1 },
            ...changes,
          }),
          async () => ({ id: "job-1" }),
        )
      const openPrinting = (owner: Account | undefined, changes: Partial<OwnKey> = {}) =>
        openPrintAccount(shared, { ...own, ...changes }, owner)
      return { desk, print, openPrinting }
    }

    on("prints once, whether its freight key was there or not", async () => {
      const { desk, print, openPrinting } = await printingWorld()
      await print(await openPrinting(undefined))
      const owner = await openPrinting(await desk("k1").open())
      expect(await print(owner)).toMatchObject({ recorded: true })
    })

    on("prints once, also with a freight key that is another account by then", async () => {
      const { desk, print, openPrinting } = await printingWorld()
      await print(await openPrinting(await desk("k1", { tenant: "one" }).open()))
      const other = async () =>
        openPrinting(await desk("k2", { tenant: "two", address: "new.example" }).open())
      await other()
      expect(await print(await other())).toMatchObject({ recorded: true })
    })

    /** Two accounts at two addresses that have nothing in common, as far as the ledger knows. */
    async function twoAccounts(
      addresses = ["api.example", "new.example"],
      printing = [own.address, own.address],
    ) {
      const { desk, print, openPrinting } = await printingWorld()
      const open = async (name: string, n: number) =>
        openPrinting(await desk(`k-${name}`, { tenant: name, name, address: addresses[n] ?? "" }).open(), {
          fingerprint: `p-${name}`,
          address: printing[n] ?? "",
        })
      return { one: await open("one", 0), two: await open("two", 1), print }
    }

    on("prints a page on its device once, whatever account its freight key has", async () => {
      const { one, two, print } = await twoAccounts()
      await print(one, {})
      for (const changes of [{}, { key: "P1" }, { key: "P1", isKeyGenerated: true }])
        expect(await failure(print(two, changes))).toMatchObject({ kind: "refused" })
      expect(await print(two, { again: true })).toMatchObject({ recorded: false })
    })

    on("prints a page once under a key, whatever account its freight key has", async () => {
      const { one, two, print } = await twoAccounts()
      await print(one)
      expect(await print(two)).toMatchObject({ recorded: true })
      expect(await print(two, { key: "P2" })).toMatchObject({ recorded: false })
    })

    on("prints what another account has printed on another device, under the same key", async () => {
      const { one, two, print } = await twoAccounts()
      const content = { sha256: "page", deviceId: "device-2", copy: 1 }
      await print(one)
      expect(await print(two, { key: "P1", content })).toMatchObject({ recorded: false })
      expect(await print(one)).toMatchObject({ recorded: true })
    })

    on.each([
      ["another server of this machine", "localhost:8081", "localhost:9001"],
      ["a service on the network", "api.example", "print.example"],
    ])("prints at %s on a device of the same id as one here", async (_, address, printing) => {
      const { one, two, print } = await twoAccounts(["localhost:8080", address], ["localhost:9000", printing])
      for (const [first, second] of [
        [one, two],
        [two, one],
      ] as const) {
        const key = `of ${first.id}`
        await print(first, { key })
        expect(await print(second, { key })).toMatchObject({ recorded: false })
      }
    })

    on("prints once, also where its freight key came while another desk was asked something", async () => {
      const { desk, print, openPrinting } = await printingWorld()
      const before = await openPrinting(undefined)
      await print(await openPrinting(await desk("k1").open()))
      expect(await print(before)).toMatchObject({ recorded: true })
    })
  })
})
