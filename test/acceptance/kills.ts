/** A desk whose bookings are killed in the middle, one after the other, and what came of each. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import type { Moment } from "../../src/ledger/create.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import type { Settled } from "../../src/ledger/reconcile.ts"
import { desk, ensureBuilt, getBinary, type Ran } from "./freight.ts"
import type { Relay, Stop } from "./relay.ts"

/** From the first to the last moment of a booking. */
export const BOUNDARIES = [
  "before-intent",
  "after-intent",
  "arrived",
  "committed",
  "half-answered",
  "before-outcome",
  "after-outcome",
] as const satisfies readonly (Moment | Stop)[]

type Boundary = (typeof BOUNDARIES)[number]

/** So many milliseconds after the process began, or after it came to the first boundary. */
export interface Delay {
  after: "start" | "before-intent"
  ms: number
}

export interface Kill {
  reference: string
  keyed: boolean
  at: Boundary | Delay
}

export interface KillDesk {
  book(booking: Omit<Kill, "at">): Promise<Ran>
  /** Books, and is killed; false when it had ended before that. */
  kill(kill: Kill): Promise<boolean>
  /** Books, and gives the milliseconds that it took: whole, and from its first boundary on. */
  measure(reference: string): Promise<Record<Delay["after"], number>>
  /** Starts a reconcile and kills it after so many milliseconds. */
  killReconcile(after: number): Promise<void>
  reconcile(): Promise<Settled[]>
  release(key: string): Promise<Ran>
  /** What `freight history` shows. */
  history(): Promise<HistoryRow[]>
}

export const KILLABLE = path.join(import.meta.dirname, "killable.mjs")

/** @param ledger where the desk's ledger is, if not in its own state folder */
export async function killDesk(relay: Relay, bookingFile: string, ledger?: string): Promise<KillDesk> {
  ensureBuilt()
  const made = await desk(relay.reach)
  const { folder } = made
  const env = { ...made.env, ...(ledger !== undefined && { FREIGHT_LEDGER: ledger }) }
  // What is killed is a process; what looks at it afterwards runs in this one, which saves starting another.
  const freight = (args: readonly string[]) => made.freight(args, { env, clock: false, isFolderless: true })
  const file = path.join(folder, "booking.json")
  await writeFile(file, bookingFile)
  const words = ({ reference, keyed }: Omit<Kill, "at">) => [
    "book",
    // With the connector named, a run that sends nothing asks nothing either, and is over sooner.
    ...["--file", file, "--connector", "connector-c", "--reference", reference, "--json"],
    ...(keyed ? ["--key", reference] : []),
  ]
  const start = (program: string, args: string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    })

  return {
    book: (booking) => freight(words(booking)),
    async kill(kill) {
      const { at, reference } = kill
      if (typeof at === "string" && !isStop(at))
        return wasKilled(start(KILLABLE, words(kill), { FREIGHT_TEST_KILL_AT: at }))
      const stopped = typeof at === "string" ? relay.stop(reference, at) : undefined
      const child = start(KILLABLE, words(kill))
      if (stopped) await Promise.race([stopped, once(child, "exit")])
      else if (typeof at === "object" && at.after !== "start") await firstMoment(child)
      return killedAfter(child, typeof at === "object" ? at.ms : 0)
    },
    async measure(reference) {
      const began = performance.now()
      const child = start(KILLABLE, words({ reference, keyed: true }))
      await firstMoment(child)
      const claimed = performance.now()
      await wasKilled(child)
      const ended = performance.now()
      return { start: ended - began, "before-intent": ended - claimed }
    },
    async killReconcile(ms) {
      await killedAfter(start(getBinary(), ["reconcile"]), ms)
    },
    async reconcile() {
      return (await freight(["reconcile", "--json"])).json<Settled[]>()
    },
    release: (key) => freight(["reconcile", "--release", key]),
    async history() {
      return (await freight(["history", "--json"])).json<HistoryRow[]>()
    },
  }
}

/** Waits until a process has come to its first moment, or has ended. */
export async function firstMoment(child: ChildProcess): Promise<void> {
  const told = child.stdio[3]
  if (told) await Promise.race([once(told, "data"), once(child, "exit")])
}

function isStop(at: Moment | Stop): at is Stop {
  return at === "arrived" || at === "committed" || at === "half-answered"
}

async function killedAfter(child: ChildProcess, ms: number): Promise<boolean> {
  const timer = setTimeout(() => child.kill("SIGKILL"), ms)
  const killed = await wasKilled(child)
  clearTimeout(timer)
  return killed
}

/** Whether it ended by SIGKILL and not by itself. */
async function wasKilled(child: ChildProcess): Promise<boolean> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  return child.signalCode === "SIGKILL"
}

/** What the sandbox itself has booked: shipments by reference. */
export function bookedBy(books: unknown): Map<string, string[]> {
  const { shipments } = books as { shipments: { id: string; request: { customerReference: string } }[] }
  const found = new Map<string, string[]>()
  for (const { id, request } of shipments)
    found.set(request.customerReference, [...(found.get(request.customerReference) ?? []), id])
  return found
}

/** The shipment that a run speaks of, be it on standard output or in a refusal. */
export function shipmentIn({ stdout, stderr }: Ran): string | undefined {
  if (stdout !== "") return (JSON.parse(stdout) as BookingResponse).shipmentId
  return /\bshipment ([0-9a-f-]{36})/.exec(stderr)?.[1]
}
