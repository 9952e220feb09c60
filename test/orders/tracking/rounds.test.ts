import { describe, expect, it } from "vitest"
import type { TrackingResponse } from "../../../src/contract/generated/types.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { askUntilKnown, askUntilOver, foundIn } from "../../../src/orders/tracking/ask.ts"
import type { Tracked } from "../../../src/orders/tracking/events.ts"
import { fakeClock } from "../../api/setup.ts"

const PENDING: TrackingResponse = { supported: true, tracking: null }
const MOVING: TrackingResponse = { supported: true, tracking: { currentStatus: "In transit", events: [] } }
const DELIVERED: TrackingResponse = {
  supported: true,
  tracking: { currentStatus: "Delivered", deliveredAt: "2026-11-26T03:00:00Z", events: [] },
}
const down = new FreightError("unavailable", "no answer")
const unknown = new FreightError("notFound", "no such consignment")

/** Consignments with what is answered for each, in turn; the last answer stays. */
function carrier(script: Record<string, (TrackingResponse | FreightError)[]>, random = 0.5) {
  const clock = fakeClock()
  const asked: string[] = []
  const notes: string[] = []
  const warnings: string[] = []
  const track = async ({ consignment }: { consignment: string }) => {
    asked.push(consignment)
    const answers = script[consignment] ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer || answer instanceof FreightError) throw answer ?? unknown
    return answer
  }
  const deps = {
    clock,
    ids: { uuid: () => "", random: () => random },
    signal: new AbortController().signal,
    note: async (text: string) => void notes.push(text),
    warn: async (text: string) => void warnings.push(text),
  }
  const consignments = Object.keys(script)
  const question = { consignments, carrier: undefined, intervalMs: 30_000, limitMs: 300_000 }
  return { deps, api: { track }, question, asked, waits: clock.waits, notes, warnings }
}

describe("askUntilKnown", () => {
  it("asks once when everything is known", async () => {
    const { deps, api, question, asked } = carrier({ a: [MOVING], b: [DELIVERED] })
    await askUntilKnown(deps, api, question)
    expect(asked).toEqual(["a", "b"])
  })

  it("asks again for those alone of which nothing is known yet", async () => {
    const { deps, api, question, asked } = carrier({ a: [MOVING], b: [PENDING, PENDING, MOVING] })
    const answers = await askUntilKnown(deps, api, question)
    expect(asked).toEqual(["a", "b", "b", "b"])
    expect(foundIn(answers.values()).map(({ tracking }) => tracking?.currentStatus)).toEqual([
      "In transit",
      "In transit",
    ])
  })

  it.each([0, 0.3, 0.999])("waits 30 to 60 seconds before it asks again, by chance %s", async (random) => {
    const { deps, api, question, waits } = carrier({ a: [PENDING, PENDING, MOVING] }, random)
    await askUntilKnown(deps, api, question)
    expect(waits).toHaveLength(2)
    for (const wait of waits) expect([wait >= 30_000, wait <= 60_000]).toEqual([true, true])
  })

  it("ends with the limit, and asks no sooner than 30 seconds for it", async () => {
    const { deps, api, question, waits, asked } = carrier({ a: [PENDING] })
    await askUntilKnown(deps, api, { ...question, limitMs: 100_000 })
    expect(waits).toEqual([45_000, 45_000])
    expect(asked).toHaveLength(3)
  })

  it("does not ask again without a limit", async () => {
    const { deps, api, question, asked } = carrier({ a: [PENDING] })
    await askUntilKnown(deps, api, { ...question, limitMs: 0 })
    expect(asked).toEqual(["a"])
  })

  it("does not ask again for one that is not found", async () => {
    const { deps, api, question, asked } = carrier({ a: [unknown], b: [PENDING, MOVING] })
    const answers = await askUntilKnown(deps, api, question)
    expect(asked).toEqual(["a", "b", "b"])
    expect([...answers.keys()]).toEqual(["a", "b"])
  })
})

describe("askUntilOver", () => {
  const watched = async (script: Parameters<typeof carrier>[0]) => {
    const bench = carrier(script)
    const shown: Tracked[][] = []
    const question = { ...bench.question, limitMs: Number.POSITIVE_INFINITY }
    const answers = await askUntilOver(
      bench.deps,
      bench.api,
      question,
      async (found) => void shown.push(found),
    )
    return { ...bench, shown, answers }
  }

  it("asks until each is delivered, and no longer for one that is", async () => {
    const { asked } = await watched({ a: [DELIVERED], b: [PENDING, MOVING, DELIVERED] })
    expect(asked).toEqual(["a", "b", "b", "b"])
  })

  it("shows what each round found", async () => {
    const { shown } = await watched({ a: [DELIVERED], b: [MOVING, DELIVERED] })
    expect(shown.map((round) => round.map(({ consignment }) => consignment))).toEqual([["a", "b"], ["b"]])
  })

  it("gives up one that is not found, says so at once, and goes on", async () => {
    const { asked, warnings } = await watched({ a: [unknown], b: [MOVING, DELIVERED] })
    expect(asked).toEqual(["a", "b", "b"])
    expect(warnings).toEqual(["a: no such consignment; it is not watched"])
  })

  it("goes on over a service that is out of reach for a while, and says so once", async () => {
    const { answers, notes } = await watched({ a: [MOVING, down, down, DELIVERED] })
    expect(answers.get("a")?.ok).toBe(true)
    expect(notes).toEqual(["no answer; asking again later"])
  })

  it("ends when the service is out of reach from the first", async () => {
    const { asked, answers } = await watched({ a: [down], b: [down] })
    expect(asked).toEqual(["a", "b"])
    expect(answers.get("a")?.ok).toBe(false)
  })

  it("does not watch where there is no tracking", async () => {
    const { asked } = await watched({ a: [{ supported: false }] })
    expect(asked).toEqual(["a"])
  })
})
