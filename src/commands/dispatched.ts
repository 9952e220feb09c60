/** Import files of tracking numbers for shops. */
import { command, type Flags, FORCE_FLAG, nonEmpty, OUTPUT, SHEET_FLAGS } from "../command/index.ts"
import { BRIEF, type Column, print } from "../output/index.ts"
import { DISPATCH_SHOP_NAMES, type DispatchRow } from "../orders/index.ts"
import { PAST } from "../base/past.ts"

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
    about: "with --orders: use this column as that field, as with batch book (repeatable)",
    isRepeatable: true,
  },
  since: { takes: "<when>", about: `instead of a file, all that was booked with a reference since: ${PAST}` },
  exportAgain: {
    formerly: ["--again"],
    takes: "<reference>",
    about: "export this order once more, as its file was lost (repeatable)",
    isRepeatable: true,
    read: nonEmpty,
  },
  dryRun: { about: "show what would be exported, and write nothing (needs no -o)" },
  ...SHEET_FLAGS,
  // Its content decides whether it may be overwritten.
  output: { ...OUTPUT, about: "write the import file here", writes: "place" },
  ...FORCE_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Writes orders with their tracking numbers as the import file of a shop. Each order is exported once, as soon as it has a tracking number, whichever workstation runs this. It is exported again if its number changes or its shipment is cancelled.",
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
Exit code, with --dry-run too: 0 exported, or waiting; 1 a shipment was cancelled, and the shop's import cannot say so.`,
  async run(deps, options) {
    const { handOut } = await import("../orders/dispatched/hand-out.ts")
    const { tellDispatched } = await import("../orders/dispatched/run.ts")
    const done = await handOut(deps, options)
    const rows = [...done.rows, ...done.waiting]
    await print(deps, {
      rows,
      items: rows.map(toItem),
      columns: COLUMNS,
      empty:
        options.orders === undefined && options.since === undefined
          ? "No order waits for its number. To export others: --orders with the shop's export, or --since 7d."
          : "Nothing to export.",
    })
    return tellDispatched(deps, done.shop, options.output ?? "", done, options.dryRun)
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
