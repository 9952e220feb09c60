/**
 * Asks which places are residential; then fetches the rates of all carriers, and asks for one. A carrier that fails is
 * reported and does not stop the others.
 */
import {
  addressLine,
  findHomeNote,
  formatPlace,
  getHomes,
  HOME_PARTIES,
  type Own,
  quoteExpired,
  type Residential,
  toOwnHomes,
} from "../../../contract/index.ts"
import type { Field } from "../field.ts"
import { carrierLetter, carrierName, CARRIERS, getCarrierFacts } from "../../../carriers/index.ts"
import type { Carrier, RateRequest } from "../../../contract/generated/types.ts"
import { formatWeekday, parseDate } from "../../../base/wall-clock.ts"
import { type ErrorKind, FreightError } from "../../../base/errors.ts"
import type { KeptQuote } from "../../../machine/index.ts"
import { BACK, type Back } from "../../../output/index.ts"
import { createJudge } from "../../booking/in-time.ts"
import { rateNotes } from "../../booking/rate-columns.ts"
import { describeAnswer, findArrivalClock, type RateRow, toKeptRate } from "../../booking/rates.ts"
import {
  type Choice,
  chooseRate,
  findMisses,
  getLimits,
  SORTED_BY,
  type PreferenceDraft,
} from "../../booking/preferences.ts"
import { findTimeRefusals, rateQuestion } from "../consequences.ts"
import { findLastForReceiver, type WizardContext } from "../context.ts"
import { type Draft, getCarrier, getParty, setAnswer } from "../draft.ts"
import { listRateChoices, type RateChoice } from "../rate-choices.ts"
import { askField, askInOrder, goTo, type Step, unlessBack } from "../step.ts"

const RESIDENTIAL = [
  { collection: false, receiver: false, text: "no, both places are businesses" },
  { collection: false, receiver: true, text: "the receiver's address" },
  { collection: true, receiver: false, text: "where it is collected" },
  { collection: true, receiver: true, text: "both places" },
] as const

function findResidential(own: Own | undefined) {
  const known = getHomes(own)
  const isKnown = (each: Residential) =>
    each.collection === known.collection && each.receiver === known.receiver
  return RESIDENTIAL.find(isKnown) ?? RESIDENTIAL[0]
}

export function describeResidential(draft: Draft): string {
  return findResidential(draft.own).text
}

export const residential: Step = {
  // The collection is seldom residential: only the receiver has to be known.
  isOpen: ({ own, isHomeOpen }) => isHomeOpen === true || own?.["receiver.residential"] === undefined,
  ask(draft, context) {
    const [from, to] = (["collection", "receiver"] as const).map((party) => {
      const address = getParty(draft, party)
      return address ? ` (${address.companyName}, ${formatPlace(address)})` : ""
    })
    const names = ["No, both are businesses", `The receiver's${to}`, `Where it is collected${from}`, "Both"]
    const asked = context.conversation.choose(
      "Is either place a home? Carriers charge more for homes.",
      RESIDENTIAL.map((value, at) => ({ name: names[at] ?? "", value })),
      findResidential({ ...recallHomes(draft, context), ...draft.own }),
    )
    return unlessBack(asked, async ({ text: _, ...homes }) => {
      await rememberHomes(draft, homes, context)
      const { isHomeOpen: __, ...rest } = draft
      return goTo({ ...rest, own: { ...draft.own, ...toOwnHomes(homes) } }, "residential")
    })
  },
}

/** The likely answer: from the note for the driver, the saved addresses, or the last booking for this receiver. */
function recallHomes(draft: Draft, context: WizardContext): Own {
  const saved = HOME_PARTIES.map((party) => {
    const residential = findSavedParty(draft, party, context)?.own?.residential
    return residential === undefined ? {} : { [`${party}.residential`]: residential }
  })
  const isNoted = findHomeNote(draft.request.specialInstructions, undefined) !== undefined
  const noted = isNoted ? { "receiver.residential": true } : {}
  return Object.assign({}, findLastForReceiver(draft, context)?.own, ...saved, noted)
}

