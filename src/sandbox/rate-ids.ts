/**
 * The ids of offered rates. All rates of a call share a stem and differ in a number, so that finding one again takes
 * one entry in memory for the whole call.
 */
import type { OfferedRate, QuoteEvent } from "./events.ts"
import type { World } from "./world.ts"

const STEM_LENGTH = "00000000-0000-0000-0000-".length
const NUMBER_LENGTH = 12

/** A fresh stem from a UUID. */
export function stemOf(uuid: string): string {
  return uuid.slice(0, STEM_LENGTH)
}

/** The id of the n-th rate of a call, from 0; it has the shape of a UUID. */
export function rateId(stem: string, n: number): string {
  return stem + String(n).padStart(NUMBER_LENGTH, "0")
}

/** The rate with this id, with the call that offered it; undefined when none was offered. */
export function findRate(
  { state, recall }: World,
  id: string,
): { quote: QuoteEvent; rate: OfferedRate } | undefined {
  const stem = id.slice(0, STEM_LENGTH)
  const number = id.slice(STEM_LENGTH)
  const entry = state.quotes.get(stem)
  if (!entry || !/^\d{12}$/.test(number)) return undefined
  const quote = recall(entry)
  const rate = quote.type === "quote" ? quote.rates[Number(number)] : undefined
  return quote.type === "quote" && rate ? { quote, rate } : undefined
}
