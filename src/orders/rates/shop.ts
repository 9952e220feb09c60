/** Asks all carriers for their rates, and stores them as a quote. */
import { formatPackage, formatPlace, getHomes, zoneOfCollection } from "../../contract/index.ts"
import type { RateRequest } from "../../contract/generated/types.ts"
import { nextCommand } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import { EXIT } from "../../base/errors.ts"
import { wallClockNow } from "../../base/wall-clock.ts"
import type { Deps } from "../../session/index.ts"
import { toShownRate } from "../../machine/index.ts"
import { capital, type Column } from "../../output/index.ts"
import type { RateReply } from "../booking/carrier-rates.ts"
import { checkAvoidedNames, checkServiceName, fetchConnectors } from "../booking/connector.ts"
import { askAboutDoubts } from "../booking/doubts.ts"
import { createCompleteRates } from "../booking/evidence.ts"
import { createJudge } from "../booking/in-time.ts"
import { formatComparedRates } from "../booking/compared-rates.ts"
import {
  chooseRate,
  findMisses,
  getLimits,
  isServiceOpen,
  limitsText,
  type OpenKind,
  parseService,
  type PreferenceFlags,
  readPreferences,
  SORTED_BY,
  TOO_LATE_HINTS,
  noMatchingRateError,
} from "../booking/preferences.ts"
import { askRates } from "../booking/price.ts"
import { rateColumns, rateNotes } from "../booking/rate-columns.ts"
import { listFailures, type RateFailure, type RateJson, toRateJson } from "../booking/rate-json.ts"
import { gatherRateRequest, type RateOptions } from "../booking/rate-request.ts"
import { describeAnswer, type RateRow, rateRows, type SortKey, sortRates } from "../booking/rates.ts"
import type { Notes } from "../../base/ports.ts"

interface ShopOptions extends RateOptions, PreferenceFlags {
  connector?: string
  sort: SortKey
  cheapest?: boolean
  fastest?: boolean
}

interface Shopped {
  reply: RateReply
  /** Rates within the limits, in their order; only the chosen one, if one is chosen. */
  rows: readonly RateRow[]
  items: readonly RateJson[]
  columns: Column<RateRow>[]
  summary: { quoteId: string | null; failures: readonly RateFailure[] }
  /** Notes on rates that were left out, and why the first is first. */
  notes: readonly string[]
}

/** POST /rates, or POST /{connectorId}/rates: one list over all carriers. At a terminal it asks for missing parts. */
export async function shopForRates(deps: Deps, given: ShopOptions): Promise<Shopped> {
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
    throw noMatchingRateError("no rate", limits, choice, TOO_LATE_HINTS.shop)
  }
  const best = isOne ? choice.rate : undefined
  const rows = best ? [best] : fitting
  const { format } = deps.output
  const isNumbered = format !== "json" && format !== "ndjson"
  await deps.quotes.keep({
    ...reply,
    quotedAt,
    request,
    offers: request.serviceCode ? undefined : formatComparedRates(fitting, request.date),
    ...(isNumbered && { shown: rows.map((row) => toShownRate(row, rates)) }),
  })
  const leftOut = all.length - fitting.length
  const why = choice.rate && (isOne || leftOut > 0) ? choice.why : undefined
  return {
    ...{ reply, rows },
    items: rows.map(toRateJson),
    columns: rateColumns(rows, request, hasTwins(reply), by),
    summary: { quoteId: reply.quoteId ?? null, failures: listFailures(reply) },
    notes: [
      ...(leftOut > 0 && !best ? [`${counted(leftOut, "rate")} left out: ${limitsText(limits)}.`] : []),
      ...(why === undefined ? [] : [`${kind === undefined ? FIRST_BY[by] : capital(kind)}: ${why}.`]),
    ],
  }
}

/** The words for the first of a list, by its sort key. */
const FIRST_BY: Readonly<Record<SortKey, string>> = {
  price: "Cheapest",
  eta: "Fastest",
  likely: "Best value",
  reliable: "Most reliable",
}

/** Whether two accounts are of one carrier, so that its name alone does not tell them apart. */
function hasTwins({ results }: RateReply): boolean {
  return new Set(results.map(({ carrier }) => carrier)).size < results.length
}

/** Notes what a list of rates does not show, and how to book one. @returns 1 if no carrier gave a rate */
export async function tellShopped(
  deps: Pick<Deps, "note" | "warn" | "output" | "globals">,
  { reply, rows, notes }: Shopped,
): Promise<number> {
  for (const note of notes) await deps.note(note)
  await warnOfFailures(deps, reply)
  if (rows.length === 0) return EXIT.no
  if (deps.output.format === "table") {
    for (const note of rateNotes(rows)) await deps.note(note)
    const sandbox = deps.globals.sandbox ? ["--sandbox"] : []
    const { next } = nextCommand("freight", "book", ...sandbox, "--rate", "1")
    await deps.note(`Book one by its number within 48 hours: ${next}`)
  }
  return EXIT.done
}

async function askMissing(deps: Deps, options: ShopOptions): Promise<void> {
  const isSet = (field: string) => options.set?.some((each) => each.startsWith(field)) === true
  const hasFrom = options.from ?? deps.settings.value("collection") ?? deps.settings.value("sender")
  const lacks = {
    from: hasFrom === undefined && !isSet("from"),
    to: options.to === undefined && !isSet("to"),
    packages: options.package === undefined && !isSet("packages"),
  }
  if (!deps.interactive || options.file !== undefined || !Object.values(lacks).includes(true)) return
  const [{ askParts, placeStep }, { getPackages }, { packages }, { residential }] = await Promise.all([
    import("../wizard/ask-parts.ts"),
    import("../wizard/draft.ts"),
    import("../wizard/steps/goods.ts"),
    import("../wizard/steps/rates.ts"),
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

/** How one rate is chosen; undefined if all are listed. */
function findKind({ service }: ShopOptions, { cheapest, fastest }: ShopOptions): OpenKind | undefined {
  if (cheapest) return "cheapest"
  if (fastest) return "fastest"
  const { kind } = parseService(service ?? "")
  return kind === "code" ? undefined : kind
}

/** A way to choose a rate is not a service name to ask for. */
function withoutWords({ service, ...others }: ShopOptions): ShopOptions {
  return service === undefined || isServiceOpen(service) ? others : { ...others, service }
}

async function warnOfFailures({ warn }: Notes, { results }: RateReply): Promise<void> {
  for (const { carrier, connectorId, success, error } of results)
    if (!success)
      await warn(
        `${carrier} (${connectorId}) gave no rate: ${error?.message ?? "no reason given"}${error?.code ? ` [${error.code}]` : ""}`,
      )
}
