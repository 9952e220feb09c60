import { describe, expect, it } from "vitest"
import { getParty, type Party } from "../../../src/orders/wizard/draft.ts"
import { collection, placeWhileTyping, receiver, sender } from "../../../src/orders/wizard/steps/party.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { DARWIN, draftOf, HARBOUR, PORT, testContext } from "./bench.ts"
import { ENTER, LEAVE, type Line, scripted } from "./scripted.ts"

const ENTERED: Line[] = [
  ["Who receives it?", "Enter an address"],
  ["Company", "Top End Lamps"],
  ["Street and number", "1 Smith Street"],
  ["Unit, level or dock", ""],
  ["Suburb, state and postcode", "Darwin NT 800"],
  ["Contact person", ""],
  ["Phone", ""],
  ["Email", ""],
]
const SAVED = [
  { name: "perth", address: PORT },
  { name: "darwin", address: DARWIN },
]

/** Asks for a receiver; gives the party that came of it, or that the person stepped back. */
async function ask(
  lines: Line[],
  { draft = draftOf(), context = testContext(), step = receiver, end = "receiver" as Party } = {},
) {
  const talk = scripted(lines)
  const answer = await step.ask(draft, { ...context, conversation: talk })
  return { talk, party: answer === BACK ? BACK : getParty(answer, end) }
}

