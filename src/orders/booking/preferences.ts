/** Limits for a service, the choice of a rate by them, and the reason, in a line. */
import { parseShare, type SERVICE_KINDS, type Settings } from "../../machine/index.ts"
import { carrierLetter, listCarrierNames } from "../../carriers/index.ts"
import { counted } from "../../base/counted.ts"
import { type Allowances, parseNames, type Wishes } from "../../contract/index.ts"
import { describeTooLate } from "./cutoffs.ts"
import type { ConnectorSummary } from "../../contract/generated/types.ts"
import { amountOf, centsOf, formatCents, parseAmount } from "../../base/money.ts"
import { type Parsed, parsed, quoted, valueOrThrow } from "../../base/parsed.ts"
import { safeText } from "../../base/safe-text.ts"
import { suggest } from "../../base/suggest.ts"
import {
  addDays,
  type CalendarDate,
  daysBetween,
  formatDate,
  formatWallClock,
  nextBusinessDay,
  parseDate,
  type WallClock,
} from "../../base/wall-clock.ts"
import { parseDay, parseDays, parseMoment, readWhen } from "../../base/when.ts"
import { type ErrorCode, FreightError } from "../../base/errors.ts"
import { capital } from "../../output/index.ts"
import { getLikelyCents } from "./evidence.ts"
import {
  COMPARED_CURRENCY,
  formatRange,
  getMostCents,
  getTotalRange,
  whyNotCompared,
  whyOnlyNamed,
} from "./gst.ts"
import { expectShareBy } from "./share.ts"
import { arrivalOrder, isTooLate, putInTimeFirst, type RateRow, type SortKey, sortRates } from "./rates.ts"

export interface Limits {
  connectorId?: string
  /** Maximum price with GST, in cents; a price that cannot be compared with it exceeds it. */
  maxPriceCents?: number
  /** Currency of `maxPriceCents`, if a rate of another currency than AUD was approved. */
  maxPriceCurrency?: string | undefined
  /** Latest arrival, with no zone: `2026-11-25` (any time on that day) or `2026-11-25T12:00:00`. */
  arriveBy?: string
  /** Calendar days from the collection to the arrival, at most. */
  withinDays?: number
  /** Required share of arrivals on time, in percent. A service without a known share is judged by its promise. */
  onTimePercent?: number
  /** Services and carriers that are not booked, by letter or name: `GEN`, `A`. */
  avoid?: readonly string[]
  /**
   * Offers that are too late for the day of collection: refused if chosen for their arrival, taken if a person allows it.
   */
  tooLate?: "refused" | "taken"
}

/** Limits that people give; the others follow from approvals and permissions. */
export type SaidLimits = Omit<Limits, "maxPriceCurrency" | "tooLate">

/** Error code: only a rate that is too late for today would meet the limits. */
export const TOO_LATE = "TOO_LATE" satisfies ErrorCode

/** How a service is chosen. A code with limits is booked only where its rate meets them. */
export type ServicePreference = Limits & ({ kind: "code"; serviceCode: string } | { kind: OpenKind })

/** The ways to choose a service, with the sort key of each. */
export const SORTED_BY = {
  cheapest: "price",
  "best-value": "likely",
  fastest: "eta",
  reliable: "likely",
} as const satisfies Record<OpenKind, SortKey>
export type OpenKind = (typeof SERVICE_KINDS)[number]

function isOpenKind(word: string): word is OpenKind {
  return Object.hasOwn(SORTED_BY, word)
}

export type PreferenceDraft = Limits & { kind?: ServicePreference["kind"]; serviceCode?: string }

/** Reads a service as people name it: a code, or a way to choose one in any case. */
export function parseService(text: string): ServicePreference {
  const word = text.toLowerCase()
  return isOpenKind(word) ? { kind: word } : { kind: "code", serviceCode: text }
}

/** Whether a text leaves the service to be chosen: `cheapest`, `reliable`. */
export function isServiceOpen(text: unknown): boolean {
  return typeof text === "string" && parseService(text).kind !== "code"
}

