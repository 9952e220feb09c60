/** Composes a booking from a row's values: short forms, derived fields, defaults. */
import { fillDerived, isPackages } from "../../booking/request.ts"
import { isObject, type Json, type JsonObject, put } from "../../../base/json.ts"
import { decimalOf, numberOf } from "../../../base/money.ts"
import { quoted } from "../../../base/parsed.ts"
import { plainSku } from "../../../machine/index.ts"
import type { Package } from "../../../contract/generated/types.ts"
import { argument, type CellFinding, errorFinding, plainHeader } from "../../../input/index.ts"
import {
  findHomeNote,
  findPackagingInHeading,
  type Own,
  OWN_FIELDS,
  PACKAGE_FIELDS,
  parseAddress,
  PARTIES,
  type PartyName,
  readOwn,
  takeOwn,
} from "../../../contract/index.ts"
import type { BatchRow } from "./row.ts"
import type { RowDefaults } from "./defaults.ts"
import { type Draft, errorAt } from "./cells.ts"
import type { OrderItem } from "./written-row.ts"

export interface ComposedBooking {
  /** Shares objects with the defaults. */
  booking: JsonObject
  own: Own
  /** The collection address was copied from the sender: report its errors there only. */
  copied: boolean
  /** Set for an order of several pieces that are packed as the defaults say. */
  openPieces?: BatchRow["openPieces"]
  /** The order's items have SKUs, which can say how they are packed. */
  hasSkus: boolean
  findings: CellFinding[]
}

/**
 * Composes a row's booking over the defaults. Not checked yet.
 * @param items of a shop's order
 */
export function composeBooking(
  draft: Draft,
  defaults: RowDefaults,
  items: readonly OrderItem[] = [],
): ComposedBooking {
  const composed: JsonObject = {}
  const findings: CellFinding[] = []
  const present = [...draft.failed.values(), ...[...draft.values.values()].map(({ field }) => field)]
  for (const party of PARTIES)
    if (present.some(({ name }) => name.startsWith(`${party}.`) && !name.endsWith(".residential")))
      composed[party] = {}
  const placed = [...draft.values.values()].filter(({ field }) => field.path !== undefined)
  placed.sort((one, other) => (one.field.path?.length ?? 0) - (other.field.path?.length ?? 0))
  for (const party of PARTIES) findings.push(...findOtherParts(draft, party))
  // Rows share what was read of equal cells.
  for (const { field, value } of placed)
    put(composed, field.path ?? [], typeof value === "object" ? structuredClone(value) : value)
  for (const party of PARTIES) {
    splitAddress(draft, composed[party], party, findings)
    addPartyName(draft, composed[party], party)
    addStreetNumber(draft, composed[party], party, findings)
    addThirdLine(draft, composed[party], party)
  }
  addPackages(draft, composed, defaults.booking.packages, findings)
  if (composed.packages === undefined && ![...draft.failed.keys()].some((name) => name.startsWith("package")))
    addItemPackages(composed, items, defaults, findings)

  const failed = new Set([...draft.failed.values()].map(({ path, name }) => (path ?? name.split("."))[0]))
  const packaging = findPackagingOfCount(draft, defaults)
  if (packaging !== undefined && !failed.has("packagingCode")) composed.packagingCode ??= packaging
  for (const [name, value] of Object.entries(defaults.booking))
    if (composed[name] === undefined && !failed.has(name)) composed[name] = value
  const copied = fillDerived(composed, (field) => failed.has(field))
  const { request: booking, own } = takeOwn(composed)
  addReadyTime(draft, booking, defaults.readyTime, findings)

  return {
    booking,
    own: settleHomeNote(booking, { ...own, ...defaults.own, ...readOwnCells(draft) }, defaults.areNotedHomes),
    copied,
    ...findOpenPieces(booking, items, defaults),
    hasSkus: items.some(({ sku }) => sku !== ""),
    findings,
  }
}

/**
 * The packaging in the heading of the filled-in count, or in a cell of packages (`1 pallet 120x120x100 80kg`), unless a
 * flag gives one. It goes before a profile's default.
 */
