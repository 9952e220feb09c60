/**
 * Random walks through all questions of the conversation: Esc goes to the question before, always.
 * `FREIGHT_TEST_WALKS` is their number.
 */
import { describe, expect, it } from "vitest"
import { BACK, type Conversation } from "../../../src/output/terminal/conversation/conversation.ts"
import { walk } from "../../../src/orders/wizard/walk.ts"
import { numbersFrom } from "../../acceptance/numbers.ts"
import type { Draft } from "../../../src/orders/wizard/draft.ts"
import { createPlaces } from "../../../src/machine/places/judge.ts"
import { loadPlaceList } from "../../../src/machine/places/load.ts"
import { DARWIN, draftOf, HARBOUR, NOW, PORT, rateOf, RESULTS, shippable, testContext } from "./bench.ts"
import { scripted } from "./scripted.ts"
import { SAVED } from "./walking.ts"
import { FreightError } from "../../../src/base/errors.ts"
import type { Deps } from "../../../src/session/index.ts"
import { askForKeys, type Tries } from "../../../src/machine/config/given-keys.ts"
import { askParts, placeStep } from "../../../src/orders/wizard/ask-parts.ts"
import { enterAddress } from "../../../src/orders/wizard/enter-address.ts"
import { packages } from "../../../src/orders/wizard/steps/goods.ts"
import { collection, receiver } from "../../../src/orders/wizard/steps/party.ts"
import { residential } from "../../../src/orders/wizard/steps/rates.ts"
import { pickupTimes } from "../../../src/orders/wizard/steps/times.ts"

const WALKS = Number(process.env.FREIGHT_TEST_WALKS ?? 60)
const MAX_QUESTIONS = 120

const LINES = [
  "Lamps, 8 Market Street, Fremantle WA 6160",
  "Bright Sparks, Sam Lee, PO Box 8, Fremantlee WA 6160",
  "Lamps, 8 Market Street, Geelong TAS 7000",
]
/** Answers that a person may type, by words of the question, besides the default. */
const TYPED: readonly [question: RegExp, answers: readonly string[]][] = [
  [/^Company/, ["Acme", ...LINES]],
  [/^Street/, ["8 Market Street", "PO Box 8", ...LINES]],
  [/^Suburb/, ["Fremantle WA 6160", "Alexandria NSW 2015", "Geelong TAS 7000", "St Kil"]],
  [/^Packages/, ["2x40x30x20@5.5", "1x40x30x20@5, 1x120x100x100@250", "1x120x100x100@1", "?"]],
  [/^(?:Length|Width|Height)/, ["100", "2"]],
  [/^Weight of one/, ["5"]],
  [/^UN number/, ["1263"]],
  [/^How many/, ["2"]],
  [/^How much/, ["20"]],
  [/^Subsidiary/, ["", "6.1"]],
  [/name/i, ["Paint", "Lee Watson"]],
  [/^Emergency contact/, ["Lee Watson"]],
  [/phone/i, ["02 5550 1234"]],
  [/^Kind of package/, ["drum"]],
  [/^Class/, ["3", "9"]],
  [/^Day and time/, ["mon 23/11 10:00", "tue 24/11 3pm"]],
  [/close\?$/, ["17:00", "15:30"]],
  [/^Account/, ["800"]],
  [/^Address of/, ["https://freight.example/v1", ""]],
  [/^Its key/, [`key_${"ab".repeat(32)}`, ""]],
  [/e-?mail/i, ["dock@port.example"]],
]
const ANY = ["1", "25 Nov 2026", "25 Nov 2026 9:30am", "9am", "Paint"]
/** Questions that belong to the one before: a check of its answer, or another way to answer. */
const PART =
  /: right\?$|would refuse these times|usually have a packing group|^"PO Box|not a known place|^Which place|^Who is the contact|^Is that right|Is that right\?$|^Ask the carriers again|^Change what/
/** Lists that are come back to after each of their answers. */
const LISTS = ["Anything more", "Packages", "When is it ready"]
const SAVE = "Save this address for next time?"
/** A saved address has nothing more to ask. */
const UNDER = "Under which name?"
/** Answers that end a conversation, and answers in the review that would make a walk too long. */
const NOT_CHOSEN =
  /^(?:Book it|Leave|(?:Sender|Collection|Receiver|Packages|Goods|Times|Residential|Service):)/

