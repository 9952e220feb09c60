/** Every command against a server that misbehaves: message, exit code, number of requests, and what is left behind. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type Bench, type FaultyDesk, faultyDesk, openBench, type Told } from "../faulty/bench.ts"
import { FOLLOW_UPS, ROWS, type Row, SILENT } from "../faulty/commands.ts"
import {
  createdThenDropped,
  type End,
  FAULT_NAMES,
  FAULTS,
  type Fault,
  type FaultName,
  shortPdf,
} from "../faulty/faults.ts"
import { countOf, type Misbehave } from "../faulty/forwarder.ts"
import { EXIT } from "../../src/base/errors.ts"
import { DEAD_PORT } from "../ports.ts"
import { commandNames } from "./tree.ts"

// Tests that wait for timeouts, or for retries of the built program, run concurrently. All others run in this process.
vi.setConfig({ maxConcurrency: 16 })
const waits = (name: FaultName) => "timeout" in FAULTS[name]

/** These meet every fault; each other row meets the few below. */
const READS_IN_FULL: readonly string[] = ["connectors", "label"]
const CREATE_IN_FULL = "book"
const FEW_FOR_READS: readonly FaultName[] = ["silence", "502", "JSON of another shape"]
const FEW_FOR_CREATES: readonly FaultName[] = ["reset before headers", "502", "truncated JSON"]
/** Certainly nothing was made of it, and it is not waited for. */
const LATER: FaultName = "429 with a date an hour away"
/** Temporary faults: a read succeeds when it is retried. */
const PASSING: readonly FaultName[] = [
  "reset before headers",
  "reset in the body",
  "429 with seconds",
  "429 with a date",
  "429 with the print API's body",
  "502",
  "503",
]

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

interface Tried {
  desk: FaultyDesk
  args: readonly string[]
  told: Told
  /** How often the struck request came. */
  requests: number
}

/** Commands that errors told programs to run next, each with a desk where this happened. */
const advised = new Map<string, { desk: FaultyDesk; nextArgs: readonly string[]; isStep: boolean }>()

/** Runs a row's command while its request is struck, at a new desk. */
async function tried(
  row: Row,
  misbehave: Misbehave,
  more: { times?: number; timeout?: string } = {},
): Promise<Tried> {
  const desk = await faultyDesk(bench)
  const args = [...(await row.args(bench, desk)), "--json"]
  if (more.timeout) args.push("--timeout", more.timeout)
  const { at } = row
  desk.line.arm({ at, misbehave, ...(more.times !== undefined && { times: more.times }) })
  const told = await desk.freight(args, row.options?.(bench))
  for (const { nextArgs } of told.error ? [told.error, ...(told.error.errors ?? [])] : [])
    if (nextArgs)
      advised.set(`${row.kind} ${nextArgs.slice(0, 2).join(" ")}`, {
        ...{ desk, nextArgs },
        isStep: told.error?.kind === "stepFailed",
      })
  return { desk, args, told, requests: countOf(desk.line.requests, at) }
}

function expectEnd({ told, requests }: Tried, row: Row, end: End): void {
  const { code, error, stdout, stderr } = told
  if (row.many) expect(requests).toBeGreaterThanOrEqual(end.requests)
  else expect(requests).toBe(end.requests)
  if (row.reports !== undefined) {
    expect(code, stderr).toBe(row.reports)
    expect(JSON.stringify(JSON.parse(stdout))).toMatch(end.says)
    return
  }
  expect(code, stderr).toBe(end.exit)
  expect(error, stderr).toMatchObject({ kind: end.kind, retry: end.retry })
  expect([error?.message, ...(error?.errors ?? []).map(({ message }) => message)].join("\n")).toMatch(
    end.says,
  )
  if (end.retryAfter) expect(error?.retryAfter).toSatisfy(end.retryAfter)
}

describe("the table", () => {
  it("has every command, or it is one that asks no server", () => {
    const inTable = new Set([...ROWS.map(({ command }) => command), ...SILENT])
    expect(commandNames().sort()).toEqual([...inTable].sort())
  })
})

const READS = ROWS.filter(({ kind }) => kind === "read")

function meets(row: Row, names: readonly FaultName[]): void {
  for (const name of names.filter(
    (each) => !(row.unchecked || row.copes) || each !== "JSON of another shape",
  ))
    it(`${row.name}: ${name}`, async () => {
      const { misbehave, read: ofJson, label = ofJson, timeout }: Fault = FAULTS[name]
      const read = row.at.endsWith("/label") ? label : ofJson
      const run = await tried(row, misbehave, { ...(timeout && { timeout }) })
      expectEnd(run, row, read)
      await expectNothingLeft(run, row)
    })
}
const readFaults = ({ name, asksOtherwise }: Row) =>
  (READS_IN_FULL.includes(name) ? FAULT_NAMES : FEW_FOR_READS).filter(
    (each) => !asksOtherwise || !waits(each),
  )

describe.concurrent("a read that is not answered in time", () => {
  for (const row of READS) meets(row, readFaults(row).filter(waits))
})

