import { getHomes } from "../contract/fields/own.ts"
import { createCompleteRates } from "../orders/booking/evidence.ts"
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import type { RateEvidence } from "../orders/booking/lane-evidence.ts"
import type { RateReply } from "../orders/booking/carrier-rates.ts"
import { checkAvoidedNames, checkServiceName, fetchConnectors } from "../orders/booking/connector.ts"
import { RATE_FIELDS, rateColumns, rateNotes } from "../orders/booking/rate-columns.ts"
import { gatherRateRequest } from "../orders/booking/rate-request.ts"
import {
  describeAnswer,
  getGstBasis,
  type RateRow,
  rateRows,
  SORT_KEYS,
  type SortKey,
  sortRates,
} from "../orders/booking/rates.ts"
import { createJudge } from "../orders/booking/in-time.ts"
import { describeOffers } from "../orders/booking/offers.ts"
import { askRates } from "../orders/booking/price.ts"
import {
  chooseRate,
  findMisses,
  getLimits,
  isServiceOpen,
  type OpenKind,
  SORTED_BY,
  parseService,
  limitsText,
  readPreferences,
  TOO_LATE_HINTS,
  unmetError,
} from "../orders/booking/preferences.ts"
import { nextCommand } from "../base/command-line.ts"
import { counted } from "../base/counted.ts"
import type { RateRequest } from "../contract/generated/types.ts"
import { formatPackage } from "../contract/packages.ts"
import { formatPlace } from "../contract/places.ts"
import { wallClockNow } from "../base/wall-clock.ts"
import { zoneOfCollection } from "../contract/place-zones.ts"
import type { Deps } from "../command/deps.ts"
import { EXIT } from "../base/errors.ts"
import { capital } from "../output/terminal/sanitize.ts"
import { print } from "../output/terminal/view.ts"
import { toShownRate } from "../machine/memory/quotes.ts"
import { pickFieldFlags } from "../command/field-flags.ts"
import { ALLOW_DENSITY_FLAG, FIX_PLACES_FLAG } from "../command/flags.ts"
import { PREFERENCE_FLAGS } from "../orders/booking/service-flags.ts"
import { askAboutDoubts } from "../orders/booking/doubts.ts"

const flags = {
  from: { takes: "<place>", about: 'collection place: "Alexandria NSW 2015"' },
  to: { takes: "<place>", about: 'delivery place: "Fremantle WA 6160"' },
  ...pickFieldFlags(["fromResidential", "toResidential", "package", "dangerousGoods"]),
  date: {
    takes: "<day>",
    about: "shipping date: 2026-11-23, 23/11, tomorrow (default: today at the collection place)",
  },
  service: {
    takes: "<code>",
    about: "price this service only: a code, cheapest, best-value, fastest or reliable",
  },
  connector: { takes: "<id>", about: "ask this connector only" },
  file: {
    takes: "<file>",
    about: "a rate request as JSON, or - for standard input; flags override it",
    isInput: true,
  },
  set: { takes: "<field=value>", about: "any other field of the request (repeatable)", isRepeatable: true },
  sort: { takes: "<by>", about: "the order", default: "price", choices: SORT_KEYS },
  cheapest: { about: "only the cheapest", conflicts: "fastest" },
  fastest: { about: "only the one that arrives first" },
  ...PREFERENCE_FLAGS,
  ...ALLOW_DENSITY_FLAG,
  ...FIX_PLACES_FLAG,
} as const satisfies Flags

type Options = OptionsOf<typeof flags>

export default command({
  about:
    "Compares the prices and arrivals of all carriers. Asks on a terminal for what is missing. A carrier that does not answer within seconds is left out and named. The quotes are kept for 48 hours; freight book --rate 1 books the first of them.",
  flags,
  columns: RATE_FIELDS,
  examples: [
    'freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5',
    'freight rate-shop --sandbox --from "Surry Hills NSW 2010" --to "Hobart TAS 7000" --package 30x20x10@2 --date tomorrow --fastest --json',
    'freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Carlton VIC 3053" --package 30x20x10@2 --cheapest --within 3d --avoid B',
  ],
  run: shopForRates,
})

/**
 * POST /rates, or POST /{connectorId}/rates: one list over all carriers.
 * @returns 1 when no carrier gave a rate
 * @throws FreightError `timeout` when none did, and some did not answer
 */
