// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type { Carrier } from "./types.ts"

export const CARRIERS = ["CARRIER_A_AU","CARRIER_B_AU","CARRIER_C_AU"] as const satisfies readonly Carrier[]

export const CARRIER_FIELDS = {
  ConsignmentBookingRequest: {
    "payer.subAccount": ["CARRIER_C_AU"],
    "businessUnit": ["CARRIER_C_AU"],
    "alertAddresses": ["CARRIER_A_AU"],
    "keepInStore": ["CARRIER_A_AU"],
    "pickupBookingNumber": ["CARRIER_A_AU"],
    "extendedWarranty": ["CARRIER_A_AU"],
    "foodFreight": ["CARRIER_A_AU"],
    "bexAlerts": ["CARRIER_B_AU"],
    "timeSensitive": ["CARRIER_B_AU"],
    "pallets": ["CARRIER_B_AU"],
    "customerBarcodes": ["CARRIER_B_AU"],
    "quotedGstMinor": ["CARRIER_B_AU"],
    "quotedPriceIncGstMinor": ["CARRIER_B_AU"],
  },
  RateRequest: {
    "isDocument": ["CARRIER_A_AU"],
    "businessUnit": ["CARRIER_C_AU"],
    "timezone": ["CARRIER_A_AU"],
  },
  PickupBookingRequest: {
    "serviceCode": ["CARRIER_A_AU","CARRIER_C_AU"],
  },
} as const satisfies Record<string, Record<string, readonly Carrier[]>>
