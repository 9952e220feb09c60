/**
 * Types and rules of both APIs, as pure functions: they read no file and ask no server. Begin with `findErrors` for the
 * shape of a request, `checkBooking` for its sense, and `listFields` for what a schema knows; generated types are taken
 * from `generated/`.
 */

// Requests and replies
export {
  type Api,
  API_NAMES,
  APIS,
  type EndpointInfo,
  type EndpointName,
  ENDPOINTS,
  findEndpoint,
  type Scope,
} from "./endpoints.ts"
export { readOpenApi } from "./openapi.ts"
export { findErrors } from "./check.ts"
export { listErrors, type SchemaError, type Validator } from "./schema-errors.ts"
export { type Deviation, readShape, type ReplyShape, type UnreadRow } from "./shape.ts"
export { type Finding, type Findings, inWords, type RuleFinding } from "./findings.ts"

// The rules of a booking
export {
  checkBooking,
  checkBookingTimes,
  checkDensity,
  checkExtras,
  checkPickup,
  checkRateRequest,
  findAllowance,
  holdPlaces,
  isCostly,
  type PickupPlace,
  rateDefaults,
} from "./request-rules.ts"
export {
  isSamePlace,
  LINK_FIELDS,
  linkFromQuote,
  linkToRate,
  QUOTE_LIFETIME_MS,
  quoteDifferences,
  quoteExpired,
  type RateLink,
  REPORTED,
} from "./rate-link.ts"
export { omitUnsaid } from "./carrier-fields.ts"
export { findHomeNote, noteWarnings } from "./driver-notes.ts"

// Addresses and people
export { checkAddress, checkAddressRules } from "./addresses.ts"
export { addressLine, placeParts } from "./address-line.ts"
export { listContactReadings } from "./addressee.ts"
export { formatPhone, parsePhone } from "./contacts.ts"
export { isPostBox, postBoxWarnings } from "./post-boxes.ts"
export {
  type AddressLine,
  checkPlace,
  checkPostcode,
  formatPlace,
  parseAddress,
  parseAddressParts,
  parsePlace,
  parsePlaceOrAddress,
  type Place,
  repairPostcode,
  statesOfPostcode,
} from "./places.ts"
export {
  type AddressJudge,
  answerName,
  fixPlaces,
  formatPlaces,
  listPlaces,
  offerFix,
  type PlaceDoubt,
  type PlaceJudge,
  restorePlaces,
  saysFix,
  tellFix,
  type WrittenPlace,
  type WrittenPlaces,
} from "./place-doubts.ts"

// Times
export {
  type Allowances,
  BOOKED_AHEAD_MS,
  checkCollectionWindow,
  closesAfter,
  type FindHoliday,
  isPast,
  type Knowledge,
  type Moment,
  momentAt,
  pickAllowances,
  pickAllowedFlags,
} from "./collection-times.ts"
export {
  collectionText,
  type Ends,
  findEventClock,
  formatInstantAt,
  formatMomentAt,
  nameClock,
  type PlaceClock,
  toPlaceClock,
} from "./place-clock.ts"
export { OTHER_CLOCKS, zoneOfCollection, zoneOfPlace, zoneOrDefault } from "./place-zones.ts"
export { CONTRACT_ZONES, DEFAULT_ZONE, isContractZone, stateCode, type StateCode } from "./zones.ts"

// Packages
export {
  densityDoubt,
  describeConversion,
  type FindSize,
  formatPackage,
  formatPackageTotals,
  itemsOf,
  PACKAGE_FIELDS,
  parseMeasure,
  parsePackage,
  parsePackages,
  SIDES,
  toSize,
  totalsOf,
} from "./packages.ts"
export { findPackagingInHeading, PACKAGING, removeCounted } from "./packaging.ts"

// Fields, as flags, columns and questions name them
export { ALLOWANCES } from "./fields/allowances.ts"
export {
  ADDRESS_PARTS,
  BOOKING_FLAGS,
  COLUMN_FIELDS,
  type FieldOptions,
  FLAG_FIELDS,
  FLAG_GROUPS,
  MISSING_FLAGS,
  PARTIES,
  type PartyName,
  PARTY_COLUMNS,
  PARTY_HEADINGS,
  splitHeadings,
} from "./fields/booking.ts"
export {
  cleanText,
  dateWarnings,
  decodeHtml,
  readNumber,
  readSignedNumber,
  readText,
  removeFraction,
  textWarnings,
} from "./fields/damage.ts"
export { SHARED_HEADINGS } from "./fields/headings.ts"
export {
  getKind,
  type Kind,
  type KindContext,
  type KindName,
  KINDS,
  mayBe,
  readCell,
} from "./fields/kinds.ts"
export {
  ALLOWANCE_FIELDS,
  describeOwn,
  findHomes,
  getHomes,
  getOwnForNext,
  getQuotedHomes,
  getReturnOf,
  HOME_PARTIES,
  LASTING_FIELDS,
  type Own,
  OWN_FIELDS,
  parseNames,
  pickWishes,
  type PlaceOwn,
  readOwn,
  type Residential,
  type SavedAddress,
  takeOwn,
  takePlaceOwn,
  toOwnHomes,
  PREFERENCE_FIELDS,
  type Wishes,
  withoutWishes,
  withOwn,
} from "./fields/own.ts"
export {
  exampleOf,
  type Fields,
  fieldsOf,
  findKind,
  listFields,
  resolve,
  type SchemaNode,
  typesOf,
} from "./fields/schema.ts"
export {
  applyPlainSets,
  applySets,
  assignFields,
  type Assignment,
  findNode,
  readSets,
  readTyped,
} from "./fields/sets.ts"

// Explanations in words
export {
  type Advice,
  adviseChoice,
  adviseLiteral,
  adviseText,
  type Explanation,
  MAX_CHOICES,
} from "./explain/advice.ts"
export { readAmount } from "./explain/amounts.ts"
export { adviseCode } from "./explain/codes.ts"
export {
  type DocumentKind,
  type ErrorInContext,
  explainError,
  isWritable,
  type MeantChoice,
} from "./explain/explain.ts"

// Ids of our own
export {
  type BookedPickup,
  nameConnector,
  type NamedConnector,
  nameDevice,
  type NamedPickup,
  type NamedShipment,
  type NamedSummary,
  namePickup,
  nameShipment,
  toBookedPickup,
} from "./own-ids.ts"
