/** One order number in rows for several receivers or days: at a terminal the person says which are meant. */
import { rowsError } from "../../batch/book.ts"
import { lookUpRows } from "../../batch/check.ts"
import { findDivided, getDay } from "../../batch/rows/repeated.ts"
import type { BatchRow, RowDefaults } from "../../batch/rows/row.ts"
import type { Known, LedgerReader } from "../../booking/known.ts"
import { counted } from "../../contract/counted.ts"
import { parsed, quoted, refused } from "../../contract/parsed.ts"
import { formatDay, parseDate } from "../../contract/wall-clock.ts"
import type { Asking, Session } from "../../deps.ts"
import { createRowsReport, shownRows } from "../../input/sheets/findings.ts"
import { describeBooked } from "../../ledger/refusals.ts"
import { mayAsk } from "./density.ts"

type Needs = Asking & Session

type Numbers = NonNullable<RowDefaults["numbers"]>

interface RepeatedRow {
  row: BatchRow
  known: Known
}

/**
 * Asks a person about each number that several receivers or collection days have.
 * @param name of the file
 * @param rows from the start, as often as they are asked for
 * @returns the answers; none where nothing is to be asked, or nobody is there
 * @throws FreightError `input` where the person stops; nothing was sent
 */
export async function askAboutRepeated(
  deps: Needs,
  ledger: LedgerReader,
  name: string,
  rows: () => AsyncIterable<BatchRow>,
): Promise<Numbers> {
  const numbers = new Map<number, string>()
  if (!mayAsk(deps)) return numbers
  const [taken, repeated] = [new Set<string>(), new Set<string>()]
  for await (const { reference, findings } of rows()) {
    taken.add(reference)
    if (findings.some(({ rule }) => rule === "unique")) repeated.add(reference)
  }
  if (repeated.size === 0) return numbers
  for (const [reference, group] of await groupRows(rows(), repeated)) {
    const divided = findDivided(group)
    if (divided === undefined || group.every(({ held }) => held)) continue
    const found: RepeatedRow[] = []
    for await (const each of lookUpRows(ledger, group)) found.push(each)
    const answer = await askWhich(deps, reference, divided, found)
    if (answer === undefined) throw stopped(name, group)
    for (const { row } of answer.rows) {
      const own = answer.areSeparate ? await askNumber(deps, row, taken) : ""
      numbers.set(row.row, own)
      taken.add(own)
    }
  }
  const own = [...numbers].flatMap(([row, number]) => (number === "" ? [] : [`${number} into row ${row}`]))
  if (own.length > 0)
    await deps.note(`Write ${own.join(", ")} of ${name}: freight asks again where a number is in two rows.`)
  return numbers
}

async function groupRows(
  rows: AsyncIterable<BatchRow>,
  references: ReadonlySet<string>,
): Promise<Map<string, BatchRow[]>> {
  const groups = new Map<string, BatchRow[]>()
  for await (const row of rows)
    if (references.has(row.reference)) groups.set(row.reference, [...(groups.get(row.reference) ?? []), row])
  return groups
}

/** @returns the rows that are left out, or get numbers of their own; undefined to stop */
async function askWhich(
  deps: Needs,
  reference: string,
  divided: string,
  found: readonly RepeatedRow[],
): Promise<{ rows: readonly RepeatedRow[]; areSeparate: boolean } | undefined> {
  const without = (kept: RepeatedRow) => found.filter((each) => each !== kept)
  const keeper = findKeeper(found)
  const others = keeper ? without(keeper) : []
  const [sent] = found.flatMap(({ known }) => ("entry" in known ? [known.entry] : []))
  const all = counted(found.length, "order")
  const separate = `${all}, of which ${listRows(others)} ${others.length === 1 ? "gets" : "get"} another number`
  const before = sent
    ? `${quoted(reference)} ${describeBooked(sent)}, and no row alone is as it was then`
    : ""
  const choices = [
    ...found.map((each) => ({
      name: `Row ${each.row.row} alone: ${describeRow(each, found)}`,
      value: { rows: without(each), areSeparate: false },
    })),
    keeper
      ? { name: separate, value: { rows: others, areSeparate: true } }
      : { name: all, value: undefined, disabled: before },
    { name: "Stop, and send nothing", value: undefined },
  ]
  const question = `${reference} is the number of ${listRows(found)}, with different ${divided}. What is meant?`
  return (await deps.prompt()).choose(question, choices)
}

/**
 * The row that keeps the number: that which was booked under it, or the first where none was. Where rows differ from
 * what was booked, another number could have it booked twice: undefined.
 */
function findKeeper(found: readonly RepeatedRow[]): RepeatedRow | undefined {
  const booked = found.filter(({ known }) => known.is === "booked" || known.is === "elsewhere")
  if (found.every(({ known }) => known.is === "new")) return found[0]
  return booked.length === 1 ? booked[0] : undefined
}

function listRows(found: readonly RepeatedRow[]): string {
  const text = shownRows(found.map(({ row }) => row.row))
  return found.length === 1 ? `row ${text}` : `rows ${text}`
}

/** Its day and its receiver, as far as it differs from the other rows: a list cuts long lines. */
function describeRow({ row, known }: RepeatedRow, found: readonly RepeatedRow[]): string {
  const day = parseDate(getDay(row.written) ?? "")
  const isSame = (getText: (row: BatchRow) => unknown) =>
    found.every((each) => getText(each.row) === getText(row))
  const isBooked = known.is === "booked" || known.is === "elsewhere"
  return [
    ...(isBooked ? [describeBooked(known.entry)] : []),
    ...(row.held ? [row.held.status] : []),
    ...(day.ok && !isSame(({ written }) => getDay(written)) ? [formatDay(day.value)] : []),
    ...Object.entries(getReceiver(row)).flatMap(([part, text]) =>
      part !== "companyName" && isSame((each) => getReceiver(each)[part]) ? [] : [text],
    ),
  ].join(", ")
}

function getReceiver({ written }: BatchRow): Record<string, string> {
  return Object(written.fields.receiver)
}

/** @param taken numbers that rows of the file have */
async function askNumber(deps: Needs, row: BatchRow, taken: ReadonlySet<string>): Promise<string> {
  const { companyName } = getReceiver(row)
  const question = `Number of the order in row ${row.row}${companyName ? ` (${companyName})` : ""}`
  return (await deps.prompt()).text(question, {
    check(answer) {
      if (answer === "") return refused("an order needs a number")
      return taken.has(answer) ? refused(`another row has it: ${quoted(answer)}`) : parsed(answer)
    },
  })
}

/** The error that a script gets. */
function stopped(name: string, group: readonly BatchRow[]) {
  const report = createRowsReport()
  for (const row of group) report.add(row)
  return rowsError(name, report)
}
