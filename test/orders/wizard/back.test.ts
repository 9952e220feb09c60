/**
 * Random walks through all questions of the conversation: Esc goes to the question before, always.
 * `FREIGHT_TEST_WALKS` is their number.
 */
import { describe, expect, it } from "vitest"
import { BACK, type Conversation } from "../../../src/output/terminal/conversation/conversation.ts"
import { walk } from "../../../src/orders/wizard/walk.ts"
import { numbersFrom } from "../../acceptance/numbers.ts"
import type { Draft } from "../../../src/orders/wizard/draft.ts"
import { DARWIN, draftOf, HARBOUR, PORT, shippable, testContext } from "./bench.ts"
import { scripted } from "./scripted.ts"
import { SAVED } from "./walking.ts"

const WALKS = Number(process.env.FREIGHT_TEST_WALKS ?? 60)
const MOST_QUESTIONS = 80

/** What a person may type, by a word of the question; Enter takes what stands there where there is none. */
const TYPED: readonly [question: RegExp, answers: readonly string[]][] = [
  [/^Company/, ["Acme", "Lamps, 8 Market Street, Fremantle WA 6160"]],
  [/^Street/, ["8 Market Street", "8 Market Street, Fremantle WA 6160"]],
  [/^Suburb/, ["Fremantle WA 6160", "Alexandria NSW 2015"]],
  [/^Packages/, ["2x40x30x20@5.5", "1x40x30x20@5, 1x120x100x100@250"]],
  [/^UN number/, ["1263"]],
  [/^How many/, ["2"]],
  [/^How much/, ["20"]],
  [/name/i, ["Paint", "Lee Watson"]],
  [/^Emergency contact/, ["Lee Watson"]],
  [/^Phone/, ["02 5550 1234"]],
  [/^Kind of package/, ["drum"]],
  [/^Class/, ["3", "9"]],
  [/^Day and time/, ["mon 23/11 10:00", "tue 24/11 3pm"]],
]
/** What belongs to the question before it: a check of its answer, or another way to answer. */
const PART = /: right\?$|^Day and time|usually have a packing group/
const SAVE = "Save this address for next time?"
/** Ways out of a conversation, and what sends it backwards by itself. */
const NOT_CHOSEN = /^(?:Change|Book it|Leave|As it is)/

function wander(seed: number) {
  const draw = numbersFrom(seed)
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(draw() * list.length)]
    if (found === undefined) throw new Error("nothing to choose")
    return found
  }
  /** The questions that were answered, the last one last. */
  const answered: string[] = []
  const told: string[] = []
  let expected: string | undefined
  const reach = (question: string) => {
    // A saved address has nothing more to ask.
    if (question === "Under which name?") answered.splice(answered.lastIndexOf(SAVE) + 1)
    told.push(question)
    // A list that is sorted anew is asked about once more.
    if (answered.at(-1) === question) answered.pop()
    if (expected !== undefined && question !== expected)
      throw new Error(`Esc went to "${question}", not to "${expected}": ${told.join(" > ")}`)
    expected = undefined
    if (told.length > MOST_QUESTIONS) throw new Error("the walk is over")
    if (draw() < 0.3 && answered.length > 0) {
      expected = answered.pop()
      told.push("Esc")
      return BACK
    }
    if (question === "Under which name?") answered.pop()
    else if (!PART.test(question)) answered.push(question)
    return undefined
  }
  const base = scripted([])
  const conversation: Conversation = {
    ...base,
    async text(question, { initial = "", check } = {}) {
      if (reach(question) === BACK) return BACK
      const typed = TYPED.find(([words]) => words.test(question))?.[1] ?? []
      const good = [...typed, initial, ""].filter((text) => check?.(text).ok !== false)
      if (good.length === 0) throw new Error(`no answer is known for: ${question}`)
      return pick(good)
    },
    async confirm(question) {
      if (reach(question) === BACK) return BACK
      // A doubt that is not dispelled asks once more.
      return /usually have|Is that right/.test(question) ? true : draw() < 0.5
    },
    async choose(question, choices) {
      if (reach(question) === BACK) return BACK
      return pick(choices.filter(({ name, disabled }) => !disabled && !NOT_CHOSEN.test(name))).value
    },
    async pick(question, find) {
      if (reach(question) === BACK) return BACK
      const typed = pick(["", "", "Lamps, 8 Market Street, Fremantle WA 6160", "Acme"])
      return pick(find(typed).filter(({ name, disabled }) => !disabled && !NOT_CHOSEN.test(name))).value
    },
  }
  return { conversation, told }
}

/** What a booking begins with: nothing, the return of an order, what was booked earlier, a home that is saved as one. */
const PACKAGES = [
  { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 },
  { count: 1, lengthCm: 120, widthCm: 100, heightCm: 100, weightKg: 250 },
]
const { collectionDateTime: _, ...booked } = shippable().request
const EARLIER = [PORT, DARWIN].map((receiver) => ({
  request: { ...booked, receiver: { ...receiver } },
  own: {},
  connectorId: "connector-b",
}))
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
]

describe.each(BEGINNINGS)("Esc %s", (_name, start, options) => {
  it.each(
    Array.from({ length: WALKS }, (_, at) => at + 1),
  )("goes one question back, walk %i", async (seed) => {
    const { conversation, told } = wander(seed)
    await expect(walk(structuredClone(start), { ...testContext(options), conversation })).rejects.toThrow(
      /the walk is over|nothing to choose/,
    )
    expect(told.length).toBeGreaterThan(3)
  })
})
