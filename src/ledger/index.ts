/**
 * The record of all creates and their outcomes: the guard against double booking. Begin with `createOnce`, the one way
 * to create anything; `docs/ledger.md` says in which order to read the files.
 */

// Claims and outcomes
export {
  type AccountLedger,
  claimOf,
  type Created,
  type CreateKey,
  createOnce,
  type Intent,
  type LedgerDeps,
  refusalOf,
} from "./create.ts"
export { type Decision, EQUAL_FOR_MS, isInFlight } from "./decision.ts"
export { isSettled, type Refusing, type Standing, type StandingOf } from "./standing.ts"
export {
  bookedBefore,
  ClockDoubt,
  describeBeside,
  describeBooked,
  describeCancelled,
  describeWaiting,
  describeWay,
  describeWord,
  equalBefore,
  explainHeldBack,
  isRepeated,
  MEANT_BESIDE,
  nameBooking,
  NOT_TOLD,
  NotSent,
  type Repeated,
  Unrecorded,
  warnOfOpenBeside,
} from "./refusals.ts"
export { findUncollected, noteCancelled, takeBackCancelled } from "./cancellations.ts"
export { findIncludedPickup, findPickup, saysPickup, unclearPickup } from "./pickups.ts"
export {
  clockWarning,
  isOpen,
  reconcile,
  type ReconcileDeps,
  reconcileUntilKnown,
  type Settled,
} from "./reconcile.ts"
export { release, settleByHand, settleDuplicate } from "./by-hand.ts"

// Entries and words
export {
  type Cancellation,
  type CancellationWord,
  type Entry,
  type Facts,
  getCancellation,
  type GstBasis,
  keyText,
  KINDS,
  nameText,
  openReason,
  type Sender,
  sentText,
  STATES,
  toWord,
  withoutPackages,
} from "./entry.ts"
export { pagesOf } from "./entry-rows.ts"
export type { HistoryFilter } from "./entry-reader.ts"
export {
  compareOrder,
  describeDifference,
  describeIgnored,
  type Difference,
  getFirstKey,
  getOwnNumber,
  isIdentity,
  isSameDay,
  pickIdentity,
  secondKey,
  type WrittenOrder,
} from "./order.ts"
export { findReturnNumberError, returnKey } from "./returns.ts"
export { canonical, contentHash, referenceHash } from "./content.ts"
export { compareNumber, getOrderNumber, getReference } from "./spelling.ts"
export { parseKey } from "./idempotency-key.ts"
export { listBarcodes } from "./barcodes.ts"

// Bookings made elsewhere
export {
  countElsewhere,
  describeStrangers,
  findElsewhere,
  findKnownShipments,
  findShipmentsOfOrder,
  hashDayGoods,
  hashGoods,
  keepReadShipments,
  listReadBefore,
} from "./elsewhere.ts"
export { type Look, lookForElsewhere, readMark, writeMark } from "./look.ts"

// Accounts
export { type Account, setAccountName } from "./accounts/account.ts"
export { type AccountRow, listAccounts } from "./accounts/describe.ts"
export { fingerprint, serviceAddress } from "./accounts/keys.ts"

// Records of bookings
export {
  type BookedEntry,
  findBookings,
  findBookingsByBarcode,
  findBookingsLoosely,
  findCollected,
  NAME_COLUMNS,
  PLAIN_COLUMNS,
  plainColumn,
  plainName,
} from "./records/bookings.ts"
export { addFirstKeys, findConsignments, findNamed, findSends, findShipments } from "./records/named.ts"
export { countHistory, readEntries } from "./records/history.ts"
export {
  addToPickup,
  findCollectedBy,
  findLastTold,
  findNotYetReported,
  isWaitingFor,
  tellOfAdded,
} from "./records/collected.ts"
export {
  BOOKING_EVENTS_MS,
  findJourneys,
  isEnded,
  type Journey,
  NEVER,
  readBooked,
  rememberUpdates,
  toTrackingUpdate,
  type TrackedBooking,
  type TrackingUpdate,
} from "./records/journeys.ts"
export {
  type CarrierService,
  type ChosenBooking,
  findChosen,
  findLaneOutcomes,
  type Lane,
  type LaneOutcomes,
  type LanePlaces,
  type Outcomes,
} from "./records/evidence.ts"
export {
  findExtent,
  GROUPED_BY,
  type GroupOfBookings,
  type GroupOfJourneys,
  type Slice,
  sumBookings,
  sumJourneys,
} from "./records/sums.ts"
export { addPlace, type KeptPlace, listPlaces, removePlaces } from "./records/places.ts"

// Charges of audited bills for bookings
export { type BilledBasis, countsBefore, countUnbilled, unbilledPages } from "./records/billed.ts"

// The database and its maintenance
export type { Store } from "./store.ts"
export { ledgerFile, type LedgerPorts, openDatabase } from "./open.ts"
export { parseLedgerAddress } from "./database/address.ts"
export {
  type Database,
  type DatabaseRow,
  LedgerUnusable,
  type Statements,
  type Transaction,
} from "./database/database.ts"
export { describeColumns, SENDER_COLUMNS } from "./database/columns.ts"
export { inParts, inScopes, insertRecords, insertRows, placeholders, queryInParts } from "./database/sql.ts"
export { migrate } from "./schema.ts"
export { copyLedger } from "./maintenance/admin.ts"
export { KEPT_DAYS, readDayToPrune } from "./maintenance/kept.ts"
export type { LedgerStatus } from "./maintenance/status.ts"
