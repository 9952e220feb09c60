/**
 * The road of one order, however it came: it is looked up, priced, claimed and sent here, and nowhere else. Whoever makes
 * an order says how it is priced, and whom to ask. A dry run is the same, ended before the claim: see `preview.ts`.
 */
import type { FreightApi } from "../../api/freight.ts"
import type { BookingResponse } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import { claimOf, type Created, type LedgerDeps } from "../../ledger/create.ts"
import {
  askForSecond,
  ClockDoubt,
  isRepeated,
  NotSent,
  type Repeated,
  Unrecorded,
} from "../../ledger/refusals.ts"
import type { Questions } from "../../output/terminal/conversation/conversation.ts"
import { recheckElsewhere } from "./elsewhere.ts"
import { againOf, type Offer, type Order } from "./order.ts"
import { bookingIntent, bookOrder } from "./send.ts"

/** Why an order is not sent unless a person means it. */
type Doubt = Repeated | ClockDoubt

export interface Road {
  ledger: LedgerDeps
  api: Pick<FreightApi, "createShipment" | "getShipment">
  /** Reads what was booked elsewhere into the ledger. */
  look?: (() => Promise<void>) | undefined
  /** What the order is booked with, at its price. */
  price(): Promise<Offer>
  /** Called with it right before the claim. @param stands where the ledger has the order already, and it was not priced */
  onPriced?(offer: Offer, stands: boolean): Promise<void>
  /** Asks whether it is meant all the same, and throws where it is not; absent where nobody is asked: then it is refused. */
  confirm?: ((doubt: Doubt) => Promise<void>) | undefined
  /** Shows that it is being sent. */
  during?<T>(work: () => Promise<T>): Promise<T>
}

/** A booking that stands. */
export interface Booked extends Created<BookingResponse> {
  offer: Offer
  /** It was made, and the ledger could not be written. */
  error?: Unrecorded
}

/**
 * Books an order, at most once.
 * @param named what it is booked with, as far as that is known before its price; undefined where the ledger was asked how
 * it stands already, with all orders of its file
 * @throws FreightError as `bookOrder` does, and what pricing and the person throw
 */
export async function bookOne(road: Road, order: Order, named: Offer | undefined): Promise<Booked> {
  const { ledger, api, confirm } = road
  await road.look?.()
  const known = named && { named, ...(await lookUp(road, order, named)) }
  let asked = order
  const ask = async (doubt: Doubt) => {
    if (!confirm) throw doubt
    await confirm(doubt)
    asked = againOf(order)
  }
  const findPrice = async () => {
    // What the ledger answers, or refuses, needs no price.
    const standing = known && !known.isFree && asked === order ? known.named : undefined
    const offer = standing ?? (await road.price())
    await road.onPriced?.(offer, standing !== undefined)
    return offer
  }
  const send = async (offer: Offer): Promise<Booked> => {
    const work = () => bookOrder(ledger, api, asked, offer)
    try {
      return { ...(await (road.during ? road.during(work) : work())), offer }
    } catch (error) {
      if (!(error instanceof Unrecorded)) throw error
      const { entry } = error
      return { response: entry.response as BookingResponse, recorded: false, entry, offer, error }
    }
  }
  if (known?.repeated) await ask(known.repeated)
  const offer = await findPrice()
  try {
    return await send(offer)
  } catch (error) {
    if (asked !== order || !(isRepeated(error) || error instanceof ClockDoubt)) throw error
    await ask(error)
    return send(known?.isFree ? offer : await findPrice())
  }
}

/** How an order stands. What was booked elsewhere is read again before an order is left out for it. */
async function lookUp(
  { ledger, api }: Pick<Road, "ledger" | "api">,
  order: Order,
  named: Offer,
): Promise<{ isFree: boolean; repeated: Repeated | undefined }> {
  const claim = claimOf(ledger, bookingIntent(order, named))
  let standing = await ledger.store.look(claim)
  const stranger = standing.kind === "free" ? undefined : standing.entry.elsewhere && standing.entry
  if (stranger && (await recheckElsewhere(ledger, api, [stranger.facts.shipmentId ?? ""])))
    standing = await ledger.store.look(claim)
  if (standing.kind === "free") return { isFree: true, repeated: undefined }
  const refusal = standing.kind === "booked" ? undefined : new NotSent(standing, claim)
  return { isFree: false, repeated: isRepeated(refusal) ? refusal : undefined }
}

/** The person at a terminal; undefined where nobody is asked. */
export function createConfirm({
  spending,
  prompt,
}: {
  readonly spending: { readonly isOpen: boolean }
  prompt(): Promise<Pick<Questions, "confirm">>
}): Road["confirm"] {
  if (!spending.isOpen) return undefined
  return async (doubt) => {
    if (!(await (await prompt()).confirm(askAboutDoubt(doubt), false, { spends: true })))
      throw new FreightError("input", "you said no: nothing was sent")
  }
}

/** The question whether an order is meant all the same. */
export function askAboutDoubt(doubt: Doubt): string {
  return doubt instanceof ClockDoubt ? doubt.addTo("Book it anyway?") : askForSecond(doubt)
}
