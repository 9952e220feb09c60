/** When a create is taken for one that was made before. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { createOnce } from "../../src/ledger/create.ts"
import { EQUAL_FOR_MS } from "../../src/ledger/decision.ts"
import {
  type Changes,
  create,
  failure,
  HOUR,
  intent,
  OTHER,
  PO,
  refusing,
  server,
  testLedger,
} from "./setup.ts"
import type { Package } from "../../src/contract/generated/types.ts"
import { referenceHash as hashReference } from "../../src/ledger/content.ts"
import { idOf } from "../../src/ledger/entry.ts"
import { equalBefore } from "../../src/ledger/refusals.ts"
import { request } from "./samples.ts"

const MORE = { ...request, packages: request.packages?.map((each) => ({ ...each, weightKg: 9 })) }
const OTHER_GOODS = { request: MORE, content: { connectorId: "connector-a", ...MORE } }

const quoted = (rateId: string) => ({ content: { ...intent().content, rateId, quoteId: "q" } })
const madeUp = (key: string) => ({ key, isKeyGenerated: true })
const referenceHash = "PO-1001 to Harbour Supplies"
const reference = { referenceHash, facts: { ...intent().facts, reference: "PO-1001" } }

type Outcome = "recorded" | "sent" | { message: string; kind?: string; next?: string; hint?: string[] }
const refused = (
  message = "an equal booking was made on Fri 20 Nov 2026, 23:00: shipment shp-1",
): Outcome => ({
  message,
})
const SENT = "sent"
/** See `clock.test.ts`. */
const DOUBTED: Outcome = {
  kind: "input",
  message: "more than 24 hours ago by this machine's clock alone",
  hint: ["--again"],
}

it.each<[what: string, first: Changes, second: Changes, outcome: Outcome, later?: number]>([
  ["the same key gives the recorded result", PO, PO, "recorded", 1000 * HOUR],
  [
    "also where only the quote is another",
    { ...PO, ...quoted("r-1") },
    { ...PO, ...quoted("r-2") },
    "recorded",
  ],
  [
    "its key is wrong for something else",
    PO,
    { ...PO, ...OTHER },
    {
      kind: "input",
      message: "the key PO-1001 was used for another booking on Fri 20 Nov 2026, 23:00: shipment shp-1",
    },
  ],
  [
    "a made-up key is wrong for something else, too",
    madeUp("w-1"),
    { ...OTHER, ...madeUp("w-1") },
    { kind: "input", message: "the key w-1 was used for another booking" },
  ],
  ["its key may name another kind of thing", PO, { ...PO, kind: "pickup" }, SENT],
  ["two keys are two shipments", PO, { key: "PO-1002" }, SENT],
  ["a key, after none", {}, PO, refused()],
  ["a key, after none, told again", {}, { ...PO, again: true }, SENT],
  ["a key, after a made-up one", madeUp("w-1"), PO, refused()],
  ["a key, after a made-up one, told again", madeUp("w-1"), { ...PO, again: true }, SENT],
  [
    "the same reference to the same receiver, whatever the service",
    reference,
    { ...OTHER, key: "PO-7", referenceHash },
    refused("a booking with the reference PO-1001 to the same receiver was made on Fri 20 Nov 2026, 23:00"),
  ],
  ["a made-up key, after another key: no person meant another one", PO, madeUp("w-1"), refused()],
  ["a made-up key, after none", {}, madeUp("w-1"), refused()],
  ["a made-up key, told again", madeUp("w-1"), { ...madeUp("w-2"), again: true }, SENT],
  ["a made-up key, after a day, by this clock alone", madeUp("w-1"), madeUp("w-2"), DOUBTED, EQUAL_FOR_MS],
  [
    "no key",
    {},
    {},
    {
      message:
        "an equal booking was made on Fri 20 Nov 2026, 23:00: shipment shp-1, Harbour Supplies, Fremantle",
      hint: ["--again"],
    },
  ],
  ["no key, also where only the quote is another", quoted("r-1"), quoted("r-2"), refused()],
  ["no key, just before 24 hours are over", {}, {}, refused(), EQUAL_FOR_MS - 1],
  ["no key, after 24 hours by this clock alone", {}, {}, DOUBTED, EQUAL_FOR_MS],
  ["no key, after one with a key", PO, {}, refused()],
  ["no key, and another kind", { kind: "label-print" }, { kind: "pickup" }, SENT],
])("%s", async (_what, first, second, outcome, later = 0) => {
  const ledger = testLedger()
  const { made, send } = server()
  const earlier = await create(ledger, send, first)
  ledger.clock.advance(later)
  if (typeof outcome === "string") {
    const { recorded, response, entry } = await create(ledger, send, second)
    expect(recorded ? "recorded" : "sent").toBe(outcome)
    if (recorded)
      expect({ response, entry }).toMatchObject({ response: earlier.response, entry: earlier.entry })
    // Whoever asks the same once more gets what was made last.
    else if (second.key !== undefined)
      expect(await create(ledger, send, second)).toMatchObject({ recorded: true, response })
  } else {
    const { message, kind = "refused", hint = [] } = outcome
    const error = await failure(create(ledger, send, second))
    expect(error).toMatchObject({ kind, exitCode: kind === "input" ? 2 : 1 })
    expect(error.message).toContain(message)
    for (const flag of hint) expect(error.hint).toContain(flag)
    if (kind === "refused") {
      expect(error).toMatchObject({ standing: { kind: "equal" } })
      // For whoever can ask whether a second one is meant.
      expect(error).toMatchObject({
        standing: { entry: earlier.entry },
        next: "freight shipments show shp-1",
      })
    }
  }
  expect(made).toHaveLength(outcome === "sent" ? 2 : 1)
})

