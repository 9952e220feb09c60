/** Prints the state of consignments for people and for scripts. */
import type { Ends } from "../../contract/index.ts"
import { safeText } from "../../base/safe-text.ts"
import type { Session } from "../../session/index.ts"
import { describeWord } from "../../ledger/index.ts"
import { type Column, details, isForPeople, paint, print } from "../../output/index.ts"
import {
  eventColumns,
  eventRows,
  type FindEnds,
  journeyColumns,
  proofOfDelivery,
  standing,
  type Tracked,
  toTrackedItem,
} from "./events.ts"

/**
 * Prints the state of consignments, as --format says.
 * @param onlyNew leaves those without events out of a table
 */
export async function printJourneys(
  deps: Session,
  findEnds: FindEnds,
  found: readonly Tracked[],
  onlyNew: boolean,
): Promise<void> {
  const { output } = deps
  if (isForPeople(output)) {
    const shown = found.filter(({ tracking }) => !onlyNew || tracking?.events.length)
    for (const [at, one] of shown.entries()) {
      await printJourney(deps, one, await findEnds(one.consignment), at > 0)
    }
    if (onlyNew && shown.length === 0) await deps.note("Nothing new.")
  } else {
    const rows = found.flatMap(eventRows)
    await print(deps, {
      items: found.map(toTrackedItem),
      rowsAt: "tracking.events",
      rows,
      columns: eventColumns,
    })
  }
}

/** The state of many consignments, one line each. @param referenceOf undefined if it has none, or is not known */
export async function printStandings(
  deps: Session,
  findEnds: FindEnds,
  found: readonly Tracked[],
  referenceOf: (consignment: string) => string | null | undefined,
): Promise<void> {
  const rows: ConsignmentRow[] = []
  for (const one of found)
    rows.push({
      consignment: one.consignment,
      reference: referenceOf(one.consignment) ?? "",
      standing: standing(one, await findEnds(one.consignment)),
    })
  if (rows.length > 0) await print(deps, { rows, columns: consignmentColumns })
}

interface ConsignmentRow {
  consignment: string
  reference: string
  standing: string
}

const consignmentColumns: Column<ConsignmentRow>[] = [
  { key: "consignment", title: "CONSIGNMENT", rank: 2, gives: "nothing" },
  { key: "reference", title: "REFERENCE", rank: 1 },
  { key: "standing", title: "NOW", rank: 3, gives: "words" },
]

/** The status, proof of delivery, then the events. */
async function printJourney(deps: Session, one: Tracked, ends: Ends, apart: boolean): Promise<void> {
  const { terminal } = deps
  const { stdout } = terminal
  const word = one.freight ? `; ${describeWord(one.freight.cancelled)}` : ""
  const headline = `${paint(stdout, "bold", safeText(one.consignment))}: ${safeText(standing(one, ends))}${word}`
  await stdout.write(`${apart ? "\n" : ""}${headline}\n`)
  const proof = proofOfDelivery(one)
  if (proof.length > 0) await stdout.write(details(terminal, proof))
  const rows = eventRows(one)
  if (rows.length > 0) await print(deps, { rows, columns: journeyColumns(ends) })
}
