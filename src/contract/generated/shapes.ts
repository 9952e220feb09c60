// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type { ReplyShape } from "../shape.ts"
import type * as types from "./types.ts"

export const ConnectorSummary: ReplyShape<types.ConnectorSummary> = {
  is: "object",
  fields: {
    "id": { is: "text" },
    "carrier": { is: "text", choices: ["CARRIER_A_AU","CARRIER_B_AU","CARRIER_C_AU"] },
    "name": { is: "text" },
    "services": { is: "list", of: {
  is: "object",
  fields: {
    "serviceCode": { is: "text" },
    "description": { is: "text" },
  },
  required: ["serviceCode","description"],
  needed: ["serviceCode"],
  otherwise: {"description":{"from":"serviceCode"}},
} },
  },
  required: ["id","carrier","name","services"],
  needed: ["id","carrier"],
  otherwise: {"name":{"from":"id"},"services":{"value":[]}},
}

export const ConnectorListResponse: ReplyShape<types.ConnectorListResponse> = {
  is: "object",
  fields: {
    "connectors": { is: "list", of: ConnectorSummary },
  },
  required: ["connectors"],
  needed: ["connectors"],
  otherwise: {},
}

export const RatedService: ReplyShape<types.RatedService> = {
  is: "object",
  fields: {
    "serviceCode": { is: "text" },
    "description": { is: "text" },
    "price": { is: "number" },
    "currency": { is: "text" },
    "eta": { isNullable: true, is: "text" },
    "transitDays": { isNullable: true, is: "integer" },
    "bookingCutoff": { is: "text" },
    "collectionCutoff": { is: "text" },
    "priceGst": { is: "number" },
    "priceIncGst": { is: "number" },
    "visibility": { is: "text", choices: ["shown","hidden"] },
    "rateId": { is: "text" },
  },
  required: ["serviceCode","description","price","currency","bookingCutoff","collectionCutoff"],
  needed: ["serviceCode"],
  otherwise: {"description":{"from":"serviceCode"}},
}

export const CarrierError: ReplyShape<types.CarrierError> = {
  is: "object",
  fields: {
    "message": { is: "text" },
    "code": { is: "text" },
  },
  required: ["message"],
  needed: [],
  otherwise: {"message":{"value":"no reason given"}},
}

export const AggregatedRateResult: ReplyShape<types.AggregatedRateResult> = {
  is: "object",
  fields: {
    "connectorId": { is: "text" },
    "carrier": { is: "text" },
    "success": { is: "boolean" },
    "rates": { is: "list", of: RatedService },
    "error": CarrierError,
  },
  required: ["connectorId","carrier","success"],
  needed: ["connectorId"],
  otherwise: {"carrier":{"value":""},"success":{"value":true}},
}

export const AggregatedRateResponse: ReplyShape<types.AggregatedRateResponse> = {
  is: "object",
  fields: {
    "quoteId": { is: "text" },
    "results": { is: "list", of: AggregatedRateResult },
  },
  required: ["quoteId","results"],
  needed: ["results"],
  otherwise: {},
}

export const SingleConnectorRateResponse: ReplyShape<types.SingleConnectorRateResponse> = {
  is: "object",
  fields: {
    "quoteId": { is: "text" },
    "rates": { is: "list", of: RatedService },
  },
  required: ["quoteId","rates"],
  needed: ["rates"],
  otherwise: {},
}

export const BookingResponse: ReplyShape<types.BookingResponse> = {
  is: "object",
  fields: {
    "orderNumber": { is: "text" },
    "consignmentNumber": { isNullable: true, is: "text" },
    "barcodes": { is: "list", of: { is: "text" } },
    "shipmentId": { is: "text" },
    "connectorId": { is: "text" },
    "pickupStatus": { is: "text", choices: ["NOT_BOOKED","BOOKED","FAILED","RECONCILE_NEEDED"] },
    "labelWarning": { is: "text" },
  },
  required: ["orderNumber","shipmentId","connectorId"],
  needed: ["shipmentId"],
  otherwise: {"connectorId":{"value":""}},
}

export const ShipmentSummary: ReplyShape<types.ShipmentSummary> = {
  is: "object",
  fields: {
    "id": { is: "text" },
    "carrier": { is: "text", choices: ["CARRIER_A_AU","CARRIER_B_AU","CARRIER_C_AU"] },
    "connectorName": { is: "text" },
    "orderNumber": { is: "text" },
    "consignmentNumber": { isNullable: true, is: "text" },
    "status": { is: "text", choices: ["CONSIGNED","CANCELLED"] },
    "pickupStatus": { is: "text", choices: ["NOT_BOOKED","BOOKED","FAILED"] },
    "serviceCode": { is: "text" },
    "serviceDescription": { isNullable: true, is: "text" },
    "source": { is: "text", choices: ["API","PORTAL"] },
    "fromSuburb": { isNullable: true, is: "text" },
    "toSuburb": { isNullable: true, is: "text" },
    "createdAt": { is: "text" },
  },
  required: ["id","carrier","connectorName","orderNumber","status","serviceCode","source","createdAt"],
  needed: ["id"],
  otherwise: {},
}

