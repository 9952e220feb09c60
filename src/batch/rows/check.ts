/** Checks a row against the contract and its carrier's rules. */
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
  booking: RowBooking | undefined
  notes: Note[]
  /** Errors of the collection times. */
  late: Note[]
}

/** Placeholder for an open service. */
const OPEN = "-"

/** Other ways to fill a field for all rows. */
const FLAGS: Readonly<Record<string, string>> = {
  sender: "--sender NAME, or freight config set sender NAME",
  collection: "--collection NAME",
  packagingCode: "--packaging CT",
  collectionDateTime: "--ready 2026-11-23T10:00",
  collectionCloseTime: "--close 17:00",
}

/** @param carrier undefined while it is open: its rules are checked once it is chosen */
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
  // The unreadable cell was reported already.
  if (!isRight) return { booking: undefined, notes: [], late: [] }
  const { errors, warnings } = bookingProblems(request, carrier)
  const times = bookingTimeProblems(request, carrier, moment)
  const notes = [...errors.map(note("error")), ...[...told(warnings), ...times.warnings].map(note("warning"))]
  const { serviceCode: _, ...rest } = request
  return { booking: errors.length > 0 ? undefined : rest, notes, late: times.errors.map(note("error")) }
}

/** Errors of a collection address that was copied from the sender are reported on the sender only. */
function repeatsSender({ path }: Problem, problems: readonly Problem[]): boolean {
  if (!/^collection(?:\.|$)/.test(path)) return false
  return problems.some((other) => other.path === path.replace("collection", "sender"))
}

/** Unreadable cells are not reported as missing as well. */
function followsFromCell({ path, keyword }: Problem, { failed }: Draft): boolean {
  if (keyword !== "required") return false
  return [...failed.values()].some((field) =>
    placesOf(field).some((place) => within(path, place) || within(place, path)),
  )
}

function within(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}

/** Paths of a field's value, as findings name them. */
function placesOf({ name, path }: Field): string[] {
  if (path) return [path.join(".").replace(/\.(\d+)(?=\.|$)/g, "[$1]")]
  const [first = "", part = ""] = name.split(".")
  if (first === "package") return [`packages[0].${part}`]
  if (["name", "firstName", "lastName"].includes(part)) return [`${first}.companyName`]
  return name === "readyTime" ? ["collectionDateTime"] : []
}

/** Totals are derived from the packages: without those there are none. */
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

/** How to fill in a missing field. */
function mendOf(columns: Columns, path: string, column: string | undefined): string {
  if (column !== undefined) return "fill in the cell"
  const field = columns.named(path.replace(/^packages\[0\]/, "package"))
  const [alias] = field ? columns.aliases(field) : []
  const flag = FLAGS[path]
  const words = alias === undefined ? "" : ` (or ${alias})`
  return `add a column ${field?.name ?? path}${words}${flag === undefined ? "" : `, or give ${flag}`}`
}
