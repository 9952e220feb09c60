/** Services that are too late for today: shown, asked about, refused. The clock stands where each test puts it. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import {
  type Plan,
  type PlannedRow,
  type PlanRow,
  planText,
  sealPlan,
} from "../../src/orders/batch/plan/plan.ts"
import { assistant } from "./assistants.ts"
import { desk, errorIn } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"

/** In Sydney, on a Tuesday: air is to be booked by 15:00 and collected by 16:30, road by 16:00 and 17:30. */
const DAY = "2027-02-09"

/** @param at the time in Sydney @param ready when the goods are ready */
async function sit(at: string, ready: string) {
  const now = Date.parse(`${DAY}T${at}:00+11:00`)
  const sandbox = await ownSandbox()
  await sandbox.control("clock", { set: new Date(now).toISOString() })
  const made = await desk(sandbox, now)
  const { stdout } = await made.freight(["book", "--example"])
  const { serviceCode: _, ...example } = JSON.parse(stdout)
  const booking = {
    ...example,
    customerReference: "SO-CUT",
    collectionDateTime: ready,
    collectionCloseTime: "1730",
  }
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(booking))
  const book = (...more: string[]) => made.freight(["book", "--file", "booking.json", "--yes", ...more])
  return {
    ...made,
    sandbox,
    booking,
    book,
    /** Rows with connector B's services, or ways to choose one. */
    async saveRows(...services: string[]) {
      const rows = services.map((serviceCode, n) => ({
        ...booking,
        customerReference: `SO-${n}`,
        connector: "connector-b",
        serviceCode,
      }))
      await writeFile(path.join(made.folder, "orders.json"), JSON.stringify(rows))
    },
    /** Runs a command later on the same day. */
    async later(time: string, ...words: string[]) {
      const then = Date.parse(`${DAY}T${time}:00+11:00`)
      await sandbox.control("clock", { set: new Date(then).toISOString() })
      return made.freight(words, { now: then })
    },
  }
}

const TODAY = `${DAY}T16:45:00`
/** So that air may collect it. */
const AIR = `${DAY}T15:30:00`

describe("a booking after the cutoffs of today", () => {
  it.each([
    ["--service", "fastest"],
    ["--service", "cheapest", "--within", "9d"],
  ])("is refused in a script where it is wished for its arrival: %s %s", async (...words) => {
    const { book } = await sit("16:40", TODAY)
    const { code, stderr } = await book("--connector", "connector-b", "--json", ...words)
    const { message } = errorIn(stderr)
    expect([code, message]).toEqual([1, expect.stringContaining("can still be booked in time for today")])
    expect(stderr).toContain("is too late for today (to be booked by")
    expect(stderr).toContain("it may go on Wed 10 Feb")
  })

  it("is made with --allow-past, and says that it may go later", async () => {
    const { book } = await sit("16:40", TODAY)
    const { code, stderr } = await book("--connector", "connector-b", "--service", "fastest", "--allow-past")
    expect([code, stderr]).toEqual([0, expect.stringContaining("is too late for today")])
  })

  it("is made without a wish for its arrival, with a warning", async () => {
    const { book } = await sit("16:40", TODAY)
    const { code, stderr } = await book("--connector", "connector-b", "--service", "PRM")
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        "service PRM is too late for today (to be booked by 15:00): it may go on Wed 10 Feb",
      ),
    ])
  })

  it("is not refused for goods of another day, and nothing is said", async () => {
    const { book } = await sit("16:40", "2027-02-10T10:00:00")
    const { code, stderr } = await book("--connector", "connector-b", "--service", "fastest")
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("too late")])
  })
})

it("book takes the fastest service that is in time", async () => {
  // Air is closed, road is open.
  const { book } = await sit("15:20", `${DAY}T15:30:00`)
  const { code, stderr } = await book("--connector", "connector-b", "--service", "fastest")
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Chosen: B\/EXP /)])
  expect(stderr).toMatch(/PRM is too late for today \(to be booked by 15:00\)/)
})