export const ShipmentListResponse: ReplyShape<types.ShipmentListResponse> = {
  is: "object",
  fields: {
    "total": { is: "integer" },
    "limit": { is: "integer" },
    "offset": { is: "integer" },
    "shipments": { is: "list", of: ShipmentSummary },
  },
  required: ["total","limit","offset","shipments"],
  needed: ["shipments"],
  otherwise: {"total":{"value":-1},"limit":{"value":0},"offset":{"value":0}},
}

export const BookingAddress: ReplyShape<types.BookingAddress> = {
  is: "object",
  fields: {
    "companyName": { is: "text" },
    "contactName": { is: "text" },
    "phoneAreaCode": { is: "text" },
    "phoneNumber": { is: "text" },
    "address1": { is: "text" },
    "address2": { is: "text" },
    "suburb": { is: "text" },
    "state": { is: "text" },
    "postcode": { is: "text" },
    "email": { is: "text" },
  },
  required: ["companyName","address1","suburb","state","postcode"],
  needed: ["companyName","address1","suburb","state","postcode"],
  otherwise: {},
}

export const Items: ReplyShape<types.Items> = {
  is: "object",
  fields: {
    "count": { is: "integer" },
    "totalWeightKg": { is: "number" },
    "maxLengthCm": { is: "number" },
    "maxWidthCm": { is: "number" },
    "maxHeightCm": { is: "number" },
  },
  required: ["count","totalWeightKg","maxLengthCm","maxWidthCm","maxHeightCm"],
  needed: ["count","totalWeightKg","maxLengthCm","maxWidthCm","maxHeightCm"],
  otherwise: {},
}

export const ShipmentDetail: ReplyShape<types.ShipmentDetail> = {
  is: "object",
  fields: {
    "id": { is: "text" },
    "carrier": { is: "text", choices: ["CARRIER_A_AU","CARRIER_B_AU","CARRIER_C_AU"] },
    "connectorName": { is: "text" },
    "orderNumber": { is: "text" },
    "consignmentNumber": { isNullable: true, is: "text" },
    "status": { is: "text", choices: ["CONSIGNED","CANCELLED"] },
    "pickupStatus": { is: "text", choices: ["NOT_BOOKED","BOOKED","FAILED"] },
    "serviceCode": { is: "text" },
    "serviceDescription": { isNullable: true, is: "text" },
    "source": { is: "text", choices: ["API","PORTAL"] },
    "fromSuburb": { isNullable: true, is: "text" },
    "toSuburb": { isNullable: true, is: "text" },
    "createdAt": { is: "text" },
    "payer": { is: "text", choices: ["Sender","Receiver","ThirdParty"] },
    "payerAccountNumber": { isNullable: true, is: "text" },
    "payerSubAccount": { isNullable: true, is: "text" },
    "payerThirdPartyAddress": BookingAddress,
    "sender": BookingAddress,
    "collection": BookingAddress,
    "receiver": BookingAddress,
    "items": Items,
    "dangerousGoods": { is: "boolean" },
    "carrierBookingRef": { isNullable: true, is: "text" },
    "collectionDateTime": { is: "text" },
    "collectionCloseTime": { is: "text" },
    "customerReference": { isNullable: true, is: "text" },
    "specialInstructions": { isNullable: true, is: "text" },
  },
  required: ["id","carrier","connectorName","orderNumber","status","serviceCode","source","createdAt","payer","sender","collection","receiver","items","dangerousGoods","collectionDateTime","collectionCloseTime"],
  needed: [],
  otherwise: {"id":{"value":""}},
}

export const ShipmentDetailResponse: ReplyShape<types.ShipmentDetailResponse> = {
  is: "object",
  fields: {
    "shipment": ShipmentDetail,
  },
  required: ["shipment"],
  needed: ["shipment"],
  otherwise: {},
}

export const TrackingEvent: ReplyShape<types.TrackingEvent> = {
  is: "object",
  fields: {
    "timestamp": { is: "text" },
    "status": { is: "text" },
    "location": { isNullable: true, is: "text" },
    "description": { isNullable: true, is: "text" },
  },
  required: ["timestamp","status"],
  needed: ["timestamp","status"],
  otherwise: {},
}

