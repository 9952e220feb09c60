/** Rates of all carriers where one keeps the others waiting, from a sandbox over HTTP. */
import { describe, expect, it, onTestFinished } from "vitest"
import { createFreightApi } from "../../../src/api/freight.ts"
import { createLimiter } from "../../../src/api/limiter.ts"
import { getLateMs } from "../../../src/api/outcome.ts"
import { createTransport, type TransportOptions } from "../../../src/api/transport.ts"
import { type AskOptions, askCarriers } from "../../../src/orders/booking/carrier-rates.ts"
import type { ConnectorSummary, RateRequest } from "../../../src/contract/generated/types.ts"
import type { CarrierRates } from "../../../src/machine/memory/quotes.ts"
import { fakeClock } from "../../api/setup.ts"
import { failure } from "../../failure.ts"
import { rateRequest, startBench, testClock } from "../../sandbox/harness.ts"

const ONLY_ALL = "hang@/v0/rates"
const [A, B, C] = ["connector-a", "connector-b", "connector-c"]

/** Carriers that are late after a moment, and are given up after some more. */
async function rateBench(
  faults: string[],
  options: Partial<TransportOptions> & {
    latencyMs?: number
    closed?: boolean
    /** How long each carrier has that is asked by itself. */
    eachMs?: number
  } = {},
) {
  const { latencyMs, closed = false, eachMs, ...manners } = options
  const asked: string[] = []
  const { sandbox } = await startBench({
    faults,
    ...(latencyMs !== undefined && { latencyMs, clock: realSleep() }),
    onRequest: ({ method, path }) => asked.push(`${method} ${path.replace("/freight/v0", "")}`),
  })
  const clock = fakeClock()
  const timeouts = { connectMs: 5000, headersMs: 600, bodyMs: 600, lateMs: 200 }
  const transportOptions: TransportOptions = {
    baseUrl: sandbox.freightBaseUrl,
    key: sandbox.freightApiKey,
    api: "freight",
    clock,
    ids: { uuid: () => "", random: () => 0 },
    env: {},
    timeouts,
    userAgent: "test",
    ...manners,
  }
  const connect = (changes: Partial<TransportOptions> = {}) => {
    const transport = createTransport({ ...transportOptions, ...changes })
    onTestFinished(() => transport.close())
    return createFreightApi(transport)
  }
  const { rates, listConnectors } = connect()
  const { connectorRates } = connect(
    eachMs === undefined ? {} : { timeouts: { ...timeouts, headersMs: eachMs } },
  )
  const api = { rates, connectorRates }
  const gone: ConnectorSummary[] = [
    { id: "connector-gone", carrier: "CARRIER_A_AU", name: "Closed since", services: [] },
  ]
  const connectors = async () => [...(await listConnectors()).connectors, ...(closed ? gone : [])]
  const ratePace = { isSlow: false }
  return {
    ratePace,
    /** The answers since the last call. */
    asked: () => asked.splice(0).sort(),
    /** How often rates were asked for, without an answer so far as well. */
    async reached() {
      const books = await fetch(`${sandbox.controlUrl}/books`)
      const { requests } = (await books.json()) as { requests: Record<string, number> }
      return requests["POST /rates"] ?? 0
    },
    ask: (how: AskOptions = {}, changes: Partial<RateRequest> = {}) =>
      askCarriers({ api, clock, connectors, ratePace }, { ...rateRequest(), ...changes }, how),
  }
}

function realSleep() {
  return { ...testClock(), sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) }
}

const priced = (results: readonly CarrierRates[]) =>
  results.filter(({ rates = [] }) => rates.length > 0).map(({ connectorId }) => connectorId)

describe("carriers that all answer", () => {
  it("are asked with one request, whose quote each rate keeps", async () => {
    const { ask, asked, ratePace } = await rateBench([])
    const { reply, missing } = await ask()
    expect(asked()).toEqual(["POST /rates"])
    expect(priced(reply.results)).toEqual([A, B, C])
    expect(new Set(reply.results.map(({ quoteId }) => quoteId))).toEqual(new Set([reply.quoteId]))
    expect([missing, ratePace.isSlow]).toEqual([[], false])
  })
})

