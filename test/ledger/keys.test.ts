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
import { idOf } from "../../src/ledger/entry.ts"

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
  hint: ["--again", "--key"],
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
      hint: ["--again", "--key"],
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
