/**
 * GST of quoted prices. If the carrier does not state it, a setting or audited bills may; and the most that a price can
 * come to.
 */
import { FreightError } from "../../base/errors.ts"
import { amountOf, centsOf, formatCents, toIncGst } from "../../base/money.ts"
import { safeText } from "../../base/safe-text.ts"
import { carrierLetter, listCarrierNames } from "../../carriers/index.ts"
import { readGstBases, type Settings } from "../../machine/index.ts"
import type { AggregatedRateResponse, RatedService } from "../../contract/generated/types.ts"
import type { Ledgers, Session } from "../../session/index.ts"
import type { BilledBasis, Facts } from "../../ledger/index.ts"

type KnownBasis = "included" | "excluded"

type Rates = Pick<AggregatedRateResponse, "results">
type Result = Rates["results"][number]

export interface GstDeps extends Pick<Ledgers, "hasLedger" | "readLedger">, Pick<Session, "note"> {
  settings: Pick<Settings, "resolve">
}

export type AddKnownGst = <Reply extends Rates>(reply: Reply) => Promise<Reply>

/**
 * GST from the rate goes first, then the setting `gst`, then billed GST: the ledger is asked only if neither of the others
 * has it, once for each carrier.
 */
export function createAddKnownGst(deps: GstDeps): AddKnownGst {
  const stated = readGstBases(deps.settings)
  const billed = new Map<string, ReturnType<typeof findBilled>>()
  return async (reply) => {
    const asked = reply.results.filter((result) => lacksGst(result) && !findStated(result, stated))
    const carriers = new Set(asked.map(({ carrier }) => carrier).filter(Boolean))
    const unasked = [...carriers].filter((carrier) => !billed.has(carrier))
    if (unasked.length > 0) {
      const found = findBilled(deps, unasked)
      for (const carrier of unasked) billed.set(carrier, found)
    }
    const known = new Map<string, KnownBasis>()
    for (const carrier of carriers) {
      const basis = (await billed.get(carrier))?.get(carrier)
      if (basis) known.set(carrier, basis)
    }
    return withGst(reply, (result) => findStated(result, stated) ?? known.get(result.carrier))
  }
}

/** Reports once what bills show, or why that is not known: rates are shown without a ledger too. */
async function findBilled(
  { hasLedger, readLedger, note }: GstDeps,
  carriers: readonly string[],
): Promise<ReadonlyMap<string, KnownBasis>> {
  const found: BilledBasis[] = []
  try {
    if (!(await hasLedger())) return new Map()
    const { findBilledBases } = await import("../../ledger/records/billed.ts")
    const { store, scopes } = await readLedger()
    found.push(...(await findBilledBases(store.database, scopes, carriers)))
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
    await note(`What audited bills show of GST is not known: ${error.message}.`)
  }
  for (const { carrier, basis, consignments } of found)
    await note(
      `Carrier ${carrierLetter(carrier)}'s prices are ${basis === "included" ? "with" : "without"} GST, as ${consignments} consignments on audited bills show.`,
    )
  return new Map(found.map(({ carrier, basis }) => [carrier, basis]))
}

function findStated(
  { connectorId, carrier }: Result,
  bases: ReturnType<typeof readGstBases>,
): KnownBasis | undefined {
  if (bases.size === 0) return undefined
  const names = [connectorId, ...listCarrierNames(carrier)]
  return names.map((name) => bases.get(name.toLowerCase())).find(Boolean)
}

function lacksGst({ rates = [] }: Result): boolean {
  return rates.some((rate) => !saysGst(rate))
}

function saysGst({ priceGst, priceIncGst }: RatedService): boolean {
  return priceGst !== undefined || priceIncGst !== undefined
}

/** Adds GST to rates whose carrier does not state it, if it is known whether the price includes it. */
function withGst<Reply extends Rates>(
  reply: Reply,
  findBasis: (result: Result) => KnownBasis | undefined,
): Reply {
  const results = reply.results.map((result) => {
    const basis = lacksGst(result) ? findBasis(result) : undefined
    if (!basis || !result.rates) return result
    return { ...result, rates: result.rates.map((rate) => addGst(rate, basis)) }
  })
  return { ...reply, results }
}

