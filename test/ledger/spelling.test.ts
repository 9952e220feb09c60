/** Order numbers in other spellings: which are one, and which stay two. */
import { describe, expect, it } from "vitest"
import { parseKey } from "../../src/ledger/idempotency-key.ts"
import { FreightError } from "../../src/base/errors.ts"
import { referenceHash } from "../../src/ledger/content.ts"
import { createOnce } from "../../src/ledger/create.ts"
import { EQUAL_FOR_MS } from "../../src/ledger/decision.ts"
import { foldNumber, groupNumber } from "../../src/base/order-number.ts"
import { booking } from "../sandbox/requests.ts"
import {
  type Changes,
  create,
  failure,
  HOUR,
  intent,
  refusing,
  request,
  server,
  testLedger,
} from "./setup.ts"

describe("foldNumber", () => {
  it.each([
    [["0003", "3", "000003", "3.0", "3.00", " 3 ", "3\r\n", '="0003"', "０００３", "\u200b3"]],
    [["1234", "1,234", "1,234.00", "001234", "1234.00"]],
    [["1234567", "1,234,567", "1,234,567.0"]],
    [["0", "000", "0.00"]],
    [
      [
        "SO-1005",
        "so-1005 ",
        "SO1005",
        "SO 1005",
        "so_1005",
        "SO/1005",
        "SO - 1005",
        "SO–1005",
        "ＳＯ−１００５",
        "so-01005",
      ],
    ],
    [["PO-7#2", "po 007#2"]],
    [["#1001", "1001", "# 1001", "＃1001", "\u200b#01001", "#1001.00"]],
    [["2028.01", "02028.01 ", "#2028.01"]],
    [
      [
        "INV-1",
        "INV-1\u200b",
        "inv\u00ad-1",
        "\ufeffINV-1",
        "I\u3164NV-1",
        "INV\uffa0-1",
        "INV-1\ufe0f",
        "\u{e0100}INV-1",
      ],
    ],
    [["2026/11/3", "2026-11-03", "2026.11.3"]],
    [["Überweg 7", "ÜBERWEG-7", "U\u0308berweg 7"]],
  ])("takes %j for one number", (spellings) => {
    expect(new Set(spellings.map(foldNumber)).size).toBe(1)
    expect(foldNumber(spellings[0] ?? "")).not.toBe("")
  })

  it.each([
    [["1-11", "11-1", "111", "1-1-1"]],
    [["3", "30", "300", "3-0"]],
    [["V-1", "V-1b", "V-11", "V-1-1", "VV-1"]],
    [["7", "7#2", "7-2"]],
    [["SO-PO-1", "SOPO-1"]],
    [["12.5", "125", "12.05.1"]],
    [["3", "+3", "3+", "3#"]],
    [["1001", "1001#2", "PO-1001", "##1001"]],
    [["2028.1", "2028.01", "2028.10", "2028.010", "2028", "20281"]],
  ])("keeps %j apart", (numbers) => {
    expect(new Set(numbers.map(foldNumber)).size).toBe(numbers.length)
  })

  it.each<[numbers: string[], groups: number]>([
    [["2028.01", "2028.010", "#2028.0100"], 1],
    [["2028.1", "2028.10"], 1],
    [["2028.1", "2028.01", "2028", "2028-1"], 4],
    [["PO-2028.010", "PO-2028.01"], 2],
    [["10", "100"], 2],
    [
      [
        "1001",
        "#1001",
        "Order #1001",
        "order 1001",
        "ORDER-01001",
        "Order No. 1001",
        "Order number: #1001",
        "No 1001",
      ],
      1,
    ],
    [["2028.01", "Order #2028.010"], 1],
    [["SO-1005", "Order SO 1005"], 1],
    [["1001", "PO 1001", "SO-1001", "Orders 1001", "Reorder 1001", "NO-1001", "North 1001", "Order 1002"], 8],
    [["Order", "Order no", "No."], 3],
  ])("of %j makes %i groups of numbers that may be one", (numbers, groups) => {
    expect(new Set(numbers.map(groupNumber)).size).toBe(groups)
  })

  it.each(["", " ", "\r\n", "-", "...", "=", "#"])("finds no number in %j", (text) => {
    expect(["", "="]).toContain(foldNumber(text))
  })
})

it.each<[string, string | RegExp]>([
  ["17", "17"],
  [" 17 ", "17"],
  ["17\r\n", "17"],
  ["\t K 1\u00a0", "K 1"],
  ["１７", "１７"],
  ["", /is empty/],
  [" \r\n", /is empty/],
  ["1\n7", /control character/],
  ["1\u00007", /control character/],
  ["1\u001b[2J7", /control character/],
  ["1\u20287", /control character/],
])("the key %j is read as %s", (text, expected) => {
  const read = parseKey(text)
  if (typeof expected === "string") expect(read).toEqual({ ok: true, value: expected })
  else expect(read).toMatchObject({ ok: false, reason: expect.stringMatching(expected) })
})

