/** Asks which rows are meant if one order number stands in rows for several receivers, days or references. */
import { rowsError } from "./book.ts"
import { findStandings } from "./check.ts"
import { findDivided, getDay } from "./rows/repeated.ts"
import type { BatchRow } from "./rows/row.ts"
import type { RowDefaults } from "./rows/defaults.ts"
import type { RowStanding } from "./result.ts"
import type { LedgerReader } from "../booking/standings.ts"
import { counted } from "../../base/counted.ts"
import { parsed, quoted, refused } from "../../base/parsed.ts"
import { formatDay, parseDate } from "../../base/wall-clock.ts"
import type { Asking, Session } from "../../session/index.ts"
import { createRowsReport, shownRows } from "../../input/index.ts"
import { describeBooked, type StandingOf } from "../../ledger/index.ts"
import { mayAsk } from "../../command/index.ts"

type Numbers = NonNullable<RowDefaults["numbers"]>

interface RepeatedRow {
  row: BatchRow
  standing: RowStanding
}

interface RepeatedGroup {
  number: string
  differ: "receivers" | "collection days" | "references"
  rows: readonly RepeatedRow[]
}

/** A person's answer: rows to leave out, or rows that are separate orders. */
interface Meant {
  rows: readonly RepeatedRow[]
  are: "left out" | "separate"
}

/**
 * Asks a person about each number whose rows have several receivers, collection days or references.
 * @param name of the file
 * @param decide gives the rows, if they are needed
 * @returns the answers; none if there is nothing to ask, or no person at a terminal
 */
export async function askAboutRepeated(
  deps: Asking & Session,
  ledger: LedgerReader,
  name: string,
  decide: () => readonly BatchRow[],
): Promise<Numbers> {
  const numbers = new Map<number, string>()
  if (!mayAsk(deps)) return numbers
  const taken = new Set<string>()
  const given: string[] = []
  for (const { differ, number, rows: found } of await findGroups(ledger, decide(), taken)) {
    const meant = await askWhich(deps, { number, differ, rows: found })
    if (meant === undefined) throw createStopError(name, found)
    for (const { row } of meant.rows) {
      const isNamed = meant.are === "separate" && differ !== "references"
      const own = isNamed ? await askNumber(deps, row, taken) : meant.are === "separate" ? row.reference : ""
      numbers.set(row.row, own)
      taken.add(own)
      if (isNamed) given.push(`${own} into row ${row.row}`)
    }
  }
  if (given.length > 0)
    await deps.note(`Write ${given.join(", ")} of ${name}: freight asks again where a number is in two rows.`)
  return numbers
}

/** @param taken gets all references */
async function findGroups(
  ledger: LedgerReader,
  rows: readonly BatchRow[],
  taken: Set<string>,
): Promise<RepeatedGroup[]> {
  const repeated = new Set<string>()
  const renamed = new Map<number, string>()
  for (const { reference, orderNumber, findings } of rows) {
    taken.add(reference)
    for (const { rule, column, row } of findings)
      if (rule === "unique" && orderNumber && column === orderNumber.column)
        renamed.set(row, orderNumber.text)
      else if (rule === "unique") repeated.add(reference)
  }
  if (repeated.size + renamed.size === 0) return []
  const byNumber = new Map<string, BatchRow[]>()
  for (const row of rows) {
    const number = repeated.has(row.reference) ? row.reference : renamed.get(row.row)
    if (number !== undefined) byNumber.set(number, [...(byNumber.get(number) ?? []), row])
  }
  const groups: RepeatedGroup[] = []
  for (const [number, group] of byNumber) {
    const differ = findDivided(group)
    if (differ === undefined || group.every(({ held }) => held)) continue
    const found: RepeatedRow[] = []
    for await (const each of findStandings(ledger, group)) found.push(each)
    groups.push({ number, differ, rows: found })
  }
  return groups
}