async function shopForRates(deps: Deps, given: Options): Promise<number> {
  const options = withoutWords(given)
  await askMissing(deps, options)
  const { request, warnings } = await askAboutDoubts(deps, options, () => gatherRateRequest(deps, options))
  for (const warning of warnings) await deps.warn(warning)

  const now = () => wallClockNow(deps.clock.now(), zoneOfCollection({ collection: request.from }))
  const kind = findKind(given, options)
  const wish = { ...readPreferences(options, deps.settings, now), ...(kind && { kind }) }
  const limits = getLimits(wish)
  await checkAvoidedNames(deps, limits)
  if (request.serviceCode) await checkServiceName(deps, request.serviceCode)

  const { connector: connectorId } = options
  const seen = connectorId === undefined ? [] : await deps.seen.connectors()
  const carrier = seen.find(({ id }) => id === connectorId)?.carrier
  const { clock, ratePace } = deps
  const completeRates = createCompleteRates(deps)
  const connectors = () => fetchConnectors(deps)
  const pricing = { api: await deps.freight(), clock, completeRates, connectors, ratePace }
  const { reply, quotedAt } = await askRates(pricing, request, {
    connectorId,
    carrier,
    isBrief: true,
    needsEvidence: true,
    onAnswer: (answer) => {
      if (deps.terminal.stderr.isTTY && answer.success) return deps.note(describeAnswer(answer))
    },
  })
  const by = kind === undefined ? options.sort : SORTED_BY[kind]
  const collected = { collection: request.from, collectionDateTime: request.date }
  const rates = rateRows(reply, createJudge(collected, deps.clock.now()))
  const all = sortRates(rates, by, request.date)
  const fitting = all.filter((rate) => findMisses(rate, limits, request.date).length === 0)
  const choice = chooseRate(all, { by, limits, date: request.date })
  const isOne = kind !== undefined
  if (all.length > 0 && !choice.rate && (isOne || fitting.length === 0)) {
    await warnOfFailures(deps, reply)
    throw unmetError("no rate", limits, choice, TOO_LATE_HINTS.shop)
  }
  const best = isOne ? choice.rate : undefined
  const rows = best ? [best] : fitting
  const { format } = deps.output
  const isNumbered = format !== "json" && format !== "ndjson"
  await deps.quotes.keep({
    ...reply,
    quotedAt,
    request,
    offers: request.serviceCode ? undefined : describeOffers(fitting, request.date),
    ...(isNumbered && { shown: rows.map((row) => toShownRate(row, rates)) }),
  })
  await print(deps, {
    rows,
    items: rows.map(toItem),
    summary: { quoteId: reply.quoteId ?? null, failures: listFailures(reply) },
    columns: rateColumns(rows, request, hasTwins(reply), by),
    dim: ({ visibility }) => visibility === "hidden",
    empty: "No carrier gave a rate.",
  })
  const leftOut = all.length - fitting.length
  if (leftOut > 0 && !best) await deps.note(`${counted(leftOut, "rate")} left out: ${limitsText(limits)}.`)
  if (choice.rate && (isOne || leftOut > 0))
    await deps.note(`${kind === undefined ? FIRST_BY[by] : capital(kind)}: ${choice.why}.`)
  await noteRest(deps, reply, rows)
  return rows.length === 0 ? EXIT.no : EXIT.done
}

