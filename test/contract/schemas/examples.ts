/** One good value of each request, with every field that can stand together, and one of each reply. */
import { findErrors } from "../../../src/contract/check.ts"
import type { Validator } from "../../../src/contract/schema-errors.ts"
import * as replies from "../../../src/contract/generated/replies.js"
import * as requests from "../../../src/contract/generated/requests.js"

const address = {
  companyName: "Harbour Tools Pty Ltd",
  contactName: "Dana Lee",
  phoneAreaCode: "02",
  phoneNumber: "95550100",
  address1: "12 Bourke Road",
  address2: "Dock 3",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
  email: "dispatch@example.com",
}
const items = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
const packages = [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }]
const pallets = {
  exchangeIn: 0,
  exchangeOut: 1,
  directTransferToRec: 2,
  transferOffBex: 0,
  docketNumber: "D1",
}

const booking = {
  sender: address,
  collection: address,
  receiver: address,
  packages,
  items,
  packagingCode: "CT",
  serviceCode: "EXP",
  collectionDateTime: "2026-11-23T10:00:00",
  collectionCloseTime: "1700",
  payer: { type: "Receiver", accountNumber: "80012345", subAccount: "8-NSW", thirdPartyAddress: address },
  businessUnit: "UNIT_A",
  dangerousGoods: true,
  dangerousGoodsDetails: {
    unNumber: "0012",
    packingGroup: "II",
    hazClass: "1.4S",
    packageType: "Fibreboard box",
    quantity: 2,
    aggregateQuantity: 10,
    shippingName: "CARTRIDGES, SMALL ARMS",
    subRisk: "",
    contactName: "Dana Lee",
    contactPhone: "0255501000",
  },
  customerReference: "SO-10442",
  specialInstructions: "Ring the bell",
  alertAddresses: [{ email: "dana@example.com", phone: "0400000000", alertTypes: ["DELIVERED"] }],
  keepInStore: { numberOfDays: 5 },
  pickupBookingNumber: "P-1",
  extendedWarranty: { value: 10000, class: "A" },
  foodFreight: false,
  bexAlerts: [{ alertType: "DELIVERED", contactName: "Dana Lee", emailAddress: "dana@example.com" }],
  timeSensitive: { timeslot: { dateTime: "2026-11-24T14:30:00+11:00", reference: "DOCK-7781" } },
  pallets: { poolA: pallets, poolB: pallets },
  customerBarcodes: ["x".repeat(50)],
  rateId: "r1",
  quoteId: "q1",
  quotedPriceExGstMinor: 2460,
  quotedGstMinor: 246,
  quotedPriceIncGstMinor: 2706,
  quotedCurrency: "AUD",
  committedEta: "2026-11-25T17:00:00",
  quotedTransitDays: 0,
  bookingCutoff: "15:00:00",
  collectionCutoff: "17:00:00",
}
const place = { suburb: "Alexandria", postcode: "2015", state: "NSW", residential: false }

export const REQUEST_EXAMPLES = {
  BookingAddress: address,
  RateRequest: {
    from: place,
    to: { suburb: "Darwin", postcode: "0800", state: "NT", residential: true },
    packages,
    dangerousGoods: false,
    date: "2028-02-29",
    localDateTime: "2026-11-23T10:00:00",
    serviceCode: null,
    isDocument: false,
    businessUnit: "UNIT_B",
    timezone: "Europe/Berlin",
  },
  ConsignmentBookingRequest: booking,
  BookingFile: { $schema: "../schemas/booking-file.schema.json", ...booking },
  PickupBookingRequest: {
    pickupDate: "2026-11-23",
    readyTime: "10:00",
    closeTime: "17:00",
    serviceCode: "EXP",
    collection: address,
    items,
    receiver: address,
  },
  PrintRequest: { deviceId: "d1" },
  PrintJobRequest: { deviceId: "d1", pdfBase64: "JVBERi0xLjQ=" },
}

const rate = {
  serviceCode: "EXP",
  description: "Express",
  price: 24.6,
  currency: "AUD",
  eta: "2026-11-25T17:00:00",
  transitDays: null,
  bookingCutoff: "15:00:00",
  collectionCutoff: "17:00:00",
  priceGst: 2.46,
  priceIncGst: 27.06,
  visibility: "hidden",
  rateId: "r1",
}
const summary = {
  id: "s1",
  carrier: "CARRIER_C_AU",
  connectorName: "Road",
  orderNumber: "o1",
  consignmentNumber: null,
  status: "CONSIGNED",
  pickupStatus: "FAILED",
  serviceCode: "EXP",
  serviceDescription: null,
  source: "PORTAL",
  fromSuburb: null,
  toSuburb: "Darwin",
  createdAt: "2026-11-20T01:00:00Z",
}
const device = {
  id: "d1",
  label: "Dock",
  printerName: null,
  lastUsedAt: null,
  createdAt: "2026-01-01T00:00:00Z",
}

