/** Batches that are killed at random awaits while the service fails in every way, and run again until they are done. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemClock, systemIds } from "../../src/machine/host.ts"
import { release } from "../../src/ledger/by-hand.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import { ledgerFile, openDatabase } from "../../src/ledger/open.ts"
import { createStore } from "../../src/ledger/store.ts"
import { getBinary, desk } from "./freight.ts"
import { bookedBy, KILLS_AT_AWAIT } from "./kills.ts"
import { numbersFrom } from "./numbers.ts"
import { orders, saveOrders } from "./orders.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

export interface BatchPlan {
  /** Batches, each at a desk of its own. */
  batches: number
  /** Desks at work at the same time. */
  atOnce: number
  rows: number
  /** Kills of each batch. */
  kills: number
  seed: number
}

/** The outcome of a run that was not killed, and the sandbox's bookings at that time. */
interface Report {
  code: number | null
  summary: Summary
  /** References by state, as the results file has them. */
  states: Map<string, string[]>
  /** References that the error names. */
  told: string[]
  booked: Map<string, string[]>
  stderr: string
}

export interface BatchStory {
  name: string
  references: string[]
  /** Kills that came before the run had ended. */
  killed: number
  /** Runs that were left to end; the last is the one after which nothing is left. */
  reports: Report[]
  /** Shipments by reference, in the sandbox's own books, at the end. */
  booked: Map<string, string[]>
}

/** Each strikes a share of the requests; half of them leave a booking behind. */
const FAULTS = [
  "drop-before:0.02@POST/shipments",
  "drop-after-commit:0.02@POST/shipments",
  "429:0.03@POST/shipments",
  "502:0.02@POST/shipments",
  "502-after-commit:0.02@POST/shipments",
  "hang:0.005@POST/shipments",
  "hang-after-commit:0.005@POST/shipments",
]
const MAX_RUNS = 12
/** Awaits for each row in a run that is not killed, including the start of its process. */
const AWAITS_OF_ROW = 160

