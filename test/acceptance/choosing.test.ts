/** Services are chosen by what really happened: booked in a batch, tracked when it was late, and audited by its bill. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import type { LaneCoverage, LaneRow } from "../../src/reports/carrier-lanes.ts"
import type { SavingsCoverage, SavingsRow } from "../../src/reports/savings.ts"
import type { RateEvidence } from "../../src/orders/booking/lane-evidence.ts"

const DAY = 86_400_000
/** Booked with it, and of these late. */
const SEEN = 24
const LATE = 6
const SERVICE = "75"
/** Billed by quoted. */
const RATIO = 1.5

let sandbox: RunningSandbox
let home: Awaited<ReturnType<typeof desk>>
let now: number
const run = (...words: string[]) => home.freight(words, { now })
const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "40x30x20@5.5"]

beforeAll(async () => {
  sandbox = await startSandboxHere()
  home = await desk(sandbox)
  now = Date.now()
  // Only a few of each day count, so they are booked for several.
  const days = Array.from({ length: 30 }, (_, at) => new Date(now + (at + 1) * DAY))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .map((day) => day.toISOString().slice(0, 10))
    .slice(0, 10)
  const rows = Array.from({ length: SEEN }, (_, at) => ({
    ...ownBooking(),
    customerReference: `PO-${at}${at < LATE ? " sandbox:late" : ""}`,
    collectionDateTime: `${days[at % days.length]}T10:00:00`,
    connector: "connector-a",
    serviceCode: SERVICE,
    items: undefined,
  }))
  await writeFile(path.join(home.folder, "orders.json"), JSON.stringify(rows))
  const booked = await run("batch", "book", "orders.json", "--yes", "--new-orders")
  expect([booked.code, booked.code === 0 ? "" : booked.stderr]).toEqual([0, ""])
  now += 40 * DAY
  await sandbox.control("clock", { set: new Date(now).toISOString() })
  await run("track", "--open")
  const history = (await run("history", "--json")).items<HistoryRow>()
  const lines = history.map(({ consignmentNumber, price, priceIncGst }) => {
    const billed = Math.round((priceIncGst ?? (price ?? 0) * 1.1) * 100 * RATIO) / 100
    return [consignmentNumber, (billed / 1.1).toFixed(2), (billed - billed / 1.1).toFixed(2)].join(",")
  })
  await writeFile(path.join(home.folder, "bill.csv"), ["consignment,amount,gst", ...lines, ""].join("\n"))
  expect((await run("audit", "bill.csv", "--offline")).code).toBe(1)
  return () => sandbox.stop()
})

interface Known {
  serviceCode: string
  priceIncGst?: number
  evidence: RateEvidence | null
}

describe("rate-shop", () => {
  const shop = async (...words: string[]) => {
    const { items } = await run("rate-shop", ...LANE, "--json", ...words)
    return items<Known>()
  }

  it("has what is known of a service, and nothing of the others", async () => {
    const rates = await shop()
    const [own, ...others] = rates.filter(({ evidence }) => evidence !== null)
    expect(rates.length).toBeGreaterThan(2)
    expect(others).toEqual([])
    expect(own).toMatchObject({
      serviceCode: SERVICE,
      evidence: {
        arrival: {
          lane: "postcodes 20 → 61",
          seen: SEEN,
          onTime: SEEN - LATE,
          medianDaysLate: 0,
          ninetiethDaysLate: 2,
        },
        billed: { lane: "postcodes 20 → 61", bills: SEEN, disputed: 0, won: 0 },
      },
    })
    expect(own?.evidence?.billed?.ratio).toBeCloseTo(RATIO, 2)
  })

  it("shows both columns, and sorts by them", async () => {
    const { stdout } = await run("rate-shop", ...LANE, "--sort", "reliable")
    expect(stdout).toContain("ON TIME")
    expect(stdout).toContain(`75 %, ${SEEN} seen`)
    const [first = ""] = (
      await run(
        "rate-shop",
        ...LANE,
        "--sort",
        "reliable",
        "--format",
        "csv",
        "--fields",
        "serviceCode,onTime,likely",
      )
    ).stdout
      .split("\n")
      .slice(1)
    expect(first).toMatch(/^75,75,\d+\.\d\d$/)
  })

  it("knows nothing of what is older than the profile says", async () => {
    await run("config", "set", "evidenceDays", "3d")
    expect((await shop()).filter(({ evidence }) => evidence !== null)).toEqual([])
    await run("config", "unset", "evidenceDays")
  })

  it("says of what is late too often that it is not reliable", async () => {
    // Rates for today depend on the hour, so ask for tomorrow.
    const later = [...LANE, "--date", "tomorrow"]
    const { stderr } = await run("rate-shop", ...later, "--on-time", "90%")
    expect(stderr).toContain("1 rate left out: in time 90 % of the time.")
    const refused = await run("rate-shop", ...later, "--on-time", "90%", "--avoid", "B,C,73,76,701,712")
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`is expected in time 72 % of the time, ${SEEN} seen`)
  })
})

