import {
  ALLOW_FLAGS,
  command,
  type Flags,
  pickFieldFlags,
  readKey,
  wholeNumber,
  YES_FLAG,
} from "../command/index.ts"
import {
  addressLine,
  formatPackageTotals,
  type NamedPickup,
  namePickup,
  toBookedPickup,
} from "../contract/index.ts"
import type { PickupBookingDetail, PickupBookingResponse } from "../contract/generated/types.ts"
import { formatInstant } from "../base/wall-clock.ts"
import type { Deps } from "../session/index.ts"
import { sandboxMark } from "../machine/index.ts"
import { NOT_TOLD } from "../ledger/index.ts"
import { SHIPMENT_NAMES, type CarrierNotice } from "../orders/index.ts"
import {
  BRIEF,
  type Column,
  type Detail,
  details,
  OBJECT_FORMATS,
  print,
  printJson,
} from "../output/index.ts"

const columns: Column<PickupBookingResponse>[] = [
  { key: "pickupBookingId", title: "PICKUP", rank: 3, brief: BRIEF.id, gives: "nothing" },
  { key: "orderNumber", title: "CARRIER'S REFERENCE", rank: 1 },
  { key: "status", title: "STATUS", rank: 2, isState: true },
  { key: "connectorId", title: "CONNECTOR" },
]

const ONE_PICKUP = {
  file: {
    takes: "<file>",
    about: "a pickup as JSON, or - for standard input; flags override it",
    isInput: true,
  },
  connector: {
    takes: "<id>",
    about: "the carrier account (default: the shipment's, or the only one with the service)",
  },
  ...pickFieldFlags(["collection", "receiver", "package"]),
  service: { takes: "<code>", about: "the service; carriers A and C need it for goods on their own" },
  date: { takes: "<day>", about: "the day of the pickup: 2026-11-23, 23/11, tomorrow" },
  ready: { takes: "<time>", about: "the goods are ready: 10:00" },
  close: { takes: "<time>", about: "the premises close: 17:00" },
  set: { takes: "<field=value>", about: "any other field: items.count=3 (repeatable)", isRepeatable: true },
  key: {
    takes: "<name>",
    about: "your own name for this pickup: the same key is never booked twice",
    read: readKey,
  },
  again: {
    about: "book it although an equal one was booked within 24 hours, or one there for the same time",
  },
} as const satisfies Flags

const flags = {
  shipment: { takes: "<name>", about: "the same as naming the shipment" },
  open: {
    about: "everything booked from here that is collected on --date (today or tomorrow) and has no pickup",
    conflicts: "shipment",
  },
  ...ONE_PICKUP,
  ...ALLOW_FLAGS,
  ...YES_FLAG,
  dryRun: { about: "print the request that would be sent, and book nothing", formats: OBJECT_FORMATS },
} as const satisfies Flags

export const book = command({
  about:
    "Books pickups: of booked shipments, or of goods on their own (--collection, --receiver and --package). Address, goods and times come from a shipment; several have one pickup for each place, connector and time. Asks on a terminal for what is missing. Times are local to the collection address.",
  args: [{ takes: "[shipment...]", about: SHIPMENT_NAMES }],
  flags,
  columns,
  examples: [
    "freight pickup book --sandbox demo-shipment --date tomorrow --ready 10am --close 5pm --dry-run",
    "freight pickup book --sandbox demo-shipment --date tomorrow --ready 10am --close 5pm --json",
    "freight pickup book --sandbox --open --date tomorrow",
    "freight pickup book --sandbox --connector connector-a --service 76 --collection warehouse --receiver perth --package 40x30x20@5.5 --date tomorrow --ready 10:00 --close 17:00",
  ],
  async run(deps, given, options) {
    const { bookNamedPickups } = await import("../orders/pickups/named.ts")
    await bookNamedPickups(deps, given, options, Object.keys(ONE_PICKUP), {
      booked: (rows, waiting) => printBooked(deps, rows, waiting),
      request: (request) => printJson(deps, request),
    })
  },
})

/** @param waiting what waits for the pickup, where it was booked for others */
async function printBooked(
  deps: Deps,
  rows: readonly PickupBookingResponse[],
  waiting: readonly string[] = [],
): Promise<void> {
  const items = rows.map((reply) => ({ ...toBookedPickup(reply), waiting, ...sandboxMark(deps.globals) }))
  await print(deps, { rows, items, columns })
}