it.each([
  [["--within", "9d"], { "as taken": 96.24, cheapest: 96.24, fastest: 96.24 }],
  // Nothing but the price was wished for: the cheapest was to be had.
  [[], { "as taken": 70.29, cheapest: 70.29, fastest: 96.24 }],
] as [
  string[],
  object,
][])("counts in report savings what was too late as no choice of those that go by the day: %j", async (limits, costs) => {
  // GEN is the cheapest, and was to be booked by 14:00; EXP is in time.
  const { book, later } = await sit("15:20", `${DAY}T15:30:00`)
  expect(await book("--connector", "connector-b", "--service", "cheapest", ...limits)).toMatchObject({
    code: 0,
  })
  const { json } = await later("15:21", "report", "savings", "--json")
  const rows = json<{ items: { way: string; amount: number }[] }>().items
  expect(Object.fromEntries(rows.map(({ way, amount }) => [way, amount]))).toMatchObject(costs)
})

it("rate-shop marks the row of a rate that is too late", async () => {
  const { freight } = await sit("15:20", TODAY)
  const { stdout, stderr } = await freight([
    ...["rate-shop", "--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"],
    ...["--package", "30x20x10@2"],
  ])
  expect(stdout).toMatch(/! Overnight Express .* 15:00 passed/)
  expect(stdout).not.toMatch(/! Road Express/)
  expect(stderr).toContain("! too late for today: it may go on Wed 10 Feb")
})

it.each([
  60, 80,
])("rate-shop shows in %i columns what the offers are sorted by, also where they are too late", async (columns) => {
  const { freight } = await sit("17:40", TODAY)
  const shop = async (...more: string[]) => {
    const places = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"]
    return (await freight(["rate-shop", ...places, "--package", "30x20x10@2", ...more], { columns })).stdout
  }
  expect(await shop()).toMatch(/TOTAL AUD INC GST/)
  const byArrival = await shop("--sort", "eta")
  expect(byArrival).toMatch(/ARRIVES/)
  expect(byArrival).toMatch(/may arrive \w{3} \d+ Feb \(\d+ days?\)/)
})

it("a batch leaves a row too-late whose service preference cannot be met, and books the others", async () => {
  const { freight, saveRows } = await sit("16:40", TODAY)
  await saveRows("fastest", "PRM", "GEN")
  const { code, stdout, stderr } = await freight([
    "batch",
    "book",
    "orders.json",
    "--yes",
    "--new-orders",
    "--json",
  ])
  expect(stderr).toContain("SO-0): no rate can still be booked in time for today")
  expect(stderr).not.toContain("--allow-past")
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { booked: 2, tooLate: 1, afterCutoff: 2 }])
})

it("batch book counts in one line the rows of a batch that were sent after their cutoff", async () => {
  const { freight, saveRows, folder } = await sit("15:20", TODAY)
  await saveRows("PRM", "GEN", "EXP")
  const { code, stdout } = await freight(["batch", "book", "orders.json", "--yes", "--new-orders"])
  expect(stdout.match(/^.*cutoff.*$/gm)).toEqual([
    "2 rows were sent after the carrier's cutoff for today, and may go on a later day: the results say which.",
  ])
  expect(code).toBe(0)
  const results = await readFile(path.join(folder, "orders.results.ndjson"), "utf8")
  expect(results).toContain("service PRM is too late for today (to be booked by 15:00)")
  expect(results).not.toContain("service EXP is too late")
})