export function needsRates({ wish }: { wish: ServicePreference }): boolean {
  const { kind, maxPriceCents, arriveBy, withinDays, onTimePercent, tooLate } = wish
  const limits = [maxPriceCents, arriveBy, withinDays, onTimePercent, tooLate]
  return kind !== "code" || limits.some((limit) => limit !== undefined)
}

export function needsEvidence({ kind, onTimePercent }: PreferenceDraft): boolean {
  return kind === "best-value" || kind === "reliable" || onTimePercent !== undefined
}

/** Required share for `reliable`, in percent, if none is given. */
const RELIABLE_PERCENT = 90

/** The limits of a preference. @param allowed permissions, such as booking past a cutoff */
export function getLimits<W extends PreferenceDraft>(wish: W, allowed: Allowances = {}): W {
  const isOpen = wish.kind === "reliable" && wish.onTimePercent === undefined
  const mayBeLate = allowed.allowPast || allowed.pastCutoff
  const tooLate = mayBeLate ? "taken" : isForArrival(wish) ? "refused" : undefined
  return {
    ...wish,
    ...(isOpen && { onTimePercent: RELIABLE_PERCENT }),
    ...(tooLate && { tooLate }),
  }
}

/** Whether the arrival matters, and not only the price. */
function isForArrival({ kind, onTimePercent, tooLate }: PreferenceDraft): boolean {
  return kind === "fastest" || kind === "reliable" || onTimePercent !== undefined || tooLate === "refused"
}

/** Limits for a service, as flags give them; a profile has all but `arriveBy`. */
export interface PreferenceFlags {
  /** Days. */
  within?: number
  arriveBy?: string
  /** Cents. */
  maxPrice?: number
  /** Percent. */
  onTime?: number
  avoid?: readonly string[]
}

/**
 * Limits for a service: each flag goes over `said`, and that over the setting of the profile.
 * @param now what the clock shows at the place of collection
 * @param said by a booking file, or an earlier order
 */
export function readPreferences(
  flags: PreferenceFlags,
  settings: Settings | undefined,
  now: () => WallClock,
  said: Limits = {},
): Limits {
  const setting = <Value>(
    key: "within" | "maxPrice" | "onTime",
    read: (text: string, name: string) => Value,
  ) => {
    const { value, from } = settings?.resolve(key) ?? {}
    return value === undefined
      ? undefined
      : read(value, `the setting ${key} of profile ${quoted(from ?? "")}`)
  }
  const withinDays =
    flags.within ?? said.withinDays ?? setting("within", (text, name) => valueOrThrow(parseDays(text), name))
  const maxPriceCents = flags.maxPrice ?? said.maxPriceCents ?? setting("maxPrice", parseAmount)
  const onTimePercent =
    flags.onTime ??
    said.onTimePercent ??
    setting("onTime", (text, name) => valueOrThrow(parseShare(text), name))
  const avoided = settings?.value("avoid")
  const avoid = flags.avoid ?? said.avoid ?? (avoided === undefined ? undefined : parseNames(avoided))
  const day = flags.arriveBy ?? said.arriveBy
  return {
    ...(withinDays !== undefined && { withinDays }),
    ...(maxPriceCents !== undefined && { maxPriceCents }),
    ...(day !== undefined && {
      arriveBy: valueOrThrow(
        parseArrival(day, now),
        flags.arriveBy === undefined ? "arriveBy" : "--arrive-by",
      ),
    }),
    ...(onTimePercent !== undefined && { onTimePercent }),
    ...(avoid && { avoid }),
  }
}

/**
 * The limits of the order itself, without the profile: these are kept with it, with a day in words as a date.
 * @param said by a booking file, or an earlier order; flags go over it
 */
export function readSaid(
  flags: PreferenceFlags & { connector?: string | undefined },
  now: () => WallClock,
  said?: Limits,
): Limits {
  const { connector = said?.connectorId } = flags
  return {
    ...readPreferences(flags, undefined, now, said),
    ...(connector !== undefined && { connectorId: connector }),
  }
}

