/** Sender, collection and receiver: a saved address, or one that is entered and may be saved. */
import {
  addressLine,
  type AddressLine,
  checkPlace,
  formatPhone,
  formatPlace,
  isSamePlace,
  listContactReadings,
  parseAddress,
  parsePlace,
  parsePlaceOrAddress,
  type Place,
  type PlaceDoubt,
  postBoxWarnings,
  repairPostcode,
  statesOfPostcode,
} from "../../../contract/index.ts"
import { PARTY } from "../questions.ts"
import { readAnswer } from "../field.ts"
import { type Places, suggestName } from "../../../machine/index.ts"
import type { Json } from "../../../base/json.ts"
import * as requests from "../../../contract/generated/requests.js"
import type { BookingAddress } from "../../../contract/generated/types.ts"
import { type Parsed, parsed, quoted, refused } from "../../../base/parsed.ts"
import { FreightError } from "../../../base/errors.ts"
import { askEach, BACK, type Back, type Choice, type Conversation } from "../../../output/index.ts"
import { EXAMPLE_PARTIES } from "../../booking/example.ts"
import { isSameParty } from "../../booking/request.ts"
import type { SavedParty, WizardContext } from "../context.ts"
import { type Draft, getParty, getText, type Party, setAnswer } from "../draft.ts"
import { askInOrder, fieldQuestion, type Question, type Step, unlessBack } from "../step.ts"

const QUESTIONS: Readonly<Record<Party, string>> = {
  sender: "Who sends it?",
  collection: "Where is it collected?",
  receiver: "Who receives it?",
}

type Picked =
  | { kind: "keep" | "change" }
  /** Typed text that matches nothing known: probably a company name. */
  | { kind: "enter"; typed: string }
  | { kind: "take"; address: BookingAddress }
  /** Typed in one line; missing fields are asked for. */
  | { kind: "typed"; address: AddressLine }

export const sender = createPartyStep("sender")
export const collection = createPartyStep("collection")
export const receiver = createPartyStep("receiver")

function createPartyStep(party: Party): Step {
  return {
    isOpen: (draft) => getParty(draft, party) === undefined,
    async ask(draft, context) {
      const { at } = draft
      const isLeft = at?.step === party && at.question !== undefined && at.question !== "who"
      // After going back, the last question is asked.
      const before = at?.step === party && at.isBack ? draft.entered?.[party] : undefined
      let isEntered = isLeft || before !== undefined
      // A draft that was left among the fields says whose address they are.
      if (isEntered) await context.conversation.say(QUESTIONS[party], "dim")
      let left: Json | undefined
      const line: TakenLine = before === undefined || before === FIELD_BY_FIELD ? {} : { at: before }
      const questions = [
        ...addressQuestions(party, context, line),
        {
          name: "save",
          when: (known: Draft) => isUnsaved(known, party, context),
          ask: (known: Draft) => offerToSave(known, party, context),
        },
      ].map(
        (question: Question): Question => ({
          ...question,
          when: (known) => isEntered && question.when?.(known) !== false,
        }),
      )
      const askWho = (known: Draft): Promise<Draft | Back> => {
        // Going back restores the previous address.
        const draft = left !== undefined && !getParty(known, party) ? setAnswer(known, party, left) : known
        return unlessBack(pickParty(draft, party, context), async (picked) => {
          isEntered = picked.kind !== "keep" && picked.kind !== "take"
          delete line.at
          if (picked.kind === "take") return setAnswer(draft, party, { ...picked.address })
          if (picked.kind === "typed") {
            await context.keep(atCompany(draft, party, formatLine(picked.address)))
            const settled = await settleAddress(party, picked.address, context)
            if (settled === BACK) return askWho(known)
            if (settled.isRight) line.at = "who"
            return setAnswer(draft, party, { ...settled.address })
          }
          if (picked.kind !== "enter") return draft
          left = getParty(draft, party) && draft.request[party]
          // Known parts of a place, as from a rate, are not asked for again.
          const rest = left === undefined ? draft : setAnswer(draft, party, undefined)
          return picked.typed === "" ? rest : setAnswer(rest, `${party}.companyName`, picked.typed)
        })
      }
      return unlessBack(
        askInOrder(draft, party, context, [{ name: "who", ask: askWho }, ...questions]),
        ({ entered: { [party]: _, ...others } = {}, ...answered }): Draft => ({
          ...answered,
          entered: isEntered ? { ...others, [party]: line.at ?? FIELD_BY_FIELD } : others,
        }),
      )
    },
  }
}

