import { describe, expect, it } from "vitest"
import { findNamed } from "../../src/ledger/records/named.ts"
import { entry, put, SCOPE, testLedger } from "./setup.ts"

const booked = entry({
  key: "key:PO-1001",
  facts: {
    shipmentId: "a48da18d-0000-4000-8000-000000000001",
    consignmentNumber: "SBC00000001",
    orderNumber: "ORD-77001",
    reference: "Dana's order",
  },
})
const other = entry({ key: "key:PO-1002", facts: { shipmentId: "shp-2", reference: "100%_sure" } })
const collected = entry({
  kind: "pickup",
  key: "key:PO-1001 pickup",
  facts: { shipmentId: "shp-9", reference: "CARRIER-9" },
  response: { pickupBookingId: "pick-0001" },
})
const printed = entry({ kind: "label-print", key: "key:PO-1001 label", facts: { shipmentId: "shp-2" } })
const anothers = entry({ key: "key:PO-1003", scope: "freight:account-9" })

async function ledger() {
  const { store } = testLedger()
  await put(store, booked, other, collected, printed, anothers)
  const found = async (name: string, scopes: string[] | undefined = [SCOPE]) =>
    (await findNamed(store.database, name, scopes)).map(({ key }) => key).sort()
  return { store, found }
}

describe("findNamed", () => {
  it.each([
    "a48da18d-0000-4000-8000-000000000001",
    "a48da18d",
    "SBC00000001",
    "sbc00000001",
    "ORD-77001",
    "Dana's order",
    "Dana's",
  ])("finds a booking by %s", async (name) => {
    expect(await (await ledger()).found(name)).toEqual(["key:PO-1001"])
  })

  it.each(["pick-0001", "CARRIER-9", "PO-1001 pickup"])("finds a pickup by %s", async (name) => {
    expect(await (await ledger()).found(name)).toEqual(["key:PO-1001 pickup"])
  })

  it("finds all whose name begins so, and no print", async () => {
    expect(await (await ledger()).found("PO-100")).toEqual([
      "key:PO-1001",
      "key:PO-1001 pickup",
      "key:PO-1002",
    ])
  })

  it.each(["PO-10", "Dana", "%", "______", "100_%_"])("finds nothing by %s", async (name) => {
    expect(await (await ledger()).found(name)).toEqual([])
  })

  it("takes marks of SQL as they stand", async () => {
    expect(await (await ledger()).found("100%_s")).toEqual(["key:PO-1002"])
  })

  it("looks in the accounts that are given, and nowhere in a ledger that knows none", async () => {
    const { found } = await ledger()
    expect(await found("PO-1003")).toEqual([])
    expect(await found("PO-1003", ["freight:account-9"])).toEqual(["key:PO-1003"])
    expect(await found("PO-1003", undefined)).toEqual([])
  })
})
