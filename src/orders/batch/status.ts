/** How far a batch has got, by what this machine recorded. */
import path from "node:path"
import { chooseBy, type Flags, type OptionsOf, SHEET_FLAGS } from "../../command/index.ts"
import type { BatchRow } from "./rows/row.ts"
import { countOutcome, createTally, describeState, type Tally } from "./result.ts"
import { fetchConsignments, toKnown } from "./results.ts"
import { findUnfinishedRuns, type Unfinished } from "./unfinished.ts"
import { isPlanFile, readPlan } from "./plan/plan.ts"
import type { Outcome } from "./outcome.ts"
import { planRows } from "./plan/rows.ts"
import { streamRowsToLookUp } from "./look-up.ts"
import { STATUS_FLAGS } from "./status-flags.ts"
import { statusOutcomes } from "./check.ts"
import { summarize, type Summary, toSummaryJson, totalText } from "./summary.ts"
import { fileSource, openSheet, type TextSource } from "../../input/index.ts"
import { onSameService, withSavedMap } from "../../machine/index.ts"
import { momentAt } from "../../contract/index.ts"
import { counted } from "../../base/counted.ts"
import { inGroups } from "../../base/grouping.ts"
import { createStep } from "../../base/turns.ts"
import type { Deps } from "../../session/index.ts"
import { FreightError } from "../../base/errors.ts"
import {
  BRIEF,
  type Column,
  createSpool,
  money,
  printPages,
  type Spool,
  UNFINISHED,
} from "../../output/index.ts"
import { formatInstant } from "../../base/wall-clock.ts"

type StatusRow = ReturnType<typeof toStatusRow>

export const BATCH_STATUS_FLAGS = {
  map: {
    takes: "<column=field>",
    about: "use this column as that field, as with batch book (repeatable)",
    isRepeatable: true,
  },
  useMap: { takes: "<name>", about: "use what was saved under this name, as with batch book" },
  ...SHEET_FLAGS,
  ...STATUS_FLAGS,
  refresh: { about: "ask for consignment numbers that carriers have given since" },
  all: { about: "in the table, also the rows that are booked or left out" },
} as const satisfies Flags

type StatusOptions = OptionsOf<typeof BATCH_STATUS_FLAGS>

export const BATCH_STATUS_COLUMNS: Column<StatusRow>[] = [
  { key: "row", title: "ROW", rank: 1, align: "right" },
  { key: "reference", title: "REFERENCE", rank: 2 },
  {
    key: "state",
    title: "STATE",
    rank: 3,
    isState: true,
    show: ({ state, error }) => describeState({ state, error: error ?? "" }),
  },
  {
    key: "shipment",
    title: "SHIPMENT",
    value: ({ shipmentId }) => shipmentId,
    rank: 7,
    brief: BRIEF.id,
    gives: "nothing",
  },
  {
    key: "consignment",
    title: "CONSIGNMENT",
    value: ({ consignmentNumber }) => consignmentNumber,
    rank: 4,
    gives: "nothing",
  },
  { ...money("price"), title: "PRICE", rank: 5 },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "error", title: "ERROR", rank: 6, gives: "words" },
]

/** How far the batch of a file has got, in constant memory. */
export async function showBatchStatus(deps: Deps, file: string, given: StatusOptions): Promise<undefined> {
  const options = given.useMap === undefined ? given : withSavedMap(deps.config, given.useMap, given)
  const { map = [] } = options
  if (file === "-") throw new FreightError("usage", "batch status takes the batch's file, not standard input")
  const ledger = await deps.readLedger()
  const input = (await isPlanFile(file, deps.signal))
    ? planRows(await readPlan(deps, file), momentAt(deps.clock.now()))
    : streamRowsToLookUp(deps, await openOrders(deps, file, options), map, options)
  const shown = createSpool<StatusRow>(path.join(deps.stateDir, UNFINISHED), deps.signal)
  try {
    const summary = summarize(file, undefined, await readStatuses(deps, input, options, shown), undefined)
    const [unfinished = null] = await findUnfinishedRuns(ledger, (await deps.runs()).ofFile(file))
    await printPages(deps, {
      summary: { ...toSummaryJson(summary), unfinished },
      warnings: unfinished ? [describeUnfinished(unfinished)] : [],
      pages: shown.pages,
      columns: BATCH_STATUS_COLUMNS,
      ...(summary.rows > 0 && {
        empty: unfinished ? "No row needs you, but the run was not finished." : "No row needs you.",
      }),
    })
    await deps.note(summaryText(summary))
    if (unfinished) {
      await deps.warn(describeUnfinished(unfinished))
      await deps.note(`This finishes it: ${onSameService(unfinished.next, deps.globals)}`)
    }
  } finally {
    await shown.close()
  }
}

/** Looks up the standing of each row. @param shown gets those that are printed @returns the sums of all of them */
async function readStatuses(
  deps: Deps,
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  { refresh, all }: StatusOptions,
  shown: Spool<StatusRow>,
): Promise<Tally> {
  const ledger = await deps.readLedger()
  const showsAll = deps.output.format !== "table" || all === true
  const tally = createTally()
  const step = createStep(deps.signal)
  let isAsked = refresh === true
  for await (const found of inGroups(statusOutcomes(ledger, rows), ROWS_AT_ONCE)) {
    if (isAsked)
      isAsked = await fetchConsignments(
        await deps.freight(),
        ledger.store,
        found.map(({ outcome }) => outcome),
      )
    const part: StatusRow[] = []
    for (const { row, outcome } of found) {
      await step()
      countOutcome(tally, outcome)
      if (showsAll || needsSomeone(outcome)) part.push(toStatusRow(row, outcome))
    }
    await shown.add(part)
  }
  return tally
}

const ROWS_AT_ONCE = 1_000

function needsSomeone({ state }: Outcome): boolean {
  return state !== "booked" && state !== "left-out"
}

function describeUnfinished({ begunAt, what }: Unfinished): string {
  return `the run that began ${formatInstant(begunAt)} was not finished: ${what}`
}

function openOrders(deps: Deps, file: string, options: StatusOptions): Promise<TextSource> {
  return openSheet(fileSource(file, deps.signal), chooseBy(deps, options))
}

function toStatusRow({ row, reference }: BatchRow, outcome: Outcome) {
  const { currency, error, ignored, elsewhere } = outcome
  return {
    row,
    reference: reference || null,
    ...toKnown(outcome),
    currency: currency || null,
    error: error || null,
    ignored: ignored ?? [],
    elsewhere: elsewhere ?? null,
  }
}

function summaryText(summary: Summary): string {
  const { rows, booked, elsewhere = 0, failed, unknown, invalid, changed, leftOut, waiting, onHold } = summary
  const parts = [
    `${booked} booked${elsewhere > 0 ? ` (${elsewhere} of them elsewhere)` : ""}`,
    failed > 0 && `${failed} failed`,
    unknown > 0 && `${unknown} unknown`,
    invalid > 0 && `${invalid} invalid`,
    changed > 0 && `${changed} changed`,
    leftOut > 0 && `${leftOut} left out`,
    onHold > 0 && `${onHold} on hold`,
    waiting > onHold && `${waiting - onHold} to book`,
  ]
  const total = totalText(summary)
  return `${counted(rows, "row")}: ${parts.filter(Boolean).join(", ")}${total ? `; ${total}` : ""}.`
}