describe("a carrier that hangs", () => {
  it("does not hide the others, each with the quote of its own call", async () => {
    const { ask, asked, ratePace } = await rateBench(["hang:connector-b"])
    const answers: string[] = []
    const { reply, missing } = await ask({
      isBrief: true,
      onAnswer: (each) => answers.push(each.connectorId),
    })
    expect(priced(reply.results)).toEqual([A, C])
    expect(reply.quoteId).toBeUndefined()
    const [one, none, other] = reply.results.map(({ quoteId }) => quoteId)
    expect([typeof one, none, typeof other]).toEqual(["string", undefined, "string"])
    expect(one).not.toBe(other)
    expect(missing).toMatchObject([
      { connectorId: B, success: false, error: { code: "NO_ANSWER", message: "it did not answer in time" } },
    ])
    expect(answers.sort()).toEqual([A, B, C])
    expect(asked()).toContain("POST /rates")
    expect(ratePace.isSlow).toBe(true)
  })

  it("is asked by itself from then on, with the others", async () => {
    const { ask, asked } = await rateBench(["hang:connector-b"])
    await ask({ isBrief: true })
    asked()
    expect(priced((await ask({ isBrief: true })).reply.results)).toEqual([A, C])
    expect(asked()).not.toContain("POST /rates")
  })

  it("is waited for as long as for any reply, where it cannot be left out", async () => {
    const { ask } = await rateBench(["hang:connector-b"])
    const began = performance.now()
    const { missing } = await ask()
    expect(missing.map(({ connectorId }) => connectorId)).toEqual([B])
    expect(performance.now() - began).toBeGreaterThan(600)
  })

  it("is not waited for longer than the request for all of them", async () => {
    const { ask } = await rateBench(["hang:connector-b"], { eachMs: 600_000 })
    const { reply, missing } = await ask()
    expect(priced(reply.results)).toEqual([A, C])
    expect(missing).toMatchObject([
      { connectorId: B, success: false, error: { code: "NO_ANSWER", message: "it did not answer in time" } },
    ])
  })

  it.each([
    [30_000, 3_000],
    [6_000, 3_000],
    [2_000, 1_000],
  ])("is late, with a time-out of %i ms, after %i", (headersMs, lateMs) => {
    expect(getLateMs({ headersMs })).toBe(lateMs)
  })

  it("leaves room for the others where one request may be under way at once", async () => {
    const { ask } = await rateBench([ONLY_ALL], { limiter: createLimiter(fakeClock(), 1) })
    expect(priced((await ask()).reply.results)).toEqual([A, B, C])
  })

  it("counts as one that does not answer where its answer trickles in", async () => {
    const { ask } = await rateBench(["slow:connector-b"], { latencyMs: 1 })
    const { reply, missing } = await ask({ isBrief: true })
    expect([priced(reply.results), missing.length]).toEqual([[A, C], 1])
  })
})

describe("a service that is slow", () => {
  it("is not asked for less than all where all come in the end", async () => {
    const { ask } = await rateBench([], { latencyMs: 300 })
    const { reply, missing } = await ask({ isBrief: true })
    expect([priced(reply.results), missing]).toEqual([[A, B, C], []])
    expect(reply.quoteId).toEqual(expect.any(String))
  })

  it("is waited for, also once it is known to be slow, rather than to say that there is no rate", async () => {
    const { ask, ratePace } = await rateBench([], { latencyMs: 300 })
    ratePace.isSlow = true
    // Who answers a moment after the first is not waited for any more.
    expect(priced((await ask({ isBrief: true })).reply.results)).not.toEqual([])
  })

  it("gives all rates where it answers each carrier alone, and never all together", async () => {
    const { ask } = await rateBench([ONLY_ALL])
    const { reply, missing } = await ask()
    expect([priced(reply.results), missing]).toEqual([[A, B, C], []])
  })
})

describe("a carrier that says no by itself", () => {
  it.each(["429", "502"])("with %s has answered", async (status) => {
    const { ask } = await rateBench([ONLY_ALL, `${status}@/connector-b/rates`])
    const { reply, missing } = await ask({ isBrief: true })
    expect([priced(reply.results), missing]).toEqual([[A, C], []])
    expect(reply.results[1]).toMatchObject({
      connectorId: B,
      success: false,
      error: { message: expect.stringContaining(status) },
    })
  })

  it("with 404 has answered: its account was closed meanwhile", async () => {
    const { ask } = await rateBench([ONLY_ALL], { closed: true })
    const { reply, missing } = await ask({ isBrief: true })
    expect([priced(reply.results), missing]).toEqual([[A, B, C], []])
    expect(reply.results[3]).toMatchObject({ connectorId: "connector-gone", success: false })
  })

  it("with 400 has answered, also where all carriers do", async () => {
    const { ask } = await rateBench([ONLY_ALL])
    const to = { ...rateRequest().to, suburb: "sandbox:carrier-rejects" }
    const { reply, missing } = await ask({ isBrief: true }, { to })
    expect([priced(reply.results), missing]).toEqual([[], []])
    for (const { success, error } of reply.results)
      expect([success, error?.message]).toEqual([false, expect.stringContaining("400")])
  })

  it("has not, where its connection breaks or nobody can read what it says", async () => {
    const { ask } = await rateBench([
      ONLY_ALL,
      "drop-before@/connector-a/rates",
      "garbage@/connector-c/rates",
    ])
    const { reply, missing } = await ask({ isBrief: true })
    expect([priced(reply.results), missing.map(({ connectorId }) => connectorId)]).toEqual([[B], [A, C]])
  })
})

describe("where nothing is priced", () => {
  it("who did not answer is named", async () => {
    const { ask } = await rateBench(["hang@/rates"])
    const error = await failure(ask({ isBrief: true }))
    expect(error).toMatchObject({ kind: "timeout", exitCode: 6, retry: "safe", code: "NO_ANSWER" })
    for (const id of [A, B, C]) expect(error.message).toContain(`${id}: it did not answer in time`)
  })

  it("the error of all is reported where the carriers cannot be listed", async () => {
    const { ask } = await rateBench([ONLY_ALL, "500@/connectors"])
    expect(await failure(ask())).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("POST /rates"),
    })
  })

  it("a key that is not valid is reported as that", async () => {
    const { ask } = await rateBench([], { key: "x".repeat(40) })
    expect(await failure(ask())).toMatchObject({ kind: "unauthenticated" })
  })
})

it("Ctrl-C ends the wait for all of them", async () => {
  const interrupt = new AbortController()
  const timeouts = { connectMs: 60_000, headersMs: 60_000, bodyMs: 60_000, lateMs: 200 }
  const { ask, reached } = await rateBench(["hang@/rates"], { signal: interrupt.signal, timeouts })
  const failed = failure(ask({ onAnswer: () => {} }))
  await expect.poll(reached).toBeGreaterThan(0)
  interrupt.abort()
  expect(await failed).toMatchObject({ kind: "interrupted" })
})
