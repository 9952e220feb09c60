/** Finds a rate by its number in the last table shown, so that nobody has to copy an id. */
import { carrierLetter } from "../contract/carrier-fields.ts"
import { formatMoney } from "../contract/money.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import { FreightError } from "../errors.ts"
import type { Quotes } from "../memory/quotes.ts"

/**
 * The rate of a number in the last table of rates that was shown on this workstation; undefined for an id.
 * @throws FreightError `usage` for a number that the table did not have
 */
export async function findNumberedRate(
  quotes: Pick<Quotes, "find" | "lastShown">,
  text: string,
): Promise<{ rateId: string; note: string } | undefined> {
  if (!/^\d{1,3}$/.test(text) || (await quotes.find(text))) return undefined
  const next = "freight rate-shop"
  const quote = await quotes.lastShown()
  if (!quote?.shown)
    throw new FreightError(
      "usage",
      `--rate ${text} is a number, but no rates were shown on this workstation yet`,
      {
        hint: "Get rates first, or give a rate's id.",
        next,
      },
    )
  const rateId = quote.shown[Number(text) - 1]
  const kept = typeof rateId === "string" ? await quotes.find(rateId) : undefined
  const at = formatInstant(new Date(quote.quotedAt).toISOString())
  if (!kept || typeof rateId !== "string")
    throw new FreightError(
      "usage",
      rateId === null
        ? `rate ${text} has no id, so it cannot be booked by its number`
        : `--rate ${text}: the last rates, of ${at}, have the numbers 1 to ${quote.shown.length}`,
      { hint: "Nothing was sent.", next },
    )
  const { description, price, currency } = kept.rate
  const service = `${description}, carrier ${carrierLetter(kept.carrier)}, ${formatMoney(price, currency)}`
  return { rateId, note: `Rate ${text} of ${at}: ${service}.` }
}
