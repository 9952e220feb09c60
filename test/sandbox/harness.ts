import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { onTestFinished } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import type { Validator } from "../../src/contract/schema-errors.ts"
import { BookingResponse } from "../../src/contract/generated/replies.js"
import type {
  BookingResponse as Booked,
  ConsignmentBookingRequest,
} from "../../src/contract/generated/types.ts"
import type { Clock } from "../../src/base/ports.ts"
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/server.ts"
import { booking } from "./requests.ts"

export { address, booking, rateRequest } from "./requests.ts"

/** Saturday 21 November 2026, 10:00 in Sydney. */
export const START = Date.parse("2026-11-20T23:00:00Z")
export const SECOND = 1000
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

interface TestClock extends Clock {
  advance(ms: number): void
}

/** A clock that stands still until it is advanced; sleeping takes no time. */
export function testClock(start = START): TestClock {
  let now = start
  return {
    now: () => now,
    sleep: async () => {},
    advance(ms) {
      now += ms
    },
  }
}

/** A folder that goes away with the test. */
export function temporaryDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "freight-sandbox-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

interface Answer {
  status: number
  headers: Headers
  body: unknown
}

export interface Bench {
  sandbox: Sandbox
  clock: TestClock
  dir: string
  /** A call to the freight API with the main tenant's key, or another. */
  freight(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  /** A call to the direct print API. */
  print(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** Books on a connector of the main tenant, or of another. */
  book(connectorId: string, changes?: Partial<ConsignmentBookingRequest>, key?: string): Promise<Booked>
}

/** A running sandbox, which closes with the test. */
export async function startBench(
  options: Partial<SandboxOptions> & { clock?: TestClock } = {},
): Promise<Bench> {
  const { clock = testClock(), dir = temporaryDir() } = options
  const sandbox = await startSandbox({ ...options, dir, clock })
  onTestFinished(() => sandbox.close())
  const freight: Bench["freight"] = (method, url, body, key = sandbox.freightApiKey) =>
    call(sandbox.freightBaseUrl + url, method, body, key)
  return {
    sandbox,
    clock,
    dir,
    freight,
    print: (method, url, body, key = sandbox.directPrintApiKey) =>
      call(sandbox.directPrintBaseUrl + url, method, body, key),
    control: (method, url, body) => call(sandbox.controlUrl + url, method, body),
    async book(connectorId, changes, key) {
      const { status, body } = await freight("POST", `/${connectorId}/shipments`, booking(changes), key)
      if (status !== 201) throw new Error(`not booked: ${JSON.stringify(body)}`)
      return as(BookingResponse, body)
    },
  }
}

async function call(url: string, method: string, body: unknown, key?: string): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      "content-type": "application/json",
    },
    redirect: "manual",
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get("content-type")?.startsWith("application/json")
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(bytes.toString()) : bytes,
  }
}

/** A body that keeps the contract, typed. */
export function as<T>(validate: Validator<T>, body: unknown): T {
  const problems = findErrors(validate, body)
  if (problems.length > 0)
    throw new Error(`breaks the contract: ${JSON.stringify(problems)} in ${JSON.stringify(body)}`)
  return body as T
}
