import type { Command } from "commander"
import { valueOrThrow } from "../contract/parsed.ts"
import { wallClockNow, zoneHere } from "../contract/wall-clock.ts"
import { parseDay } from "../contract/when.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { pruneLedger } from "../ledger/admin.ts"
import { print } from "../terminal/view.ts"

interface Options {
  before: string
}

export function define(command: Command): void {
  command
    .description(
      "Removes settled entries from before the given day. Open entries stay, and so does what the carrier has but the API does " +
        "not. A removed key can be booked again, so keep what a file of orders may still name.",
    )
    .requiredOption("--before <day>", "a day, at least 90 days ago: 2026-01-01, 1 Jan 2026")
}

export const examples = ["freight ledger prune --sandbox --before 2020-01-01"]

/** Longer than quotes, disputes about duplicates and files that are run again are about. */
const KEPT_MS = 90 * 24 * 3_600_000

export async function run(deps: Deps, { before }: Options): Promise<undefined> {
  const zone = zoneHere()
  const date = valueOrThrow(
    parseDay(before, () => wallClockNow(deps.clock.now(), zone), "past"),
    "--before",
  )
  const day = Date.parse(date)
  if (day > deps.clock.now() - KEPT_MS)
    throw new FreightError(
      "usage",
      "--before takes a day at least 90 days ago: newer entries prevent double bookings",
    )
  const { store } = await deps.readLedger()
  const removed = await pruneLedger(store.database, new Date(day).toISOString())
  const rows = [{ ledger: store.place, before: date, removed }]
  const columns = ["ledger", "before", "removed"].map((key) => ({ key, title: key.toUpperCase() }))
  await print(deps, { rows, columns, single: true })
}