/** @returns undefined to stop */
async function askWhich(deps: Asking & Session, group: RepeatedGroup): Promise<Meant | undefined> {
  const { number, differ, rows: found } = group
  const without = (kept: RepeatedRow | undefined) => found.filter((each) => each !== kept)
  const keeper = findKeeper(group)
  // If one of an order's two references is booked, the other one would be booked as another order.
  const booked = differ === "references" ? found.filter(isBooked) : []
  const all = counted(found.length, "order")
  const choices = [
    ...(booked.length > 0 ? booked : found).map((each) => ({
      name: `Row ${each.row.row} alone: ${describeRow(each, found)}`,
      value: { rows: without(each), are: "left out" } as const,
    })),
    keeper
      ? {
          name:
            differ === "references"
              ? all
              : `${all}, of which ${describeOthers(without(keeper))} another number`,
          value: { rows: without(keeper), are: "separate" } as const,
        }
      : { name: all, value: undefined, disabled: describeSent(number, found) },
    { name: "Stop, and send nothing", value: undefined },
  ]
  const question = `${number} is the number of ${listRows(found)}, with different ${differ}. What is meant?`
  return (await deps.prompt()).choose<Meant | undefined>(question, choices)
}

const describeOthers = (others: readonly RepeatedRow[]) =>
  `${listRows(others)} ${others.length === 1 ? "gets" : "get"}`

function describeSent(number: string, found: readonly RepeatedRow[]): string {
  const [sent] = found.flatMap(({ standing }) =>
    "entry" in standing && standing.entry ? [standing.entry] : [],
  )
  return sent ? `${quoted(number)} ${describeBooked(sent)}, and no row alone is as it was then` : ""
}

/**
 * The row that keeps the number: the one booked under it, otherwise the first. Undefined if the rows differ from what was
 * booked: another number could then book it twice.
 */
function findKeeper({ differ, rows: found }: RepeatedGroup): RepeatedRow | undefined {
  const booked = found.filter(isBooked)
  if (differ === "references" || found.every(({ standing: { kind } }) => kind === "free" || kind === "held"))
    return found[0]
  return booked.length === 1 ? booked[0] : undefined
}

type Booked = RepeatedRow & { standing: StandingOf<"booked" | "elsewhere"> }

const isBooked = (each: RepeatedRow): each is Booked =>
  each.standing.kind === "booked" || each.standing.kind === "elsewhere"

function listRows(found: readonly RepeatedRow[]): string {
  const text = shownRows(found.map(({ row }) => row.row))
  return found.length === 1 ? `row ${text}` : `rows ${text}`
}

/** The row's day, and its receiver if that differs from the other rows: a list cuts long lines. */
function describeRow(each: RepeatedRow, found: readonly RepeatedRow[]): string {
  const { row } = each
  const day = parseDate(getDay(row) ?? "")
  const isSame = (getText: (row: BatchRow) => unknown) =>
    found.every((other) => getText(other.row) === getText(row))
  return [
    ...(isBooked(each) ? [describeBooked(each.standing.entry)] : []),
    ...(row.held ? [row.held.status] : []),
    ...(isSame(({ reference }) => reference) ? [] : [row.reference]),
    ...(day.ok && !isSame(getDay) ? [formatDay(day.value)] : []),
    ...Object.entries(getReceiver(row)).flatMap(([part, text]) =>
      part !== "companyName" && isSame((other) => getReceiver(other)[part]) ? [] : [text],
    ),
  ].join(", ")
}

function getReceiver({ source }: BatchRow): Record<string, string> {
  return Object(source.written.fields.receiver)
}

/** @param taken numbers that rows of the file have */
async function askNumber(deps: Asking & Session, row: BatchRow, taken: ReadonlySet<string>): Promise<string> {
  const { companyName } = getReceiver(row)
  const question = `Number of the order in row ${row.row}${companyName ? ` (${companyName})` : ""}`
  return (await deps.prompt()).text(question, {
    check(answer) {
      if (answer === "") return refused("an order needs a number")
      return taken.has(answer) ? refused(`another row has it: ${quoted(answer)}`) : parsed(answer)
    },
  })
}

function createStopError(name: string, group: readonly RepeatedRow[]) {
  const report = createRowsReport()
  for (const { row } of group) report.add(row)
  return rowsError(name, report)
}
