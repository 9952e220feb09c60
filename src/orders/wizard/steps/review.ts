/** Shows everything on one page, from which any answer can be changed, and asks for the one confirmation. */
import {
  checkBooking,
  type Finding,
  formatPhone,
  formatPlace,
  inWords,
  isCostly,
  listPlaces,
  type Moment,
  momentAt,
  OWN_FIELDS,
  PARTIES,
} from "../../../contract/index.ts"
import { answerText } from "../field.ts"
import { DANGEROUS_GOODS, getField, listExtras } from "../questions.ts"
import { nameInWords } from "../../booking/field-names.ts"
import { carrierName } from "../../../carriers/index.ts"
import type { BookingAddress } from "../../../contract/generated/types.ts"
import { formatClock, formatNear, parseTimeOfDay, wallClockNow } from "../../../base/wall-clock.ts"
import { BACK, type Back, type Conversation, paint, wrap } from "../../../output/index.ts"
import { BOOK_LATE } from "../../booking/doubts.ts"
import { explainExample } from "../../booking/example.ts"
import { assessRate, createJudge } from "../../booking/in-time.ts"
import { bookingQuestion, priceFacts, priceText } from "../../booking/rates.ts"
import { arrivalWords } from "../../booking/rates.ts"
import {
  type Draft,
  findUnreadFields,
  getAnswer,
  getCarrier,
  getPackages,
  getParty,
  getText,
  type Party,
  type StepName,
  STEPS,
  getWholeRequest,
} from "../draft.ts"
import type { WizardContext } from "../context.ts"
import { goTo, type Step, unlessBack } from "../step.ts"
import { formatWeekdayAndTime, formatLocalTime, getReadyTime, getZone, toCity } from "../when.ts"
import { describePackage, formatTotals } from "./goods.ts"
import { describeResidential } from "./rates.ts"

export const review: Step = {
  isOpen: () => false,
  async ask(draft, context) {
    const { conversation } = context
    const entries = listEntries(draft, context)
    const knowledge = await context.knowledge?.(listPlaces(draft.request, PARTIES))
    const allowed = { ...draft.allowed, allowDensity: true, acceptPlaces: true }
    const moment = momentAt(context.now(), allowed, knowledge)
    const { errors, warnings, isDoubtful } = checkDraft(draft, moment)
    const example = explainExample(getText(draft, "customerReference"), context.sandbox)
    const { taken, recorded, same } = await context.lookUpKey(draft)
    const all = [...errors, example, taken].filter((line) => line !== undefined)
    await conversation.say(`\n${formatPage(entries, conversation.columns)}\n`)
    for (const line of all) await conversation.say(`Cannot be booked: ${line}`, "red")
    for (const line of [...warnings, recorded, same])
      if (line !== undefined) await conversation.warn(`Note: ${line}`)
    // Showing an earlier booking again costs nothing. Outside the sandbox Enter alone books nothing.
    const isHarmless = context.dryRun || recorded !== undefined
    if (!isHarmless) await conversation.warn("A booking cannot be cancelled from here once it is made.")
    const isSure = all.length === 0 && same === undefined && !isDoubtful
    const isHighlightedFirst = isSure && (isHarmless || context.sandbox)
    for (let isReviewed = draft.isReviewed === true; ; isReviewed = true) {
      const next = await conversation.choose<"book" | "change" | "later">(
        "Book it?",
        [
          {
            name: nameBooking(draft, context, recorded !== undefined),
            value: "book",
            spends: !isHarmless,
            ...(all.length > 0 && { disabled: "see above" }),
          },
          { name: "Change something", value: "change" },
          { name: "Leave it for later", value: "later" },
        ],
        isHighlightedFirst && !isReviewed ? "book" : "change",
      )
      if (next === BACK) return BACK
      if (next === "later") return goTo(draft, "later")
      if (next === "book") {
        const meant = isHarmless ? draft : await confirmLate(draft, context)
        if (meant) return goTo(meant, "send")
        continue
      }
      const changed = await askChange(draft, entries, conversation)
      if (changed !== BACK) return changed
    }
  },
}

/**
 * Asks whether to book a service that is too late for the preference; sending would refuse it.
 * @returns the draft with the answer; undefined if it is not meant
 */
