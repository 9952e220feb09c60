/** Reports on carriers and spending: every figure is added up again here, from what was booked and tracked. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import type { BookingResponse, TrackingResponse } from "../../src/contract/generated/types.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import type { CarrierRow, CarrierCoverage } from "../../src/reports/carriers.ts"
import type { SpendRow } from "../../src/reports/spend.ts"
import { bookingDesk } from "./bookings.ts"
import { desk } from "./freight.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

const DAY = 86_400_000
const SERVICES = [
  ["connector-a", "76"],
  ["connector-a", "75"],
  ["connector-b", "GEN"],
  ["connector-c", "STD"],
] as const
const REFERENCES = ["PO-1", "PO-2 sandbox:late", "SO 3", ""]

type Desk = Awaited<ReturnType<typeof bookingDesk>>
let sandbox: RunningSandbox
let home: Desk
let history: HistoryRow[]
let now: number

const run = (...args: string[]) => home.freight(args, { now })
const carriers = async (...more: string[]) =>
  (await run("report", "carriers", "--json", ...more)).json<{ items: CarrierRow[]; known: CarrierCoverage }>()
const spend = async (...more: string[]) =>
  (await run("report", "spend", "--json", ...more)).json<{ items: SpendRow[] }>()

beforeAll(async () => {
  sandbox = await startSandboxHere()
  home = await bookingDesk(sandbox)
  for (const reference of REFERENCES)
    for (const [connector, service] of SERVICES) {
      const named = reference === "" ? [] : ["--reference", reference]
      const { code, stderr } = await home.book(
        "--connector",
        connector,
        "--service",
        service,
        "--again",
        ...named,
      )
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
    }
  await home.book("--connector", "connector-a", "--service", "76", "--reference", "sandbox:cancelled")
  history = (await home.freight(["history", "--json"])).items()
  // Those that are late are not delivered yet.
  const [first] = history.filter(({ serviceCode, reference }) => serviceCode === "76" && reference === "PO-1")
  const [{ tracking } = {}] = (await home.freight(["track", first?.consignmentNumber ?? "", "--json"])).items<
    Partial<TrackingResponse>
  >()
  now = Date.parse(`${tracking?.eta}T00:00:00Z`) + DAY
  await sandbox.control("clock", { set: new Date(now).toISOString() })
  await run("track", "--open")
  await run("today")
  return () => sandbox.stop()
})

const cents = (amount: number | null) => Math.round((amount ?? 0) * 100)
const isCancelled = ({ reference }: HistoryRow) => reference?.includes("cancelled") === true

describe("report carriers", () => {
  it("tells on time, days, prices and what is known, by carrier, service and lane", async () => {
    const { items: rows, known } = await carriers()
    expect(
      rows.map(({ carrier, serviceCode, lane, consignments }) => [carrier, serviceCode, lane, consignments]),
    ).toEqual([
      ["CARRIER_A_AU", "75", "NSW → WA", 4],
      ["CARRIER_A_AU", "76", "NSW → WA", 4],
      ["CARRIER_B_AU", "GEN", "NSW → WA", 4],
      ["CARRIER_C_AU", "STD", "NSW → WA", 4],
    ])
    for (const row of rows) {
      const booked = history.filter((each) => each.serviceCode === row.serviceCode && !isCancelled(each))
      const total = booked.reduce((sum, { price }) => sum + cents(price), 0)
      const kilos = booked.reduce((sum, { weightKg }) => sum + (weightKg ?? 0), 0)
      expect(row.priced).toBe(4)
      expect(cents(row.pricePerConsignment)).toBe(Math.round(total / 4))
      expect(cents(row.pricePerKg)).toBe(Math.round(total / kilos))
      const hasPromise = booked.every(({ eta }) => eta !== null)
      expect([row.serviceCode, row.judged, row.onTime, row.onTimePercent]).toEqual(
        hasPromise ? [row.serviceCode, 4, 3, 75] : [row.serviceCode, 0, 0, null],
      )
      expect(row.daysTaken === null || row.daysTaken > 0).toBe(true)
      if (hasPromise) expect(row.daysTaken).toBe(row.daysPromised)
      expect([row.billed, row.overbilled]).toEqual([0, null])
    }
    expect(rows.map(({ gstBasis }) => gstBasis)).toEqual(["unknown", "unknown", "excluded", "unknown"])
    const withPromise = history.filter(
      ({ eta, ...each }) => eta !== null && !isCancelled({ eta, ...each } as HistoryRow),
    )
    expect(known).toMatchObject({
      consignments: 16,
      cancelled: 1,
      tracked: 16,
      promised: withPromise.length,
      judged: withPromise.length,
      onTime: (withPromise.length * 3) / 4,
      priced: 16,
      billed: 0,
    })
  })

  it("tells what audited bills charge too much, and of how many it is known", async () => {
    const own = await bookingDesk(sandbox)
    const references = ["R-1", "R-2", "R-3"]
    const numbers: (string | null | undefined)[] = []
    for (const reference of references) {
      const booked = await own.book(
        "--connector",
        "connector-b",
        "--service",
        "GEN",
        "--reference",
        reference,
        "--again",
      )
      numbers.push(booked.json<BookingResponse>().consignmentNumber)
    }
    const [row] = (await own.freight(["history", "--json"])).items<HistoryRow>()
    const quoted = cents(row?.price ?? 0)
    const line = (number: unknown, amount: number) =>
      [number, (amount / 100).toFixed(2), (Math.round(amount / 10) / 100).toFixed(2)].join(",")
    const lines = [line(numbers[0], quoted + 1234), line(numbers[1], quoted)]
    await writeFile(path.join(own.folder, "bill.csv"), ["consignment,amount,gst", ...lines, ""].join("\n"))
    expect((await own.freight(["audit", "bill.csv", "--offline"])).code).toBe(1)
    const { items: rows, known } = (await own.freight(["report", "carriers", "--json"])).json<{
      items: CarrierRow[]
      known: CarrierCoverage
    }>()
    expect(rows.map(({ billed, overbilled }) => [billed, overbilled])).toEqual([[2, 12.34]])
    expect(known.billed).toBe(2)
    const { stdout, stderr } = await own.freight(["report", "carriers"])
    expect(stdout).toContain("AUD 12.34")
    expect(stderr).toContain("2 of 3 are on audited bills.")
  })

  it("says in a table how much of it is known", async () => {
    const { stdout, stderr } = await run("report", "carriers")
    expect(stdout).toMatch(/^CARRIER +SERVICE +LANE +ON TIME +% /)
    expect(stdout).toMatch(/CARRIER_A_AU +76 +NSW → WA +3 of 4 +75% +████████ /)
    expect(stderr).toMatch(
      /^On time: \d+ of the \d+ for which it is known; 16 of 16 were tracked, \d+ of 16 had a delivery day/,
    )
    expect(stderr).toContain(
      "Prices as quoted for 16 of 16; those with another GST basis are in a separate row.",
    )
    expect(stderr).toContain("1 cancelled are left out.")
  })

  it("is empty, and not an error, where nothing was booked or tracked", async () => {
    const { freight } = await desk()
    const { code, stdout, stderr } = await freight(["report", "carriers"])
    expect([code, stdout]).toEqual([0, ""])
    expect(stderr).toMatch(/^Nothing was booked from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.\n$/)
  })
})

describe("report spend", () => {
  const groups: Readonly<Record<string, (row: HistoryRow) => string | null>> = {
    day: ({ sentAt }) => sentAt.slice(0, 10),
    month: ({ sentAt }) => sentAt.slice(0, 7),
    carrier: ({ carrier }) => carrier,
    service: ({ carrier, serviceCode }) => `${carrier} ${serviceCode}`,
    state: () => "WA",
    workstation: () => "test-desk",
    "reference-prefix": ({ reference }) => reference?.slice(0, 2) ?? null,
  }

  it.each(Object.entries(groups))("adds up exactly by %s, and never over GST bases", async (by, groupOf) => {
    const { items: rows } = await spend("--by", by)
    const expected = new Map<string, { cents: number; bookings: number }>()
    for (const row of history) {
      if (isCancelled(row)) continue
      const key = `${groupOf(row)}|${row.currency}|${row.gstBasis}`
      const before = expected.get(key) ?? { cents: 0, bookings: 0 }
      expected.set(key, { cents: before.cents + cents(row.price), bookings: before.bookings + 1 })
    }
    expect(rows).toHaveLength(expected.size)
    for (const { group, currency, gstBasis, amount: total, bookings } of rows)
      expect({ cents: Math.round(total * 100), bookings }, group ?? "none").toEqual(
        expected.get(`${group}|${currency}|${gstBasis}`),
      )
  })

  it("shows bars, totals on each basis, and CSV without bars", async () => {
    const { stdout, stderr } = await run("report", "spend", "--by", "carrier")
    expect(stdout).toContain("████████████████████")
    expect(stderr).toMatch(/In total AUD [\d,.]+, GST not stated \(12\); AUD [\d,.]+ \+ GST \(4\)\./)
    expect(stderr).toContain("Totals on different GST bases cannot be added")
    const csv = await run("report", "spend", "--by", "carrier", "--format", "csv")
    expect(csv.stdout.split("\n")[0]).toBe(
      "group,total,gstBasis,bookings,weightKg,unpriced,currency,billedTotal,billedGst,unbilledTotal,billed,unbilled,billedUnsaid",
    )
    const ascii = await home.freight(["report", "spend", "--by", "carrier"], { now, env: { LANG: "C" } })
    expect(ascii.stdout).toContain("####################")
  })

  it("keeps to the days of --since and --until, as people write them", async () => {
    const count = async (...more: string[]) =>
      (await spend("--by", "carrier", ...more)).items.reduce((sum, { bookings }) => sum + bookings, 0)
    const [day = ""] = (history[0]?.sentAt ?? "").split("T")
    const [first = ""] = (history.at(-1)?.sentAt ?? "").split("T")
    expect(await count("--since", first, "--until", day)).toBe(16)
    expect(await count("--since", "1 Jan 2020", "--until", "31/12/2020")).toBe(0)
    expect((await run("report", "spend", "--since", "soon")).code).toBe(2)
    const turned = await run("report", "spend", "--since", day, "--until", "2020-01-01")
    expect([turned.code, turned.stderr]).toEqual([
      2,
      expect.stringContaining("--since must be before --until"),
    ])
  })
})

describe("a report as a page", () => {
  it.each([
    ["carriers", "On time"],
    ["spend", "AUD, GST not stated"],
  ])("of %s is one file that loads and runs nothing, with plots", async (name, title) => {
    const { stdout, stderr } = await run("report", name, "--format", "html")
    expect(stderr).toBe("")
    expect(stdout).toMatch(/^<!doctype html>/)
    expect(stdout).toContain(`<h2>${title}</h2>\n<svg role="img"`)
    expect(stdout).toContain("default-src &apos;none&apos;")
    expect(stdout).not.toMatch(/<script|<link|<img|\shref=|\ssrc=|url\(|@import/i)
    expect(stdout).toContain("Prices as quoted for 16 of 16")
    expect((stdout.match(/<tr>/g) ?? []).length).toBeGreaterThan(2)
  })

  it("is written with -o, and over nothing of the person's own", async () => {
    const file = path.join(home.folder, "spend.html")
    const { code, stdout, stderr } = await run("report", "spend", "-o", "spend.html")
    expect([code, stdout, stderr]).toEqual([0, "", "Written to spend.html.\n"])
    expect(await readFile(file, "utf8")).toContain("<svg")
    expect((await run("report", "spend", "-o", "spend.html")).code).toBe(0)
    await writeFile(file, "mine")
    expect((await run("report", "spend", "-o", "spend.html")).code).toBe(2)
    expect(await readFile(file, "utf8")).toBe("mine")
    expect((await run("report", "spend", "-o", "spend.html", "--format", "csv")).code).toBe(2)
    expect((await run("report", "spend", "--format", "html", "--fields", "group")).code).toBe(2)
  })

  it("is what the ending of its file says", async () => {
    await run("report", "spend", "-o", "spend.csv")
    expect(await readFile(path.join(home.folder, "spend.csv"), "utf8")).toBe(
      (await run("report", "spend", "--format", "csv")).stdout,
    )
    expect((await run("report", "accruals", "--offline", "-o", "spend.csv")).code).toBe(0)
  })
})
