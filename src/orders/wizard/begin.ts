/** The start of a booking: from the command line, or from an unfinished draft. */
import {
  describeOwn,
  formatPlace,
  getQuotedHomes,
  isSamePlace,
  LINK_FIELDS,
  pickAllowances,
  pickAllowedFlags,
  toOwnHomes,
  totalsOf,
} from "../../contract/index.ts"
import { answerText } from "./field.ts"
import { getField } from "./questions.ts"
import { toFlagName } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import * as requests from "../../contract/generated/requests.js"
import type { BookingAddress, RateRequest } from "../../contract/generated/types.ts"
import { type Json, type JsonObject, sameJson } from "../../base/json.ts"
import { FreightError } from "../../base/errors.ts"
import type { KeptDraft } from "../../machine/index.ts"
import type { Ids } from "../../base/ports.ts"
import { BACK, type Choice, widthOf } from "../../output/index.ts"
import type { OrderDraft } from "../booking/order.ts"
import { parseService, toLimits, type PreferenceDraft } from "../booking/preferences.ts"
import { getAnswer, type Draft, type DraftStart, getPackages, getParty, readDraft, VERSION } from "./draft.ts"
import { isSameParty } from "../booking/request.ts"
import type { EarlierBooking, WizardContext } from "./context.ts"
import { settleParties } from "./consequences.ts"
import { goTo, type Step, unlessBack } from "./step.ts"

/** Fields that come with a rate: the draft has the rate, and links it when it is sent. */
const RATE_FIELDS: readonly string[] = ["serviceCode", "items", ...LINK_FIELDS]

export function createDraft(given: OrderDraft, ids: Pick<Ids, "uuid">): Draft {
  const { request, rate, own, key } = given
  const id = ids.uuid()
  const service = typeof request.serviceCode === "string" ? parseService(request.serviceCode) : undefined
  const kept = Object.fromEntries(Object.entries(request).filter(([name]) => !RATE_FIELDS.includes(name)))
  const allowed = pickAllowances(given.source.allowed)
  const wish: PreferenceDraft = {
    ...(rate && { connectorId: rate.connectorId }),
    ...given.wish,
    // The cheapest is offered first anyway.
    ...(service?.kind !== "cheapest" && service),
  }
  const start: DraftStart = {
    request: rate ? withPlaces(kept, rate.request) : kept,
    ...(Object.keys(wish).length > 0 && { wish }),
    own: { ...own, ...(rate && toOwnHomes(getQuotedHomes(rate))) },
  }
  return {
    version: VERSION,
    id,
    key: key ?? `wizard-${id.slice(0, 13)}`,
    isKeyGenerated: key === undefined || given.source.isKeyGenerated,
    ...start,
    given: start,
    allowed,
    ...(given.source.written?.returned && { returned: given.source.written.returned }),
    ...(rate && { rate }),
  }
}

/** The places that a rate was quoted for are the origin and the destination. */
function withPlaces(request: JsonObject, { from, to }: RateRequest): JsonObject {
  const placeOf = ({ suburb, state, postcode }: RateRequest["from"]) => ({ suburb, state, postcode })
  const start = (request.collection ?? request.sender) as BookingAddress | undefined
  const isElsewhere = start !== undefined && request.collection === undefined && !isSamePlace(start, from)
  return {
    ...(start === undefined && { sender: placeOf(from) }),
    ...(isElsewhere && { collection: placeOf(from) }),
    receiver: placeOf(to),
    ...request,
  }
}

