/**
 * The contracts read a second time, without the schemas: each resource by its fields, `?` where one is optional. Types and
 * validators, of the sandbox too, are made from the schemas: what one of these misreads, nothing else would see.
 */
import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"

interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  enum?: string[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  then?: Schema
}

type Fields = { [name: string]: string | Fields | [Fields] }

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [`${name}?`, "string"]))
const numbers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "number"]))

const SUMMARY: Fields = {
  ...{ id: "string", carrier: "Carrier", connectorName: "string", orderNumber: "string" },
  ...{ "consignmentNumber?": "string null", status: "CONSIGNED/CANCELLED" },
  ...{ "pickupStatus?": "NOT_BOOKED/BOOKED/FAILED", serviceCode: "string" },
  ...{ "serviceDescription?": "string null", source: "API/PORTAL", createdAt: "string" },
  ...{ "fromSuburb?": "string null", "toSuburb?": "string null" },
}
const DEVICE_LIST: Fields = { devices: "PrintDevice[]" }

const APIS: Record<string, Fields | string> = {
  Carrier: "CARRIER_A_AU/CARRIER_B_AU/CARRIER_C_AU",
  BusinessUnit: "UNIT_A/UNIT_B",
  PayerType: "Sender/Receiver/ThirdParty",
  ConnectorSummary: {
    ...{ id: "string", carrier: "Carrier", name: "string" },
    services: [{ serviceCode: "string", description: "string" }],
  },
  ConnectorListResponse: { connectors: "ConnectorSummary[]" },
  Address: { suburb: "string", postcode: "string", state: "string", residential: "boolean" },
  BookingAddress: {
    ...{ companyName: "string", address1: "string", suburb: "string", state: "string", postcode: "string" },
    ...texts("contactName", "phoneAreaCode", "phoneNumber", "address2", "email"),
  },
  Package: { count: "integer", ...numbers("lengthCm", "widthCm", "heightCm", "weightKg") },
  Items: { count: "integer", ...numbers("totalWeightKg", "maxLengthCm", "maxWidthCm", "maxHeightCm") },
  RateRequest: {
    ...{ from: "Address", to: "Address", packages: "Package[]", dangerousGoods: "boolean" },
    ...texts("date", "localDateTime", "timezone"),
    ...{ "serviceCode?": "string null", "isDocument?": "boolean", "businessUnit?": "BusinessUnit" },
  },
  RatedService: {
    ...{ serviceCode: "string", description: "string", price: "number", currency: "string" },
    ...{ "eta?": "string null", "transitDays?": "integer null", bookingCutoff: "string" },
    ...{ collectionCutoff: "string", "priceGst?": "number", "priceIncGst?": "number" },
    ...{ "visibility?": "shown/hidden", "rateId?": "string" },
  },
  CarrierError: { message: "string", "code?": "string" },
  AggregatedRateResult: {
    ...{ connectorId: "string", carrier: "string", success: "boolean" },
    ...{ "rates?": "RatedService[]", "error?": "CarrierError" },
  },
  AggregatedRateResponse: { quoteId: "string", results: "AggregatedRateResult[]" },
  SingleConnectorRateResponse: { quoteId: "string", rates: "RatedService[]" },
  Payer: {
    type: "PayerType",
    ...texts("accountNumber", "subAccount"),
    "thirdPartyAddress?": "BookingAddress",
  },
  DangerousGoodsDetails: {
    ...{ unNumber: "string", "packingGroup?": "I/II/III", hazClass: "string", packageType: "string" },
    ...{ quantity: "integer", aggregateQuantity: "integer", shippingName: "string", "subRisk?": "string" },
    ...{ contactName: "string", contactPhone: "string" },
  },
  PalletMovements: {
    ...{ "exchangeIn?": "integer", "exchangeOut?": "integer", "directTransferToRec?": "integer" },
    ...{ "transferOffBex?": "integer", "docketNumber?": "string" },
  },
  ConsignmentBookingRequest: {
    ...{ sender: "BookingAddress", collection: "BookingAddress", receiver: "BookingAddress" },
    ...{ items: "Items", packages: "Package[]", packagingCode: "CT/BX/SA/PA/EN/CR/DR/RO/BG/PC" },
    ...{ serviceCode: "string", collectionDateTime: "string", collectionCloseTime: "string" },
    ...{ payer: "Payer", "businessUnit?": "BusinessUnit", dangerousGoods: "boolean" },
    ...{ "dangerousGoodsDetails?": "DangerousGoodsDetails", "foodFreight?": "boolean" },
    ...texts("customerReference", "specialInstructions", "pickupBookingNumber"),
    "alertAddresses?": [{ email: "string", "phone?": "string", alertTypes: "string[]" }],
    "keepInStore?": { numberOfDays: "integer" },
    "extendedWarranty?": { value: "number", class: "A/B/C" },
    "bexAlerts?": [
      { alertType: "DESPATCHED/DELIVERY_STATUS/DELIVERED", contactName: "string", emailAddress: "string" },
    ],
    "timeSensitive?": {
      "timeslot?": { dateTime: "string", reference: "string" },
      "deliveryWindow?": { startDate: "string", endDate: "string", ...texts("startTime", "endTime") },
    },
    "pallets?": { "poolA?": "PalletMovements", "poolB?": "PalletMovements" },
    "customerBarcodes?": "string[]",
    ...texts("rateId", "quoteId", "quotedCurrency", "committedEta", "bookingCutoff", "collectionCutoff"),
    ...{ "quotedPriceExGstMinor?": "integer", "quotedGstMinor?": "integer" },
    ...{ "quotedPriceIncGstMinor?": "integer", "quotedTransitDays?": "integer" },
  },
  BookingResponse: {
    ...{ orderNumber: "string", "consignmentNumber?": "string null", "barcodes?": "string[]" },
    ...{ shipmentId: "string", connectorId: "string", "labelWarning?": "string" },
    "pickupStatus?": "NOT_BOOKED/BOOKED/FAILED/RECONCILE_NEEDED",
  },
  PickupBookingRequest: {
    ...{ "shipmentId?": "string", pickupDate: "string", readyTime: "string", closeTime: "string" },
    ...{ "serviceCode?": "string", "collection?": "BookingAddress", "items?": "Items" },
    "receiver?": "BookingAddress",
  },
  PickupBookingResponse: {
    ...{ "pickupBookingId?": "string", "orderNumber?": "string null", "status?": "BOOKED/FAILED" },
    "connectorId?": "string",
  },
  PickupBookingDetail: {
    ...texts("id", "tenantId", "connectorId", "pickupDate", "readyTime", "closeTime", "createdAt"),
    ...{ "carrier?": "Carrier", "status?": "BOOKED/FAILED", "orderNumber?": "string null" },
    ...{ "shipmentId?": "string null", "serviceCode?": "string null", "collection?": "BookingAddress" },
    ...{ "items?": "Items", "lastErrorCode?": "string null", "lastErrorMessage?": "string null" },
    ...{ "source?": "API/PORTAL", "createdByUserId?": "string null" },
  },
  PickupBookingDetailResponse: { pickup: "PickupBookingDetail" },
  ShipmentSummary: SUMMARY,
  ShipmentListResponse: {
    ...{ total: "integer", limit: "integer", offset: "integer", shipments: "ShipmentSummary[]" },
  },
  ShipmentDetail: {
    ...SUMMARY,
    ...{ payer: "PayerType", "payerAccountNumber?": "string null", "payerSubAccount?": "string null" },
    ...{ "payerThirdPartyAddress?": "BookingAddress", sender: "BookingAddress" },
    ...{ collection: "BookingAddress", receiver: "BookingAddress", items: "Items" },
    ...{ dangerousGoods: "boolean", "carrierBookingRef?": "string null", collectionDateTime: "string" },
    ...{ collectionCloseTime: "string", "customerReference?": "string null" },
    "specialInstructions?": "string null",
  },
  ShipmentDetailResponse: { shipment: "ShipmentDetail" },
  TrackingResponse: { supported: "boolean", "tracking?": "TrackingInfo null" },
  TrackingInfo: {
    ...{ currentStatus: "string", "eta?": "string null", "deliveredAt?": "string null" },
    ...{ events: "TrackingEvent[]", "pod?": "TrackingPod" },
  },
  TrackingEvent: {
    ...{ timestamp: "string", status: "string", "location?": "string null", "description?": "string null" },
  },
  TrackingPod: {
    ...{ "deliveryNotation?": "string null", "itemsReceived?": "string null", "signedBy?": "string null" },
    "signatureImageUrl?": "string null",
  },
  PrintDevice: {
    ...{ id: "string", label: "string", "printerName?": "string null", "lastUsedAt?": "string null" },
    createdAt: "string",
  },
  PrintDeviceListResponse: DEVICE_LIST,
  PrintRequest: { deviceId: "string" },
  PrintJobCreated: { jobId: "string" },
  ErrorBody: {
    message: "string",
    "errors?": [{ message: "string", "field?": "string", "code?": "string" }],
  },
  LabelNotAvailableError: { message: "string", code: "LABEL_NOT_AVAILABLE" },
  PrintNotFoundError: {
    ...{ message: "string", code: "LABEL_NOT_AVAILABLE/DEVICE_NOT_FOUND/SHIPMENT_NOT_FOUND" },
  },
  PickupServerError: texts("message", "orderNumber"),
  DeviceListResponse: DEVICE_LIST,
  PrintJobRequest: { deviceId: "string", pdfBase64: "string" },
  DirectPrintJobCreated: { jobId: "string", status: "DELIVERED" },
  ForbiddenError: { success: "false", error: "string", "code?": "string" },
  RateLimitError: { error: "string", code: "RATE_LIMIT_EXCEEDED", retryAfter: "integer" },
}

