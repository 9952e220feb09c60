import { refreshBooking, noteBooking, toOutcome } from "../orders/booking/outcome.ts"
import { createCompleteRates } from "../orders/booking/evidence.ts"
import { checkNamedRate, limitToRate, priceOrder, type PriceDeps } from "../orders/booking/price.ts"
import {
  checkAvoidedNames,
  chooseConnector,
  fetchConnectors,
  requireConnector,
} from "../orders/booking/connector.ts"
import { exampleBooking, refuseExample } from "../orders/booking/example.ts"
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import {
  BOOKING_FLAGS,
  FLAG_FIELDS,
  FLAG_GROUPS,
  type FlagGroup,
  PARTIES,
} from "../contract/fields/booking.ts"
import { lookElsewhere } from "../orders/booking/elsewhere.ts"
import { type FollowUps, followUp, toBooked } from "../orders/booking/follow-ups.ts"
import { findStanding } from "../orders/booking/standings.ts"
import { againOf, keyOf, type Offer, requestOf, toOrder } from "../orders/booking/order.ts"
import {
  type BookingDraft,
  checkBookingDraft,
  checkDraftDensity,
  clockAtCollection,
  fillDefaults,
  gatherBooking,
  hasOrder,
  isIncomplete,
} from "../orders/booking/request.ts"
import type { JsonObject } from "../base/json.ts"
import { bookingIntent } from "../orders/booking/send.ts"
import { bookOne, createConfirm } from "../orders/booking/book-one.ts"
import { createJudge, describeLateOffer } from "../orders/booking/in-time.ts"
import { notePrice, previewBooking, previewConnector } from "../orders/booking/preview.ts"
import { bookingColumns, showBooking } from "../orders/booking/show.ts"
import { nameRate } from "../orders/booking/rates.ts"
import { getMostCents } from "../orders/booking/gst.ts"
import {
  avoidedError,
  isAvoided,
  type Limits,
  needsRates,
  parseService,
  readPreferences,
  readSaid,
  toLimits,
  toWishes,
} from "../orders/booking/preferences.ts"
import { serviceFlags } from "../machine/config/next.ts"
import { type Allowances, momentAt, pickAllowances } from "../contract/collection-times.ts"
import { findHomeNote, noteWarnings } from "../contract/driver-notes.ts"
import { inWords } from "../contract/findings.ts"
import { describeOwn, type Own, withoutWishes, withOwn } from "../contract/fields/own.ts"
import { fixPlaces, listPlaces } from "../contract/place-doubts.ts"
import type { BookingResponse } from "../contract/generated/types.ts"
import { amountOf, formatMoney } from "../base/money.ts"
import { zoneHere } from "../base/wall-clock.ts"
import type { Deps } from "../command/deps.ts"
import { FreightError, toStepError } from "../base/errors.ts"
import { claimOf, type Created, type CreateKey } from "../ledger/create.ts"
import { sentText } from "../ledger/entry.ts"
import { describeIgnored } from "../ledger/order.ts"
import { describeBooked, NotSent } from "../ledger/refusals.ts"
import { capital } from "../output/terminal/sanitize.ts"
import { jsonText } from "../output/terminal/json-text.ts"
import { printJson } from "../output/terminal/view.ts"
import type { Earlier } from "../orders/lookup/earlier.ts"
import type { KeptRate } from "../machine/memory/quotes.ts"
import {
  ALLOW_FLAGS,
  MISSING_FLAG,
  FIX_PLACES_FLAG,
  LOOK_FLAG,
  milliseconds,
  readKey,
  YES_FLAG,
} from "../command/flags.ts"
import { LABEL_NAME, PREFERENCE_FLAGS } from "../orders/booking/service-flags.ts"
import { prepareDevice } from "../orders/printing/ahead.ts"
import { askAboutDoubts } from "../orders/booking/doubts.ts"
import { mayAsk } from "../command/may-ask.ts"

