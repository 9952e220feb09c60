/** Suggestions from earlier bookings: a booking to start from, receivers by use, and the last answers. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../../src/base/json.ts"
import { start } from "../../../src/orders/wizard/begin.ts"
import { goods } from "../../../src/orders/wizard/steps/goods.ts"
import { receiver } from "../../../src/orders/wizard/steps/party.ts"
import { rates } from "../../../src/orders/wizard/steps/rates.ts"
import { times } from "../../../src/orders/wizard/steps/times.ts"
import { type Draft, readDraft } from "../../../src/orders/wizard/draft.ts"
import type { EarlierBooking } from "../../../src/orders/wizard/context.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { DARWIN, draftOf, PORT, shippable, testContext } from "./bench.ts"
import { ENTER, type Line, scripted } from "./scripted.ts"

const made = (changes: JsonObject, connectorId = "connector-b", serviceCode = "GEN"): EarlierBooking => {
  const { collectionDateTime: _, ...request } = shippable(changes).request
  return { request: { ...request, serviceCode }, own: {}, connectorId }
}
const TO_PORT = made({ collectionCloseTime: "1530", packagingCode: "PA" })
const TO_DARWIN = made({ receiver: { ...DARWIN } }, "connector-c", "STD")
const saved = [
  { name: "bobs-bikes", address: PORT },
  { name: "darwin", address: DARWIN },
]

describe("a booking begins", () => {
  const context = testContext({ saved, earlier: [TO_PORT, TO_DARWIN, TO_DARWIN] })
  const begin = async (lines: Line[], given: JsonObject = {}, from = draftOf(given)) => {
    const talk = scripted(lines)
    const said = { given: { request: given, own: undefined }, ...from }
    const draft = await start.ask(said, { ...context, conversation: talk })
    return { talk, draft: draft === BACK ? draftOf() : draft }
  }

  it("as the last one, which is first, and keeps no time and no service of it", async () => {
    const { talk, draft } = await begin([["What do you want to book?", ENTER]])
    expect(talk.asked[0]?.choices).toEqual([
      "As last time for bobs-bikes: 2 pallets, Fremantle WA 6160",
      "As last time for darwin: 2 cartons, Darwin NT 0800",
      "Something else",
    ])
    const { request } = draft
    expect(request).toMatchObject({ receiver: PORT, packagingCode: "PA", collectionCloseTime: "1530" })
    expect(request).not.toHaveProperty("collectionDateTime")
    expect(request).not.toHaveProperty("serviceCode")
  })

  it("as the last one with its goods below the list, where a line has no room for them", async () => {
    const talk = scripted([["What do you want to book?", ENTER]], { columns: 60 })
    const long = made({ receiver: { ...PORT, companyName: "Fremantle Fittings" } })
    await start.ask(draftOf(), { ...context, earlier: [long], conversation: talk })
    expect(talk.asked[0]?.choices[0]).toBe("As last time for Fremantle Fittings, Fremantle WA 6160")
  })

  it("as the last one, except for what the command line gave", async () => {
    const { draft } = await begin([["What do you want to book?", ENTER]], { sender: { ...DARWIN } })
    expect(draft.request).toMatchObject({ sender: DARWIN, receiver: PORT })
    expect(draft.request).not.toHaveProperty("collection")
  })

  it("as another one when the person steps back and picks it, and with what was given alone when they pick none", async () => {
    const { draft } = await begin([["What do you want to book?", "bobs-bikes"]])
    const other = await begin([["What do you want to book?", "darwin"]], {}, draft)
    expect(other.draft.request.receiver).toEqual(DARWIN)
    const none = await begin([["What do you want to book?", "Something else"]], {}, other.draft)
    expect(none.draft.request).toEqual({})
    const answered = { ...none.draft, request: { sender: { ...PORT } } }
    const again = await begin([["What do you want to book?", ENTER]], {}, answered)
    expect(again.draft.request).toEqual({ sender: PORT })
  })

  it("without anything of the one that the person steps back from, except what the command line gave", async () => {
    const own = { costCentre: "Sales", "receiver.residential": true, maxPrice: 10 }
    const earlier = [{ ...TO_PORT, own }, TO_DARWIN]
    const said = { request: { customerReference: "PO-9" }, own: { dropOff: true }, wish: { avoid: ["GEN"] } }
    const from = { ...draftOf(said.request), ...said, given: said }
    const ask = (draft: Draft, answer: Line[1]) =>
      start.ask(draft, {
        ...context,
        earlier,
        conversation: scripted([["What do you want to book?", answer]]),
      }) as Promise<Draft>
    const first = await ask(from, "bobs-bikes")
    expect(first).toMatchObject({
      ...{ own: { ...own, dropOff: true }, wish: { avoid: ["GEN"], maxPriceCents: 1000 } },
      request: { customerReference: "PO-9", receiver: PORT },
    })
    const kept = readDraft(JSON.parse(JSON.stringify(first))) as Draft
    const second = await ask(kept, "darwin")
    expect([second.own, second.wish]).toEqual([said.own, said.wish])
    expect(second.request).toMatchObject({ customerReference: "PO-9", receiver: DARWIN })
    const none = await ask(second, "Something else")
    expect([none.request, none.own, none.wish]).toEqual([said.request, said.own, said.wish])
  })

  it("without the last one's place of collection, which may be a home, where the sender is another", async () => {
    const earlier = [{ ...TO_PORT, own: { "collection.residential": true } }]
    const from = { ...draftOf(), given: { request: { sender: { ...DARWIN } }, own: undefined } }
    const conversation = scripted([["What do you want to book?", ENTER]])
    const draft = (await start.ask(from, { ...context, earlier, conversation })) as Draft
    expect(draft.own).toEqual({})
    expect(draft.request).not.toHaveProperty("collection")
  })

  it("without that question where goods or receiver are known, or nothing was booked before", () => {
    for (const known of [draftOf({ receiver: { ...PORT } }), draftOf({ packages: [] })])
      expect(start.isOpen(known, context)).toBe(false)
    expect(start.isOpen(draftOf(), context)).toBe(true)
    expect(start.isOpen(draftOf(), testContext())).toBe(false)
  })
})

describe("last time's answer", () => {
  it("lists receivers by use, those of earlier bookings too", async () => {
    const context = testContext({ saved: saved.slice(0, 1), earlier: [TO_PORT, TO_DARWIN, TO_DARWIN] })
    const talk = scripted([["Who receives it?", ENTER]])
    await receiver.ask(draftOf(), { ...context, conversation: talk })
    expect(talk.asked[0]?.choices.slice(0, 2)).toEqual([
      "Top End Lamps · Darwin NT 0800",
      "bobs-bikes: Port Street Fittings · Fremantle WA 6160",
    ])
  })

  it("is marked for packing, closing and service, of the same receiver", async () => {
    const context = testContext({ earlier: [TO_DARWIN, TO_PORT] })
    const withTalk = (lines: Line[]) => ({ ...context, conversation: scripted(lines) })
    const { packagingCode: _, collectionCloseTime: __, ...request } = shippable().request
    const packed = await goods.ask(
      draftOf(request),
      withTalk([
        ["Packed in", ENTER],
        ["Are there dangerous goods", ENTER],
      ]),
    )
    expect(packed).toMatchObject({ request: { packagingCode: "PA" } })
    const timed = await times.ask(
      draftOf(request),
      withTalk([
        ["When is it ready", ENTER],
        ["When do the premises close?", ENTER],
      ]),
    )
    expect(timed).toMatchObject({ request: { collectionCloseTime: "1530" } })
    const talk = scripted([["Which service", ENTER]])
    const chosen = await rates.ask(shippable(), { ...context, conversation: talk })
    expect(chosen).toMatchObject({ rate: { connectorId: "connector-b", rate: { serviceCode: "GEN" } } })
    expect(talk.asked[0]?.choices.filter((name) => name.includes("last time"))).toHaveLength(1)
  })

  it("for another receiver says nothing of how these goods are packed", async () => {
    const { packagingCode: _, ...request } = shippable({ receiver: { ...DARWIN } }).request
    const conversation = scripted([
      ["Packed in", ENTER],
      ["Are there dangerous goods", ENTER],
    ])
    const packed = await goods.ask(draftOf(request), { ...testContext({ earlier: [TO_PORT] }), conversation })
    expect(packed).toMatchObject({ request: { packagingCode: "CT" } })
  })
})