/** @param newLedger the address of an empty ledger for each batch; in the state folder of its desk by default */
export async function batchDays(
  { batches, atOnce, rows, kills, seed }: BatchPlan,
  newLedger: () => Promise<string | undefined> = async () => undefined,
): Promise<BatchStory[]> {
  const next = numbersFrom(seed)
  const names = Array.from({ length: batches }, (_, n) => ({
    name: `b${n}`,
    next: numbersFrom(next() * 2 ** 32),
  }))
  const stories: BatchStory[] = []
  const work = async () => {
    for (let one = names.shift(); one; one = names.shift()) {
      // A sandbox for each: its books are read whole, again and again.
      const faults = FAULTS.flatMap((fault) => ["--fault", fault])
      const sandbox = await startSandboxProcess(["--seed", String(Math.floor(one.next() * 1e6)), ...faults])
      try {
        stories.push(await batchDay(sandbox, await newLedger(), one.name, rows, kills, one.next))
      } finally {
        await sandbox.stop()
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return stories
}

async function batchDay(
  sandbox: RunningSandbox,
  ledger: string | undefined,
  name: string,
  rows: number,
  kills: number,
  next: () => number,
): Promise<BatchStory> {
  const made = await desk(sandbox)
  const { folder } = made
  const env = { ...made.env, ...(ledger !== undefined && { FREIGHT_LEDGER: ledger }) }
  const list = orders(rows, name)
  const references = list.map(({ reference = "" }) => reference)
  const file = await saveOrders(folder, list)
  const args = ["batch", "book", file, "--concurrency", "8", "--timeout", "5", "--json"]
  /** @param killAt the await at which it is killed; it ends by itself where it has fewer */
  const start = (killAt?: number) => {
    const killer = killAt === undefined ? [] : ["--require", KILLS_AT_AWAIT]
    return spawn(process.execPath, [...killer, getBinary(), ...args], {
      cwd: folder,
      env: { ...env, FREIGHT_TEST_KILL_AT: String(killAt) },
      stdio: ["ignore", "pipe", "pipe"],
    })
  }

  let killed = 0
  let most = AWAITS_OF_ROW * rows
  for (let n = 0; n < kills; n++) {
    const ended = await wasKilled(start(Math.ceil(most * next())))
    if (ended.isKilled) killed++
    else most = ended.awaits
  }
  const reports: Report[] = []
  for (let n = 0; n < MAX_RUNS; n++) {
    const report = await reported(start(), folder, sandbox, references)
    if (!report) continue
    reports.push(report)
    if (report.summary.booked === rows) break
    // Bookings that are open in the ledger but not in the sandbox were not made. Release them, as a person would.
    const unknown = report.states.get("unknown") ?? []
    await releaseAll(
      ledger ?? ledgerFile(made.state),
      unknown.filter((reference) => !report.booked.has(reference)),
    )
  }
  return { name, references, killed, reports, booked: only(await booksOf(sandbox), references) }
}

/** @returns whether it was, and otherwise how many awaits it had */
async function wasKilled(child: ChildProcess): Promise<{ isKilled: boolean; awaits: number }> {
  child.stdout?.resume()
  let stderr = ""
  child.stderr?.on("data", (chunk) => {
    stderr += chunk
  })
  await once(child, "close")
  const [, awaits] = /^awaits: (\d+)/m.exec(stderr) ?? []
  return { isKilled: child.signalCode === "SIGKILL", awaits: Number(awaits) }
}

/** Undefined when the service was too slow for the run to begin. */
async function reported(
  child: ChildProcess,
  folder: string,
  sandbox: RunningSandbox,
  references: readonly string[],
): Promise<Report | undefined> {
  let [stdout, stderr] = ["", ""]
  child.stdout?.on("data", (chunk) => {
    stdout += chunk
  })
  child.stderr?.on("data", (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, "close")
  if (code === 6 && stdout === "") return undefined
  const error = stderr.split("\n").find((line) => line.startsWith('{"error"'))
  const told = error
    ? ((JSON.parse(error) as { error: { errors?: { message: string }[] } }).error.errors ?? [])
    : []
  const [head = "", ...lines] = (await readFile(path.join(folder, "orders.results.csv"), "utf8"))
    .trim()
    .split(/\r?\n/)
  const columns = head.split(",")
  const states = new Map<string, string[]>()
  for (const line of lines) {
    const cells = line.split(",")
    const state = cells[columns.indexOf("freight.state")] ?? ""
    states.set(state, [...(states.get(state) ?? []), cells[columns.indexOf("reference")] ?? ""])
  }
  return {
    code,
    summary: JSON.parse(stdout) as Summary,
    states,
    told: told.map(({ message }) => /\(([^)]+)\)/.exec(message)?.[1] ?? message),
    booked: only(await booksOf(sandbox), references),
    stderr,
  }
}

async function booksOf(sandbox: RunningSandbox): Promise<Map<string, string[]>> {
  return bookedBy(await sandbox.control("books"))
}

function only(booked: Map<string, string[]>, references: readonly string[]): Map<string, string[]> {
  return new Map(
    references.flatMap((each) => (booked.has(each) ? [[each, booked.get(each) ?? []] as const] : [])),
  )
}

/** By hand and one by one this would take the time of a person for each. */
async function releaseAll(ledger: string, references: readonly string[]): Promise<void> {
  if (references.length === 0) return
  const ports = { clock: systemClock, ids: systemIds, sqlite: systemSqlite, password: async () => undefined }
  const database = await openDatabase(ledger, "ledger", ports)
  const store = createStore(database, { ids: systemIds, leaseMs: LEASE_MS })
  const { signal } = new AbortController()
  // The runs are over: nobody renews a lease, and nobody need be waited for.
  let elapsed = 0
  const clock = { ...systemClock, sleep: async () => {}, elapsed: () => (elapsed += 10_000) }
  for (const reference of references) await release({ store, account: "", clock, signal }, reference)
  await store.close()
}