async function confirmLate(
  draft: Draft,
  { conversation, now }: Pick<WizardContext, "conversation" | "now">,
): Promise<Draft | undefined> {
  const { rate, wish = {}, allowed, request } = draft
  const choice = rate && assessRate(rate, { wish, allowed }, createJudge(request, now()))
  if (!choice || choice.rate || !choice.isTooLate) return draft
  for (const miss of choice.misses) await conversation.warn(miss)
  const isMeant = await conversation.confirm(BOOK_LATE, false, { spends: true })
  return isMeant === true ? { ...draft, allowed: { ...allowed, pastCutoff: "told" } } : undefined
}

function askChange(
  draft: Draft,
  entries: readonly Entry[],
  conversation: Conversation,
): Promise<Draft | Back> {
  const asked = conversation.choose<StepName>(
    "Change what? The other answers stay.",
    entries.map(({ step: value, title, lines }) => ({ name: `${title}: ${lines[0] ?? ""}`, value })),
  )
  return unlessBack(asked, (step) => goTo({ ...draft, isReviewed: true }, step))
}

/** The text of the choice to book: price, carrier, and collection. */
function nameBooking(draft: Draft, { dryRun, now }: WizardContext, isRecorded: boolean): string {
  const { rate } = draft
  if (dryRun) return "Print the request"
  if (isRecorded) return "Show that booking"
  const ready = getReadyTime(draft)
  if (!rate || !ready) return "Book it"
  return bookingQuestion(
    { ...priceFacts(rate.rate), carrier: rate.carrier },
    rate.rate.description,
    formatNear(ready, wallClockNow(now(), getZone(draft))),
  )
}

function checkDraft(
  draft: Draft,
  moment: Moment,
): { errors: string[]; warnings: string[]; isDoubtful: boolean } {
  const request = getWholeRequest(draft)
  const missing = "something is still missing: fill in what is not known yet"
  if (!request) return { errors: [missing], warnings: [], isDoubtful: false }
  const { errors, warnings } = checkBooking(request, getCarrier(draft), moment, moment.places, draft.returned)
  const say = (finding: Finding) => inWords(nameInWords(finding, request.packages.length === 1))
  const unread = findUnreadFields(draft).map((path) => getField(path).words.toLowerCase())
  return {
    errors: errors.map(say),
    isDoubtful: warnings.some(({ keyword }) => isCostly(keyword)),
    warnings: [
      ...warnings.map(say),
      ...(unread.length > 0 ? [`left out, because this carrier ignores it: ${unread.join(", ")}`] : []),
    ],
  }
}

type Reviewed = Exclude<StepName, "start" | "review">

interface Entry {
  step: Reviewed
  title: string
  lines: string[]
}

const SECTIONS: Readonly<
  Record<Reviewed, { title: string; lines(draft: Draft, context: WizardContext): string[] }>
> = {
  sender: { title: "Sender", lines: (draft) => [partyText(draft, "sender")] },
  collection: { title: "Collection", lines: (draft) => [collectionText(draft)] },
  receiver: { title: "Receiver", lines: (draft) => [partyText(draft, "receiver")] },
  packages: { title: "Packages", lines: packageLines },
  goods: { title: "Goods", lines: goodsLines },
  times: { title: "Times", lines: timeLines },
  residential: { title: "Residential", lines: (draft) => [describeResidential(draft)] },
  rates: { title: "Service", lines: (draft) => [serviceText(draft)] },
  payer: { title: "Payer", lines: (draft) => [payerText(draft)] },
  reference: {
    title: "Reference",
    lines: (draft) => [
      getText(draft, "customerReference") || "none",
      ...OWN_FIELDS.flatMap(({ path, beside }) => {
        const value = draft.own?.[path]
        return typeof value === "string" ? [`${beside.title}: ${value}`] : []
      }),
    ],
  },
  extras: { title: "Extras", lines: extrasLines },
}

function listEntries(draft: Draft, context: WizardContext): Entry[] {
  return STEPS.filter((step) => step !== "start" && step !== "review").map((step) => {
    const { title, lines } = SECTIONS[step]
    return { step, title, lines: lines(draft, context) }
  })
}

/** The note for a change that was left with Esc: `Goods left as they were.`; undefined for a step without changes. */
export function describeUnchanged(step: StepName): string | undefined {
  if (step === "start" || step === "review") return undefined
  const { title } = SECTIONS[step]
  return `${title} left as ${title.endsWith("s") ? "they were" : "it was"}.`
}

function partyText(draft: Draft, party: Party): string {
  const address = getParty(draft, party)
  return address ? addressText(address) : "not known yet"
}

