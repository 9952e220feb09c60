import type { BookingOutcome } from "../../booking/outcome.ts"
import type { Deps } from "../../deps.ts"
import type { FreightError } from "../../errors.ts"
import type { Column } from "../../terminal/columns.ts"
import { print } from "../../terminal/view.ts"

const columns: Column<BookingOutcome>[] = [
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "consignmentNumber", title: "CONSIGNMENT" },
  { key: "orderNumber", title: "ORDER" },
  { key: "connectorId", title: "CONNECTOR", spare: 1 },
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
  {
    key: "freight.warnings",
    title: "WARNINGS",
    value: ({ freight }) => freight.warnings.join("; "),
    hidden: true,
  },
]

/**
 * Prints a booking that stands.
 * @throws `error`, which tells what went wrong after it
 */
export async function showBooking(
  { terminal, output }: Deps,
  booking: BookingOutcome,
  error: FreightError | undefined,
): Promise<void> {
  try {
    await print(terminal, output, { json: booking, rows: [booking], columns, single: true })
  } catch (unwritten) {
    // What went wrong with the booking matters more.
    throw error ?? unwritten
  }
  if (error) throw error
}