describe("a plan that was approved in the morning", () => {
  it("says what is too late by now before it sends anything", async () => {
    const { freight, saveRows, later, sandbox } = await sit("08:54", AIR)
    await saveRows("PRM", "EXP", "fastest")
    expect(await freight(["batch", "plan", "orders.json", "--new-orders"])).toMatchObject({ code: 0 })
    const { code, stderr } = await later(
      "15:20",
      "batch",
      "book",
      "--plan",
      "orders.plan.json",
      "--new-orders",
    )
    expect(stderr).toContain(
      '2 rows are too late for today, and may go on a later day: "SO-0", "SO-2"; 1 of them was chosen for its arrival, and is sent only if another rate meets that',
    )
    expect(stderr.indexOf("2 rows are too late")).toBeLessThan(stderr.indexOf("not booked"))
    const { shipments } = (await sandbox.control("books")) as {
      shipments: { request: { customerReference: string } }[]
    }
    expect(shipments.map(({ request }) => request.customerReference).sort()).toEqual(["SO-0", "SO-1"])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/SO-2\): service PRM can no longer be booked/)])
  })

  it("says nothing of it in time, and for goods of another day", async () => {
    for (const [ready, time] of [
      [AIR, "13:59"],
      ["2027-02-10T10:00:00", "18:00"],
    ] as const) {
      const { freight, saveRows, later } = await sit("08:54", ready)
      await saveRows("PRM", "EXP", "fastest")
      expect(await freight(["batch", "plan", "orders.json", "--new-orders"])).toMatchObject({ code: 0 })
      const { code, stderr } = await later(
        time,
        "batch",
        "book",
        "--plan",
        "orders.plan.json",
        "--new-orders",
      )
      expect([code, stderr]).toEqual([0, expect.not.stringContaining("too late")])
    }
  })
})

describe("a plan that was approved past a cutoff", () => {
  const BOOK_PLAN = ["batch", "book", "--plan", "orders.plan.json", "--new-orders"]

  it("is booked where that was allowed", async () => {
    const { freight, saveRows, later } = await sit("16:40", TODAY)
    await saveRows("fastest")
    const plan = ["batch", "plan", "orders.json", "--new-orders"]
    expect(await freight([...plan, "--allow-past"])).toMatchObject({ code: 0 })
    expect(await later("16:42", ...BOOK_PLAN)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("1 row is too late for today, and may go on a later day"),
    })
  })

  it("is refused where only what was in time was approved, though more was allowed", async () => {
    const { freight, saveRows, later } = await sit("14:50", `${DAY}T15:30:00`)
    await saveRows("fastest")
    const plan = ["batch", "plan", "orders.json", "--new-orders"]
    expect(await freight([...plan, "--allow-past"])).toMatchObject({ code: 0 })
    const { code, stderr } = await later("15:20", ...BOOK_PLAN)
    expect([code, stderr]).toEqual([1, expect.stringContaining("can no longer be booked")])
  })

  it("is booked by an assistant that was told so", async () => {
    const made = await sit("16:40", TODAY)
    const { customerReference: reference, ...booking } = made.booking
    const wished = { ...booking, reference, connector: "connector-b", service: "fastest" }
    const { call } = await assistant(made, [], { clock: { now: Date.parse(`${DAY}T16:40:00+11:00`) } })
    const planned = await call("plan_booking", { bookings: [wished], allowPast: true })
    expect(planned.isError, planned.text).toBe(false)
    const booked = await call("book_plan", { planHash: planned.data.planHash, idempotencyKey: "k" })
    expect(booked.isError, booked.text).toBe(false)
  })
})

