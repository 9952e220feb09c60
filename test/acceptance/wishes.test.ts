/** Wishes for a service: the same words for rates, bookings, batches and profiles, and each choice explained. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { errorOf, fresh, orderDesk } from "./batches.ts"
import { bookingDesk } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const WHEN = ["--date", "2027-11-23"]
const codesOf = (rates: readonly { serviceCode: string }[]) =>
  rates.map(({ serviceCode }) => serviceCode).sort()
const sent = async () => ((await sandbox.control("books")) as { shipments: unknown[] }).shipments.length

describe("rate-shop", () => {
  const shop = async (...wishes: string[]) =>
    (await desk(sandbox)).freight(["rate-shop", ...LANE, ...WHEN, "--json", ...wishes])

  it("shows only what meets the wishes", async () => {
    const some = await shop("--within", "3d", "--avoid", "B", "--avoid", "701", "--max-price", "150")
    expect(codesOf(some.items<{ serviceCode: string }>())).toEqual(["75", "EXP"])
    expect(some.stderr).toContain("8 rates left out: at most 150.00, within 3 days, not B, 701.\n")
    expect(some.stderr).toContain("Cheapest: C/EXP at 112.12, arriving in 1 day; 75 is 14.41 dearer; ")
  })

  it("has the same shape for a single connector", async () => {
    const shown = await shop("--connector", "connector-a", "--within", "2 days")
    expect(codesOf(shown.items<{ serviceCode: string }>())).toEqual(["701", "712", "75"])
  })
})

/** A desk with the example booking under a reference of its own, without a service. */
async function exampleDesk() {
  const made = await bookingDesk(sandbox)
  const { serviceCode: _, ...example } = (
    await made.freight(["book", "--example"])
  ).json<ConsignmentBookingRequest>()
  const receiver = { ...example.receiver, address1: `${fresh()} Market Street` }
  const save = (changes: object = {}) =>
    writeFile(
      path.join(made.folder, "booking.json"),
      JSON.stringify({ ...example, receiver, customerReference: fresh(), ...changes }),
    )
  await save()
  return { ...made, save }
}

describe("book", () => {
  it("chooses by the wishes, says why, and keeps it with the booking", async () => {
    const { book } = await exampleDesk()
    const ran = await book("--service", "cheapest", "--avoid", "C", "--key", fresh())
    const why = "B/GEN at 70.29 with GST; 76 is at 74.43 to 81.87 with GST; STD is on your avoid list"
    expect(ran.stderr).toContain(`Chosen: ${why}`)
    expect(ran.json()).toMatchObject({ connectorId: "connector-b", freight: { why } })
  })

  it("checks a named service and a named rate against them, and sends nothing", async () => {
    const { book, freight, save } = await exampleDesk()
    const before = await sent()
    const late = await book("--service", "GEN", "--within", "3d")
    expect([late.code, errorIn(late.stderr).message]).toEqual([
      1,
      "service GEN does not meet your wishes (within 3 days)",
    ])
    const avoided = await book("--service", "GEN", "--avoid", "B")
    expect([avoided.code, errorIn(avoided.stderr).message]).toEqual([
      1,
      "service GEN of carrier B is on your avoid list; nothing was sent",
    ])
    await freight(["rate-shop", ...LANE, "--format", "csv"])
    const rate = await book("--rate", "1", "--max-price", "62.51")
    expect([rate.code, errorIn(rate.stderr).errors]).toEqual([
      1,
      [{ message: "C/STD at 62.52 is 0.01 over the limit" }],
    ])
    expect((await book("--rate", "1", "--service", "cheapest")).code).toBe(2)
    await save({ rateId: "rate-of-another-machine", quoteId: "q", serviceCode: "GEN" })
    expect((await book("--connector", "connector-b", "--within", "9d")).code).toBe(1)
    expect(await sent()).toBe(before)
  })

  it("heeds the profile's wishes, and its service where none is named", async () => {
    const { book, freight } = await exampleDesk()
    for (const [key, value] of [
      ["service", "cheapest"],
      ["avoid", "C, GEN"],
      ["maxPrice", "85"],
    ] as const)
      expect((await freight(["config", "set", key, value])).code).toBe(0)
    expect((await book()).json()).toMatchObject({
      connectorId: "connector-a",
      freight: { why: expect.stringContaining("A/76 at 74.43") },
    })
    expect((await book("--service", "GEN", "--again")).code).toBe(1)
    expect((await book("--service", "GEN", "--again", "--avoid", "none")).code).toBe(0)
    expect((await book("--max-price", "70", "--again")).code).toBe(1)
  })
})

