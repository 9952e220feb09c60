/** Consequences of a changed answer: asks again what depended on the old one, and says so. */
import {
  checkCollectionWindow,
  findHomes,
  HOME_PARTIES,
  quoteDifferences,
  zoneOfPlace,
} from "../../contract/index.ts"
import { nameInWords } from "../booking/field-names.ts"

import { carrierName, CARRIERS, getCarrierFacts } from "../../carriers/index.ts"
import type { Carrier, RateRequest } from "../../contract/generated/types.ts"
import { isObject } from "../../base/json.ts"
import { sameJson } from "../../base/json.ts"
import { capital } from "../../output/index.ts"
import { getAnswer, setAnswer, getCarrier, type Draft, getPackages, getParty, getText } from "./draft.ts"
import { isSameParty } from "../booking/request.ts"
import { toCity } from "./when.ts"

/** The request to the carriers, without the present time; undefined while a part of it is missing. */
export function rateQuestion(draft: Draft): RateRequest | undefined {
  const from = getParty(draft, "collection")
  const to = getParty(draft, "receiver")
  const packages = getPackages(draft)
  const date = getText(draft, "collectionDateTime").slice(0, 10)
  const { dangerousGoods, businessUnit } = draft.request
  const homes = findHomes(draft.own)
  if (!from || !to || packages.length === 0 || date === "" || !homes) return undefined
  return {
    from: { ...toPlace(from), residential: homes.collection },
    to: { ...toPlace(to), residential: homes.receiver },
    packages,
    dangerousGoods: dangerousGoods === true,
    date,
    ...((businessUnit === "UNIT_A" || businessUnit === "UNIT_B") && { businessUnit }),
  }
}

/** The parts that a quote is compared by; the payer is asked after the rate. */
function quotedParts({ from, to, packages, dangerousGoods }: RateRequest) {
  return { collection: from, receiver: to, packages, dangerousGoods, payer: { type: "Sender" as const } }
}

function toPlace({ suburb, state, postcode }: { suburb: string; state: string; postcode: string }) {
  return { suburb, state, postcode }
}

const CHANGED: Readonly<Record<string, string>> = {
  from: "where it is collected",
  to: "where it goes",
  packages: "the packages",
  dangerousGoods: "the dangerous goods",
  date: "the day",
  businessUnit: "the business unit",
}

/** Whether nothing but the email of the collection differs. */
function isCollectedAtSamePlace(one: Draft, other: Draft): boolean {
  const [from, to] = [one, other].map((draft) => ({ ...getParty(draft, "collection"), email: undefined }))
  return sameJson(from, to)
}

/**
 * Answers about a party hold for that party alone: the place of collection, whether it is a home, the account.
 */
export function settleParties(before: Draft, after: Draft): { draft: Draft; notes: string[] } {
  const notes: string[] = []
  let draft = after
  const sender = getParty(draft, "sender")
  if (sender && sameJson(before.request.sender, before.request.collection) && before.request.sender) {
    const follows = sameJson(before.request.collection, draft.request.collection)
    if (follows && !sameJson(sender, draft.request.collection)) {
      draft = setAnswer(draft, "collection", { ...sender })
      notes.push("The goods are collected at the sender's new address.")
    }
  }
  const changed = HOME_PARTIES.filter((party) => {
    const [one, other] = [getParty(before, party), getParty(draft, party)]
    return one !== undefined && other !== undefined && !isSameParty(one, other)
  })
  for (const party of changed) {
    const { [`${party}.residential` as const]: isHome, ...own } = draft.own ?? {}
    if (isHome !== undefined && isHome === before.own?.[`${party}.residential`])
      draft = { ...draft, own, isHomeOpen: true }
  }
  const isOfReceiver = changed.includes("receiver") && getText(draft, "payer.type") === "Receiver"
  if (isOfReceiver && sameJson(before.request.payer, draft.request.payer)) {
    draft = setAnswer(draft, "payer", { type: "Receiver" })
    notes.push("The account to bill was the earlier receiver's: who pays is asked again.")
  }
  return { draft, notes }
}

