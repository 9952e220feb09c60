import { describe, expect, it } from "vitest"
import {
  connectorOfShipment,
  FailedPickup,
  findLostPickup,
  type Pickup,
  rememberCarrierPickup,
} from "../../../src/orders/booking/pickup.ts"
import type { ConnectorSummary, ShipmentDetail } from "../../../src/contract/generated/types.ts"
import { json } from "../../api/servers.ts"
import { failure, pickup as request } from "../../api/setup.ts"
import { HOUR } from "../../ledger/setup.ts"
import { bench, BOOKED, bookedBefore } from "./pickups.ts"

const FAILED = { pickupBookingId: "pic_2", orderNumber: null, status: "FAILED", connectorId: "con_1" }

const record = (detail: object) => json({ pickup: detail })

describe("a pickup for a shipment", () => {
  it("is booked, and the carrier's reference is kept", async () => {
    const { send } = await bench(json(BOOKED, 201))
    const { response, entry } = await send()
    expect(response).toEqual(BOOKED)
    expect(entry).toMatchObject({ state: "done", facts: { shipmentId: "shp_1", reference: "PU-1" } })
  })

  it("gives its result again under its key", async () => {
    const { send, requests } = await bench(json(BOOKED, 201))
    await send({ key: "K" })
    expect(await send({ key: "K" })).toMatchObject({ recorded: true, response: BOOKED })
    expect(requests).toHaveLength(1)
  })
})

describe("a second pickup", () => {
  const { shipmentId: _, ...alone } = request
  const turned = Object.fromEntries(Object.entries(alone).reverse()) as typeof alone

  it.each<[string, Partial<Pickup>, Partial<Pickup>, "has-pickup" | "equal" | undefined]>([
    ["of one shipment at another time", {}, { request: { ...request, readyTime: "12:00" } }, "has-pickup"],
    ["of another shipment", {}, { request: { ...request, shipmentId: "shp_2" } }, undefined],
    ["of one shipment, when told so", {}, { again: true }, undefined],
    [
      "on its own at another time",
      { request: alone },
      { request: { ...alone, readyTime: "12:00" } },
      undefined,
    ],
    ["on its own, its fields in another order", { request: alone }, { request: turned }, "equal"],
  ])("%s is booked, or refused for the first", async (_, first, second, kind) => {
    const { send, requests } = await bench(json(BOOKED, 201))
    await send(first)
    if (kind) expect(await failure(send(second))).toMatchObject({ standing: { kind } })
    else expect((await send(second)).recorded).toBe(false)
    expect(requests).toHaveLength(kind ? 1 : 2)
  })
})

describe("a pickup that the carrier refuses", () => {
  const REASON = { lastErrorCode: "PICKUP_REFUSED", lastErrorMessage: "no vehicle" }

  it("says why", async () => {
    const { send } = await bench(json(FAILED, 201), record({ ...FAILED, ...REASON }))
    const error = await failure(send())
    expect(error).toBeInstanceOf(FailedPickup)
    expect(error).toMatchObject({
      exitCode: 1,
      code: "CARRIER_REFUSED",
      apiCode: "PICKUP_REFUSED",
      message: "the carrier refused the pickup: no vehicle",
      next: "freight pickup show pic_2",
      response: FAILED,
    })
  })

  it("is refused also when its record cannot be read", async () => {
    const { send } = await bench(json(FAILED, 201), json({ message: "gone" }, 404))
    expect(await failure(send())).toMatchObject({
      kind: "refused",
      message: "the carrier refused the pickup",
    })
  })

  it.each<[string, Partial<Pickup>]>([
    ["by itself", {}],
    ["under its key", { key: "K" }],
  ])("may be sent again %s", async (_, changes) => {
    const { send } = await bench(json(FAILED, 201), record(REASON), json(BOOKED, 201))
    await failure(send(changes))
    expect(await send(changes)).toMatchObject({ recorded: false, response: { status: "BOOKED" } })
  })
})

