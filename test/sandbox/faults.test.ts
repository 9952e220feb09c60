import { describe, expect, it, vi } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import {
  BookingResponse,
  ConnectorListResponse,
  ErrorBody,
  TrackingResponse,
} from "../../src/contract/generated/replies.js"
import { FreightError } from "../../src/base/errors.ts"
import { startSandbox } from "../../src/sandbox/server.ts"
import { as, type Bench, booking, DAY, rateRequest, startBench, temporaryDir, testClock } from "./harness.ts"

/** A booking, raw: what comes back may be no JSON, or nothing. */
function send({ sandbox }: Bench, signal?: AbortSignal) {
  return fetch(`${sandbox.freightBaseUrl}/connector-a/shipments`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.freightApiKey}` },
    body: JSON.stringify(booking()),
    redirect: "manual",
    ...(signal && { signal }),
  })
}

async function booked({ control }: Bench) {
  return ((await control("GET", "/books?only=counts")).body as { counts: { shipments: number } }).counts
    .shipments
}

/** Sends a booking, and gives up once it is booked: however long that takes, no answer comes. */
async function giveUpOnceBooked(bench: Bench) {
  const waiting = new AbortController()
  const answer = send(bench, waiting.signal).then(
    ({ status }) => status,
    () => "no answer",
  )
  await vi.waitUntil(async () => (await booked(bench)) > 0, { timeout: 60_000 })
  waiting.abort()
  return answer
}

const withFault = (...faults: string[]) => startBench({ faults })

describe("a fault", () => {
  it.each<
    [kind: string, answer: number | RegExp, bookings: number, body?: (response: Response) => Promise<unknown>]
  >([
    ["429", 429, 0],
    ["500", 500, 0],
    ["502", 502, 0],
    ["503", 503, 0],
    ["html", 500, 0, async ({ headers }) => expect(headers.get("content-type")).toBe("text/html")],
    ["redirect", 307, 0],
    ["drop-before", /fetch failed/, 0],
    ["hang", /timeout/, 0],
    ["drop-after-commit", /fetch failed/, 1],
    ["502-after-commit", 502, 1],
    ["truncated", 201, 1, (response) => expect(response.text()).rejects.toThrow()],
    ["garbage", 201, 1, (response) => expect(response.json()).rejects.toThrow(SyntaxError)],
    [
      "wrong-shape",
      201,
      1,
      async (response) => expect(findErrors(BookingResponse, await response.json())).not.toEqual([]),
    ],
    [
      "slow",
      201,
      1,
      async (response) => expect(as(BookingResponse, await response.json()).connectorId).toBe("connector-a"),
    ],
  ])("%s answers a booking with %s, and books %d", async (kind, answer, bookings, checkBody) => {
    const bench = await withFault(kind)
    // Only "hang" never answers; the other faults do, however busy the machine is.
    const signal = kind === "hang" ? AbortSignal.timeout(500) : undefined
    if (answer instanceof RegExp) await expect(send(bench, signal)).rejects.toThrow(answer)
    else {
      const response = await send(bench)
      expect(response.status).toBe(answer)
      await checkBody?.(response)
    }
    expect(await booked(bench)).toBe(bookings)
  })

  it.each(["502", "drop", "hang"])("%s-after-commit:x1 is kept for a request that creates", async (kind) => {
    const bench = await withFault(`${kind}-after-commit:x1`)
    expect((await bench.freight("GET", "/connectors")).status).toBe(200)
    expect((await bench.freight("POST", "/rates", {})).status).toBe(400)
    const answered = () =>
      send(bench).then(
        ({ status }) => status,
        () => "no answer",
      )
    const outcome = await (kind === "hang" ? giveUpOnceBooked(bench) : answered())
    expect(outcome).toBe(kind === "502" ? 502 : "no answer")
    expect(await booked(bench)).toBe(1)
  })

  it("hang-after-commit gives a booking no answer, and books 1", async () => {
    const bench = await withFault("hang-after-commit")
    expect(await giveUpOnceBooked(bench)).toBe("no answer")
    expect(await booked(bench)).toBe(1)
  })

  it.each(["500", "502", "503"])("%s has an error body", async (kind) => {
    const { body } = await (await withFault(kind)).freight("GET", "/connectors")
    expect(as(ErrorBody, body).message).not.toBe("")
  })

  it("redirect leads to another origin, which tells whether a key came along", async () => {
    const bench = await withFault("redirect")
    const location = new URL((await send(bench)).headers.get("location") ?? "")
    expect(location.origin).not.toBe(new URL(bench.sandbox.freightBaseUrl).origin)
    location.hostname = "127.0.0.1"
    await fetch(location, { headers: { authorization: "Bearer secret" } })
    expect((await bench.control("GET", "/books")).body).toMatchObject({
      elsewhere: [{ method: "GET", withKey: true }],
    })
  })

  it("big has no end", async () => {
    const response = await send(await withFault("big"))
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > 20_000_000) break
    }
    expect(bytes).toBeGreaterThan(20_000_000)
  })

  it("escape puts control characters into what people read, errors included, and leaves ids alone", async () => {
    const { freight } = await withFault("escape")
    const [connector] = as(ConnectorListResponse, (await freight("GET", "/connectors")).body).connectors
    expect(connector?.name).toContain("\u001b[2J")
    expect(connector?.id).toBe("connector-a")
    const { body } = await freight("GET", "/shipments/nothing")
    expect(as(ErrorBody, body).message).toContain("\u001b")
  })
})

async function statuses({ freight }: Bench, ...paths: string[]) {
  const list: number[] = []
  for (const path of paths) list.push((await freight("GET", path)).status)
  return list
}

const connectors = (count: number): string[] => Array(count).fill("/connectors")

describe("how often and where a fault strikes", () => {
  it.each<[what: string, faults: string[], paths: string[], expected: number[]]>([
    ["always, without a rate", ["503"], connectors(3), [503, 503, 503]],
    ["the next few, with a count", ["503:x2"], connectors(4), [503, 503, 200, 200]],
    ["never, with a rate of 0", ["503:0"], connectors(3), [200, 200, 200]],
    ["one after the other, when there are several", ["503:x1", "502:x1"], connectors(3), [503, 502, 200]],
    [
      "only on paths with the part given, and no count is used up elsewhere",
      ["503:x1@/shipments"],
      ["/connectors", "/shipments", "/shipments"],
      [200, 503, 200],
    ],
    ["where a place is named, creating or not", ["502-after-commit@/connectors"], connectors(1), [502]],
    ["only with the method given", ["503@POST/shipments"], ["/shipments"], [200]],
  ])("%s", async (_what, faults, paths, expected) => {
    expect(await statuses(await withFault(...faults), ...paths)).toEqual(expected)
  })

  it("a fault with a method strikes only requests of that method", async () => {
    const { freight } = await withFault("503@POST/shipments")
    expect((await freight("POST", "/connector-a/shipments", booking())).status).toBe(503)
  })

  it.each([
    "slow:connector-b",
    "slow:x9:connector-b",
    "slow:connector-b@/rates",
  ])("%s: on what reaches that connector, and on the rates of all", async (fault) => {
    const struck: (string | undefined)[] = []
    const { freight } = await startBench({
      faults: [fault],
      onRequest: (request) => struck.push(request.fault),
    })
    for (const at of ["/rates", "/connector-a/rates", "/connector-b/rates"])
      expect((await freight("POST", at, rateRequest())).status).toBe(200)
    expect((await freight("GET", "/connectors")).status).toBe(200)
    expect(struck).toEqual([fault, undefined, fault, undefined])
  })

  it("a fault strikes about as often as its rate says, and alike with the same seed", async () => {
    const faults = ["503:0.5"]
    const run = async (seed: number) => statuses(await startBench({ faults, seed }), ...connectors(100))
    const [one, again, other] = [await run(42), await run(42), await run(2)]
    const struck = one.filter((status) => status === 503)
    expect(struck.length).toBeGreaterThan(25)
    expect(struck.length).toBeLessThan(75)
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })
})

it("a planted fault strikes only bookings of its connector and lane, and stays when faults are removed", async () => {
  const bench = await withFault("late:connector-a@20-61")
  const perth = await bench.book("connector-a", {})
  const { receiver } = booking()
  const geelong = { ...receiver, suburb: "Geelong", state: "VIC", postcode: "3220" }
  const other = await bench.book("connector-a", { receiver: geelong })
  await bench.control("DELETE", "/faults")
  const afterwards = await bench.book("connector-a", { customerReference: "PO-3" })
  bench.clock.advance(30 * DAY)
  const lateness = async ({ consignmentNumber }: { consignmentNumber?: string | null }) => {
    const { body } = await bench.freight("GET", `/track?consignment=${consignmentNumber}`)
    const { deliveredAt, eta } = as(TrackingResponse, body).tracking ?? {}
    return Math.round((Date.parse(deliveredAt ?? "") - Date.parse(`${eta}T00:00:00Z`)) / DAY)
  }
  expect(await lateness(perth)).toBe((await lateness(afterwards)) + 2)
  expect(await lateness(other)).toBe(await lateness(afterwards))
})

it.each([
  ["late@/shipments", "usage", /"\/shipments" is not a lane/],
  ["explode", "usage", /"explode".*429.*drop-after-commit/],
  ["502:connector-b", "usage", /only hang, slow, late, overbilled/],
  ["hang:connector-z", "usage", /is not a rate/],
  ...["502:2", "502:-1", "502:", "502:often", "502:x", "502:x-1"].map(
    (fault) => [fault, "usage", /is not a rate/] as const,
  ),
] as const)("the fault %s is none: a %s error", async (fault, kind, message) => {
  const error = await startSandbox({ dir: temporaryDir(), clock: testClock(), faults: [fault] }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(FreightError)
  expect(error).toMatchObject({ kind, message: expect.stringMatching(message) })
})

it("latency comes before every answer", async () => {
  const waits: number[] = []
  const clock = { ...testClock(), sleep: async (ms: number) => void waits.push(ms) }
  await statuses(await startBench({ clock, latencyMs: 250 }), "/connectors", "/shipments")
  expect(waits).toEqual([250, 250])
})
