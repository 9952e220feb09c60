/** Which places are homes; then the rates of all carriers, and the choice of one. A carrier that fails is reported and does not stop the others. */
import { carrierLetter } from "../../../contract/carrier-fields.ts"
import { formatPlace } from "../../../contract/places.ts"
import { quoteExpired } from "../../../contract/rate-link.ts"
import { formatWeekday, parseDate, wallClockNow } from "../../../contract/wall-clock.ts"
import { FreightError } from "../../../errors.ts"
import type { KeptQuote } from "../../../memory/quotes.ts"
import {
  BACK,
  type Back,
  type Choice,
  type Conversation,
} from "../../../terminal/conversation/conversation.ts"
import type { Field } from "../../../contract/fields/field.ts"
import { rateNotes } from "../../rate-columns.ts"
import { findArrivalClock, type RateRow, type SortKey, toKeptRate } from "../../rates.ts"
import { type Choice as Chosen, chooseRate, findMisses } from "../../wishes.ts"
import { rateQuestion, windowProblems } from "../consequences.ts"
import { type Draft, getCarrier, getParty, setAnswer } from "../draft.ts"
import { type Offer, listOffers } from "../offers.ts"
import { askField, askInOrder, goTo, type Step } from "../step.ts"
import { getZone } from "../when.ts"
import { findLastTime, type World } from "../world.ts"

const CHOICES = {
  neither: { from: false, to: false },
  receiver: { from: false, to: true },
  collection: { from: true, to: false },
  both: { from: true, to: true },
} as const
type Name = keyof typeof CHOICES

export const homes: Step = {
  isOpen: ({ homes: known }) => known === undefined,
  async ask(draft, conversation) {
    const [from, to] = (["collection", "receiver"] as const).map((party) => {
      const address = getParty(draft, party)
      return address ? ` (${address.companyName}, ${formatPlace(address)})` : ""
    })
    const answer = await conversation.choose<Name>(
      "Is either place a home? Carriers charge more for homes.",
      [
        { name: "No, both are businesses", value: "neither" },
        { name: `The receiver's${to}`, value: "receiver" },
        { name: `Where it is collected${from}`, value: "collection" },
        { name: "Both", value: "both" },
      ],
      nameHomes(draft),
    )
    return answer === BACK ? BACK : goTo({ ...draft, homes: CHOICES[answer] }, "homes")
  },
}

function nameHomes({ homes: known }: Draft): Name {
  if (!known) return "neither"
  if (known.from) return known.to ? "both" : "collection"
  return known.to ? "receiver" : "neither"
}

export function homesText(draft: Draft): string {
  return {
    neither: "no, both places are businesses",
    receiver: "the receiver's address",
    collection: "where it is collected",
    both: "both places",
  }[nameHomes(draft)]
}

type Picked = RateRow | "again" | SortKey

export const rates: Step = {
  isOpen: ({ offer }, world) => offer === undefined || quoteExpired(offer.quotedAt, world.now()),
  ask: (draft, conversation, world) =>
    askInOrder(draft, "rates", world, [
      { name: "service", ask: (known) => askService(known, conversation, world) },
      {
        name: "email",
        when: (known) =>
          getCarrier(known) === "CARRIER_C_AU" && (getParty(known, "collection")?.email ?? "") === "",
        async ask(known) {
          const email = await askField(COLLECTION_EMAIL, COLLECTION_EMAIL.path, undefined, conversation)
          return email === BACK ? BACK : setAnswer(known, COLLECTION_EMAIL.path, email)
        },
      },
    ]),
}

const COLLECTION_EMAIL: Field = {
  path: "collection.email",
  words: "Email at the place of collection",
  answer: { kind: "email" },
  optional: true,
  hint: "carrier C refuses a booking without one, unless its connector has a fallback address",
}

async function askService(draft: Draft, conversation: Conversation, world: World): Promise<Draft | Back> {
  const { offer } = draft
  if (offer && quoteExpired(offer.quotedAt, world.now()))
    await conversation.warn("The rates are more than 48 hours old: they are asked for again.")
  let by: SortKey = "price"
  let quote: KeptQuote | undefined
  for (;;) {
    const question = rateQuestion(draft)
    if (!question) return BACK
    quote ??= await fetchRates(question, conversation, world)
    if (!quote) {
      const again = await conversation.confirm("Ask the carriers again?", true)
      if (again !== true) return BACK
      continue
    }
    const picked = await pickOffer(draft, quote, by, conversation, world)
    if (picked === BACK) return BACK
    if (picked === "again") quote = undefined
    else if (picked === "price" || picked === "eta") by = picked
    else return withOffer(draft, quote, picked)
  }
}

