import { describe, expect, it } from "vitest"
import { fetchLabels } from "../../../src/orders/booking/labels.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { fakeClock } from "../../api/setup.ts"

const notReady = new FreightError("notReady", "the label is not ready yet", { code: "LABEL_NOT_AVAILABLE" })
const unknown = new FreightError("notFound", "no such shipment")

/** A carrier that makes each label after so many requests. */
function carrier(requestsUntilReady: Record<string, number>) {
  const clock = fakeClock()
  const asked: string[] = []
  const notes: string[] = []
  const getLabel = async (id: string) => {
    asked.push(id)
    const left = requestsUntilReady[id]
    if (left === undefined) throw unknown
    requestsUntilReady[id] = left - 1
    if (left > 0) throw notReady
    return new Uint8Array([1])
  }
  const deps = {
    clock,
    signal: new AbortController().signal,
    note: async (text: string) => void notes.push(text),
  }
  const fetch = (ids: string[], limitMs: number) =>
    fetchLabels(deps, { getLabel }, ids, limitMs, async (id) => `kept ${id}`)
  return { fetch, asked, notes, waits: clock.waits }
}

describe("fetchLabels", () => {
  it("gives each label in the order of the shipments", async () => {
    const attempts = await carrier({ a: 1, b: 0 }).fetch(["a", "b"], 60_000)
    expect(attempts).toEqual([
      { item: "a", ok: true, result: "kept a" },
      { item: "b", ok: true, result: "kept b" },
    ])
  })

  it("asks again only for those that are not ready, with growing pauses", async () => {
    const { fetch, asked, waits } = carrier({ a: 0, b: 3 })
    await fetch(["a", "b"], 60_000)
    expect(asked).toEqual(["a", "b", "b", "b", "b"])
    expect(waits).toEqual([...waits].sort((x, y) => x - y))
  })

  it("waits for all of them together under one limit", async () => {
    const { fetch, waits } = carrier({ a: 1000, b: 1000, c: 1000 })
    const attempts = await fetch(["a", "b", "c"], 60_000)
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeCloseTo(60_000)
    expect(attempts.map((attempt) => !attempt.ok && attempt.error.kind)).toEqual(Array(3).fill("notReady"))
  })

  it("ends when it was said, however long a request takes, and whatever came before it", async () => {
    const clock = fakeClock()
    const getLabel = async () => {
      await clock.sleep(2000)
      throw notReady
    }
    const { signal } = new AbortController()
    const began = clock.now()
    await clock.sleep(700)
    await fetchLabels(
      { clock, signal, began, note: async () => {} },
      { getLabel },
      ["a"],
      5000,
      async () => {},
    )
    expect(clock.now() - began).toBeGreaterThan(4000)
    expect(clock.now() - began).toBeLessThanOrEqual(5000)
  })

  it("says once what it waits for", async () => {
    const { fetch, notes } = carrier({ a: 3, b: 3 })
    await fetch(["a", "b"], 60_000)
    expect(notes).toEqual(["Waiting for the labels of 2 shipments…"])
  })

  it("names the one that it waits for as people do", async () => {
    const notes: string[] = []
    const note = async (text: string) => void notes.push(text)
    const getLabel = async () => {
      throw notReady
    }
    const deps = { clock: fakeClock(), signal: new AbortController().signal, note, nameOf: () => "SO-17" }
    await fetchLabels(deps, { getLabel }, ["4b8d6a1e"], 5000, async () => {})
    expect(notes).toEqual(["Waiting for the label of SO-17…"])
  })

  it("tries once without a limit", async () => {
    const { fetch, asked, notes } = carrier({ a: 1 })
    await fetch(["a"], 0)
    expect([asked, notes]).toEqual([["a"], []])
  })

  it("does not wait for a shipment that does not exist", async () => {
    const { fetch, asked } = carrier({ b: 0 })
    const attempts = await fetch(["a", "b"], 60_000)
    expect(asked).toEqual(["a", "b"])
    expect(attempts.map(({ ok }) => ok)).toEqual([false, true])
  })
})
