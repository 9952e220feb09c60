/** A dry run of a booking: what would be sent, at which price, and whether it would be refused. */
import type { FreightApi } from "../api/freight.ts"
import { FreightError, toStepError } from "../errors.ts"
import { claimOf, type LedgerDeps } from "../ledger/create.ts"
import { equalBefore, refusal } from "../ledger/refusals.ts"
import type { Clock } from "../ports.ts"
import { jsonText } from "../terminal/json-text.ts"
import { capital } from "../terminal/sanitize.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { chooseConnector } from "./connector.ts"
import { hasPrice, priceText, withRate } from "./price.ts"
import { type Booking, bookingIntent } from "./send.ts"

interface PreviewDeps {
  readonly terminal: Terminal
  readonly clock: Clock
  readonly sender: LedgerDeps["sender"]
  freight(): Promise<Pick<FreightApi, "connectorRates">>
  readLedger(): Promise<Pick<LedgerDeps, "store"> & { owner: LedgerDeps["owner"] | undefined }>
  note(text: string): Promise<void>
  warn(text: string): Promise<void>
}

type Preview = Omit<Booking, "connectorId"> & { connectorId: string | undefined }

/** Prints the request of a booking that is not sent. @param isUnpriced whether its price is not to be asked for */
export async function previewBooking(
  deps: PreviewDeps,
  { connectorId, ...booking }: Preview,
  isUnpriced: boolean,
): Promise<undefined> {
  await deps.terminal.stdout.write(`${jsonText(booking.request, 2)}\n`)
  if (connectorId !== undefined) await notePreviewPrice(deps, { ...booking, connectorId }, isUnpriced)
  await deps.note(`Nothing was sent. It would go to POST /${connectorId ?? "{connectorId}"}/shipments.`)
  if (connectorId !== undefined) await noteEqualBooking(deps, { ...booking, connectorId })
}

/** The connector, as far as it can be known: a dry run goes on without it where it cannot be asked for. */
export async function previewConnector(
  deps: Parameters<typeof chooseConnector>[0],
  choice: Parameters<typeof chooseConnector>[1],
): ReturnType<typeof chooseConnector> {
  const seen = await chooseConnector(deps, { ...choice, offline: true })
  if (seen.id !== undefined || choice.offline) return seen
  try {
    return await chooseConnector(deps, choice)
  } catch (error) {
    if (error instanceof FreightError && !["interrupted", "usage", "notFound"].includes(error.kind))
      return seen
    throw error
  }
}

export async function notePrice({ note }: Pick<PreviewDeps, "note">, booking: Booking): Promise<void> {
  const { connectorId, request } = booking
  const price = priceText(bookingIntent(booking).facts)
  if (price !== undefined) await note(`Price: ${price} (service ${request.serviceCode} of ${connectorId}).`)
}

/** A dry run goes on without the price where it cannot be asked for. */
async function notePreviewPrice(deps: PreviewDeps, booking: Booking, isUnpriced: boolean): Promise<void> {
  if (isUnpriced || booking.rate || hasPrice(booking.request)) return notePrice(deps, booking)
  try {
    const { warning, ...priced } = await withRate({ api: await deps.freight(), clock: deps.clock }, booking)
    if (warning !== undefined) await deps.note(sentence(warning))
    await notePrice(deps, { ...booking, ...priced })
  } catch (error) {
    await deps.note(sentence(`its price is not known: ${toStepError(error).message}`))
  }
}

function sentence(text: string): string {
  return `${capital(text)}.`
}

/** Whether it would be refused since something equal was made; without a key of the API that is not known. */
async function noteEqualBooking(deps: PreviewDeps, booking: Booking): Promise<void> {
  const { owner, store } = await deps.readLedger()
  if (!owner) return
  const claim = claimOf({ owner, sender: deps.sender }, bookingIntent(booking))
  const { verdict, entry, earlier } = await store.look(claim)
  if (earlier) await deps.note(equalBefore(earlier))
  if (verdict === "free" || verdict === "recorded" || !entry) return
  await deps.warn(`it would not be sent: ${refusal(entry, verdict, claim).message}`)
}