function findPackagingOfCount(
  { values, columns }: Draft,
  { booking, filledIn = [] }: Pick<RowDefaults, "booking" | "filledIn">,
): string | undefined {
  if (booking.packagingCode !== undefined && !filledIn.includes("packagingCode")) return undefined
  const said = values.has("package.count") ? columns.get("package.count") : values.get("packages")?.written
  return typeof said === "string" ? findPackagingInHeading(said) : undefined
}

function settleHomeNote(
  { specialInstructions }: JsonObject,
  own: Own,
  isHome: RowDefaults["areNotedHomes"],
): Own {
  const isOpen = isHome !== undefined && findHomeNote(specialInstructions, own) !== undefined
  return isOpen ? { ...own, "receiver.residential": isHome } : own
}

function readOwnCells({ values }: Draft): Own {
  return readOwn(
    Object.fromEntries(
      OWN_FIELDS.flatMap(({ path }) => (values.has(path) ? [[path, values.get(path)?.value]] : [])),
    ),
  )
}

/** `8 Market Street, Fremantle WA 6160` in the column of the street, where suburb, state and postcode have none. */
function splitAddress(draft: Draft, party: Json | undefined, name: PartyName, findings: CellFinding[]): void {
  if (!isObject(party) || typeof party.address1 !== "string") return
  if (["suburb", "state", "postcode"].some((part) => hasField(draft, `${name}.${part}`))) return
  const read = parseAddress(party.address1)
  if (!read.ok) return
  const message = `${quoted(party.address1)} is taken as street, suburb, state and postcode`
  // Names in separate columns are not replaced.
  const { companyName, contactName } = party
  Object.assign(party, {
    ...read.value,
    ...(companyName !== undefined && { companyName }),
    ...(contactName !== undefined && { contactName }),
  })
  const column = draft.columns.get(`${name}.address1`)
  findings.push({ rule: "address", message, severity: "repaired", ...(column !== undefined && { column }) })
}

/** Errors if parts of an address differ from the whole address in another cell: neither is trusted. */
function findOtherParts(draft: Draft, name: PartyName): CellFinding[] {
  const column = draft.columns.get(name)
  const whole = draft.values.get(name)?.value
  // A row may override parts of a saved address.
  const isWritten = draft.findings.some((each) => each.column === column && each.rule === "address")
  if (column === undefined || !isObject(whole) || !isWritten) return []
  return ["address1", "suburb", "state", "postcode"].flatMap((part) => {
    const [own, other] = [draft.values.get(`${name}.${part}`)?.value, whole[part]]
    if (own === undefined || plainHeader(String(own)) === plainHeader(String(other))) return []
    const message = `says ${quoted(String(own))}, and ${quoted(column)} says ${quoted(String(other))}`
    const hint = "leave one of the two out with --map COLUMN="
    return [errorAt(draft, `${name}.${part}`, "twice", message, hint)]
  })
}

/** `receiver.name` is the company if there is no other name, otherwise the contact. */
function addPartyName(draft: Draft, party: Json | undefined, name: PartyName): void {
  if (!isObject(party)) return
  const text = (part: string) => String(draft.values.get(`${name}.${part}`)?.value ?? "")
  const person = text("name") || `${text("firstName")} ${text("lastName")}`.trim()
  if (person === "") return
  if (party.companyName === undefined) party.companyName = person
  else if (party.contactName === undefined && party.companyName !== person) party.contactName = person
}

/** The contract has no field for the number in a street: it goes in front of the street, unless the street has it. */
function addStreetNumber(
  draft: Draft,
  party: Json | undefined,
  name: PartyName,
  findings: CellFinding[],
): void {
  const field = `${name}.streetNumber`
  const number = draft.values.get(field)?.value
  if (!isObject(party) || typeof number !== "string") return
  const { address1: street } = party
  if (typeof street !== "string") return
  const [first = "", ...others] = street.split(/[\s,]+/)
  if (plainHeader(first) === plainHeader(number)) return
  // `1st Avenue` is the name of a street; `1st floor` is none.
  const isNamed = /^\d+(?:st|nd|rd|th)$/i.test(first) && !/^(?:floor|fl|level|lvl)\b/i.test(others[0] ?? "")
  const isNumber = /^\d/.test(first) && !isNamed
  if (isNumber && others.length > 0) {
    const message = `is ${quoted(number)}, and the street is ${quoted(street)}`
    findings.push(errorAt(draft, field, "twice", message, "leave one of the two out"))
    return
  }
  party.address1 = `${number} ${street}`
  const column = draft.columns.get(field)
  findings.push({
    rule: "address",
    message: `is joined with the street as ${quoted(party.address1)}`,
    severity: "repaired",
    ...(column !== undefined && { column }),
  })
}