function atCompany(draft: Draft, party: Party, typed: string): Draft {
  const question = `${party}.companyName`
  return { ...setAnswer(draft, question, typed), at: { step: party, question } }
}

const FIELD_BY_FIELD = "fields"

type PlaceContext = Pick<WizardContext, "conversation" | "places"> & Partial<Pick<WizardContext, "keep">>

/** The question at which a whole address was typed in one line, so that only missing fields are asked for. */
interface TakenLine {
  at?: string
}

export function addressQuestions(party: Party, context: PlaceContext, line: TakenLine = {}): Question[] {
  return PARTY.parts.map((field) => {
    const isPlace = field.path === "place"
    const plain = isPlace
      ? placeQuestion(party, context)
      : fieldQuestion(field, `${party}.${field.path}`, context)
    const question = WHOLE_ADDRESS_FIELDS.includes(field.path)
      ? orWholeAddress(plain, field, party, context, line)
      : plain
    const isMissing = (draft: Draft) =>
      isPlace ? !getPlace(draft, party) : !field.optional && getText(draft, plain.name) === ""
    return {
      ...question,
      when: (draft) => line.at === undefined || line.at === question.name || isMissing(draft),
    }
  })
}

const WHOLE_ADDRESS_FIELDS = ["companyName", "address1"]

/** A question for a part of an address that accepts a whole one, too: its parts are not asked for again. */
function orWholeAddress(
  { name }: Question,
  field: (typeof PARTY.parts)[number],
  party: Party,
  context: PlaceContext,
  line: TakenLine,
): Question {
  const { conversation } = context
  const question: Question = {
    name,
    async ask(draft) {
      delete line.at
      const typed = await conversation.text(field.words, {
        initial: getText(draft, name) ?? "",
        hint: field.hint,
        check: (text) => (parseAddress(text).ok ? parsed(text) : readAnswer(field, name, text)),
      })
      if (typed === BACK) return BACK
      const whole = parseAddress(typed)
      if (!whole.ok) {
        const box = field.path === "address1" ? findBox(party, { address1: typed }) : undefined
        if (box !== undefined && (await keepsBox(box, conversation)) === BACK)
          return question.ask(setAnswer(draft, name, typed))
        return setAnswer(draft, name, typed)
      }
      await context.keep?.(setAnswer(draft, name, typed))
      const settled = await settleAddress(party, whole.value, context)
      if (settled === BACK) return question.ask(setAnswer(draft, name, typed))
      if (settled.isRight) line.at = name
      return Object.entries(settled.address).reduce(
        (known, [part, value]) => setAnswer(known, `${party}.${part}`, value),
        draft,
      )
    },
  }
  return question
}

