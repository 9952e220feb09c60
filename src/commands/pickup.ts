import { toCarrier } from "../carriers/names.ts"
import { chooseConnector, previewConnector, requireConnector } from "../orders/booking/connector.ts"
import {
  allowForKey,
  checkPickupDraft,
  connectorOfShipment,
  FailedPickup,
  fillFromShipment,
  gatherPickup,
  type Pickup,
  pickupIntent,
  reportPickup,
  describeSamePickup,
  findSamePickup,
  sendPickup,
  waitForSamePickup,
} from "../orders/booking/pickup.ts"
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { toFlagName } from "../base/command-line.ts"
import { PARTIES } from "../contract/fields/booking.ts"
import type { Json, JsonObject } from "../base/json.ts"
import { addressLine } from "../contract/address-line.ts"
import { type Allowances, momentAt } from "../contract/collection-times.ts"
import type {
  Carrier,
  PickupBookingDetail,
  PickupBookingResponse,
  ShipmentDetail,
} from "../contract/generated/types.ts"
import { formatPackageTotals, itemsOf } from "../contract/packages.ts"
import { listPlaces } from "../contract/place-doubts.ts"
import { formatInstant } from "../base/wall-clock.ts"
import type { Deps, Ledgers } from "../command/deps.ts"
import type { Entry } from "../ledger/entry.ts"
import { capital } from "../output/terminal/sanitize.ts"
import { FreightError } from "../base/errors.ts"
import { refusalOf } from "../ledger/create.ts"
import { findUntold } from "../ledger/records/collected.ts"
import { type NamedPickup, namePickup, toBookedPickup } from "../contract/own-ids.ts"
import { sandboxMark } from "../machine/config/sandbox-mode.ts"
import { describeCancelled, NOT_TOLD, Unrecorded } from "../ledger/refusals.ts"
import { createFinder, findShipment } from "../orders/lookup/find.ts"
import { namesFrom, SHIPMENTS } from "../orders/lookup/given.ts"
import type { ShipmentOrPickup } from "../orders/lookup/shipment-or-pickup.ts"
import { BRIEF, type Column } from "../output/terminal/columns.ts"
import { type Detail, details } from "../output/terminal/details.ts"
import { OBJECT_FORMATS, print, printJson } from "../output/terminal/view.ts"
import { pickFieldFlags } from "../command/field-flags.ts"
import { mayAsk } from "../command/may-ask.ts"
import type { Told } from "../orders/batch/told.ts"
import { ALLOW_FLAGS, pickKey, readKey, wholeNumber, YES_FLAG } from "../command/flags.ts"
import { SHIPMENT_NAMES } from "../orders/lookup/names.ts"
import { askAboutDoubts } from "../orders/booking/doubts.ts"

const columns: Column<PickupBookingResponse>[] = [
  { key: "pickupBookingId", title: "PICKUP", rank: 3, brief: BRIEF.id, gives: "nothing" },
  { key: "orderNumber", title: "CARRIER'S REFERENCE", rank: 1 },
  { key: "status", title: "STATUS", rank: 2, isState: true },
  { key: "connectorId", title: "CONNECTOR" },
]

/** Flags that say what one pickup is. */
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
  again: { about: "book it even if an equal one was booked within 24 hours, or one there for the same time" },
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

type Options = OptionsOf<typeof flags>

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
  run: bookPickup,
})

/** What says what is collected. */
const PARTS = ["shipmentId", "collection", "receiver", "items"]

/**
 * POST /{connectorId}/pickups, once. The API's reply is printed whatever it says: FAILED exits 1; what the carrier has
 * and the service lost exits 8, for the pickup was made, its record was not, and no step is left for this tool.
 */
