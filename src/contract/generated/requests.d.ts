// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type { Validator } from "../schema-errors.ts"
import type * as types from "./types.ts"

export const RateRequest: Validator<types.RateRequest>
export const ConsignmentBookingRequest: Validator<types.ConsignmentBookingRequest>
export const PickupBookingRequest: Validator<types.PickupBookingRequest>
export const PrintRequest: Validator<types.PrintRequest>
export const BookingAddress: Validator<types.BookingAddress>
export const PrintJobRequest: Validator<types.PrintJobRequest>
export const BookingFile: Validator<types.BookingFile>