function pickParty(draft: Draft, party: Party, context: WizardContext): Promise<Picked | Back> {
  const current = getParty(draft, party)
  const place = current ? undefined : getPlace(draft, party)
  const isThere = (address: BookingAddress) => place === undefined || isSamePlace(address, place)
  const take = (name: string, address: BookingAddress): Choice<Picked> => ({
    name: `${name} · ${formatPlace(address)}`,
    value: { kind: "take", address },
    description: addressLine(address),
  })
  const saved = listByUse(party, context)
  const from = party === "collection" ? getParty(draft, "sender") : undefined
  const first: Choice<Picked>[] = [
    ...(current
      ? [
          {
            name: `As it is: ${current.companyName}, ${formatPlace(current)}`,
            value: { kind: "keep" } as const,
          },
          { name: "Change it, field by field", value: { kind: "change" } as const },
        ]
      : []),
    ...(from && isThere(from) ? [take(`The sender's address: ${from.companyName}`, from)] : []),
  ]
  const samples = listSamples(party, context)
    .filter((each) => isThere(each) && !saved.some(({ address }) => isSameParty(each, address)))
    .map((each) => take(`Sample: ${each.companyName}`, each))
  const enterName = current
    ? "Enter another address"
    : `Enter an address${place ? ` in ${formatPlace(place)}` : ""}`
  const enter = (typed: string): Choice<Picked> => ({
    name: enterName,
    // Typing the words of this choice does not mean a company.
    value: { kind: "enter", typed: enterName.toLowerCase().includes(typed.toLowerCase()) ? "" : typed },
  })
  const question = QUESTIONS[party].replace("?", place ? `, in ${formatPlace(place)}?` : "?")
  return context.conversation.pick(question, (typed) => {
    const line = parseAddress(typed)
    if (line.ok)
      return [{ name: `Enter ${formatLine(line.value)}`, value: { kind: "typed", address: line.value } }]
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word))
    const begins = ({ name }: SavedParty) => Number(name.toLowerCase().startsWith(typed.toLowerCase()))
    const found = saved
      .filter(({ name, address }) =>
        words.length === 0 ? isThere(address) : matches(`${name} ${addressLine(address)}`),
      )
      .sort((one, other) => begins(other) - begins(one))
      .map((each) => take(formatTitle(each), each.address))
    const others = [first, samples].map((choices) => choices.filter(({ name }) => matches(name)))
    const entered = enter(typed.trim())
    return words.length === 0
      ? [...first, ...found, ...samples, entered]
      : [...found, ...others.flat(), entered]
  })
}

function formatLine(line: AddressLine): string {
  const { companyName, contactName, address1, address2, email } = line
  const contact = contactName && `contact ${contactName}`
  return [companyName, contact, address1, address2, formatPlace(line), formatPhone(line), email]
    .filter(Boolean)
    .join(", ")
}

function getPlace(
  draft: Draft,
  party: Party,
): Pick<BookingAddress, "suburb" | "state" | "postcode"> | undefined {
  const part = (name: string) => getText(draft, `${party}.${name}`)
  const place = { suburb: part("suburb"), state: part("state"), postcode: part("postcode") }
  return place.suburb && place.state && place.postcode ? place : undefined
}

/** Saved addresses and those of earlier bookings, the most often booked first. */
function listByUse(party: Party, { addresses, earlier }: WizardContext): SavedParty[] {
  const uses = (address: BookingAddress) =>
    earlier.filter(({ request }) => isSameParty(request[party], address)).length
  const known = [...addresses()]
  for (const { request } of earlier) {
    const address = request[party]
    if (requests.BookingAddress(address) && !known.some((each) => isSameParty(each.address, address)))
      known.push({ name: address.companyName, address })
  }
  return known.sort((one, other) => uses(other.address) - uses(one.address))
}

function formatTitle({ name, address }: SavedParty): string {
  return name.toLowerCase() === address.companyName.toLowerCase() ? name : `${name}: ${address.companyName}`
}

/** The sandbox knows two businesses, so that a first booking needs no typing. */
function listSamples(party: Party, { sandbox }: WizardContext): BookingAddress[] {
  return sandbox && party !== "collection" ? [structuredClone(EXAMPLE_PARTIES[party])] : []
}

