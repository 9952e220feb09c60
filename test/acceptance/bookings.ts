/**
 * Bookings: made straight over the API, so that a test of another command need not run `freight book`, or by a desk that
 * has a file to book from.
 */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { itemsOf } from "../../src/contract/packages.ts"
import type { BookingResponse, ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { desk } from "./freight.ts"
import type { SandboxReach } from "./sandbox.ts"

const SERVICES = { "connector-a": "76", "connector-b": "GEN", "connector-c": "STD" } as const

/** The example itself is at 8 Market Street. */
let made = 8

/**
 * The example with a reference and a receiver of its own: a real account refuses it as it stands, and what another ledger
 * has booked with the same account would be found there.
 */
export function ownBooking() {
  const { receiver, ...example } = exampleBooking(Date.now())
  const own = { ...receiver, address1: `${++made} Market Street` }
  return { ...example, receiver: own, customerReference: `PO-own-${made}` }
}

/** Books the example, changed as asked, with one of the sandbox's connectors. */
export async function booked(
  sandbox: SandboxReach,
  connector: keyof typeof SERVICES,
  changes: Partial<ConsignmentBookingRequest> = {},
): Promise<BookingResponse> {
  const example = { ...exampleBooking(Date.now()), customerReference: "PO-1001" }
  const packages = changes.packages ?? example.packages
  const request = {
    ...example,
    serviceCode: SERVICES[connector],
    ...changes,
    packages,
    items: itemsOf(packages),
  }
  const reply = await fetch(`${sandbox.freightBaseUrl}/${connector}/shipments`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.freightApiKey}`, "content-type": "application/json" },
    body: JSON.stringify(request),
  })
  if (reply.status !== 201) throw new Error(`booking: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as BookingResponse
}

/** A desk with such a booking in its folder, as `booking.json`; `book` books that. */
export async function bookingDesk(sandbox: SandboxReach) {
  const made = await desk(sandbox)
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(ownBooking()))
  return {
    ...made,
    book: (...more: string[]) => made.freight(["book", "--file", "booking.json", "--json", ...more]),
  }
}
