/** Checks a row against the contract and its carrier's rules. */

import {
  ADDRESS_PARTS,
  answerName,
  checkAddressRules,
  checkBooking,
  checkBookingTimes,
  checkDensity,
  findErrors,
  type Finding,
  fixPlaces,
  holdPlaces,
  mayBe,
  MISSING_FLAGS,
  type Moment,
  noteWarnings,
  offerFix,
  omitUnsaid,
  PARTIES,
  type PlaceJudge,
  postBoxWarnings,
  type RuleFinding,
  SIDES,
  type WrittenPlaces,
} from "../../../contract/index.ts"
import { nameInWords } from "../../booking/field-names.ts"
import type { JsonObject } from "../../../base/json.ts"
import type { ServicePreference } from "../../booking/preferences.ts"
import * as requests from "../../../contract/generated/requests.js"
import type { Carrier, ConsignmentBookingRequest, Package } from "../../../contract/generated/types.ts"
import type { Columns } from "../columns/columns.ts"
import { OF_EACH } from "../columns/judge.ts"
import type { BatchField } from "../columns/fields.ts"
import type { RowBooking } from "./row.ts"
import type { ComposedBooking } from "./booking.ts"
import type { UnusedCell } from "./written-row.ts"
import { argument, type CellFinding, findBearing, toWords } from "../../../input/index.ts"
import { findUnit } from "../../../base/units.ts"
import { quoted } from "../../../base/parsed.ts"
import type { Draft } from "./cells.ts"

interface Checked {
  booking: RowBooking | undefined
  places?: WrittenPlaces
  findings: CellFinding[]
  late: CellFinding[]
}

const OPEN = "-"

const FOR_ALL_ROWS = ["packages", "packagingCode", "collectionDateTime", "collectionCloseTime"]

const FLAGS: Readonly<Record<string, string>> = {
  sender: "--sender NAME, or freight config set sender NAME",
  collection: "--collection NAME",
  ...Object.fromEntries(
    MISSING_FLAGS.filter(({ path }) => FOR_ALL_ROWS.includes(path)).map(({ path, flag }) => [path, flag]),
  ),
}