/** As a person books it: under a key, or with the number as the reference alone. */
const keyed = (key: string): Changes => ({ key })
const referenced = (reference: string): Changes => ({ facts: { ...intent().facts, reference } })
const generated = (reference: string): Changes => ({
  ...referenced(reference),
  key: `w-${reference}`,
  isKeyGenerated: true,
})
/** Another service: the order is the same. */
const express: Changes = { content: { connectorId: "connector-b", ...request, serviceCode: "EXP" } }
const MONTH = 30 * EQUAL_FOR_MS

describe("the same goods to the same receiver", () => {
  it.each<[string, Changes, Changes, later: number]>([
    ["two keys", keyed("0003"), keyed("3"), MONTH],
    ["two keys, in letters", keyed("K-1"), keyed("k-1 "), MONTH],
    ["a key, and a reference", keyed("0003"), referenced("3"), MONTH],
    ["a reference, and a key", referenced("3"), keyed("0003"), MONTH],
    ["a reference under a generated key, and a key", generated("3"), keyed("0003"), MONTH],
    ["two references, within 24 hours", referenced("0003"), referenced("3"), EQUAL_FOR_MS - 1],
    ["two references under generated keys", generated("0003"), generated("3"), HOUR],
  ])("are booked once under %s", async (_, first, second, later) => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, first)
    ledger.clock.advance(later)
    const error = await failure(create(ledger, send, { ...express, ...second }))
    expect(error).toMatchObject({ standing: { kind: "equal" } })
    expect(error).toMatchObject({ exitCode: 1, next: "freight shipments show shp-1" })
    expect(error.hint).toContain("--again")
    expect(error.message).toMatch(
      / is another spelling of \S+, which was booked on .* \(shp-1\) with the same goods/,
    )
    expect(made).toHaveLength(1)
    await create(ledger, send, { ...express, ...second, again: true })
    expect(made).toHaveLength(2)
    // Both stand from now on, each under its own number.
    if (second.key !== undefined)
      expect(await create(ledger, send, { ...express, ...second })).toMatchObject({ recorded: true })
  })

  it.each<[string, Changes, Changes, later: number]>([
    ["go under another number", keyed("1-11"), keyed("11-1"), 0],
    ["go under two references after two days", referenced("0003"), referenced("3"), 2 * EQUAL_FOR_MS],
  ])("are two orders where they %s", async (_, first, second, later) => {
    const ledger = testLedger()
    const { made, send } = server()
    await create(ledger, send, first)
    ledger.clock.advance(later)
    await create(ledger, send, { ...express, ...second })
    expect(made).toHaveLength(2)
  })
})

it.each([
  ["goods", booking({ packages: request.packages?.map((each) => ({ ...each, weightKg: 9 })) })],
  ["receiver", booking({ receiver: { ...request.receiver, address1: "9 High Street" } })],
])("one number in two spellings for another %s is two orders", async (_, other) => {
  const ledger = testLedger()
  const { made, send } = server()
  await create(ledger, send, keyed("0003"))
  await create(ledger, send, { ...keyed("3"), request: other, content: { connectorId: "a", ...other } })
  expect(made).toHaveLength(2)
})

it("an order is booked once for one reference in two spellings, where a key names the first", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  const hashed = (reference: string) => ({ referenceHash: referenceHash(reference, request.receiver) })
  await create(ledger, send, { ...referenced("0003"), ...hashed("0003"), ...keyed("ABC") })
  const second = create(ledger, send, { ...express, ...referenced("3"), ...hashed("3") })
  expect(await failure(second)).toMatchObject({ standing: { kind: "equal" } })
  expect(made).toHaveLength(1)
})

it("an order is not sent under another spelling while its outcome is not known, nor with --again", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  const lost = refusing(new FreightError("outcomeUnknown", "the reply was lost"))
  await failure(create(ledger, lost, keyed("0003")))
  ledger.clock.advance(MONTH)
  for (const again of [false, true])
    expect(await failure(create(ledger, send, { ...express, ...keyed("3"), again }))).toMatchObject({
      kind: "outcomeUnknown",
      exitCode: 7,
    })
  expect(made).toEqual([])
})

it("an order is sent under another spelling after it was refused", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  await failure(create(ledger, refusing(new FreightError("refused", "no")), keyed("0003")))
  await create(ledger, send, { ...express, ...keyed("3") })
  expect(made).toHaveLength(1)
})

it("an order is never made again under another spelling where only the carrier has it", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  await createOnce(ledger, intent(keyed("0003")), send, () => ({ standing: true }))
  const error = await failure(create(ledger, send, { ...express, ...keyed("3"), again: true }))
  expect(error.message).toContain("the carrier already has this booking")
  expect(made).toHaveLength(1)
})

it("a label is printed once under two spellings of a key", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  const print: Changes = { kind: "label-print", content: { shipmentId: "shp-9" }, request: {}, facts: {} }
  await create(ledger, send, { ...print, ...keyed("L-1") })
  expect(await failure(create(ledger, send, { ...print, ...keyed("l 01") }))).toMatchObject({
    standing: { kind: "equal" },
  })
  await create(ledger, send, { ...print, ...keyed("L-2") })
  expect(made).toHaveLength(2)
})
