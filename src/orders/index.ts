/**
 * Booking, printing, tracking, cancelling. Begin with `booking/book-one.ts`, the one path of every order;
 * `docs/architecture.md` follows it.
 */

// Booking one
export { bookSaid } from "./book.ts"
export { describeMinutes, describeTooLate } from "./booking/cutoffs.ts"
export { askAboutDoubts } from "./booking/doubts.ts"
export { LIMITED } from "./booking/elsewhere.ts"
export { readEvidenceDays } from "./booking/evidence.ts"
export { exampleBooking } from "./booking/example.ts"
export { createBookingFileSchema } from "./booking/file-schema.ts"
export { readInput, toDetail } from "./booking/input.ts"
export {
  nameLane,
  type ServiceEvidence,
  summariseArrivals,
  summariseBills,
  widen,
} from "./booking/lane-evidence.ts"
export { type ComparedRate, readComparedRates } from "./booking/compared-rates.ts"
export { getPickupName, tellCommand } from "./booking/pickup.ts"
export { RATE_FIELDS } from "./booking/rate-columns.ts"
export type { RateFailure, RateJson } from "./booking/rate-json.ts"
export {
  priceText,
  SORT_KEYS,
} from "./booking/rates.ts"
export { API_METHODS, callApi } from "./booking/raw-call.ts"
export { LABEL_NAME, PREFERENCE_FLAGS } from "./booking/service-flags.ts"
export { findShareBy } from "./booking/share.ts"
export { bookingColumns, type BookingJson } from "./booking/show.ts"

// Many at once: batches and plans
export type { ColumnHelp } from "./batch/columns/template.ts"
export { TEMPLATE_COLUMNS, writeTemplate } from "./batch/columns/write-template.ts"
export { findResultsFile } from "./batch/finish.ts"
export { ROW_FLAGS, RUN_FLAGS, SAFETY } from "./batch/open.ts"
export type { RowState } from "./batch/outcome.ts"
export { listPlan } from "./batch/plan/list.ts"
export { type Plan, readPlan } from "./batch/plan/plan.ts"
export { PLAN_FLAGS, planBatch, toPlanFile } from "./batch/plan/run.ts"
export { planColumns, showPlan } from "./batch/plan/show.ts"
export type { RowRecord } from "./batch/results.ts"
export { type PricesJson, type RunJson, summaryColumns } from "./batch/show.ts"
export { BATCH_STATUS_COLUMNS, BATCH_STATUS_FLAGS, showBatchStatus } from "./batch/status.ts"
export type { CarrierNotice } from "./batch/carrier-notice.ts"
export { findUnfinishedRuns, type Unfinished } from "./batch/unfinished.ts"
export { findWaitingRows, type WaitingRows } from "./batch/waiting.ts"

// A booking's fields as questions
export { answerText } from "./wizard/field.ts"
export { CARRIER_FIELDS, DANGEROUS_GOODS } from "./wizard/questions.ts"

// Finding and showing shipments
export { createFinder, type Finder } from "./lookup/find.ts"
export { namesFrom, readShipments, SHIPMENTS } from "./lookup/given.ts"
export { LISTED_COLUMNS, listShipments, SHIPMENT_FILTERS } from "./lookup/list.ts"
export { SHIPMENT, SHIPMENT_NAMES } from "./lookup/names.ts"
export { SHOWN_COLUMNS, showShipment } from "./lookup/show.ts"

// Tracking and collection
export { OPEN_DAYS, rememberSeen } from "./tracking/booked.ts"
export {
  eventColumns,
  eventTime,
  isPending,
  proofOfDelivery,
  standing,
  toTrackedItem,
} from "./tracking/events.ts"
export {
  collectCommand,
  isCollectedWithin,
  isLate,
  type ScheduledBooking,
  toScheduled,
} from "./tracking/schedule.ts"
export { MANIFEST_COLUMNS, MANIFEST_FLAGS, showManifest } from "./manifest/manifest.ts"

// Labels and printing
export type { SavedLabel } from "./labels/save.ts"
export type { Scan, ScanWriter } from "./printing/bench.ts"
export {
  activeDevices,
  describeDevices,
  type DeskChoice,
  forgetDevices,
  type KnownDevice,
  knownDevices,
  useDevice,
} from "./printing/devices.ts"
export type { PrintedNamed } from "./printing/named.ts"
export type { Printed } from "./printing/print.ts"

// Unknown outcomes
export {
  nameSettled,
  type SettledJson,
  settleUnknown,
  tellUnsettled,
  toSettledJson,
} from "./reconciling/settle.ts"

// Telling a shop
export type { DispatchRow } from "./dispatched/dispatch.ts"
export { findWaiting } from "./dispatched/records.ts"
export { DISPATCH_SHOP_NAMES } from "./dispatched/shops.ts"