/** Answers at random; every question must be the one before where Esc was pressed. */
function wander(seed: number) {
  const draw = numbersFrom(seed)
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(draw() * list.length)]
    if (found === undefined) throw new Error("nothing to choose")
    return found
  }
  /** The questions that were answered, the last one last; and those that belong to the last of them. */
  const answered: string[] = []
  const parts: string[] = []
  const told: string[] = []
  let expected: string | undefined
  let isListChanged = false
  const isPart = (question: string) =>
    PART.test(question) || (question === "Day and time" && answered.at(-1)?.startsWith("When is it ready"))
  const isList = (question: string) => LISTS.some((each) => question.startsWith(each))
  const reach = (asked: string) => {
    const question = asked.replace(/ for carrier .| \(Enter skips it\)| on \S+ \S+ \S+\?.*$/, "")
    if (/^(?:Book it|Which service)/.test(question)) isListChanged = false
    if (expected === undefined && !isPart(question)) {
      parts.length = 0
      // A list that is sorted anew, or an address that is typed again, is asked about once more.
      if (answered.at(-1) === question) answered.pop()
      const before = answered.lastIndexOf(question)
      if (isList(question) && before > answered.lastIndexOf("Book it?")) {
        answered.splice(before)
        isListChanged = true
      }
    }
    // A name that cannot be had is asked for again.
    if (question === UNDER && told.at(-1) === UNDER) answered.push(SAVE)
    told.push(question)
    // Who pays was changed since, and is asked for an account now.
    if (question === "Account to bill" && expected?.startsWith("Who pays")) {
      answered.push(expected)
      expected = question
    }
    if (expected !== undefined && question !== expected)
      throw new Error(`Esc went to "${question}", not to "${expected}": ${told.slice(-12).join(" > ")}`)
    expected = undefined
    if (told.length > MAX_QUESTIONS) throw new Error("the walk is over")
    // Changes to the list stay, so Esc means the same as being done with it.
    if (draw() < 0.3 && answered.length > 0 && !(isListChanged && question.startsWith("Anything"))) {
      expected = parts.pop() ?? answered.pop()
      told.push("Esc")
      return BACK
    }
    if (question === UNDER) {
      if (answered.at(-1) === SAVE) answered.pop()
    } else if (isPart(question)) parts.push(question)
    else answered.push(question)
    return undefined
  }
  let addresses = 0
  /** No two are the same: what is saved for one party would be saved for another. */
  const another = (text: string) => text.replace(/(Box |, |^)8\b/, (_, before) => `${before}${++addresses}`)
  const base = scripted([])
  const conversation: Conversation = {
    ...base,
    async text(question, { initial = "", check } = {}) {
      if (reach(question) === BACK) return BACK
      const typed = TYPED.find(([words]) => words.test(question))?.[1] ?? []
      const good = [...typed.map(another), initial, "", ...(typed.length > 0 ? [] : ANY)].filter(
        (text) => check?.(text).ok !== false,
      )
      if (good.length === 0) throw new Error(`no answer is known for: ${question}`)
      return pick(good)
    },
    async confirm(question) {
      if (reach(question) === BACK) return BACK
      // A doubt that is not dispelled asks once more.
      return /usually have|Is that right|^Ask the|takes the place/.test(question) ? true : draw() < 0.5
    },
    async choose(question, choices) {
      if (reach(question) === BACK) return BACK
      return pick(choices.filter(({ name, disabled }) => !disabled && !NOT_CHOSEN.test(name))).value
    },
    async pick(question, find) {
      if (reach(question) === BACK) return BACK
      const typed = another(pick(["", "", ...LINES, "Acme"]))
      return pick(find(typed).filter(({ name, disabled }) => !disabled && !NOT_CHOSEN.test(name))).value
    },
  }
  return { conversation, told }
}

const PACKAGES = [
  { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 },
  { count: 1, lengthCm: 120, widthCm: 100, heightCm: 100, weightKg: 250 },
]
const { collectionDateTime: _, ...booked } = shippable().request
const EARLIER = [PORT, DARWIN].map((receiver) => ({
  request: { ...booked, receiver: { ...receiver } },
  own: { costCentre: "Sales" },
  connectorId: "connector-b",
}))
/** No carrier has a rate at first. */
const failsFirst = (time: number) => (time === 1 ? [] : RESULTS)
const BEGINNINGS: readonly (readonly [
  name: string,
  start: Draft,
  options: NonNullable<Parameters<typeof testContext>[0]>,
])[] = [
  ["of a new booking", draftOf(), { saved: SAVED }],
  [
    "of a return",
    draftOf(
      { sender: { ...PORT }, receiver: { ...HARBOUR }, packages: PACKAGES },
      { own: { returnOf: "SO-1" }, returned: PACKAGES },
    ),
    { saved: SAVED },
  ],
  ["after earlier bookings", draftOf(), { saved: SAVED, earlier: EARLIER }],
  [
    "to a home that is saved as one",
    draftOf(),
    { saved: SAVED.map((each) => (each.name === "port" ? { ...each, own: { residential: true } } : each)) },
  ],
  ["of dangerous goods", draftOf({ packagingCode: "CT", dangerousGoods: true }), { saved: SAVED }],
  ["where no rate comes at first", draftOf({ packages: PACKAGES }), { saved: SAVED, results: failsFirst }],
  [
    "from the review",
    { ...shippable(), rate: rateOf("CARRIER_A_AU"), isReferenceAsked: true },
    { saved: SAVED },
  ],
]

