import type { BookingFile } from "../contract/generated/types.ts"
import { formatDate, nextBusinessDay, wallClockNow } from "../contract/wall-clock.ts"

/**
 * A booking file to start from: every field that most consignments need. It books as it stands in the sandbox.
 * @param nowMs milliseconds since the epoch; the collection is on the next business day
 */
export function exampleBooking(nowMs: number): BookingFile {
  const day = formatDate(nextBusinessDay(wallClockNow(nowMs, "Australia/Sydney")))
  return {
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
    packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
    packagingCode: "CT",
    serviceCode: "STD",
    collectionDateTime: `${day}T10:00:00`,
    collectionCloseTime: "1700",
    payer: { type: "Sender" },
    dangerousGoods: false,
    customerReference: "PO-1001",
  }
}