describe("report carriers --lanes", () => {
  it("has the same numbers, and none from fewer than 20", async () => {
    const { items: rows, known } = (await run("report", "carriers", "--lanes", "--json")).json<{
      items: LaneRow[]
      known: LaneCoverage
    }>()
    expect(known).toEqual({ lanes: 1, withArrivals: 1, withBills: 1 })
    expect(rows).toMatchObject([
      {
        serviceCode: SERVICE,
        lane: "20 → 61",
        consignments: SEEN,
        seen: SEEN,
        onTimePercent: 75,
        ratio: RATIO,
      },
    ])
    const none = (await run("report", "carriers", "--lanes", "--json", "--since", "1d")).json<{
      items: LaneRow[]
    }>()
    expect(none.items).toEqual([])
    const { stdout, stderr } = await run("report", "carriers", "--lanes")
    expect(stdout).toContain("BILLED BY QUOTED")
    expect(stderr).toContain("On-time figures for 1 of 1 lane")
    await run("report", "carriers", "--lanes", "-o", "lanes.html")
    expect(await readFile(path.join(home.folder, "lanes.html"), "utf8")).toContain("24 seen")
  })
})

describe("what is booked by it", () => {
  const order = async (service: string) => {
    const { customerReference: _, serviceCode: __, ...own } = ownBooking()
    const file = `${service}.json`
    const ready = new Date(now + DAY).toISOString().slice(0, 10)
    const times = { collectionDateTime: `${ready}T10:00:00` }
    await writeFile(path.join(home.folder, file), JSON.stringify({ ...own, ...times, serviceCode: service }))
    return file
  }

  it("says why, in the booking, and in a plan under its hash", async () => {
    const file = await order("best-value")
    const known = ["--avoid", "B,C,73,76,701,712"]
    const booked = await run("book", "--file", file, "--yes", "--json", "--key", "V-1", ...known)
    expect([booked.code, booked.code === 0 ? "" : booked.stderr]).toEqual([0, ""])
    const why = new RegExp(
      `A/75 at .*; likely .*, as ${SEEN} bills were 1\\.50 of the quote .*; expected in time 72 % of the time, ${SEEN} seen`,
    )
    expect(JSON.stringify(booked.json())).toMatch(why)

    const rows = [
      {
        ...JSON.parse(await readFile(path.join(home.folder, file), "utf8")),
        reference: "V-2",
        items: undefined,
      },
    ]
    await writeFile(path.join(home.folder, "few.json"), JSON.stringify(rows))
    const planned = await run("batch", "plan", "few.json", "-o", "plan.json", "--new-orders", ...known)
    expect([planned.code, planned.code === 0 ? "" : planned.stderr]).toEqual([0, ""])
    const plan = JSON.parse(await readFile(path.join(home.folder, "plan.json"), "utf8"))
    expect(plan.rows[0]).toMatchObject({
      wish: { kind: "best-value" },
      rate: { rate: { evidence: { arrival: { seen: SEEN } } } },
    })
    expect(plan.rows[0].why).toMatch(why)
  })

  it("takes another service for reliable, and says that its promise stands", async () => {
    const file = await order("reliable")
    const { code, stderr } = await run("book", "--file", file, "--dry-run")
    expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
    expect(stderr).toContain("too few deliveries to say how often it is in time: its promise is used")
  })
})

describe("report savings", () => {
  const report = async () =>
    (await run("report", "savings", "--json")).json<{ items: SavingsRow[]; known: SavingsCoverage }>()

  it("compares what was booked by each way in: a file, a batch, a plan and a rate that was looked up", async () => {
    const before = await report()
    expect(before.known.notKept).toBe(SEEN)
    expect(before.items[0]?.bookings ?? 0).toBe(before.known.compared)
    const { customerReference: _, serviceCode: __, items: ___, ...own } = ownBooking()
    const ready = new Date(now + 3 * DAY).toISOString().slice(0, 10)
    const order = (reference: string, companyName: string) => ({
      ...{ ...own, receiver: { ...own.receiver, companyName }, reference, serviceCode: "cheapest" },
      collectionDateTime: `${ready}T10:00:00`,
    })
    const write = (name: string, value: object) =>
      writeFile(path.join(home.folder, name), JSON.stringify(value))
    const book = async (...words: string[]) => {
      const { code, stderr } = await run(...words, "--yes")
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
    }
    await write("batch.json", [order("S-1", "One")])
    await write("planned.json", [order("S-2", "Two")])
    const { reference, ...single } = order("S-3", "Three")
    await write("single.json", single)
    await book("batch", "book", "batch.json", "--new-orders")
    expect((await run("batch", "plan", "planned.json", "-o", "s2.json", "--new-orders")).code).toBe(0)
    await book("batch", "book", "--plan", "s2.json")
    await book("book", "--file", "single.json", "--key", reference, "--service", "fastest")
    // The newest of those that were shown has the numbers.
    now += 60_000
    await run("rate-shop", ...LANE.slice(0, -1), "2x40x30x20@5.5", "--date", ready)
    await book("book", "--file", "single.json", "--key", "S-4", "--rate", "1", "--again")

    const { items: rows, known } = await report()
    expect(known).toEqual({ ...before.known, compared: before.known.compared + 4 })
    expect(rows.map(({ way }) => way)).toEqual(["as taken", "cheapest", "fastest", "best-value"])
    const [taken, cheapest, fastest] = rows
    expect(taken).toMatchObject({ bookings: known.compared, same: known.compared, saved: 0 })
    expect(cheapest?.amount).toBeLessThan(fastest?.amount ?? 0)
    expect(fastest?.days).toBeLessThan(cheapest?.days ?? 0)
    const { stdout, stderr } = await run("report", "savings")
    expect(stdout).toContain("best-value")
    expect(stderr).toContain(`Not kept: what ${SEEN} bookings were chosen from`)
    await run("report", "savings", "-o", "savings.html")
    expect(await readFile(path.join(home.folder, "savings.html"), "utf8")).toContain("Cost with GST")
  })
})