const shownColumns: Column<NamedPickup>[] = [
  { key: "id", title: "PICKUP", value: ({ pickupId }) => pickupId },
  { key: "status", title: "STATUS" },
  { key: "orderNumber", title: "CARRIER'S REFERENCE" },
  { key: "carrier", title: "CARRIER" },
  { key: "connectorId", title: "CONNECTOR", hidden: true },
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "pickupDate", title: "DATE" },
  { key: "readyTime", title: "READY" },
  { key: "closeTime", title: "CLOSE" },
  { key: "serviceCode", title: "SERVICE", hidden: true },
  { key: "lastErrorCode", title: "ERROR", hidden: true },
  { key: "lastErrorMessage", title: "REASON", hidden: true },
  { key: "source", title: "SOURCE", hidden: true },
  { key: "createdAt", title: "BOOKED", hidden: true },
]

export const show = command({
  about: "Shows everything about one pickup, and why it failed if it did.",
  args: [
    {
      takes: "<pickup>",
      about:
        "pickup id; for a pickup booked here also the carrier's number, its key, or any name of its shipment",
    },
  ],
  columns: shownColumns,
  examples: ["freight pickup show --sandbox demo-pickup"],
  /** GET /pickups/{id}. */
  async run(deps, named) {
    const { readPickup } = await import("../orders/pickups/waiting.ts")
    const { pickup, waiting } = await readPickup(deps, named)
    const text = () => details(deps.terminal, listDetails(pickup, waiting))
    const row = namePickup(pickup)
    const json = { pickup: row, freight: { waiting } }
    await print(deps, { json, rowsAt: "pickup", rows: [row], columns: shownColumns, single: true, text })
  },
})

function listDetails(pickup: PickupBookingDetail, waiting: readonly string[]): Detail[] {
  const { carrier, connectorId, readyTime, closeTime, createdAt, source } = pickup
  return [
    ["Pickup", pickup.id],
    ["Status", pickup.status, "state"],
    ["Error", [pickup.lastErrorCode, pickup.lastErrorMessage].filter(Boolean).join(": ")],
    ["Carrier's reference", pickup.orderNumber],
    ["Carrier", [carrier, connectorId && `(${connectorId})`].filter(Boolean).join(" ")],
    ["Shipment", pickup.shipmentId],
    ["Waiting", waiting.length > 0 ? `${waiting.join(", ")} (${NOT_TOLD})` : undefined],
    ["Service", pickup.serviceCode],
    ["Date", pickup.pickupDate],
    ["Time", readyTime && closeTime && `${readyTime} to ${closeTime}, local time there`],
    ["Collection", pickup.collection && addressLine(pickup.collection)],
    ["Items", pickup.items && formatPackageTotals(pickup.items)],
    ["Booked", createdAt && `${formatInstant(createdAt)}${source ? ` (${source})` : ""}`],
  ]
}

const toldColumns: Column<CarrierNotice>[] = [
  { key: "pickup", title: "PICKUP", rank: 1, gives: "nothing" },
  { key: "shipments", title: "SHIPMENTS", rank: 2, value: ({ shipments }) => shipments.join(" ") },
  { key: "who", title: "TOLD", rank: 3 },
]

export const told = command({
  about:
    "Records that you told the carrier of shipments that were added to a pickup after it was booked: only then are they in it. No API can add to a pickup, so call the carrier first. freight today lists what waits.",
  args: [
    {
      takes: "<pickup>",
      about: "the carrier's number of the pickup, its id, or any name of a shipment in it",
    },
  ],
  flags: {
    who: { takes: "<name>", about: "the person at the carrier whom you told; asked for at a terminal" },
    count: {
      takes: "<n>",
      about: "how many shipments you told of: refused where another number waits by now",
      read: wholeNumber(1, 100_000, " of shipments"),
    },
  },
  columns: toldColumns,
  examples: ["freight pickup told --sandbox demo-pickup --who Jo"],
  async run(deps, named, options) {
    const { recordCarrierNotice } = await import("../orders/batch/carrier-notice.ts")
    const told = await recordCarrierNotice(deps, named, options)
    if (told.who !== null || deps.output.format !== "table")
      await print(deps, { rows: [told], columns: toldColumns, single: true })
  },
})
