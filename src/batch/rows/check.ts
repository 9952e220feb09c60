/** A row against the contract and the carrier's rules, before anything is sent. */
import type { JsonObject } from "../../booking/schema-fields.ts"
import type { ServiceWish } from "../../booking/offer.ts"
import { bookingProblems, bookingTimeProblems } from "../../contract/request-rules.ts"
import { type Problem, problemsOf } from "../../contract/check.ts"
import * as requests from "../../contract/generated/requests.js"
import type { Carrier } from "../../contract/generated/types.ts"
import type { Moment } from "../../contract/collection-times.ts"
import type { Columns } from "../columns/columns.ts"
import type { Field } from "../columns/fields.ts"
import type { RowBooking } from "./row.ts"
import type { Composed } from "./booking.ts"
import type { Draft, Note } from "./cells.ts"

interface Checked {
  /** Undefined when there is an error. */
  booking: RowBooking | undefined
  notes: Note[]
  /** Errors in its collection times. */
  late: Note[]
}

/** Stands where a row leaves its service open. */
const OPEN = "-"

/** What fills a field for every row, besides a column of its own. */
const FLAGS: Readonly<Record<string, string>> = {
  sender: "--sender NAME, or freight config set sender NAME",
  collection: "--collection NAME",
  packagingCode: "--packaging CT",
  collectionDateTime: "--ready 2026-11-23T10:00",
  collectionCloseTime: "--close 17:00",
}

/** @param carrier undefined while it is open: its own rules are then checked when it is chosen */
export function checkedBooking(
  columns: Columns,
  draft: Draft,
  { booking, copied }: Composed,
  { wish, carrier, moment }: { wish: ServiceWish | undefined; carrier: Carrier | undefined; moment: Moment },
): Checked {
  const serviceCode = wish?.kind === "code" ? wish.serviceCode : OPEN
  const request = { ...booking, serviceCode }
  const told = (problems: readonly Problem[]) =>
    copied ? problems.filter((problem) => !repeatsSender(problem, problems)) : problems
  const isRight = requests.ConsignmentBookingRequest(request)
  const found = isRight ? [] : told(problemsOf(requests.ConsignmentBookingRequest, request))
  const problems = found.filter(
    (problem) => !followsFromCell(problem, draft) && !followsFromPackages(problem, booking, draft),
  )
  const note = (severity: Note["severity"]) => (problem: Problem) => noteOf(columns, draft, problem, severity)
  if (problems.length > 0) return { booking: undefined, notes: problems.map(note("error")), late: [] }
  // What a cell holds that cannot be read is missing here, and was told.
  if (!isRight) return { booking: undefined, notes: [], late: [] }
  const { errors, warnings } = bookingProblems(request, carrier)
  const times = bookingTimeProblems(request, carrier, moment)
  const notes = [...errors.map(note("error")), ...[...told(warnings), ...times.warnings].map(note("warning"))]
  const { serviceCode: _, ...rest } = request
  return { booking: errors.length > 0 ? undefined : rest, notes, late: times.errors.map(note("error")) }
}

/** What is wrong with a collection that is the sender's address is told of the sender. */
function repeatsSender({ path }: Problem, problems: readonly Problem[]): boolean {
  if (!/^collection(?:\.|$)/.test(path)) return false
  return problems.some((other) => other.path === path.replace("collection", "sender"))
}

/** A field whose cell could not be read, or what holds it, is not told to be missing as well. */
function followsFromCell({ path, keyword }: Problem, { failed }: Draft): boolean {
  if (keyword !== "required") return false
  return [...failed.values()].some((field) =>
    placesOf(field).some((place) => within(path, place) || within(place, path)),
  )
}

function within(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}

/** Where a field's value would have gone, as problems name places. */
function placesOf({ name, path }: Field): string[] {
  if (path) return [path.join(".").replace(/\.(\d+)(?=\.|$)/g, "[$1]")]
  const [first = "", part = ""] = name.split(".")
  if (first === "package") return [`packages[0].${part}`]
  if (["name", "firstName", "lastName"].includes(part)) return [`${first}.companyName`]
  return name === "readyTime" ? ["collectionDateTime"] : []
}

/** The totals are worked out from the packages: without those there are none. */
function followsFromPackages(
  { path }: Problem,
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

function noteOf(columns: Columns, draft: Draft, problem: Problem, severity: Note["severity"]): Note {
  const field = namesOf(problem.path).find((name) => draft.columns.has(name))
  const column = field === undefined ? undefined : draft.columns.get(field)
  const hint =
    problem.hint ?? (problem.keyword === "required" ? mendOf(columns, problem.path, column) : undefined)
  return {
    ...(column !== undefined && { column }),
    rule: problem.keyword,
    message: problem.message,
    ...(hint !== undefined && { hint }),
    severity,
  }
}

/** The fields that can have put something at a place, the nearest first. */
function namesOf(path: string): string[] {
  const parts = path.split(".")
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join("."))
  const [party, part] = parts
  return [
    ...above.flatMap((each) => [each, each.replace(/^packages\[0\]/, "package")]),
    ...(part === "companyName" ? [`${party}.name`, `${party}.firstName`] : []),
    ...(path.startsWith("packages") ? ["packages", "package.weightKg", "package.count"] : []),
    ...(path === "customerReference" ? ["reference"] : []),
  ]
}

/** How to give what is missing. */
function mendOf(columns: Columns, path: string, column: string | undefined): string {
  if (column !== undefined) return "fill in the cell"
  const field = columns.named(path.replace(/^packages\[0\]/, "package"))
  const [alias] = field ? columns.aliases(field) : []
  const flag = FLAGS[path]
  const words = alias === undefined ? "" : ` (or ${alias})`
  return `add a column ${field?.name ?? path}${words}${flag === undefined ? "" : `, or give ${flag}`}`
}