describe("a read", () => {
  for (const row of READS) {
    meets(
      row,
      readFaults(row).filter((name) => !waits(name)),
    )
    const passing = READS_IN_FULL.includes(row.name) ? PASSING : (["503"] as const)
    for (const name of passing)
      it(`${row.name}: succeeds when '${name}' passes`, async () => {
        const { told, requests } = await tried(row, FAULTS[name].misbehave, { times: 2 })
        expect(told.code, told.stderr).toBe(row.ends ?? 0)
        expect(requests).toBeGreaterThanOrEqual(3)
      })
  }
})

/** Nothing was created, no file was written, and nothing was printed but what is the command's to report. */
async function expectNothingLeft({ desk, told }: Tried, { reports }: Row): Promise<void> {
  if (reports === undefined) expect(told.stdout).toBe("")
  expect(await desk.files()).toEqual(FILES)
  const creates = desk.line.requests.filter((said) => said.startsWith("POST ") && !said.endsWith("/rates"))
  expect(creates).toEqual([])
}

const FILES = ["booking.json", "paper.pdf"]

describe("a create", () => {
  for (const row of ROWS.filter(({ kind }) => kind === "create")) {
    const names = row.name === CREATE_IN_FULL ? FAULT_NAMES : FEW_FOR_CREATES
    for (const name of names)
      it(`${row.name}: ${name}`, async () => {
        const { misbehave, create, timeout }: Fault = FAULTS[name]
        const run = await tried(row, misbehave, { ...(timeout && { timeout }) })
        expectEnd(run, row, create)
        if (create.exit === 7) await expectOpen(run, row)
        else await expectFree(run)
      })

    it(`${row.name}: created, then dropped`, async () => {
      const run = await tried(row, createdThenDropped)
      expectEnd(run, row, FAULTS["reset before headers"].create)
      await expectOpen(run, row)
    })

    it(`${row.name}: a 429 is tried again, and then made once`, async () => {
      const { told, requests, desk } = await tried(row, FAULTS["429 with seconds"].misbehave, { times: 2 })
      expect(told.code, told.stderr).toBe(0)
      expect(requests).toBe(3)
      expect((await desk.ledger()).map(({ state }) => state)).toEqual(["done"])
    })

    it(`${row.name}: a person is told not to run it again`, async () => {
      const desk = await faultyDesk(bench)
      const args = await row.args(bench, desk)
      desk.line.arm({ at: row.at, misbehave: FAULTS["reset before headers"].misbehave })
      const { code, stderr } = await desk.freight(args)
      expect(code).toBe(7)
      expect(stderr).toMatch(/^error: .*its outcome is unknown/m)
      expect(stderr).toContain("do not run this again")
      expect(stderr).toMatch(/^next: freight reconcile$/m)
    })
  }

  it("book: a booking that was dropped is found by reconcile, and was made once", async () => {
    const desk = await faultyDesk(bench)
    const reference = randomUUID()
    const args = ["book", "--file", "booking.json", "--reference", reference, "--json"]
    desk.line.arm({ at: "POST /{}/shipments", misbehave: createdThenDropped })
    expect((await desk.freight(args)).code).toBe(7)
    desk.line.arm()
    const settled = await desk.freight(["reconcile", "--json"])
    expect(settled.code, settled.stderr).toBe(0)
    const [{ shipmentId } = {}] = (await desk.ledger()).map(({ facts }) => facts)
    const { shipments } = (await bench.sandbox.control("books")) as Books
    const made = shipments.filter(({ request }) => request.customerReference === reference)
    expect(made.map(({ id }) => id)).toEqual([shipmentId])
  })
})

interface Books {
  shipments: { id: string; request: { customerReference?: string } }[]
}

/** The ledger holds exactly the open entry; the same command sends nothing, and says to reconcile. */
async function expectOpen({ desk, args, told }: Tried, { at }: Row): Promise<void> {
  expect(told.error?.next).toBe("freight reconcile")
  expect((await desk.ledger()).map(({ state }) => state)).toEqual(["unknown"])
  desk.line.arm()
  const second = await desk.freight(args)
  expect(second.code, second.stderr).toBe(7)
  expect(second.error).toMatchObject({ kind: "outcomeUnknown", retry: "never", next: "freight reconcile" })
  expect(countOf(desk.line.requests, at)).toBe(0)
}

/** Certainly nothing was created: the ledger says so, and the command can be run again. */
async function expectFree({ desk, args }: Tried): Promise<void> {
  expect((await desk.ledger()).map(({ state }) => state)).toEqual(["refused"])
  desk.line.arm()
  const again = await desk.freight(args)
  expect(again.code, again.stderr).toBe(0)
}