function addGst(rate: RatedService, basis: KnownBasis): RatedService {
  if (saysGst(rate) || rate.price === undefined) return rate
  const cents = centsOf(rate.price)
  const gst = Math.round(basis === "included" ? cents / 11 : cents / 10)
  return {
    ...rate,
    priceGst: amountOf(gst),
    priceIncGst: amountOf(basis === "included" ? cents : cents + gst),
  }
}

/**
 * The most that a price can come to, in cents with GST: a tenth is added unless GST is known to be included. Infinity
 * without a price. Prices are compared by it, with each other and with limits.
 */
export function getMostCents({ price, priceIncGst }: Pick<RatedService, "price" | "priceIncGst">): number {
  if (priceIncGst !== undefined) return centsOf(priceIncGst)
  return price === undefined ? Number.POSITIVE_INFINITY : toIncGst(centsOf(price))
}

/**
 * A price with GST, in cents: one amount if that is known, otherwise from the amount with GST included to that with GST
 * added. Undefined if the price is not compared with others.
 */
export function getTotalRange(rate: Priced): [least: number, most: number] | undefined {
  if (whyNotCompared(rate) !== undefined) return undefined
  const most = getMostCents(rate)
  return [rate.priceIncGst === undefined ? centsOf(rate.price ?? 0) : most, most]
}

/** `70.29`; `62.52 to 68.77`. */
export function formatRange([least, most]: readonly [number, number]): string {
  return least === most ? formatCents(most) : `${formatCents(least)} to ${formatCents(most)}`
}

/** How to read a table of such ranges, and how to avoid them. @param carriers that do not state their GST */
export function describeUnstatedGst(carriers: readonly string[]): string[] {
  const letters = [...new Set(carriers.map(carrierLetter))].sort()
  if (letters.length === 0) return []
  const [who, whose] =
    letters.length === 1
      ? ["Carrier", "does not say whether GST is in its"]
      : ["Carriers", "do not say whether GST is in their"]
  const setting = letters.map((letter) => `${letter}=included`).join(",")
  return [
    `${who} ${letters.join(" and ")} ${whose} prices: their totals go from the price as quoted to the price with GST added, by which they are compared. If it is in: freight config set gst ${setting}`,
  ]
}

export const COMPARED_CURRENCY = "AUD"

type Priced = Pick<RatedService, "price" | "priceIncGst"> & { currency?: string | undefined }

/** Why a price is not compared with others or with limits, to follow the name of its rate; undefined if it is. */
export function whyNotCompared(
  { price, priceIncGst = price, currency }: Priced,
  compared = COMPARED_CURRENCY,
): string | undefined {
  if (price === undefined || priceIncGst === undefined) return "has a price that is not known"
  if (!currency) return "is in a currency that is not known"
  if (currency !== compared) return `is in ${safeText(currency)}, which is not compared with ${compared}`
  return centsOf(price) > 0 && centsOf(priceIncGst) > 0 ? undefined : "has no price above 0.00"
}

/**
 * Why only a person who names a rate can choose it; undefined if freight may.
 * @see whyNotCompared
 */
export function whyOnlyNamed({ visibility = "shown", ...rate }: Priced & Pick<RatedService, "visibility">) {
  const isKnown = ["shown", "hidden"].includes(visibility)
  return whyNotCompared(rate) ?? (isKnown ? undefined : "has a visibility that is not known")
}

/**
 * The most that a booking can have cost, as `getMostCents`; undefined if its price is not known in the currency of limits.
 */
export function getMostCentsBooked({
  priceCents,
  priceIncGstCents,
  currency = COMPARED_CURRENCY,
}: Pick<Facts, "priceCents" | "priceIncGstCents" | "currency">): number | undefined {
  if (currency !== COMPARED_CURRENCY) return undefined
  return priceIncGstCents ?? (priceCents === undefined ? undefined : toIncGst(priceCents))
}
