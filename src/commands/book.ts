import type { Command } from "commander"
import { chooseConnector } from "../booking/connector.ts"
import { exampleBooking } from "../booking/example.ts"
import { type FollowUps, followUp } from "../booking/follow-ups.ts"
import { rememberCarrierPickup } from "../booking/pickup.ts"
import { type BookOptions, checkedBooking, draftBooking } from "../booking/request.ts"
import { type Booking, sendBooking } from "../booking/send.ts"
import type { BookingResponse } from "../contract/generated/types.ts"
import { safeText } from "../contract/safe-text.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { jsonText } from "../terminal/json-text.ts"
import { print } from "../terminal/view.ts"
import type { Act } from "./shared/act.ts"
import { duration } from "./shared/duration.ts"
import { examples, repeat } from "./shared/examples.ts"

interface Options extends BookOptions {
  dryRun?: boolean
  example?: boolean
  wait?: string | true
  label?: string | true
  print?: string | true
  pickup?: boolean
  key?: string
  again?: boolean
}

export function define(command: Command, act: Act): void {
  command
    .description(
      "Books a consignment. A booking cannot be cancelled over the API, so everything is checked before it is sent.",
    )
    .option("--file <file>", "a booking as JSON, or - for standard input; flags override it")
    .option("--rate <id>", "book this rate: connector, service and quote come from the last rate-shop")
    .option("--quote <id>", "the quote of --rate, where this machine did not ask for it")
    .option("--connector <id>", "the carrier account to book with")
    .option("--service <code>", "the service to book")
    .option("--sender <name|file>", "sender: a saved address, or a FILE.json")
    .option("--collection <name|file>", "collection, the same way (the sender)")
    .option("--receiver <name|file>", "receiver, the same way")
    .option("--package <spec>", "2x40x30x20@5.5 is two of 40 × 30 × 20 cm, 5.5 kg each (repeatable)", repeat)
    .option("--packaging <code>", "CT carton, BX box, SA satchel, PA pallet, EN, CR, DR, RO, BG, PC")
    .option("--ready <time>", "ready for collection, by the clock there: 2026-11-23T10:00")
    .option("--close <time>", "the premises close, by the clock there: 17:00")
    .option("--payer <who>", "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (sender)")
    .option("--reference <text>", "your own reference")
    .option("--instructions <text>", "special instructions for the driver")
    .option("--set <field=value>", "any other field: extendedWarranty.value=500 (repeatable)", repeat)
    .option("--key <key>", "your own name for this booking: the same key is never booked twice")
    .option("--again", "book although an equal booking was made within 24 hours")
    .option("--dry-run", "print the request that would be sent, and send nothing")
    .option("--example", "print a booking file to start from, and send nothing")
    .option("--wait [seconds]", "then wait for the consignment number (120)")
    .option("--label [file]", "then save the label (label-SHIPMENT.pdf)")
    .option("--print [device]", "then print the label (on this workstation's device)")
    .option("--pickup", "then have the carrier collect it")
    .addHelpText(
      "after",
      examples(
        "freight book --example > booking.json",
        "freight book --sandbox --file booking.json --dry-run",
        "freight book --sandbox --file booking.json --wait --label label.pdf --json",
      ),
    )
    .action(act(run))
}

const columns: Column<BookingResponse>[] = [
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "consignmentNumber", title: "CONSIGNMENT" },
  { key: "orderNumber", title: "ORDER" },
  { key: "connectorId", title: "CONNECTOR" },
  { key: "pickupStatus", title: "PICKUP" },
  { key: "barcodes", title: "BARCODES", hidden: true },
  { key: "labelWarning", title: "WARNING", hidden: true },
]

/** POST /{connectorId}/shipments, once: a booking whose reply never came is not sent again. */
async function run(deps: Deps, options: Options): Promise<undefined> {
  if (options.example) {
    await deps.terminal.stdout.write(`${jsonText(exampleBooking(deps.clock.now()), 2)}\n`)
    return
  }
  if (!options.file && !options.rate && !options.receiver && !options.set)
    throw new FreightError(
      "usage",
      "there is nothing to book: give a booking with --file, or its parts as flags",
      {
        hint: "freight book --example prints a booking file to start from; freight rate-shop finds a rate to book.",
      },
    )
  if (options.key !== undefined && options.again)
    throw new FreightError("usage", "--key and --again contradict each other: a key is never booked twice", {
      hint: "For a second booking give another key, or none with --again.",
    })
  if (options.key?.trim() === "") throw new FreightError("usage", "--key is empty")
  const followUps = {
    waitMs: options.wait === undefined ? undefined : duration(options.wait, "--wait", 120),
    label: options.label,
    print: options.print,
    pickup: options.pickup,
  }
  const draft = await draftBooking(deps, options)
  for (const note of draft.notes) await deps.note(note)

  const connector = await chooseConnector(deps, {
    connectorId: options.connector ?? draft.rate?.connectorId,
    carrier: draft.rate?.carrier,
    serviceCode: draft.request.serviceCode,
    offline: options.dryRun === true,
  })
  const { request, warnings } = checkedBooking(draft, connector.carrier, deps.clock.now())
  for (const warning of warnings) await deps.warn(warning)
  if (options.dryRun) {
    await deps.terminal.stdout.write(`${jsonText(request, 2)}\n`)
    await deps.note(`Nothing was sent. It would go to POST /${connector.id ?? "{connectorId}"}/shipments.`)
    return
  }
  if (connector.id === undefined)
    throw new FreightError("usage", "which connector to book with is not known: give --connector ID", {
      next: "freight connectors",
    })

  await book(
    deps,
    { connectorId: connector.id, carrier: connector.carrier, request, rate: draft.rate },
    options,
    followUps,
  )
  return
}

/** Sends it, does what is to follow, and prints the booking whatever came of that. */
async function book(deps: Deps, booking: Booking, options: Options, followUps: FollowUps): Promise<void> {
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
  const key = options.key !== undefined && { key: options.key }
  const sent = await sendBooking(ledger, api, { ...booking, ...key, ...(options.again && { again: true }) })
  const { shipmentId, pickupStatus, labelWarning } = sent.response
  await deps.note(
    sent.recorded
      ? `Booked before under this key: shipment ${safeText(shipmentId)}. It was not sent again.`
      : `Booked: shipment ${safeText(shipmentId)}.`,
  )
  if (labelWarning) await deps.warn(safeText(labelWarning))
  if (pickupStatus === "RECONCILE_NEEDED") {
    await deps.warn("the carrier has a pickup for this shipment that the service lost: never book another")
    const { connectorId } = booking
    await rememberCarrierPickup(ledger, { connectorId, shipmentId, reference: labelWarning })
  }
  const done = await followUp(deps, api, ledger, { ...booking, ...key, booking: sent.response }, followUps)
  await print(deps.terminal, deps.output, { json: done.booking, rows: [done.booking], columns, single: true })
  if (done.error) throw done.error
}
