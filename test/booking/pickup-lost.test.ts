import { describe, expect, it } from "vitest"
import { lostPickup, type Pickup, rememberCarrierPickup } from "../../src/booking/pickup.ts"
import { AlreadyMade } from "../../src/ledger/refusals.ts"
import { json } from "../api/servers.ts"
import { failure } from "../api/setup.ts"
import { HOUR } from "../ledger/setup.ts"
import { BOOKED, bench, bookedBefore } from "./pickups.ts"

const LOST = json({ message: "not saved", orderNumber: "PU-7" }, 500)

describe("a pickup that the carrier has and the service lost", () => {
  it("is done, stands, and keeps the carrier's reference", async () => {
    const { send } = await bench(LOST)
    const created = await send()
    expect(created.response).toEqual({ orderNumber: "PU-7", connectorId: "con_1" })
    expect(created.entry).toMatchObject({ state: "done", facts: { standing: true, reference: "PU-7" } })
    expect(lostPickup(created)).toMatchObject({
      exitCode: 8,
      retry: "never",
      message: expect.stringContaining("PU-7"),
    })
  })

  it.each<[string, Partial<Pickup>]>([
    ["by itself", {}],
    ["when told again", { again: true }],
    ["under a key", { key: "K" }],
  ])("is never sent again %s", async (_name, changes) => {
    const { send, requests } = await bench(LOST)
    await send()
    const error = await failure(send(changes))
    expect(error).toMatchObject({ kind: "refused", message: expect.stringContaining("PU-7") })
    expect(error).not.toBeInstanceOf(AlreadyMade)
    expect(requests).toHaveLength(1)
  })

  it("is never sent again after a week", async () => {
    const { send, ledger, requests } = await bench(LOST)
    await send()
    ledger.clock.advance(7 * 24 * HOUR)
    expect((await failure(send())).message).toContain("PU-7")
    expect(requests).toHaveLength(1)
  })

  it("is never sent again without the key that it was sent with, or under another", async () => {
    const { send, requests } = await bench(LOST)
    await send({ key: "K" })
    expect((await failure(send())).message).toContain("PU-7")
    expect((await failure(send({ key: "L" }))).message).toContain("PU-7")
    expect(requests).toHaveLength(1)
  })

  it("is given again under its key, as lost as before", async () => {
    const { send } = await bench(LOST)
    await send({ key: "K" })
    const created = await send({ key: "K" })
    expect(created.recorded).toBe(true)
    expect(lostPickup(created)?.message).toContain("PU-7")
  })

  it("is unknown when the reply names no reference, and is not sent again", async () => {
    const { send, requests } = await bench(json({}, 500))
    expect(await failure(send())).toMatchObject({ exitCode: 7 })
    expect(await failure(send())).toMatchObject({ exitCode: 7 })
    expect(requests).toHaveLength(1)
  })

  it("is nothing that an ordinary pickup is", async () => {
    const { send } = await bench(json(BOOKED, 201))
    expect(lostPickup(await send())).toBeUndefined()
  })
})

describe("a pickup that only a booking's reply told of", () => {
  const known = { connectorId: "con_1", shipmentId: "shp_1", reference: "PU-C-9" }

  it.each<[string, Partial<Pickup>]>([
    ["by itself", {}],
    ["when told again", { again: true }],
    ["under a key", { key: "K" }],
  ])("is not booked %s, and its reference is shown", async (_name, changes) => {
    const { ledger, send, requests } = await bench(json(BOOKED, 201))
    await rememberCarrierPickup(ledger, known)
    expect(await failure(send(changes))).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("PU-C-9"),
    })
    expect(requests).toHaveLength(0)
  })

  it("may be noted twice", async () => {
    const { ledger, send } = await bench(json(BOOKED, 201))
    await rememberCarrierPickup(ledger, known)
    await rememberCarrierPickup(ledger, known)
    expect((await failure(send())).message).toContain("PU-C-9")
  })

  it("may have no reference", async () => {
    const { ledger, send } = await bench(json(BOOKED, 201))
    await rememberCarrierPickup(ledger, { ...known, reference: undefined })
    expect(await failure(send())).toMatchObject({ kind: "refused" })
  })

  it("leaves other shipments alone", async () => {
    const { ledger, send } = await bench(json(BOOKED, 201))
    await rememberCarrierPickup(ledger, { ...known, shipmentId: "shp_2" })
    expect((await send()).response).toEqual(BOOKED)
  })

  it("is recalled from the booking's own entry when nobody noted it", async () => {
    const { ledger, send, requests } = await bench(json(BOOKED, 201))
    await bookedBefore(ledger, { pickupStatus: "RECONCILE_NEEDED", labelWarning: "carrier pickup PU-C-9" })
    expect((await failure(send({ key: "K" }))).message).toContain("PU-C-9")
    expect(requests).toHaveLength(0)
  })

  it.each([
    "NOT_BOOKED",
    "FAILED",
    undefined,
  ])("does not exist where the booking said %s", async (pickupStatus) => {
    const { ledger, send } = await bench(json(BOOKED, 201))
    await bookedBefore(ledger, { pickupStatus })
    expect((await send()).response).toEqual(BOOKED)
  })
})