/** Stores with a saved address that it is residential: bookings that name it get that price. */
async function rememberHomes(draft: Draft, homes: Residential, context: WizardContext): Promise<void> {
  for (const party of HOME_PARTIES) {
    const saved = findSavedParty(draft, party, context)
    if (!saved || !homes[party] || saved.own?.residential !== undefined) continue
    await context.saveAddress(saved.name, { ...saved.address, ...saved.own, residential: true })
    await context.conversation.say(`Saved with ${saved.name}: it is a home.`)
  }
}

function findSavedParty(draft: Draft, party: keyof Residential, { addresses }: WizardContext) {
  const address = getParty(draft, party)
  return address && addresses().find((saved) => addressLine(saved.address) === addressLine(address))
}

/** The chosen carrier, if it refuses a booking without an email at the collection, or did before that was asked for. */
function findCarrierLackingEmail(draft: Draft): Carrier | undefined {
  const carrier = getCarrier(draft)
  const isLacking = draft.isEmailAsked === true || getEmail(draft) === ""
  return isLacking && getCarrierFacts(carrier)?.needsCollectionEmail ? carrier : undefined
}

function getEmail(draft: Draft): string {
  return getParty(draft, "collection")?.email ?? ""
}

function collectionEmail(carrier: Carrier): Field {
  return {
    path: "collection.email",
    words: "Email at the place of collection",
    answer: { kind: "email" },
    optional: true,
    hint: `${carrierName(carrier)} needs one, unless your account with it has an address to fall back on`,
  }
}

export const rates: Step = {
  isOpen: ({ rate }, context) => rate === undefined || quoteExpired(rate.quotedAt, context.now()),
  ask: (draft, context) =>
    askInOrder(draft, "rates", context, [
      { name: "service", ask: (known) => askService(known, context) },
      {
        name: "email",
        when: (known) => findCarrierLackingEmail(known) !== undefined,
        async ask(known) {
          const carrier = findCarrierLackingEmail(known)
          if (!carrier) return known
          const field = collectionEmail(carrier)
          return unlessBack(askField(field, field.path, getEmail(known), context), (email) => ({
            ...setAnswer(known, field.path, email),
            isEmailAsked: true,
          }))
        },
      },
    ]),
}

async function askService(draft: Draft, context: WizardContext): Promise<Draft | Back> {
  const { conversation, now } = context
  if (draft.rate && quoteExpired(draft.rate.quotedAt, now()))
    await conversation.warn("The rates are more than 48 hours old: they are asked for again.")
  let by: Order = "price"
  let quote: KeptQuote | undefined
  for (;;) {
    const question = rateQuestion(draft)
    if (!question) return BACK
    quote ??= await fetchRates(question, draft, context)
    if (!quote) {
      if ((await conversation.confirm("Ask the carriers again?", true)) !== true) return BACK
      continue
    }
    const picked = await pickRate(draft, quote, by, context)
    if (picked === BACK) return BACK
    if (picked === "again") quote = undefined
    else if (picked === "price" || picked === "eta") by = picked
    else {
      const rate = toKeptRate(picked, quote)
      return { ...draft, rate, rateFor: JSON.stringify(question) }
    }
  }
}

const TRANSIENT_ERRORS: readonly ErrorKind[] = [
  "unavailable",
  "timeout",
  "rateLimited",
  "badReply",
  "unreadable",
  "refused",
]

/** Undefined if no rates came; the reason was shown. */
async function fetchRates(
  question: RateRequest,
  { request }: Draft,
  context: WizardContext,
): Promise<KeptQuote | undefined> {
  const { conversation } = context
  try {
    const quote = await conversation.during("Asking all carriers for their rates", (say) =>
      // Carriers without a rate are reported below, all together.
      context.fetchRates(question, request, (answer) => answer.success && say(describeAnswer(answer))),
    )
    for (const { carrier, success, error } of quote.results)
      if (!success)
        await conversation.warn(
          `Carrier ${carrierLetter(carrier)} gave no rate: ${error?.message ?? "no reason given"}.`,
        )
    if (quote.results.some(({ rates: offered }) => (offered ?? []).length > 0)) return quote
    await conversation.warn("No carrier gave a rate.")
  } catch (error) {
    if (!(error instanceof FreightError) || !TRANSIENT_ERRORS.includes(error.kind)) throw error
    await conversation.warn(`There are no rates: ${error.message}.`)
    for (const { message } of error.errors ?? []) await conversation.say(`  ${message}`)
  }
  return undefined
}

