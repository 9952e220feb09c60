import type { BookingFile, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import { formatDate, nextBusinessDay, wallClockNow } from "../../base/wall-clock.ts"

/** References of what freight gives as examples: the row of a template, and a booking file. Only the sandbox books them. */
export const EXAMPLES = { row: "EXAMPLE-1", booking: "EXAMPLE-2" } as const

export function explainExample(reference: string | undefined, isSandbox: boolean): string | undefined {
  if (isSandbox || !Object.values(EXAMPLES).some((each) => each === reference)) return undefined
  return `it is freight's example, by its reference ${reference}: only the sandbox books it`
}

export function refuseExample({ customerReference }: ConsignmentBookingRequest, isSandbox = false): void {
  const example = explainExample(customerReference, isSandbox)
  if (example !== undefined)
    throw new FreightError("input", `nothing was sent: ${example}`, {
      hint: "Make it a booking of your own: its addresses, its goods and its reference.",
    })
}

/** Two businesses that the sandbox knows, and a place of collection. */
export const EXAMPLE_PARTIES = {
  sender: {
    companyName: "Harbour Lighting Pty Ltd",
    contactName: "Dana Reyes",
    phoneAreaCode: "02",
    phoneNumber: "55501234",
    address1: "14 Bourke Road",
    suburb: "Alexandria",
    state: "NSW",
    postcode: "2015",
    email: "dispatch@harbour-lighting.example",
  },
  collection: {
    companyName: "Harbour Lighting Pty Ltd",
    contactName: "Loading dock",
    phoneAreaCode: "02",
    phoneNumber: "55501235",
    address1: "14 Bourke Road",
    suburb: "Alexandria",
    state: "NSW",
    postcode: "2015",
    email: "dock@harbour-lighting.example",
  },
  receiver: {
    companyName: "Port Street Fittings",
    contactName: "Lee Watson",
    address1: "8 Market Street",
    suburb: "Fremantle",
    state: "WA",
    postcode: "6160",
    email: "goods-in@port-street.example",
  },
} satisfies Partial<BookingFile>

/**
 * A booking file to start from: every field that most consignments need. It books as it stands in the sandbox.
 * @param nowMs milliseconds since the epoch; the collection is on the next business day
 */
export function exampleBooking(nowMs: number): BookingFile {
  const day = formatDate(nextBusinessDay(wallClockNow(nowMs, "Australia/Sydney")))
  return {
    ...structuredClone(EXAMPLE_PARTIES),
    packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
    packagingCode: "CT",
    serviceCode: "STD",
    collectionDateTime: `${day}T10:00:00`,
    collectionCloseTime: "1700",
    payer: { type: "Sender" },
    dangerousGoods: false,
    customerReference: EXAMPLES.booking,
  }
}
