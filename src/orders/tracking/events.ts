/** Tracking as rows and in words. */
import { quoted } from "../../base/parsed.ts"
import type { TrackingEvent, TrackingInfo, TrackingResponse } from "../../contract/generated/types.ts"
import { type Ends, findEventClock, formatInstantAt, toPlaceClock } from "../../contract/index.ts"
import { type Cancellation, toWord } from "../../ledger/index.ts"
import { BRIEF, type Column } from "../../output/index.ts"

export interface Tracked extends TrackingResponse {
  consignment: string
  /** From the ledger: its carrier has cancelled it on the phone. */
  freight?: { cancelled: Cancellation }
}

/** The printed fields of a consignment. */
export function toTrackedItem({ consignment, supported, tracking, freight }: Tracked) {
  const cancelled = freight && { cancelled: toWord(freight.cancelled) }
  return {
    consignmentNumber: consignment,
    supported,
    /** The API's reply. */
    tracking: tracking ?? null,
    /** The ledger's data; null if it has none. */
    freight: cancelled ?? null,
  }
}

export function toEventItem({ consignment: consignmentNumber, ...event }: EventRow) {
  return { consignmentNumber, ...event }
}

/** An event with the state of its consignment: a row of a table, and a line of `--watch`. */
export type EventRow = { consignment: string } & TrackingEvent & Omit<TrackingInfo, "events">

export const eventColumns: Column<EventRow>[] = [
  { key: "consignment", title: "CONSIGNMENT", gives: "nothing" },
  { key: "timestamp", title: "TIME", brief: BRIEF.time, gives: "nothing" },
  { key: "status", title: "STATUS", isState: true },
  { key: "location", title: "LOCATION" },
  { key: "description", title: "DESCRIPTION", gives: "words" },
  { key: "currentStatus", title: "NOW", hidden: true },
  { key: "eta", title: "EXPECTED", hidden: true },
  { key: "deliveredAt", title: "DELIVERED", hidden: true },
  { key: "pod.signedBy", title: "SIGNED BY", hidden: true },
  { key: "pod.itemsReceived", title: "ITEMS", hidden: true },
  { key: "pod.deliveryNotation", title: "NOTATION", hidden: true },
  { key: "pod.signatureImageUrl", title: "SIGNATURE", hidden: true },
]

export type FindEnds = (consignment: string) => Promise<Ends>

/** The time of an event by the clock of its place; by this machine's if the receiver is not known. */
export function eventTime({ timestamp, location }: TrackingEvent, ends: Ends): string {
  return formatInstantAt(timestamp, findEventClock(location, ends))
}

/** The columns of one consignment's events, whose times a table shows by the clocks of their places. */
export function journeyColumns(ends: Ends): Column<EventRow>[] {
  return eventColumns.flatMap((column) => {
    if (column.key === "consignment") return []
    return column.key === "timestamp"
      ? [{ ...column, show: (event: EventRow) => eventTime(event, ends) }]
      : [column]
  })
}

export function eventRows({ consignment, tracking }: Tracked): EventRow[] {
  if (!tracking) return []
  const { events, ...standing } = tracking
  return events.map((event) => ({ consignment, ...event, ...standing }))
}

/** Nothing more will happen: it was delivered, or will never be. The status is in the carrier's own words. */
export function isOver({ tracking }: TrackingResponse): boolean {
  if (!tracking) return false
  return Boolean(tracking.deliveredAt) || /^(delivered|cancell?ed)$/i.test(tracking.currentStatus.trim())
}

/** The carrier has the consignment and knows nothing of it yet: ask again in 30 to 60 seconds (freight behaviour 6). */
export function isPending({ supported, tracking }: TrackingResponse): boolean {
  return supported && !tracking
}

/** The status of a consignment, in a line. */
export function standing({ supported, tracking }: TrackingResponse, { to }: Ends): string {
  if (!supported) return "this carrier has no tracking"
  if (!tracking) return "nothing yet; ask again in 30 to 60 seconds, or use --wait"
  const { currentStatus, deliveredAt, eta } = tracking
  if (deliveredAt) return `${currentStatus}, ${formatInstantAt(deliveredAt, toPlaceClock(to))}`
  return eta ? `${currentStatus}, expected ${eta}` : currentStatus
}

/** Proof of delivery as named values. The signature's address is text: it is never asked for. */
export function proofOfDelivery({ tracking }: TrackingResponse): [string, string][] {
  const { signedBy, itemsReceived, deliveryNotation, signatureImageUrl } = tracking?.pod ?? {}
  const proof: [string, string | null | undefined][] = [
    ["Signed by", signedBy],
    ["Items received", itemsReceived],
    ["Notation", deliveryNotation],
    ["Signature", signatureImageUrl],
  ]
  return proof.filter((line): line is [string, string] => Boolean(line[1]))
}

/**
 * Detects a consignment number that a spreadsheet took for a number: `1.2E+12`, or `123456.0`. Digits are lost, so it
 * is never looked up.
 */
export function spreadsheetDamage(consignment: string): string | undefined {
  if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(consignment))
    return `${quoted(consignment)} was a consignment number until a spreadsheet shortened it: format the column as text and paste the number again`
  if (/^\d+[.,]0+$/.test(consignment))
    return `${quoted(consignment)} was turned into a decimal number by a spreadsheet: format the column as text, without the ".0"`
  return undefined
}
