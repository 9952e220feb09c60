import { describe, expect, it } from "vitest"
import {
  describeContinued,
  describeDraft,
  formatAge,
  createDraft,
  resumeDraft,
  offerToResume,
} from "../../../src/orders/wizard/begin.ts"
import { ofCommand, type OrderDraft } from "../../../src/orders/booking/order.ts"
import { type Draft, readDraft, VERSION } from "../../../src/orders/wizard/draft.ts"
import type { JsonObject } from "../../../src/base/json.ts"
import type { KeptRate } from "../../../src/machine/memory/quotes.ts"
import { DARWIN, draftOf, HARBOUR, NOW, PORT, rateOf, shippable, testContext } from "./bench.ts"
import type { Allowances } from "../../../src/contract/collection-times.ts"
import { ENTER, type Line, scripted } from "./scripted.ts"

const ids = { uuid: () => "0f0e0d0c-0b0a-0908-0706-050403020100", random: () => 0 }
const given = (request: JsonObject = {}, rate?: KeptRate, allowed: Allowances = {}): OrderDraft => ({
  request,
  rate,
  ...{ own: undefined, key: undefined, wish: {} },
  source: ofCommand({ fields: {} }, allowed),
})
const keptOf = (draft: Draft, ago = 300_000) => ({ id: draft.id, savedAt: NOW - ago, value: draft })

async function offered(drafts: Draft[], lines: Line[], resume = false) {
  const talk = scripted(lines)
  const forgotten: string[] = []
  const forget = async (id: string) => void forgotten.push(id)
  const draft = await offerToResume(
    drafts.map((each) => keptOf(each)),
    resume,
    { ...testContext(), conversation: talk },
    forget,
  )
  return { draft, forgotten, talk }
}

describe("a new draft", () => {
  it("has a key of its own, which is made once", () => {
    expect(createDraft(given(), ids).key).toBe("wizard-0f0e0d0c-0b0a")
  })

  it("has the key that the person gave", () => {
    expect(createDraft({ ...given(), key: "PO-1" }, ids)).toMatchObject({
      key: "PO-1",
      isKeyGenerated: false,
    })
  })

  it("takes a service as a wish, for its rate is asked for", () => {
    const draft = createDraft(given({ serviceCode: "STD", quotedCurrency: "AUD" }), ids)
    expect(draft).toMatchObject({ request: {}, wish: { serviceCode: "STD" } })
  })

  it("takes the rate that was named", () => {
    const place = { suburb: "A", state: "NSW", postcode: "2000", residential: true }
    const request = { from: place, to: { ...place, residential: false }, packages: [], dangerousGoods: false }
    const kept = rateOf("CARRIER_A_AU", request)
    const draft = createDraft(given({ rateId: "rate-a", quoteId: "q" }, kept), ids)
    expect(draft).toMatchObject({
      rate: { rate: { rateId: "rate-a" } },
      own: { "collection.residential": true, "receiver.residential": false },
    })
    const { residential: _, ...known } = place
    expect(draft.request).toEqual({ sender: known, receiver: known })
  })

  it("begins with the places that its rate was quoted for, where the sender is elsewhere too", () => {
    const kept = rateOf("CARRIER_A_AU")
    const { residential: _, ...from } = kept.request.from
    const there = { ...HARBOUR, ...from }
    expect(createDraft(given({ sender: { ...there } }, kept), ids).request).not.toHaveProperty("collection")
    const elsewhere = createDraft(given({ sender: { ...DARWIN }, receiver: { ...PORT } }, kept), ids)
    expect(elsewhere.request).toMatchObject({ sender: DARWIN, collection: from, receiver: PORT })
  })
})