/** @param before the draft as it was when the step began */
export function applyConsequences(before: Draft, after: Draft): { draft: Draft; notes: string[] } {
  const settled = settleParties(before, fillUsual(after))
  const notes = [...settled.notes]
  let { draft } = settled

  if (draft.isEmailAsked && !isCollectedAtSamePlace(before, draft)) {
    const { isEmailAsked: _, ...rest } = draft
    draft = rest
  }

  const zones = [before, draft].map((each) => zoneOfPlace(getParty(each, "collection") ?? {}))
  if (zones[0] && zones[1] && zones[0] !== zones[1] && getText(draft, "collectionDateTime") !== "")
    notes.push(`The times are now in ${toCity(zones[1])} time.`)

  const { rate } = draft
  if (!rate) return { draft, notes }
  const question = rateQuestion(draft)
  const asked = JSON.stringify(question)
  if (draft.rateFor === undefined) {
    // A rate from the command line may have been quoted for other goods.
    const [differs] = question ? quoteDifferences(rate.request, quotedParts(question)) : []
    if (differs)
      return {
        draft: withoutRate(draft),
        notes: [
          ...notes,
          `The rate does not fit this booking: ${nameInWords(differs).message}. The rates are asked for again.`,
        ],
      }
    if (question) draft = { ...draft, rateFor: asked }
  } else if (draft.rateFor !== asked) {
    const changed = describeDifference(JSON.parse(draft.rateFor), question)
    return {
      draft: withoutRate(draft),
      notes: [...notes, `Since ${changed} changed, the rates are asked for again.`],
    }
  }
  const carrier = getCarrier(draft)
  if (!carrier) return { draft, notes }
  const who = carrierName(carrier)
  const [refusal] = findTimeRefusals(draft)
  if (refusal)
    return {
      draft: withoutRate(draft),
      notes: [...notes, `The rate of ${who} is dropped: ${refusal.problems[0]}.`],
    }
  if (!takesThirdParty(carrier) && getText(draft, "payer.type") === "ThirdParty") {
    draft = setAnswer(draft, "payer.accountNumber", undefined)
    notes.push(`${capital(who)} does not bill a third party: who pays is asked again.`)
  }
  return { draft, notes }
}

/** Usual values that are not asked: the goods are at the sender's, who pays. The review shows and changes them. */
function fillUsual(draft: Draft): Draft {
  const sender = getParty(draft, "sender")
  if (!sender) return draft
  const { collection = { ...sender }, payer = { type: "Sender" } } = draft.request
  return { ...draft, request: { ...draft.request, collection, payer } }
}

/** @param carrier undefined if none is chosen */
export function takesThirdParty(carrier: Carrier | undefined): boolean {
  return getCarrierFacts(carrier)?.thirdPartyRefusal === undefined
}

export interface TimeRefusal {
  carrier: Carrier
  problems: readonly string[]
}

/**
 * The carriers that would refuse the times; none while they are not known.
 * @param asked the chosen carrier, or all
 */
export function findTimeRefusals(draft: Draft, asked = listPossibleCarriers(draft)): TimeRefusal[] {
  return asked
    .map((carrier) => ({ carrier, problems: findWindowProblems(draft, carrier) }))
    .filter(({ problems }) => problems.length > 0)
}

function listPossibleCarriers(draft: Draft): readonly Carrier[] {
  const chosen = getCarrier(draft)
  return chosen ? [chosen] : CARRIERS
}

function findWindowProblems(draft: Draft, carrier: Carrier): string[] {
  const collectionDateTime = getText(draft, "collectionDateTime")
  const collectionCloseTime = getText(draft, "collectionCloseTime")
  if (collectionDateTime === "" || collectionCloseTime === "") return []
  return checkCollectionWindow({ collectionDateTime, collectionCloseTime }, carrier).map((finding) =>
    nameInWords(finding).message.replaceAll(/(\d\d:\d\d):00/g, "$1"),
  )
}

function withoutRate({ rate: _, rateFor: __, ...rest }: Draft): Draft {
  return rest
}

function describeDifference(before: unknown, after: RateRequest | undefined): string {
  const [one, other] = [Object(before), Object(after)]
  const names = Object.keys(CHANGED).filter((name) => !sameJson(one[name], other[name]))
  return names.map((name) => CHANGED[name]).join(" and ") || "an answer"
}

export function hasPayer(draft: Draft): boolean {
  const payer = getAnswer(draft, "payer")
  if (!isObject(payer)) return false
  const { type, accountNumber } = payer
  return type === "Sender" || (typeof accountNumber === "string" && accountNumber.trim() !== "")
}
