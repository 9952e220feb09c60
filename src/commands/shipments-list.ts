import type { Command } from "commander"
import { type FreightApi, shipmentPages } from "../api/freight.ts"
import type { ShipmentListResponse, ShipmentSummary } from "../contract/generated/types.ts"
import type { Deps } from "../deps.ts"
import { grouped } from "../contract/counted.ts"
import { FreightError } from "../errors.ts"
import { MOST_SHIPMENTS } from "../limits.ts"
import { print } from "../terminal/view.ts"
import { shipmentColumns } from "./shared/shipment-columns.ts"

interface Options {
  limit?: string
  offset?: string
  all?: boolean
}

export function define(command: Command): void {
  command
    .description("Lists booked shipments, newest first.")
    .option("--limit <n>", "at most this many, 1 to 200 (default: 50)")
    .option("--offset <n>", "skip this many (default: 0)")
    .option("--all", `every shipment, over all pages; at most ${grouped(MOST_SHIPMENTS)}`)
}

export const examples = [
  "freight shipments list --sandbox",
  "freight shipments list --sandbox --all --format csv",
]

/** GET /shipments. */
export async function run(deps: Deps, { limit, offset, all }: Options): Promise<undefined> {
  if (all && (limit !== undefined || offset !== undefined))
    throw new FreightError("usage", "--all takes every page: leave out --limit and --offset")
  const page = {
    ...(limit !== undefined && { limit: whole(limit, "--limit", 1, 200) }),
    ...(offset !== undefined && { offset: whole(offset, "--offset", 0, 1e9) }),
  }
  const api = await deps.freight()
  if (all && (deps.output.format === "ndjson" || deps.output.format === "csv")) return streamAll(deps, api)
  const reply = all ? await everyPage(api) : await api.listShipments(page)
  await print(deps, {
    json: reply,
    rows: reply.shipments,
    columns: shipmentColumns,
    empty:
      reply.total === 0
        ? "Nothing is booked yet."
        : `There are ${reply.total} shipments, none from offset ${reply.offset} on.`,
  })
  const { shipments, total } = reply
  if (deps.output.format === "table" && shipments.length > 0 && shipments.length < total)
    await deps.note(`${shipments.length} of ${total}; --all shows every one.`)
}

/** Prints each page as it comes: what follows in a pipe need not wait for the last. */
async function streamAll({ terminal, output }: Deps, api: FreightApi): Promise<undefined> {
  let isContinued = false
  for await (const rows of shipmentPages(api)) {
    await print({ terminal, output }, { rows, columns: shipmentColumns, isContinued })
    isContinued = true
  }
}

/** All pages as one, in the shape of a page. */
async function everyPage(api: FreightApi): Promise<ShipmentListResponse> {
  const shipments: ShipmentSummary[] = []
  for await (const page of shipmentPages(api)) shipments.push(...page)
  return { total: shipments.length, limit: shipments.length, offset: 0, shipments }
}

function whole(text: string, flag: string, least: number, most: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most))
    throw new FreightError("usage", `${flag} takes a whole number from ${least} to ${most}, not '${text}'`)
  return number
}
