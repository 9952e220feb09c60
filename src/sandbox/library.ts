/**
 * The sandbox of freight for tests of other programs: both APIs on this machine, with their own tenants, carriers and
 * clock. It keeps bookings, and follows the contract: a second booking is a second shipment.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { refuseUnknownOptions } from "../base/options.ts"
import { systemClock } from "../machine/index.ts"
import { startSandbox as start } from "./server.ts"

export interface StartOptions {
  /** Default: any free port. */
  port?: number
  /** Another seed gives other numbers, and makes other requests fail. A whole number. */
  seed?: number
  /**
   * Failures: `KIND[:RATE][:CONNECTOR][@[METHOD]PATHPART]`, as `freight sandbox start --help` lists them. `502:0.1` is one
   * request in ten, `drop-after-commit:x1@POST/shipments` loses the reply of the next booking.
   */
  faults?: readonly string[]
  /** The time, in milliseconds since the epoch. Default: the system's clock. */
  clock?: { now(): number }
  /** Delays every reply by this many milliseconds. */
  latencyMs?: number
  /** Folder in which it keeps its data. Default: one of its own, which `close` removes. */
  folder?: string
}

export interface RunningSandbox {
  freightBaseUrl: string
  directPrintBaseUrl: string
  freightApiKey: string
  directPrintApiKey: string
  /** Further keys by name: of other tenants, without a scope, revoked. */
  keys: Readonly<Record<string, string>>
  /**
   * For tests to inspect and control it, without a key: `GET /books` has all bookings, `POST /clock` with `{"advanceMs":
   * 3600000}` moves its time, `POST /faults` with `{"fault": "502:x3"}` adds a failure, `GET /openapi/freight.yaml` is the
   * API as OpenAPI.
   */
  controlUrl: string
  port: number
  /** Its time, in milliseconds since the epoch. */
  now(): number
  /** Breaks open exchanges, and frees the port. */
  close(): Promise<void>
}

const OPTIONS = ["port", "seed", "faults", "clock", "latencyMs", "folder"]

/**
 * Starts serving on 127.0.0.1.
 * @throws FreightError `usage` for an option or a fault that there is not, and for a port that is not available;
 * `input` for a folder that cannot be written
 */
export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  refuseUnknownOptions("startSandbox", options, OPTIONS)
  const { clock, folder, ...others } = options
  const dir = folder ?? (await mkdtemp(path.join(tmpdir(), "freight-sandbox-")))
  const remove = async () => {
    if (folder === undefined) await rm(dir, { recursive: true, force: true })
  }
  try {
    const now = clock ? () => clock.now() : systemClock.now
    const sandbox = await start({ ...others, dir, clock: { ...systemClock, now } })
    return {
      ...sandbox,
      async close() {
        await sandbox.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