const LIMIT_NAMES = {
  connectorId: "connector",
  maxPriceCents: "maxPrice",
  arriveBy: "arriveBy",
  withinDays: "within",
  onTimePercent: "onTime",
  avoid: "avoid",
} as const satisfies Record<keyof SaidLimits, keyof Wishes>

const SAID_LIMITS = Object.entries(LIMIT_NAMES) as [keyof SaidLimits, keyof Wishes][]

export function toWishes(limits: Limits): Wishes {
  const said = SAID_LIMITS.filter(([limit]) => limits[limit] !== undefined)
  const { maxPriceCents } = limits
  return {
    ...Object.fromEntries(said.map(([limit, name]) => [name, limits[limit]])),
    ...(maxPriceCents !== undefined && { maxPrice: amountOf(maxPriceCents) }),
  }
}

export function toLimits(wishes: Wishes): SaidLimits {
  const said = SAID_LIMITS.filter(([, name]) => wishes[name] !== undefined)
  const { maxPrice } = wishes
  return {
    ...Object.fromEntries(said.map(([limit, name]) => [limit, wishes[name]])),
    ...(maxPrice !== undefined && { maxPriceCents: centsOf(maxPrice) }),
  }
}

/** A day, or a day and time, as `Limits` has it. */
function parseArrival(text: string, now: () => WallClock): Parsed<string> {
  const when = readWhen(text, now)
  if (when.ok && !when.value.time) return parseDay(text, now)
  const moment = parseMoment(text, now)
  return moment.ok ? parsed(formatWallClock(moment.value)) : moment
}

interface Named {
  serviceCode: string
  connectorId: string
  /** As the API names it; undefined while it is open. */
  carrier: string | undefined
}

export function isAvoided(
  { serviceCode, connectorId, carrier = "" }: Named,
  { avoid = [] }: Limits,
): boolean {
  const names = [serviceCode, connectorId, ...listCarrierNames(carrier)].map((name) => name.toLowerCase())
  return avoid.some((name) => names.includes(name.toLowerCase()))
}

/** Names to be avoided that match no service, carrier or connector: probably typing errors. */
export function findUnknownAvoided(
  avoid: readonly string[],
  connectors: readonly ConnectorSummary[],
): { name: string; hint: string }[] {
  const codes = connectors.flatMap(({ services }) => services.map(({ serviceCode }) => serviceCode))
  const carriers = connectors.map(({ carrier }) => carrierLetter(carrier))
  const known = [...new Set([...carriers, ...codes])]
  const isKnown = (name: string) =>
    connectors.some(
      ({ id, carrier, services }) =>
        isAvoided({ serviceCode: "", connectorId: id, carrier }, { avoid: [name] }) ||
        services.some((each) => each.serviceCode.toLowerCase() === name.toLowerCase()),
    )
  return avoid
    .filter((name) => !isKnown(name))
    .map((name) => {
      const near = suggest(name, known)
      return {
        name,
        hint: near
          ? `did you mean ${near}?`
          : `the carriers and services are ${known.slice(0, 30).join(", ")}`,
      }
    })
}

export function checkAvoided({ avoid = [] }: Limits, connectors: readonly ConnectorSummary[]): void {
  const [unknown] = findUnknownAvoided(avoid, connectors)
  if (unknown)
    throw new FreightError(
      "usage",
      `--avoid takes a service code or a carrier, and ${quoted(unknown.name)} is neither`,
      { hint: `${capital(unknown.hint)}${unknown.hint.endsWith("?") ? "" : "."}` },
    )
}

export function avoidedError({ serviceCode, carrier = "" }: Named): FreightError {
  const whose = carrier === "" ? "" : ` of carrier ${carrierLetter(carrier)}`
  return new FreightError(
    "refused",
    `service ${serviceCode}${whose} is on your avoid list; nothing was sent`,
    {
      code: "NO_SERVICE",
      hint: "Choose another service, or leave it out of --avoid; --avoid none overrides the profile.",
    },
  )
}

interface Miss {
  kind: "price" | "late" | "arrival" | "share" | "avoid" | "rule"
  /** Cents or days, to find the nearest. */
  by: number
  /** Follows the name of the rate: `arrives a day late`. */
  text: string
}

