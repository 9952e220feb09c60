import type { BookingResponse } from "../../contract/generated/types.ts"
import type { Deps } from "../../deps.ts"
import type { FreightError } from "../../errors.ts"
import type { Column } from "../../terminal/columns.ts"
import { print } from "../../terminal/view.ts"

const columns: Column<BookingResponse>[] = [
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "consignmentNumber", title: "CONSIGNMENT" },
  { key: "orderNumber", title: "ORDER" },
  { key: "connectorId", title: "CONNECTOR", spare: 1 },
  { key: "pickupStatus", title: "PICKUP" },
  { key: "barcodes", title: "BARCODES", hidden: true },
  { key: "labelWarning", title: "WARNING", hidden: true },
]

/**
 * Prints a booking that stands.
 * @throws `error`, which tells what went wrong after it
 */
export async function showBooking(
  { terminal, output }: Deps,
  booking: BookingResponse,
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