/** Suburb, state and postcode in one line, checked against each other while they are typed. */
export function placeQuestion(
  party: Party,
  { conversation, places: loadPlaces }: PlaceContext,
  {
    words = "Suburb, state and postcode",
    saved = [],
  }: { words?: string; saved?: readonly SavedParty[] } = {},
): Question {
  const findSaved = (typed: string) => saved.find(({ name }) => name === typed)?.address
  const read = (typed: string): Parsed<Place> => {
    const named = findSaved(typed)
    if (named) return checkPlace(named as BookingAddress & Place)
    return typed === "" ? refused("Suburb, state and postcode are needed") : parsePlaceOrAddress(typed)
  }
  return {
    name: "place",
    async ask(draft) {
      const places = await loadPlaces?.([])
      const check = (typed: string) => {
        const place = read(typed)
        return place.ok || !hasCompletion(typed, places) ? place : parsed(typed)
      }
      const parts = ["suburb", "state", "postcode"].map((part) => getText(draft, `${party}.${part}`))
      for (;;) {
        const typed = await conversation.text(words, {
          initial: parts.filter(Boolean).join(" "),
          hint: `such as Alexandria NSW 2015${saved.length > 0 ? ", or the name of a saved address" : ""}`,
          check,
          live: (text) => placeWhileTyping(text, places),
        })
        if (typed === BACK) return BACK
        const whole = read(typed)
        const place = whole.ok
          ? await settlePlace(
              whole.value,
              conversation,
              (await loadPlaces?.([whole.value]))?.findDoubt(whole.value),
            )
          : await completePlace(typed, conversation, places)
        if (place === BACK) continue
        const digits = typed.match(/\d+/g)?.at(-1)
        if (whole.ok && place === whole.value && digits !== place.postcode && !findSaved(typed))
          await conversation.say(`The postcode ${digits} is taken as ${place.postcode}.`)
        return Object.entries(place).reduce(
          (known, [name, value]) => setAnswer(known, `${party}.${name}`, value),
          draft,
        )
      }
    },
  }
}

/** Maximum number of completions offered, and shown while typing. */
const [MAX_OFFERED, MAX_SHOWN] = [10, 3]
/** Fewer letters may become anything. */
const MIN_LETTERS = 3

function complete(typed: string, places: Places | undefined, most: number): Place[] {
  const text = typed.trim()
  return text.length < MIN_LETTERS ? [] : (places?.complete(text, most) ?? [])
}

function hasCompletion(typed: string, places: Places | undefined): boolean {
  return complete(typed, places, 1).length > 0
}

async function completePlace(
  typed: string,
  conversation: Conversation,
  places: Places | undefined,
): Promise<Place | Back> {
  const found = complete(typed, places, MAX_OFFERED)
  const [only, ...others] = found
  if (only && others.length === 0) {
    await conversation.say(`${formatPlace(only)}.`)
    return only
  }
  return choosePlace("Which place is it?", found, { name: "Type it again", value: BACK }, conversation)
}

/**
 * Confirms a whole address as it was understood. Asks one question at a time: whether a PO box is meant, which place, who
 * is the contact.
 * @returns BACK also if the address is to be typed again
 */
async function settleAddress(
  party: Party,
  typed: AddressLine,
  { conversation, places: loadPlaces }: PlaceContext,
): Promise<{ address: AddressLine; isRight: boolean } | Back> {
  const box = findBox(party, typed)
  const doubt = (await loadPlaces?.([typed]))?.findDoubt(typed)
  const readings = typed.contactName === undefined ? listContactReadings(typed.companyName ?? "") : []
  let address = typed
  let isRight = false
  const hasNear = doubt !== undefined && doubt.near.length > 0
  if (!hasNear) await settlePlace(typed, conversation, doubt)
  const isAsked = await askEach([
    { when: () => box !== undefined, ask: () => keepsBox(box ?? "", conversation) },
    {
      when: () => hasNear,
      ask: () =>
        unlessBack(settlePlace(typed, conversation, doubt), ({ suburb, state, postcode }) => {
          address = { ...address, suburb, state, postcode }
        }),
    },
    {
      when: () => readings.length > 0,
      ask: () =>
        unlessBack(askContact(typed.companyName ?? "", readings, conversation), (names) => {
          const { contactName: _, ...rest } = address
          address = { ...rest, ...names }
        }),
    },
    {
      ask: () =>
        unlessBack(conversation.confirm(`${formatLine(address)}: right?`, true), (answer) => {
          isRight = answer
        }),
    },
  ])
  return isAsked === BACK ? BACK : { address, isRight }
}

type ContactReading = Pick<AddressLine, "companyName" | "contactName">

function askContact(
  written: string,
  readings: readonly ContactReading[],
  { choose }: Conversation,
): Promise<ContactReading | Back> {
  return choose<ContactReading>("Who is the contact?", [
    ...readings.map((value) => ({ name: `${value.contactName}, at ${value.companyName}`, value })),
    { name: `Nobody: the company is ${quoted(written)}`, value: { companyName: written } },
  ])
}

