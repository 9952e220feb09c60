import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
import { settleByHand } from "../../src/ledger/by-hand.ts"
import { address, booking } from "../sandbox/requests.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import { startDesk } from "./lost.ts"
import { create, entries, failure, PO, refusing, request, server, testLedger } from "./setup.ts"

describe("a booking that is settled by hand", () => {
  /** Two shipments fit what was lost. */
  async function twoFit() {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const { shipmentId } = await desk.api.createShipment("connector-a", request)
    return { ...desk, shipmentId }
  }

  it("is done as the shipment that the person names, which the key gives again", async () => {
    const { ledger, api, shipmentId, entries: all } = await twoFit()
    const settled = await settleByHand(ledger, "PO-1001", shipmentId, api)
    expect(settled).toMatchObject({ key: "PO-1001", outcome: "settled", matches: [shipmentId] })
    expect(await all()).toMatchObject([{ state: "done", note: "Settled by hand.", facts: { shipmentId } }])
    expect(await ledger.store.open()).toEqual([])
    const { made, send } = server()
    expect(await create(ledger, send, PO)).toMatchObject({ recorded: true, response: { shipmentId } })
    expect(made).toEqual([])
  })

  it("warns that a pickup may exist, which only the lost reply could have said", async () => {
    const { ledger, api, shipmentId } = await twoFit()
    expect(await settleByHand(ledger, "PO-1001", shipmentId, api)).toMatchObject({
      warning: expect.stringContaining("a pickup may exist"),
    })
  })

  it("leaves the other shipment to be found by another entry", async () => {
    const desk = await twoFit()
    await settleByHand(desk.ledger, "PO-1001", desk.shipmentId, desk.api)
    await desk.lose(false, { key: "PO-2", again: true })
    const [other] = await desk.reconcile()
    expect(other).toMatchObject({ key: "PO-2", outcome: "settled" })
    expect(other?.matches).not.toEqual([desk.shipmentId])
  })

  it("cannot be a shipment that another entry made", async () => {
    const desk = await startDesk()
    const shipmentId = await desk.make({ key: "PO-2" })
    await desk.lose(true, { ...PO, again: true })
    const error = await failure(settleByHand(desk.ledger, "PO-1001", shipmentId, desk.api))
    expect(error).toMatchObject({ kind: "refused", exitCode: 1 })
    expect(error.message).toContain("another booking made it")
    expect(error.hint).toContain("po-2-")
    expect(await desk.ledger.store.open()).toHaveLength(1)
  })

  it("cannot be a shipment that does not exist", async () => {
    const { ledger, api } = await twoFit()
    const error = await failure(settleByHand(ledger, "PO-1001", "no-such", api))
    expect(error).toMatchObject({ kind: "notFound", exitCode: 5, next: "freight shipments list" })
    expect(await ledger.store.open()).toHaveLength(1)
  })

  const darwin = address({ suburb: "Darwin", state: "NT", postcode: "0800" })
  it.each([
    ["to another place", "connector-a", booking({ receiver: darwin }), "another receiver's postcode"],
    ["of another service", "connector-a", booking({ serviceCode: "75" }), "another service"],
    ["of another carrier", "connector-b", booking({ serviceCode: "EXP" }), "another carrier"],
  ])("cannot be a shipment %s", async (_what, connector, other, why) => {
    const { ledger, api } = await twoFit()
    const { shipmentId } = await api.createShipment(connector, other)
    const error = await failure(settleByHand(ledger, "PO-1001", shipmentId, api))
    expect(error).toMatchObject({ kind: "refused" })
    expect(error.message).toContain(why)
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("is told where another command settles it at that moment", async () => {
    const { ledger, api, shipmentId } = await twoFit()
    const store = { ...ledger.store, settle: async () => false }
    const error = await failure(settleByHand({ ...ledger, store }, "PO-1001", shipmentId, api))
    expect(error).toMatchObject({ kind: "refused", exitCode: 1 })
    expect(error.message).toContain("settled by another command meanwhile")
  })

  it("is not settled while it is being sent", async () => {
    const { ledger, api, shipmentId } = await twoFit()
    const leaseUntil = new Date(ledger.clock.now() + LEASE_MS).toISOString()
    await ledger.store.database.run("update sends set lease_until = ?", [leaseUntil])
    expect(await failure(settleByHand(ledger, "PO-1001", shipmentId, api))).toMatchObject({ kind: "refused" })
  })

  it("must be a booking", async () => {
    const { ledger, api, shipmentId } = await twoFit()
    const unknown = new FreightError("outcomeUnknown", "the connection broke")
    await failure(create(ledger, refusing(unknown), { kind: "pickup", key: "PU-1" }))
    expect(await failure(settleByHand(ledger, "PU-1", shipmentId, api))).toMatchObject({ kind: "input" })
  })
})

describe("how the sending of an open entry ended", () => {
  it("is kept in the entry, short and safe, and the entry stays open", async () => {
    const ledger = testLedger()
    const cause = `the connection broke \u001b[31m${"x".repeat(1000)}`
    await failure(create(ledger, refusing(new FreightError("outcomeUnknown", cause, { status: 502 })), PO))
    const [entry] = await entries(ledger.store)
    expect(entry).toMatchObject({ state: "unknown", error: { kind: "outcomeUnknown", status: 502 } })
    expect(entry?.settledAt).toBeUndefined()
    expect(entry?.error?.message).toMatch(/^the connection broke /)
    expect(entry?.error?.message).not.toContain("\u001b")
    expect(entry?.error?.message.length).toBeLessThanOrEqual(300)
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("is not written over an outcome that another desk found", async () => {
    const ledger = testLedger()
    const send = async () => {
      const [open] = await ledger.store.open()
      if (open) await ledger.store.database.run("update sends set state = 'done' where id = ?", [open.id])
      throw new FreightError("outcomeUnknown", "the connection broke")
    }
    await failure(create(ledger, send, PO))
    expect(await entries(ledger.store)).toMatchObject([{ state: "done" }])
  })

  it("that cannot be written is told all the same", async () => {
    const ledger = testLedger()
    const store = { ...ledger.store, recordFailure: refusing(new FreightError("config", "the disk is full")) }
    const error = await failure(
      create({ ...ledger, store }, refusing(new FreightError("outcomeUnknown", "it broke")), PO),
    )
    expect(error).toMatchObject({ kind: "outcomeUnknown", message: "it broke", next: "freight reconcile" })
  })

  it("is shown by reconcile", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    expect(await desk.reconcile()).toMatchObject([{ error: "POST was sent, then: the connection broke" }])
  })
})
