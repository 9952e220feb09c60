/** A desk whose bookings are killed in the middle, one after the other, and what came of each. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import type { SendStep } from "../../src/ledger/create.ts"
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
] as const satisfies readonly (SendStep | Stop)[]

type Boundary = (typeof BOUNDARIES)[number]

/** The await of this number after the process began, or after it came to the first boundary. */
export interface Await {
  after: "start" | "before-intent"
  number: number
}

export interface Kill {
  reference: string
  keyed: boolean
  at: Boundary | Await
}

export interface KillDesk {
  book(booking: Omit<Kill, "at">): Promise<Ran>
  /** Books, and is killed; false when it had ended before that. */
  kill(kill: Kill): Promise<boolean>
  /** Books, and gives how many awaits there were. */
  measure(reference: string): Promise<Awaits>
  /** Starts a reconcile and kills it at an await. */
  killReconcile(number: number): Promise<void>
  reconcile(): Promise<Settled[]>
  release(key: string): Promise<Ran>
  history(): Promise<HistoryRow[]>
}

/** Awaits of a booking that was not killed. */
export type Awaits = Record<Await["after"], number>

export const KILLABLE = path.join(import.meta.dirname, "killable.mjs")
/** To be loaded before a program with `--require`. */
export const KILLS_AT_AWAIT = path.join(import.meta.dirname, "kill-at-await.cjs")

/** @param ledger where the desk's ledger is, if not in its own state folder */
export async function killDesk(relay: Relay, bookingFile: string, ledger?: string): Promise<KillDesk> {
  ensureBuilt()
  const made = await desk(relay.reach)
  const { folder } = made
  const env = { ...made.env, ...(ledger !== undefined && { FREIGHT_LEDGER: ledger }) }
  // Only the command to kill needs its own process. The others run in this one, which is faster.
  const freight = (args: readonly string[]) => made.freight(args, { env, clock: false, isFolderless: true })
  const file = path.join(folder, "booking.json")
  await writeFile(file, bookingFile)
  const words = ({ reference, keyed }: Omit<Kill, "at">) => [
    "book",
    // With the connector named, a run that sends nothing asks nothing either, and is over sooner.
    ...["--file", file, "--connector", "connector-c", "--reference", reference, "--json"],
    ...(keyed ? ["--key", reference] : []),
  ]
  const start = (args: string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, args, {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    })
  /** @param at the await at which it is killed; it ends by itself where it has fewer */
  const startKilled = (args: string[], { after, number }: Await) => {
    const at = after === "start" ? String(number) : `+${number}`
    return start(["--require", KILLS_AT_AWAIT, ...args], { FREIGHT_TEST_KILL_AT: at })
  }

  return {
    book: (booking) => freight(words(booking)),
    async kill(kill) {
      const { at, reference } = kill
      const args = [KILLABLE, ...words(kill)]
      if (typeof at === "object") return (await endOf(startKilled(args, at))).isKilled
      if (!isStop(at)) return (await endOf(start(args, { FREIGHT_TEST_KILL_AT: at }))).isKilled
      const stopped = relay.stop(reference, at)
      const child = start(args)
      await Promise.race([stopped, once(child, "exit")])
      child.kill("SIGKILL")
      return (await endOf(child)).isKilled
    },
    async measure(reference) {
      const args = [KILLABLE, ...words({ reference, keyed: true })]
      const { stderr } = await endOf(startKilled(args, { after: "start", number: Number.POSITIVE_INFINITY }))
      const [, all, later] = /^awaits: (\d+), (\d+) after/m.exec(stderr) ?? []
      return { start: Number(all), "before-intent": Number(later) }
    },
    async killReconcile(number) {
      await endOf(startKilled([getBinary(), "reconcile"], { after: "start", number }))
    },
    async reconcile() {
      return (await freight(["reconcile", "--json"])).items<Settled>()
    },
    release: (key) => freight(["reconcile", "--release", key]),
    async history() {
      return (await freight(["history", "--json"])).items<HistoryRow>()
    },
  }
}

/** Waits until a process has come to its first moment, or has ended. */
export async function firstMoment(child: ChildProcess): Promise<void> {
  const told = child.stdio[3]
  if (told) await Promise.race([once(told, "data"), once(child, "exit")])
}

function isStop(at: SendStep | Stop): at is Stop {
  return at === "arrived" || at === "committed" || at === "half-answered"
}

/** Whether it ended by SIGKILL and not by itself, and what it said. */
async function endOf(child: ChildProcess): Promise<{ isKilled: boolean; stderr: string }> {
  let stderr = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk
  })
  if (child.exitCode === null && child.signalCode === null) await once(child, "close")
  return { isKilled: child.signalCode === "SIGKILL", stderr }
}

/** Shipments in the sandbox's own books, by reference. */
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