/** The limits that a rate does not meet. @param date the shipping date, `yyyy-MM-dd` */
export function findMisses(rate: RateRow, limits: Limits, date: string | undefined): Miss[] {
  const share = limits.onTimePercent === undefined ? undefined : findShare(rate, limits, date)
  // A booking past a cutoff is judged by the promise.
  const judged = limits.tooLate === "taken" ? { ...rate, standing: undefined } : rate
  const late = latestArrivals(limits, date)
    .filter((latest) => share === undefined && !isBy(arrivalOrder(judged, date), latest))
    .map((latest) => lateness(judged, date, latest))
    .sort((one, other) => other.by - one.by)
  return [
    ...listPriceMisses(rate, limits),
    ...listCutoffMisses(rate, limits),
    ...late.slice(0, 1),
    ...listShareMisses(share, limits),
    ...(isAvoided(rate, limits) ? [{ kind: "avoid" as const, by: 0, text: "is on your avoid list" }] : []),
  ]
}

function listPriceMisses(rate: RateRow, { maxPriceCents, maxPriceCurrency }: Limits): Miss[] {
  if (maxPriceCents === undefined) return []
  const why = whyNotCompared(rate, maxPriceCurrency)
  if (why !== undefined) return [toUncomparedMiss(why)]
  const by = getMostCents(rate) - maxPriceCents
  return by > 0 ? [{ kind: "price", by, text: describeOver(rate, maxPriceCents) }] : []
}

/** A miss without an amount is sorted last. */
function toUncomparedMiss(text: string): Miss {
  return { kind: "price", by: Number.MAX_SAFE_INTEGER, text }
}

/**
 * A rate that is too late for today may not keep its promise. Transit days are counted from the day on which it may go,
 * and an `eta` is not known to hold.
 */
function listCutoffMisses({ standing, eta }: RateRow, { arriveBy, withinDays, tooLate }: Limits): Miss[] {
  if (standing?.kind !== "too late" || tooLate === "taken") return []
  const isLimited = arriveBy !== undefined || withinDays !== undefined
  if (tooLate !== "refused" && !(isLimited && eta)) return []
  return [{ kind: "late", by: 0, text: `is ${describeTooLate(standing)}` }]
}

/** Share of the known deliveries that came in time: by the limits, or without one by the promised day. */
interface Share {
  /** From 0 to 1. */
  share: number
  seen: number
}

/** Known history goes before the promise: a service may be early as well. */
function findShare(rate: RateRow, limits: Limits, date: string | undefined): Share | undefined {
  const { arrival } = rate.evidence ?? {}
  if (!arrival) return undefined
  const promised = arrivalOrder(rate, date)
  const slacks = latestArrivals(limits, date).map((latest) => {
    const days = daysApart(promised, latest)
    // The limit is noon, say, and the promise is for that afternoon.
    return days === 0 && !isBy(promised, latest) ? -1 : days
  })
  if (slacks.includes(undefined)) return undefined
  const slack = Math.min(...slacks.map((days) => days ?? 0))
  return { share: expectShareBy(arrival, Number.isFinite(slack) ? slack : 0), seen: arrival.seen }
}

function listShareMisses(known: Share | undefined, { onTimePercent = 0 }: Limits): Miss[] {
  if (!known || known.share * 100 >= onTimePercent) return []
  return [
    {
      kind: "share",
      by: onTimePercent - known.share * 100,
      text: `is expected in time ${describeShare(known)}`,
    },
  ]
}

/** `94 % of the time, 61 seen`. Rounded down: 99.6 % is not all. */
function describeShare({ share, seen }: Share): string {
  return `${Math.floor(share * 100 + 1e-6)} % of the time, ${seen} seen`
}

/** `is 0.57 over the limit with GST`; a price that is within it without GST only may be over it. */
function describeOver(rate: RateRow, maxPriceCents: number): string {
  const over = `${formatCents(getMostCents(rate) - maxPriceCents)} over the limit with GST`
  if (rate.priceIncGst !== undefined) return `is ${over}`
  const { price = 0 } = rate
  return centsOf(price) > maxPriceCents
    ? `is ${formatCents(centsOf(price) - maxPriceCents)} over the limit`
    : `may be ${over}, as carrier ${carrierLetter(rate.carrier)} does not say whether that is in it (freight config set gst ${carrierLetter(rate.carrier)}=included)`
}