/** An order under a key, with the reference and the goods of its request. */
const named = (key: string, changes: Partial<typeof request> = {}): Changes => {
  const asked = { ...request, ...changes }
  return {
    key,
    request: asked,
    content: { connectorId: "connector-a", ...asked },
    referenceHash: hashReference(asked.customerReference, asked.receiver),
    facts: { ...intent().facts, reference: asked.customerReference },
  }
}

describe("one order under two keys that people gave", () => {
  const path = named("orders/1001.json")

  it.each<[what: string, second: Changes]>([
    ["from another folder", named("./1001.json")],
    ["with its reference as the key", named("PO-1001")],
    ["with its reference in another spelling", named("run-2", { customerReference: "po 01001" })],
    ["at another hour", named("run-3", { collectionDateTime: "2026-11-23T14:00:00" })],
    [
      "with another person to call there",
      named("run-4", { receiver: { ...request.receiver, contactName: "Sam" } }),
    ],
    ["with another service", { ...named("run-5"), content: { connectorId: "connector-b", ...request } }],
  ])("is refused %s, however much later, and booked with --again, once", async (_, second) => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, path)
    ledger.clock.advance(60 * EQUAL_FOR_MS)
    const error = await failure(create(ledger, send, second))
    expect(error).toMatchObject({ exitCode: 1, standing: { kind: "equal" } })
    expect(error.message).toMatch(
      /^PO-1001 was booked on .* \(shp-1\) under the key orders\/1001\.json, with the same goods for the same receiver and the same day$/,
    )
    expect(error.hint).toContain("--again")
    expect(error.hint).not.toContain("--key")
    for (const _time of ["first", "second"]) await create(ledger, send, { ...second, again: true })
    expect(await create(ledger, send, second)).toMatchObject({ recorded: true })
    expect(made).toHaveLength(2)
  })

  it("is refused after a key, without one", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, path)
    ledger.clock.advance(3 * EQUAL_FOR_MS)
    const { key: _, ...unnamed } = named("")
    const second = { ...unnamed, content: { connectorId: "connector-b", ...request } }
    expect(await failure(create(ledger, send, second))).toMatchObject({ standing: { kind: "equal" } })
    expect(made).toHaveLength(1)
  })

  it.each<[what: string, second: Changes]>([
    ["with other goods", named("b", { packages: [{ ...(request.packages?.[0] as Package), weightKg: 9 }] })],
    ["for another receiver", named("b", { receiver: { ...request.receiver, address1: "9 High Street" } })],
    ["with another reference", named("b", { customerReference: "PO-1002" })],
    ["without a reference", named("b", { customerReference: "" })],
  ])("is two orders %s", async (_, second) => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, path)
    const { earlier } = await create(ledger, send, second)
    expect([made.length, earlier]).toEqual([2, undefined])
  })

  it("is two orders for two days, and the later one names the earlier", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    const { entry } = await create(ledger, send, path)
    const day = { collectionDateTime: "2026-11-30T10:00:00" }
    const next = await create(ledger, send, named("week-2", day))
    expect(next.earlier).toMatchObject({ id: entry.id })
    expect(equalBefore(entry, next.entry.request)).toBe(
      "PO-1001 was booked before, on Fri 20 Nov 2026, 23:00, for 23 Nov 2026, with the same goods: shipment shp-1. This is another one.",
    )
    // Once more for that day is the same again.
    expect(await failure(create(ledger, send, named("week-2b", day)))).toMatchObject({
      standing: { kind: "equal", entry: { id: next.entry.id } },
    })
    expect(made).toHaveLength(2)
  })

  it("waits for what has no known outcome, also with --again, and is free after a refusal", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await failure(create(ledger, refusing(new FreightError("refused", "no")), path))
    await failure(create(ledger, refusing(new FreightError("outcomeUnknown", "lost")), named("run-2")))
    for (const again of [false, true])
      expect(await failure(create(ledger, send, { ...named("run-3"), again }))).toMatchObject({
        exitCode: 7,
        standing: { kind: "unknown" },
      })
    expect(made).toEqual([])
  })

  it("is booked once where eight keys come at the same moment", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    const keys = Array.from({ length: 8 }, (_, n) => named(`folder-${n}/1001.json`))
    const ended = await Promise.allSettled(keys.map((each) => create(ledger, send, each)))
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(made).toHaveLength(1)
  })
})

