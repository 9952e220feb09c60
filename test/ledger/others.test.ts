/** What a create does while others do the same. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
import { contentHash } from "../../src/ledger/content.ts"
import { type Intent, isInFlight } from "../../src/ledger/create.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import type { Clock } from "../../src/ports.ts"
import {
  create,
  entry,
  failure,
  HOUR,
  intent,
  MINUTE,
  NOW,
  OWNER,
  PO,
  server,
  slotOf,
  type TestLedger,
  testClock,
  testLedger,
} from "./setup.ts"

describe("a create that another process is sending", () => {
  const ALIVE = { ...OWNER, pid: 1, isAlive: () => true }

  /** Another process's claim, which that process settles after three of this one's looks. */
  async function sending(outcome?: Partial<Entry>): Promise<TestLedger> {
    const ledger = testLedger({ owner: ALIVE })
    const { store, clock } = ledger
    const claimed = entry({ content: contentHash("shipment", intent().content) })
    const slot = slotOf(claimed)
    await store.claim(slot, claimed, { byContent: true })
    let looks = 0
    const sleep: Clock["sleep"] = async (ms, signal) => {
      await clock.sleep(ms, signal)
      if (++looks === 3 && outcome) await store.settle(slot, { ...claimed, ...outcome })
    }
    return { ...ledger, clock: { ...clock, sleep } }
  }

  const response = { shipmentId: "shp-9", orderNumber: "ORD-9" }

  it("is waited for, and its result given", async () => {
    const ledger = await sending({ state: "done", response })
    const { made, send } = server()
    expect(await create(ledger, send, PO)).toMatchObject({ response, recorded: true })
    expect(made).toEqual([])
  })

  it("is sent when it was refused to the other", async () => {
    const ledger = await sending({ state: "refused" })
    const { made, send } = server()
    expect((await create(ledger, send, PO)).recorded).toBe(false)
    expect(made).toHaveLength(1)
  })

  it("is given up after two minutes", async () => {
    const ledger = await sending()
    const { made, send } = server()
    const error = await failure(create(ledger, send, PO))
    expect(error).toMatchObject({ kind: "outcomeUnknown", exitCode: 7, next: "freight reconcile" })
    expect(error.message).toContain(
      "another process has been sending this booking since 2026-11-20 23:00 UTC",
    )
    expect(ledger.clock.now() - NOW).toBe(2 * MINUTE)
    expect(made).toEqual([])
  })

  it("is unknown when the other ends without an outcome", async () => {
    const ledger = await sending()
    let looks = 0
    const dying = { ...ledger, owner: { ...ALIVE, isAlive: () => ++looks < 3 } }
    const { made, send } = server()
    const error = await failure(create(dying, send, PO))
    expect(error.message).toContain("its outcome is not known")
    expect(made).toEqual([])
  })

  it("is waited for no longer after Ctrl-C", async () => {
    const interrupt = new AbortController()
    const ledger = { ...(await sending()), signal: interrupt.signal }
    const { made, send } = server()
    const reason = new FreightError("interrupted", "interrupted")
    interrupt.abort(reason)
    await expect(create(ledger, send, PO)).rejects.toBe(reason)
    expect(made).toEqual([])
  })

  it("is not sent without a key either", async () => {
    const ledger = await sending()
    const { made, send } = server()
    expect(await failure(create(ledger, send))).toMatchObject({ kind: "outcomeUnknown" })
    expect(made).toEqual([])
  })
})

describe("several at once", () => {
  /** As many processes as there are results; each waits for real. */
  function together(changes: Partial<Intent>) {
    const { store } = testLedger()
    const { made, send } = server()
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return send()
    }
    const creates = Array.from({ length: 8 }, (_, pid) => {
      const owner = { host: OWNER.host, pid, isAlive: () => true }
      return create(testLedger({ store, owner }), slow, changes)
    })
    return { made, settled: Promise.allSettled(creates) }
  }

  it("with one key make one, and all have its result", async () => {
    const { made, settled } = together(PO)
    const results = await settled
    expect(made).toEqual(["shp-1"])
    const values = results.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
    expect(values.map(({ response }) => response.shipmentId)).toEqual(Array(8).fill("shp-1"))
    expect(values.filter(({ recorded }) => !recorded)).toHaveLength(1)
  })

  it("without a key make one, and the others are refused with its shipment", async () => {
    const { made, settled } = together({})
    const results = await settled
    expect(made).toEqual(["shp-1"])
    const errors = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []))
    expect(errors).toHaveLength(7)
    for (const error of errors)
      expect(error).toMatchObject({ kind: "refused", next: "freight shipments show shp-1" })
  })
})

describe("whether a claim is in flight", () => {
  const ME = { host: "desk-1", pid: 1 }
  it.each<[string, boolean, Partial<{ host: string; pid: number; alive: boolean; age: number }>]>([
    ["its process runs", true, {}],
    ["its process is gone", false, { alive: false }],
    ["its process is this one's number, which was used again", false, { pid: ME.pid }],
    ["its process runs for longer than any send takes", false, { age: 4 * HOUR }],
    ["its process runs just as long as a send takes", true, { age: 4 * HOUR - 1 }],
    ["it was made on another host just now", true, { host: "desk-2", alive: false, age: MINUTE - 1 }],
    ["it was made on another host a while ago", false, { host: "desk-2", age: MINUTE }],
    ["the clock was set back since", true, { age: -HOUR }],
  ])("%s: %s", (_when, expected, { host = "desk-1", pid = 7, alive = true, age = 0 }) => {
    const clock = testClock()
    const owner = { ...ME, isAlive: () => alive }
    const made = entry({ owner: { host, pid }, sentAt: new Date(NOW - age).toISOString() })
    expect(isInFlight(made, { clock, owner })).toBe(expected)
  })
})