/** The rates to choose from: those within the limits; if the arrival matters, only those in time, if there are any. */
export function listChoices(
  rates: readonly RateRow[],
  wish: PreferenceDraft,
  { tooLate }: Pick<Limits, "tooLate">,
  date: string | undefined,
): RateRow[] {
  const wished = { ...wish, ...(tooLate && { tooLate }) }
  const fitting = rates.filter((rate) => findMisses(rate, wished, date).length === 0)
  const inTime = isDayLimited(wish) ? fitting.filter((rate) => !isTooLate(rate)) : []
  return inTime.length > 0 ? inTime : fitting
}

function isDayLimited({ arriveBy, withinDays }: Limits): boolean {
  return arriveBy !== undefined || withinDays !== undefined
}

function latestArrivals({ arriveBy, withinDays }: Limits, date: string | undefined): string[] {
  const shipped = parseDate(date ?? "")
  return [
    ...(arriveBy === undefined ? [] : [arriveBy]),
    ...(withinDays !== undefined && shipped.ok ? [formatDate(addDays(shipped.value, withinDays))] : []),
  ]
}

/** A limit without a time means any time on that day. */
function isBy(arrival: string, latest: string): boolean {
  return arrival.slice(0, latest.length) <= latest
}

function lateness(rate: RateRow, date: string | undefined, latest: string): Miss {
  const arrival = arrivalOrder(rate, date)
  const days = daysApart(latest, arrival)
  if (days === undefined)
    return { kind: "arrival", by: Number.MAX_SAFE_INTEGER, text: "does not say when it arrives" }
  const text =
    days === 0
      ? `arrives at ${arrival.slice(11, 16)}, after ${latest.slice(11, 16)}`
      : `arrives ${days === 1 ? "a day" : counted(days, "day")} late`
  const { standing } = rate
  const wouldBe = arrivalOrder({ ...rate, standing: undefined }, date)
  return standing?.kind === "too late" && isBy(wouldBe, latest)
    ? { kind: "late", by: days, text: `is ${describeTooLate(standing)}, and may arrive too late` }
    : { kind: "arrival", by: days, text }
}

/** Whole days from one day to another; each may have a time after it. */
function daysApart(one: string, other: string): number | undefined {
  const [from, to] = [one, other].map((text) => parseDate(text.slice(0, 10)))
  return from?.ok && to?.ok ? daysBetween(from.value, to.value) : undefined
}

/** A choice with its reason, or the nearest misses where nothing fits. */
export type Choice =
  | { rate: RateRow; why: string }
  /** @see TOO_LATE for `isTooLate` */
  | { rate: undefined; misses: string[]; isTooLate: boolean; isTooDear: boolean }

interface ChoiceOptions {
  by: SortKey
  limits: Limits
  /** Shipping date, `yyyy-MM-dd`. */
  date: string | undefined
  /** Whether the carrier's own rules allow booking a rate; by default they do. */
  isBookable?: (rate: RateRow) => boolean
  /** A person named it: it need not be compared with others. */
  isNamed?: boolean
}

/**
 * Chooses the best rate within the limits: by its price with GST, or its arrival. A hidden service is chosen only if no
 * other fits.
 */
