/** Import files of tracking numbers for shops. */
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { counted } from "../base/counted.ts"
import type { Asking, Ledgers, Memory, Services, Session } from "../command/deps.ts"
import { FreightError } from "../base/errors.ts"
import { fileSource } from "../input/sheets/source.ts"
import { openSheet } from "../input/sheets/open.ts"
import { BRIEF, type Column } from "../output/terminal/columns.ts"
import { print } from "../output/terminal/view.ts"
import { addKnownOrders, askService, type DispatchRow } from "../orders/dispatched/dispatch.ts"
import { readBookedOrders, readBookedSince } from "../orders/dispatched/orders.ts"
import { DISPATCH_SHOP_NAMES, type DispatchShopName } from "../orders/dispatched/shops.ts"
import { nameText } from "../ledger/entry.ts"
import { dispatch, listOrderWords, tellDispatched } from "../orders/dispatched/run.ts"
import { FORCE_FLAG, nonEmpty, OUTPUT } from "../command/flags.ts"
import { PAST, parsePast } from "../base/past.ts"
import { chooseBy, SHEET_FLAGS } from "../command/sheet-flags.ts"

type Needs = Asking & Ledgers & Memory & Services & Session

const COLUMNS: readonly Column<DispatchRow>[] = [
  { key: "order", title: "ORDER", rank: 1 },
  { key: "event", title: "STATE", rank: 2 },
  { key: "number", title: "NUMBER", rank: 3, gives: "nothing" },
  { key: "numberBefore", title: "BEFORE", rank: 6, gives: "nothing" },
  { key: "carrier", title: "CARRIER", rank: 4 },
  { key: "service", title: "SERVICE", rank: 7 },
  { key: "day", title: "DAY", rank: 5 },
  { key: "reference", title: "REFERENCE", hidden: true },
  { key: "shipmentId", title: "SHIPMENT", hidden: true, brief: BRIEF.id },
]

const flags = {
  for: {
    takes: "<shop>",
    about: `the shop that the file is for: ${DISPATCH_SHOP_NAMES.join(", ")}`,
    choices: DISPATCH_SHOP_NAMES,
  },
  orders: { takes: "<file>", about: "the shop's export: the orders in it that are booked", isInput: true },
  map: {
    takes: "<column=field>",
    about: "with --orders: as given to batch book (repeatable)",
    isRepeatable: true,
  },
  since: { takes: "<when>", about: `instead of a file, all that was booked with a reference since: ${PAST}` },
  again: {
    takes: "<reference>",
    about: "hand this one out once more: its file went astray (repeatable)",
    isRepeatable: true,
    read: nonEmpty,
  },
  dryRun: { about: "show what would be handed out, and claim and write nothing (needs no -o)" },
  ...SHEET_FLAGS,
  // What it holds decides whether it may be overwritten.
  output: { ...OUTPUT, about: "write the import file here", writes: "place" },
  ...FORCE_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Writes orders with their tracking numbers as the import file of a shop. Each order is handed out once, when its number is there, from whatever desk; one whose number changed or whose shipment was cancelled comes again.",
  flags,
  columns: COLUMNS,
  examples: [
    "freight dispatched --sandbox --for csv --orders orders.csv -o tracking.csv",
    "freight dispatched --sandbox --for csv --since 7d -o tracking.csv",
    "freight dispatched --sandbox --for csv --since 7d --dry-run",
  ],
  notes: `Without --orders and --since: the shop's orders that waited for their numbers.
STATE is sent, changed, cancelled, again, or waiting: the carrier has given no number, and the order comes with the next file.
Import the file before the next one is written. The setting carrierNames says how shops name the carriers.
Exit code, with --dry-run too: 0 handed out, or waiting; 1 a shipment was cancelled, and the shop's import cannot say so.`,
  async run(deps, options) {
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
    // What other keys of the account booked is handed out, too: opening it finds out which those are.
    if (!dryRun) await deps.ledger("freight")
    const { store, scopes } = await (dryRun ? deps.readLedger() : deps.writeLedger())
    const given =
      options.orders !== undefined
        ? await readOrders(deps, shop, options.orders, options)
        : options.since !== undefined
          ? await readBookedSince(store, scopes, shop, parsePast(options.since, "--since", deps.clock.now()))
          : []
    const orders = await addKnownOrders({ store, scopes }, given, shop)
    const again = new Set<string>()
    for (const name of options.again ?? []) {
      const named = orders.filter(({ entry, orderId }) =>
        [orderId, nameText(entry), entry.facts.consignmentNumber, entry.facts.shipmentId].includes(name),
      )
      if (named.length === 0)
        throw new FreightError(
          "input",
          `no order ${name} was handed out in the last 30 days, or is in the file; nothing was written`,
        )
      for (const { entry } of named) again.add(entry.facts.shipmentId ?? "")
    }
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
    const rows = [...done.rows, ...done.waiting]
    await print(deps, {
      rows,
      items: rows.map(toItem),
      columns: COLUMNS,
      empty:
        options.orders === undefined && options.since === undefined
          ? "No order waits for its number. To hand out others: --orders with the shop's export, or --since 7d."
          : "Nothing to hand out.",
    })
    return await tellDispatched(deps, shop, output ?? "", done, dryRun)
  },
})

function toItem({ number, numberBefore, service, ...row }: DispatchRow) {
  return {
    ...row,
    carrier: row.carrier || null,
    serviceCode: service || null,
    consignmentNumber: number || null,
    consignmentNumberBefore: numberBefore || null,
    day: row.day || null,
  }
}

async function readOrders(
  deps: Needs,
  shop: DispatchShopName,
  file: string,
  options: OptionsOf<typeof flags>,
) {
  if (file === "-") throw new FreightError("usage", "--orders takes the shop's file, not standard input")
  const ledger = await deps.readLedger()
  const source = await openSheet(fileSource(file, deps.signal), chooseBy(deps, options))
  const { orders, others } = await readBookedOrders(deps, ledger, source, { shop, map: options.map ?? [] })
  if (others > 0)
    await deps.note(`${counted(others, "order")} of ${file} not booked: freight batch status ${file}`)
  return orders
}
