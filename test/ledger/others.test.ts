/** A create while other processes create the same order. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { contentHash } from "../../src/ledger/content.ts"
import type { Intent } from "../../src/ledger/create.ts"
import { isInFlight, MAX_LEASE_MS, whereNotInFlight } from "../../src/ledger/decision.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import type { Clock } from "../../src/base/ports.ts"
import {
  create,
  entry,
  failure,
  intent,
  MINUTE,
  NOW,
  PO,
  put,
  server,
  type TestLedger,
  testLedger,
} from "./setup.ts"

describe("a create that another process is sending", () => {
  /** Another process's claim, whose lease it renews; it is settled after three of this one's looks. */
  async function sending(outcome?: Partial<Entry>, renews = true): Promise<TestLedger> {
    const ledger = testLedger()
    const { store, clock } = ledger
    const claimed = entry({ content: contentHash("shipment", intent().content), leaseUntil: leaseFrom(NOW) })
    await put(store, claimed)
    let looks = 0
    const sleep: Clock["sleep"] = async (ms, signal) => {
      await clock.sleep(ms, signal)
      if (renews) await store.renew([claimed.id])
      if (++looks === 3 && outcome) await store.record({ ...claimed, ...outcome }, `put ${claimed.id}`)
    }
    return { ...ledger, clock: { ...clock, sleep } }
  }

  const leaseFrom = (now: number) => new Date(now + LEASE_MS).toISOString()

  const response = { shipmentId: "shp-9", orderNumber: "ORD-9" }

  it.each<[what: string, outcome: Partial<Entry>, recorded: boolean]>([
    ["waited for, and its result given", { state: "done", response }, true],
    ["sent when it was refused to the other", { state: "refused" }, false],
  ])("is %s", async (_what, outcome, recorded) => {
    const ledger = await sending(outcome)
    const { made, send } = server()
    expect(await create(ledger, send, PO)).toMatchObject({ recorded, ...(recorded && { response }) })
    expect(made).toHaveLength(recorded ? 0 : 1)
  })

  it("is given up after two minutes", async () => {
    const ledger = await sending()
    const { made, send } = server()
    const error = await failure(create(ledger, send, PO))
    expect(error).toMatchObject({ kind: "outcomeUnknown", exitCode: 7, next: "freight reconcile" })
    expect(error.message).toMatch(/^another process has been sending this booking since \w{3} 2\d Nov 2026, /)
    expect(ledger.clock.now() - NOW).toBe(2 * MINUTE)
    expect(made).toEqual([])
  })

  it("is unknown when the other ends without an outcome: its lease runs out", async () => {
    const ledger = await sending(undefined, false)
    const { made, send } = server()
    const error = await failure(create(ledger, send, PO))
    expect(error.message).toContain("its outcome is unknown")
    expect(ledger.clock.now() - NOW).toBeGreaterThanOrEqual(LEASE_MS)
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
    const { database } = testLedger().store
    const { made, send } = server()
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return send()
    }
    const creates = Array.from({ length: 8 }, () => create(testLedger({ database }), slow, changes))
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

  it("see each other's claims in one transaction", async () => {
    const { owner, sender, store } = testLedger()
    const claims = ["75", "76", "77"].map((serviceCode) =>
      store.claim(
        {
          ...{ kind: "shipment", owner, sender, call: "POST /x", request: {}, again: false },
          ...{ key: `key:${serviceCode}`, keyGiven: false },
          content: contentHash("shipment", { serviceCode }),
          referenceHash: "PO-1001 to Harbour Supplies",
          facts: { ...intent().facts, reference: "PO-1001" },
        },
        serviceCode,
      ),
    )
    // Asked at once, they are one group.
    expect((await Promise.all(claims)).map(({ kind }) => kind)).toEqual(["claimed", "sending", "sending"])
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
  it.each<[string, boolean, number]>([
    ["its lease runs", true, 1],
    ["its lease has run out", false, 0],
    ["its lease is the longest that there is", true, MAX_LEASE_MS],
    ["its lease is longer than any: the clock was set back since", false, MAX_LEASE_MS + 1],
  ])("%s: %s", async (_when, expected, left) => {
    const leaseUntil = new Date(NOW + left).toISOString()
    expect(isInFlight(entry({ leaseUntil }), NOW)).toBe(expected)
    expect(await isReadAsInFlight(leaseUntil)).toBe(expected)
  })

  /** Evaluates the ledger's SQL condition for a lease. */
  async function isReadAsInFlight(leaseUntil: string | null): Promise<boolean> {
    const { sql, parameters } = whereNotInFlight(NOW)
    const { database } = testLedger().store
    const found = await database.all(`select 1 as found from (select ? as lease_until) leases where ${sql}`, [
      leaseUntil,
      ...parameters,
    ])
    return found.length === 0
  }

  it("is not known of one whose sending has ended, or is settled", async () => {
    const leaseUntil = new Date(NOW + 1).toISOString()
    expect(await isReadAsInFlight(null)).toBe(false)
    expect([isInFlight(entry(), NOW), isInFlight(entry({ state: "done", leaseUntil }), NOW)]).toEqual([
      false,
      false,
    ])
  })
})
