/** Where consignments are, for people and for scripts. */
import type { TrackingResponse } from "../../contract/generated/types.ts"
import type { Ends } from "../../contract/place-clock.ts"
import { safeText } from "../../base/safe-text.ts"
import type { Session } from "../../command/deps.ts"
import { details } from "../../output/terminal/details.ts"
import { jsonText } from "../../output/terminal/json-text.ts"
import { paint } from "../../output/terminal/style.ts"
import { print } from "../../output/terminal/view.ts"
import {
  eventColumns,
  eventRows,
  type FindEnds,
  journeyColumns,
  proofOfDelivery,
  standing,
  type Tracked,
} from "./events.ts"

/**
 * Prints where consignments are, as --format says.
 * @param list JSON is a list, also of one
 * @param onlyNew those without events are left out of a table
 */
export async function printJourneys(
  deps: Session,
  findEnds: FindEnds,
  found: readonly Tracked[],
  list: boolean,
  onlyNew: boolean,
): Promise<void> {
  const { terminal, output } = deps
  const [first] = found
  if (output.format === "ndjson" && !output.fields) {
    for (const one of found) await terminal.stdout.write(`${jsonText(one)}\n`)
  } else if (output.format === "table" && !output.fields) {
    const shown = found.filter(({ tracking }) => !onlyNew || tracking?.events.length)
    for (const [at, one] of shown.entries()) {
      await printJourney(deps, one, await findEnds(one.consignment), at > 0)
    }
    if (onlyNew && shown.length === 0) await deps.note("Nothing new.")
  } else if (list || first) {
    const json = list || !first ? found : withoutNumber(first)
    await print(deps, { json, rows: found.flatMap(eventRows), columns: eventColumns })
  }
}

function withoutNumber({ consignment: _, ...reply }: Tracked): TrackingResponse {
  return reply
}

/** Where it stands, proof of delivery, then its events. */
async function printJourney(deps: Session, one: Tracked, ends: Ends, apart: boolean): Promise<void> {
  const { terminal } = deps
  const { stdout } = terminal
  const headline = `${paint(stdout, "bold", safeText(one.consignment))}: ${safeText(standing(one, ends))}`
  await stdout.write(`${apart ? "\n" : ""}${headline}\n`)
  const proof = proofOfDelivery(one)
  if (proof.length > 0) await stdout.write(details(terminal, proof))
  const rows = eventRows(one)
  if (rows.length > 0) await print(deps, { rows, columns: journeyColumns(ends) })
}
