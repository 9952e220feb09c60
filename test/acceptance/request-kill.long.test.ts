/**
 * The promise of the ledger, put to the test: bookings that print their label are killed while a request is out. What
 * kills them is an event at the server, and never a clock: a request that arrived, was carried out, or is half answered.
 * Each is then run again, and the sandbox's own books judge. FREIGHT_TEST_REQUEST_KILLS=300 kills so many of each ledger,
 * which takes eight minutes and 150 s of CPU.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Settled } from "../../src/ledger/reconcile.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { ownBooking } from "./bookings.ts"
import { desk, ensureBuilt } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { jobsAt } from "./print-jobs.ts"
import { type Relay, startRelay, type Stop } from "./relay.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

const KILLS = process.env.FREIGHT_TEST_REQUEST_KILLS
const AT_ONCE = 6
const STOPS = ["arrived", "committed", "half-answered"] as const satisfies readonly Stop[]
const KILLABLE = path.join(import.meta.dirname, "killable.mjs")
const LEDGERS = [
  { name: "SQLite", kills: Number(KILLS ?? 24), isThere: true, newLedger: async () => undefined },
  {
    name: "PostgreSQL",
    kills: Number(KILLS ?? 24),
    isThere: SERVER !== undefined,
    newLedger: () => newDatabase(true),
  },
]

interface Story {
  reference: string
  /** The request that was out when it was killed, and how far it was; undefined where it had ended before. */
  at: string | undefined
  /** The same command's result, right after the kill and at the end. */
  codes: (number | null)[]
}

/** A desk that books through a relay of its own. */
async function openKillDesk(sandbox: RunningSandbox, name: string, ledger?: string) {
  const relay = await startRelay(sandbox)
  const made = await desk(relay.reach)
  const env = { ...made.env, ...(ledger !== undefined && { FREIGHT_LEDGER: ledger }) }
  const freight = (args: readonly string[]) => made.freight(args, { env, clock: false, isFolderless: true })
  const file = path.join(made.folder, "booking.json")
  await writeFile(file, JSON.stringify(ownBooking()))
  const words = (reference: string) => [
    ...["book", "--file", file, "--connector", "connector-c", "--print", "device-bench"],
    ...["--reference", reference, "--key", reference, "--json"],
  ]
  const spawnBooking = (reference: string) =>
    spawn(process.execPath, [KILLABLE, ...words(reference)], {
      cwd: made.folder,
      env,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    })
  return { name, relay, freight, words, spawnBooking }
}

type RequestDesk = Awaited<ReturnType<typeof openKillDesk>>

/** The requests of a booking that is not its desk's first: that one asks more, which the desk remembers. */
async function countRequests({ name, relay, spawnBooking }: RequestDesk): Promise<number> {
  await once(spawnBooking(`${name}-first`), "exit")
  const before = relay.requests()
  await once(spawnBooking(`${name}-second`), "exit")
  return relay.requests() - before
}

/**
 * Kills bookings at one desk, and runs each again until nothing is open.
 * @param turn the desk's number: together the desks stop each request in each way before they begin again
 * @param most requests of a booking
 */
async function killAtDesk(
  { name, relay, freight, words, spawnBooking }: RequestDesk,
  sandbox: RunningSandbox,
  kills: number,
  turn: number,
  most: number,
) {
  const stories: Story[] = []
  for (let n = 0; n < kills; n++) {
    const reference = `${name}-${n}`
    const at = turn + n * AT_ONCE
    const stop = STOPS[Math.floor(at / most) % STOPS.length] ?? "arrived"
    const place = await killAt(relay, () => spawnBooking(reference), 1 + (at % most), stop)
    const { code } = await freight(words(reference))
    stories.push({ reference, at: place && `${place} ${stop}`, codes: [code] })
  }
  await settleAll(freight, sandbox)
  for (const story of stories) story.codes.push((await freight(words(story.reference))).code)
  return stories
}

/** @returns the request at which the process was killed; undefined where it ended before */
async function killAt(
  relay: Relay,
  start: () => ReturnType<typeof spawn>,
  nth: number,
  stop: Stop,
): Promise<string | undefined> {
  const stopped = relay.stopRequest(nth, stop)
  const child = start()
  const exited = once(child, "exit").then(() => undefined)
  const endpoint = await Promise.race([stopped, exited])
  child.kill("SIGKILL")
  await exited
  return child.signalCode === "SIGKILL" ? endpoint : undefined
}

type Freight = (args: readonly string[]) => ReturnType<Awaited<ReturnType<typeof desk>>["freight"]>

/** As a person does: looks until nobody sends any more, and releases what neither service nor printer has. */
async function settleAll(freight: Freight, sandbox: RunningSandbox): Promise<void> {
  for (;;) {
    const open = (await freight(["reconcile", "--json"])).items<Settled>()
    const left = open.filter(({ outcome }) => outcome !== "settled" && outcome !== "released")
    if (left.every(({ outcome }) => outcome !== "in-flight")) {
      const printed = new Set((await jobsAt(sandbox)).map(({ shipmentId }) => shipmentId))
      const booked = bookedBy(await sandbox.control("books"))
      for (const { id, kind, key } of left) {
        const [shipment = ""] = booked.get(key.replace(/ label$/, "")) ?? []
        if (kind !== "label-print" || !printed.has(shipment)) await freight(["reconcile", "--release", id])
      }
      return
    }
  }
}

describe.each(LEDGERS)(`bookings that are killed while a request is out, with a ledger in $name`, ({
  kills,
  isThere,
  newLedger,
}) => {
  it.skipIf(!isThere)(
    "are booked and printed once each: none twice, none never",
    async ({ annotate }) => {
      ensureBuilt()
      const sandbox = await startSandboxProcess()
      const desks: RequestDesk[] = []
      try {
        const each = Math.ceil(kills / AT_ONCE)
        for (let n = 0; n < AT_ONCE; n++)
          desks.push(await openKillDesk(sandbox, `desk-${n}`, await newLedger()))
        const [first] = desks
        const most = first ? await countRequests(first) : 0
        const told = await Promise.all(desks.map((own, n) => killAtDesk(own, sandbox, each, n, most)))
        const stories = told.flat()
        const killed = stories.filter(({ at }) => at !== undefined)
        const booked = bookedBy(await sandbox.control("books"))
        const jobs = await jobsAt(sandbox)
        const wrong = stories.filter(({ reference }) => {
          const [shipment, ...more] = booked.get(reference) ?? []
          const prints = jobs.filter(({ shipmentId }) => shipmentId === shipment)
          return shipment === undefined || more.length > 0 || prints.length !== 1
        })
        const places = new Set(killed.map(({ at }) => at?.replace(/[0-9a-f-]{36}/, "{id}")))
        await annotate(`${killed.length} of ${stories.length} killed, at ${[...places].sort().join("; ")}`)
        expect(wrong).toEqual([])
        expect(killed.length).toBeGreaterThan(stories.length / 2)
        for (const request of [/POST .*\/shipments arrived/, /POST .*\/shipments committed/, /POST .*print/])
          expect([...places].some((place) => request.test(place ?? ""))).toBe(true)
      } finally {
        for (const { relay } of desks) await relay.close()
        await sandbox.stop()
      }
    },
    3_600_000,
  )
})
