/** Moments × zones × wishes through each way in: what is said of a service after its cutoff, and what is booked. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { FreightError, openFreight } from "../../src/app/library.ts"
import type { ListedOrder } from "../../src/app/library.ts"
import { assistant } from "./assistants.ts"
import { draw } from "../drawn.ts"
import { desk } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { answering } from "./seats.ts"

/** Connector B: PRM is to be booked by 15:00, EXP by 16:00 and GEN by 14:00, on the clock at the collection. */
const PLACES = {
  Sydney: { suburb: "Alexandria", state: "NSW", postcode: "2015" },
  Perth: { suburb: "Fremantle", state: "WA", postcode: "6160" },
  Darwin: { suburb: "Darwin", state: "NT", postcode: "0800" },
}
type Place = keyof typeof PLACES

/** A place, a day there, the moment, when the goods are ready there, and whether PRM is too late then. */
const MOMENTS: [place: Place, day: string, at: string, ready: string, isTooLate: boolean][] = [
  ["Sydney", "2027-02-09", "2027-02-09T14:59:00+11:00", "15:30", false],
  ["Sydney", "2027-02-09", "2027-02-09T15:01:00+11:00", "15:30", true],
  // Ready after the last collection.
  ["Sydney", "2027-02-09", "2027-02-09T08:54:00+11:00", "16:45", true],
  // Goods of a later day.
  ["Sydney", "2027-02-10", "2027-02-09T18:00:00+11:00", "10:00", false],
  // Three hours behind Sydney.
  ["Perth", "2027-02-09", "2027-02-09T17:30:00+11:00", "15:30", false],
  ["Perth", "2027-02-09", "2027-02-09T18:01:00+11:00", "15:30", true],
  // One hour and a half.
  ["Darwin", "2027-02-09", "2027-02-09T16:29:00+11:00", "15:30", false],
  ["Darwin", "2027-02-09", "2027-02-09T16:31:00+11:00", "15:30", true],
  // The day on which summer time begins: a Sunday.
  ["Sydney", "2026-10-04", "2026-10-04T03:59:00Z", "15:30", false],
  ["Sydney", "2026-10-04", "2026-10-04T04:01:00Z", "15:30", true],
  // The first working day of summer time, and the last before it.
  ["Sydney", "2026-10-05", "2026-10-05T03:59:00Z", "15:30", false],
  ["Sydney", "2026-10-05", "2026-10-05T04:01:00Z", "15:30", true],
  ["Sydney", "2026-10-02", "2026-10-02T04:59:00Z", "15:30", false],
  ["Sydney", "2026-10-02", "2026-10-02T05:01:00Z", "15:30", true],
]

async function sit(place: Place, day: string, at: string, ready: string) {
  const now = Date.parse(at)
  const sandbox = await ownSandbox()
  await sandbox.control("clock", { set: new Date(now).toISOString() })
  const made = await desk(sandbox, now)
  const { serviceCode: _, ...example } = JSON.parse((await made.freight(["book", "--example"])).stdout)
  const where = { ...example.sender, ...PLACES[place] }
  const receiver = { ...example.receiver, suburb: "Hobart", state: "TAS", postcode: "7000" }
  const order = (reference: string, serviceCode: string, more: object = {}) => ({
    ...example,
    ...{ sender: where, collection: where, receiver, customerReference: reference, serviceCode },
    ...{ collectionDateTime: `${day}T${ready}:00`, collectionCloseTime: "1730", ...more },
  })
  const save = (name: string, value: unknown) =>
    writeFile(path.join(made.folder, name), JSON.stringify(value))
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await made.freight(words)
    return { code, said: `${stdout}\n${stderr}` }
  }
  return {
    order,
    save,
    run,
    /** An assistant, and a program that calls the library: both with the same clock. */
    assistant: async () => (await assistant(made, [], { clock: { now } })).call,
    openLibrary(notes: string[]) {
      const freight = openFreight({
        ...{ env: { ...made.env }, clock: { now: () => now } },
        onNote: (line) => void notes.push(line),
      })
      onTestFinished(() => freight.close())
      return freight
    },
    /** Answers all questions of `freight book`, and says what was read. */
    async answer(service: string, ...words: string[]) {
      const said: string[] = []
      const host = { converse: async () => answering(service, said) }
      const { code } = await made.freight(words, { columns: 100, host })
      return { code, said: said.join("\n") }
    },
    /** The services that were booked, by reference. */
    async booked() {
      const { shipments } = (await sandbox.control("books")) as {
        shipments: { request: { customerReference: string; serviceCode: string } }[]
      }
      return Object.fromEntries(
        shipments.map(({ request }) => [request.customerReference, request.serviceCode]),
      )
    },
  }
}

/** One of each verdict, and others drawn: which moment has which verdict is `test/orders/booking/cutoffs.test.ts`. */
const [inTime, tooLate, ...others] = MOMENTS
const TRIED = [inTime, tooLate, ...draw(others)].filter((each) => each !== undefined)

