/** Where a booking begins: with what the command line gave, or with a draft that was not finished. */
import { counted } from "../../contract/counted.ts"
import * as requests from "../../contract/generated/requests.js"
import type { BookingAddress, RateRequest } from "../../contract/generated/types.ts"
import { formatPlace } from "../../contract/places.ts"
import { type Json, type JsonObject, sameJson } from "../../contract/fields/json.ts"
import { totalsOf } from "../../contract/packages.ts"
import { isSamePlace, LINK_FIELDS } from "../../contract/rate-link.ts"
import { FreightError } from "../../errors.ts"
import type { KeptDraft } from "../../memory/drafts.ts"
import type { Ids } from "../../ports.ts"
import { BACK, type Conversation } from "../../terminal/conversation/conversation.ts"
import { answerText } from "../../contract/fields/field.ts"
import { getField } from "../../contract/fields/questions.ts"
import type { BookingDraft } from "../request.ts"
import { type Limits, parseService } from "../wishes.ts"
import { getAnswer, type Draft, getPackages, getParty, readDraft } from "./draft.ts"
import { type EarlierBooking, isSameParty, type World } from "./world.ts"

/** What a rate says of itself: the draft has the rate, and links it when it is sent. */
const RATE_FIELDS: readonly string[] = ["serviceCode", "items", ...LINK_FIELDS]

export interface Given {
  booking: BookingDraft
  connectorId: string | undefined
  limits?: Limits
  key: string | undefined
}

export function createDraft({ booking, connectorId, limits, key }: Given, ids: Pick<Ids, "uuid">): Draft {
  const { request, rate } = booking
  const id = ids.uuid()
  const service = typeof request.serviceCode === "string" ? parseService(request.serviceCode) : undefined
  const kept = Object.fromEntries(Object.entries(request).filter(([name]) => !RATE_FIELDS.includes(name)))
  const wanted = {
    ...limits,
    ...(connectorId !== undefined && { connectorId }),
    ...(service?.kind === "code" && { serviceCode: service.serviceCode }),
    ...(service?.kind === "fastest" && { by: "eta" as const }),
  }
  return {
    version: 1,
    id,
    key: key ?? `wizard-${id.slice(0, 13)}`,
    ...(key !== undefined && { keyGiven: true as const }),
    request: rate ? withPlaces(kept, rate.request) : kept,
    ...(Object.keys(wanted).length > 0 && { wanted }),
    ...(rate && {
      offer: rate,
      homes: { from: rate.request.from.residential, to: rate.request.to.residential },
    }),
  }
}

/** What a rate was quoted for is where the goods go from and to. */
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

export function resumeDraft(kept: Draft, given: Given): Draft {
  const { request, wanted, offer, homes } = createDraft({ ...given, key: undefined }, { uuid: () => kept.id })
  const { offer: before, ...rest } = kept
  const isWantedBefore = Object.entries(wanted ?? {}).every(([name, value]) =>
    sameJson(value as Json, Object(kept.wanted)[name]),
  )
  return {
    ...rest,
    // What was answered is more than the place that a rate knows.
    request: { ...request, ...kept.request, ...pickGiven(request, given.booking.request) },
    ...(homes && { homes }),
    ...(wanted && { wanted: { ...kept.wanted, ...wanted } }),
    // A rate that was chosen counts until the command line wants another.
    ...(offer ? { offer } : isWantedBefore && before && { offer: before }),
  }
}

function pickGiven(request: JsonObject, given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(request).filter(([name]) => Object.hasOwn(given, name)))
}

type Choice = Draft | "new" | "new, and forget"

/**
 * Offers what was not finished.
 * @param resume the person asked for it, with `--resume`
 * @returns undefined for a new booking
 * @throws FreightError `usage` when there is nothing to resume
 */
