// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
export const CARRIER_FIELDS = {
  CARRIER_A_AU: ["alertAddresses","keepInStore","pickupBookingNumber","extendedWarranty","foodFreight","isDocument","timezone"],
  CARRIER_B_AU: ["bexAlerts","timeSensitive","pallets","customerBarcodes","quotedGstMinor","quotedPriceIncGstMinor"],
  CARRIER_C_AU: ["payer.subAccount","businessUnit"],
} as const
