/** A rate that is not what the contract says: it is shown, never chosen by itself, and hides no other. */
import type { Rates } from "../../src/app/library.ts"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { bookingDesk } from "./bookings.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

interface Rate {
  serviceCode: string
  price?: number
}
interface Result {
  connectorId: string
  success: boolean
  rates?: Rate[]
  error?: { message: string }
}

/** A desk where carrier B's cheapest rate, which is the cheapest of all, is another. */
async function deskWithOdd(change: (rate: Record<string, unknown>) => unknown) {
  const reach = await altered(sandbox, (reply) => {
    if (!reply.path.endsWith("/rates")) return
    reply.change(({ results, ...others }) => ({
      ...others,
      results: (results as Result[]).map((result) => ({
        ...result,
        rates: result.rates?.map((rate) => (rate.serviceCode === "GEN" ? change({ ...rate }) : rate)),
      })),
    }))
  })
  return bookingDesk(reach)
}

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
/** Within the reach of any choice: it would be the first by each of them. */
const BEST = { price: 1, priceGst: 0.1, priceIncGst: 1.1, eta: "2020-01-01T00:00:00" }

describe("a rate", () => {
  it.each<[what: string, change: (rate: Record<string, unknown>) => unknown]>([
    ["whose price is text", (rate) => ({ ...rate, ...BEST, price: "1.00" })],
    ["whose price is null", (rate) => ({ ...rate, ...BEST, price: null })],
    ["whose price is more than any", (rate) => ({ ...rate, ...BEST, price: 1e300 })],
    ["whose GST is more than any", (rate) => ({ ...rate, ...BEST, price: -1e300, priceIncGst: 1e300 })],
    ["without a currency", ({ currency: _, ...rate }) => ({ ...rate, ...BEST })],
    ["in another currency", (rate) => ({ ...rate, ...BEST, currency: "NZD" })],
    ["of a visibility that is not known", (rate) => ({ ...rate, ...BEST, visibility: "internal" })],
  ])("%s is shown, and not chosen as the cheapest or the fastest", async (_what, change) => {
    const { freight, book } = await deskWithOdd(change)
    const shopped = await freight(["rate-shop", ...LANE, "--json"])
    expect(shopped.code).toBe(0)
    expect(shopped.items<{ serviceCode: string }>().map(({ serviceCode }) => serviceCode)).toContain("GEN")
    expect((await freight(["rate-shop", ...LANE])).stdout).toContain("GEN")
    for (const wish of ["cheapest", "fastest"]) {
      const ran = await book("--service", wish, "--dry-run")
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.json<{ serviceCode: string }>().serviceCode).not.toBe("GEN")
    }
  })

  it("without its service is left out and named, and the others of all carriers stay", async () => {
    const { freight } = await deskWithOdd(({ serviceCode: _, ...rate }) => rate)
    const { code, stderr, json } = await freight(["rate-shop", ...LANE, "--json"])
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /1 of \d+ rates could not be read: results\[\d\]\.rates\[\d\]\.serviceCode is missing/,
    )
    const { items, failures } = json<Rates>()
    expect([new Set(items.map(({ connectorId }) => connectorId)).size, failures]).toEqual([3, []])
  })

  it("is what freight doctor --contract names: it asks for rates of a shipment of the account", async () => {
    const odd = { visibility: "internal", price: 1e300, driver: "Jo Smith" }
    const { freight, book } = await deskWithOdd((rate) => ({ ...rate, ...odd }))
    const made = await book("--no-rate")
    expect(made.code, made.stderr).toBe(0)
    const { code, stdout, json } = await freight(["doctor", "--contract", "--json"])
    expect(code).toBe(1)
    const rate = { endpoint: "POST /rates", count: expect.any(Number) }
    expect(json<{ items: object[] }>().items).toEqual(
      expect.arrayContaining([
        { ...rate, path: "results[].rates[].visibility", is: "unlisted", found: "internal" },
        { ...rate, path: "results[].rates[].price", is: "mistyped", found: "a number that is too large" },
        { ...rate, path: "results[].rates[].driver", is: "additional", found: "text" },
      ]),
    )
    expect(stdout).not.toMatch(/Jo Smith|1e\+?300/)
  })

  it("list that is none is one carrier's failure", async () => {
    const reach = await altered(sandbox, (reply) => {
      if (!reply.path.endsWith("/rates")) return
      reply.change(({ results, ...others }) => ({
        ...others,
        results: (results as Result[]).map((result, n) => (n === 0 ? { ...result, rates: "none" } : result)),
      }))
    })
    const { freight } = await bookingDesk(reach)
    const { code, json } = await freight(["rate-shop", ...LANE, "--json"])
    expect(code).toBe(0)
    const { items, failures } = json<Rates>()
    expect(failures).toMatchObject([{ message: "its rates could not be read" }])
    expect(new Set(items.map(({ connectorId }) => connectorId)).size).toBe(2)
  })
})
