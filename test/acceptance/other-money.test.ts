/** Prices that cannot be compared, in another currency or not above 0: shown, booked by their code, never chosen by price. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { fresh } from "./batches.ts"
import { ownBooking } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

type Rate = Record<string, unknown>

/** Carrier B's general freight is the cheapest of all, and the first to arrive. */
const FIRST = { eta: "2026-11-01T00:00:00" }
const toDollars = ({ priceGst: _, priceIncGst: __, ...rate }: Rate) => ({
  ...rate,
  ...FIRST,
  price: 10,
  currency: "USD",
})
const toPrice = (price: number) => (rate: Rate) => ({
  ...rate,
  ...FIRST,
  price,
  priceGst: price / 10,
  priceIncGst: price * 1.1,
})
const ODD: [what: string, change: (rate: Rate) => Rate, why: string][] = [
  ["in another currency", toDollars, "GEN is in USD, which is not compared with AUD"],
  ["of 0.00", toPrice(0), "GEN has no price above 0.00"],
  ["below 0", toPrice(-5), "GEN has no price above 0.00"],
]

/** A desk at which carrier B's general freight is as `odd.change` makes it. */
async function oddDesk(odd: { change: (rate: Rate) => Rate }) {
  const changeAll = (rates: Rate[] | undefined) =>
    rates?.map((rate) => (rate.serviceCode === "GEN" ? odd.change({ ...rate }) : rate))
  const reach = await altered(sandbox, (reply) => {
    if (!reply.path.endsWith("/rates") || reply.status !== 200) return
    reply.change(({ results, rates, ...others }) => ({
      ...others,
      ...(rates !== undefined && { rates: changeAll(rates as Rate[]) }),
      ...(results !== undefined && {
        results: (results as { rates?: Rate[] }[]).map((each) => ({ ...each, rates: changeAll(each.rates) })),
      }),
    }))
  })
  const made = await desk(reach)
  await writeFile(
    path.join(made.folder, "booking.json"),
    JSON.stringify({ ...ownBooking(), serviceCode: undefined }),
  )
  const book = (...more: string[]) => made.freight(["book", "--file", "booking.json", "--json", ...more])
  const shop = (...more: string[]) => made.freight(["rate-shop", ...LANE, ...more])
  return { ...made, book, shop }
}

const LANE = [
  ...["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"],
  ...["--date", "2027-11-23"],
]
const WORDS = ["cheapest", "best-value", "fastest", "reliable"]
const sent = async () => ((await sandbox.control("books")) as { shipments: unknown[] }).shipments.length

describe.each(ODD)("a price %s", (_what, change, why) => {
  it("is shown last, with its currency, and a limit does not admit it", async () => {
    const { shop } = await oddDesk({ change })
    const all = await shop()
    const { price, currency } = change({ currency: "AUD" }) as { price: number; currency: string }
    const lines = all.stdout.trimEnd().split("\n")
    const amount = currency === "AUD" ? (price * 1.1).toFixed(2) : `${currency} ${price.toFixed(2)}`
    expect(lines.at(-1)).toContain("General Freight")
    expect(lines.find((line) => line.includes("General Freight"))).toContain(amount)
    expect(all.stderr).toContain(`B/${why}`)
    const limited = await shop("--max-price", "150")
    expect(limited.stdout).not.toContain("General Freight")
  })

  it.each(WORDS)("is not chosen as %s, and the reason says why", async (word) => {
    const { shop, book } = await oddDesk({ change })
    const shopped = await shop("--service", word)
    expect([shopped.code, shopped.stdout]).toEqual([0, expect.not.stringContaining("General Freight")])
    const ran = await book("--service", word, "--dry-run")
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.json<{ serviceCode: string }>().serviceCode).not.toBe("GEN")
  })

  it("is booked by its code, also within days, but not within a limit", async () => {
    const { book, shop } = await oddDesk({ change })
    const before = await sent()
    const limited = await book("--service", "GEN", "--max-price", "70", "--connector", "connector-b")
    expect([limited.code, errorIn(limited.stderr).errors[0].message]).toEqual([
      1,
      expect.stringContaining(why.slice("GEN ".length)),
    ])
    expect(await sent()).toBe(before)
    const booked = await book("--service", "GEN", "--within", "900d", "--connector", "connector-b")
    expect(booked.code, booked.stderr).toBe(0)
    const { price, currency } = change({ currency: "AUD" })
    expect(booked.json()).toMatchObject({ freight: { price, currency } })
    await shop("--service", "GEN")
    const named = await book("--rate", "1", "--max-price", "70", "--again")
    expect([named.code, await sent()]).toEqual([1, before + 1])
  })

  it("is left to its code in a batch and a plan", async () => {
    const made = await oddDesk({ change })
    const rows = [
      order(fresh(), { connector: "", service: "cheapest", maxPrice: "" }),
      order(fresh(), { maxPrice: "70" }),
      order(fresh(), { maxPrice: "" }),
    ]
    const file = await saveOrders(made.folder, rows)
    const dry = await made.freight(["batch", "book", file, "--dry-run", "--json"])
    const seen = dry.items<Record<string, string>>()
    expect(seen.map(({ serviceCode, state, error }) => [serviceCode, state, error])).toEqual([
      [expect.not.stringMatching("GEN"), "waiting", null],
      [null, "failed", expect.stringContaining(why.slice("GEN ".length))],
      ["GEN", "waiting", null],
    ])
    const { price, currency } = change({ currency: "AUD" })
    expect(seen[2]).toMatchObject({ price, currency })
    // An assistant's plan is the same command.
    const shown = await made.freight(["batch", "plan", file, "--json"])
    const planned = shown.items()
    expect(planned.map(({ serviceCode, state }) => [serviceCode, state])).toEqual([
      [expect.not.stringMatching("GEN"), "planned"],
      [null, "failed"],
      ["GEN", "planned"],
    ])
    const total = await made.freight(["batch", "book", file, "--max-total", "10000", "--json"])
    expect(total.stderr).toContain("its price in AUD is not known")
    const status = await made.freight(["batch", "status", file, "--json"])
    expect(status.json()).toMatchObject({ booked: 1 })
  })
})

it("a plan is not booked where a price is another currency by now", async () => {
  const odd = { change: (rate: Rate) => ({ ...rate, price: 10 }) }
  const made = await oddDesk(odd)
  await saveOrders(made.folder, [order(fresh())])
  expect((await made.freight(["batch", "plan", "orders.csv"])).code).toBe(0)
  odd.change = toDollars
  const ran = await made.freight(["batch", "book", "--plan", "orders.plan.json", "--check", "--json"])
  expect([ran.code, errorIn(ran.stderr).errors[0].message]).toEqual([
    1,
    expect.stringContaining("B/GEN was AUD 10.00 and is USD 10.00"),
  ])
})

it("book names the currency before it sends", async () => {
  const { book } = await oddDesk({ change: toDollars })
  const { code, stderr } = await book("--service", "GEN", "--connector", "connector-b")
  expect([code, stderr]).toEqual([0, expect.stringContaining("Price: USD 10.00, GST not stated")])
})
