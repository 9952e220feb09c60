/**
 * Several API keys of one account or of several, at 2 to 5 desks with one ledger: sequences and races in which an order
 * could be sent twice, or be answered with another account's shipment. Rounds are drawn by FREIGHT_TEST_SEED, and
 * FREIGHT_TEST_ROUNDS says how many there are in all. The sandbox's own books judge.
 */
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fingerprint, readKeys, writeKey } from "../../src/ledger/accounts/keys.ts"
import { systemClock } from "../../src/machine/host.ts"
import { type Answer as ServerAnswer, secureServer, tunnelProxy } from "../api/servers.ts"
import { connectTo, newDatabase, SERVER } from "../ledger/postgres.ts"
import { desk, type Ran } from "./freight.ts"
import { numbersFrom } from "./numbers.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"
import {
  type Answer,
  isBeingSent,
  isHeldBack,
  LISTS,
  openSeat,
  reasonOf,
  type Seat,
  TENANTS,
  WAYS,
  type Way,
} from "./seats.ts"

const ROUNDS = Number(process.env.FREIGHT_TEST_ROUNDS ?? 306)
const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 20_261_123)
const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE

const KEYS: readonly (readonly string[])[] = [
  ["freight"],
  ["freight", "freight2"],
  ["freight", "freight2", "freight3"],
  ["secondTenantFreight", "secondTenantFreight2"],
  ["freight", "freightLimited"],
  ["freight", "thirdTenantFreight"],
  ["freight", "freight2", "secondTenantFreight"],
  ["freight", "secondTenantFreight", "secondTenantFreight2"],
  ["freight", "freightLimited", "thirdTenantFreight"],
  ["freight", "secondTenantFreight", "thirdTenantFreight"],
]

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess()
})
afterAll(() => sandbox.stop())

interface Team {
  name: string
  isThere: boolean
  /** The ledger of all desks. */
  open(folder: string): Promise<string>
}

const TEAMS: readonly Team[] = [
  { name: "SQLite", isThere: true, open: async (folder) => path.join(folder, "team.db") },
  { name: "PostgreSQL", isThere: SERVER !== undefined, open: () => newDatabase() },
]

/** How often something came about in all rounds. */
const tally = { rounds: 0, orders: 0, heldBack: 0, named: 0 }

type Round = Awaited<ReturnType<typeof openRound>>

async function openRound(team: Team, next: () => number) {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T
  await sandbox.control("reset", {})
  await sandbox.control("faults", undefined, "DELETE")
  const [desks, keys] = [pick([2, 3, 4, 5]), pick(KEYS)]
  const made = await Promise.all(Array.from({ length: desks }, () => desk(sandbox)))
  const ledger = await team.open(made[0]?.folder ?? "")
  let ahead = 0
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const seatsWith = (env: Readonly<Record<string, string>>) =>
    Array.from({ length: Math.max(desks, keys.length) }, (_, n) => {
      const [at, key] = [made[n % desks], keys[n % keys.length] ?? ""]
      if (!at) throw new Error("there are no desks")
      const own = { FREIGHT_API_KEY: sandbox.keys[key] ?? "", FREIGHT_WORKSTATION: `bench-${n % desks}` }
      return openSeat(at, key, { FREIGHT_LEDGER: ledger, ...own, ...env }, clock)
    })
  /** The last answer for each reference, by the name of the seat's key. */
  const orders = new Map<string, Map<string, Answer>>()
  const steps: string[] = []

  const bookBy = async (seat: Seat, n: number, way: Way, references: readonly string[]) => {
    const groups = LISTS.some((each) => each === way) ? [references] : references.map((each) => [each])
    for (const group of groups)
      for (const answer of await seat.book(way, ...group)) {
        const { reference, shipment, why } = answer
        steps.push(`${n} ${seat.key} ${way} ${reference}: ${shipment ?? why.split("\n")[0]}`)
        if (isHeldBack(answer)) tally.heldBack += 1
        else if (shipment === undefined && !isBeingSent(answer))
          throw new Error(`${why}\n${steps.join("\n")}`)
        const before = orders.get(seat.key) ?? new Map<string, Answer>()
        orders.set(seat.key, before.set(reference, answer))
      }
  }
  let seats = seatsWith({})
  return {
    keys,
    ledger,
    pick,
    steps,
    seats: () => seats,
    first: () => seats[0] as Seat,
    /** From now on all have other settings. */
    change(env: Readonly<Record<string, string>>) {
      seats = seatsWith(env)
    },
    /** Books at a seat in some way. */
    book: (n: number, reference: string, way = pick(WAYS)) => {
      const seat = seats[n % seats.length]
      if (!seat) throw new Error("there are no seats")
      return bookBy(seat, n, way, [reference])
    },
    /** Books at all seats at one moment. */
    all(references: (n: number) => readonly string[], ways: readonly Way[] = WAYS) {
      const drawn = seats.map((seat) => [seat, pick(ways)] as const)
      return Promise.all(drawn.map(([seat, way], n) => bookBy(seat, n, way, references(n))))
    },
    isOver: () => [...orders.values()].every((each) => [...each.values()].every(({ shipment }) => shipment)),
    listWanted: (n: number) => [...(orders.get(seats[n]?.key ?? "")?.keys() ?? [])],
    orders,
    /** Time goes by: for the desks, the service, and PostgreSQL, which has a clock of its own. */
    async pass(ms: number) {
      ahead += ms
      await sandbox.control("clock", { advanceMs: ms })
      if (team.name === "PostgreSQL") await backdateKeys(ledger, ms)
    },
  }
}