describe.each(TRIED)("collected in %s on %s, at %s, ready at %s", (place, day, at, ready, isTooLate) => {
  const open = () => sit(place, day, at, ready)
  const connector = ["--connector", "connector-b"]

  it(`${isTooLate ? "is" : "is not"} marked by rate-shop, and ${isTooLate ? "not " : ""}its fastest`, async () => {
    const { run } = await open()
    const { suburb, state, postcode } = PLACES[place]
    // rate-shop knows the day, and not when the goods are ready.
    const isPast = isTooLate && ready !== "16:45"
    const words = ["rate-shop", "--from", `${suburb} ${state} ${postcode}`, "--to", "Hobart TAS 7000"]
    const shop = [...words, "--package", "30x20x10@2", "--date", day, ...connector]
    expect(/! Premium/.test((await run(...shop)).said)).toBe(isPast)
    expect(/! Premium|Premium/.test((await run(...shop, "--fastest")).said)).toBe(!isPast)
  })

  it("book takes a service that is too late by its code or with --allow-past, and not for the arrival that is asked for", async () => {
    const { run, order, save, booked } = await open()
    const book = async (name: string, serviceCode: string, ...more: string[]) => {
      await save("booking.json", order(name, serviceCode))
      return run("book", "--file", "booking.json", "--yes", ...connector, ...more)
    }
    await book("FAST", "fastest")
    const within = await book("WITHIN", "PRM", "--within", "60d")
    const named = await book("NAMED", "PRM")
    expect(within.code).toBe(isTooLate ? 1 : 0)
    expect(named).toMatchObject({ code: 0 })
    expect(named.said.includes("PRM is too late for today")).toBe(isTooLate)
    const { FAST, ...others } = await booked()
    expect(others).toEqual(isTooLate ? { NAMED: "PRM" } : { NAMED: "PRM", WITHIN: "PRM" })
    expect(FAST === "PRM").toBe(!isTooLate)
    if (!isTooLate) return
    const allowed = await book("WITHIN", "PRM", "--within", "60d", "--allow-past")
    expect([allowed.code, (await booked()).WITHIN]).toEqual([0, "PRM"])
  })

  it("an assistant gets no plan for an arrival that is asked for and missed; other orders are planned with a warning and booked", async () => {
    const { order, assistant, booked } = await open()
    const call = await assistant()
    const plan = (reference: string, more: object) => {
      const { customerReference: _, serviceCode: __, ...rest } = order(reference, "")
      const booking = { ...rest, reference, service: "PRM", connector: "connector-b", ...more }
      return call("plan_booking", { bookings: [booking], newOrders: true })
    }
    const within = await plan("WITHIN", { within: 60 })
    const [row] = within.data.items as [{ state: string }]
    expect(row.state).toBe(isTooLate ? "failed" : "planned")
    expect(within.text.includes("too late for today")).toBe(isTooLate)
    const named = await plan("NAMED", {})
    expect(named.text.includes("too late for today")).toBe(isTooLate)
    const { planHash } = named.data
    const done = await call("book_plan", { planHash, idempotencyKey: "k" })
    expect([done.isError, await booked()]).toEqual([false, { NAMED: "PRM" }])
  })

  it("a program is refused an arrival that is asked for and missed; other orders are booked with a warning", async () => {
    const { order, openLibrary, booked } = await open()
    const notes: string[] = []
    const freight = openLibrary(notes)
    const toOrder = (reference: string, more: object = {}) =>
      ({ ...order(reference, "PRM"), connector: "connector-b", ...more }) as unknown as ListedOrder
    const within = await freight
      .book(toOrder("WITHIN", { within: 60 }), { again: true })
      .catch((error) => error)
    expect(within instanceof FreightError ? within.message : "").toEqual(
      isTooLate ? expect.stringContaining("can no longer be booked") : "",
    )
    const [listed, named] = await freight.bookAll([toOrder("LISTED", { within: 60 }), toOrder("NAMED")], {
      newOrders: true,
    })
    expect([listed?.state, named?.state]).toEqual([isTooLate ? "too-late" : "booked", "booked"])
    expect(String(named?.warnings).includes("PRM is too late for today")).toBe(isTooLate)
    expect(await booked()).toEqual(
      isTooLate ? { NAMED: "PRM" } : { WITHIN: "PRM", LISTED: "PRM", NAMED: "PRM" },
    )
  })

  it("the wizard marks a service that is too late, and leaves it out where its arrival is asked for", async () => {
    const { order, save, answer, booked } = await open()
    const book = async (name: string, ...more: string[]) => {
      const { serviceCode: _, ...request } = order(name, "")
      await save("open.json", request)
      return answer("Premium", "book", "--file", "open.json", ...connector, ...more)
    }
    const within = await book("WITHIN", "--within", "60d")
    expect(/^B +Premium/m.test(within.said)).toBe(!isTooLate)
    expect((await booked()).WITHIN === "PRM").toBe(!isTooLate)
    const named = await book("NAMED", "--again")
    expect(/^B +! Premium.* too late today/m.test(named.said)).toBe(isTooLate)
    expect([named.code, (await booked()).NAMED]).toEqual([0, "PRM"])
  })

  it.each([
    "batch",
    "plan",
  ])("by %s: what was wished for its arrival is left, and the rest is sent", async (way) => {
    const { run, order, save, booked } = await open()
    const on = { connector: "connector-b" }
    await save("orders.json", [order("WITHIN", "PRM", { ...on, within: "60d" }), order("NAMED", "PRM", on)])
    if (way === "plan") await run("batch", "plan", "orders.json", "--new-orders")
    const source = way === "plan" ? ["--plan", "orders.plan.json", "--skip-invalid"] : ["orders.json"]
    const { code, said } = await run("batch", "book", ...source, "--yes", "--new-orders")
    expect([code, await booked()]).toEqual(
      isTooLate ? [expect.any(Number), { NAMED: "PRM" }] : [0, { NAMED: "PRM", WITHIN: "PRM" }],
    )
    expect(said.includes("too late for today")).toBe(isTooLate)
  })
})
