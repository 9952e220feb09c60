import { bookingColumns, bookSaid, exampleBooking, LABEL_NAME, PREFERENCE_FLAGS } from "../orders/index.ts"
import { command, type Flags, inGroup } from "../command/index.ts"
import * as shared from "../command/flags.ts"
import { BOOKING_FLAGS, FLAG_GROUPS } from "../contract/index.ts"
import { JSON_FORMATS, jsonText, OBJECT_FORMATS, printJson } from "../output/index.ts"

/** The headings of the help come in the order of the flags. */
function sortByGroup<const F extends Flags>(flags: F): F {
  const order: readonly (string | undefined)[] = FLAG_GROUPS
  const sorted = Object.entries(flags).sort(
    ([, one], [, other]) => order.indexOf(one.group) - order.indexOf(other.group),
  )
  return Object.fromEntries(sorted) as F
}

const flags = sortByGroup({
  ...BOOKING_FLAGS,
  ...inGroup("What", {
    set: {
      takes: "<field=value>",
      about: "any other field: extendedWarranty.value=500 (repeatable)",
      isRepeatable: true,
    },
    file: {
      takes: "<file>",
      about: "a booking as JSON, or - for standard input; flags override it",
      isInput: true,
    },
    like: {
      takes: "<name>",
      about: "start from the booking with this reference, key, consignment number or id",
      conflicts: "last",
    },
    last: { about: "start from the last booking" },
    resume: { about: "continue an unfinished booking" },
    example: { about: "print a booking file to start from, and send nothing", formats: JSON_FORMATS },
    schema: {
      about: "print the JSON Schema of a booking file, for editors, and send nothing",
      formats: ["table", "json"],
    },
  }),
  ...inGroup("Which service", {
    rate: {
      takes: "<number>",
      about:
        "book this rate, by its number in the last rate-shop or by its id: connector, service and quote come with it",
    },
    quote: { takes: "<id>", about: "the quote of --rate, if this machine did not ask for it" },
    connector: { takes: "<id>", about: "the carrier account to book with" },
    ...PREFERENCE_FLAGS,
    ...shared.MISSING_FLAG,
    noRate: { about: "do not ask for the price before booking without a rate" },
  }),
  ...inGroup("Afterwards", {
    wait: {
      takes: "[seconds]",
      about: "then wait for the consignment number (default: 120 s)",
      alone: "120",
      read: shared.milliseconds,
    },
    label: {
      takes: "[file]",
      about: "then save the label (default: REFERENCE.pdf, or CONSIGNMENT.pdf without one)",
      writes: "pdf",
    },
    labelName: LABEL_NAME,
    force: { about: "overwrite a file that freight did not write, with the label" },
    print: { takes: "[device]", about: "then print the label (on this workstation's device)" },
    pickup: { about: "then have the carrier collect it" },
  }),
  ...inGroup("Safety", {
    dryRun: { about: "print the request that would be sent, and send nothing", formats: OBJECT_FORMATS },
    key: {
      takes: "<key>",
      about: "your own name for this booking: the same key is never booked twice",
      read: shared.readKey,
    },
    replaces: {
      about:
        "it takes the place of what was booked under this key, and the carrier has cancelled: see freight cancel --confirmed",
      needs: "key",
    },
    again: {
      about: "book although an equal booking was made within 24 hours, or this order under another key",
    },
    ...shared.YES_FLAG,
    ...shared.LOOK_FLAG,
    ...shared.ALLOW_FLAGS,
    ...shared.FIX_PLACES_FLAG,
  }),
})

export default command({
  about:
    "Books a consignment. On a terminal it asks for what is missing. A booking cannot be cancelled over the API, so everything is checked before it is sent.",
  flags,
  daily: [
    ...["file", "package", "sender", "receiver", "ready", "close", "service"],
    ...["rate", "label", "print", "pickup", "dryRun", "key", "yes"],
  ] as const,
  alsoWrites: ({ label }) => (label === true ? [{ flag: "--label", file: ".", writes: "folder" }] : []),
  columns: bookingColumns,
  examples: [
    "freight book --example > booking.json",
    "freight book --sandbox --file booking.json --dry-run",
    "freight book --sandbox --file booking.json --wait --label label.pdf --json",
    'freight book --sandbox --sender "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015, 02 5550 1234" --receiver "Port Street Fittings, 8 Market Street, Fremantle WA 6160, 08 5550 4321" --package 2x40x30x20@5.5 --packaging CT --ready "tomorrow 10am" --close 17:00 --service cheapest --yes',
  ],
  async run(deps, options) {
    if (options.example) {
      await printJson(deps, exampleBooking(deps.clock.now()))
      return
    }
    if (options.schema) {
      const { createBookingFileSchema } = await import("../orders/booking/file-schema.ts")
      await deps.terminal.stdout.write(`${jsonText(createBookingFileSchema(), 2)}\n`)
      return
    }
    await bookSaid(deps, options)
  },
})