/** Makes all that is known of keys older. */
async function backdateKeys(ledger: string, ms: number): Promise<void> {
  const database = await connectTo(ledger)
  const earlier = (at: string) => new Date(Date.parse(at) - ms).toISOString()
  await database.transaction(async (transaction) => {
    for (const key of await readKeys(transaction)) {
      const looks = JSON.stringify(key.looks).replace(/\d{4}-[^"]*Z/g, earlier)
      const { checkedAt } = key
      await writeKey(transaction, {
        ...key,
        looks: JSON.parse(looks),
        ...(checkedAt && { checkedAt: earlier(checkedAt) }),
      })
    }
  })
}

/** Tries what is held back again, minute by minute; where a key sees too little, a person names the accounts. */
async function bookTheRest(round: Round): Promise<void> {
  for (let minutes = 0; !round.isOver(); minutes++) {
    if (minutes === 3) {
      tally.named += 1
      for (const key of round.keys) {
        const words = ["ledger", "account", fingerprint(sandbox.keys[key] ?? ""), TENANTS[key]?.id ?? ""]
        expectDone(await round.first().run(...words))
      }
    }
    if (minutes === 5) throw new Error(`never booked\n${round.steps.join("\n")}`)
    await round.pass(MINUTE + 1_000)
    await round.all(round.listWanted)
  }
}

function expectDone(ran: Ran): void {
  expect(ran.code === 0 ? 0 : reasonOf(ran)).toBe(0)
}

interface Shipment {
  id: string
  tenantId: string
  request: { customerReference: string }
}

/** No tenant has an order twice, and every answer is its own tenant's shipment. */
async function judge(round: Round): Promise<void> {
  const { shipments } = (await sandbox.control("books")) as { shipments: Shipment[] }
  const made = new Map<string, string[]>()
  for (const { id, tenantId, request } of shipments) {
    const name = `${request.customerReference} of ${tenantId}`
    made.set(name, [...(made.get(name) ?? []), id])
  }
  const wrong = [...made].filter(([, ids]) => ids.length !== 1).map(([name, ids]) => `${name}: ${ids}`)
  for (const [key, answers] of round.orders)
    for (const { reference, shipment } of answers.values()) {
      tally.orders += 1
      const name = `${reference} of ${TENANTS[key]?.id}`
      if (made.get(name)?.[0] !== shipment) wrong.push(`${key} was answered ${shipment} for ${name}`)
    }
  expect(wrong, round.steps.join("\n")).toEqual([])
}

const R1 = () => ["R1"]

/** The first key books R1 last: everything before it happened without it. */
async function othersFirst(round: Round): Promise<void> {
  await round.book(1, "R1")
  await round.book(0, "R1")
  await round.all(R1)
}

const SEQUENCES: readonly (readonly [name: string, run: (round: Round) => Promise<unknown>])[] = [
  [
    "a) the first key's first booking is refused",
    async (round) => {
      const [answer] = await round.first().book(round.pick(WAYS), "R0 sandbox:carrier-rejects")
      expect(answer?.shipment).toBeUndefined()
      await othersFirst(round)
    },
  ],
  [
    "b) the first key's first send is a pickup",
    async (round) => {
      expectDone(await round.first().bookPickup())
      await othersFirst(round)
    },
  ],
  [
    "c) the first key's first booking is unknown, and released",
    async (round) => {
      await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
      const [answer] = await round.first().book(round.pick(WAYS), "R0")
      expect(answer?.shipment).toBeUndefined()
      expectDone(await round.first().run("reconcile", "--release", "R0"))
      await othersFirst(round)
    },
  ],
  [
    "d) desks with ledgers of their own copy them to one",
    async (round) => {
      round.change({ FREIGHT_LEDGER: "" })
      await round.all((n) => [`R${n}`])
      const copies = round.seats().map(({ run }) => run("ledger", "copy", "--to-ledger", round.ledger))
      for (const ran of await Promise.all(copies)) expectDone(ran)
      round.change({})
      await round.all((n) => [`R${(n + 1) % round.seats().length}`])
    },
  ],
  [
    "e) the service moves to another address",
    async (round) => {
      const proxy = await openFarService()
      const at = (name: string) => ({ HTTPS_PROXY: proxy, FREIGHT_BASE_URL: `https://freight.test/${name}` })
      round.change(at("old"))
      await round.book(0, "R1")
      if (round.pick([true, false])) await round.all((n) => [`R${n + 1}`])
      round.change(at("new"))
      await othersFirst(round)
    },
  ],
  ["f) all at one moment, in a new ledger", (round) => round.all(R1)],
  [
    "g) lists of ten orders at one moment",
    (round) => round.all(() => Array.from({ length: 10 }, (_, n) => `R${n}`), LISTS),
  ],
  [
    "h) first used at one moment for different orders, and a week later for one",
    async (round) => {
      await round.all((n) => [`Q${n}`])
      await round.pass(WEEK)
      await round.all(R1)
    },
  ],
  [
    "i) the list shows a shipment late",
    async (round) => {
      await sandbox.control("listing", { delayMs: MINUTE / 2 })
      await round.book(0, "R1")
      await round.all(R1)
    },
  ],
]

/** The sandbox behind TLS, under whatever path, and the way to it. */
async function openFarService(): Promise<string> {
  const { freightBaseUrl } = sandbox
  const answer: ServerAnswer = async (res, { method, url, headers, body }) => {
    const reply = await fetch(freightBaseUrl + url.replace(/^\/(old|new)/, ""), {
      method,
      headers: { authorization: String(headers.authorization), "content-type": "application/json" },
      ...(method !== "GET" && { body }),
    })
    const type = reply.headers.get("content-type") ?? ""
    res.writeHead(reply.status, { "content-type": type }).end(Buffer.from(await reply.arrayBuffer()))
  }
  return (await tunnelProxy((await secureServer(answer)).port)).url
}

// The certificate of the test's own server.
const trust = process.env.NODE_TLS_REJECT_UNAUTHORIZED
beforeAll(() => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
})
afterAll(() => {
  if (trust === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trust
})

describe.each(TEAMS)(`keys and accounts in $name (FREIGHT_TEST_SEED=${SEED})`, (team) => {
  it.runIf(team.isThere)("every way books the same, under the key of another way", async () => {
    const round = await openRound(team, numbersFrom(SEED))
    for (const way of WAYS) await round.book(0, "R1", way)
    await judge(round)
    expect(round.steps).toHaveLength(WAYS.length)
  })

  it.runIf(team.isThere).for(SEQUENCES)("%s", async ([, run], { annotate }) => {
    const many = Math.ceil(ROUNDS / SEQUENCES.length / TEAMS.length)
    for (let n = 0; n < many; n++) {
      const round = await openRound(team, numbersFrom(SEED + tally.rounds))
      tally.rounds += 1
      await run(round)
      await bookTheRest(round)
      await judge(round)
    }
    await annotate(`${many} rounds; so far ${JSON.stringify(tally)}`)
  })
})
