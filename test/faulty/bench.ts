/** Desks on lines that misbehave, and what must hold of every run whatever happens. */
import { existsSync } from "node:fs"
import { readdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect } from "vitest"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import type { BookingResponse, ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { itemsOf } from "../../src/contract/packages.ts"
import type { ErrorJson } from "../../src/base/errors.ts"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemClock, systemIds } from "../../src/machine/host.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { openSqlite, sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { createStore } from "../../src/ledger/store.ts"
import { desk, type Ran, type RunOptions } from "../acceptance/freight.ts"
import { type RunningSandbox, startSandboxProcess } from "../acceptance/sandbox.ts"
import { type Forwarder, type Line, openForwarder } from "./forwarder.ts"
import { soundPdf } from "../output/paper/odd-pdfs.ts"

export interface Bench {
  sandbox: RunningSandbox
  forwarder: Forwarder
  /** Books straight with the sandbox, so that there is something to work on. */
  shipment(connectorId?: string): Promise<BookingResponse & { collectionDateTime: string }>
  /** The id of a pickup that was booked the same way. */
  pickup(): Promise<string>
  close(): Promise<void>
}

let made = 0

/** For carrier A, on the next business day; each for a receiver of its own, as every desk has a ledger of its own. */
function bookingNow(): ConsignmentBookingRequest {
  const { packages, receiver, $schema: _, ...example } = exampleBooking(Date.now())
  const own = { ...receiver, address1: `${++made} Market Street` }
  const names = { receiver: own, customerReference: `PO-faulty-${made}` }
  return { ...example, ...names, packages, items: itemsOf(packages), serviceCode: "76" }
}

export async function openBench(): Promise<Bench> {
  const sandbox = await startSandboxProcess()
  const forwarder = await openForwarder(sandbox)
  const post = async <T>(connectorId: string, what: string, body: unknown): Promise<T> => {
    const key = connectorId.startsWith("second-") ? sandbox.keys.secondTenantFreight : sandbox.freightApiKey
    const reply = await fetch(`${sandbox.freightBaseUrl}/${connectorId}/${what}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${connectorId}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }
  const shipment: Bench["shipment"] = async (connectorId = "connector-a") => {
    const request = bookingNow()
    const { collectionDateTime } = request
    return { ...(await post<BookingResponse>(connectorId, "shipments", request)), collectionDateTime }
  }
  return {
    sandbox,
    forwarder,
    shipment,
    async pickup() {
      const { shipmentId, collectionDateTime } = await shipment()
      const [pickupDate] = collectionDateTime.split("T")
      const request = { shipmentId, pickupDate, readyTime: "10:00", closeTime: "17:00" }
      return (await post<{ pickupBookingId: string }>("connector-a", "pickups", request)).pickupBookingId
    },
    async close() {
      await forwarder.close()
      await sandbox.stop()
    },
  }
}

const driver = await sqliteDriver(systemSqlite())

export interface FaultyDesk {
  line: Line
  folder: string
  /** Runs a command, and checks what must hold of every run. */
  freight(args: readonly string[], options?: RunOptions): Promise<Told>
  /** Entries of the ledger, in any state. */
  ledger(): Promise<Entry[]>
  /** Files in the working folder, the state and the settings left out. */
  files(): Promise<string[]>
}

export interface Told extends Ran {
  /** The error under `--json`; undefined when there is none. */
  error: ErrorJson["error"] | undefined
}

/** A desk on a line of its own, with a booking file and a PDF in its folder. */
export async function faultyDesk(
  { sandbox, forwarder }: Bench,
  line = forwarder.line(),
): Promise<FaultyDesk> {
  const { folder, state, freight } = await desk(line.reach)
  await writeFile(path.join(folder, "booking.json"), JSON.stringify(bookingNow()))
  await writeFile(path.join(folder, "paper.pdf"), soundPdf("paper"))
  return {
    line,
    folder,
    async freight(args, options) {
      const ran = await freight(args, options)
      await sound(ran, args, Object.values(sandbox.keys), folder)
      expect(line.elsewhere, "the other origin was asked").toEqual([])
      return { ...ran, error: errorOf(ran, args) }
    },
    async ledger() {
      const file = path.join(state, "ledger.db")
      if (!existsSync(file)) return []
      const database = openSqlite(file, { driver, clock: systemClock })
      const found = await createStore(database, { ids: systemIds, leaseMs: 0 }).history({})
      await database.close()
      return found
    },
    files: async () => (await filesIn(folder)).filter((name) => !/^(state|config)\//.test(name)),
  }
}

/** All files below a folder, as paths relative to it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}

/** Controls other than the line break, and signs that reorder or hide what is read. */
const UNSAFE =
  /(?!\n)[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u

/** No key, no control character, no stack trace, no draft of a file, no fault of freight's own. */
async function sound(
  { code, stdout, stderr, bytes }: Ran,
  args: readonly string[],
  keys: readonly string[],
  folder: string,
): Promise<void> {
  const told = `freight ${args.join(" ")}: ${code}\n${stderr}`
  expect(code, told).not.toBe(70)
  expect(stderr, told).not.toMatch(/\n\s+at /)
  expect(UNSAFE.exec(stderr), told).toBeNull()
  if (bytes.subarray(0, 5).toString() !== "%PDF-") expect(UNSAFE.exec(stdout), told).toBeNull()
  for (const key of keys) expect(`${stdout}${stderr}`.includes(key), `a key is shown\n${told}`).toBe(false)
  expect((await filesIn(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([])
}

/** Under `--json` an error is one object on the last line of standard error, and nowhere else. */
function errorOf({ code, stderr }: Ran, args: readonly string[]): Told["error"] {
  if (!args.includes("--json")) return undefined
  const lines = stderr.split("\n").slice(0, -1)
  const errors = lines.filter((line) => line.startsWith('{"error"'))
  if (code === 0 || errors.length === 0) return undefined
  expect(errors, stderr).toHaveLength(1)
  return (JSON.parse(lines.at(-1) ?? "") as ErrorJson).error
}