/** An unfinished draft, with what the command line gives now over it. */
export function resumeDraft(kept: Draft, given: OrderDraft): Draft {
  const now = createDraft(given, { uuid: () => kept.id })
  const { rate: before, ...rest } = kept
  // Answers go over the places of a rate, which have less detail.
  const request = { ...now.request, ...kept.request, ...pickGiven(now.request, given.request) }
  const { draft } = settleParties(kept, { ...rest, request })
  const own = { ...draft.own, ...now.own }
  // Limits of the draft go over the profile, which may be another by now.
  const wish = { ...kept.wish, ...now.wish, ...toLimits(own) }
  const isPreferredBefore = Object.entries(wish).every(([name, value]) =>
    sameJson(value as Json, Object(kept.wish)[name]),
  )
  return {
    ...draft,
    own,
    ...(Object.keys(wish).length > 0 && { wish }),
    ...(kept.given && {
      given: {
        request: { ...kept.given.request, ...now.request },
        own: { ...kept.given.own, ...now.own },
        wish: { ...kept.given.wish, ...now.wish },
      },
    }),
    allowed: pickAllowances({ ...kept.allowed, ...now.allowed }),
    // A rate that was chosen counts until the command line wants another.
    ...(now.rate ? { rate: now.rate } : isPreferredBefore && before && { rate: before }),
  }
}

/** The parts taken from a continued draft, and those left out, in a line. */
export function describeContinued(kept: Draft, draft: Draft): string {
  const allowed = Object.keys(pickAllowedFlags(draft.allowed) ?? {}).map((name) => toFlagName(name))
  const parts = [
    `Continuing with ${describeDraft(draft)}`,
    ...(allowed.length > 0 ? [`with ${allowed.join(" and ")}`] : []),
  ]
  const isLeft = kept.rate !== undefined && draft.rate?.rate.rateId !== kept.rate.rate.rateId
  const left = isLeft ? " Its rate is left out: another is wanted." : ""
  return `${parts.join(", ")}.${left}`
}

function pickGiven(request: JsonObject, given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(request).filter(([name]) => Object.hasOwn(given, name)))
}

const LEFT_OUT = "Taken as it was booked. Its reference, times and rate are left out."

/** Maximum number of drafts and earlier bookings offered at once. More receivers are found by name. */
const MAX_OFFERED = 5

/**
 * Offers unfinished drafts.
 * @param isWanted the person asked for it, with `--resume`
 * @returns undefined for a new booking
 */
export async function offerToResume(
  drafts: readonly KeptDraft[],
  isWanted: boolean,
  { conversation, now }: Pick<WizardContext, "conversation" | "now">,
  forget: (id: string) => Promise<void>,
): Promise<Draft | undefined> {
  const known = drafts.flatMap(({ value, savedAt }) => {
    const draft = readDraft(value)
    return draft ? [{ draft, words: `${describeDraft(draft)}, from ${formatAge(now() - savedAt)}` }] : []
  })
  const [newest] = known
  if (!newest && isWanted) throw createNoDraftError()
  if (!newest || (isWanted && known.length === 1)) return newest?.draft
  const isOne = known.length === 1
  const answer = await conversation.choose<Draft | "new" | "forget">(
    isOne
      ? `There is an unfinished booking: ${newest.words}. Continue?`
      : `There are ${known.length} unfinished bookings. Continue one?`,
    [
      ...known
        .slice(0, MAX_OFFERED)
        .map(({ draft, words }) => ({ name: isOne ? "Continue it" : words, value: draft })),
      ...(isWanted
        ? []
        : [
            { name: "A new booking; keep this for later", value: "new" as const },
            { name: "A new booking; throw this away", value: "forget" as const },
          ]),
    ],
    newest.draft,
  )
  if (answer === "forget") for (const { draft } of known) await forget(draft.id)
  return typeof answer === "string" || answer === BACK ? undefined : answer
}

const NOTHING: DraftStart = { request: {}, own: undefined }

