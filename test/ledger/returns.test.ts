/** Each package of an order is returned once, however late, unless a person asks for a second return. */
import { expect, it } from "vitest"
import { EQUAL_FOR_MS } from "../../src/ledger/decision.ts"
import { FreightError } from "../../src/base/errors.ts"
import { noteCancelled } from "../../src/ledger/cancellations.ts"
import { findConsignments } from "../../src/ledger/records/named.ts"
import {
  type Changes,
  create,
  failure,
  intent,
  refusing,
  request,
  SENDER,
  server,
  testLedger,
} from "./setup.ts"

const MONTH = 30 * EQUAL_FOR_MS
const [CARTON] = request.packages ?? []

/** A return of SO-17 under a key that freight generated. */
function back(key: string, changes: object = {}, of = "SO-17"): Changes {
  const sent = { ...request, ...changes }
  return {
    ...{ key, isKeyGenerated: true, request: sent, content: { connectorId: "connector-b", ...sent } },
    facts: { ...intent().facts, own: { returnOf: of } },
  }
}

const sized = (heightCm: number) => ({ packages: [{ ...CARTON, heightCm }] })

it.each<[string, Changes, standing: "equal" | "sent" | "recorded"]>([
  ["under the same key", back("RETURN-OF-SO-17"), "equal"],
  ["under the same key, with other times", back("RETURN-OF-SO-17", { collectionCloseTime: "1500" }), "equal"],
  ["under a key that a person gives", { ...back("RMA-5"), isKeyGenerated: false }, "equal"],
  [
    "as a part of it, with another weight",
    back("RETURN-OF-SO-17-1x", { packages: [{ ...CARTON, weightKg: 1 }] }),
    "equal",
  ],
  [
    "as a part that lies on another side",
    back("RETURN-OF-SO-17-1x", { packages: [{ ...CARTON, lengthCm: 20, heightCm: 40 }] }),
    "equal",
  ],
  ["of an order whose number is spelled otherwise", back("RETURN-OF-so 017", {}, "so 017"), "equal"],
  ["where nobody knows in what", back("RETURN-OF-SO-17-1x", { packages: undefined }), "equal"],
  ["as a package of another size", back("RETURN-OF-SO-17-1x", sized(21)), "sent"],
  [
    "where a row has its number alone, as the size of all rows is said",
    { ...back("RETURN-OF-SO-17-1x"), written: { fields: { packages: [{ count: 1 }] } } },
    "equal",
  ],
  ["of another order", back("RETURN-OF-SO-18", {}, "SO-18"), "sent"],
  [
    "under the same key, where a row or a person gave it",
    { ...back("RETURN-OF-SO-17"), isKeyGenerated: false },
    "recorded",
  ],
])("a second return of one package after a month has the standing of its row: %s", async (_, second, standing) => {
  const ledger = testLedger()
  const { made, send } = server()
  await create(ledger, send, back("RETURN-OF-SO-17"))
  ledger.clock.advance(MONTH)
  // Neither its times nor its service tell it apart.
  const asked = { ...second, content: { ...second.content, serviceCode: "EXP" } }
  if (standing === "equal") {
    const error = await failure(create(ledger, send, asked))
    expect(error).toMatchObject({ standing: { kind: "equal" }, exitCode: 1 })
    expect(error.message).toMatch(/^these packages of SO-17|^these packages of so 017/i)
  } else {
    const { recorded } = await create(ledger, send, { ...asked, written: { fields: {} } })
    expect(recorded ? "recorded" : "sent").toBe(standing)
  }
  expect(made).toHaveLength(standing === "sent" ? 2 : 1)
})

