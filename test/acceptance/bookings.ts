/**
 * Bookings: made straight over the API, so that a test of another command need not run `freight book`, or by a desk that
 * has a file to book from.
 */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { exampleBooking } from "../../src/booking/example.ts"
import { itemsOf } from "../../src/contract/packages.ts"
import type { BookingResponse, ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { desk } from "./freight.ts"
import type { SandboxReach } from "./sandbox.ts"

const SERVICES = { "connector-a": "76", "connector-b": "GEN", "connector-c": "STD" } as const

/** The example with a reference of one's own: a real account refuses it as it stands. */
export function ownBooking() {
  return { ...exampleBooking(Date.now()), customerReference: "PO-1001" }
}

/** Books the example, changed as asked, with one of the sandbox's connectors. */
export async function booked(
  sandbox: SandboxReach,
  connector: keyof typeof SERVICES,
  changes: Partial<ConsignmentBookingRequest> = {},
): Promise<BookingResponse> {
  const example = ownBooking()
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

let desks = 0

/**
 * A desk with such a booking in its folder, as `booking.json`; `book` books that. Each desk has a ledger of its own and a
 * booking of its own: what another desk has booked with the same account would be found there.
 */
export async function bookingDesk(sandbox: SandboxReach) {
  const made = await desk(sandbox)
  const { receiver, ...booking } = ownBooking()
  const n = ++desks
  const own = {
    ...booking,
    customerReference: `PO-1001-${n}`,
    receiver: { ...receiver, address1: `${n} Market Street` },
  }
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(own))
  return {
    ...made,
    book: (...more: string[]) => made.freight(["book", "--file", "booking.json", "--json", ...more]),
  }
}