/** Forms of a text, and what both kinds of booking are built on: no resources. */
const NO_RESOURCE = /^(Local|Clock|DateTime|BookingFields)/

const definitions: Record<string, Schema> = Object.assign(
  {},
  ...["freight", "direct-print"].map((name) => {
    const file = path.resolve(import.meta.dirname, `../../../schemas/${name}.schema.json`)
    return JSON.parse(readFileSync(file, "utf8")).$defs
  }),
)

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1)

/** A schema in the words of the tables above. */
function wordsFor(schema: Schema): string | Fields | [Fields] {
  const { $ref, type, properties, items, then } = schema
  if ($ref && !properties) {
    const name = nameIn($ref)
    return definitions[name]?.type === "string" ? "string" : name
  }
  if (schema.enum) return schema.enum.join("/")
  if (schema.const !== undefined) return String(schema.const)
  if (items) {
    const each = wordsFor(items)
    return typeof each === "string" ? `${each}[]` : [each as Fields]
  }
  if (properties) return fieldsOf(schema)
  const named = then?.$ref ? nameIn(then.$ref) : undefined
  return [type]
    .flat()
    .join(" ")
    .replace("object", named ?? "object")
}

/** Its own fields, and those of what it is built on. */
function fieldsOf(schema: Schema): Fields {
  const base = schema.$ref ? definitions[nameIn(schema.$ref)] : undefined
  const required = new Set([...(base?.required ?? []), ...(schema.required ?? [])])
  const properties = { ...base?.properties, ...schema.properties }
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      required.has(name) ? name : `${name}?`,
      wordsFor(field),
    ]),
  )
}

describe("the schemas of both APIs", () => {
  it.each(Object.entries(APIS))("have %s with these fields", (name, fields) => {
    const schema = definitions[name]
    expect(schema && (schema.enum ? wordsFor(schema) : fieldsOf(schema))).toEqual(fields)
  })

  it("have nothing else", () => {
    expect(
      Object.keys(definitions)
        .filter((name) => !NO_RESOURCE.test(name))
        .sort(),
    ).toEqual(Object.keys(APIS).sort())
  })
})
