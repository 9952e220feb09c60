/** Rows of a file whose orders are only looked up. */
import type { TextSource } from "../../input/index.ts"
import { type ConfigFile, savedAddress } from "../../machine/index.ts"
import type { BatchRow } from "./rows/row.ts"
import { readAllRows } from "./rows/rows.ts"
import { decideRow, type RowChoices } from "./shipping.ts"

/**
 * What flags of a run give does not identify an order: none has to be repeated. Files of earlier versions may have any
 * number of rows.
 */
export async function readRowsToLookUp(
  { config, clock, signal }: { config: ConfigFile; clock: { now(): number }; signal: AbortSignal },
  source: TextSource,
  map: readonly string[],
  choices: RowChoices = {},
  keep: readonly string[] = [],
): Promise<BatchRow[]> {
  const rows = await readAllRows(
    source,
    {
      map,
      ignoreUnknown: true,
      isLookUp: true,
      keep,
      signal,
      tell: async () => {},
      booking: {},
      readyTime: undefined,
      own: {},
      allowed: undefined,
      service: undefined,
      limits: {},
      address: (name) => savedAddress(config, name),
      connectors: undefined,
      sandbox: true,
      nowMs: clock.now(),
    },
    Number.POSITIVE_INFINITY,
  )
  return rows.map((row) => decideRow(row, choices))
}
