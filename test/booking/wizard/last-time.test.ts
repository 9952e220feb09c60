/** What earlier bookings offer: a beginning, receivers by use, and what was answered last time. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../../src/contract/fields/json.ts"
import { offerEarlier } from "../../../src/booking/wizard/begin.ts"
import { goods } from "../../../src/booking/wizard/steps/goods.ts"
import { receiver } from "../../../src/booking/wizard/steps/party.ts"
import { rates } from "../../../src/booking/wizard/steps/rates.ts"
import { times } from "../../../src/booking/wizard/steps/times.ts"
import type { EarlierBooking } from "../../../src/booking/wizard/world.ts"
import { DARWIN, draftOf, PORT, shippable, testWorld } from "./bench.ts"
import { ENTER, scripted } from "./scripted.ts"

const made = (changes: JsonObject, connectorId = "connector-b", serviceCode = "GEN"): EarlierBooking => {
  const { collectionDateTime: _, ...request } = shippable(changes).request
  return { request: { ...request, serviceCode }, connectorId }
}
const TO_PORT = made({ collectionCloseTime: "1530", packagingCode: "PA" })
const TO_DARWIN = made({ receiver: { ...DARWIN } }, "connector-c", "STD")
const saved = [
  { name: "bobs-bikes", address: PORT },
  { name: "darwin", address: DARWIN },
]

describe("a booking begins", () => {
  const world = testWorld({ saved, earlier: [TO_PORT, TO_DARWIN, TO_DARWIN] })

  it("as the last one, which is first, and keeps no time and no service of it", async () => {
    const talk = scripted([["What do you want to book?", ENTER]])
    const { request } = await offerEarlier(draftOf(), talk, world)
    expect(talk.asked[0]?.choices).toEqual([
      "As last time for bobs-bikes: 2 pallets, Fremantle WA 6160",
      "As last time for darwin: 2 cartons, Darwin NT 0800",
      "Something else",
    ])
    expect(request).toMatchObject({ receiver: PORT, packagingCode: "PA", collectionCloseTime: "1530" })
    expect(request).not.toHaveProperty("collectionDateTime")
    expect(request).not.toHaveProperty("serviceCode")
  })

  it("with what was given over it", async () => {
    const talk = scripted([["What do you want to book?", ENTER]])
    const { request } = await offerEarlier(draftOf({ sender: { ...DARWIN } }), talk, world)
    expect(request).toMatchObject({ sender: DARWIN, receiver: PORT })
    expect(request).not.toHaveProperty("collection")
  })

  it("without that question where it is known what is sent, or nothing was booked", async () => {
    for (const start of [draftOf({ receiver: { ...PORT } }), draftOf({ packages: [] })])
      expect(await offerEarlier(start, scripted([]), world)).toBe(start)
    await offerEarlier(draftOf(), scripted([]), testWorld())
  })
})

describe("last time's answer", () => {
  it("lists receivers by use, those of earlier bookings too", async () => {
    const world = testWorld({ saved: saved.slice(0, 1), earlier: [TO_PORT, TO_DARWIN, TO_DARWIN] })
    const talk = scripted([["Who receives it?", ENTER]])
    await receiver.ask(draftOf(), talk, world)
    expect(talk.asked[0]?.choices.slice(0, 2)).toEqual([
      "Top End Lamps · Darwin NT 0800",
      "bobs-bikes: Port Street Fittings · Fremantle WA 6160",
    ])
  })

  it("is marked for packing, closing and service, of the same receiver", async () => {
    const world = testWorld({ earlier: [TO_DARWIN, TO_PORT] })
    const { packagingCode: _, collectionCloseTime: __, ...request } = shippable().request
    const packed = await goods.ask(
      draftOf(request),
      scripted([
        ["Packed in", ENTER],
        ["Are there dangerous goods", ENTER],
      ]),
      world,
    )
    expect(packed).toMatchObject({ request: { packagingCode: "PA" } })
    const timed = await times.ask(
      draftOf(request),
      scripted([
        ["When is it ready", ENTER],
        ["When do the premises close?", ENTER],
      ]),
      world,
    )
    expect(timed).toMatchObject({ request: { collectionCloseTime: "1530" } })
    const talk = scripted([["Which service", ENTER]])
    const chosen = await rates.ask(shippable(), talk, world)
    expect(chosen).toMatchObject({ offer: { connectorId: "connector-b", rate: { serviceCode: "GEN" } } })
    expect(talk.asked[0]?.choices.filter((name) => name.includes("last time"))).toHaveLength(1)
  })
})
