import type { BookingOutcome } from "./outcome.ts"
import { priceText } from "./rates.ts"
import { type Globals, sandboxMark, type Seen, serviceFlags } from "../../machine/index.ts"
import { carrierLetter } from "../../carriers/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import type { ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import type { FreightError } from "../../base/errors.ts"
import type { Entry } from "../../ledger/index.ts"
import { type Column, details, print, type Writing } from "../../output/index.ts"
import { getReturnOf, readOwn } from "../../contract/index.ts"

interface ShowDeps extends Writing {
  readonly globals: Globals
  readonly seen: Pick<Seen, "connectors">
}

export const bookingColumns: Column<BookingOutcome>[] = [
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "consignmentNumber", title: "CONSIGNMENT" },
  { key: "orderNumber", title: "ORDER" },
  { key: "connectorId", title: "CONNECTOR" },
  { key: "pickupStatus", title: "PICKUP" },
  { key: "barcodes", title: "BARCODES", hidden: true },
  { key: "labelWarning", title: "WARNING", hidden: true },
  { key: "freight.key", title: "KEY", hidden: true },
  { key: "freight.reference", title: "REFERENCE", hidden: true },
  { key: "freight.price", title: "PRICE", align: "right", hidden: true },
  { key: "freight.currency", title: "CURRENCY", hidden: true },
  { key: "freight.labelFile", title: "LABEL", hidden: true },
  { key: "freight.pickupId", title: "PICKUP ID", hidden: true },
  { key: "freight.pickupReference", title: "PICKUP REFERENCE", hidden: true },
  { key: "freight.why", title: "WHY", hidden: true },
  {
    key: "freight.warnings",
    title: "WARNINGS",
    value: ({ freight }) => freight.warnings.join("; "),
    hidden: true,
  },
]

/**
 * Prints a booking, for a person or as --format says, then throws `error` if there is one.
 * @param serviceName as the carrier calls the service, if a rate has it
 */
export async function showBooking(
  deps: ShowDeps,
  booking: BookingOutcome,
  entry: Entry,
  serviceName: string | undefined,
  error: FreightError | undefined,
): Promise<void> {
  const text = async () => details(deps.terminal, await buildLines(deps, booking, entry, serviceName))
  try {
    const warnings = booking.freight.warnings.filter((warning) => !deps.warnings.includes(warning))
    const json = { ...toBookingJson(booking), ...sandboxMark(deps.globals) }
    await print(deps, { json, rows: [booking], columns: bookingColumns, single: true, text, warnings })
  } catch (unwritten) {
    // An error of the booking matters more than one of writing.
    throw error ?? unwritten
  }
  if (error) throw error
}

export type BookingJson = ReturnType<typeof toBookingJson>

function toBookingJson(booking: BookingOutcome) {
  const { orderNumber, consignmentNumber, barcodes, shipmentId, connectorId, ...others } = booking
  const { warnings: _, ...freight } = others.freight
  return {
    orderNumber: orderNumber ?? null,
    consignmentNumber: consignmentNumber ?? null,
    barcodes: barcodes ?? [],
    shipmentId,
    connectorId,
    pickupStatus: others.pickupStatus ?? null,
    labelWarning: others.labelWarning ?? null,
    /** Fields that the API's reply does not have. */
    freight,
  }
}

async function buildLines(
  { globals, seen }: ShowDeps,
  booking: BookingOutcome,
  { facts, request }: Entry,
  serviceName: string | undefined,
): Promise<[string, string | null | undefined][]> {
  const { shipmentId, consignmentNumber, connectorId, orderNumber, freight } = booking
  const { serviceCode } = request as ConsignmentBookingRequest
  const connector = (await seen.connectors()).find(({ id }) => id === connectorId)
  const known = connector?.services.find((each) => each.serviceCode === serviceCode)?.description
  const name = serviceName ?? known
  const carrier = facts.carrier ?? connector?.carrier
  return [
    ["Reference", freight.reference],
    ["Consignment", consignmentNumber ?? "not given yet"],
    [
      "Service",
      [
        name === undefined ? serviceCode : `${name} (${serviceCode})`,
        ...(carrier === undefined ? [] : [`carrier ${carrierLetter(carrier)}`]),
      ].join(", "),
    ],
    ["Price", priceText(facts)],
    ["Label", freight.labelFile],
    ["Return of", getReturnOf(facts.own)],
    [
      "Pickup",
      readOwn(facts.own).dropOff ? "none: the goods are brought to the carrier" : pickupText(booking),
    ],
    ["Order", orderNumber],
    ["Shipment", shipmentId],
    [
      "Track it",
      nextCommand("freight", "track", ...serviceFlags(globals), consignmentNumber ?? shipmentId).next,
    ],
  ]
}

function pickupText({ pickupStatus, freight }: BookingOutcome): string | undefined {
  const number = freight.pickupReference ?? freight.pickupId
  const state = pickupStatus?.toLowerCase().replaceAll("_", " ")
  return number === null ? state : [number, ...(state === undefined ? [] : [`(${state})`])].join(" ")
}
