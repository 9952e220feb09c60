/** Requests that keep the contract, for tests to spoil. */
import type {
  BookingAddress,
  ConsignmentBookingRequest,
  RateRequest,
} from "../../src/contract/generated/types.ts"

export function address(changes: Partial<BookingAddress> = {}): BookingAddress {
  return {
    companyName: "Acme Pty Ltd",
    contactName: "Jo Citizen",
    address1: "1 Long Street",
    suburb: "Alexandria",
    state: "NSW",
    postcode: "2015",
    ...changes,
  }
}

/** A booking that every connector takes but for its service: on A it is Road Express. */
export function booking(changes: Partial<ConsignmentBookingRequest> = {}): ConsignmentBookingRequest {
  return {
    sender: address(),
    collection: address(),
    receiver: address({
      companyName: "Harbour Supplies",
      suburb: "Fremantle",
      state: "WA",
      postcode: "6160",
    }),
    items: { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 },
    packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
    packagingCode: "CT",
    serviceCode: "76",
    collectionDateTime: "2026-11-23T10:00:00",
    collectionCloseTime: "1700",
    payer: { type: "Sender" },
    dangerousGoods: false,
    ...changes,
  }
}

export function rateRequest(changes: Partial<RateRequest> = {}): RateRequest {
  return {
    from: { suburb: "Alexandria", postcode: "2015", state: "NSW", residential: false },
    to: { suburb: "Fremantle", postcode: "6160", state: "WA", residential: false },
    packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
    dangerousGoods: false,
    date: "2026-11-23",
    ...changes,
  }
}