/** The contract has two lines of an address, of any length. */
function addThirdLine(draft: Draft, party: Json | undefined, name: PartyName): void {
  const third = draft.values.get(`${name}.address3`)?.value
  if (!isObject(party) || third === undefined) return
  party.address2 = [party.address2, third].filter(Boolean).join(", ")
}

/**
 * Packages come in the short form, as columns of one package, or one by one; a row uses one of the three. A row without
 * a size has the package that all rows share, in its own number and with its own weight.
 */
function addPackages(
  draft: Draft,
  booking: JsonObject,
  common: Json | undefined,
  findings: CellFinding[],
): void {
  const measured = [...PACKAGE_FIELDS, TOTAL_WEIGHT].filter((each) => hasField(draft, `package.${each}`))
  const [first] = measured
  if (first === undefined) return
  const numbered = takeNumbered(draft, booking, measured)
  if (booking.packages !== undefined || draft.failed.has("packages")) {
    const other = [...draft.columns].find(
      ([name]) => name === "packages" || name.startsWith("packages["),
    )?.[1]
    const message = `the row gives its packages twice: here, and in ${other ?? "packages"}`
    findings.push(errorAt(draft, `package.${first}`, "packages", message, "leave one of them empty"))
    return
  }
  const [each, ...others] = isPackages(common) ? common : []
  const isOne = each?.count === 1 && others.length === 0
  const size = isOne && !measured.some(isSize) ? each : undefined
  if (each && !isOne && measured.length === 1 && first === "count") {
    const message = "says how many packages the row has, and --package does too"
    const hint = "give --package one package, such as 40x30x20@5.5"
    findings.push(errorAt(draft, "package.count", "packages", message, hint))
    return
  }
  const values = [...measured.map((each) => [each, draft.values.get(`package.${each}`)?.value]), ...numbered]
  const { [TOTAL_WEIGHT]: total, ...given } = Object.fromEntries(
    values.filter(([, value]) => value !== undefined),
  )
  const line = draft.failed.has("package.count") && !size ? given : { count: 1, ...size, ...given }
  const { count } = line
  const countColumn =
    given.count === undefined && !draft.failed.has("package.count") && draft.columns.get("package.count")
  if (countColumn)
    findings.push({
      rule: "count",
      message: `is empty, read as ${line.count}`,
      severity: "repaired",
      column: countColumn,
    })
  const { weightKg } = given
  if (typeof total === "number" && Number.isSafeInteger(count) && count > 0) {
    if (weightKg === undefined && !draft.failed.has("package.weightKg"))
      line.weightKg = shareWeight(total, count)
    const column = draft.columns.get(`package.${TOTAL_WEIGHT}`) ?? ""
    if (weightKg === undefined && count > 1) {
      const message = `${total} kg of ${count} packages, read as ${line.weightKg} kg each`
      findings.push({ rule: "unit", message, severity: "repaired", column })
    } else if (
      weightKg !== undefined &&
      Math.abs(total - count * weightKg) > total * RELATIVE_WEIGHT_TOLERANCE
    ) {
      const message = `is ${total} kg, and ${count} × ${weightKg} kg are not`
      findings.push(
        errorFinding("twice", message, { column, hint: "leave one of the two out with --map COLUMN=" }),
      )
    }
  }
  booking.packages = [line]
}

/**
 * `packages[0].weightKg` beside `package.count` belongs to the same package, unless another column gives it.
 * @returns its values, which are removed from the packages
 */