async function bookPickup(deps: Deps, given: readonly string[], options: Options): Promise<undefined> {
  const named = given.length > 0 ? await namesFrom(deps.terminal, given, SHIPMENTS) : []
  if (options.shipment !== undefined) named.push(options.shipment)
  if (options.open && named.length > 0)
    throw new FreightError(
      "usage",
      "--open collects everything that has no pickup: name no shipments with it",
    )
  if (options.open || named.length > 1) {
    refuseFlagsOfOne(options)
    const { collectSeveral } = await import("../orders/batch/collect.ts")
    await collectSeveral(deps, named, options, (booked) => printBooked(deps, booked))
    return
  }
  const [shipmentName] = named
  if (shipmentName !== undefined) options.shipment = shipmentName
  const draft = await gatherPickup(deps, options)
  const isAsked = deps.interactive && options.file === undefined
  if (!isAsked && PARTS.every((part) => draft.request[part] === undefined))
    throw new FreightError("usage", "which shipment? freight pickup book SHIPMENT", {
      hint: "Or goods on their own: --collection, --receiver and --package.",
    })
  if (isAsked) await askWhat(deps, draft.request, options)
  const { shipmentId } = draft.request
  const shipment =
    typeof shipmentId === "string" ? await readShipment(deps, draft.request, shipmentId, options) : undefined
  const note = shipment && fillFromShipment(draft.request, shipment)
  if (note) await deps.note(note)
  if (isAsked && options.key === undefined && !options.allowPast)
    await askWhen(deps, draft.request, shipment?.collection ?? draft.request.collection)

  const connector = await connectorFor(deps, draft.request.serviceCode, shipment, options)
  const { carrier } = connector
  const knowledge = await deps.knowledge(listPlaces(draft.request, PARTIES))
  const checkDraft = (allowed: Allowances) =>
    checkPickupDraft(draft, { carrier, shipment, moment: momentAt(deps.clock.now(), allowed, knowledge) })
  const { request, warnings } = await askAboutDoubts(deps, options, async () =>
    checkDraft(options.dryRun ? options : await allowForKey(await deps.ledger("freight"), options)),
  )
  for (const warning of warnings) await deps.warn(warning)
  const pickup = { carrier, request, check: () => void checkDraft(options), ...pickKey(options) }
  if (options.dryRun) {
    await printJson(deps, request)
    await deps.note(`Nothing was booked. It would go to POST /${connector.id ?? "{connectorId}"}/pickups.`)
    if (shipment && connector.id !== undefined)
      await refuseSentPickup(deps, { ...pickup, connectorId: connector.id })
    return
  }
  const connectorId = requireConnector(connector.id)
  try {
    const [ledger, api] = await Promise.all([deps.ledger("freight"), deps.freight()])
    const wanted = { ...pickup, connectorId }
    const collection = shipment?.collection ?? request.collection
    if (!deps.spending.isOpen && !options.again) {
      const same = await waitForSamePickup(deps, ledger, api, wanted, collection)
      if (same) {
        const waiting = await findWaiting(deps, { entryId: same.id, scope: ledger.owner.scope })
        await printBooked(deps, [same.response as PickupBookingResponse], waiting)
        return
      }
    }
    await askAboutSame(deps, await findSamePickup(ledger, api, wanted, collection))
    const created = await sendPickup(ledger, api, wanted)
    await printBooked(deps, [created.response])
    await reportPickup(deps, created)
  } catch (error) {
    if (error instanceof FailedPickup) await printBooked(deps, [error.response])
    if (error instanceof Unrecorded) await printBooked(deps, [error.entry.response as PickupBookingResponse])
    throw error
  }
}

/** Asks whether another pickup is meant beside one of the same place, day and time; a script is told. */
async function askAboutSame(deps: Deps, same: Entry | undefined): Promise<void> {
  if (!same) return
  const there = describeSamePickup(same)
  if (!deps.spending.isOpen) return deps.warn(`${there}: this is another one`)
  const question = `${capital(there)}. Book another one?`
  if (!(await (await deps.prompt()).confirm(question, false, { spends: true })))
    throw new FreightError("input", "you said no: nothing was sent")
}

/** @throws FreightError `usage` for flags of one pickup where there are several */
function refuseFlagsOfOne(options: Options): void {
  const isOfOne = (flag: string) => flag in ONE_PICKUP && !(flag === "date" && options.open)
  const flag = Object.keys(options).find(isOfOne)
  if (flag !== undefined)
    throw new FreightError("usage", `${toFlagName(flag)} is for one pickup, and these are several`, {
      hint: "Several shipments are collected where and when they were booked for.",
    })
}

/** Asks for the shipment where nothing is named, or for what goods on their own lack. */
async function askWhat(deps: Deps, request: JsonObject, options: Options): Promise<void> {
  const { shipmentId, collection, receiver, items } = request
  if (shipmentId !== undefined) return
  if (collection === undefined && receiver === undefined && items === undefined) {
    const { askShipment } = await import("../orders/lookup/names.ts")
    request.shipmentId = await askShipment(deps, "Which shipment should be collected?")
    return
  }
  const [{ askParts, askService, known }, { getPackages }, party, { packages }] = await Promise.all([
    import("../orders/wizard/ask-parts.ts"),
    import("../orders/wizard/draft.ts"),
    import("../orders/wizard/steps/party.ts"),
    import("../orders/wizard/steps/goods.ts"),
  ])
  const draft = await askParts(deps, known({ collection, receiver }), [
    party.collection,
    party.receiver,
    ...(items === undefined ? [packages] : []),
  ])
  Object.assign(request, known({ collection: draft.request.collection, receiver: draft.request.receiver }))
  if (items === undefined) request.items = { ...itemsOf(getPackages(draft)) }
  const serviceCode = typeof request.serviceCode === "string" ? request.serviceCode : undefined
  const service = await askService(deps, "Which carrier should collect it, for which service?", {
    connectorId: options.connector,
    serviceCode,
  })
  if (service === undefined) return
  options.connector = service.connectorId
  if (service.serviceCode !== undefined) request.serviceCode = service.serviceCode
}

