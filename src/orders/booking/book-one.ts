/**
 * The path of every order, whatever its source: it is looked up, priced, claimed, sent and followed up here, and nowhere
 * else. The source decides how it is priced, who is asked, and what follows. A dry run ends before the claim.
 */
import type { FreightApi } from "../../api/index.ts"
import type { BookingResponse } from "../../contract/generated/types.ts"
import { toFlagName } from "../../base/command-line.ts"
import { LINK_FIELDS, pickAllowedFlags, pickWishes, type RateLink } from "../../contract/index.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import {
  bookedBefore,
  claimOf,
  ClockDoubt,
  type Created,
  type Entry,
  equalBefore,
  getReference,
  isRepeated,
  type LedgerDeps,
  NotSent,
  refusalOf,
  type Repeated,
  type Sender,
  Unrecorded,
  warnOfOpenBeside,
} from "../../ledger/index.ts"
import type { Quotes } from "../../machine/index.ts"
import { capital, printJson, type Questions, type Writing } from "../../output/index.ts"
import { recheckElsewhere } from "./elsewhere.ts"
import { againOf, type SelectedRate, type Order, requestOf } from "./order.ts"
import { bookingIntent, bookOrder } from "./send.ts"
import type { LedgerReader } from "./standings.ts"
import { safeText } from "../../base/safe-text.ts"
import type { Notes } from "../../base/ports.ts"

/** Why an order is not sent unless a person confirms it. */
type Doubt = Repeated | ClockDoubt

export interface Known {
  /** The ledger has it already, so it was not priced. */
  stands?: boolean
  /** The entry that equals it, if it is booked anyway. */
  equal?: Entry | undefined
  isDry?: boolean
}

export interface DryRoad {
  /** Reads bookings made elsewhere into the ledger. */
  look?: (() => Promise<void>) | undefined
  price(): Promise<SelectedRate>
  /** Called with it right before the claim. */
  onPriced?(selected: SelectedRate, known: Known): Promise<void>
}

export interface Road extends DryRoad {
  ledger: LedgerDeps
  api: Pick<FreightApi, "createShipment" | "getShipment">
  /** Asks for confirmation, and throws if that is denied; absent if nobody is asked: the order is then refused. */
  confirm?: ((doubt: Doubt) => Promise<void>) | undefined
  during?<T>(work: () => Promise<T>): Promise<T>
}

export interface Booked extends Created<BookingResponse> {
  selected: SelectedRate
  error?: Unrecorded
}

/**
 * Books an order, at most once.
 * @param named its service, as far as known before the price; undefined if the standing was already read with all orders
 * of its file
 * @param followUp runs after a successful booking
 */
export async function bookOne<T>(
  road: Road,
  order: Order,
  named: SelectedRate | undefined,
  followUp: (booked: Booked) => Promise<T>,
): Promise<T> {
  return followUp(await book(road, order, named))
}

async function book(road: Road, order: Order, named: SelectedRate | undefined): Promise<Booked> {
  const { ledger, api, confirm } = road
  await road.look?.()
  const known = named && { named, ...(await findStanding(road, order, named)) }
  let asked = order
  const ask = async (doubt: Doubt) => {
    if (!confirm) throw doubt
    await confirm(doubt)
    asked = againOf(order)
  }
  const findPrice = async () => {
    // An order that the ledger answers or refuses needs no price.
    const standing = known && !known.isFree && asked === order ? known.named : undefined
    const selected = standing ?? (await road.price())
    await road.onPriced?.(selected, { stands: standing !== undefined, equal: known?.equal })
    return selected
  }
  const send = async (selected: SelectedRate): Promise<Booked> => {
    const work = () => bookOrder(ledger, api, asked, selected)
    try {
      return { ...(await (road.during ? road.during(work) : work())), selected }
    } catch (error) {
      if (!(error instanceof Unrecorded)) throw error
      const { entry } = error
      return { response: entry.response as BookingResponse, recorded: false, entry, selected, error }
    }
  }
  // A script gets a note about a booking for another day.
  if (known?.repeated && (confirm || !known.isFree)) await ask(known.repeated)
  const selected = await findPrice()
  try {
    return await send(selected)
  } catch (error) {
    if (asked !== order || !(isRepeated(error) || error instanceof ClockDoubt)) throw error
    await ask(error)
    return send(known?.isFree ? selected : await findPrice())
  }
}