/** @param carrier undefined while it is open: its rules are checked once it is chosen */
export function checkRowBooking(
  columns: Columns,
  draft: Draft,
  { booking, own, copied, hasSkus }: ComposedBooking,
  {
    wish,
    carrier,
    moment,
    fixesPlaces = false,
    readyTime,
    filledIn = [],
    unused = [],
    returned,
  }: {
    wish: ServicePreference | undefined
    carrier: Carrier | undefined
    moment: Moment
    fixesPlaces?: boolean | undefined
    /** Ready time for all rows, if --ready gives a time without a day. */
    readyTime?: string | undefined
    /** Fields that neither a row nor a flag gives. */
    filledIn?: readonly string[] | undefined
    unused?: readonly UnusedCell[] | undefined
    returned?: readonly Package[] | undefined
  },
): Checked {
  const serviceCode = wish?.kind === "code" ? wish.serviceCode : OPEN
  const request = { ...booking, serviceCode }
  const dropCopied = (schemaErrors: readonly Finding[]) =>
    copied ? schemaErrors.filter((finding) => !isRepeatedFromSender(finding, schemaErrors)) : schemaErrors
  const isRight = requests.ConsignmentBookingRequest(request)
  const found = isRight ? [] : dropCopied(findErrors(requests.ConsignmentBookingRequest, request))
  const schemaErrors = joinMissingAddress(
    found.filter(
      (finding) => !followsFromCell(finding, draft) && !followsFromPackages(finding, booking, draft),
    ),
  )
  const note = (severity: CellFinding["severity"]) => (finding: Finding) =>
    toFinding({ columns, draft, unused }, finding, severity)
  if (schemaErrors.length > 0) {
    const answered = answerPlaces(schemaErrors, booking, moment.places)
      .map(answerDay(readyTime))
      .map((finding) => (hasSkus ? answerPackages(finding) : finding))
    const others = checkKnownParts(booking, found, fixesPlaces ? { ...moment, places: undefined } : moment)
    return { booking: undefined, findings: [...answered, ...others].map(note("error")), late: [] }
  }
  // The unreadable cell was reported already.
  if (!isRight) return { booking: undefined, findings: [], late: [] }
  const { places: judge } = moment
  const fixed =
    judge && (fixesPlaces || !moment.acceptPlaces)
      ? fixPlaces(request, PARTIES, judge, fixesPlaces ? "all" : "sameWords")
      : { request, writtenPlaces: undefined, changes: [] }
  const changes = fixed.changes.map(({ warning }) => warning)
  const { errors: broken, warnings: told } = checkBooking(fixed.request, carrier, undefined, judge)
  const isSaid = (field: string) => !filledIn.includes(field) || draft.values.has(field)
  const said = omitUnsaid(told, isSaid)
  const { errors: held, warnings } = holdPlaces({ errors: [], warnings: said }, moment, fixed.request)
  const times = checkBookingTimes(request, carrier, moment)
  const density = checkDensity({ ...request, returned }, moment)
  const notes = noteWarnings(request.specialInstructions, own)
  const isOfPlace = ({ keyword }: Finding) => keyword === "postcode"
  const errors = broken.filter((finding) => !isOfPlace(finding))
  const places = dropCopied(broken).filter(isOfPlace)
  const findings = [
    ...errors.map(note("error")),
    ...[...changes, ...dropCopied(warnings), ...times.warnings, ...density.warnings, ...notes].map(
      note("warning"),
    ),
  ]
  const { serviceCode: _, ...rest } = fixed.request
  return {
    booking: errors.length > 0 ? undefined : rest,
    ...(fixed.writtenPlaces && { places: fixed.writtenPlaces }),
    findings,
    // These do not matter if the row is already booked.
    late: [
      ...places,
      ...held.map((each) => offerFix(each, request, judge)),
      ...density.errors,
      ...times.errors,
    ].map(note("error")),
  }
}

function checkKnownParts(booking: JsonObject, schemaErrors: readonly Finding[], moment: Moment): Finding[] {
  const isWhole = (part: string) =>
    booking[part] !== undefined && !schemaErrors.some(({ path }) => isWithin(path, part))
  const { receiver, packages, packagingCode } = booking as Partial<ConsignmentBookingRequest>
  const found: RuleFinding[] = []
  if (receiver && isWhole("receiver")) {
    const { places } = moment
    // Places that will be corrected once the rest is complete are not errors.
    const fixed = places ? fixPlaces({ receiver }, ["receiver"], places, "sameWords").request : { receiver }
    const { errors, warnings } = checkAddressRules(fixed.receiver, ["receiver"], places)
    const boxes = postBoxWarnings(receiver, ["receiver"], "delivers")
    const held = holdPlaces({ errors: [], warnings: [...warnings, ...boxes] }, moment, {}).errors
    found.push(...errors, ...held.map((each) => offerFix(each, booking, moment.places)))
  }
  if (packages && isWhole("packages"))
    found.push(
      ...checkDensity(
        { packages, packagingCode: isWhole("packagingCode") ? packagingCode : undefined },
        moment,
      ).errors,
    )
  return found
}

/** Names the places that a suburb without its state or postcode may be, each once. */
function answerPlaces(
  found: readonly Finding[],
  booking: JsonObject,
  judge: PlaceJudge | undefined,
): readonly Finding[] {
  const answered = new Set<string>()
  return found.map((finding) => {
    const [, party] = /^(\w+)\.(?:state|postcode)$/.exec(finding.path) ?? []
    const { suburb, state = "" } = Object(party === undefined ? undefined : booking[party])
    if (!judge || finding.keyword !== "required" || typeof suburb !== "string" || answered.has(party ?? ""))
      return finding
    answered.add(party ?? "")
    const answer = answerName(`${suburb} ${state}`.trim(), judge)
    return answer === undefined
      ? finding
      : { ...finding, message: `${finding.message}. ${answer}`, hint: "write its state and postcode" }
  })
}

