/** One order from several processes at once, with one key, different keys or none: one is booked, and the others are told. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BookingResponse, ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { desk, errorIn, type Ran } from "./freight.ts"
import { bookedBy, firstMoment, KILLABLE } from "./kills.ts"
import { type Order, order, saveOrders } from "./orders.ts"
import { hasTerminal } from "./pty.ts"
import { type Relay, startRelay } from "./relay.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"
import { readyDesk, TO_BOOK, take } from "./wizard.ts"

/** The request that is booked for the row `order(reference)`. */
type Request = ConsignmentBookingRequest

let sandbox: RunningSandbox
let relay: Relay
let bookedRequest: Request

beforeAll(async () => {
  // Slow enough that the others are there while the first one waits for its answer.
  sandbox = await startSandboxProcess(["--latency", "400"])
  relay = await startRelay(sandbox)
  const { folder, freight } = await desk(relay.reach)
  await saveOrders(folder, [order("sample")])
  await freight(["batch", "book", "orders.csv", "--no-rate"])
  const { shipments } = (await sandbox.control("books")) as { shipments: { request: Request }[] }
  bookedRequest = shipments.find(({ request }) => request.customerReference === "sample")?.request as Request
})
afterAll(async () => {
  await relay.close()
  await sandbox.stop()
})

const booked = async (reference: string) => bookedBy(await sandbox.control("books")).get(reference) ?? []
const codesOf = (all: readonly Ran[]) => all.map(({ code }) => code).sort()

/** A desk with the same order as a booking file and as a batch of one row. */
async function orderDesk(reference: string, ledger: string | undefined) {
  const made = await desk(relay.reach)
  const { folder } = made
  const row = order(reference, { "receiver.companyName": "One Receiver" })
  const request: Request = {
    ...bookedRequest,
    receiver: { ...bookedRequest.receiver, companyName: "One Receiver" },
    customerReference: reference,
  }
  await writeFile(path.join(folder, "booking.json"), JSON.stringify(request))
  await saveOrders(folder, [row])
  const env = { ...made.env, ...(ledger !== undefined && { FREIGHT_LEDGER: ledger }) }
  const run = (...args: string[]) => made.freight(args, { env, clock: false })
  const words = ["book", "--file", "booking.json", "--connector", "connector-b", "--json"]
  return {
    book: (...args: string[]) => run(...words, ...args),
    /** The same in a process that the test can kill, and that tells its first moment: it is about to claim. */
    start: (...args: string[]) =>
      spawn(process.execPath, [KILLABLE, ...words, ...args], {
        cwd: folder,
        env,
        stdio: ["ignore", "ignore", "ignore", "pipe"],
      }),
    post: (...args: string[]) =>
      run("api", "POST", "connector-b/shipments", "--file", "booking.json", "--json", ...args),
    batch: (...args: string[]) => run("batch", "book", "orders.csv", "--json", ...args),
    results: () => readFile(path.join(folder, "orders.results.csv"), "utf8"),
    booked: () => booked(reference),
  }
}

/** One of them has the booking, and each of the others is told of it. */
function expectOneBooked(all: readonly Ran[], ids: readonly string[], reference: string): void {
  expect(ids).toHaveLength(1)
  expect(relay.sent(reference)).toBe(1)
  expect(all.filter(({ code }) => code === 0)).toHaveLength(1)
  for (const { code, stdout, stderr } of all)
    if (code !== 0) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(errorIn(stderr)).toMatchObject({ kind: "refused", next: `freight shipments show ${ids[0]}` })
    }
}

const LEDGERS = [
  { name: "SQLite", isThere: true, newLedger: async () => undefined },
  { name: "PostgreSQL", isThere: SERVER !== undefined, newLedger: () => newDatabase() },
]