/** Asks when it is ready and when the premises close, where that is not known or has passed. */
async function askWhen(deps: Deps, request: JsonObject, collection: unknown): Promise<void> {
  const { pickupDate, readyTime, closeTime } = request
  const [{ askParts, known }, { pickupTimes }] = await Promise.all([
    import("../orders/wizard/ask-parts.ts"),
    import("../orders/wizard/steps/times.ts"),
  ])
  const ready = pickupDate && readyTime ? `${String(pickupDate)}T${String(readyTime)}:00` : undefined
  const close = typeof closeTime === "string" ? closeTime.replace(":", "") : undefined
  const start = { collection: collection as Json, collectionDateTime: ready, collectionCloseTime: close }
  const { request: asked } = await askParts(deps, known(start), [pickupTimes])
  const [date, time = ""] = String(asked.collectionDateTime).split("T")
  request.pickupDate = date ?? ""
  request.readyTime = time.slice(0, 5)
  request.closeTime = String(asked.collectionCloseTime).replace(/^(..)(..)$/, "$1:$2")
}

/** @param waiting what waits for the pickup, where it was booked for others */
async function printBooked(
  deps: Deps,
  rows: readonly PickupBookingResponse[],
  waiting: readonly string[] = [],
): Promise<void> {
  const items = rows.map((reply) => ({ ...toBookedPickup(reply), waiting, ...sandboxMark(deps.globals) }))
  await print(deps, { rows, items, columns })
}

/**
 * The shipment that a person named; its id goes into the request.
 * @throws FreightError `refused` for one that is cancelled, unless a person says that it is to be collected all the same
 */
async function readShipment(
  deps: Deps,
  request: JsonObject,
  name: string,
  { dryRun = false }: Options,
): Promise<ShipmentDetail> {
  const { shipment } = await findShipment(deps, name)
  request.shipmentId = shipment.id
  const ledger = (await deps.hasLedger()) ? await deps.readLedger() : undefined
  const booked = await ledger?.store.ofShipment(ledger.scopes, shipment.id)
  const word = booked && describeCancelled(booked)
  if (!word && shipment.status !== "CANCELLED") return shipment
  const what = `the shipment is ${word || "cancelled"}`
  if (dryRun) await deps.warn(what)
  else if (!mayAsk(deps))
    throw new FreightError("refused", `${what}: nothing was sent`, {
      hint: word && "If it stands after all, freight cancel with --undo says so first.",
      next: `freight shipments show ${shipment.id}`,
    })
  else if (
    !(await (await deps.prompt()).confirm(`${capital(what)}. Book a pickup for it?`, false, { spends: true }))
  )
    throw new FreightError("input", "you said no: nothing was sent")
  return shipment
}

/** @throws FreightError where it would not be sent */
async function refuseSentPickup(deps: Deps, pickup: Pickup): Promise<void> {
  const [ledger, api] = await Promise.all([deps.ledger("freight"), deps.freight()])
  const { refusal } = await refusalOf(ledger, pickupIntent(api, pickup))
  if (refusal) throw refusal
}

/** The carrier account that collects; its id is undefined when it cannot be told. */
async function connectorFor(
  deps: Deps,
  serviceCode: unknown,
  shipment: ShipmentDetail | undefined,
  { connector: connectorId, dryRun }: Options,
): Promise<{ id: string | undefined; carrier: Carrier | undefined }> {
  if (!shipment)
    return (dryRun ? previewConnector : chooseConnector)(deps, {
      ...{ connectorId, carrier: undefined, serviceCode },
      offline: false,
    })
  const id = await connectorOfShipment(deps, await deps.ledger("freight"), shipment, connectorId)
  return { id, carrier: toCarrier(shipment.carrier) }
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
    const api = await deps.freight()
    const finder = createFinder(deps, "pickup")
    const { pickup } = await finder.find(named, (id) => api.getPickup(id))
    const waiting = await findWaiting(deps, finder.foundAs(named))
    const text = () => details(deps.terminal, listDetails(pickup, waiting))
    const row = namePickup(pickup)
    const json = { pickup: row, freight: { waiting } }
    await print(deps, { json, rowsAt: "pickup", rows: [row], columns: shownColumns, single: true, text })
  },
})

/** The shipments that wait for it, by what people call them. */
async function findWaiting(
  deps: Ledgers,
  found: Pick<ShipmentOrPickup, "entryId" | "scope"> | undefined,
): Promise<string[]> {
  if (found?.entryId === undefined) return []
  const { store } = await deps.readLedger()
  const { nameUntold } = await import("../orders/batch/told.ts")
  return nameUntold(store, found.scope, await findUntold(store.database, { pickupId: found.entryId }))
}

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

const toldColumns: Column<Told>[] = [
  { key: "pickup", title: "PICKUP", rank: 1, gives: "nothing" },
  { key: "shipments", title: "SHIPMENTS", rank: 2, value: ({ shipments }) => shipments.join(" ") },
  { key: "who", title: "TOLD", rank: 3 },
]

export const told = command({
  about:
    "Writes down that you told the carrier of shipments that were added to a pickup after it was booked: only then are they in it. No API can add to a pickup, so call the carrier first. What waits is in freight today.",
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
    const { tellOfPickup } = await import("../orders/batch/told.ts")
    const told = await tellOfPickup(deps, named, options)
    if (told.who !== null || deps.output.format !== "table")
      await print(deps, { rows: [told], columns: toldColumns, single: true })
  },
})