function inGroup<const F extends Flags>(group: FlagGroup, flags: F): F {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, group }])) as F
}

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
    example: { about: "print a booking file to start from, and send nothing" },
    schema: { about: "print the JSON Schema of a booking file, for editors, and send nothing" },
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
    ...MISSING_FLAG,
    noRate: { about: "do not ask for the price before booking without a rate" },
  }),
  ...inGroup("Afterwards", {
    wait: {
      takes: "[seconds]",
      about: "then wait for the consignment number (default: 120 s)",
      alone: "120",
      read: milliseconds,
    },
    label: {
      takes: "[file]",
      about: "then save the label (default: REFERENCE.pdf, or CONSIGNMENT.pdf without one)",
      writes: "pdf",
    },
    labelName: LABEL_NAME,
    force: { about: "save the label even over a file that freight did not write" },
    print: { takes: "[device]", about: "then print the label (on this workstation's device)" },
    pickup: { about: "then have the carrier collect it" },
  }),
  ...inGroup("Safety", {
    dryRun: { about: "print the request that would be sent, and send nothing" },
    key: {
      takes: "<key>",
      about: "your own name for this booking: the same key is never booked twice",
      read: readKey,
    },
    again: {
      about: "book even if an equal booking was made within 24 hours, or this order under another key",
    },
    ...YES_FLAG,
    ...LOOK_FLAG,
    ...ALLOW_FLAGS,
    ...FIX_PLACES_FLAG,
  }),
})

type Options = OptionsOf<typeof flags> & Allowances