/** Undefined if no rates came; the reason was shown. */
async function fetchRates(
  question: Parameters<World["rates"]>[0],
  conversation: Conversation,
  world: World,
): Promise<KeptQuote | undefined> {
  try {
    const quote = await conversation.during("Asking all carriers for their rates", () =>
      world.rates(question),
    )
    for (const { carrier, success, error } of quote.results)
      if (!success)
        await conversation.warn(
          `Carrier ${carrierLetter(carrier)} gave no rate: ${error?.message ?? "no reason given"}.`,
        )
    if (quote.results.some(({ rates: offered }) => (offered ?? []).length > 0)) return quote
    await conversation.warn("No carrier gave a rate.")
    return undefined
  } catch (error) {
    const isPassing =
      error instanceof FreightError &&
      ["unavailable", "timeout", "rateLimited", "badReply", "refused"].includes(error.kind)
    if (!isPassing) throw error
    await conversation.warn(`There are no rates: ${error.message}.`)
    for (const { message } of error.errors ?? []) await conversation.say(`  ${message}`)
    return undefined
  }
}

async function pickOffer(
  draft: Draft,
  quote: KeptQuote,
  by: SortKey,
  conversation: Conversation,
  world: World,
): Promise<Picked | Back> {
  const date = quote.request.date ?? ""
  const [window] = windowProblems(draft)
  const all = listOffers(quote, {
    date,
    to: quote.request.to,
    by,
    now: wallClockNow(world.now(), getZone(draft)),
    // The pointer in front, and no last column.
    width: conversation.columns - 4,
    unicode: conversation.unicode,
    connectorNames: await world.connectorNames(),
    lastTime: findLastTime(draft, world),
    ...(window !== undefined && { carrierA: "not at these times" }),
  })
  // Whoever changes what was chosen chooses from all.
  const wanted = draft.offer ? all : all.filter(({ row }) => isWanted(draft, row, date))
  const offers = wanted.length > 0 ? wanted : all
  const choice = chooseWanted(draft, all, date)
  if (wanted.length === 0 && draft.wanted) {
    await conversation.warn("What the command line asks for is not offered.")
    for (const miss of choice?.rate ? [] : (choice?.misses ?? [])) await conversation.say(`  ${miss}`)
  } else if (choice?.rate && !draft.offer)
    await conversation.say(world.paint("dim", `By your wishes: ${choice.why}.`))
  for (const note of rateNotes(offers.map(({ row }) => row))) await conversation.say(world.paint("dim", note))
  const day = parseDate(date)
  const currencies = [...new Set(offers.map(({ row }) => row.currency))]
  const totals = currencies.length === 1 ? ` Totals are in ${currencies[0]}.` : ""
  const place = findArrivalClock(
    offers.map(({ row }) => row),
    quote.request.to,
  )
  if (place !== undefined) await conversation.say(world.paint("dim", `Arrivals are in ${place} time.`))
  return conversation.choose<Picked>(
    `Which service${day.ok ? ` on ${formatWeekday(day.value)}` : ""}?${totals}`,
    [
      ...offers.map((offer) => toChoice(offer, conversation)),
      by === "price"
        ? { name: "Sort by arrival", value: "eta" as const }
        : { name: "Sort by price", value: "price" as const },
      { name: "Ask the carriers again", value: "again" as const },
    ],
    (
      offers.find(({ row }) => row.rateId !== undefined && row.rateId === draft.offer?.rate.rateId) ??
      offers.find(({ row }) => !draft.offer && row === choice?.rate) ??
      offers.find(({ disabled, isLastTime }) => disabled === undefined && isLastTime) ??
      offers.find(({ disabled }) => disabled === undefined)
    )?.row,
  )
}

/** Plain mode shows no description of what is highlighted, for nothing is. */
function toChoice(
  { row, name, marks, description, disabled }: Offer,
  { plain }: Conversation,
): Choice<Picked> {
  return {
    name: plain ? `${description}${marks ? ` (${marks})` : ""}` : name,
    value: row,
    ...(!plain && { description }),
    ...(disabled !== undefined && { disabled }),
  }
}

function isWanted({ wanted = {} }: Draft, rate: RateRow, date: string): boolean {
  return (
    (wanted.connectorId ?? rate.connectorId) === rate.connectorId &&
    (wanted.serviceCode ?? rate.serviceCode) === rate.serviceCode &&
    findMisses(rate, wanted, date).length === 0
  )
}

/** The rate that wishes choose; undefined where only a service is wanted, or nothing. */
function chooseWanted({ wanted }: Draft, offers: readonly Offer[], date: string): Chosen | undefined {
  const { connectorId, serviceCode, by = "price", ...limits } = wanted ?? {}
  const isOpen = serviceCode === undefined && connectorId === undefined
  if (wanted === undefined || (Object.keys(limits).length === 0 && !isOpen)) return undefined
  const open = offers.filter(
    ({ disabled, row }) =>
      disabled === undefined &&
      (connectorId ?? row.connectorId) === row.connectorId &&
      (serviceCode ?? row.serviceCode) === row.serviceCode,
  )
  const rows = open.map(({ row }) => row)
  return chooseRate(rows, { by, limits, date })
}

function withOffer(draft: Draft, quote: KeptQuote, row: RateRow): Draft {
  const offer = toKeptRate(row, quote.quotedAt, quote.request)
  return { ...draft, offer, offerFor: JSON.stringify(rateQuestion(draft)) }
}