describe.concurrent("a step after a booking", () => {
  for (const { name, flags, at, kind, next } of FOLLOW_UPS)
    for (const fault of [...(kind === "read" ? FEW_FOR_READS : FEW_FOR_CREATES), LATER])
      it(`${name}: ${fault}`, async () => {
        const desk = await faultyDesk(bench)
        const { misbehave, timeout, label, [kind]: usual }: Fault = FAULTS[fault]
        const end = (at.endsWith("/label") && label) || usual
        const limit = timeout ? ["--timeout", timeout] : []
        desk.line.arm({ at, misbehave })
        const args = ["book", "--without-looking", "--file", "booking.json", ...flags, "--json", ...limit]
        const { code, error, stderr, json } = await desk.freight(args)
        expect(code, stderr).toBe(8)
        expect(error).toMatchObject({ kind: "stepFailed", retry: "never" })
        // Reconcile looks for a step that may have been done. A step that was not done is repeated with its own command.
        expect(error?.next).toMatch(end.exit === 7 ? /^freight reconcile$/ : next)
        expect(error?.errors?.[0]?.message).toMatch(end.says)
        expect(json()).toMatchObject({ shipmentId: expect.any(String) })
        expect(countOf(desk.line.requests, at)).toBe(end.requests)
        expect(countOf(desk.line.requests, "POST /{}/shipments")).toBe(1)
        expect(await desk.files()).toEqual(FILES)
        const states = (await desk.ledger()).map((entry) => `${entry.kind} ${entry.state}`)
        const made = at.endsWith("/pickups") ? "pickup" : "label-print"
        const state = end.exit === 7 ? "unknown" : "refused"
        expect(states.sort()).toEqual(
          kind === "create" ? [`${made} ${state}`, "shipment done"] : ["shipment done"],
        )
      })
})

describe.concurrent("a server that is not there", () => {
  // Reconcile is left out: its bookings went to another address, which counts as another service with its own ledger.
  for (const row of ROWS.filter(({ name, command }) => name === command && name !== "reconcile"))
    it(`${row.name}: refused`, async () => {
      const desk = await faultyDesk(bench)
      const args = await row.args(bench, desk)
      const dead = `http://127.0.0.1:${DEAD_PORT}`
      const env = { FREIGHT_BASE_URL: `${dead}/freight/v0`, DIRECT_PRINT_BASE_URL: `${dead}/direct-print/v0` }
      const { input } = row.options?.(bench) ?? {}
      const { reach } = desk.line
      const told = await desk.freight(
        [...args.map((word) => (word === reach.freightBaseUrl ? env.FREIGHT_BASE_URL : word)), "--json"],
        { env, ...(input !== undefined && { input }) },
      )
      const says = /refused the connection \(ECONNREFUSED\) after 4 tries/
      expectEnd({ desk, args, told, requests: 0 }, row, {
        exit: 6,
        kind: "unavailable",
        retry: "safe",
        requests: 0,
        says,
      })
      expect((await desk.ledger()).filter(({ state }) => state === "done")).toEqual([])
      expect(await desk.files()).toEqual(FILES)
    })
})

describe("a label that is shorter than announced", () => {
  const row = ROWS.find(({ name }) => name === "label")

  it("is not written, nor any draft of it", async () => {
    if (!row) throw new Error("no row")
    const run = await tried(row, shortPdf)
    expectEnd(run, row, { ...FAULTS["reset in the body"].read, says: /broke/ })
    await expectNothingLeft(run, row)
  })

  it("is written whole when the next try brings it whole", async () => {
    if (!row) throw new Error("no row")
    const { told, desk } = await tried(row, shortPdf, { times: 1 })
    expect(told.code, told.stderr).toBe(0)
    expect(await desk.files()).toEqual([...FILES, "label.pdf"].sort())
  })
})

describe("what a failure must not keep", () => {
  it("auth login: no key that could not be tried", async () => {
    const desk = await faultyDesk(bench)
    desk.line.arm({ at: "GET /connectors", misbehave: FAULTS["502"].misbehave })
    const { freightBaseUrl, freightApiKey } = desk.line.reach
    const login = ["auth", "login", "--api-key-stdin", "--base-url", freightBaseUrl]
    const { code, stderr } = await desk.freight(login, { input: freightApiKey })
    expect(code, stderr).toBe(6)
    expect(stderr).toContain("Nothing was saved")
    const saved = await desk.freight(["profile", "list", "--json"])
    expect(saved.stdout).not.toContain(freightBaseUrl)
  })

  it("devices use: no device when one of the two lists cannot be had", async () => {
    const desk = await faultyDesk(bench)
    desk.line.arm({ at: "GET /devices", misbehave: FAULTS["502"].misbehave })
    expect((await desk.freight(["devices", "use", "device-bench"])).code).toBe(6)
    expect((await desk.freight(["devices", "forget", "--json"])).items()).toEqual([])
  })
})

describe("what an error tells a program to run next", () => {
  it("runs as it stands, and creates nothing but a step that was asked for", async () => {
    for (const { desk, nextArgs, isStep } of advised.values()) {
      const line = `freight ${nextArgs.join(" ")}`
      desk.line.arm()
      const { code, stdout, stderr } = await desk.freight(nextArgs)
      // An outcome may stay unknown after the search for it.
      expect([EXIT.done, EXIT.no, EXIT.unknown], `${line}: ${stderr}`).toContain(code)
      expect(`${stdout}${stderr}`, line).not.toBe("")
      const creates = desk.line.requests.filter(
        (said) => said.startsWith("POST ") && !said.endsWith("/rates"),
      )
      if (!isStep) expect(creates, line).toEqual([])
    }
  })
})