/** Offers to begin with an earlier booking, if goods and receiver are not known yet. */
export const start: Step = {
  isOpen: (draft, context) =>
    draft.begunAs === undefined &&
    draft.request.receiver === undefined &&
    draft.request.packages === undefined &&
    draft.rate === undefined &&
    draft.wish?.connectorId === undefined &&
    draft.wish?.serviceCode === undefined &&
    listLastByReceiver(context.earlier).length > 0,
  async ask(draft, context) {
    const offered = listLastByReceiver(context.earlier).slice(0, MAX_OFFERED)
    const asked = context.conversation.choose<EarlierBooking | undefined>(
      "What do you want to book?",
      [
        ...offered.map((value) => ({ ...nameEarlier(value, context), value })),
        { name: "Something else", value: undefined },
      ],
      draft.begunAs === "new" ? undefined : offered[0],
    )
    return unlessBack(asked, async (earlier) => {
      if (earlier) await context.conversation.say(LEFT_OUT, "dim")
      if (!earlier && draft.begunAs === "new") return draft
      const {
        request: said,
        own: saidOwn,
        wish,
      } = draft.given ?? (draft.begunAs === undefined ? draft : NOTHING)
      const { serviceCode: _, items: __, ...request } = structuredClone(earlier?.request ?? {})
      // The account is offered with the rates.
      const { connector: _account, "collection.residential": isFromHome, ...taken } = earlier?.own ?? {}
      // The earlier collection belongs to the earlier sender.
      const isOtherSender = said.sender !== undefined
      if (isOtherSender) delete request.collection
      const own = {
        ...taken,
        ...(!isOtherSender && isFromHome !== undefined && { "collection.residential": isFromHome }),
        ...saidOwn,
      }
      const { wish: ___, ...rest } = draft
      return goTo(
        {
          ...rest,
          begunAs: earlier ? "earlier" : "new",
          request: { ...request, ...said },
          own,
          // Limits of the order go over the profile.
          ...((wish || earlier) && { wish: { ...wish, ...toLimits(own) } }),
        },
        "start",
      )
    })
  },
}

function listLastByReceiver(earlier: WizardContext["earlier"]): EarlierBooking[] {
  return earlier.filter(
    ({ request }, at) =>
      requests.BookingAddress(request.receiver) &&
      earlier.findIndex((other) =>
        isSameParty(other.request.receiver, request.receiver as unknown as BookingAddress),
      ) === at,
  )
}

/** `As last time for bobs-bikes: 2 cartons, Fremantle WA 6160`; the goods are below it if there is no room. */
function nameEarlier(
  { request, own }: EarlierBooking,
  { addresses, conversation }: WizardContext,
): Pick<Choice<unknown>, "name" | "description"> {
  const receiver = request.receiver as unknown as BookingAddress
  const saved = addresses().find(({ address }) => isSameParty(receiver, address))
  const last = `As last time for ${saved?.name ?? receiver.companyName}`
  const [goods, place] = [describeGoods({ request }), formatPlace(receiver)]
  const listed = (parts: readonly string[]) => parts.filter(Boolean).join(", ")
  const name = `${last}: ${listed([goods, place, describeOwn(own)])}`
  // Leave room for the pointer, and the last column empty.
  if (conversation.plain || widthOf(name) <= conversation.columns - 4) return { name }
  return { name: `${last}, ${place}`, description: listed([goods, describeOwn(own)]) }
}

export function createNoDraftError(): FreightError {
  return new FreightError("usage", "there is no unfinished booking", {
    hint: "freight book without --resume starts one.",
  })
}

/** `Harbour Lighting → Port Street Fittings, 2 cartons` */
export function describeDraft(draft: Draft): string {
  const from = getParty(draft, "sender")?.companyName
  const to = getParty(draft, "receiver")?.companyName
  const parties = from || to ? `${from ?? "?"} → ${to ?? "?"}` : ""
  return (
    [parties, describeGoods(draft), describeOwn(draft.own ?? {})].filter(Boolean).join(", ") || "just started"
  )
}

/** `2 cartons`; empty if there are no packages yet. */
function describeGoods(draft: Pick<Draft, "request">): string {
  const { count } = totalsOf(getPackages(draft))
  const packaging = getField("packagingCode")
  const what = answerText(packaging, getAnswer(draft, packaging.path)) || "package"
  return count === 0 ? "" : `${count} ${count === 1 ? what : plural(what)}`
}

function plural(word: string): string {
  return /(?:x|s|ch)$/.test(word) ? `${word}es` : `${word}s`
}

/** `3 hours ago`. @param ms how long ago */
export function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  const some = (count: number, unit: string) => `${counted(count, unit)} ago`
  if (minutes < 1) return "just now"
  if (minutes < 60) return some(minutes, "minute")
  if (minutes < 48 * 60) return some(Math.floor(minutes / 60), "hour")
  return some(Math.floor(minutes / 1440), "day")
}
