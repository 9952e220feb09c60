import { describe, expect, it } from "vitest"
import { findErrors } from "../../../src/contract/check.ts"
import type { Validator } from "../../../src/contract/schema-errors.ts"
import * as replies from "../../../src/contract/generated/replies.js"
import { changed, placesIn, REPLY_EXAMPLES } from "./examples.ts"

type Name = keyof typeof REPLY_EXAMPLES
type Path = readonly (string | number)[]

const validators: Record<Name, Validator> = replies
const names = Object.keys(REPLY_EXAMPLES).filter((name): name is Name => name in validators)

function problems(name: Name, path: Path, field: unknown) {
  return findErrors(validators[name], changed(REPLY_EXAMPLES[name], path, field))
}

describe.each(names)("%s", (name) => {
  const places = placesIn(REPLY_EXAMPLES[name])
  const valueAt = (path: Path) =>
    path.reduce<unknown>((value, key) => Object(value)[key], REPLY_EXAMPLES[name])
  const objects = places.filter((path) => valueAt(path)?.constructor === Object)
  const called = (path: Path) => ({ path, at: path.join(".") || "the top level" })

  it("is taken when it is good", () => {
    expect(findErrors(validators[name], REPLY_EXAMPLES[name])).toEqual([])
  })

  it.each(objects.map(called))("may have a new field in $at", ({ path }) => {
    expect(problems(name, [...path, "newField"], { any: 1 })).toEqual([])
  })

  it.each(places.map(called))("has one problem when $at is of no type that fits", ({ path }) => {
    const odd = Array.isArray(valueAt(path)) ? 1 : [[]]
    const pointer = path.map((key) => `/${key}`).join("")
    expect(problems(name, path, odd)).toMatchObject([{ pointer }])
  })
})

/** What must be there for the reply to be of any use. */
const NEEDED: [Name, Path][] = [
  ["ConnectorListResponse", ["connectors"]],
  ["ConnectorListResponse", ["connectors", 0, "id"]],
  ["ConnectorListResponse", ["connectors", 0, "services"]],
  ["AggregatedRateResponse", ["quoteId"]],
  ["AggregatedRateResponse", ["results", 0, "success"]],
  ["AggregatedRateResponse", ["results", 0, "rates", 0, "price"]],
  ["AggregatedRateResponse", ["results", 1, "error", "message"]],
  ["SingleConnectorRateResponse", ["rates", 0, "bookingCutoff"]],
  ["BookingResponse", ["orderNumber"]],
  ["BookingResponse", ["shipmentId"]],
  ["BookingResponse", ["connectorId"]],
  ["ShipmentListResponse", ["total"]],
  ["ShipmentListResponse", ["shipments", 0, "status"]],
  ["ShipmentDetailResponse", ["shipment"]],
  ["ShipmentDetailResponse", ["shipment", "id"]],
  ["ShipmentDetailResponse", ["shipment", "payer"]],
  ["ShipmentDetailResponse", ["shipment", "receiver", "postcode"]],
  ["TrackingResponse", ["supported"]],
  ["TrackingResponse", ["tracking", "currentStatus"]],
  ["TrackingResponse", ["tracking", "events", 0, "timestamp"]],
  ["PickupBookingDetailResponse", ["pickup"]],
  ["PrintDeviceListResponse", ["devices", 0, "label"]],
  ["PrintJobCreated", ["jobId"]],
  ["DirectPrintJobCreated", ["status"]],
  ["DeviceListResponse", ["devices"]],
  ["ErrorBody", ["message"]],
  ["ErrorBody", ["errors", 0, "message"]],
  ["LabelNotAvailableError", ["code"]],
  ["PrintNotFoundError", ["code"]],
  ["ForbiddenError", ["error"]],
  ["RateLimitError", ["retryAfter"]],
]