export default command({
  about:
    "Books a consignment. On a terminal it asks for what is missing. A booking cannot be cancelled over the API, so everything is checked before it is sent.",
  flags,
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
async function book(plain: Deps, options: Options): Promise<undefined> {
  const deps = keepingWarnings(plain)
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
  const { rate: rateId, like: _, ...others } = options
  const like = await findLike(deps, options)
  const { connector: typed } = options
  const isRateNamed = typeof rateId === "string"
  if (like?.connectorId !== undefined && !isRateNamed) options.connector ??= like.connectorId
  const given = await gatherBooking(
    deps,
    { ...others, ...(isRateNamed && { rate: rateId }) },
    like && withOwn(like.request, like.own),
  )
  // A file may allow as well; what a person answers to a doubt is noted beside it.
  Object.assign(options, pickAllowances(given.source.allowed))
  const followUps = {
    moment: momentAt(deps.clock.now(), options),
    waitMs: options.wait,
    label: options.label,
    labelName: options.labelName,
    print: options.print,
    pickup: options.pickup,
  }
  const { connector: kept } = given.own
  // A rate that is known here has an account itself.
  if (typed === undefined && !given.rate && kept !== undefined) options.connector = kept
  // Nobody sees a price that is another by now.
  const isHeld = options.rate !== false && options.maxPrice === undefined && !deps.spending.isOpen
  if (given.expired) {
    options.connector ??= given.expired.connectorId
    given.notes.push(describeExpired(given.expired, options, isHeld))
  }
  const isNew = options.key === undefined || options.dryRun || options.resume
  if (!isNew && (!deps.interactive || hasOrder(given))) {
    const before = await findBooked(deps, given, options.key ?? "", options)
    if (before) return followAndShow(deps, before, options, given.rate, followUps)
  }
  const filled = options.fixPlaces ? await fixDraftPlaces(deps, fillDefaults(given)) : fillDefaults(given)
  const now = () => clockAtCollection(deps, filled.request)
  const ofFile = toLimits(filled.own)
  const wishes = readPreferences(options, deps.settings, now, ofFile)
  const own = { ...filled.own, ...toWishes(readSaid({ ...options, connector: typed }, now, ofFile)) }
  if (filled.rate || filled.request.rateId !== undefined)
    await askAboutDoubts(deps, options, async () =>
      checkNamedRate(filled.rate, wishes, createJudge(filled.request, deps.clock.now()), options),
    )
  await checkAvoidedNames(deps, wishes)
  const { connector } = options
  const wish: Limits = {
    ...wishes,
    ...(connector !== undefined && { connectorId: connector }),
    ...(given.expired && isHeld && limitToRate(wishes, given.expired)),
  }
  // The options themselves: what a person answers to a doubt is noted in them.
  const said = { own, wish, source: { ...filled.source, allowed: options } }
  let draft = { ...filled, ...said }
  if (options.resume || (deps.interactive && isIncomplete(draft))) {
    await askAboutDoubts(deps, options, async () => checkDraftDensity(draft, options))
    return askAndBook(deps, { ...given, ...said }, options, await prepareFollowUps(deps, followUps, options))
  }
  for (const note of draft.notes) await deps.note(note)
  draft = { ...draft, own: await settleHomeNote(deps, draft) }
  for (const warning of noteWarnings(draft.request.specialInstructions, draft.own))
    await deps.warn(inWords(warning))

  const { order, offer, warnings } = await askAboutDoubts(deps, options, () =>
    checkOrder(deps, draft, options),
  )
  const request = requestOf(order, offer)
  refuseExample(request, deps.globals.sandbox)
  if (offer.why !== undefined) await deps.note(`Chosen: ${offer.why}.`)
  if (isAvoided(offer, wish)) throw avoidedError(offer)
  for (const warning of warnings) await deps.warn(warning)
  const price = async () =>
    options.rate === false ? offer : priceOrder(await pricing(deps), order, offer, "wanted")
  const look = async () => {
    if (order.key !== undefined || request.customerReference !== undefined)
      await lookElsewhere(deps, await deps.ledger("freight"), await deps.freight(), options)
  }
  if (options.dryRun)
    return previewBooking(deps, order, offer, price, options.rate === false ? undefined : look)
  const named = { ...offer, connectorId: requireConnector(offer.connectorId) }
  const wanted = await prepareFollowUps(deps, followUps, options)
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
  const onPriced = async (priced: Offer, stands: boolean) => {
    if (priced.warning !== undefined) await deps.warn(priced.warning)
    const late = stands ? undefined : describeLateOffer(order, priced, deps.clock.now())
    if (late !== undefined) await deps.warn(late)
    const once = order.source.again && bookingIntent(againOf(order, false), priced)
    const first = once && (await ledger.store.look(claimOf(ledger, once)))
    if (first && first.kind === "equal")
      await deps.note(
        `An equal one ${describeBooked(first.entry)}: this is another, and takes nothing of it.`,
      )
    await notePrice(deps, order, priced)
  }
  const confirm = createConfirm(deps)
  const booked = await bookOne({ ledger, api, look, price, onPriced, confirm }, order, named)
  if (booked.error) return showOutcome(deps, { ...booked, booking: booked.response }, booked.error)
  await followAndShow(deps, booked, keyOf(order), booked.offer.rate, wanted)
}

/** Looks at what could fail after the booking, which nothing can cancel. @throws FreightError while nothing was sent */
async function prepareFollowUps(deps: Deps, followUps: FollowUps, { dryRun }: Options): Promise<FollowUps> {
  const { print } = followUps
  if (dryRun || print === undefined) return followUps
  return { ...followUps, print: await prepareDevice(deps, print) }
}

/** What is known of a draft, with what a person says of a note by which its receiver is a home. */
async function settleHomeNote(deps: Deps, { request, own, rate }: BookingDraft): Promise<Own> {
  const home = findHomeNote(request.specialInstructions, own)
  if (home === undefined || rate || !mayAsk(deps)) return own
  const question = `The instructions have "${home}". Does it go to a home? Carriers charge more for homes.`
  return { ...own, "receiver.residential": await (await deps.prompt()).confirm(question, true) }
}

/** Corrects the places of a draft, and says what it changed. What was written still identifies the order. */
async function fixDraftPlaces(deps: Deps, draft: BookingDraft): Promise<BookingDraft> {
  const judge = await deps.places(listPlaces(draft.request, PARTIES))
  const { request, writtenPlaces, changes } = fixPlaces(draft.request, PARTIES, judge)
  for (const { field, says } of changes) await deps.note(`The ${field}'s place ${says}.`)
  const written = { ...draft.source.written, places: writtenPlaces }
  return { ...draft, request, source: { ...draft.source, written } }
}

/**
 * What stands under the key, if it is of the order that is given. A look may settle what is unknown.
 * @throws FreightError if it is not, or its outcome is unknown
 */
async function findBooked(
  deps: Deps,
  { source: { written } }: BookingDraft,
  key: string,
  { withoutLooking }: Options,
): Promise<Created<BookingResponse> | undefined> {
  const ledger = await deps.ledger("freight")
  let standing = await findStanding(ledger, { key, written })
  if (standing.kind === "unknown") {
    try {
      await lookElsewhere(deps, ledger, await deps.freight(), { withoutLooking, dryRun: true })
    } catch (error) {
      toStepError(error)
    }
    standing = await findStanding(ledger, { key, written })
  }
  if (standing.kind === "unknown" || standing.kind === "changed") throw new NotSent(standing)
  if (standing.kind !== "booked") return undefined
  const { entry, ignored } = standing
  if (ignored.length > 0) await deps.note(describeIgnored(ignored))
  return { response: entry.response as BookingResponse, recorded: true, entry }
}

async function pricing(deps: Deps): Promise<PriceDeps> {
  const { clock, ratePace } = deps
  const api = await deps.freight()
  const connectors = () => fetchConnectors(deps)
  return { api, clock, completeRates: createCompleteRates(deps), connectors, ratePace, mayAsk: mayAsk(deps) }
}

/**
 * The order of a checked draft, with the service that it names, or the one that was chosen by its wishes.
 * @throws FreightError with all that is wrong
 */
async function checkOrder(deps: Deps, draft: BookingDraft, options: Options) {
  const { rate } = draft
  const { serviceCode, rateId } = draft.request
  const knowledge = await deps.knowledge(listPlaces(draft.request, PARTIES))
  const moment = momentAt(deps.clock.now(), options, knowledge)
  const check = (request: BookingDraft["request"], carrier: Offer["carrier"]) => {
    const checked = checkBookingDraft({ ...draft, request }, carrier, moment)
    return { order: toOrder(draft, checked.request), warnings: checked.warnings }
  }
  if (
    !rate &&
    rateId === undefined &&
    needsRates({ wish: { ...draft.wish, ...parseService(String(serviceCode)) } })
  ) {
    const { order } = check(draft.request, undefined)
    const offer = await priceOrder(await pricing(deps), order, undefined, "needed")
    const { warnings } = check(requestOf(order, offer) as unknown as JsonObject, offer.carrier)
    return { order, offer, warnings }
  }
  const { id: connectorId = "", carrier } = await (options.dryRun ? previewConnector : chooseConnector)(
    deps,
    {
      connectorId: options.connector ?? rate?.connectorId,
      carrier: rate?.carrier,
      serviceCode,
      offline: options.dryRun === true && options.rate === false,
    },
  )
  const checked = check(draft.request, carrier)
  const offer: Offer = { connectorId, carrier, serviceCode: String(serviceCode), rate }
  return { ...checked, offer }
}

/**
 * What is done where the rate that a file names is too old.
 * @param isHeld to what that rate came to
 */
function describeExpired(kept: KeptRate, { rate, connector }: Options, isHeld: boolean): string {
  const { serviceCode, currency } = kept.rate
  const instead = rate === false ? "it is left out" : `${serviceCode} of ${connector} is priced anew`
  const most = getMostCents(kept.rate)
  const limit =
    isHeld && Number.isFinite(most)
      ? ` It is booked at no more than ${formatMoney(amountOf(most), currency)} with GST, as it was quoted: --max-price sets another limit.`
      : ""
  return `${capital(nameRate(kept))} of the file is from a quote more than 48 hours old: ${instead}.${limit}`
}

/** What `--like` or `--last` names, and a note of what it is. */
async function findLike(deps: BookDeps, { like, last, rate }: Options): Promise<Earlier | undefined> {
  if (like === undefined && !last) return undefined
  const { findEarlier } = await import("../orders/lookup/earlier.ts")
  const earlier = await findEarlier(await deps.readLedger(), like)
  const { facts } = earlier.entry
  const name = [facts.reference, facts.about].filter(Boolean).join(": ")
  // A rate that is named was chosen already.
  const own = typeof rate === "string" ? withoutWishes(earlier.own) : earlier.own
  const words = describeOwn(own)
  await deps.note(
    `As ${name || facts.shipmentId}, booked ${sentText(earlier.entry)}${words && `; ${words}`}. Its reference, times and rate are left out.`,
  )
  return { ...earlier, own }
}

/** Whether the command line says anything of a booking, so that what is wrong with it and missing can be told. */
function hasContent(options: Options): boolean {
  const { file, rate, set, like, last } = options
  return [file, rate, set, like, last].some(Boolean) || FLAG_FIELDS.some(({ flag }) => flag.name in options)
}

/** @throws FreightError `usage` where the flags say nothing, or ask where nobody answers. */
function checkOptions({ interactive }: Deps, options: Options): void {
  if (options.resume && !interactive)
    throw new FreightError("usage", "--resume asks for what is missing, and there is no terminal")
  if (!interactive && !hasContent(options))
    throw new FreightError(
      "usage",
      "there is nothing to book: give a booking with --file, or its parts as flags",
      { hint: "To start from a booking file: freight book --example. To find a rate: freight rate-shop." },
    )
  if (options.labelName !== undefined && options.label !== true)
    throw new FreightError("usage", "--label-name needs --label without a file")
}

async function askAndBook(
  deps: BookDeps,
  given: BookingDraft,
  options: Options,
  followUps: FollowUps,
): Promise<undefined> {
  const [{ listEarlier }, { bookInteractively }, { fileOpener }, conversation] = await Promise.all([
    import("../orders/lookup/earlier.ts"),
    import("../orders/wizard/run.ts"),
    import("../output/terminal/files.ts"),
    deps.converse({ keepsAnswers: true }),
  ])
  const { globals, runtime, env } = deps
  for (const note of given.notes) await deps.note(note)
  const booked = await bookInteractively(deps, conversation, {
    given,
    resume: options.resume === true,
    dryRun: options.dryRun === true,
    withoutLooking: options.withoutLooking === true,
    followUps,
    earlier: await listEarlier(await deps.readLedger()),
    desk: {
      sandbox: globals.sandbox === true,
      zone: zoneHere(),
      platform: runtime.platform,
      open: fileOpener(runtime.platform, env),
      flags: serviceFlags(globals),
    },
  })
  if (booked) await showOutcome(deps, booked, booked.error)
}

async function followAndShow(
  deps: BookDeps,
  sent: Created<BookingResponse>,
  key: CreateKey,
  rate: KeptRate | undefined,
  followUps: FollowUps,
): Promise<undefined> {
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
  await noteBooking(deps, ledger, sent)
  const done = await followUp(deps, api, ledger, toBooked(sent, key), followUps)
  const { label, print, pickup } = followUps
  const isLater = !done.booking.consignmentNumber && (label !== undefined || print !== undefined)
  const mayDiffer = (sent.recorded || pickup || isLater) && done.error?.kind !== "interrupted"
  const known = mayDiffer ? await refreshBooking(api, ledger, done.booking, sent.entry) : done.booking
  const serviceName = rate?.rate.description
  return showOutcome(deps, { ...done, booking: known, entry: sent.entry, serviceName }, done.error)
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

/** Prints a booking that stands. @throws `error`, which tells what went wrong after it */
async function showOutcome(
  deps: BookDeps,
  done: Omit<Parameters<typeof toOutcome>[1], "warnings"> & { serviceName?: string | undefined },
  error: FreightError | undefined,
): Promise<undefined> {
  const outcome = await toOutcome(await deps.ledger("freight"), { ...done, warnings: deps.warnings })
  await showBooking(deps, outcome, done.entry, done.serviceName, error)
}
