import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import type { Store } from "../../../src/ledger/store.ts"
import { toUpdates, rememberSeen } from "../../../src/orders/tracking/booked.ts"
import { failure, testLedger } from "../../ledger/setup.ts"

const LOOKS = [{ consignmentNumber: "C1", events: 1 }]

describe("rememberSeen", () => {
  it.each([
    [
      "the ledger cannot be opened",
      { readLedger: () => Promise.reject(new FreightError("unavailable", "locked")) },
    ],
    ["something else is wrong with it", { readLedger: () => Promise.reject(new TypeError("bug")) }],
    ["it cannot be told whether there is one", { hasLedger: () => Promise.reject(new Error("no folder")) }],
  ])("never fails a command, where %s", async (_, broken) => {
    const deps = { hasLedger: async () => true, readLedger: async () => testLedger(), ...broken }
    await expect(rememberSeen(deps, LOOKS, 0)).resolves.toBeUndefined()
  })

  it("never fails one where it cannot be written", async () => {
    const { store } = testLedger()
    const database = {
      ...store.database,
      transaction: () => Promise.reject(new FreightError("config", "read-only")),
    }
    const readLedger = async () => ({ store: { ...store, database } as Store })
    await expect(rememberSeen({ hasLedger: async () => true, readLedger }, LOOKS, 0)).resolves.toBeUndefined()
  })

  it("makes no ledger where there is none", async () => {
    const readLedger = () => Promise.reject(new Error("opened"))
    await expect(
      rememberSeen({ hasLedger: async () => false, readLedger }, LOOKS, 0),
    ).resolves.toBeUndefined()
  })

  it("ends with Ctrl-C", async () => {
    const readLedger = () => Promise.reject(new FreightError("interrupted", "interrupted"))
    expect((await failure(rememberSeen({ hasLedger: async () => true, readLedger }, LOOKS, 0))).kind).toBe(
      "interrupted",
    )
  })
})

describe("toUpdates", () => {
  it("has nothing of a carrier that cannot be asked", () => {
    expect(toUpdates([{ consignment: "C1", supported: false }])).toEqual([])
    expect(toUpdates([{ consignment: "C1", supported: true, tracking: null }])).toEqual([
      { consignmentNumber: "C1" },
    ])
  })
})