function findBox(party: Party, address: Pick<AddressLine, "address1" | "address2">): string | undefined {
  if (party === "sender") return undefined
  const does = party === "receiver" ? "delivers" : "collects"
  const [warning] = postBoxWarnings(address, [party], does)
  return warning?.message.replace(warning.path, quoted(address.address1))
}

/** @returns BACK if the address is to be typed again */
async function keepsBox(problem: string, { choose }: Conversation): Promise<true | Back> {
  const isKept = await choose<boolean>(`${problem}.`, [
    { name: "Type the street address", value: false },
    { name: "Keep it", value: true },
  ])
  return isKept === true || BACK
}

/** Settles an unknown place: a suggestion, or the text as typed, with a note if nothing is like it. */
async function settlePlace(
  place: Place,
  conversation: Conversation,
  doubt: PlaceDoubt | undefined,
): Promise<Place | Back> {
  if (!doubt) return place
  if (doubt.near.length === 0) {
    await conversation.warn(`${formatPlace(place)} is not a known place.`)
    return place
  }
  const keep = { name: `Keep ${formatPlace(place)}`, value: place }
  const question = `${formatPlace(place)} is not a known place. Which one is meant?`
  return choosePlace(question, doubt.near, keep, conversation)
}

function choosePlace(
  question: string,
  found: readonly Place[],
  otherwise: Choice<Place | Back>,
  { choose }: Conversation,
): Promise<Place | Back> {
  return choose<Place | Back>(question, [
    ...found.map((place) => ({ name: formatPlace(place), value: place })),
    otherwise,
  ])
}

export function placeWhileTyping(typed: string, places?: Places): string | undefined {
  if (typed.trim() === "") return undefined
  const read = parsePlace(typed)
  if (read.ok) {
    const repaired = typed.match(/\d+/g)?.at(-1) !== read.value.postcode ? ", with its lost zero" : ""
    const checked = checkPlace(read.value)
    return checked.ok ? `${formatPlace(checked.value)}${repaired}` : checked.reason
  }
  const found = complete(typed, places, MAX_SHOWN)
  if (found.length > 0) return found.map(formatPlace).join(", ")
  const digits = /\b\d{3,4}$/.exec(typed.trim())?.[0]
  const postcode = digits === undefined ? undefined : repairPostcode(digits)
  const states = postcode === undefined ? [] : statesOfPostcode(postcode)
  return states.length > 0 ? `${postcode} is in ${states.join(" or ")}: name the state too` : undefined
}

function isUnsaved(draft: Draft, party: Party, { addresses }: WizardContext): boolean {
  const address = getParty(draft, party)
  return address !== undefined && findSavedAs(address, addresses()) === undefined
}

function findSavedAs(address: BookingAddress, all: readonly SavedParty[]): SavedParty | undefined {
  return all.find((saved) => addressLine(saved.address) === addressLine(address))
}

async function offerToSave(draft: Draft, party: Party, context: WizardContext): Promise<Draft | Back> {
  const { conversation, addresses, saveAddress, sandbox } = context
  const address = getParty(draft, party)
  if (!address) return draft
  const isWanted = await conversation.confirm("Save this address for next time?", !sandbox)
  if (isWanted === BACK) return BACK
  if (!isWanted) return draft
  for (;;) {
    const name = await conversation.text("Under which name?", {
      initial: suggestName(address.companyName, "address"),
      check: (typed) =>
        addresses().some((saved) => saved.name === typed)
          ? refused(`${quoted(typed)} is the name of another address`)
          : parsed(typed),
    })
    if (name === BACK) return offerToSave(draft, party, context)
    try {
      await saveAddress(name, address)
      await conversation.say(`Saved as ${name}.`)
      return draft
    } catch (error) {
      // The booking goes on: it does not need the saved address, and the name can be fixed later.
      if (!(error instanceof FreightError)) throw error
      await conversation.warn(`Not saved: ${error.message}.`)
      if (error.kind !== "usage") return draft
    }
  }
}