export const TrackingPod: ReplyShape<types.TrackingPod> = {
  is: "object",
  fields: {
    "deliveryNotation": { isNullable: true, is: "text" },
    "itemsReceived": { isNullable: true, is: "text" },
    "signedBy": { isNullable: true, is: "text" },
    "signatureImageUrl": { isNullable: true, is: "text" },
  },
  required: [],
  needed: [],
  otherwise: {},
}

export const TrackingInfo: ReplyShape<types.TrackingInfo> = {
  is: "object",
  fields: {
    "currentStatus": { is: "text" },
    "eta": { isNullable: true, is: "text" },
    "deliveredAt": { isNullable: true, is: "text" },
    "events": { is: "list", of: TrackingEvent },
    "pod": TrackingPod,
  },
  required: ["currentStatus","events"],
  needed: [],
  otherwise: {"currentStatus":{"value":""},"events":{"value":[]}},
}

export const TrackingResponse: ReplyShape<types.TrackingResponse> = {
  is: "object",
  fields: {
    "supported": { is: "boolean" },
    "tracking": { ...TrackingInfo, isNullable: true },
  },
  required: ["supported"],
  needed: [],
  otherwise: {"supported":{"value":true}},
}

export const PickupBookingResponse: ReplyShape<types.PickupBookingResponse> = {
  is: "object",
  fields: {
    "pickupBookingId": { is: "text" },
    "orderNumber": { isNullable: true, is: "text" },
    "status": { is: "text", choices: ["BOOKED","FAILED"] },
    "connectorId": { is: "text" },
  },
  required: [],
  needed: [],
  otherwise: {},
}

export const PickupBookingDetail: ReplyShape<types.PickupBookingDetail> = {
  is: "object",
  fields: {
    "id": { is: "text" },
    "tenantId": { is: "text" },
    "connectorId": { is: "text" },
    "carrier": { is: "text", choices: ["CARRIER_A_AU","CARRIER_B_AU","CARRIER_C_AU"] },
    "status": { is: "text", choices: ["BOOKED","FAILED"] },
    "orderNumber": { isNullable: true, is: "text" },
    "shipmentId": { isNullable: true, is: "text" },
    "pickupDate": { is: "text" },
    "readyTime": { is: "text" },
    "closeTime": { is: "text" },
    "serviceCode": { isNullable: true, is: "text" },
    "collection": BookingAddress,
    "items": Items,
    "lastErrorCode": { isNullable: true, is: "text" },
    "lastErrorMessage": { isNullable: true, is: "text" },
    "source": { is: "text", choices: ["API","PORTAL"] },
    "createdByUserId": { isNullable: true, is: "text" },
    "createdAt": { is: "text" },
  },
  required: [],
  needed: [],
  otherwise: {},
}

export const PickupBookingDetailResponse: ReplyShape<types.PickupBookingDetailResponse> = {
  is: "object",
  fields: {
    "pickup": PickupBookingDetail,
  },
  required: ["pickup"],
  needed: ["pickup"],
  otherwise: {},
}

export const PrintDevice: ReplyShape<types.PrintDevice> = {
  is: "object",
  fields: {
    "id": { is: "text" },
    "label": { is: "text" },
    "printerName": { isNullable: true, is: "text" },
    "lastUsedAt": { isNullable: true, is: "text" },
    "createdAt": { is: "text" },
  },
  required: ["id","label","createdAt"],
  needed: ["id"],
  otherwise: {"label":{"from":"id"}},
}

export const PrintDeviceListResponse: ReplyShape<types.PrintDeviceListResponse> = {
  is: "object",
  fields: {
    "devices": { is: "list", of: PrintDevice },
  },
  required: ["devices"],
  needed: ["devices"],
  otherwise: {},
}

export const PrintJobCreated: ReplyShape<types.PrintJobCreated> = {
  is: "object",
  fields: {
    "jobId": { is: "text" },
  },
  required: ["jobId"],
  needed: ["jobId"],
  otherwise: {},
}

export const DeviceListResponse: ReplyShape<types.DeviceListResponse> = {
  is: "object",
  fields: {
    "devices": { is: "list", of: PrintDevice },
  },
  required: ["devices"],
  needed: ["devices"],
  otherwise: {},
}

export const DirectPrintJobCreated: ReplyShape<types.DirectPrintJobCreated> = {
  is: "object",
  fields: {
    "jobId": { is: "text" },
    "status": { is: "text", choices: ["DELIVERED"] },
  },
  required: ["jobId","status"],
  needed: ["jobId"],
  otherwise: {},
}
