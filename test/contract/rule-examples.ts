import type {
  BookingAddress,
  ConsignmentBookingRequest,
  RateRequest,
} from "../../src/contract/generated/types.ts"

export const sydney: BookingAddress = {
  companyName: "Harbour Tools Pty Ltd",
  address1: "12 Bourke Road",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
  email: "dispatch@example.com",
}

export const darwin: BookingAddress = {
  companyName: "Top End Supplies",
  address1: "3 Bennett Street",
  suburb: "Darwin City",
  state: "NT",
  postcode: "0800",
}

/** A booking in which no rule finds anything, whatever the carrier. */
export const booking: ConsignmentBookingRequest = {
  sender: sydney,
  collection: sydney,
  receiver: darwin,
  packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
  items: { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 },
  packagingCode: "CT",
  serviceCode: "EXP",
  collectionDateTime: "2026-11-23T10:00:00",
  collectionCloseTime: "1700",
  payer: { type: "Sender" },
  dangerousGoods: false,
}

/** A rate request in which no rule finds anything. */
export const rateRequest: RateRequest = {
  from: { suburb: "Fremantle", state: "WA", postcode: "6160", residential: false },
  to: { suburb: "Alexandria", state: "NSW", postcode: "2015", residential: true },
  packages: booking.packages,
  dangerousGoods: false,
}
