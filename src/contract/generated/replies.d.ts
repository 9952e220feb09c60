// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type { Validator } from "../schema-errors.ts"
import type * as types from "./types.ts"

export const ConnectorListResponse: Validator<types.ConnectorListResponse>
export const AggregatedRateResponse: Validator<types.AggregatedRateResponse>
export const SingleConnectorRateResponse: Validator<types.SingleConnectorRateResponse>
export const BookingResponse: Validator<types.BookingResponse>
export const ShipmentListResponse: Validator<types.ShipmentListResponse>
export const ShipmentDetailResponse: Validator<types.ShipmentDetailResponse>
export const TrackingResponse: Validator<types.TrackingResponse>
export const PickupBookingResponse: Validator<types.PickupBookingResponse>
export const PickupBookingDetailResponse: Validator<types.PickupBookingDetailResponse>
export const PrintDeviceListResponse: Validator<types.PrintDeviceListResponse>
export const PrintJobCreated: Validator<types.PrintJobCreated>
export const ErrorBody: Validator<types.ErrorBody>
export const LabelNotAvailableError: Validator<types.LabelNotAvailableError>
export const PrintNotFoundError: Validator<types.PrintNotFoundError>
export const PickupServerError: Validator<types.PickupServerError>
export const DeviceListResponse: Validator<types.DeviceListResponse>
export const DirectPrintJobCreated: Validator<types.DirectPrintJobCreated>
export const ForbiddenError: Validator<types.ForbiddenError>
export const RateLimitError: Validator<types.RateLimitError>