/** Looks up an order's standing. A booking made elsewhere is read again before an order is left out for it. */
async function findStanding(
  { ledger, api }: Pick<Road, "ledger" | "api">,
  order: Order,
  named: SelectedRate,
): Promise<{ isFree: boolean; repeated: Repeated | undefined; equal?: Entry }> {
  const { again } = order.source
  const claimFor = (isMeant: boolean) => claimOf(ledger, bookingIntent(againOf(order, isMeant), named))
  const claim = claimFor(again)
  const first = await ledger.store.look(claimFor(false))
  let standing = first.kind === "free" || !again ? first : await ledger.store.look(claim)
  const stranger = standing.kind === "free" ? undefined : standing.entry.elsewhere && standing.entry
  if (stranger && (await recheckElsewhere(ledger, api, [stranger.facts.shipmentId ?? ""])))
    standing = await ledger.store.look(claim)
  const equal = again && first.kind === "equal" ? { equal: first.entry } : {}
  if (standing.kind === "free") {
    const before = again ? undefined : (standing.earlier ?? standing.expired)
    const isNamed = before?.facts.reference !== undefined && getReference(claim) !== ""
    return { isFree: true, repeated: isNamed ? bookedBefore(before, claim) : undefined, ...equal }
  }
  const refusal = standing.kind === "booked" ? undefined : new NotSent(standing, claim)
  return { isFree: false, repeated: isRepeated(refusal) ? refusal : undefined, ...equal }
}

export interface PreviewDeps extends Writing, Notes {
  readonly sender: Sender
  readonly quotes: Pick<Quotes, "keepPrinted">
  readLedger(): Promise<LedgerReader>
}

/**
 * A dry run: prints the request with its price, and what the claim would say. Continues without data that cannot be asked
 * for.
 * @param named its connector is empty if not known
 * @param ending says that nothing was sent
 */
export async function previewOne(
  deps: PreviewDeps,
  road: DryRoad,
  order: Order,
  named: SelectedRate,
  ending = `Nothing was sent. It would go to POST /${named.connectorId || "{connectorId}"}/shipments.`,
): Promise<undefined> {
  const isKnown = named.connectorId !== ""
  let selected = named
  const attempt = async (work: () => Promise<void> | undefined, what = "") => {
    try {
      if (isKnown) await work()
    } catch (error) {
      await deps.note(`${capital(`${what}${toStepError(error).message}`)}.`)
    }
  }
  await attempt(async () => {
    selected = await road.price()
    await road.onPriced?.(selected, { isDry: true })
  }, "its price is not known: ")
  const request = requestOf(order, selected)
  // The output may be kept as a file, and booked later.
  if (selected.rate)
    await deps.quotes.keepPrinted(selected.rate, { link: pickLink(request), wishes: pickWishes(order.own) })
  await printJson(deps, request)
  await deps.note([ending, ...describeAllowed(order)].join(" "))
  await attempt(async () => road.look?.())
  if (isKnown) await noteStanding(deps, order, selected)
}

/** Flags that a booking of the output needs: a request does not hold permissions. A rate is not chosen again. */
function describeAllowed({ source }: Order): string[] {
  const { withoutMissing: _, ...allowed } = pickAllowedFlags(source.allowed) ?? {}
  const flags = Object.keys(allowed).map((name) => toFlagName(name))
  if (flags.length === 0) return []
  return [`The printed request holds no permissions: to book it, give ${flags.join(" and ")} again.`]
}

/** Says what the claim of an order would do; without a key of the API that is not known. */
async function noteStanding(deps: PreviewDeps, order: Order, selected: SelectedRate): Promise<void> {
  const { owner, store } = await deps.readLedger()
  if (!owner) return
  const { refusal, earlier, beside } = await refusalOf(
    { owner, store, sender: deps.sender },
    bookingIntent(order, selected),
  )
  if (earlier) await deps.note(equalBefore(earlier, requestOf(order, selected)))
  if (beside) await deps.warn(warnOfOpenBeside(beside))
  if (refusal) await deps.warn(`it would not be sent: ${refusal.message}`)
}

/** The person at a terminal; undefined if nobody is asked. */
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

export function askAboutDoubt(doubt: Doubt): string {
  return doubt instanceof ClockDoubt ? doubt.addTo("Book it anyway?") : askForSecond(doubt)
}

function pickLink(booking: Partial<RateLink>): Partial<RateLink> {
  const said = (["serviceCode", ...LINK_FIELDS] as const).filter((name) => booking[name] !== undefined)
  return Object.fromEntries(said.map((name) => [name, booking[name]]))
}

/** The question in place of a refusal, if there is a person to ask. */
function askForSecond({ standing, message }: Repeated): string {
  const question = standing.entry.elsewhere ? "Is this a separate consignment?" : "Book a second one?"
  const said = safeText(message)
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}. ${question}`
}