describe("numbers that may be one", () => {
  it.each([
    ["2028.010", "2028.01"],
    ["2028.1", "2028.10"],
    ["Order #1001", "1001"],
  ])("%s and %s are asked about, and two orders with --again", async (first, second) => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, { key: first })
    const error = await failure(create(ledger, send, { key: second }))
    expect(error).toMatchObject({ exitCode: 1, standing: { kind: "equal" } })
    expect(error.message).toContain(`${second} may be ${first} in another writing`)
    await create(ledger, send, { key: second, again: true })
    expect(made).toHaveLength(2)
  })

  it.each([
    ["2028.010", "2028.01"],
    ["2028.1", "2028.10"],
    ["Order #1001", "1001"],
  ])("%s and %s are asked about as references, whatever the keys are", async (first, second) => {
    const keys = [["orders/1.json", "run-2"], ["orders/1.json"], [undefined, "run-2"]]
    for (const [one, other] of keys) {
      const ledger = testLedger()
      const { made, send } = server()
      const { key: _, ...unnamed } = named("", { customerReference: first })
      await create(ledger, send, { ...unnamed, key: one })
      ledger.clock.advance(60 * EQUAL_FOR_MS)
      const asked = { ...named("", { customerReference: second }), key: other }
      const error = await failure(create(ledger, send, asked))
      expect(error).toMatchObject({ exitCode: 1, standing: { kind: "equal" } })
      expect(error.message).toContain(`${second} may be ${first} in another writing`)
      await create(ledger, send, { ...asked, again: true })
      expect(made).toHaveLength(2)
    }
  })

  it("2028.1 and 2028.10 are two references for two days, or with other goods", async () => {
    const other = { customerReference: "2028.10", packages: MORE.packages }
    const { key: _, ...unnamed } = named("", other)
    const day = { customerReference: "2028.10", collectionDateTime: "2026-11-30T10:00:00" }
    for (const second of [named("orders/2.json", other), unnamed, named("orders/2.json", day)]) {
      const ledger = testLedger()
      const { made, send } = server()
      await create(ledger, send, named("orders/1.json", { customerReference: "2028.1" }))
      await create(ledger, send, second)
      expect(made).toHaveLength(2)
    }
  })

  it("2028.1 and 2028.01 are two, as are other goods under 2028.10", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, { key: "2028.1" })
    await create(ledger, send, { key: "2028.01" })
    await create(ledger, send, { ...OTHER_GOODS, key: "2028.10" })
    expect(made).toHaveLength(3)
  })
})

describe("an equal create without a key", () => {
  const NO = refusing(new FreightError("refused", "the carrier said no"))

  it("is refused also when another key for the same was refused in between", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, PO)
    await failure(create(ledger, NO, { key: "PO-1002" }))
    expect(await failure(create(ledger, send))).toMatchObject({ kind: "refused" })
    expect(made).toHaveLength(1)
  })

  it("is sent after one with a key that was refused", async () => {
    const ledger = testLedger()
    await failure(create(ledger, NO, PO))
    const { made, send } = server()
    await create(ledger, send)
    expect(made).toHaveLength(1)
  })

  it("is sent when told again, and counts from then on", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send)
    await create(ledger, send, { again: true })
    expect((await failure(create(ledger, send))).message).toContain("shipment shp-2")
    expect(made).toHaveLength(2)
  })

  it.each([
    ["under no key, told again", { again: true }],
    ["under a new key", { key: "PU-2" }],
  ])("is never sent where the carrier has one that the API does not know: %s", async (_how, changes) => {
    const ledger = testLedger()
    const { made, send } = server()
    await createOnce(ledger, intent({ kind: "pickup" }), send, () => ({ standing: true }))
    ledger.clock.advance(1000 * HOUR)
    const error = await failure(create(ledger, send, { kind: "pickup", ...changes }))
    expect(error).toMatchObject({ kind: "refused", next: "freight history" })
    expect(error.message).toContain("the carrier already has this pickup")
    expect(made).toHaveLength(1)
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
