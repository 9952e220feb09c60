/** Reports rows that are too late for their collection day, before anything is sent. */
import { counted, listSome } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import { findLateChoice, getSelectedStanding } from "../booking/in-time.ts"
import { type BatchRow, isToSend } from "./rows/row.ts"

/**
 * `2 rows are too late for today, and may go on a later day: "SO-1", "SO-2"; 1 of them was chosen for its arrival, and is sent only if another rate meets that`
 * @param now milliseconds since the epoch
 * @returns undefined if none is too late
 */
export function describeLateRows(rows: readonly BatchRow[], now: number): string | undefined {
  const late = rows
    .filter(isToSend)
    .flatMap((row) => (row.selected ? [{ row, selected: row.selected }] : []))
    .filter(({ row, selected }) => getSelectedStanding(row, selected, now).kind === "too late")
  if (late.length === 0) return undefined
  const refused = late.filter(({ row, selected }) => findLateChoice(row, selected, now)).length
  const names = listSome(
    late.map(({ row }) => quoted(row.reference)),
    MAX_NAMED,
  )
  const unsent =
    refused === 0
      ? ""
      : `; ${refused} of them ${refused === 1 ? "was chosen for its arrival, and is" : "were chosen for their arrival, and are"} sent only if another rate meets that`
  return `${counted(late.length, "row is", "rows are")} too late for today, and may go on a later day: ${names}${unsent}`
}

const MAX_NAMED = 5
