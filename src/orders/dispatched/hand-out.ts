/** Exports the orders of a shop that have a number, as its import file. */
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { parsePast } from "../../base/past.ts"
import { chooseBy, type OptionsOf, type SHEET_FLAGS } from "../../command/index.ts"
import type { Deps } from "../../session/index.ts"
import { fileSource, openSheet } from "../../input/index.ts"
import { nameText } from "../../ledger/index.ts"
import { addKnownOrders, askService, type Dispatched, type ShopOrder } from "./dispatch.ts"
import { readBookedOrders, readBookedSince } from "./orders.ts"
import { dispatch, listOrderWords } from "./run.ts"
import { DISPATCH_SHOP_NAMES, type DispatchShopName } from "./shops.ts"

interface HandOutOptions extends OptionsOf<typeof SHEET_FLAGS> {
  for?: DispatchShopName
  /** The import file; a dry run needs none. */
  output?: string
  /** The shop's export, whose booked orders are exported, and how its columns are read. */
  orders?: string
  map?: string[]
  /** Instead of a file: all orders booked since then. */
  since?: string
  exportAgain?: string[]
  force?: boolean
  dryRun?: boolean
}

/**
 * Writes orders that have a number as a shop's import file, each once.
 * @throws FreightError `input` for a name of `exportAgain` that is none of them, `usage` if no shop or no file is named;
 * nothing was written
 */
export async function handOut(
  deps: Deps,
  options: HandOutOptions,
): Promise<Dispatched & { shop: DispatchShopName }> {
  const { for: shop, output, dryRun = false } = options
  if (shop === undefined)
    throw new FreightError(
      "usage",
      `--for says which shop the file is for: ${DISPATCH_SHOP_NAMES.join(", ")}`,
    )
  if (output === "-" || (output === undefined && !dryRun))
    throw new FreightError(
      "usage",
      "name the import file with -o: after a kill it is written again under its name",
    )
  // Bookings under other keys of the account are exported, too: opening the ledger finds those keys.
  if (!dryRun) await deps.ledger("freight")
  const { store, scopes } = await (dryRun ? deps.readLedger() : deps.writeLedger())
  const given =
    options.orders !== undefined
      ? await readOrders(deps, shop, options.orders, options)
      : options.since !== undefined
        ? await readBookedSince(store, scopes, shop, parsePast(options.since, "--since", deps.clock.now()))
        : []
  const orders = await addKnownOrders({ store, scopes }, given, shop)
  const again = findAgain(orders, options.exportAgain ?? [])
  const { found, failures } = await askService(dryRun ? undefined : store, await deps.freight(), orders)
  const [failure] = failures
  if (failure)
    await deps.warn(
      `${counted(failures.length, "shipment")} could not be looked up (${failure.message}): they are as the ledger has them`,
    )
  const done = await dispatch(deps, store, orders, {
    shop,
    file: output ?? "",
    isDryRun: dryRun,
    force: options.force,
    words: listOrderWords(options),
    again,
    found,
  })
  return { ...done, shop }
}

function findAgain(orders: readonly ShopOrder[], names: readonly string[]): Set<string> {
  const again = new Set<string>()
  for (const name of names) {
    const named = orders.filter(({ entry, orderId }) =>
      [orderId, nameText(entry), entry.facts.consignmentNumber, entry.facts.shipmentId].includes(name),
    )
    if (named.length === 0)
      throw new FreightError(
        "input",
        `no order ${name} was exported in the last 30 days, or is in the file; nothing was written`,
      )
    for (const { entry } of named) again.add(entry.facts.shipmentId ?? "")
  }
  return again
}

async function readOrders(deps: Deps, shop: DispatchShopName, file: string, options: HandOutOptions) {
  if (file === "-") throw new FreightError("usage", "--orders takes the shop's file, not standard input")
  const ledger = await deps.readLedger()
  const source = await openSheet(fileSource(file, deps.signal), chooseBy(deps, options))
  const { orders, others } = await readBookedOrders(deps, ledger, source, { shop, map: options.map ?? [] })
  if (others > 0)
    await deps.note(`${counted(others, "order")} of ${file} not booked: freight batch status ${file}`)
  return orders
}