describe("a profile", () => {
  it("names the setting that is wrong where it was written by hand", async () => {
    const made = await desk(sandbox)
    await made.freight(["config", "set", "maxPrice", "80"])
    const file = (await made.freight(["config", "path"])).stdout.trim()
    await writeFile(file, JSON.stringify({ current: "default", profiles: { default: { maxPrice: "much" } } }))
    const { code, stderr } = await made.freight(["rate-shop", ...LANE, "--json"])
    expect([code, errorIn(stderr).message]).toEqual([
      2,
      'the setting maxPrice of profile "default" takes an amount such as 1250 or 19.95, not "much"',
    ])
  })
})

describe("batch book", () => {
  const open = { connector: "", service: "cheapest" }

  it("heeds a row's wishes before the flags, and those before the profile", async () => {
    const [one, two, three] = [fresh(), fresh(), fresh()]
    const { book, freight } = await orderDesk(
      [
        order(one, { ...open, "Avoid service": "", "Within days": "" }),
        order(two, { ...open, "Avoid service": "C, GEN", "Within days": "" }),
        order(three, { ...open, "Avoid service": "none", "Within days": "2d" }),
      ],
      sandbox,
    )
    await freight(["config", "set", "avoid", "B"])
    await freight(["config", "set", "within", "1d"])
    const rows = (await book("--avoid", "C", "--within", "30d", "--dry-run")).items<Record<string, string>>()
    expect(rows.map(({ serviceCode, why }) => [serviceCode, why])).toEqual([
      ["GEN", expect.stringContaining("B/GEN at 70.29 with GST, arriving ")],
      [
        "76",
        expect.stringMatching(
          /^A\/76 at 74.43 to 81.87 with GST, .*; STD is on your avoid list; GEN is on your avoid list$/,
        ),
      ],
      ["EXP", expect.stringMatching(/^C\/EXP at 112.12, arriving in 1 day; .*STD arrives \d days late/)],
    ])
  })

  it("keeps why in the results, and gives it again", async () => {
    const made = await orderDesk([order(fresh(), open)], sandbox)
    for (let run = 0; run < 2; run++) {
      expect((await made.book()).code).toBe(0)
      expect((await made.results())[0]?.["freight.why"]).toBe(
        "C/STD at 62.52 to 68.77 with GST; GEN is at 70.29 with GST",
      )
    }
  })

  it("tells what is wrong with a wish, with its row and column", async () => {
    const { book } = await orderDesk(
      [
        order(fresh(), { ...open, avoid: "GEM", within: "" }),
        order(fresh(), { ...open, avoid: "", within: "soon" }),
        order(fresh(), { service: "GEN", avoid: "B", within: "" }),
      ],
      sandbox,
    )
    const { errors = [] } = errorOf(await book())
    expect(errors.map(({ field, message }) => [field, message])).toEqual([
      [
        "avoid",
        expect.stringContaining('row 2, avoid: "GEM" is neither a service nor a carrier: did you mean GEN?'),
      ],
      ["within", expect.stringContaining('row 3, within: "soon" is not a number of days')],
      ["service", expect.stringContaining('row 4, service: "GEN" of connector-b is on your avoid list')],
    ])
  })

  it("asks for no rate where no wish needs one", async () => {
    const made = await desk(sandbox)
    const file = await saveOrders(made.folder, [order(fresh())])
    const ran = await made.freight([
      "batch",
      "book",
      file,
      "--no-rate",
      "--avoid",
      "C",
      "--verbose",
      "--json",
    ])
    expect(ran.code).toBe(0)
    expect(ran.stderr).not.toContain("/rates")
  })
})
