/** A dry run of a booking: the same way, ended before the claim. */
import { FreightError, toStepError } from "../../base/errors.ts"
import type { LedgerReader } from "./standings.ts"
import { refusalOf } from "../../ledger/create.ts"
import type { Sender } from "../../ledger/entry.ts"
import { equalBefore, warnOfOpenBeside } from "../../ledger/refusals.ts"
import type { Quotes } from "../../machine/memory/quotes.ts"
import { capital } from "../../output/terminal/sanitize.ts"
import type { Terminal } from "../../output/terminal/terminal.ts"
import { printJson } from "../../output/terminal/view.ts"
import { chooseConnector } from "./connector.ts"
import type { Clock } from "../../base/ports.ts"
import { describeLateOffer } from "./in-time.ts"
import { type Offer, type Order, requestOf } from "./order.ts"
import { priceText } from "./rates.ts"
import { bookingIntent } from "./send.ts"

interface PreviewDeps {
  readonly clock: Pick<Clock, "now">
  readonly terminal: Terminal
  readonly sender: Sender
  readonly quotes: Pick<Quotes, "keepRate">
  readLedger(): Promise<LedgerReader>
  note(text: string): Promise<void>
  warn(text: string): Promise<void>
}

/**
 * Prints the request of a booking that is not sent, at the price at which it would be.
 * @param named its connector is empty where it is not known
 * @param price asks for its price; a dry run goes on without where it cannot be asked for
 * @param look looks for what was booked elsewhere; undefined where nothing is asked of the API
 */
export async function previewBooking(
  deps: PreviewDeps,
  order: Order,
  named: Offer,
  price: () => Promise<Offer>,
  look: (() => Promise<void>) | undefined,
): Promise<undefined> {
  const { connectorId } = named
  let offer = named
  if (connectorId !== "") {
    try {
      offer = await price()
      if (offer.warning !== undefined) await deps.note(sentence(offer.warning))
      const late = describeLateOffer(order, offer, deps.clock.now())
      if (late !== undefined) await deps.warn(late)
      await notePrice(deps, order, offer)
    } catch (error) {
      await deps.note(sentence(`its price is not known: ${toStepError(error).message}`))
    }
  }
  // What is printed may be kept as a file, and booked later.
  if (offer.rate) await deps.quotes.keepRate(offer.rate)
  await printJson(deps, requestOf(order, offer))
  await deps.note(`Nothing was sent. It would go to POST /${connectorId || "{connectorId}"}/shipments.`)
  if (connectorId === "") return
  try {
    await look?.()
  } catch (error) {
    await deps.note(sentence(toStepError(error).message))
  }
  await noteEqualBooking(deps, order, offer)
}

/**
 * The connector and its carrier, whose rules the run would hold the order to: the API is asked where this machine has not
 * seen them. A dry run goes on without where they cannot be asked for.
 */
export async function previewConnector(
  deps: Parameters<typeof chooseConnector>[0],
  choice: Parameters<typeof chooseConnector>[1],
): ReturnType<typeof chooseConnector> {
  const seen = await chooseConnector(deps, { ...choice, offline: true })
  if (seen.carrier !== undefined || choice.offline) return seen
  try {
    return await chooseConnector(deps, choice)
  } catch (error) {
    if (error instanceof FreightError && !["interrupted", "usage", "notFound"].includes(error.kind))
      return seen
    throw error
  }
}

export async function notePrice(
  { note }: Pick<PreviewDeps, "note">,
  order: Order,
  offer: Offer,
): Promise<void> {
  const price = priceText(bookingIntent(order, offer).facts)
  if (price !== undefined)
    await note(`Price: ${price} (service ${offer.serviceCode} of ${offer.connectorId}).`)
}

function sentence(text: string): string {
  return `${capital(text)}.`
}

/** Whether it would be refused since something equal was made; without a key of the API that is not known. */
async function noteEqualBooking(deps: PreviewDeps, order: Order, offer: Offer): Promise<void> {
  const { owner, store } = await deps.readLedger()
  if (!owner) return
  const { refusal, earlier, beside } = await refusalOf(
    { owner, store, sender: deps.sender },
    bookingIntent(order, offer),
  )
  if (earlier) await deps.note(equalBefore(earlier, requestOf(order, offer)))
  if (beside) await deps.warn(warnOfOpenBeside(beside))
  if (refusal) await deps.warn(`it would not be sent: ${refusal.message}`)
}