describe("what was not finished", () => {
  it("is offered with what is known of it, and can be gone on with", async () => {
    const { draft, talk } = await offered([shippable()], [["There is an unfinished booking", ENTER]])
    expect(draft?.id).toBe("draft-1")
    expect(talk.asked[0]?.question).toBe(
      "There is an unfinished booking: Harbour Lighting Pty Ltd → Port Street Fittings, 2 cartons, from 5 minutes ago. Continue?",
    )
  })

  it("can be kept for later", async () => {
    const { draft, forgotten } = await offered([shippable()], [["Continue?", "keep this for later"]])
    expect(draft).toBeUndefined()
    expect(forgotten).toEqual([])
  })

  it("can be thrown away", async () => {
    const { draft, forgotten } = await offered([shippable()], [["Continue?", "throw this away"]])
    expect(draft).toBeUndefined()
    expect(forgotten).toEqual(["draft-1"])
  })

  it("is gone on with at once when the person asked for it", async () => {
    const { draft } = await offered([shippable()], [], true)
    expect(draft?.id).toBe("draft-1")
  })

  it("is a choice when there are several", async () => {
    const other = { ...draftOf({ sender: { ...(shippable().request.sender as JsonObject) } }), id: "draft-2" }
    const { draft } = await offered([shippable(), other], [["Continue one?", "Lighting Pty Ltd → ?"]], true)
    expect(draft?.id).toBe("draft-2")
  })

  it("is an error when the person asked for it and there is none", async () => {
    await expect(offered([], [], true)).rejects.toMatchObject({ kind: "usage" })
  })

  it("is overlaid by what the command line gives, and keeps its key", () => {
    const draft = resumeDraft(shippable(), given({ packagingCode: "PA" }))
    expect(draft).toMatchObject({ key: "wizard-1", id: "draft-1", request: { packagingCode: "PA" } })
    expect(draft.request.receiver).toEqual(shippable().request.receiver)
  })
})

describe("a party that the command line gives to a draft that is continued", () => {
  const homes = { "collection.residential": true, "receiver.residential": true }
  const kept = { ...shippable({ payer: { type: "Receiver", accountNumber: "R-1" } }), own: homes }

  it("has its own place of collection, homes and account", () => {
    const receiver = resumeDraft(kept, given({ receiver: { ...DARWIN } }))
    expect(receiver.own).toEqual({ "collection.residential": true })
    expect(receiver.isHomeOpen).toBe(true)
    expect(receiver.request.payer).toEqual({ type: "Receiver" })
    const sender = resumeDraft(kept, given({ sender: { ...DARWIN } }))
    expect(sender.request.collection).toEqual(DARWIN)
    expect(sender.own).toEqual({ "receiver.residential": true })
    expect(sender.request.payer).toEqual({ type: "Receiver", accountNumber: "R-1" })
  })

  it("keeps them if it is the same one, and has what is said with it", () => {
    const same = resumeDraft(kept, given({ receiver: { ...PORT, address1: "9 Market Street" } }))
    expect([same.own, same.request.payer]).toEqual([homes, kept.request.payer])
    const payer = { type: "Receiver", accountNumber: "R-2" }
    const said = { ...given({ receiver: { ...DARWIN }, payer }), own: { "receiver.residential": true } }
    expect(resumeDraft(kept, said)).toMatchObject({ own: homes, request: { payer } })
  })
})