describe("a collection time that passed while the plan was made", () => {
  /** Rows were checked at 09:58 for goods that are ready at 10:00. @param change of the sealed plan */
  async function planSlowly(flags: string[], change: (row: PlanRow) => PlanRow = (row) => row) {
    const made = await sit("09:58", `${DAY}T10:00:00`)
    await made.saveRows("GEN")
    expect(await made.freight(["batch", "plan", "orders.json", "--new-orders", ...flags])).toMatchObject({
      code: 0,
    })
    const file = path.join(made.folder, "orders.plan.json")
    const plan = JSON.parse(await readFile(file, "utf8")) as Plan
    const madeAt = new Date(`${DAY}T10:01:00+11:00`).toISOString()
    await writeFile(file, planText(sealPlan({ ...plan, madeAt, rows: plan.rows.map(change) })))
    return made.later("11:00", "batch", "book", "--plan", "orders.plan.json", "--new-orders")
  }

  it("is refused when the plan is booked: nobody allowed it", async () => {
    const { code, stderr } = await planSlowly([])
    expect([code, stderr]).toEqual([2, expect.stringContaining("is past: ready")])
  })

  it("is booked where --allow-past was said for the plan", async () => {
    expect(await planSlowly(["--allow-past"])).toMatchObject({ code: 0 })
  })

  it("is refused of a plan that does not say what was allowed, as earlier versions made them", async () => {
    const { code, stderr } = await planSlowly(["--allow-past"], (row) => {
      const { allowed: _, ...earlier } = row as PlannedRow
      return earlier as PlannedRow
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining("is past: ready")])
  })
})

describe("a rate that was looked up in the morning", () => {
  async function shopInTheMorning(...more: string[]) {
    const made = await sit("08:54", AIR)
    const places = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"]
    const goods = ["--package", "2x40x30x20@5.5", "--date", DAY]
    const account = ["--service", "PRM", "--connector", "connector-b"]
    await made.freight(["rate-shop", ...places, ...goods, ...account, ...more])
    const bookAt = (time: string, ...more: string[]) =>
      made.later(time, "book", "--file", "booking.json", "--rate", "1", "--yes", ...more)
    return { ...made, bookAt }
  }

  it("is priced again after its cutoff for the home that it was quoted for", async () => {
    const prices = []
    for (const words of [[], ["--to-residential"]]) {
      const { bookAt, later } = await shopInTheMorning(...words)
      for (const time of ["14:55", "15:20"]) {
        const { stderr } = await bookAt(time, "--dry-run")
        prices.push(/^Price: AUD [\d.]+/m.exec(stderr)?.[0])
      }
      expect(await bookAt("15:20")).toMatchObject({ code: 0 })
      const { json } = await later("15:21", "evidence", "SO-CUT", "--json")
      expect(json<{ booking: object }>().booking).toMatchObject({
        own: { "receiver.residential": words.length > 0 },
      })
    }
    const [business, , home] = prices
    expect(home).not.toBe(business)
    expect(prices).toEqual([business, business, home, home])
  })

  it("is booked after its cutoff with a warning, at the price that it has by then", async () => {
    const { bookAt } = await shopInTheMorning()
    const { code, stderr } = await bookAt("15:20")
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("service PRM is too late for today (to be booked by 15:00)"),
    ])
  })

  it("is refused after it where a day was wished for, and booked before it", async () => {
    const { bookAt } = await shopInTheMorning()
    const late = await bookAt("15:20", "--within", "5d")
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("too late for today")])
    expect(await bookAt("14:59", "--within", "5d")).toMatchObject({ code: 0 })
  })
})

describe("the way on that a refusal names", () => {
  const shop = ["rate-shop", "--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"]
  const packages = ["--package", "30x20x10@2"]

  it("is another day for rate-shop, which finds one, and not a flag that it does not have", async () => {
    const { freight } = await sit("17:40", TODAY)
    const { code, stderr } = await freight([...shop, ...packages, "--fastest"])
    expect([code, stderr]).toEqual([1, expect.stringContaining("--date tomorrow")])
    expect(stderr).not.toContain("--allow-past")
    expect(await freight([...shop, ...packages, "--fastest", "--date", "tomorrow"])).toMatchObject({
      code: 0,
    })
    expect(await freight([...shop, ...packages])).toMatchObject({ code: 0 })
  })

  it("is --allow-past for a booking, which then is made", async () => {
    const { book } = await sit("16:40", TODAY)
    const words = ["--connector", "connector-b", "--service", "fastest"]
    expect((await book(...words)).stderr).toContain("--allow-past")
    expect(await book(...words, "--allow-past")).toMatchObject({ code: 0 })
  })
})