/** What may be absent. */
const ABSENT: [Name, Path][] = [
  ["SingleConnectorRateResponse", ["rates", 0, "eta"]],
  ["BookingResponse", ["pickupStatus"]],
  ["BookingResponse", ["consignmentNumber"]],
  ["TrackingResponse", ["tracking"]],
  ["TrackingResponse", ["tracking", "pod"]],
  ["TrackingResponse", ["tracking", "pod", "signedBy"]],
  ["PickupBookingResponse", ["orderNumber"]],
  ["PickupBookingResponse", ["status"]],
  ["PickupServerError", ["message"]],
  ["PickupServerError", ["orderNumber"]],
  ["ErrorBody", ["errors"]],
  ["ForbiddenError", ["code"]],
]

/** What may be null, since the contract says so. */
const NULL: [Name, Path][] = [
  ["SingleConnectorRateResponse", ["rates", 0, "eta"]],
  ["SingleConnectorRateResponse", ["rates", 0, "transitDays"]],
  ["TrackingResponse", ["tracking"]],
  ["TrackingResponse", ["tracking", "eta"]],
  ["TrackingResponse", ["tracking", "pod", "signedBy"]],
  ["PickupBookingResponse", ["orderNumber"]],
  ["PickupBookingDetailResponse", ["pickup", "shipmentId"]],
]

/** What may be absent and still is never null. */
const NEVER_NULL: [Name, Path][] = [
  ["SingleConnectorRateResponse", ["rates", 0, "rateId"]],
  ["SingleConnectorRateResponse", ["rates", 0, "priceGst"]],
  ["BookingResponse", ["barcodes"]],
  ["TrackingResponse", ["tracking", "pod"]],
  ["PickupBookingResponse", ["connectorId"]],
  ["ShipmentDetailResponse", ["shipment", "payerThirdPartyAddress"]],
]

/** Forms that are the server's own business: no reply is refused for them. */
const ODD_FORM: [Name, Path, unknown][] = [
  ["SingleConnectorRateResponse", ["rates", 0, "bookingCutoff"], "3 pm"],
  ["SingleConnectorRateResponse", ["rates", 0, "eta"], "2026-11-25T17:00:00Z"],
  ["ShipmentDetailResponse", ["shipment", "sender", "companyName"], ""],
  ["ShipmentDetailResponse", ["shipment", "items", "maxHeightCm"], 0],
  ["ShipmentDetailResponse", ["shipment", "collectionCloseTime"], "17:00"],
  ["TrackingResponse", ["tracking", "pod", "signatureImageUrl"], "http://images.example.com/1.png"],
  ["AggregatedRateResponse", ["results"], []],
]

describe("replies", () => {
  it.each(NEEDED)("%s needs %j", (name, path) => {
    expect(problems(name, path, undefined)).toMatchObject([{ keyword: "required", property: path.at(-1) }])
  })

  it.each(ABSENT)("%s may lack %j", (name, path) => {
    expect(problems(name, path, undefined)).toEqual([])
  })

  it.each(NULL)("%s may have null at %j", (name, path) => {
    expect(problems(name, path, null)).toEqual([])
  })

  it.each(NEVER_NULL)("%s has no null at %j", (name, path) => {
    expect(problems(name, path, null)).toMatchObject([{ keyword: "type", path: expect.stringMatching(/\w/) }])
  })

  it.each(ODD_FORM)("%s is not refused for the form of %j", (name, path, field) => {
    expect(problems(name, path, field)).toEqual([])
  })

  it("a result that succeeded must have rates", () => {
    expect(problems("AggregatedRateResponse", ["results", 0, "rates"], undefined)).toMatchObject([
      { keyword: "required", message: "results[0].rates is missing: needed when success is true" },
    ])
  })

  it("a result that failed must have an error", () => {
    expect(problems("AggregatedRateResponse", ["results", 1, "error"], undefined)).toMatchObject([
      { keyword: "required", message: "results[1].error is missing: needed when success is false" },
    ])
  })

  it("RECONCILE_NEEDED is no status of a shipment that is read back", () => {
    expect(
      problems("ShipmentListResponse", ["shipments", 0, "pickupStatus"], "RECONCILE_NEEDED"),
    ).toMatchObject([{ keyword: "enum" }])
  })

  it("a direct print job is DELIVERED and nothing else", () => {
    expect(problems("DirectPrintJobCreated", ["status"], "PRINTED")).toMatchObject([
      { keyword: "const", message: 'status must be "DELIVERED", not "PRINTED"' },
    ])
  })
})
