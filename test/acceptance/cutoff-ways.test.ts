/** Moments × zones × wishes through each way in: what is said of a service after its cutoff, and what is booked. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"

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

describe.each(MOMENTS)("collected in %s on %s, at %s, ready at %s", (place, day, at, ready, isTooLate) => {
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

  it("by book: fastest, within days, by a code alone, and past the cutoff where that is allowed", async () => {
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
