/** From a complete draft to an order with its service, its price and its look-up. */
import { quoted } from "../../base/parsed.ts"
import {
  type Allowances,
  findHomeNote,
  inWords,
  listPlaces,
  momentAt,
  noteWarnings,
  type Own,
  PARTIES,
} from "../../contract/index.ts"
import type { JsonObject } from "../../base/json.ts"
import type { Deps } from "../../session/index.ts"
import { mayAsk } from "../../command/index.ts"
import { describeBooked } from "../../ledger/index.ts"
import { capital } from "../../output/index.ts"
import type { DryRoad } from "./book-one.ts"
import { fixDraftPlaces } from "./gather.ts"
import { chooseConnector, fetchConnectors, previewConnector } from "./connector.ts"
import { askAboutDoubts } from "./doubts.ts"
import { type LookOptions, lookElsewhere } from "./elsewhere.ts"
import { createCompleteRates } from "./evidence.ts"
import { refuseExample } from "./example.ts"
import { describeLateService } from "./in-time.ts"
import { type SelectedRate, type Order, requestOf, toOrder } from "./order.ts"
import { avoidedError, isAvoided, needsRates, parseService } from "./preferences.ts"
import { type PriceSource, priceOrder } from "./price.ts"
import { priceText } from "./rates.ts"
import { type BookingDraft, checkBookingDraft } from "./request.ts"
import { bookingIntent } from "./send.ts"

interface CheckOptions extends Allowances, LookOptions {
  /** False if no price is asked for. */
  rate?: string | false
  fixPlaces?: boolean | undefined
}

interface Checked {
  order: Order
  /** Its connector is empty in a dry run that does not know it. */
  selected: SelectedRate
}

/**
 * The order of a draft, with the service that it names, or the one chosen by its preferences.
 * @param options answers to doubts are stored in them
 */
export async function checkDraft(
  deps: Deps,
  given: BookingDraft,
  options: CheckOptions,
): Promise<Checked & { road: DryRoad }> {
  for (const note of given.notes) await deps.note(note)
  const draft = { ...given, own: await settleHomeNote(deps, given) }
  for (const warning of noteWarnings(draft.request.specialInstructions, draft.own))
    await deps.warn(inWords(warning))
  const { order, selected, warnings } = await askAboutDoubts(
    deps,
    options,
    async () =>
      chooseService(deps, options.fixPlaces ? await fixDraftPlaces(deps, draft, "all") : draft, options),
    { fixesPlaces: true },
  )
  refuseExample(requestOf(order, selected), deps.globals.sandbox)
  if (selected.why !== undefined) await deps.note(`Chosen: ${selected.why}.`)
  if (isAvoided(selected, draft.wish ?? {})) throw avoidedError(selected)
  for (const warning of warnings) await deps.warn(warning)
  return { order, selected, road: createRoad(deps, { order, selected }, options) }
}

/** The draft's own data, after asking a person if a note suggests that its receiver is a home. */
async function settleHomeNote(deps: Deps, { request, own, rate }: BookingDraft): Promise<Own> {
  const home = findHomeNote(request.specialInstructions, own)
  if (home === undefined || rate || !mayAsk(deps)) return own
  const question = `The instructions have ${quoted(home)}. Does it go to a home? Carriers charge more for homes.`
  return { ...own, "receiver.residential": await (await deps.prompt()).confirm(question, true) }
}

async function chooseService(
  deps: Deps,
  draft: BookingDraft,
  options: CheckOptions,
): Promise<Checked & { warnings: string[] }> {
  const { rate, wish } = draft
  const { serviceCode, rateId } = draft.request
  const knowledge = await deps.knowledge(listPlaces(draft.request, PARTIES))
  const moment = momentAt(deps.clock.now(), options, knowledge)
  const check = (request: BookingDraft["request"], carrier: SelectedRate["carrier"]) => {
    const checked = checkBookingDraft({ ...draft, request }, carrier, moment)
    return { order: toOrder(draft, checked.request), warnings: checked.warnings }
  }
  const isOpen = !rate && rateId === undefined
  if (isOpen && needsRates({ wish: { ...wish, ...parseService(String(serviceCode)) } })) {
    const { order } = check(draft.request, undefined)
    const selected = await priceOrder(await pricing(deps), order, undefined, "required")
    const { warnings } = check(requestOf(order, selected) as unknown as JsonObject, selected.carrier)
    return { order, selected, warnings }
  }
  const choose = options.dryRun ? previewConnector : chooseConnector
  const { id: connectorId = "", carrier } = await choose(deps, {
    connectorId: wish?.connectorId ?? rate?.connectorId,
    carrier: rate?.carrier,
    serviceCode,
    offline: options.dryRun === true && options.rate === false,
  })
  const checked = check(draft.request, carrier)
  return { ...checked, selected: { connectorId, carrier, serviceCode: String(serviceCode), rate } }
}

async function pricing(deps: Deps): Promise<PriceSource> {
  const { clock, ratePace } = deps
  const api = await deps.freight()
  const connectors = () => fetchConnectors(deps)
  return { api, clock, completeRates: createCompleteRates(deps), connectors, ratePace, mayAsk: mayAsk(deps) }
}

function createRoad(deps: Deps, { order, selected }: Checked, options: CheckOptions): DryRoad {
  const isAsked = options.rate !== false
  const isNamed = order.key !== undefined || order.request.customerReference !== undefined
  const look = async () => lookElsewhere(deps, await deps.ledger("freight"), await deps.freight(), options)
  return {
    look: isNamed && (isAsked || !options.dryRun) ? look : undefined,
    price: async () => (isAsked ? priceOrder(await pricing(deps), order, selected, "optional") : selected),
    async onPriced(priced, { stands, equal, isDry }) {
      const { warning } = priced
      if (warning !== undefined) await (isDry ? deps.note(`${capital(warning)}.`) : deps.warn(warning))
      const late = stands ? undefined : describeLateService(order, priced, deps.clock.now())
      if (late !== undefined) await deps.warn(late)
      if (equal && !stands)
        await deps.note(`An equal one ${describeBooked(equal)}: this is a separate booking.`)
      const price = priceText(bookingIntent(order, priced).facts)
      if (price !== undefined)
        await deps.note(`Price: ${price} (service ${priced.serviceCode} of ${priced.connectorId}).`)
    },
  }
}