type Order = "price" | "eta"

async function pickRate(
  draft: Draft,
  quote: KeptQuote,
  by: Order,
  context: WizardContext,
): Promise<RateRow | "again" | Order | Back> {
  const { conversation } = context
  const { date = "", to } = quote.request
  const all = listRateChoices(quote, {
    date,
    to,
    by,
    judge: createJudge(draft.request, context.now()),
    // Leave room for the pointer, and the last column empty.
    width: conversation.columns - 4,
    unicode: conversation.unicode,
    connectorNames: await context.connectorNames(),
    lastTime: findLastForReceiver(draft, context),
    refusals: new Map(
      findTimeRefusals(draft, CARRIERS).map(({ carrier }) => [carrier, "not at these times"]),
    ),
  })
  // Changing the choice offers all rates.
  const wanted = draft.rate ? all : all.filter(({ row }) => isWanted(draft, row, date))
  const choices = wanted.length > 0 ? wanted : all
  const rows = choices.map(({ row }) => row)
  const choice = chooseWanted(draft, all, date)
  if (wanted.length === 0 && draft.wish) {
    await conversation.warn("What the command line asks for is not offered.")
    for (const miss of choice?.rate ? [] : (choice?.misses ?? [])) await conversation.say(`  ${miss}`)
  }
  const place = findArrivalClock(rows, to)
  const notes = [
    ...(wanted.length > 0 && choice?.rate && !draft.rate ? [`As you asked: ${choice.why}.`] : []),
    ...rateNotes(rows),
    ...(place === undefined ? [] : [`Arrivals are in ${place} time.`]),
  ]
  for (const note of notes) await conversation.say(note, "dim")
  const day = parseDate(date)
  const [currency, ...others] = new Set(rows.map((row) => row.currency))
  const totals = others.length === 0 ? ` Totals are in ${currency}.` : ""
  const isOpen = ({ disabled }: RateChoice) => disabled === undefined
  return conversation.choose<RateRow | "again" | Order>(
    `Which service${day.ok ? ` on ${formatWeekday(day.value)}` : ""}?${totals}`,
    [
      ...choices.map(({ row, name, labels, description, disabled }) => ({
        // In plain lines nothing is highlighted, so there is no description.
        ...(conversation.plain
          ? { name: `${description}${labels ? ` (${labels})` : ""}` }
          : { name, description }),
        value: row,
        ...(disabled !== undefined && { disabled }),
      })),
      by === "price"
        ? { name: "Sort by arrival", value: "eta" as const }
        : { name: "Sort by price", value: "price" as const },
      { name: "Ask the carriers again", value: "again" as const },
    ],
    (
      choices.find(({ row }) => row.rateId !== undefined && row.rateId === draft.rate?.rate.rateId) ??
      choices.find(({ row }) => !draft.rate && row === choice?.rate) ??
      choices.find((each) => isOpen(each) && each.isLastTime) ??
      choices.find(isOpen)
    )?.row,
  )
}

function isWanted({ wish = {}, allowed }: Draft, rate: RateRow, date: string): boolean {
  return isNamed(wish, rate) && findMisses(rate, getLimits(wish, allowed), date).length === 0
}

function isNamed({ connectorId, serviceCode }: PreferenceDraft, rate: RateRow): boolean {
  return (
    (connectorId ?? rate.connectorId) === rate.connectorId &&
    (serviceCode ?? rate.serviceCode) === rate.serviceCode
  )
}

/** The rate chosen by preferences; undefined if only a service is wanted, or nothing. */
function chooseWanted(
  { wish, allowed }: Draft,
  choices: readonly RateChoice[],
  date: string,
): Choice | undefined {
  const { connectorId, serviceCode, kind = "cheapest", ...limits } = getLimits(wish ?? {})
  const isOpen = serviceCode === undefined && connectorId === undefined
  if (wish === undefined || (Object.keys(limits).length === 0 && !isOpen)) return undefined
  const open = choices.filter(({ disabled, row }) => disabled === undefined && isNamed(wish, row))
  return chooseRate(
    open.map(({ row }) => row),
    { by: kind === "code" ? "price" : SORTED_BY[kind], limits: getLimits(wish, allowed), date },
  )
}
