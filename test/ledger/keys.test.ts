/** When a create is taken for one that was made before. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
import { createOnce } from "../../src/ledger/create.ts"
import { AlreadyMade } from "../../src/ledger/refusals.ts"
import { EQUAL_FOR_MS } from "../../src/ledger/decision.ts"
import { create, failure, HOUR, intent, OTHER, PO, refusing, server, testLedger } from "./setup.ts"
import { idOf } from "../../src/ledger/entry.ts"

describe("a key that was used", () => {
  it("gives the recorded result, and sends nothing", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    const first = await create(ledger, send, PO)
    ledger.clock.advance(1000 * HOUR)
    const second = await create(ledger, send, PO)
    expect(second).toMatchObject({ response: first.response, recorded: true, entry: first.entry })
    expect(made).toHaveLength(1)
  })

  it("gives it also where only the quote is another", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    const quoted = (rateId: string) => ({ ...PO, content: { ...intent().content, rateId, quoteId: "q" } })
    await create(ledger, send, quoted("r-1"))
    expect((await create(ledger, send, quoted("r-2"))).recorded).toBe(true)
    expect(made).toHaveLength(1)
  })

  it("is wrong for something else: that is not sent", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, PO)
    const error = await failure(create(ledger, send, { ...PO, ...OTHER }))
    expect(error).toMatchObject({ kind: "input", exitCode: 2 })
    expect(error.message).toContain(
      "the key PO-1001 was used for another booking on Fri 20 Nov 2026, 23:00: shipment shp-1",
    )
    expect(made).toHaveLength(1)
  })

  it("may name another kind of thing", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, PO)
    await create(ledger, send, { ...PO, kind: "pickup" })
    expect(made).toHaveLength(2)
  })

  it("makes an equal one its own: two keys, two shipments", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, PO)
    await create(ledger, send, { key: "PO-1002" })
    expect(made).toHaveLength(2)
  })

  it("refuses what was made without a key, or under a generated one", async () => {
    for (const first of [{}, { key: "w-1", isKeyGenerated: true }]) {
      const ledger = testLedger()
      const { made, send } = server()
      await create(ledger, send, first)
      expect(await failure(create(ledger, send, PO))).toMatchObject({
        kind: "refused",
        next: "freight shipments show shp-1",
      })
      await create(ledger, send, { ...PO, again: true })
      expect(made).toHaveLength(2)
    }
  })

  it("refuses the same reference to the same receiver, whatever the service", async () => {
    const ledger = testLedger()
    const { send } = server()
    const referenceHash = "PO-1001 to Harbour Supplies"
    await create(ledger, send, { referenceHash, facts: { ...intent().facts, reference: "PO-1001" } })
    const error = await failure(create(ledger, send, { ...OTHER, key: "PO-7", referenceHash }))
    expect(error).toBeInstanceOf(AlreadyMade)
    expect(error.message).toContain(
      "a booking with the reference PO-1001 to the same receiver was made on Fri 20 Nov 2026, 23:00",
    )
  })
})

describe("a key that freight made up", () => {
  const made = (key: string) => ({ key, isKeyGenerated: true })

  it("refuses what was made under another key, for no person meant it to be another", async () => {
    const ledger = testLedger()
    const desk = server()
    await create(ledger, desk.send, PO)
    expect(await failure(create(ledger, desk.send, made("w-1")))).toBeInstanceOf(AlreadyMade)
    expect(desk.made).toHaveLength(1)
  })

  it("refuses what was made without a key", async () => {
    const ledger = testLedger()
    const desk = server()
    await create(ledger, desk.send)
    expect(await failure(create(ledger, desk.send, made("w-1")))).toBeInstanceOf(AlreadyMade)
  })

  it("makes a second one when told so, and then gives that one again", async () => {
    const ledger = testLedger()
    const desk = server()
    await create(ledger, desk.send, made("w-1"))
    const second = await create(ledger, desk.send, { ...made("w-2"), again: true })
    const repeated = await create(ledger, desk.send, { ...made("w-2"), again: true })
    expect(repeated).toMatchObject({ recorded: true, response: second.response })
    expect(desk.made).toHaveLength(2)
  })

  it("makes an equal one after a day without being told", async () => {
    const ledger = testLedger()
    const desk = server()
    await create(ledger, desk.send, made("w-1"))
    ledger.clock.advance(EQUAL_FOR_MS)
    await create(ledger, desk.send, made("w-2"))
    expect(desk.made).toHaveLength(2)
  })
})

describe("an equal create without a key", () => {
  it("is refused also when another key for the same was refused in between", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, PO)
    await failure(
      create(ledger, refusing(new FreightError("refused", "the carrier said no")), { key: "PO-1002" }),
    )
    expect(await failure(create(ledger, send))).toMatchObject({ kind: "refused" })
    expect(made).toHaveLength(1)
  })

  it("is refused with the earlier shipment and how to go on", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send)
    const error = await failure(create(ledger, send))
    expect(error).toMatchObject({ kind: "refused", exitCode: 1, next: "freight shipments show shp-1" })
    expect(error.message).toBe(
      "an equal booking was made on Fri 20 Nov 2026, 23:00: shipment shp-1, Harbour Supplies, Fremantle",
    )
    expect(error.hint).toContain("--again")
    expect(error.hint).toContain("--key")
    expect(made).toHaveLength(1)
  })

  it("is refused also where only the quote is another", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, { content: { ...intent().content, rateId: "r-1" } })
    expect(
      await failure(create(ledger, send, { content: { ...intent().content, rateId: "r-2" } })),
    ).toMatchObject({
      kind: "refused",
    })
    expect(made).toHaveLength(1)
  })

  it("is refused for 24 hours", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send)
    ledger.clock.advance(EQUAL_FOR_MS - 1)
    expect(await failure(create(ledger, send))).toMatchObject({ kind: "refused" })
    ledger.clock.advance(1)
    await create(ledger, send)
    expect(made).toHaveLength(2)
  })

  it("is sent when told again, and counts from then on", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send)
    await create(ledger, send, { again: true })
    const error = await failure(create(ledger, send))
    expect(error.message).toContain("shipment shp-2")
    expect(made).toHaveLength(2)
  })

  it("is refused after one with a key", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, PO)
    expect(await failure(create(ledger, send))).toMatchObject({
      kind: "refused",
      next: "freight shipments show shp-1",
    })
    expect(made).toHaveLength(1)
  })

  it("is sent after one with a key that was refused", async () => {
    const ledger = testLedger()
    await failure(create(ledger, refusing(new FreightError("refused", "no")), PO))
    const { made, send } = server()
    await create(ledger, send)
    expect(made).toHaveLength(1)
  })

  it("is never sent where the carrier has one that the API does not know", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await createOnce(ledger, intent({ kind: "pickup" }), send, () => ({ standing: true }))
    ledger.clock.advance(1000 * HOUR)
    const error = await failure(create(ledger, send, { kind: "pickup", again: true }))
    expect(error).toMatchObject({ kind: "refused", next: "freight history" })
    expect(error.message).toContain("the carrier already has this pickup")
    expect(made).toHaveLength(1)
  })

  it("is not sent under a new key either where the carrier has one that the API does not know", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await createOnce(ledger, intent({ kind: "pickup" }), send, () => ({ standing: true }))
    expect(await failure(create(ledger, send, { kind: "pickup", key: "PU-2" }))).toMatchObject({
      kind: "refused",
    })
    expect(made).toHaveLength(1)
  })

  it("is refused with the earlier entry, for whoever can ask whether a second one is meant", async () => {
    const ledger = testLedger()
    const { send } = server()
    const { entry } = await create(ledger, send)
    const error = await failure(create(ledger, send))
    expect(error).toBeInstanceOf(AlreadyMade)
    expect(error).toMatchObject({ entry })
  })

  it("is another kind's equal no more than its own", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, { kind: "label-print" })
    await create(ledger, send, { kind: "pickup" })
    expect(made).toHaveLength(2)
  })
})

it("the id of a claim tells accounts, kinds and keys apart, and can be read", () => {
  const ids = [
    idOf("freight:one", "shipment", "key:PO-1"),
    idOf("freight:other", "shipment", "key:PO-1"),
    idOf("freight:one", "pickup", "key:PO-1"),
    idOf("freight:one", "shipment", "key:PO_1"),
  ]
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^po-1-[0-9a-f]{16}$/)
})