describe("a party", () => {
  it("is found among the saved addresses by typing part of its name or place", async () => {
    const { party } = await ask([["Who receives it?", { type: "frem", take: "perth" }]], {
      context: testContext({ saved: SAVED }),
    })
    expect(party).toEqual(PORT)
  })

  it("leaves out saved addresses that do not match what is typed", async () => {
    const talk = scripted([["Who receives it?", { type: "frem", take: "darwin" }]])
    await expect(
      receiver.ask(draftOf(), { ...testContext({ saved: SAVED }), conversation: talk }),
    ).rejects.toThrow("is none of")
  })

  it("is entered field by field, and gets the lost zero of its postcode back", async () => {
    const { talk, party } = await ask([...ENTERED, ["Save this address", false]])
    expect(party).toEqual(DARWIN)
    expect(talk.said).toContain("The postcode 800 is taken as 0800.")
  })

  it.each([
    ["the company", []],
    ["the street", [["Company", "Top End Lamps"]]],
  ] as [
    string,
    Line[],
  ][])("takes a whole address where %s is asked, shows it, and asks for nothing that it has", async (_, before) => {
    const whole = "Top End Lamps, 1 Smith Street, Darwin NT 0800"
    const asked = before.length === 0 ? "Company" : "Street and number"
    const { party } = await ask([
      ["Who receives it?", "Enter an address"],
      ...before,
      [asked, whole],
      [`${whole}: right?`, BACK],
      [asked, whole],
      [`${whole}: right?`, ENTER],
      ["Save this address", BACK],
      [asked, whole],
      [`${whole}: right?`, ENTER],
      ["Save this address", false],
    ])
    expect(party).toEqual(DARWIN)
  })

  it("takes a whole address where one is chosen, and asks for all of it where it is not right", async () => {
    const whole = "Top End Lamps, 1 Smith Street, Darwin NT 0800"
    const typed: Line = ["Who receives it?", { type: whole, take: "Enter Top End Lamps" }]
    const right = await ask([typed, [`${whole}: right?`, ENTER], ["Save this address", false]])
    expect(right.party).toEqual(DARWIN)
    const wrong = await ask([
      typed,
      [`${whole}: right?`, false],
      ["Company", "Lamps"],
      ["Street and number", ENTER],
      ["Unit, level or dock", ""],
      ["Suburb, state and postcode", ENTER],
      ...ENTERED.slice(5),
      ["Save this address", false],
    ])
    expect(wrong.party).toEqual({ ...DARWIN, companyName: "Lamps" })
  })

  it("keeps what was typed to find it as the company that is entered", async () => {
    const { party } = await ask([
      ["Who receives it?", { type: "Top End Lamps", take: "Enter an address" }],
      ["Company", ENTER],
      ...ENTERED.slice(2),
      ["Save this address", false],
    ])
    expect(party).toEqual(DARWIN)
  })

  it("whose place is known is offered from there, and entered with that place", async () => {
    const draft = draftOf({ receiver: { suburb: "Darwin", state: "NT", postcode: "0800" } })
    const talk = scripted([["Who receives it, in Darwin NT 0800?", "darwin"]])
    await receiver.ask(draft, { ...testContext({ saved: SAVED }), conversation: talk })
    expect(talk.asked[0]?.choices).toEqual([
      expect.stringMatching(/^darwin/),
      "Enter an address in Darwin NT 0800",
    ])
    const { party } = await ask(
      [
        ["Who receives it, in Darwin NT 0800?", "Enter an address"],
        ...ENTERED.slice(1, 4),
        ["Suburb, state and postcode", ENTER],
        ...ENTERED.slice(5),
        ["Save this address", false],
      ],
      { draft, context: testContext({ saved: SAVED }) },
    )
    expect(party).toEqual(DARWIN)
  })

  it("is saved under a name that is offered", async () => {
    const context = testContext()
    const talk = scripted([...ENTERED, ["Save this address", ENTER], ["Under which name", ENTER]])
    await receiver.ask(draftOf(), { ...context, conversation: talk })
    expect(context.addresses()).toEqual([{ name: "top-end-lamps", address: DARWIN }])
  })

  it("asks for another name when the first is taken or cannot be one", async () => {
    const context = testContext({ saved: [{ name: "top-end-lamps", address: PORT }] })
    const talk = scripted([
      ...ENTERED,
      ["Save this address", true],
      ["Under which name", "top-end-lamps"],
      ["Under which name", "a/b"],
      ["Under which name", "lamps"],
    ])
    await receiver.ask(draftOf(), { ...context, conversation: talk })
    expect(context.addresses().map(({ name }) => name)).toEqual(["top-end-lamps", "lamps"])
    expect(talk.refusals[0]).toContain("name of another")
  })

  it("whose postcode is another state's is refused, and asked again", async () => {
    const { talk, party } = await ask([
      ...ENTERED.slice(0, 4),
      ["Suburb, state and postcode", "Fremantle WA 2015"],
      ["Suburb, state and postcode", "Fremantle WA 6160"],
      ...ENTERED.slice(5),
      ["Save this address", false],
    ])
    expect(talk.refusals).toEqual(["2015 belongs to NSW, not to WA"])
    expect(party).toMatchObject({ postcode: "6160" })
  })

  it("has its phone number split, and a wrong one or a wrong email refused where they are typed", async () => {
    const { talk, party } = await ask([
      ...ENTERED.slice(0, 6),
      ["Phone", "5550 1234"],
      ["Phone", "call me"],
      ["Phone", "(08) 5550 1234"],
      ["Email", "goods-in@lamps"],
      ["Email", "goods-in@lamps.example"],
      ["Save this address", false],
    ])
    expect(party).toEqual({
      ...DARWIN,
      phoneAreaCode: "08",
      phoneNumber: "55501234",
      email: "goods-in@lamps.example",
    })
    expect(talk.refusals).toEqual([
      '"5550 1234" has no area code: write it as 02 5550 1234',
      '"call me" is not a phone number: write it as 02 5550 1234 or 0412 345 678',
      '"goods-in@lamps" does not look like an email address',
    ])
  })

  it("entered in place of another begins empty", async () => {
    const { party } = await ask(
      [
        ["Who receives it?", "Enter another address"],
        ...ENTERED.slice(1, 4),
        ["Suburb, state and postcode", "Darwin NT 0800"],
        ["Contact person", ENTER],
        ["Phone", ENTER],
        ["Email", ENTER],
        ["Save this address", false],
      ],
      { draft: draftOf({ receiver: { ...PORT } }) },
    )
    expect(party).toEqual(DARWIN)
  })

  it("stays as it was when the person steps back from another", async () => {
    const { party } = await ask(
      [
        ["Who receives it?", "Enter another address"],
        ["Company", "Top End Lamps"],
        ["Street and number", BACK],
        ["Company", BACK],
        ["Who receives it?", "As it is"],
      ],
      { draft: draftOf({ receiver: { ...PORT } }) },
    )
    expect(party).toEqual(PORT)
  })

  it("is changed field by field, each with what it has", async () => {
    const { party } = await ask(
      [
        ["Who receives it?", "Change it"],
        ["Company", ENTER],
        ["Street and number", "9 Market Street"],
        ...["Unit", "Suburb", "Contact", "Phone", "Email"].map((each) => [each, ENTER] as const),
        ["Save this address", false],
      ],
      { draft: draftOf({ receiver: { ...PORT } }) },
    )
    expect(party).toEqual({
      ...PORT,
      address1: "9 Market Street",
    })
  })

  it("without a state says what is missing", async () => {
    const talk = scripted([
      ...ENTERED.slice(0, 4),
      ["Suburb, state and postcode", "Jervis Bay 2540"],
      ["Suburb, state and postcode", LEAVE],
    ])
    await expect(receiver.ask(draftOf(), { ...testContext(), conversation: talk })).rejects.toThrow(
      "interrupted",
    )
    expect(talk.refusals[0]).toContain("has no state")
  })

  it("goes back field by field, and out of the step at its first question", async () => {
    const talk = scripted([
      ["Who receives it?", "Enter an address"],
      ["Company", "Top End Lamps"],
      ["Street and number", BACK],
      ["Company", BACK],
      ["Who receives it?", BACK],
    ])
    expect(await receiver.ask(draftOf(), { ...testContext(), conversation: talk })).toBe(BACK)
  })

  it("that is half entered is gone on with at the question where it was left", async () => {
    const context = testContext()
    const talk = scripted([...ENTERED.slice(0, 3), ["Unit, level or dock", LEAVE]])
    await expect(receiver.ask(draftOf(), { ...context, conversation: talk })).rejects.toThrow("interrupted")
    const left = context.kept.at(-1) ?? draftOf()
    const { party } = await ask([...ENTERED.slice(3), ["Save this address", false]], { draft: left, context })
    expect(party).toEqual(DARWIN)
  })

  it("of the collection is the sender's by default", async () => {
    const { party } = await ask([["Where is it collected?", ENTER]], {
      draft: draftOf({ sender: { ...HARBOUR } }),
      step: collection,
      end: "collection",
    })
    expect(party).toEqual(HARBOUR)
  })

  it("of the sandbox is offered as a sample, so that nothing need be typed", async () => {
    const { party } = await ask([["Who sends it?", ENTER]], {
      context: testContext({ sandbox: true }),
      step: sender,
      end: "sender",
    })
    expect(party).toEqual(HARBOUR)
  })
})

it.each([
  ["fremantle wa 6160", "fremantle WA 6160"],
  ["Darwin NT 800", "Darwin NT 0800, with its lost zero"],
  ["Fremantle WA 2015", "2015 belongs to NSW, not to WA"],
  ["Fremantle 6160", "Fremantle WA 6160"],
  ["Jervis Bay 2540", "2540 is in NSW or ACT: name the state too"],
  ["Frem", undefined],
])("a place while it is typed: %s", (typed, shown) => {
  expect(placeWhileTyping(typed)).toBe(shown)
})