export async function offerToResume(
  drafts: readonly KeptDraft[],
  resume: boolean,
  conversation: Conversation,
  world: World,
  forget: (id: string) => Promise<void>,
): Promise<Draft | undefined> {
  const known = drafts.flatMap(({ value, savedAt }) => {
    const draft = readDraft(value)
    return draft ? [{ draft, savedAt }] : []
  })
  const [newest, ...others] = known
  if (!newest) {
    if (resume) throw createNoDraftError()
    return undefined
  }
  if (resume && others.length === 0) return newest.draft
  const named = known.slice(0, 5).map(({ draft, savedAt }) => ({
    draft,
    words: `${describeDraft(draft, world)}, from ${formatAge(world.now() - savedAt)}`,
  }))
  const [only] = named
  const question =
    others.length === 0
      ? `There is an unfinished booking: ${only?.words}. Continue?`
      : `There are ${known.length} unfinished bookings. Continue one?`
  const choices = named.map(({ draft, words }) => ({
    name: others.length === 0 ? "Continue it" : words,
    value: draft as Choice,
  }))
  const answer = await conversation.choose<Choice>(
    question,
    [
      ...choices,
      ...(resume
        ? []
        : [
            { name: "A new booking; keep this for later", value: "new" as const },
            { name: "A new booking; throw this away", value: "new, and forget" as const },
          ]),
    ],
    choices[0]?.value,
  )
  if (answer === "new, and forget") for (const { draft } of known) await forget(draft.id)
  return typeof answer === "string" || answer === BACK ? undefined : answer
}

/** More are not offered at once: their receivers are found by name. */
const OFFERED = 5

/**
 * Offers to begin as with earlier bookings, the last one of each receiver, where nothing says yet what to send whom.
 * @returns the draft with what the chosen one had; what was given goes over it
 */
export async function offerEarlier(draft: Draft, conversation: Conversation, world: World): Promise<Draft> {
  const { request: given, wanted, offer } = draft
  const isNamed = wanted?.connectorId !== undefined || wanted?.serviceCode !== undefined
  if (given.receiver !== undefined || given.packages !== undefined || offer || isNamed) return draft
  const offered = world.earlier.filter(
    ({ request }, at) =>
      requests.BookingAddress(request.receiver) &&
      world.earlier.findIndex((other) =>
        isSameParty(other.request.receiver, request.receiver as BookingAddress),
      ) === at,
  )
  const [last] = offered
  if (!last) return draft
  const answer = await conversation.choose<EarlierBooking | undefined>(
    "What do you want to book?",
    [
      ...offered.slice(0, OFFERED).map((value) => ({ name: describeEarlier(value, world), value })),
      { name: "Something else", value: undefined },
    ],
    last,
  )
  if (answer === BACK || answer === undefined) return draft
  const { serviceCode: _, items: __, ...request } = structuredClone(answer.request) as JsonObject
  // The earlier collection belongs to the earlier sender.
  if (given.sender !== undefined) delete request.collection
  return { ...draft, request: { ...request, ...given } }
}

/** `As last time for bobs-bikes: 2 cartons, Fremantle WA 6160` */
function describeEarlier({ request }: EarlierBooking, world: World): string {
  const receiver = request.receiver as BookingAddress
  const saved = world.addresses().find(({ address }) => isSameParty(receiver, address))
  const goods = describeGoods({ version: 1, id: "", key: "", request: request as JsonObject })
  return `As last time for ${saved?.name ?? receiver.companyName}: ${[goods, formatPlace(receiver)].filter(Boolean).join(", ")}`
}

function createNoDraftError(): FreightError {
  return new FreightError("usage", "there is no unfinished booking", {
    hint: "freight book without --resume starts one.",
  })
}

/** `Harbour Lighting → Port Street Fittings, 2 cartons` */
export function describeDraft(draft: Draft, { marks }: Pick<World, "marks">): string {
  const names = (["sender", "receiver"] as const).map((party) => getParty(draft, party)?.companyName)
  const [from, to] = names
  const parties = from || to ? `${from ?? "?"} ${marks.arrow} ${to ?? "?"}` : ""
  return [parties, describeGoods(draft)].filter(Boolean).join(", ") || "just started"
}

/** `2 cartons`; empty where there are no packages yet. */
function describeGoods(draft: Draft): string {
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