/** If --ready gives only a time, the missing part is the day. */
function answerDay(readyTime: string | undefined): (finding: Finding) => Finding {
  const time = readyTime?.slice(0, 5)
  return (finding) =>
    time === undefined || finding.path !== "collectionDateTime" || finding.keyword !== "required"
      ? finding
      : {
          ...finding,
          message: `--ready ${time} gives no day, and neither does the row`,
          hint: `add the day: --ready "tomorrow ${time}", or a column Ready`,
        }
}

/** Items with a SKU can say how they are packed: a shop's export has no column for it. */
function answerPackages(finding: Finding): Finding {
  const hint = `freight package add NAME SIZE --sku SKU says how an item is packed; ${FLAGS.packages} is every order`
  return finding.path === "packages" && finding.keyword === "required" ? { ...finding, hint } : finding
}

const ADDRESS = ADDRESS_PARTS.map((part) => `receiver.${part}`)

/** A row without any address, such as a shop's order of a gift card, gets one error and not five. */
function joinMissingAddress(found: readonly Finding[]): readonly Finding[] {
  const isPart = ({ path, keyword }: Finding) => keyword === "required" && ADDRESS.includes(path)
  const [first, ...parts] = found.filter(isPart)
  if (!first || parts.length + 1 < ADDRESS.length) return found
  return [{ ...first, path: "receiver", message: NO_ADDRESS }, ...found.filter((each) => !isPart(each))]
}

const NO_ADDRESS = "the row has no delivery address"

/** Errors of a collection address that was copied from the sender are reported on the sender only. */
function isRepeatedFromSender({ path }: Finding, schemaErrors: readonly Finding[]): boolean {
  if (!/^collection(?:\.|$)/.test(path)) return false
  return schemaErrors.some((other) => other.path === path.replace("collection", "sender"))
}

/** Unreadable cells are not reported as missing as well. */
function followsFromCell({ path, keyword }: Finding, { failed }: Draft): boolean {
  if (keyword !== "required") return false
  return [...failed.values()].some((field) =>
    listPaths(field).some((place) => isWithin(path, place) || isWithin(place, path)),
  )
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}

export function listPaths({ name, path }: BatchField): string[] {
  if (path) return [path.join(".").replace(/\.(\d+)(?=\.|$)/g, "[$1]")]
  const [first = "", part = ""] = name.split(".")
  if (first === "package" && part === "size") return SIDES.map((side) => `packages[0].${side}`)
  if (first === "package") return [`packages[0].${part === "totalWeightKg" ? "weightKg" : part}`]
  if (["name", "firstName", "lastName"].includes(part)) return [`${first}.companyName`]
  return name === "readyTime" ? ["collectionDateTime"] : []
}

/** Totals are derived from the packages: without those there are none. */
function followsFromPackages(
  { path }: Finding,
  { packages }: JsonObject,
  { columns, failed }: Draft,
): boolean {
  if (path === "items" || path.startsWith("items."))
    return ![...columns.keys()].some((name) => name.startsWith("items."))
  return (
    path === "packages" &&
    packages === undefined &&
    [...failed.keys()].some((name) => name.startsWith("package"))
  )
}

interface FindingContext {
  columns: Columns
  draft: Draft
  unused: readonly UnusedCell[]
}

function toFinding(
  { columns, draft, unused }: FindingContext,
  finding: Finding,
  severity: CellFinding["severity"],
): CellFinding {
  const isMissing = finding.keyword === "required"
  const names = listFieldNames(finding.path)
  // A column that holds another field says nothing about the missing one.
  const candidates = isMissing ? names.filter((name) => mayHold(name, finding.path)) : names
  const field = candidates.find((name) => draft.columns.has(name))
  const column = field === undefined ? undefined : draft.columns.get(field)
  const hasReceiver = [...draft.columns.keys()].some((name) => name.startsWith("receiver."))
  const hint =
    finding.hint ??
    (isMissing ? getFix({ columns, draft, unused }, finding.path, column, hasReceiver) : undefined)
  return {
    ...(column !== undefined && { column }),
    rule: finding.keyword,
    message: isOwn(finding.path, field) ? removePath(finding) : sayField(finding, draft),
    ...(hint !== undefined && { hint }),
    ...(isMissing && { missing: finding.path }),
    severity,
  }
}