describe.each(LEDGERS)("processes that book at once, in $name", ({ name, isThere, newLedger }) => {
  const on = it.runIf(isThere)

  on.each([2, 8])("%d with the same key: one booking, and all of them have it", async (processes) => {
    const reference = `${name}-same-key-${processes}`
    const { book } = await orderDesk(reference, await newLedger())
    const all = await Promise.all(Array.from({ length: processes }, () => book("--key", reference)))
    expect(codesOf(all)).toEqual(Array(processes).fill(0))
    const ids = await booked(reference)
    expect(ids).toHaveLength(1)
    expect(new Set(all.map((each) => each.json<BookingResponse>().shipmentId))).toEqual(new Set(ids))
    expect(relay.sent(reference)).toBe(1)
  })

  on.each([2, 8, 32])(
    "%d processes, one with a key, most without, some by freight api POST: one booking",
    async (count) => {
      const reference = `${name}-${count}`
      const { book, post } = await orderDesk(reference, await newLedger())
      const all = await Promise.all(
        Array.from({ length: count }, (_, n) => {
          if (n === count - 1) return book("--key", `key-${count}`)
          return n % 3 === 2 ? post() : book()
        }),
      )
      expectOneBooked(all, await booked(reference), reference)
    },
  )

  on(
    "8 of one order, with a key that a person gave each: one booking, and the others are refused",
    async () => {
      const reference = `${name}-given`
      const { book, post } = await orderDesk(reference, await newLedger())
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, n) => (n === 0 ? post : book)("--key", `given-${n}`)),
      )
      const codes = codesOf(all)
      // Who comes while the first is sending does not know whether it will be made.
      expect(codes.filter((code) => code === 0)).toHaveLength(1)
      expect(codes.filter((code) => code !== 0 && code !== 1 && code !== 7)).toEqual([])
      expect(await booked(reference)).toHaveLength(1)
      expect(relay.sent(reference)).toBe(1)
    },
  )

  on("8 orders, with a key that a person gave each: 8 bookings", async () => {
    const references = Array.from({ length: 8 }, (_, n) => `${name}-order-${n}`)
    const { book } = await orderDesk(references[0] ?? "", await newLedger())
    const all = await Promise.all(
      references.map((reference) => book("--key", reference, "--reference", reference)),
    )
    expect(codesOf(all)).toEqual(Array(8).fill(0))
    for (const reference of references) expect(await booked(reference)).toHaveLength(1)
  })

  on("with the same key and other content: one booking, and the other is refused", async () => {
    const [one, other] = [`${name}-this`, `${name}-that`]
    const { book } = await orderDesk(one, await newLedger())
    const all = await Promise.all(
      [one, one, other, other].map((reference) => book("--key", "same", "--reference", reference)),
    )
    expect(codesOf(all)).toEqual([0, 0, 1, 1])
    expect([...(await booked(one)), ...(await booked(other))]).toHaveLength(1)
    expect(relay.sent(one) + relay.sent(other)).toBe(1)
    for (const { code, stderr } of all) if (code === 1) expect(errorIn(stderr).kind).toBe("refused")
  })

  on(
    "while the one that sends is killed: the others say that the outcome is unknown, and send nothing",
    async () => {
      const reference = `${name}-killed`
      const { start } = await orderDesk(reference, await newLedger())
      const there = relay.stop(reference, "arrived")
      const first = start("--key", reference)
      await there
      const others = [["--key", reference], ["--key", reference], []].map((key) => start(...key))
      const ended = Promise.all(others.map((each) => once(each, "exit")))
      await Promise.all(others.map(firstMoment))
      first.kill("SIGKILL")
      await once(first, "exit")
      expect((await ended).map(([code]) => code)).toEqual([7, 7, 7])
      expect(relay.sent(reference)).toBe(1)
      expect(await booked(reference)).toEqual([])
    },
  )

  on("by hand while a batch sends it: the batch books it, and the hand is told", async () => {
    const reference = `${name}-batch-first`
    const { book, batch, booked } = await orderDesk(reference, await newLedger())
    let byHand: Promise<Ran> | undefined
    relay.meanwhile(reference, async () => {
      byHand = book()
    })
    const ofBatch = await batch()
    const ran = await byHand
    expect(ofBatch.json()).toMatchObject({ booked: 1 })
    expectOneBooked([ofBatch, ran as Ran], await booked(), reference)
  })

  on("a batch while it is sent by hand: the row is told as a duplicate", async () => {
    const reference = `${name}-hand-first`
    const { book, batch, booked, results } = await orderDesk(reference, await newLedger())
    let ofBatch: Promise<Ran> | undefined
    relay.meanwhile(reference, async () => {
      ofBatch = batch()
    })
    const byHand = await book()
    const ran = await ofBatch
    expect(byHand.code).toBe(0)
    expect(ran?.json()).toMatchObject({ booked: 0 })
    const [id] = await booked()
    expect(await results()).toContain(`duplicate of shipment ${id}`)
    expect(relay.sent(reference)).toBe(1)
  })

  on("both at the same moment: one booking", async () => {
    const reference = `${name}-both`
    const { book, batch, booked } = await orderDesk(reference, await newLedger())
    const [byHand, ofBatch] = await Promise.all([book(), batch()])
    expect(await booked()).toHaveLength(1)
    expect(relay.sent(reference)).toBe(1)
    const { booked: byBatch } = ofBatch.json<{ booked: number }>()
    expect([byHand.code, byBatch]).toEqual(byHand.code === 0 ? [0, 0] : [1, 1])
  })

  describe.runIf(hasTerminal)("in the conversation", () => {
    /** Somebody at the last question, and the same order as a batch of one row. */
    async function wizardBeside() {
      const ledger = await newLedger()
      const env = ledger === undefined ? {} : { FREIGHT_LEDGER: ledger }
      const made = await readyDesk()
      const { receiver } = JSON.parse(await readFile(made.file, "utf8")) as Pick<Request, "receiver">
      const changes: Record<string, string> = {}
      for (const field of ["companyName", "address1", "suburb", "state", "postcode"] as const)
        changes[`receiver.${field}`] = receiver[field]
      await saveOrders(made.folder, [order("W-1", changes as Order)])
      const seat = await made.sit(["--file", made.file, "--reference", "W-1"], undefined, env)
      return { ...made, seat, batch: () => made.freight(["batch", "book", "orders.csv", "--json"], { env }) }
    }

    on("what a batch booked before the last answer is not booked again", async () => {
      const { seat, batch, shipments } = await wizardBeside()
      await take(seat, TO_BOOK.slice(0, -1))
      await seat.see("? Book it?")
      expect((await batch()).json()).toMatchObject({ booked: 1 })
      await take(seat, [
        ...TO_BOOK.slice(-1),
        ["A booking with the reference W-1 to the same receiver was made", "enter"],
      ])
      expect(await seat.exit).toBe(1)
      expect(await shipments()).toBe(1)
    })

    on("a batch holds back what was booked under the conversation's own key", async () => {
      const { seat, batch, shipments, folder } = await wizardBeside()
      await take(seat, [...TO_BOOK, ["? Print the label?"]])
      expect((await batch()).json()).toMatchObject({ booked: 0 })
      expect(await readFile(path.join(folder, "orders.results.csv"), "utf8")).toContain("duplicate of")
      seat.press("ctrl-c")
      await seat.exit
      expect(await shipments()).toBe(1)
    })
  })
})
