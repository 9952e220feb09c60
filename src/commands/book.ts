import {
  askAboutDoubts,
  bookingColumns,
  bookOne,
  checkDraft,
  checkDraftDensity,
  createConfirm,
  exampleBooking,
  fillDraft,
  findReplacingKey,
  findSent,
  finishBooking,
  followFlags,
  type FollowUps,
  gatherSaid,
  isIncomplete,
  keyOf,
  keyOfBooked,
  LABEL_NAME,
  PREFERENCE_FLAGS,
  prepareFollowUps,
  previewOne,
  requireConnector,
  type Stands,
} from "../orders/index.ts"
import { command, type Flags, inGroup, type OptionsOf } from "../command/index.ts"
import type { Deps } from "../session/index.ts"
import * as shared from "../command/flags.ts"
import { type Allowances, BOOKING_FLAGS, FLAG_FIELDS, FLAG_GROUPS, momentAt } from "../contract/index.ts"
import { FreightError } from "../base/errors.ts"
import type { CreateKey } from "../ledger/index.ts"
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

type Options = OptionsOf<typeof flags> & Allowances

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
  run: book,
})

/** POST /{connectorId}/shipments, once: a booking whose reply never came is not sent again. */
async function book(plain: Deps, given: Options): Promise<undefined> {
  const deps = keepingWarnings(plain)
  const options = given.replaces && given.key !== undefined ? await underLaterKey(deps, given) : given
  if (options.example) {
    await printJson(deps, exampleBooking(deps.clock.now()))
    return
  }
  if (options.schema) {
    const { createBookingFileSchema } = await import("../orders/booking/file-schema.ts")
    await deps.terminal.stdout.write(`${jsonText(createBookingFileSchema(), 2)}\n`)
    return
  }
  checkOptions(deps, options)
  if (options.resume) await (await import("../orders/wizard/run.ts")).resumeWhereBegun(deps)
  const said = await gatherSaid(deps, options)
  if (said.given.own.dropOff && options.pickup)
    throw new FreightError(
      "usage",
      "the goods are brought to the carrier (--drop-off), and --pickup has them collected",
      {
        hint: "Leave one of them out. Nothing was sent.",
      },
    )
  const followUps = pickFollowUps(deps, options)
  const before = await findSent(deps, said.given, options)
  if (before) return finish(deps, { ...before, offer: said.given }, options, followUps)
  const draft = await fillDraft(deps, options, said)
  if (options.resume || (deps.interactive && isIncomplete(draft))) {
    await askAboutDoubts(deps, options, async () => checkDraftDensity(draft, options))
    const { own, wish, source } = draft
    const given = { ...said.given, own, wish, source }
    const { bookByAsking } = await import("../orders/wizard/run.ts")
    const wanted = options.dryRun ? followUps : await prepareFollowUps(deps, followUps)
    return bookByAsking(deps, given, options, wanted)
  }
  const { order, offer, road } = await checkDraft(deps, draft, options)
  if (options.dryRun) return previewOne(deps, road, order, offer)
  const named = { ...offer, connectorId: requireConnector(offer.connectorId) }
  const wanted = await prepareFollowUps(deps, followUps)
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
  return bookOne({ ...road, ledger, api, confirm: createConfirm(deps) }, order, named, (booked) =>
    finish(deps, booked, keyOfBooked(keyOf(order), booked), wanted),
  )
}

/** The same words for a booking in the place of one that its carrier has cancelled. */
async function underLaterKey(deps: Deps, options: Options): Promise<Options> {
  const { key = "", dryRun } = options
  const ledger = await (dryRun ? deps.readLedger() : deps.ledger("freight"))
  return { ...options, key: await findReplacingKey(ledger, { key, written: { fields: {} } }), again: true }
}

function pickFollowUps(deps: Deps, options: Options): FollowUps {
  const { wait: waitMs, label, labelName, print, pickup } = options
  return { moment: momentAt(deps.clock.now(), options), waitMs, label, labelName, print, pickup }
}

async function finish(
  deps: BookDeps,
  stands: Stands,
  key: CreateKey,
  followUps: FollowUps,
): Promise<undefined> {
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
  return finishBooking(deps, ledger, stands, key, (shipment) =>
    followFlags(deps, api, ledger, stands, shipment, followUps),
  )
}

/** Whether the command line says anything of a booking, so that what is wrong with it and missing can be told. */
function hasContent(options: Options): boolean {
  const { file, rate, set, like, last } = options
  return [file, rate, set, like, last].some(Boolean) || FLAG_FIELDS.some(({ flag }) => flag.name in options)
}

function checkOptions({ interactive }: Deps, options: Options): void {
  if (options.resume && !interactive)
    throw new FreightError("usage", "--resume asks for what is missing, and there is no terminal")
  if (!interactive && !hasContent(options))
    throw new FreightError(
      "usage",
      "there is nothing to book: give a booking with --file, or its parts as flags",
      { hint: "To start from a booking file: freight book --example. To find a rate: freight rate-shop." },
    )
  if (options.returnOf !== undefined && (options.like !== undefined || options.last))
    throw new FreightError("usage", "--return-of says what is booked, and so does --like or --last", {
      hint: "Leave one of them out. Nothing was sent.",
    })
  if (options.labelName !== undefined && options.label !== true)
    throw new FreightError("usage", "--label-name needs --label without a file")
}

/** What was warned of is part of the result. */
type BookDeps = Deps & { warnings: readonly string[] }

function keepingWarnings(deps: Deps): BookDeps {
  const warnings: string[] = []
  const warn = async (text: string) => {
    warnings.push(text)
    await deps.warn(text)
  }
  // What is made when it is first asked for stays so.
  return Object.assign(Object.create(deps) as Deps, { warn, warnings })
}