function addressText(address: BookingAddress): string {
  const { companyName, contactName, address1, address2, email } = address
  return [companyName, address1, address2, formatPlace(address), contactName, formatPhone(address), email]
    .filter(Boolean)
    .join(", ")
}

function collectionText(draft: Draft): string {
  const [sender, collection] = [partyText(draft, "sender"), partyText(draft, "collection")]
  return sender === collection ? "at the sender's address" : collection
}

function packageLines(draft: Draft): string[] {
  const lines = getPackages(draft)
  return [...lines.map(describePackage), `In all: ${formatTotals(lines)}`]
}

function goodsLines(draft: Draft): string[] {
  const packaging = getField("packagingCode")
  const packed = answerText(packaging, getAnswer(draft, packaging.path))
  if (getAnswer(draft, "dangerousGoods") !== true) return [`${packed}; no dangerous goods`]
  const details = Object.fromEntries(
    DANGEROUS_GOODS.parts.map((part) => [
      part.path,
      answerText(part, getAnswer(draft, `dangerousGoodsDetails.${part.path}`)),
    ]),
  )
  const { unNumber, shippingName, hazClass, subRisk, packingGroup = "" } = details
  const { quantity, packageType, aggregateQuantity, contactName, contactPhone } = details
  return [
    packed,
    [
      `dangerous goods: UN ${unNumber} ${shippingName}`,
      `class ${hazClass}${subRisk ? ` (${subRisk})` : ""}`,
      ...(packingGroup === "" ? [] : [`packing group ${packingGroup}`]),
    ].join(", "),
    `${quantity} × ${packageType}, ${aggregateQuantity} of the substance in all`,
    `in an emergency: ${contactName}, ${contactPhone}`,
  ]
}

function timeLines(draft: Draft, context: WizardContext): string[] {
  const ready = getReadyTime(draft)
  const close = parseTimeOfDay(getText(draft, "collectionCloseTime"))
  if (!ready || !close.ok) return ["not known yet"]
  const zone = getZone(draft)
  const here = formatLocalTime(ready, zone, context.zone())
  return [
    `ready ${formatWeekdayAndTime(ready)}, closes ${formatClock(close.value)}, ${toCity(zone)} time${here ? ` (ready ${here})` : ""}`,
  ]
}

/** `Standard (STD), CARRIER: AUD 25.47, GST not stated, arrives about Fri 27 Nov (4 days)`. */
function serviceText(draft: Draft): string {
  const { rate } = draft
  if (!rate) return "not chosen yet"
  const carrier = getCarrier(draft)
  const { description, serviceCode } = rate.rate
  return [
    `${description} (${serviceCode}), ${carrier ? carrierName(carrier) : rate.carrier}: ${priceText(priceFacts(rate.rate))}`,
    arrivalWords(rate.rate, rate.request),
  ].join(", ")
}

function payerText(draft: Draft): string {
  const account = getText(draft, "payer.accountNumber")
  const who = { Sender: "the sender", Receiver: "the receiver", ThirdParty: "a third party" }[
    getText(draft, "payer.type")
  ]
  const on = account === "" ? "on the account used for the booking" : `on account ${account}`
  return who === undefined ? "not known yet" : `${who}, ${on}`
}

function extrasLines(draft: Draft): string[] {
  const lines = listExtras(getCarrier(draft))
    .map((field) => [field.words, answerText(field, getAnswer(draft, field.path))] as const)
    .filter(([, text]) => text !== "")
    .map(([words, text]) => `${words}: ${text}`)
  return lines.length > 0 ? lines : ["none; instructions for the driver and more go here"]
}

/** Titles in a column, texts beside them; below them if the terminal is narrow. */
function formatPage(entries: readonly Entry[], columns: number): string {
  const bold = (title: string) => paint({ colour: true }, "bold", title)
  const width = Math.max(...entries.map(({ title }) => title.length)) + 2
  const isNarrow = columns < 50
  const indent = " ".repeat(isNarrow ? 2 : width)
  return entries
    .flatMap(({ title, lines }) => {
      const [first = "", ...more] = lines.flatMap((line) =>
        wrap(line, Math.max(20, columns - indent.length - 1)),
      )
      const beside = isNarrow ? `\n${indent}` : " ".repeat(width - title.length)
      return [`${bold(title)}${beside}${first}`, ...more.map((line) => `${indent}${line}`)]
    })
    .join("\n")
}
