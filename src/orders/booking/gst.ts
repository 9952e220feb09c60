/** GST of quoted prices: what a carrier does not say, a person may, and what a price can come to. */
import { FreightError } from "../../base/errors.ts"
import { amountOf, centsOf, toIncGst } from "../../base/money.ts"
import { carrierLetter } from "../../carriers/names.ts"
import type { Settings } from "../../machine/config/resolve.ts"
import type { AggregatedRateResponse, RatedService } from "../../contract/generated/types.ts"
import type { Facts } from "../../ledger/entry.ts"

/** Whether quotes include GST, by a carrier's letter or name or a connector's id, in small letters. */
export type GstBases = ReadonlyMap<string, "included" | "excluded">

/** `A=excluded, connector-c=included`. @returns undefined where it is not so */
export function parseGstBases(text: string): GstBases | undefined {
  const bases = new Map<string, "included" | "excluded">()
  for (const pair of text.split(",")) {
    const [, name, basis] = /^\s*([^=\s](?:[^=]*[^=\s])?)\s*=\s*(included|excluded)\s*$/i.exec(pair) ?? []
    if (name === undefined || basis === undefined) return undefined
    bases.set(name.toLowerCase(), basis.toLowerCase() === "included" ? "included" : "excluded")
  }
  return bases
}

/** The setting `gst`. @throws FreightError `config` where it is damaged */
export function readGstBases(settings: Pick<Settings, "resolve">): GstBases {
  const { value, from } = settings.resolve("gst")
  if (value === undefined) return new Map()
  const bases = parseGstBases(value)
  if (bases) return bases
  throw new FreightError("config", `the setting gst of profile '${from ?? ""}' is not carriers and bases`, {
    hint: "Such as A=excluded,C=included.",
    next: "freight config unset gst",
  })
}

/** How a carrier is named: as the API does, and by its letter. */
export function listCarrierNames(carrier: string): string[] {
  const letter = carrierLetter(carrier)
  return carrier === "" ? [] : [carrier, letter, `carrier ${letter}`]
}

/** The rates with their GST, where the carrier does not state it and a person has said whether it is in the price. */
export function withGst<Reply extends Pick<AggregatedRateResponse, "results">>(
  reply: Reply,
  bases: GstBases,
): Reply {
  if (bases.size === 0) return reply
  const results = reply.results.map((result) => {
    const names = [result.connectorId, ...listCarrierNames(result.carrier)]
    const basis = names.map((name) => bases.get(name.toLowerCase())).find(Boolean)
    if (!basis || !result.rates) return result
    return { ...result, rates: result.rates.map((rate) => addGst(rate, basis)) }
  })
  return { ...reply, results }
}

function addGst(rate: RatedService, basis: "included" | "excluded"): RatedService {
  if (rate.priceGst !== undefined || rate.priceIncGst !== undefined) return rate
  const cents = centsOf(rate.price)
  const gst = Math.round(basis === "included" ? cents / 11 : cents / 10)
  return {
    ...rate,
    priceGst: amountOf(gst),
    priceIncGst: amountOf(basis === "included" ? cents : cents + gst),
  }
}

/**
 * What a price can come to, in cents: with GST, which is a tenth, also where it is not known whether that is in it.
 * Prices are compared by it, with each other and with limits.
 */
export function getMostCents({ price, priceIncGst }: Pick<RatedService, "price" | "priceIncGst">): number {
  return priceIncGst === undefined ? toIncGst(centsOf(price)) : centsOf(priceIncGst)
}

/** The same of what was booked; undefined where its price is not known. */
export function getMostCentsBooked({
  priceCents,
  priceIncGstCents,
}: Pick<Facts, "priceCents" | "priceIncGstCents">): number | undefined {
  return priceIncGstCents ?? (priceCents === undefined ? undefined : toIncGst(priceCents))
}