export function chooseRate(rates: readonly RateRow[], options: ChoiceOptions): Choice {
  const { by, limits, date, isBookable = () => true, isNamed = false } = options
  const sorted = sortRates(rates, by, date)
  const isLimited = by === "eta" || isDayLimited(limits)
  // The price alone does not depend on the day.
  const assessed = (by !== "price" || isLimited ? putInTimeFirst(sorted) : sorted).map((rate) => ({
    rate,
    misses: [
      ...listOnlyNamedMisses(rate, limits, isNamed),
      ...findMisses(rate, limits, date),
      ...(isBookable(rate) ? [] : [{ kind: "rule" as const, by: 0, text: "breaks a rule of its carrier" }]),
    ],
  }))
  const chosen = assessed.find(({ misses }) => misses.length === 0)?.rate
  if (!chosen) {
    const late = assessed.filter(({ misses }) => misses.every(({ kind }) => kind === "late"))
    const isLate = late.length > 0
    return {
      rate: undefined,
      misses: nearestMisses(isLate ? late : assessed, rates),
      isTooLate: isLate,
      isTooDear: assessed.some(({ misses }) => misses.every(({ kind }) => kind === "price")),
    }
  }
  const next = assessed.find(({ rate, misses }) => misses.length === 0 && rate !== chosen)?.rate
  const parts = [
    `${shortName(chosen, rates, true)} at ${describePrice(chosen, next)}${isLimited ? `, arriving ${inDays(chosen)}` : ""}`,
    ...describeKnown(chosen, options),
    ...(next ? [comparisonText(next, chosen, rates, options)] : []),
    ...listPassedOver(
      assessed.filter(({ rate }) => rate !== next),
      chosen,
      rates,
      options,
    ),
    ...(chosen.standing?.kind === "too late" ? [`it is ${describeTooLate(chosen.standing)}`] : []),
    ...(chosen.visibility === "hidden" ? ["your account hides it, but no other fits"] : []),
    ...doubts(chosen, next, rates, options),
  ]
  return { rate: chosen, why: parts.join("; ") }
}

function listOnlyNamedMisses(rate: RateRow, { maxPriceCents }: Limits, isNamed: boolean): Miss[] {
  const why = isNamed ? undefined : whyOnlyNamed(rate)
  // The limit already gives this reason.
  const isSaid = maxPriceCents !== undefined && why === whyNotCompared(rate)
  return why === undefined || isSaid ? [] : [toUncomparedMiss(why)]
}

interface AssessedRate {
  rate: RateRow
  misses: readonly Miss[]
}

function listPassedOver(
  assessed: readonly AssessedRate[],
  chosen: RateRow,
  rates: readonly RateRow[],
  { by, date }: ChoiceOptions,
): string[] {
  const isBetter = (rate: RateRow) => {
    if (by === "eta") return arrivalOrder(rate, date) < arrivalOrder(chosen, date)
    const cents = by === "price" ? getMostCents : getLikelyCents
    return cents(rate) < cents(chosen)
  }
  const better = assessed.filter(({ rate }) => whyOnlyNamed(rate) !== undefined || isBetter(rate))
  const texts = better.map(({ rate, misses }) => {
    const [miss] = misses
    const { standing } = rate
    const isLate = standing?.kind === "too late" && standing !== chosen.standing
    const why = isLate ? `is ${describeTooLate(standing)}` : "is hidden by your account"
    return `${shortName(rate, rates)} ${miss ? miss.text : why}`
  })
  const more = texts.length - MAX_LISTED
  return more > 1 ? [...texts.slice(0, MAX_LISTED), `${more} others were left out`] : texts
}

const MAX_LISTED = 2

/** `is 11.91 dearer`; `is at 62.00 to 68.20 with GST` beside a price with known GST. */
function comparePrices(next: RateRow, chosen: RateRow): string {
  if ((next.priceIncGst === undefined) !== (chosen.priceIncGst === undefined))
    return `is at ${describePrice(next, chosen)}`
  const centsOfRate = ({ price, priceIncGst = price ?? 0 }: RateRow) => centsOf(priceIncGst)
  const dearer = centsOfRate(next) - centsOfRate(chosen)
  return dearer === 0
    ? "costs the same"
    : `is ${formatCents(Math.abs(dearer))} ${dearer > 0 ? "dearer" : "cheaper"}`
}