/** On a terminal, asks for places and packages that no flag, file or profile gives. */
async function askMissing(deps: Deps, options: Options): Promise<void> {
  const isSet = (field: string) => options.set?.some((each) => each.startsWith(field)) === true
  const hasFrom = options.from ?? deps.settings.value("collection") ?? deps.settings.value("sender")
  const lacks = {
    from: hasFrom === undefined && !isSet("from"),
    to: options.to === undefined && !isSet("to"),
    packages: options.package === undefined && !isSet("packages"),
  }
  if (!deps.interactive || options.file !== undefined || !Object.values(lacks).includes(true)) return
  const [{ askParts, placeStep }, { getPackages }, { packages }, { residential }] = await Promise.all([
    import("../orders/wizard/ask-parts.ts"),
    import("../orders/wizard/draft.ts"),
    import("../orders/wizard/steps/goods.ts"),
    import("../orders/wizard/steps/rates.ts"),
  ])
  const isHomeSaid = options.fromResidential ?? options.toResidential
  const draft = await askParts(deps, {}, [
    ...(lacks.from ? [placeStep("collection", "Where is it collected? Suburb, state and postcode")] : []),
    ...(lacks.to ? [placeStep("receiver", "Where does it go? Suburb, state and postcode")] : []),
    ...(lacks.packages ? [packages] : []),
    ...((lacks.from || lacks.to) && isHomeSaid === undefined ? [residential] : []),
  ])
  const { collection, receiver } = draft.request
  if (lacks.from) options.from = formatPlace(collection as unknown as RateRequest["from"])
  if (lacks.to) options.to = formatPlace(receiver as unknown as RateRequest["to"])
  if (lacks.packages) options.package = getPackages(draft).map(formatPackage)
  const homes = getHomes(draft.own)
  if (homes.collection) options.fromResidential = true
  if (homes.receiver) options.toResidential = true
}

/** What the first of a list is. */
const FIRST_BY: Readonly<Record<SortKey, string>> = {
  price: "Cheapest",
  eta: "Fastest",
  likely: "Best value",
  reliable: "Most reliable",
}

/** The way in which one rate is chosen; undefined where all are listed. */
function findKind({ service }: Options, { cheapest, fastest }: Options): OpenKind | undefined {
  if (cheapest) return "cheapest"
  if (fastest) return "fastest"
  const { kind } = parseService(service ?? "")
  return kind === "code" ? undefined : kind
}

/** No rate is asked for by the name of a way to choose one. */
function withoutWords({ service, ...others }: Options): Options {
  return service === undefined || isServiceOpen(service) ? others : { ...others, service }
}

/** Whether two accounts are of one carrier, so that its name alone does not tell them apart. */
function hasTwins({ results }: RateReply): boolean {
  return new Set(results.map(({ carrier }) => carrier)).size < results.length
}

/** A rate as the API gives it, with where it is from. */
function toItem(row: RateRow) {
  const { quoteId, connectorId, carrier, ...others } = row
  const { arrives: _, standing: __, evidence, ...rate } = others
  return {
    connectorId,
    carrier,
    serviceCode: rate.serviceCode,
    description: rate.description,
    price: rate.price ?? null,
    priceGst: rate.priceGst ?? null,
    priceIncGst: rate.priceIncGst ?? null,
    gstBasis: getGstBasis(rate),
    currency: rate.currency ?? null,
    eta: rate.eta ?? null,
    transitDays: rate.transitDays ?? null,
    bookingCutoff: rate.bookingCutoff ?? null,
    collectionCutoff: rate.collectionCutoff ?? null,
    visibility: rate.visibility ?? null,
    rateId: rate.rateId ?? null,
    quoteId,
    /** What earlier deliveries and bills say of it; null where they say nothing. */
    evidence: evidence ? toEvidenceItem(evidence) : null,
  }
}

function toEvidenceItem({ arrival, billed, likely }: RateEvidence) {
  return { arrival: arrival ?? null, billed: billed ?? null, likely: likely ?? null }
}

/** The accounts that gave no rate. */
function listFailures({ results }: RateReply) {
  return results.flatMap(({ connectorId, carrier, success, error }) =>
    success ? [] : [{ connectorId, carrier, code: error?.code ?? null, message: error?.message ?? null }],
  )
}

async function warnOfFailures(deps: Deps, { results }: RateReply): Promise<void> {
  for (const { carrier, connectorId, success, error } of results)
    if (!success)
      await deps.warn(
        `${carrier} (${connectorId}) gave no rate: ${error?.message ?? "no reason given"}${error?.code ? ` [${error.code}]` : ""}`,
      )
}

async function noteRest(deps: Deps, reply: RateReply, rows: readonly RateRow[]): Promise<void> {
  await warnOfFailures(deps, reply)
  if (deps.output.format !== "table" || rows.length === 0) return
  for (const note of rateNotes(rows)) await deps.note(note)
  const sandbox = deps.globals.sandbox ? ["--sandbox"] : []
  const { next } = nextCommand("freight", "book", ...sandbox, "--rate", "1")
  await deps.note(`Book one by its number within 48 hours: ${next}`)
}