describe("a reply without a status", () => {
  const { status: _, ...silent } = BOOKED

  it("is as good as its record", async () => {
    const { send } = await bench(json(silent, 201), record({ status: "FAILED" }))
    expect(await failure(send())).toBeInstanceOf(FailedPickup)
  })

  it.each([
    ["says that it is booked", record({ status: "BOOKED" })],
    ["cannot be read", json({ message: "gone" }, 404)],
    ["says nothing either", record({})],
  ])("counts as made when its record %s", async (_name, answer) => {
    const { send } = await bench(json(silent, 201), answer)
    expect((await send()).entry.state).toBe("done")
  })

  it("counts as made when it has no id to look up", async () => {
    const { send, requests } = await bench(json({}, 201))
    expect((await send()).entry.state).toBe("done")
    expect(requests).toHaveLength(1)
  })
})

describe("the connector of a shipment", () => {
  const shipment = { id: "shp_1", carrier: "CARRIER_A_AU", connectorName: "Sydney" } as ShipmentDetail
  const connector = (id: string, name: string, carrier: ConnectorSummary["carrier"] = "CARRIER_A_AU") => ({
    id,
    name,
    carrier,
    services: [],
  })

  async function connectorOf(connectors: ConnectorSummary[], named?: string, isBooked = false) {
    const { ledger, api } = await bench(json({ connectors }))
    if (isBooked) await bookedBefore(ledger, {})
    return connectorOfShipment({ freight: async () => api }, ledger, shipment, named)
  }

  it("is the one that this machine booked it with", async () => {
    expect(await connectorOf([], undefined, true)).toBe("con_1")
  })

  it("is no other than that", async () => {
    expect(await failure(connectorOf([], "con_2", true))).toMatchObject({ kind: "usage" })
  })

  it("is the one that is named, where this machine knows nothing", async () => {
    expect(await connectorOf([], "con_2")).toBe("con_2")
  })

  it("has the shipment's carrier and name", async () => {
    const connectors = [
      connector("a", "Perth"),
      connector("b", "Sydney"),
      connector("c", "Sydney", "CARRIER_C_AU"),
    ]
    expect(await connectorOf(connectors)).toBe("b")
  })

  it.each([
    ["two have its name", [connector("a", "Sydney"), connector("b", "Sydney")]],
    ["none has its name", [connector("a", "Perth")]],
  ])("must be named when %s", async (_name, connectors) => {
    expect(await failure(connectorOf(connectors))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining("--connector"),
    })
  })
})

const LOST = json({ message: "not saved", orderNumber: "PU-7" }, 500)

describe("a pickup that the carrier has and the service lost", () => {
  it("is done, stands, and keeps the carrier's reference", async () => {
    const { send } = await bench(LOST)
    const created = await send()
    expect(created.response).toEqual({ orderNumber: "PU-7", connectorId: "con_1" })
    expect(created.entry).toMatchObject({ state: "done", facts: { standing: true, reference: "PU-7" } })
    expect(findLostPickup(created)).toMatchObject({
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
    expect(error).not.toMatchObject({ standing: { kind: "equal" } })
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
    expect(findLostPickup(created)?.message).toContain("PU-7")
  })

  it("is unknown when the reply names no reference, and is not sent again", async () => {
    const { send, requests } = await bench(json({}, 500))
    expect(await failure(send())).toMatchObject({ exitCode: 7 })
    expect(await failure(send())).toMatchObject({ exitCode: 7 })
    expect(requests).toHaveLength(1)
  })

  it("is nothing that an ordinary pickup is", async () => {
    const { send } = await bench(json(BOOKED, 201))
    expect(findLostPickup(await send())).toBeUndefined()
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

  it("may be noted twice, and have no reference", async () => {
    const { ledger, send } = await bench(json(BOOKED, 201))
    await rememberCarrierPickup(ledger, known)
    await rememberCarrierPickup(ledger, known)
    expect((await failure(send())).message).toContain("PU-C-9")
    await rememberCarrierPickup(ledger, { ...known, shipmentId: "shp_2", reference: undefined })
    const other = send({ request: { ...request, shipmentId: "shp_2" } })
    expect(await failure(other)).toMatchObject({ kind: "refused" })
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
