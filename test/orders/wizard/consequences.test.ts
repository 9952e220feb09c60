import { describe, expect, it } from "vitest"
import { applyConsequences, hasPayer } from "../../../src/orders/wizard/consequences.ts"
import { DARWIN, PORT, rateOf, shippable } from "./bench.ts"

const named = rateOf("CARRIER_A_AU")

describe("a rate that was named on the command line", () => {
  it("stands for what it was quoted for", () => {
    const draft = { ...shippable(), rate: named }
    expect(applyConsequences(draft, draft)).toMatchObject({ draft: { rate: named }, notes: [] })
  })

  it.each([
    ["another receiver", { receiver: { ...DARWIN } }, "receiver is Darwin NT 0800"],
    [
      "other packages",
      { packages: [{ count: 3, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }] },
      "packages is 3x40x30x20@5.5",
    ],
  ])("is asked for again for %s", (_, changes, words) => {
    const draft = { ...shippable(changes), rate: named }
    const { draft: settled, notes } = applyConsequences(draft, draft)
    expect(settled.rate).toBeUndefined()
    expect(notes.join()).toContain(words)
  })
})

describe("what was said of a party", () => {
  const homes = { "collection.residential": true, "receiver.residential": true }
  const payer = { type: "Receiver", accountNumber: "R-1" }
  const before = { ...shippable({ payer }), own: homes }
  const settle = (party: string, address: object) =>
    applyConsequences(before, { ...before, request: { ...before.request, [party]: { ...address } } })

  it("does not hold for another party", () => {
    const { draft, notes } = settle("receiver", DARWIN)
    expect(draft).toMatchObject({ isHomeOpen: true, request: { payer: { type: "Receiver" } } })
    expect([draft.own, hasPayer(draft)]).toEqual([{ "collection.residential": true }, false])
    expect(notes).toEqual(["The account to bill was the earlier receiver's: who pays is asked again."])
    const sender = settle("sender", DARWIN).draft
    expect(sender).toMatchObject({ isHomeOpen: true, request: { payer, collection: DARWIN } })
    expect(sender.own).toEqual({ "receiver.residential": true })
  })

  it("holds where its street is corrected", () => {
    const { draft } = settle("receiver", { ...PORT, address1: "9 Market Street" })
    expect(draft).toMatchObject({ own: homes, request: { payer } })
    expect(draft.isHomeOpen).toBeUndefined()
  })
})

describe("that the email of the collection was asked for", () => {
  const asked = { ...shippable(), isEmailAsked: true as const }
  const collection = asked.request.collection as Record<string, string>
  const settle = (changed: Record<string, string>) =>
    applyConsequences(asked, { ...asked, request: { ...asked.request, collection: changed } }).draft

  it("holds for the address it was asked for", () => {
    expect(settle({ ...collection, email: "dock@harbour.example" }).isEmailAsked).toBe(true)
  })

  it("does not hold for another, which may have one", () => {
    expect(settle({ ...DARWIN, email: "dock@darwin.example" }).isEmailAsked).toBeUndefined()
  })
})
