import { expect, it } from "vitest"
import { createDirectPrintApi } from "../../src/api/direct-print.ts"
import { sendPickup } from "../../src/orders/booking/pickup.ts"
import { ofCommand, toOrder } from "../../src/orders/booking/order.ts"
import { bookOrder } from "../../src/orders/booking/send.ts"
import { preparePdf } from "../../src/orders/printing/pdf.ts"
import { sendLabelPrint, sendPdfPrint } from "../../src/orders/printing/print.ts"
import { json, server } from "../api/servers.ts"
import { booking, client, pickup } from "../api/setup.ts"
import { DEAD_PORT } from "../ports.ts"
import { entries, failure, testLedger } from "./setup.ts"
import type { LedgerDeps } from "../../src/ledger/create.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import { soundPdf } from "../output/paper/odd-pdfs.ts"

const ASKED = { connectorId: "con_1", carrier: "CARRIER_A_AU" as const }
const { shipmentId: _, ...PICKUP } = pickup
const SHEET = { deviceId: "dev_1", copy: 1 }
const PDF = await preparePdf("label.pdf", soundPdf("label"))

/** A clock of which the test holds both hands: the one on the wall, and the one that goes on evenly. */
function twoHands(answer: (ids: readonly string[]) => Promise<readonly string[]> = async (ids) => ids) {
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
    renew(ids) {
      renewed.push([...ids])
      return answer(ids)
    },
  })
  return {
    hands,
    keeper,
    renewed,
    async renew() {
      renewAll()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it.each([
  ["after the machine has slept, while its even clock stood still", LEASE_MS, 0],
  ["longer because the clock was set back", -3_600_000, LEASE_MS],
  ["longer because the clock was set back by as much as went by", 0, LEASE_MS],
  // Others take the lease for over.
  ["after the machine has slept and its clock was set back", -3_600_000, 0],
])("a lease is not held %s", (_when, wall, even) => {
  const { hands, keeper } = twoHands()
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  expect(lease.isHeld()).toBe(true)
  hands.wall += wall
  hands.even += even
  expect(lease.isHeld()).toBe(false)
})

it("a lease is renewed also after it ran out: its request may have left, and nobody has settled it", async () => {
  const { hands, keeper, renewed, renew } = twoHands()
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  hands.wall += LEASE_MS
  hands.even += LEASE_MS
  await renew()
  expect(renewed).toEqual([["PO-1001.1"]])
  expect(lease.isHeld()).toBe(true)
})

it.each<[string, () => Promise<string[]>]>([
  ["the ledger says that it is not its own any more", async () => []],
  ["the ledger cannot be reached", () => Promise.reject(new Error("nobody answers"))],
])("a lease is not held after a renewal when %s", async (_when, answer) => {
  const { hands, keeper, renew } = twoHands(answer)
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  hands.wall += LEASE_MS - 1
  await renew()
  expect(lease.isHeld()).toBe(true)
  hands.wall += 1
  expect(lease.isHeld()).toBe(false)
})

it("a lease is held from when its renewal began, however long that took", async () => {
  const { hands, keeper, renew } = twoHands(async (ids) => {
    hands.wall += LEASE_MS
    return ids
  })
  const lease = keeper.hold("PO-1001.1", keeper.begin())
  await renew()
  expect(lease.isHeld()).toBe(false)
})

it("a lease is renewed no more once it ended, also while it is being renewed", async () => {
  const { keeper, renewed, renew } = twoHands(async (ids) => {
    leases[1]?.end()
    return ids
  })
  const leases = ["PO-1.1", "PO-2.1", "PO-3.1"].map((id) => keeper.hold(id, keeper.begin()))
  leases[0]?.end()
  await renew()
  await renew()
  expect(renewed).toEqual([["PO-2.1", "PO-3.1"], ["PO-3.1"]])
})

it.each<[string, (ledger: LedgerDeps, sender: ReturnType<typeof client>) => Promise<unknown>]>([
  [
    "booking",
    (ledger, { api }) => {
      const { serviceCode } = booking
      const source = ofCommand({ fields: {} }, {})
      const unsaid = { own: undefined, key: undefined, wish: {}, source }
      return bookOrder(ledger, api, toOrder(unsaid, booking), { ...ASKED, serviceCode, rate: undefined })
    },
  ],
  ["pickup", (ledger, { api }) => sendPickup(ledger, api, { ...ASKED, request: PICKUP })],
  ["print of a label", (ledger, { api }) => sendLabelPrint(ledger, api, "shp_1", SHEET)],
  [
    "print of a file",
    (ledger, { transport }) => sendPdfPrint(ledger, createDirectPrintApi(transport), PDF, SHEET),
  ],
])("a lease is checked before the first byte of a %s leaves", async (_what, send) => {
  const { url, requests } = await server(json({}, 500))
  const ledger = testLedger()
  // It runs out while the connection is made.
  let asked = 0
  const leases = { ...ledger.leases, hold: () => ({ isHeld: () => ++asked === 1, end() {} }) }
  expect(await failure(send({ ...ledger, leases }, client(url)))).toMatchObject({ kind: "unavailable" })
  expect(requests).toEqual([])
  expect(await entries(ledger.store)).toMatchObject([{ state: "refused" }])
})

it("a lease is checked before a connection is made", async () => {
  const { api } = client(`http://127.0.0.1:${DEAD_PORT}`)
  const error = await failure(api.createShipment("con_1", booking, { isHeld: () => false }))
  expect(error.message).toContain("the ledger could not be reached in time")
})
