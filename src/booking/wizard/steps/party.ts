/** Who sends, where it is collected, who receives: a saved address, or one that is entered and may be saved. */
import { addressLine } from "../../../contract/address-line.ts"
import type { BookingAddress } from "../../../contract/generated/types.ts"
import { type Parsed, parsed, refused, valueOrThrow } from "../../../contract/parsed.ts"
import { suggestName } from "../../../config/saved.ts"
import * as requests from "../../../contract/generated/requests.js"
import {
  type AddressLine,
  checkPlace,
  formatPlace,
  parseAddress,
  parsePlace,
  parsePlaceOrAddress,
  type Place,
  postcodeDoubt,
  repairPostcode,
  statesOfPostcode,
} from "../../../contract/places.ts"
import { formatPhone } from "../../../contract/contacts.ts"
import { isSamePlace } from "../../../contract/rate-link.ts"
import { FreightError } from "../../../errors.ts"
import { BACK, type Back, type Conversation } from "../../../terminal/conversation/conversation.ts"
import type { Choice } from "../../../terminal/conversation/conversation.ts"
import { exampleBooking } from "../../example.ts"
import { PARTY } from "../../../contract/fields/questions.ts"
import type { Json } from "../../../contract/fields/json.ts"
import { setAnswer, type Draft, type Party, getParty, getText } from "../draft.ts"
import { fieldQuestion, askInOrder, type Question, type Step } from "../step.ts"
import { isSameParty, type SavedParty, type World } from "../world.ts"

const QUESTIONS: Readonly<Record<Party, string>> = {
  sender: "Who sends it?",
  collection: "Where is it collected?",
  receiver: "Who receives it?",
}

type Picked =
  | { kind: "keep" | "change" | "enter" }
  | { kind: "take"; address: BookingAddress }
  /** Typed in one line: what is missing of it is asked. */
  | { kind: "typed"; address: AddressLine }

export const sender = partyStep("sender")
export const collection = partyStep("collection")
export const receiver = partyStep("receiver")

function partyStep(party: Party): Step {
  return {
    isOpen: (draft) => getParty(draft, party) === undefined,
    async ask(draft, conversation, world) {
      let entered = draft.at?.step === party && draft.at.question !== undefined && draft.at.question !== "who"
      let left: Json | undefined
      const entering = (question: Question): Question => ({ ...question, when: () => entered })
      return askInOrder(draft, party, world, [
        {
          name: "who",
          async ask(known) {
            // Whoever steps back from another address has the one that was there.
            const draft =
              left !== undefined && !getParty(known, party) ? setAnswer(known, party, left) : known
            const picked = await pickParty(draft, party, conversation, world)
            if (picked === BACK) return BACK
            entered = picked.kind !== "keep" && picked.kind !== "take"
            if (picked.kind === "take" || picked.kind === "typed")
              return setAnswer(draft, party, { ...picked.address })
            if (picked.kind !== "enter") return draft
            left = getParty(draft, party) && draft.request[party]
            // What is known of a place, as from a rate, is not asked for again.
            return left === undefined ? draft : setAnswer(draft, party, undefined)
          },
        },
        ...addressQuestions(party, conversation).map(entering),
        entering({ name: "save", ask: (known) => offerToSave(known, party, conversation, world) }),
      ])
    },
  }
}

export function addressQuestions(party: Party, conversation: Conversation): Question[] {
  return PARTY.parts.map((field) =>
    field.path === "place"
      ? placeQuestion(party, conversation)
      : fieldQuestion(field, `${party}.${field.path}`, conversation),
  )
}

async function pickParty(
  draft: Draft,
  party: Party,
  conversation: Conversation,
  world: World,
): Promise<Picked | Back> {
  const { dot } = world.marks
  const take = (name: string, address: BookingAddress): Choice<Picked> => ({
    name: `${name} ${dot} ${formatPlace(address)}`,
    value: { kind: "take", address },
    description: addressLine(address),
  })
  const current = getParty(draft, party)
  const place = current ? undefined : getPlace(draft, party)
  const isThere = (address: BookingAddress) => place === undefined || isSamePlace(address, place)
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
  const saved = listByUse(party, world).map(({ name, address }) => ({
    name,
    address,
    choice: take(formatTitle({ name, address }), address),
  }))
  const samples = world.sandbox
    ? listSamples(party, world)
        .filter((each) => isThere(each) && !saved.some(({ address }) => isSameParty(each, address)))
        .map((each) => take(`Sample: ${each.companyName}`, each))
    : []
  const enter: Choice<Picked> = {
    name: current ? "Enter another address" : `Enter an address${place ? ` in ${formatPlace(place)}` : ""}`,
    value: { kind: "enter" },
  }
  const question = place ? QUESTIONS[party].replace("?", `, in ${formatPlace(place)}?`) : QUESTIONS[party]
  return conversation.pick(question, (typed) => {
    const line = parseAddress(typed)
    if (line.ok) {
      const { companyName, address1, address2, email } = line.value
      const parts = [companyName, address1, address2, formatPlace(line.value), formatPhone(line.value), email]
      const whole = parts.filter(Boolean).join(", ")
      return [{ name: `Enter ${whole}`, value: { kind: "typed", address: line.value } }]
    }
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    const found = saved
      .filter(({ name, address }) => {
        if (typed === "" && !isThere(address)) return false
        const text = `${name} ${addressLine(address)}`.toLowerCase()
        return words.every((word) => text.includes(word))
      })
      .sort((one, other) => rank(other.name, typed) - rank(one.name, typed))
      .map(({ choice }) => choice)
    if (words.length === 0) return [...first, ...found, ...samples, enter]
    const others = [...first, ...samples].filter(({ name }) =>
      words.every((word) => name.toLowerCase().includes(word)),
    )
    return [...found, ...others, enter]
  })
}

