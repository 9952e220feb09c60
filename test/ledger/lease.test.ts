import { expect, it } from "vitest"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"

/** A clock of which the test holds both hands: the one on the wall, and the one that goes on evenly. */
function twoHands() {
  const hands = { wall: 0, even: 0 }
  const clock = { now: () => hands.wall, elapsed: () => hands.even, sleep: async () => {} }
  let renewAll = () => {}
  const renewed: string[][] = []
  const keeper = createLeaseKeeper({
    leaseMs: LEASE_MS,
    clock,
    every(_, work) {
      renewAll = work
      return () => {}
    },
    async renew(ids) {
      renewed.push([...ids])
      return ids
    },
  })
  return { hands, keeper, clock, renewed, renew: () => renewAll() }
}

it("is not held after the machine has slept, while its even clock stood still", () => {
  const { hands, keeper, clock } = twoHands()
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  hands.wall += LEASE_MS
  expect(lease.isHeld()).toBe(false)
  expect(clock.elapsed()).toBe(0)
})

it("is not held longer because the clock was set back", () => {
  const { hands, keeper } = twoHands()
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  hands.wall -= 3_600_000
  hands.even += LEASE_MS
  expect(lease.isHeld()).toBe(false)
})

it("is not held after the machine has slept and its clock was set back: others take the lease for over", () => {
  const { hands, keeper } = twoHands()
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  hands.wall -= 3_600_000
  expect(lease.isHeld()).toBe(false)
})

it("is renewed also after it ran out: its request may have left, and nobody has settled it", async () => {
  const { hands, keeper, renewed, renew } = twoHands()
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  hands.wall += LEASE_MS
  hands.even += LEASE_MS
  renew()
  await Promise.resolve()
  expect(renewed).toEqual([["PO-1001.1"]])
  expect(lease.isHeld()).toBe(true)
})