describe("what is taken of a draft that is continued", () => {
  const own = { within: 2, "receiver.residential": true }
  const wish = { withinDays: 2, avoid: ["GEN"] }
  const allowed = { allowPast: true } as const
  const kept = { ...shippable(), own, wish, allowed, rate: rateOf("CARRIER_A_AU") }

  it("is all of it, and it is reported in one line", () => {
    const draft = resumeDraft(kept, given())
    expect(draft).toMatchObject({ own, wish, allowed })
    expect(describeContinued(kept, draft)).toBe(
      "Continuing with Harbour Lighting Pty Ltd → Port Street Fittings, 2 cartons, to a home, within 2 days, with --allow-past.",
    )
  })

  it("is what was said rather than a setting of the profile, and less than what the command line says now", () => {
    const ofProfile = { ...given(), wish: { withinDays: 5 } }
    expect(resumeDraft(kept, ofProfile)).toMatchObject({ wish, rate: kept.rate })
    const said = {
      ...given({}, undefined, { acceptPlaces: true }),
      own: { within: 4 },
      wish: { withinDays: 4 },
    }
    const draft = resumeDraft(kept, said)
    expect(draft).toMatchObject({
      ...{ own: { ...own, within: 4 }, wish: { withinDays: 4, avoid: ["GEN"] } },
      allowed: { allowPast: true, acceptPlaces: true },
    })
    expect(describeContinued(kept, draft)).toContain("Its rate is left out: another is wanted.")
  })

  it("is what was answered past a cutoff in this run, which is not a flag and not kept for the next", () => {
    const answered = given({}, undefined, { pastCutoff: "told" })
    expect(createDraft(answered, ids).allowed).toEqual({ pastCutoff: "told" })
    const draft = resumeDraft(kept, answered)
    expect(draft.allowed).toEqual({ allowPast: true, pastCutoff: "told" })
    expect(describeContinued(kept, draft)).toMatch(/, with --allow-past\.$/)
    expect(readDraft(JSON.parse(JSON.stringify(draft)))?.allowed).toEqual(allowed)
  })

  it("is kept between the two", () => {
    expect(readDraft(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
    const others = { ...kept, allowed: { allowPast: false, all: true } }
    expect(readDraft(JSON.parse(JSON.stringify(others)))?.allowed).toBeUndefined()
  })
})

describe("a rate that was chosen", () => {
  const rate = rateOf("CARRIER_A_AU")
  const kept = { ...shippable(), rate }

  it("counts when the draft is gone on with", () => {
    expect(resumeDraft(kept, given()).rate).toEqual(rate)
    expect(resumeDraft(kept, given({}, rate)).request).toEqual(shippable().request)
  })

  it("does not when the command line wants another service", () => {
    const draft = resumeDraft(kept, given({ serviceCode: "STD" }))
    expect(draft.rate).toBeUndefined()
    expect(draft.wish).toEqual({ kind: "code", serviceCode: "STD" })
  })
})

describe("a kept draft", () => {
  it("comes back as it was", () => {
    const draft = { ...shippable(), at: { step: "times" as const, question: "close" } }
    expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
  })

  it("loses what breaks the contract, and keeps the rest", () => {
    const read = readDraft(shippable({ packagingCode: "ZZ", packages: "two" }))
    expect(read?.request).not.toHaveProperty("packagingCode")
    expect(read?.request).not.toHaveProperty("packages")
    expect(read?.request).toHaveProperty("receiver")
  })

  it("may be half an address", () => {
    const read = readDraft(draftOf({ receiver: { companyName: "Port" } }))
    expect(read?.request.receiver).toEqual({ companyName: "Port" })
  })

  for (const value of [
    undefined,
    null,
    7,
    "x",
    [],
    {},
    { version: VERSION },
    { version: VERSION + 1, id: "a", key: "b", request: {} },
    { version: VERSION, id: "a", key: "b", request: [] },
  ])
    it(`is none in ${JSON.stringify(value)}`, () => expect(readDraft(value)).toBeUndefined())

  it("of release 0.2.0 has its key, rate and wishes", () => {
    const { rate, request } = { ...shippable(), rate: rateOf("CARRIER_A_AU") }
    const before = {
      ...{ version: 1, id: "a", key: "PO-1", keyGiven: true, request },
      ...{ offer: rate, offerFor: "{}", wanted: { by: "eta", maxPriceCents: 100 } },
      residential: { from: true, to: false },
    }
    expect(readDraft(before)).toEqual({
      ...{ version: VERSION, id: "a", key: "PO-1", isKeyGenerated: false, request },
      ...{ rate, rateFor: "{}", wish: { kind: "fastest", maxPriceCents: 100 } },
      own: { "collection.residential": true, "receiver.residential": false },
    })
    const named = { ...before, wanted: { serviceCode: "STD" }, keyGiven: undefined }
    expect(readDraft(named)).toMatchObject({
      isKeyGenerated: true,
      wish: { kind: "code", serviceCode: "STD" },
    })
  })

  it("is read without its rate where that is damaged", () => {
    expect(readDraft({ ...shippable(), rate: { rate: 1 } })?.rate).toBeUndefined()
  })
})

describe("what is said of a draft", () => {
  it("is from whom to whom, and what", () => {
    expect(describeDraft(shippable())).toBe("Harbour Lighting Pty Ltd → Port Street Fittings, 2 cartons")
  })
  it("is little when little is known", () => {
    expect(describeDraft(draftOf())).toBe("just started")
  })
  for (const [ms, words] of [
    [20_000, "just now"],
    [60_000, "1 minute ago"],
    [3_600_000, "1 hour ago"],
    [3 * 86_400_000, "3 days ago"],
  ] as const)
    it(`dates it ${words}`, () => expect(formatAge(ms)).toBe(words))
})
