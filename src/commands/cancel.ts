import { command, type Flags, nonEmpty } from "../command/index.ts"
import { formatInstant } from "../base/wall-clock.ts"
import { type Entry, getOwnNumber } from "../ledger/index.ts"
import { sandboxMark } from "../machine/index.ts"
import { SHIPMENT } from "../orders/index.ts"
import { BRIEF, type Column, print } from "../output/index.ts"

const flags = {
  confirmed: {
    takes: "[who]",
    about: "record that the carrier has cancelled it: who said so, a name or a number",
    conflicts: "undo",
  },
  undo: { about: "record that it is not cancelled after all", needs: "why" },
  why: { takes: "<text>", about: "why, and who at the carrier said so", read: nonEmpty, needs: "undo" },
} as const satisfies Flags

type NotedRow = ReturnType<typeof toNotedRow>

const columns: Column<NotedRow>[] = [
  { key: "reference", title: "REFERENCE" },
  { key: "consignmentNumber", title: "CONSIGNMENT" },
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "state", title: "STATE" },
  { key: "confirmedBy", title: "CONFIRMED BY" },
  { key: "at", title: "NOTED", show: ({ at }) => (at === null ? "" : formatInstant(at)), brief: BRIEF.time },
  { key: "person", title: "PERSON" },
  { key: "workstation", title: "WORKSTATION" },
  { key: "why", title: "WHY" },
]

export default command({
  about:
    "Says what to do: neither API can cancel a booking, only the carrier can. It names the carrier and the number to give on the phone. Once the carrier has cancelled it, --confirmed records that, and the booking is left out everywhere; its key stays taken, so that its row is not booked again.",
  args: [{ takes: "[shipment]", about: `${SHIPMENT}; or the carrier's number of a pickup` }],
  flags,
  columns,
  examples: [
    "freight cancel --sandbox demo-shipment",
    'freight cancel --sandbox demo-shipment --confirmed "Kim, 13 20 50"',
    'freight cancel --sandbox demo-shipment --undo --why "Kim rang back: it is collected"',
  ],
  notes: `Exit code: 1 where the carrier is still to be called, 0 where the cancellation is recorded.
An audit disputes charges for it, with that as evidence. To book the order again: batch book --again-for, or book --key, with --replaces.`,
  async run(deps, name, options) {
    const { noteWord, refuseCancelling } = await import("../orders/cancelling/cancel.ts")
    const isWord = options.confirmed !== undefined || options.undo
    const entry = isWord ? await noteWord(deps, name, options) : await refuseCancelling(deps, name)
    await print(deps, {
      rows: [{ ...toNotedRow(entry), ...sandboxMark(deps.globals) }],
      columns,
      single: true,
    })
  },
})

function toNotedRow({ facts, cancelledAt, cancellations, ...entry }: Entry) {
  const last = cancellations?.at(-1)
  const back = last?.takenBack
  const { at = null, by } = back ?? last ?? {}
  return {
    reference: getOwnNumber({ ...entry, facts }) || null,
    consignmentNumber: facts.consignmentNumber ?? null,
    shipmentId: facts.shipmentId ?? null,
    state: cancelledAt === undefined ? "booked" : "cancelled",
    confirmedBy: last?.confirmedBy ?? null,
    at,
    person: by?.person ?? null,
    workstation: by?.workstation ?? null,
    why: back?.why ?? null,
  }
}