export const REPLY_EXAMPLES = {
  ConnectorListResponse: {
    connectors: [
      {
        id: "c1",
        carrier: "CARRIER_A_AU",
        name: "Air",
        services: [{ serviceCode: "EXP", description: "Express" }],
      },
    ],
  },
  AggregatedRateResponse: {
    quoteId: "q1",
    results: [
      { connectorId: "c1", carrier: "CARRIER_A_AU", success: true, rates: [rate] },
      { connectorId: "c2", carrier: "CARRIER_B_AU", success: false, error: { message: "down", code: "E1" } },
    ],
  },
  SingleConnectorRateResponse: { quoteId: "q1", rates: [rate] },
  BookingResponse: {
    orderNumber: "o1",
    consignmentNumber: null,
    barcodes: ["b1"],
    shipmentId: "s1",
    connectorId: "c1",
    pickupStatus: "RECONCILE_NEEDED",
    labelWarning: "pickup P1",
  },
  ShipmentListResponse: { total: 1, limit: 50, offset: 0, shipments: [summary] },
  ShipmentDetailResponse: {
    shipment: {
      ...summary,
      payer: "Sender",
      payerAccountNumber: null,
      payerSubAccount: null,
      payerThirdPartyAddress: address,
      sender: address,
      collection: address,
      receiver: address,
      items,
      dangerousGoods: false,
      carrierBookingRef: null,
      collectionDateTime: "2026-11-23T10:00:00",
      collectionCloseTime: "1700",
      customerReference: null,
      specialInstructions: null,
    },
  },
  TrackingResponse: {
    supported: true,
    tracking: {
      currentStatus: "Delivered",
      eta: "2026-11-25",
      deliveredAt: null,
      events: [{ timestamp: "2026-11-24T09:00:00", status: "Picked up", location: null, description: null }],
      pod: {
        deliveryNotation: null,
        itemsReceived: "2",
        signedBy: "Lee",
        signatureImageUrl: "https://images.example.com/1.png",
      },
    },
  },
  PickupBookingResponse: { pickupBookingId: "p1", orderNumber: null, status: "FAILED", connectorId: "c1" },
  PickupBookingDetailResponse: {
    pickup: {
      id: "p1",
      tenantId: "t1",
      connectorId: "c1",
      carrier: "CARRIER_B_AU",
      status: "FAILED",
      orderNumber: null,
      shipmentId: null,
      pickupDate: "2026-11-23",
      readyTime: "10:00",
      closeTime: "17:00",
      serviceCode: null,
      collection: address,
      items,
      lastErrorCode: null,
      lastErrorMessage: null,
      source: "API",
      createdByUserId: null,
      createdAt: "2026-11-20T01:00:00Z",
    },
  },
  PrintDeviceListResponse: { devices: [device] },
  PrintJobCreated: { jobId: "j1" },
  ErrorBody: { message: "no", errors: [{ message: "missing", field: "receiver.postcode", code: "E1" }] },
  LabelNotAvailableError: { message: "not yet", code: "LABEL_NOT_AVAILABLE" },
  PrintNotFoundError: { message: "gone", code: "DEVICE_NOT_FOUND" },
  PickupServerError: { message: "lost", orderNumber: "o1" },
  DeviceListResponse: { devices: [device] },
  DirectPrintJobCreated: { jobId: "j1", status: "DELIVERED" },
  ForbiddenError: { success: false, error: "no", code: "E1" },
  RateLimitError: { error: "slow down", code: "RATE_LIMIT_EXCEEDED", retryAfter: 30 },
}

/** A copy of the value with the field at the path set, or left out when `field` is undefined. */
export function changed(value: unknown, path: readonly (string | number)[], field: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return field
  const copy: Record<string, unknown> = Array.isArray(value) ? Object.assign([], value) : { ...Object(value) }
  copy[key] = changed(copy[key], rest, field)
  if (copy[key] === undefined) delete copy[key]
  return copy
}

/** Every place in a value, by its path from the top. */
export function placesIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[...path]]
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value)
  return [[...path], ...keys.flatMap((key) => placesIn(Object(value)[key], [...path, key]))]
}

export type Name = keyof typeof requests | keyof typeof replies
export type Path = readonly (string | number)[]

export const validators: Record<Name, Validator> = { ...requests, ...replies }
export const EXAMPLES: Record<Name, unknown> = { ...REQUEST_EXAMPLES, ...REPLY_EXAMPLES }

/** The problems of a good request or reply whose value at `path` is `field`; `undefined` leaves it out. */
export function problems(name: Name, path: Path, field: unknown) {
  return findErrors(validators[name], changed(EXAMPLES[name], path, field))
}

/** A path as messages write it: `packages[0].count`. */
export const pathOf = (path: Path) =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1)

/** A path as a JSON pointer: `/packages/0/count`. */
export const pointerOf = (path: Path) => path.map((key) => `/${key}`).join("")