/** `76 is 11.91 dearer`; `76 arrives a day later`. */
function comparisonText(
  next: RateRow,
  chosen: RateRow,
  rates: readonly RateRow[],
  { by, date }: ChoiceOptions,
): string {
  const name = shortName(next, rates)
  if (by === "likely" || by === "reliable") return `${name} ${compareLikely(next, chosen)}`
  const price = comparePrices(next, chosen)
  if (by === "price") return `${name} ${price}${next.visibility === "hidden" ? ", and hidden" : ""}`
  const days = daysApart(arrivalOrder(chosen, date), arrivalOrder(next, date))
  if (days === undefined) return `${name} does not say when it arrives`
  if (days !== 0) return `${name} arrives ${days === 1 ? "a day" : counted(days, "day")} later`
  const [one, other] = [chosen, next].map((rate) => arrivalOrder(rate, date))
  return one === other ? `${name} arrives as early and ${price}` : `${name} arrives later that day`
}

/** `is likely to be 3.10 dearer`; `is likely to cost the same`. */
function compareLikely(next: RateRow, chosen: RateRow): string {
  const dearer = getLikelyCents(next) - getLikelyCents(chosen)
  if (dearer === 0) return "is likely to cost the same"
  return `is likely to be ${formatCents(Math.abs(dearer))} ${dearer > 0 ? "dearer" : "cheaper"}`
}

/** The history of a service that is chosen by it, or that there is none. */
function describeKnown(chosen: RateRow, { by, limits, date }: ChoiceOptions): string[] {
  if (by !== "likely" && by !== "reliable" && limits.onTimePercent === undefined) return []
  const { arrival, billed } = chosen.evidence ?? {}
  const share = findShare(chosen, limits, date)
  return [
    billed
      ? `likely ${formatCents(getLikelyCents(chosen))}, as ${billed.bills} bills were ${billed.ratio.toFixed(2)} of the quote (${billed.lane})`
      : "too few bills to say what it is likely to cost: its quote is used",
    arrival && share
      ? `expected in time ${describeShare(share)} (${arrival.lane})`
      : "too few deliveries to say how often it is in time: its promise is used",
  ]
}

/** `70.29 with GST`; `62.52 to 68.77 with GST` beside a price with known GST. */
function describePrice({ price, priceIncGst, currency }: RateRow, beside?: RateRow): string {
  const unit = !currency || currency === COMPARED_CURRENCY ? "" : `${safeText(currency)} `
  if (priceIncGst !== undefined) return `${unit}${formatCents(centsOf(priceIncGst))} with GST`
  if (price === undefined) return "a price that is not known"
  const range = beside?.priceIncGst === undefined ? undefined : getTotalRange({ price, currency })
  return range ? `${formatRange(range)} with GST` : `${unit}${formatCents(centsOf(price))}`
}

/** Unknowns that matter for the choice: GST, and whether transit days count weekends. */
function doubts(
  chosen: RateRow,
  next: RateRow | undefined,
  rates: readonly RateRow[],
  { by, limits, date }: ChoiceOptions,
): string[] {
  const latest = latestPossible(chosen, date)
  const isLate = latestArrivals(limits, date).some((limit) => !isBy(latest, limit))
  const isBeaten = by === "eta" && next !== undefined && arrivalOrder(next, date) < latest
  const gst =
    by === "price" &&
    next !== undefined &&
    next.carrier !== chosen.carrier &&
    getMostCents(chosen) > centsOf(next.priceIncGst ?? next.price ?? 0)
  return [
    ...(isLate || isBeaten
      ? [
          `its ${counted(chosen.transitDays ?? 0, "day")} are counted with weekends, although carrier ${carrierLetter(chosen.carrier)} does not say so`,
        ]
      : []),
    ...(gst && next ? [`${shortName(next, rates)} may be cheaper`] : []),
  ]
}

/** The arrival if transit days count business days only. */
function latestPossible(rate: RateRow, date: string | undefined): string {
  const shipped = parseDate(date ?? "")
  if (rate.eta || rate.transitDays === undefined || rate.transitDays === null || !shipped.ok)
    return arrivalOrder(rate, date)
  let day: CalendarDate = shipped.value
  for (let left = rate.transitDays; left > 0; left--) day = nextBusinessDay(day)
  return `${formatDate(day)}T23:59:59`
}