function takeNumbered(draft: Draft, booking: JsonObject, measured: readonly string[]): [string, Json][] {
  const names = [...draft.columns.keys()].filter((name) => /^packages(?:\[|$)/.test(name))
  const parts = names.map((name) => /^packages\[0\]\.(\w+)$/.exec(name)?.[1] ?? "")
  if (!parts.every((part) => part !== "" && !measured.includes(part))) return []
  delete booking.packages
  return parts.flatMap((part): [string, Json][] => {
    const value = draft.values.get(`packages[0].${part}`)?.value
    return value === undefined ? [] : [[part, value]]
  })
}

/** The packages of a shop's order by the SKUs of its items: all of them, or an error where one is not known. */
function addItemPackages(
  booking: JsonObject,
  items: readonly OrderItem[],
  { skuPackages = new Map() }: RowDefaults,
  findings: CellFinding[],
): void {
  const known = items.filter(({ sku }) => skuPackages.get(plainSku(sku)) !== undefined)
  if (known.length === 0) return
  const counts = new Map<Package, number>()
  for (const { sku, pieces, column } of items) {
    const name = plainSku(sku)
    const each = skuPackages.get(name)
    if (!skuPackages.has(name)) {
      const message =
        sku === ""
          ? "an item of the order has no SKU, so it is not known how it is packed"
          : `it is not known how ${quoted(sku)} is packed`
      const hint =
        sku === ""
          ? "give it one in the shop, or write the order's packages into a column Packages"
          : `freight package add NAME SIZE --sku ${argument(sku)}; or --map-package ${argument(`${sku}=`)} if it is packed with another item`
      findings.push(errorFinding("sku", message, { column, hint }))
    } else if (each && !(Number.isSafeInteger(pieces) && pieces > 0))
      findings.push(errorFinding("sku", `the quantity of ${quoted(sku)} is not a whole number`, { column }))
    else if (each) counts.set(each, (counts.get(each) ?? 0) + pieces * each.count)
  }
  if (counts.size > 0) booking.packages = Array.from(counts, ([each, count]) => ({ ...each, count }))
}

/** Pieces that are packed as `--package` says, if the two numbers differ and neither a row nor a SKU says more. */
function findOpenPieces(
  { packages }: JsonObject,
  items: readonly OrderItem[],
  { booking: { packages: common } }: RowDefaults,
): Pick<ComposedBooking, "openPieces"> {
  if (packages !== common || !isPackages(common)) return {}
  const pieces = items.reduce((sum, item) => sum + item.pieces, 0)
  const count = common.reduce((sum, each) => sum + each.count, 0)
  return pieces > 1 && pieces !== count ? { openPieces: { pieces, sku: items[0]?.sku ?? "" } } : {}
}

export function isSize(field: string): boolean {
  return field.endsWith("Cm")
}

/** The column's name after `package.`; it is not in the contract. */
const TOTAL_WEIGHT = "totalWeightKg"
const RELATIVE_WEIGHT_TOLERANCE = 0.01

function hasField(draft: Draft, name: string): boolean {
  return draft.values.has(name) || draft.failed.has(name)
}

function addReadyTime(
  draft: Draft,
  booking: JsonObject,
  readyTime: string | undefined,
  findings: CellFinding[],
): void {
  const when = booking.collectionDateTime
  if (typeof when !== "string") return
  const own = draft.values.get("readyTime")?.value
  const [day = "", time = "00:00:00"] = when.split("T")
  const isDay = !when.includes("T") || time === "00:00:00" || !draft.values.has("collectionDateTime")
  if (typeof own === "string") {
    const ready = `${own}:00`
    if (!isDay && ready !== time) {
      const message = `is ${own}, but the collection day has another time, ${time.slice(0, 5)}`
      findings.push(errorAt(draft, "readyTime", "time", message, "leave one of them out"))
    }
    booking.collectionDateTime = `${day}T${ready}`
  } else if (!when.includes("T")) {
    // Report a missing time once: without one the contract check would report it again.
    booking.collectionDateTime = `${day}T${readyTime ?? "00:00:00"}`
    if (readyTime !== undefined || draft.failed.has("readyTime")) return
    const hint = `write it as ${day} 10:00, add a column readyTime, or give --ready 10:00`
    findings.push(errorAt(draft, "collectionDateTime", "time", `${day} has no time of day`, hint))
  }
}

/** The weight of each of several packages, in kg as the total: rounded up to the gram. */
function shareWeight(totalKg: number, count: number): number {
  if (count === 1) return totalKg
  const { units, places } = decimalOf(totalKg)
  const [grams, divisor] = [units * 1000n, BigInt(count) * 10n ** BigInt(places)]
  return numberOf({ units: (grams + divisor - 1n) / divisor, places: 3 })
}