it.each<[string, first: object, second: object, isSent: boolean]>([
  ["that the order has, after another of it", {}, sized(50), true],
  ["that is measured a centimetre higher than what came back", {}, sized(21), false],
  ["that the order never had, after one of it", {}, sized(7), false],
  ["of the order, after one in another box", sized(7), {}, false],
])("where the packages of the order are known, a package comes back %s", async (_, first, second, isSent) => {
  const ledger = testLedger()
  const { made, send } = server()
  const returned = [CARTON, { ...CARTON, heightCm: 50 }] as NonNullable<typeof request.packages>
  const written = { fields: {}, returned }
  await create(ledger, send, { ...back("RETURN-OF-SO-17-1", first), written })
  const asked = create(ledger, send, { ...back("RETURN-OF-SO-17-2", second), written })
  if (isSent) expect(await asked).toMatchObject({ recorded: false })
  else expect(await failure(asked)).toMatchObject({ standing: { kind: "equal" } })
  expect(made).toHaveLength(isSent ? 2 : 1)
})

it("a second return that is meant is made once, under its own key", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  await create(ledger, send, back("RETURN-OF-SO-17"))
  const second = { ...back("RETURN-OF-SO-17#2"), again: true }
  expect(await create(ledger, send, second)).toMatchObject({ recorded: false })
  expect(await create(ledger, send, second)).toMatchObject({ recorded: true })
  expect(made).toHaveLength(2)
})

it("a return that was refused can be sent again, and one that is open cannot, under any key", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  await failure(create(ledger, refusing(new FreightError("refused", "no")), back("RETURN-OF-SO-17")))
  await failure(create(ledger, refusing(new FreightError("outcomeUnknown", "lost")), back("RETURN-OF-SO-17")))
  ledger.clock.advance(MONTH)
  for (const again of [false, true])
    for (const key of ["RETURN-OF-SO-17", "RMA-5"])
      expect(
        await failure(create(ledger, send, { ...back(key, { collectionCloseTime: "1500" }), again })),
      ).toMatchObject({
        kind: "outcomeUnknown",
      })
  expect(made).toEqual([])
})

it("an order that has the number of a return is another one", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  await create(ledger, send, { key: "SO-17" })
  await create(
    ledger,
    send,
    back("RETURN-OF-SO-17", { receiver: { ...request.receiver, address1: "1 Hay Street" } }),
  )
  expect(made).toHaveLength(2)
})

it.each<[string, first: Changes, second: Changes]>([
  [
    "a return is no answer to its order",
    { ...back("SO-17"), isKeyGenerated: false },
    { key: "SO-17", facts: { ...intent().facts, own: {} } },
  ],
  ["an order is no answer to its return", { key: "SO-17" }, { ...back("SO-17"), isKeyGenerated: false }],
  [
    "the return of an order is none to that of another",
    { ...back("RMA-5"), isKeyGenerated: false },
    { ...back("RMA-5", {}, "SO-18"), isKeyGenerated: false },
  ],
])("under one key %s, whether it stands or was cancelled", async (_, first, second) => {
  const ledger = testLedger()
  const { made, send } = server()
  const { entry } = await create(ledger, send, first)
  const asked = { ...second, written: { fields: {} } }
  expect(await failure(create(ledger, send, asked))).toMatchObject({ standing: { kind: "key-taken" } })
  await noteCancelled(ledger.store.database, entry.id, { confirmedBy: "Kim", by: SENDER })
  expect(await failure(create(ledger, send, asked))).toMatchObject({ standing: { kind: "key-taken" } })
  expect(made).toHaveLength(1)
})

it("a return is not a consignment of its order, whatever its key and reference", async () => {
  const ledger = testLedger()
  const { send } = server()
  const reference = "SO-17"
  await create(ledger, send, { key: "SO-17", facts: { ...intent().facts, reference } })
  const again = { ...back("SO-17#2"), isKeyGenerated: false, again: true }
  await create(ledger, send, { ...again, facts: { ...again.facts, reference } })
  const found = await findConsignments(ledger.store.database, [ledger.scope], [reference])
  expect(found.map(({ key }) => key)).toEqual(["key:SO-17"])
})
