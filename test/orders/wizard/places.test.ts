/** Places that are begun, or do not exist, in a question. */
import { expect, it } from "vitest"
import { createPlaces } from "../../../src/machine/places/judge.ts"
import { loadPlaceList } from "../../../src/machine/places/load.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { askInOrder } from "../../../src/orders/wizard/step.ts"
import { placeQuestion, placeWhileTyping, receiver } from "../../../src/orders/wizard/steps/party.ts"
import { draftOf, testContext } from "./bench.ts"
import { ENTER, LEAVE, type Line, scripted } from "./scripted.ts"

const places = createPlaces(await loadPlaceList())
const WORDS = "Suburb, state and postcode"

it.each<[string, Line[], string[]]>([
  ["begun is completed", [[WORDS, "Frem"]], ["Fremantle", "WA", "6160"]],
  [
    "with several endings is chosen, the largest first",
    [
      [WORDS, "St Kil"],
      ["Which place is it?", "St Kilda East VIC 3183"],
    ],
    ["St Kilda East", "VIC", "3183"],
  ],
  [
    "of a postcode alone is one of its suburbs",
    [
      [WORDS, "3182"],
      ["Which place is it?", "St Kilda West VIC 3182"],
    ],
    ["St Kilda West", "VIC", "3182"],
  ],
  [
    "is typed again where none fits",
    [
      [WORDS, "St Kil"],
      ["Which place is it?", "Type it again"],
      [WORDS, "Fremantle WA 6160"],
    ],
    ["Fremantle", "WA", "6160"],
  ],
  [
    "misspelt is the one that is meant",
    [
      [WORDS, "Fremantlee WA 6160"],
      ["Fremantlee WA 6160 is not a known place", "Fremantle WA 6160"],
    ],
    ["Fremantle", "WA", "6160"],
  ],
  [
    "misspelt stays as it is where that is meant",
    [
      [WORDS, "Fremantlee WA 6160"],
      ["Fremantlee WA 6160 is not a known place", "Keep Fremantlee WA 6160"],
    ],
    ["Fremantlee", "WA", "6160"],
  ],
])("a place that is %s", async (_, lines, [suburb, state, postcode]) => {
  const context = { ...testContext(), conversation: scripted(lines), places: async () => places }
  const answer = await askInOrder(draftOf(), "receiver", context, [placeQuestion("receiver", context)])
  expect(answer === BACK ? undefined : answer.request.receiver).toEqual({ suburb, state, postcode })
})

const LINE = "Bright Sparks, Sam Lee, PO Box 8, Fremantlee WA 6160"
const ENTERED: [string, Line[], again: Line][] = [
  [
    "at once",
    [["Who receives it?", { type: LINE, take: "Enter Bright" }]],
    ["Who receives it?", { type: LINE, take: "Enter Bright" }],
  ],
  [
    "in a field",
    [
      ["Who receives it?", "Enter an address"],
      ["Company", LINE],
    ],
    ["Company", LINE],
  ],
]
const BOX = '"PO Box 8" is a PO box'
const NEAR = "Fremantlee WA 6160 is not a known place"
const CONTACT = "Who is the contact?"

it.each(
  ENTERED,
)("an address that is pasted %s is asked about one thing at a time, and back the same way", async (_, lines, again) => {
  const talk = scripted([
    ...lines,
    [BOX, "Type the street address"],
    again,
    [BOX, "Keep it"],
    [NEAR, "Fremantle WA 6160"],
    [CONTACT, "Bright Sparks, at Sam Lee"],
    ["contact Bright Sparks, PO Box 8, Fremantle WA 6160: right?", BACK],
    [CONTACT, BACK],
    [NEAR, BACK],
    [BOX, BACK],
    again,
    [BOX, "Keep it"],
    [NEAR, "Keep Fremantlee WA 6160"],
    [CONTACT, ENTER],
    ["Bright Sparks, contact Sam Lee, PO Box 8, Fremantlee WA 6160: right?", true],
    ["Save this address", false],
  ])
  const context = { ...testContext(), conversation: talk, places: async () => places }
  const answer = await receiver.ask(draftOf(), context)
  expect(talk.left).toEqual([])
  expect(answer === BACK ? {} : answer.request.receiver).toMatchObject({
    ...{ companyName: "Bright Sparks", contactName: "Sam Lee", suburb: "Fremantlee" },
  })
})

it.each([
  "Geelong TAS 7000",
  "Corrimal East NSW 2518",
])("an unknown place, %s, is asked about once", async (place) => {
  const talk = scripted([
    ["Who receives it?", { type: `Lamps, 8 Market Street, ${place}`, take: "Enter Lamps" }],
    [`${place} is not a known place. Which one is meant?`, LEAVE],
  ])
  const context = { ...testContext(), conversation: talk, places: async () => places }
  await expect(receiver.ask(draftOf(), context)).rejects.toThrow("interrupted")
  expect(talk.said).toEqual([])
})

it.each([
  ["Frem", "Fremantle WA 6160"],
  ["St Kil", "St Kilda VIC 3182, St Kilda East VIC 3183, St Kilda West VIC 3182"],
  ["Fr", undefined],
])("%s shows while it is typed: %s", (typed, shown) => expect(placeWhileTyping(typed, places)).toBe(shown))