/** The place of a party of which no more is known. */
function getPlace(
  draft: Draft,
  party: Party,
): Pick<BookingAddress, "suburb" | "state" | "postcode"> | undefined {
  const [suburb, state, postcode] = ["suburb", "state", "postcode"].map((part) =>
    getText(draft, `${party}.${part}`),
  )
  return suburb && state && postcode ? { suburb, state, postcode } : undefined
}

/** Saved addresses and those of earlier bookings, the one that was booked for most often first. */
function listByUse(party: Party, world: World): SavedParty[] {
  const uses = (address: BookingAddress) =>
    world.earlier.filter(({ request }) => isSameParty(request[party], address)).length
  const saved = world.addresses()
  const known = [...saved]
  for (const { request } of world.earlier) {
    const address = request[party]
    if (requests.BookingAddress(address) && !known.some((each) => isSameParty(each.address, address)))
      known.push({ name: address.companyName, address })
  }
  return known.sort((one, other) => uses(other.address) - uses(one.address))
}

/** What begins as it was typed comes before what only holds it. */
function rank(name: string, typed: string): number {
  return Number(name.toLowerCase().startsWith(typed.toLowerCase().trim()))
}

function formatTitle({ name, address }: SavedParty): string {
  return name.toLowerCase() === address.companyName.toLowerCase() ? name : `${name}: ${address.companyName}`
}

/** The sandbox knows two businesses, so that a first booking needs no typing. */
function listSamples(party: Party, world: World): BookingAddress[] {
  const example = exampleBooking(world.now())
  return party === "receiver" ? [example.receiver] : party === "sender" ? [example.sender] : []
}

/** Suburb, state and postcode in one line, checked against each other while they are typed. */
export function placeQuestion(
  party: Party,
  conversation: Conversation,
  {
    words = "Suburb, state and postcode",
    saved = [],
  }: { words?: string; saved?: readonly SavedParty[] } = {},
): Question {
  const read = (typed: string): Parsed<Place> => {
    const named = saved.find(({ name }) => name === typed)?.address
    if (!named) return readPlace(typed)
    return checkPlace(named as BookingAddress & Place)
  }
  return {
    name: "place",
    async ask(draft) {
      const { suburb, state, postcode } = {
        suburb: getText(draft, `${party}.suburb`),
        state: getText(draft, `${party}.state`),
        postcode: getText(draft, `${party}.postcode`),
      }
      const initial = [suburb, state, postcode].filter(Boolean).join(" ")
      const typed = await conversation.text(words, {
        initial,
        hint: `such as Alexandria NSW 2015${saved.length > 0 ? ", or the name of a saved address" : ""}`,
        check: read,
        live: placeWhileTyping,
      })
      if (typed === BACK) return BACK
      const place = valueOrThrow(read(typed), words)
      const asTyped = typed.match(/\d+/g)?.at(-1)
      if (asTyped !== place.postcode && !saved.some(({ name }) => name === typed))
        await conversation.say(`The postcode ${asTyped} is taken as ${place.postcode}.`)
      return Object.entries(place).reduce(
        (known, [name, value]) => setAnswer(known, `${party}.${name}`, value),
        draft,
      )
    },
  }
}

function readPlace(typed: string): Parsed<Place> {
  return typed === "" ? refused("Suburb, state and postcode are needed") : parsePlaceOrAddress(typed)
}

/** What was understood so far, or what does not fit. */
export function placeWhileTyping(typed: string): string | undefined {
  if (typed.trim() === "") return undefined
  const read = parsePlace(typed)
  if (read.ok) {
    const repaired = typed.match(/\d+/g)?.at(-1) !== read.value.postcode ? ", with its lost zero" : ""
    return postcodeDoubt(read.value.state, read.value.postcode) ?? `${formatPlace(read.value)}${repaired}`
  }
  const digits = /\b\d{3,4}$/.exec(typed.trim())?.[0]
  const postcode = digits === undefined ? undefined : repairPostcode(digits)
  const states = postcode === undefined ? [] : statesOfPostcode(postcode)
  return states.length > 0 ? `${postcode} is in ${states.join(" or ")}: name the state too` : undefined
}

async function offerToSave(
  draft: Draft,
  party: Party,
  conversation: Conversation,
  world: World,
): Promise<Draft | Back> {
  const address = getParty(draft, party)
  if (!address || world.addresses().some((saved) => addressLine(saved.address) === addressLine(address)))
    return draft
  const wanted = await conversation.confirm("Save this address for next time?", !world.sandbox)
  if (wanted === BACK) return BACK
  if (!wanted) return draft
  const taken = new Set(world.addresses().map(({ name }) => name))
  for (;;) {
    const name = await conversation.text("Under which name?", {
      initial: suggestName(address.companyName, "address"),
      check: (typed) =>
        taken.has(typed) ? refused(`"${typed}" is the name of another address`) : parsed(typed),
    })
    if (name === BACK) return BACK
    try {
      await world.saveAddress(name, address)
      await conversation.say(`Saved as ${name}.`)
      return draft
    } catch (error) {
      // The booking goes on: a name can be fixed, and what cannot be saved is not needed here.
      if (!(error instanceof FreightError)) throw error
      await conversation.warn(`Not saved: ${error.message}.`)
      if (error.kind !== "usage") return draft
    }
  }
}
