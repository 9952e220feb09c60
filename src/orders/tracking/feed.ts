import type { Ends } from "../../contract/index.ts"
import { safeText } from "../../base/safe-text.ts"
import { markOf, marksOf, type TrackedEvents } from "../../machine/index.ts"
import { isForPeople, print, valueAt, type Writing } from "../../output/index.ts"
import {
  type EventRow,
  eventColumns,
  eventRows,
  eventTime,
  type FindEnds,
  isOver,
  proofOfDelivery,
  standing,
  type Tracked,
  toEventItem,
} from "./events.ts"

const SHOWN = ["timestamp", "consignment", "status", "location", "description"]

/**
 * Writes new events once, oldest first, as lines of text or NDJSON, and remembers them.
 * @param onlyNew leaves out what an earlier command wrote
 */
export function openFeed(
  {
    terminal,
    output,
    warnings,
    tracked,
    findEnds,
  }: Writing & {
    tracked: TrackedEvents
    findEnds: FindEnds
  },
  onlyNew: boolean,
): (found: readonly Tracked[]) => Promise<void> {
  const shown = new Map<string, Set<string>>()
  let width = 0

  const write = async (rows: EventRow[]) => {
    if (output.format === "ndjson") {
      const items = rows.map(toEventItem)
      return print({ terminal, output, warnings }, { rows, items, columns: eventColumns })
    }
    for (const row of rows) {
      const shown = output.fields
        ? row
        : { ...row, timestamp: eventTime(row, await findEnds(row.consignment)) }
      await terminal.stdout.write(`${formatEventLine(shown, output.fields ?? SHOWN, width)}\n`)
    }
  }

  return async (found) => {
    width = Math.max(width, ...found.map(({ consignment }) => consignment.length))
    for (const one of found) {
      const { consignment } = one
      const seen = shown.get(consignment) ?? new Set(onlyNew ? await tracked.shown(consignment) : [])
      shown.set(consignment, seen)
      const fresh = eventRows(one).filter((row) => !seen.has(markOf(row)))
      if (fresh.length > 0) await write(fresh.reverse())
      for (const row of fresh) seen.add(markOf(row))
      if (one.tracking) await tracked.keep(consignment, marksOf(one.tracking))
      if (isForPeople(output) && isOver(one))
        await terminal.stdout.write(`${formatEnding(one, await findEnds(consignment))}\n`)
    }
  }
}

function formatEventLine(row: EventRow, fields: readonly string[], width: number): string {
  const cells = fields.map((field) => {
    const text = safeText(String(valueAt(row, field) ?? "-"))
    return field === "consignment" ? text.padEnd(width) : text
  })
  return cells.join("  ").trimEnd()
}

function formatEnding(tracked: Tracked, ends: Ends): string {
  const proof = proofOfDelivery(tracked).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
  return safeText([`${tracked.consignment}: ${standing(tracked, ends)}`, ...proof].join("; "), 1000)
}