function isOwn(path: string, field: string | undefined): boolean {
  return field === path || field === path.replace(/^packages\[0\]/, "package")
}

function mayHold(name: string, path: string): boolean {
  const [, part] = /^packages\[0\]\.(.+)$/.exec(path) ?? []
  if (part === undefined || !name.startsWith("package.")) return true
  return name === `package.${part}` || (part === "weightKg" && name === "package.totalWeightKg")
}

/** The message with the field in words. The only package of a row has no number there. */
function sayField(finding: Finding, { columns }: Draft): string {
  const isNumbered = [...columns.keys()].some((name) => /^packages(?:\[|$)/.test(name))
  return nameInWords(finding, !isNumbered).message
}

function removePath({ path, message }: Finding): string {
  return message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
}

function listFieldNames(path: string): string[] {
  const parts = path.split(".")
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join("."))
  const [party, part] = parts
  return [
    ...above.flatMap((each) => [each, each.replace(/^packages\[0\]/, "package")]),
    ...(part === "companyName" ? [`${party}.name`, `${party}.firstName`] : []),
    ...(path.startsWith("packages")
      ? ["packages", "package.weightKg", "package.totalWeightKg", "package.count"]
      : []),
    ...(path === "customerReference" ? ["reference"] : []),
  ]
}

function getFix(
  { columns, draft, unused }: FindingContext,
  path: string,
  column: string | undefined,
  hasReceiver: boolean,
): string {
  if (column !== undefined) return "fill in the cell"
  if (path === "receiver" && hasReceiver) return "remove the row, or book the others with --skip-invalid"
  const field = columns.named(path.replace(/^packages\[0\]/, "package"))
  const meant = field ? findMeant(field, unused) : []
  if (field && meant.length > 0) {
    const mapTo = (name: string) =>
      meant.map((each) => `--map ${argument(`${each.column}=${name}`)}`).join(" or ")
    // Only the author knows whether a weight is per package or in total, unless its heading says so.
    const isOpen =
      field.name === "package.weightKg" && !meant.every(({ column }) => OF_EACH.test(toWords(column)))
    const total = isOpen ? `, and ${mapTo("package.totalWeightKg")} that it is that of all packages` : ""
    return `freight does not use the column ${meant.map((each) => quoted(each.column)).join(" or ")}; ${mapTo(field.name)} says that it is ${total ? "that of each package" : "this"}${total}`
  }
  // If columns are named as in the API, as in JSON, messages use those names.
  const isByPath = [...draft.columns].every(([name, heading]) => name === heading)
  const [alias] = field && !isByPath ? columns.aliases(field) : []
  const flag = FLAGS[path]
  const name = field?.name ?? path
  return `add a column ${alias ?? name}${flag === undefined ? "" : `, or give ${flag}`}`
}

/** Maximum number of suggested columns; more would not help. */
const MAX_MEANINGS = 2

/** Unused columns of a row that may hold a field: those with its unit in their heading, otherwise a few. */
function findMeant({ kind, choices }: BatchField, unused: readonly UnusedCell[]): readonly UnusedCell[] {
  if (!MEASURED.includes(kind)) return []
  // A column that counts goods does not measure anything.
  const fitting = unused.filter(
    ({ column, text }) => mayBe(kind, text, choices) && findBearing(column, [text], ["count"]) === undefined,
  )
  const inUnit = fitting.filter(({ column }) =>
    toWords(column)
      .split(" ")
      .some((word) => findUnit(word)?.measure === kind),
  )
  const meant = inUnit.length > 0 ? inUnit : fitting
  return meant.length > MAX_MEANINGS ? [] : meant
}

const MEASURED: readonly string[] = ["kg", "cm"]
