/** The draft as a page to read: a line for each answer, broken where the terminal ends. */
import { carrierName } from "../../contract/carrier-fields.ts"
import type { BookingAddress } from "../../contract/generated/types.ts"
import { formatPhone } from "../../contract/contacts.ts"
import { formatPlace } from "../../contract/places.ts"
import { formatClock, parseTimeOfDay } from "../../contract/wall-clock.ts"
import { wrap } from "../../terminal/width.ts"
import { answerText } from "../field.ts"
import { DANGEROUS_GOODS, listExtras, getField, REFERENCE } from "../fields.ts"
import { priceFacts, priceText } from "../price.ts"
import { arrivalText } from "../rates.ts"
import { toCity } from "./when.ts"
import {
  getAnswer,
  getCarrier,
  type Draft,
  type Party,
  getPackages,
  getParty,
  type StepName,
  getText,
} from "./draft.ts"
import { homesText } from "./steps/rates.ts"
import { lineText, totalText } from "./steps/goods.ts"
import { formatLocalTime, formatDayAndTime, getReadyTime, getZone } from "./when.ts"
import type { World } from "./world.ts"

interface Entry {
  /** The step that changes it. */
  step: StepName
  title: string
  lines: string[]
}

/** The whole draft for the review, in the order of the steps. */
export function listEntries(draft: Draft, world: World): Entry[] {
  return [
    { step: "sender", title: "Sender", lines: [partyText(draft, "sender")] },
    { step: "collection", title: "Collection", lines: [collectionText(draft)] },
    { step: "receiver", title: "Receiver", lines: [partyText(draft, "receiver")] },
    { step: "packages", title: "Packages", lines: packageLines(draft, world) },
    { step: "goods", title: "Goods", lines: goodsLines(draft) },
    { step: "times", title: "Times", lines: timeLines(draft, world) },
    { step: "homes", title: "Residential", lines: [homesText(draft)] },
    { step: "rates", title: "Service", lines: [serviceText(draft)] },
    { step: "payer", title: "Payer", lines: [payerText(draft)] },
    { step: "reference", title: "Reference", lines: [getText(draft, REFERENCE.path) || "none"] },
    { step: "extras", title: "Extras", lines: extrasLines(draft) },
  ]
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

function packageLines(draft: Draft, { marks }: World): string[] {
  const lines = getPackages(draft)
  const texts = lines.map((line) => lineText(line, marks))
  return [...texts, `In all: ${totalText(lines, marks)}`]
}

function goodsLines(draft: Draft): string[] {
  const packaging = getField("packagingCode")
  const packed = answerText(packaging, getAnswer(draft, packaging.path))
  if (getAnswer(draft, "dangerousGoods") !== true) return [`${packed}; no dangerous goods`]
  const said = DANGEROUS_GOODS.parts.flatMap((part) => {
    const text = answerText(part, getAnswer(draft, `dangerousGoodsDetails.${part.path}`))
    return text === "" ? [] : [`${part.words.charAt(0).toLowerCase()}${part.words.slice(1)} ${text}`]
  })
  return [packed, `dangerous goods: ${said.join("; ").replace(/^uN/, "UN")}`]
}

function timeLines(draft: Draft, world: World): string[] {
  const ready = getReadyTime(draft)
  const close = parseTimeOfDay(getText(draft, "collectionCloseTime"))
  if (!ready || !close.ok) return ["not known yet"]
  const zone = getZone(draft)
  const here = formatLocalTime(ready, zone, world.zone)
  return [
    `ready ${formatDayAndTime(ready)}, closes ${formatClock(close.value)}, ${toCity(zone)} time${here ? ` (ready ${here})` : ""}`,
  ]
}

/** `Standard (STD), carrier C: AUD 25.47, GST not stated, arrives about Fri 27 Nov (4 days)`. */
function serviceText(draft: Draft): string {
  const { offer } = draft
  if (!offer) return "not chosen yet"
  const carrier = getCarrier(draft)
  const { description, serviceCode } = offer.rate
  const arrival = arrivalText(offer.rate, offer.request.date)
  return [
    `${description} (${serviceCode}), ${carrier ? carrierName(carrier) : offer.carrier}: ${priceText(priceFacts(offer.rate))}`,
    ...(arrival === "not stated" ? [] : [`arrives ${arrival}`]),
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

/** Titles in a column of their own, texts beside them; below them where the terminal is narrow. */
export function formatPage(
  entries: readonly Entry[],
  columns: number,
  bold: (text: string) => string,
): string {
  const width = Math.max(...entries.map(({ title }) => title.length)) + 2
  const narrow = columns < 50
  const indent = narrow ? 2 : width
  return entries
    .flatMap(({ title, lines }) => {
      const broken = lines.flatMap((line) => wrap(line, Math.max(20, columns - indent - 1)))
      const pad = " ".repeat(indent)
      if (narrow) return [bold(title), ...broken.map((line) => `${pad}${line}`)]
      return broken.map(
        (line, at) => `${at === 0 ? bold(title) + " ".repeat(width - title.length) : pad}${line}`,
      )
    })
    .join("\n")
}