const places = createPlaces(await loadPlaceList())
/** Every question that some walk came to. */
const asked = new Set<string>()
/** Words of a question of each kind. */
const KINDS = [
  ...[
    "What do you want",
    "Who sends",
    "Who receives",
    "Company",
    "Suburb",
    "Which place",
    "not a known place",
  ],
  ...["is a PO box", "Who is the contact?", ": right?", "Save this address", "Under which name", "Packages"],
  ...[
    "Length of one",
    "Is that right?",
    "Packed in",
    "dangerous goods in it",
    "UN number",
    "Subsidiary risk",
  ],
  ...["usually have a packing group", "When is it ready", "premises close", "would refuse", "a home?"],
  ...[
    "Which service",
    "Ask the carriers again",
    "Email at the place",
    "reference",
    "Cost centre",
    "Book it?",
  ],
  ...["Change what", "Who pays", "Account to bill", "Anything more", "takes the place of"],
]

describe.each(BEGINNINGS)("Esc %s", (_name, start, options) => {
  it.each(
    Array.from({ length: WALKS }, (_, at) => at + 1),
  )("goes one question back, walk %i", async (seed) => {
    const { conversation, told } = wander(seed)
    const context = { ...testContext(options), conversation, places: async () => places }
    await expect(walk(structuredClone(start), context)).rejects.toThrow(/the walk is over|nothing to choose/)
    expect(told.length).toBeGreaterThan(3)
    for (const question of told) asked.add(question)
  })
})

it("meets every kind of question of a booking", () => {
  const met = [...asked]
  for (const kind of KINDS) expect(met.filter((question) => question.includes(kind))).not.toEqual([])
})

/** The dependencies of a conversation outside a booking, at a desk where nothing was booked or saved. */
const deskOf = (conversation: Conversation) => {
  let saved: object = { addresses: {}, packages: {}, profiles: {} }
  return {
    converse: async () => conversation,
    globals: { sandbox: true },
    interactive: true,
    clock: { now: () => NOW },
    config: {
      read: () => saved,
      async update(change: (before: object) => object) {
        saved = change(saved)
      },
    },
    env: {},
    settings: { resolve: () => ({}), value: () => undefined },
    places: async () => places,
    readLedger: async () => ({ store: { history: async () => [] } }),
    note: async () => {},
    warn: async () => {},
  } as unknown as Deps
}
/** The first address that is tried is none, and the first key is wrong. */
const failFirst = (): Tries => {
  const error = (kind: "notFound" | "unauthenticated") => new FreightError(kind, "no")
  let [addresses, keys] = [0, 0]
  return {
    address: async () => (addresses++ < 3 ? error("notFound") : undefined),
    async key() {
      if (keys++ === 0) throw error("unauthenticated")
    },
  }
}

describe("Esc in a conversation of its own", () => {
  it.each(
    Array.from({ length: WALKS }, (_, at) => at + 1),
  )("goes one question back, walk %i", async (seed) => {
    const conversations: Record<string, (conversation: Conversation) => Promise<unknown>> = {
      "the address book": (conversation) =>
        enterAddress(conversation, { taken: [], suggested: "warehouse", places: async () => places }),
      "signing in": (conversation) => askForKeys(deskOf(conversation), "default", {}, failFirst()),
      "a pickup": (conversation) =>
        askParts(deskOf(conversation), {}, [collection, receiver, packages, pickupTimes]),
      "a price": (conversation) =>
        askParts(deskOf(conversation), {}, [
          placeStep("collection", "Suburb where it is collected?"),
          placeStep("receiver", "Suburb where it goes?"),
          packages,
          residential,
        ]),
    }
    for (const [name, hold] of Object.entries(conversations)) {
      const { conversation, told } = wander(seed)
      await hold(conversation).catch((error: Error) => {
        if (!/the walk is over|nothing to choose/.test(error.message)) throw error
      })
      expect(told.length, name).toBeGreaterThan(0)
    }
  })
})
