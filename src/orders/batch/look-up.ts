/** Rows of a file whose orders are only looked up. */
import type { TextSource } from "../../input/index.ts"
import { type ConfigFile, savedAddress } from "../../machine/index.ts"
import type { BatchRow } from "./rows/row.ts"
import { readRows } from "./rows/rows.ts"
import { decideRow, type RowChoices } from "./shipping.ts"

/**
 * The flags of a run do not identify an order, so none has to be repeated. Files of earlier versions may have any number
 * of rows, so rows are streamed.
 */
export async function* streamRowsToLookUp(
  { config, clock, signal }: { config: ConfigFile; clock: { now(): number }; signal: AbortSignal },
  source: TextSource,
  map: readonly string[],
  choices: RowChoices = {},
  keep: readonly string[] = [],
): AsyncGenerator<BatchRow> {
  const rows = readRows(source, {
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
  })
  for await (const row of rows) yield decideRow(row, choices)
}