function nearestMisses(assessed: readonly AssessedRate[], rates: readonly RateRow[]): string[] {
  const nearest = (["price", "late", "arrival", "share", "avoid", "rule"] as const).flatMap((kind) => {
    const missing = assessed.flatMap(({ rate, misses }) => {
      const miss = misses.find((each) => each.kind === kind)
      return miss ? [{ rate, misses, by: miss.by }] : []
    })
    return missing
      .sort((one, other) => one.misses.length - other.misses.length || one.by - other.by)
      .slice(0, 1)
  })
  const texts = nearest.map(
    ({ rate, misses }) =>
      `${shortName(rate, rates, true)} at ${describePrice(rate)} ${misses.map(({ text }) => text).join(" and ")}`,
  )
  return [...new Set(texts)]
}

/** The limits, for the message that nothing meets them: `at most 90.00, within 3 days`. */
export function limitsText({
  connectorId,
  maxPriceCents,
  maxPriceCurrency = COMPARED_CURRENCY,
  arriveBy,
  withinDays,
  onTimePercent,
  avoid = [],
}: Limits): string {
  return [
    ...(connectorId === undefined ? [] : [`with ${connectorId}`]),
    ...(maxPriceCents === undefined
      ? []
      : [
          `at most ${maxPriceCurrency === COMPARED_CURRENCY ? "" : `${maxPriceCurrency} `}${formatCents(maxPriceCents)}`,
        ]),
    ...(withinDays === undefined ? [] : [`within ${counted(withinDays, "day")}`]),
    ...(arriveBy === undefined ? [] : [`by ${arriveBy.replace("T", " ").replace(/:00$/, "")}`]),
    ...(onTimePercent === undefined ? [] : [`in time ${onTimePercent} % of the time`]),
    ...(avoid.length === 0 ? [] : [`not ${avoid.join(", ")}`]),
  ].join(", ")
}

/** Advice if only a rate that is too late for today would meet the limits. */
export const TOO_LATE_HINTS = {
  shop: "For another day, add --date tomorrow; for what is offered today, leave the wish out.",
  order:
    "Nothing was booked. Have it collected on a later day, or book it anyway with --allow-past: it may arrive later than it says.",
  // Here, --allow-past would also accept errors of other rows.
  row: "Rows that are too late for today were not booked: have them collected on a later day, or name a service without a limit on its arrival.",
} as const

/**
 * The error if no rate meets the limits.
 * @param what `no rate`, `service GEN`
 * @param hint advice if rates are only too late for today
 */
export function noMatchingRateError(
  what: string,
  limits: Limits,
  { misses, isTooLate, isTooDear }: Choice & { rate: undefined },
  hint: (typeof TOO_LATE_HINTS)[keyof typeof TOO_LATE_HINTS] = TOO_LATE_HINTS.order,
): FreightError {
  const wished = limitsText(limits)
  const so = wished === "" ? "" : ` (${wished})`
  if (isTooLate)
    return new FreightError(
      "refused",
      `${what} ${what === "no rate" ? "can still" : "can no longer"} be booked in time for today${so}`,
      {
        code: TOO_LATE,
        errors: misses.map((message) => ({ message, code: TOO_LATE })),
        hint,
      },
    )
  const says = what === "no rate" ? "no rate meets" : `${what} does not meet`
  return new FreightError("refused", `${says} your wishes${so}`, {
    code: isTooDear ? "OVER_MAX_PRICE" : "NO_SERVICE",
    errors: misses.map((message) => ({ message })),
    hint: "Nothing was booked; the nearest are listed.",
  })
}

/** A service's code if no other rate has it; otherwise, or `whole`, with its carrier or connector: `C/STD`. */
function shortName(rate: RateRow, rates: readonly RateRow[], whole = false): string {
  const { serviceCode, carrier, connectorId } = rate
  const others = rates.filter(
    (other) => other.serviceCode === serviceCode && other.connectorId !== connectorId,
  )
  const owner = others.some((other) => other.carrier === carrier) ? connectorId : carrierLetter(carrier)
  return safeText(others.length > 0 || whole ? `${owner}/${serviceCode}` : serviceCode)
}

/** `30 Nov 17:00`; `in 5 days`. */
function inDays({ eta, transitDays, arrives }: RateRow): string {
  return !eta && transitDays != null ? `in ${arrives}` : arrives
}
