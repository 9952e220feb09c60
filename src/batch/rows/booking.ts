/** Composes a booking from a row's values: short forms, derived fields, defaults. */
import { fillDerived, isPackages } from "../../booking/request.ts"
import { type Json, type JsonObject, put } from "../../base/json.ts"
import { isObject } from "../../base/json.ts"
import { quoted } from "../../base/parsed.ts"
import { parseAddress } from "../../contract/places.ts"
import { PACKAGE_FIELDS, shareWeight } from "../../contract/packages.ts"
import { PARTIES, type PartyName, type Residential } from "../../contract/fields/booking.ts"
import type { BatchRow, RowDefaults } from "./row.ts"
import { type Draft, errorAt } from "./cells.ts"
import { type CellFinding, errorFinding } from "../../input/sheets/findings.ts"

export interface ComposedBooking {
  /** Shares objects with the defaults. */
  booking: JsonObject
  residential: BatchRow["residential"]
  /** The collection address was copied from the sender: report its errors there only. */
  copied: boolean
  findings: CellFinding[]
}

/** Composes a row's booking over the defaults. Not checked yet. */
export function composeBooking(draft: Draft, defaults: RowDefaults): ComposedBooking {
  const booking: JsonObject = {}
  const findings: CellFinding[] = []
  const present = [...draft.failed.values(), ...[...draft.values.values()].map(({ field }) => field)]
  for (const party of PARTIES)
    if (present.some(({ name }) => name.startsWith(`${party}.`) && !name.endsWith(".residential")))
      booking[party] = {}
  const placed = [...draft.values.values()].filter(({ field }) => field.path !== undefined)
  placed.sort((one, other) => (one.field.path?.length ?? 0) - (other.field.path?.length ?? 0))
  for (const { field, value } of placed) put(booking, field.path ?? [], value)
  for (const party of PARTIES) {
    splitAddress(draft, booking[party], party, findings)
    addPartyName(draft, booking[party], party)
    addThirdLine(draft, booking[party], party)
  }
  addPackages(draft, booking, defaults.booking.packages, findings)

  const failed = new Set([...draft.failed.values()].map(({ path, name }) => (path ?? name.split("."))[0]))
  for (const [name, value] of Object.entries(defaults.booking))
    if (booking[name] === undefined && !failed.has(name)) booking[name] = value
  const copied = fillDerived(booking, (field) => failed.has(field))
  addReadyTime(draft, booking, defaults.readyTime, findings)

  const home = (name: keyof Residential) =>
    (draft.values.get(`${name}.residential`)?.value ?? defaults.residential[name]) === true
  return {
    booking,
    residential: { collection: home("collection"), receiver: home("receiver") },
    copied,
    findings,
  }
}

/** `8 Market Street, Fremantle WA 6160` in the column of the street, where suburb, state and postcode have none. */
function splitAddress(draft: Draft, party: Json | undefined, name: PartyName, findings: CellFinding[]): void {
  if (!isObject(party) || typeof party.address1 !== "string") return
  if (["suburb", "state", "postcode"].some((part) => hasField(draft, `${name}.${part}`))) return
  const read = parseAddress(party.address1)
  if (!read.ok) return
  const message = `${quoted(party.address1)} is taken as street, suburb, state and postcode`
  Object.assign(party, {
    ...read.value,
    ...(party.companyName !== undefined && { companyName: party.companyName }),
  })
  const column = draft.columns.get(`${name}.address1`)
  findings.push({ rule: "address", message, severity: "repaired", ...(column !== undefined && { column }) })
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

/** The contract has two lines of an address, of any length. */
function addThirdLine(draft: Draft, party: Json | undefined, name: PartyName): void {
  const third = draft.values.get(`${name}.address3`)?.value
  if (!isObject(party) || third === undefined) return
  party.address2 = [party.address2, third].filter(Boolean).join(", ")
}

/**
 * Packages come in the short form, as columns of one package, or one by one; a row uses one of the three. A row that
 * only has a count has that many of the package that all rows share.
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
  if (booking.packages !== undefined || draft.failed.has("packages")) {
    const other = [...draft.columns].find(
      ([name]) => name === "packages" || name.startsWith("packages["),
    )?.[1]
    const message = `the row gives its packages twice: here, and in ${other ?? "packages"}`
    findings.push(errorAt(draft, `package.${first}`, "packages", message, "leave one of them empty"))
    return
  }
  if (measured.length === 1 && first === "count" && isPackages(common)) {
    const [each, ...others] = common
    const count = draft.values.get("package.count")?.value
    if (each?.count === 1 && others.length === 0)
      booking.packages = [{ ...each, ...(count !== undefined && { count }) }]
    else {
      const message = "says how many packages the row has, and --package does too"
      findings.push(
        errorAt(
          draft,
          "package.count",
          "packages",
          message,
          "give --package one package, such as 40x30x20@5.5",
        ),
      )
    }
    return
  }
  const values = measured.map((each) => [each, draft.values.get(`package.${each}`)?.value])
  const { [TOTAL_WEIGHT]: total, ...given } = Object.fromEntries(
    values.filter(([, value]) => value !== undefined),
  )
  const line = draft.failed.has("package.count") ? given : { count: 1, ...given }
  const { count, weightKg } = line
  if (typeof total === "number" && Number.isSafeInteger(count) && count > 0) {
    if (weightKg === undefined && !draft.failed.has("package.weightKg"))
      line.weightKg = shareWeight(total, count)
    const column = draft.columns.get(`package.${TOTAL_WEIGHT}`) ?? ""
    if (weightKg === undefined && count > 1) {
      const message = `${total} kg of ${count} packages, read as ${line.weightKg} kg each`
      findings.push({ rule: "unit", message, severity: "repaired", column })
    } else if (weightKg !== undefined && Math.abs(total - count * weightKg) > total * SAME_WEIGHT) {
      const message = `is ${total} kg, and ${count} × ${weightKg} kg are not`
      findings.push(
        errorFinding("twice", message, { column, hint: "leave one of the two out with --map COLUMN=" }),
      )
    }
  }
  booking.packages = [line]
}

/** The part of a column's name behind `package.`; it is not in the contract. */
const TOTAL_WEIGHT = "totalWeightKg"
/** What rounding makes of a total, as a part of it. */
const SAME_WEIGHT = 0.01

function hasField(draft: Draft, name: string): boolean {
  return draft.values.has(name) || draft.failed.has(name)
}

/** Adds a time to a day, from the row or the defaults. */
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
