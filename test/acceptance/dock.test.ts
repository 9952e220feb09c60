/** The morning at the dock: files of orders that share a pickup, what the carrier has to be told, and what is left over. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { addDays, formatDate, instantOf, wallClockNow } from "../../src/base/wall-clock.ts"
import type { Need } from "../../src/reports/today/needs.ts"
import type { BookingOutcome } from "../../src/orders/booking/outcome.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { temporaryDir } from "../ledger/setup.ts"
import { desk, errorIn, type Ran } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { type Order, order, saveOrders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { pickupsAt } from "./pickups.ts"

const ZONE = "Australia/Sydney"

/**
 * At eight of a Monday that is near: PostgreSQL has a clock of its own, and what was booked long ago needs nobody.
 * @param now milliseconds since the epoch
 */
function nextMonday(now: number): { day: string; at: number } {
  let clock = addDays(wallClockNow(now, ZONE), 2)
  while (new Date(`${formatDate(clock)}T00:00:00Z`).getUTCDay() !== 1) clock = addDays(clock, 1)
  return { day: formatDate(clock), at: instantOf({ ...clock, hour: 8, minute: 0, second: 0 }, ZONE) }
}

const { day: MONDAY, at: MORNING } = nextMonday(Date.now())
const DAY_MS = 86_400_000
const TUESDAY = formatDate(addDays(wallClockNow(MORNING, ZONE), 1))

const KINDS = [
  {
    name: "SQLite",
    isThere: true,
    newLedger: async () => path.join(temporaryDir(), "ledger.db"),
  },
  { name: "PostgreSQL", isThere: SERVER !== undefined, newLedger: () => newDatabase() },
]

/** Orders of the morning, all from one place at one hour with carrier B. */
function ordersOf(prefix: string, count: number, changes: Order = {}): Order[] {
  return Array.from({ length: count }, (_, n) =>
    order(`${prefix}-${n + 1}`, { collectionDateTime: `${MONDAY}T15:00:00`, ...changes }),
  )
}

/** Two desks with one ledger, at a carrier whose day has begun. */
async function dock(newLedger: () => Promise<string>) {
  const sandbox = await ownSandbox()
  let now = MORNING
  const setTime = async (at: number) => {
    now = at
    await sandbox.control("clock", { set: new Date(at).toISOString() })
  }
  await setTime(MORNING)
  const ledger = await newLedger()
  const sit = async (name: string) => {
    const made = await desk(sandbox)
    const env = { FREIGHT_LEDGER: ledger, FREIGHT_WORKSTATION: name, USER: name }
    const run = (words: readonly string[], host = {}): Promise<Ran> => made.freight(words, { env, now, host })
    return {
      ...made,
      freight: (...words: string[]) => run(words),
      run,
      /** Runs a line that freight printed. */
      paste: (line: string) => run(line.replace(/^freight /, "").split(" ")),
      save: (name: string, rows: readonly Order[]) => saveOrders(made.folder, rows, name),
      async needs(...more: string[]) {
        const { json } = await run(["today", "--json", ...more])
        return json<{ items: Need[] }>().items
      },
    }
  }
  return { sandbox, setTime, ann: await sit("ann"), ben: await sit("ben") }
}

/** The line that follows a word in what freight printed. */
function lineIn(text: string, pattern: RegExp): string {
  const [, line] = pattern.exec(text) ?? []
  if (line === undefined) throw new Error(`${pattern} is not in:\n${text}`)
  return line.trim()
}

const TOLD = /(freight pickup told \S+ --count \d+ --who NAME)/

describe.each(KINDS)("a second file of the morning, with a ledger in $name", ({ isThere, newLedger }) => {
  it.runIf(isThere)("waits for the pickup until somebody says that the carrier was told", async () => {
    const { sandbox, ann, ben } = await dock(newLedger)
    await ann.save("early.csv", ordersOf("E", 2))
    await ben.save("late.csv", ordersOf("L", 3))
    expect((await ann.freight("batch", "book", "early.csv", "--pickup")).code).toBe(0)

    const second = await ben.freight("batch", "book", "late.csv", "--pickup")
    expect([second.code, await pickupsAt(sandbox)]).toEqual([0, 1])
    const line = lineIn(second.stdout, /^3 wait for pickup \S+: call the carrier, then: (.*)$/m)
    expect(line).toMatch(/^freight pickup told \S+ --count 3 --who NAME$/)
    expect(second.stdout).not.toContain("no pickup yet")
    // Whoever asks for pickups again is told the same of the same three.
    const again = await ann.freight("pickup", "book", "--open")
    expect([again.code, lineIn(again.stderr, TOLD)]).toEqual([0, line])
    expect(again.stderr).toContain("3 shipments, 6 packages wait for the pickup at")

    expect((await ann.needs()).map(({ need, next }) => [need, next])).toEqual(
      [1, 2, 3].map(() => ["not-told", line]),
    )
    expect((await ann.freight("today")).stdout).toMatch(
      /^not told: 3 go from Alexandria today 15:00 \(L-1, L-2, L-3\)\n {2}they wait for pickup \S+: call carrier [ABC]\n {2}freight pickup told .*\n$/,
    )

    // The line as it was printed states a call that nobody made.
    const literal = await ann.paste(line)
    expect([literal.code, literal.stderr]).toEqual([2, expect.stringContaining("NAME is a placeholder")])
    expect(await ann.needs()).toHaveLength(3)

    const told = await ann.paste(line.replace("NAME", "Jo"))
    expect([told.code, told.stderr]).toEqual([
      0,
      expect.stringMatching(/^3 shipments are in pickup \S+ now: L-1, L-2, L-3\.$/m),
    ])
    expect(await ann.needs()).toEqual([])
    const alone = await ben.freight("pickup", "book", "L-1")
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining("has a pickup already")])
    expect(alone.stderr).not.toContain("this is another one")
    for (const each of [ann, ben]) {
      const repeated = await each.paste(line.replace("NAME", "Jo"))
      expect([repeated.code, repeated.stderr]).toEqual([
        0,
        expect.stringMatching(
          /^Nothing waits for pickup \S+: the carrier \(Jo\) was told on .* by ann at ann\.$/m,
        ),
      ])
    }
    const rerun = await ben.freight("batch", "book", "late.csv", "--pickup", "--force")
    expect([rerun.code, rerun.stdout + rerun.stderr]).toEqual([0, expect.not.stringContaining("wait")])
    expect(await pickupsAt(sandbox)).toBe(1)
  })

  it.runIf(isThere)("is told as it waits: what another desk adds meanwhile is not in the call", async () => {
    const { ann, ben } = await dock(newLedger)
    await ann.save("early.csv", ordersOf("E", 2))
    await ann.save("late.csv", ordersOf("L", 2))
    await ben.save("later.csv", ordersOf("M", 1))
    await ann.freight("batch", "book", "early.csv", "--pickup")
    const line = lineIn((await ann.freight("batch", "book", "late.csv", "--pickup")).stdout, TOLD)
    await ben.freight("batch", "book", "later.csv", "--pickup")

    const refused = await ann.run([...line.replace("NAME", "Jo").split(" ").slice(1), "--json"])
    expect([refused.code, errorIn(refused.stderr)]).toMatchObject([
      1,
      {
        message: expect.stringMatching(/^3 shipments wait for pickup \S+, not 2: L-1, L-2, M-1$/),
        next: line.replace("--count 2", "--count 3"),
      },
    ])
    expect(await ann.needs()).toHaveLength(3)
    const told = await ann.paste(errorIn(refused.stderr).next.replace("NAME", "Jo"))
    expect([told.code, await ann.needs()]).toEqual([0, []])
  })

  it.runIf(isThere)("is noted by the next run where one was killed between booking and pickup", async () => {
    const { sandbox, ann, ben } = await dock(newLedger)
    await ann.save("early.csv", ordersOf("E", 2))
    await ben.save("late.csv", ordersOf("L", 2))
    await ann.freight("batch", "book", "early.csv", "--pickup")
    let outcomes = 0
    const at = (moment: string) => {
      if (moment === "after-outcome" && ++outcomes === 2) throw new Error("killed")
    }
    const killed = await ben.run(["batch", "book", "late.csv", "--pickup", "--concurrency", "1"], { at })
    expect([killed.code, outcomes]).toEqual([70, 2])
    expect(
      (await ann.needs()).map(({ need, next }) => [need, next.split(" ").slice(0, 3).join(" ")]),
    ).toEqual([1, 2].map(() => ["no-pickup", "freight pickup book"]))
    const collected = await ann.paste(
      lineIn((await ann.freight("today")).stdout, /(freight pickup book --open .*)/),
    )
    const line = lineIn(collected.stderr, TOLD)
    expect([await pickupsAt(sandbox), (await ann.paste(line.replace("NAME", "Jo"))).code]).toEqual([1, 0])
    expect(await ann.needs()).toEqual([])
  })
})

describe("what carriers are told", () => {
  it("is asked for at a terminal only, and a script has to say who was told", async () => {
    const { ann } = await dock(KINDS[0]?.newLedger ?? (async () => ""))
    await ann.save("early.csv", ordersOf("E", 1))
    await ann.save("late.csv", ordersOf("L", 1))
    await ann.freight("batch", "book", "early.csv", "--pickup")
    const { json } = await ann.freight("batch", "book", "late.csv", "--pickup", "--json")
    const [{ pickup } = { pickup: "" }] = json<{ untold: { pickup: string; shipments: number }[] }>().untold
    const silent = await ann.freight("pickup", "told", pickup, "--json")
    expect([silent.code, errorIn(silent.stderr).message]).toEqual([
      2,
      "who was told? --who NAME names the person at the carrier",
    ])
    const told = await ann.freight("pickup", "told", pickup, "--who", "Jo", "--json")
    expect(told.json()).toEqual({ pickup, who: "Jo", shipments: ["L-1"], warnings: [] })
    const unknown = await ann.freight("pickup", "told", "PU-NONE", "--who", "Jo", "--json")
    expect([unknown.code, errorIn(unknown.stderr).kind]).toEqual([5, "notFound"])
  })

  it("is not asked of a shipment that was cancelled since, nor of one that has a pickup of its own", async () => {
    const { ann } = await dock(KINDS[0]?.newLedger ?? (async () => ""))
    await ann.save("early.csv", ordersOf("E", 1))
    await ann.save("late.csv", ordersOf("L", 3))
    await ann.freight("batch", "book", "early.csv", "--pickup")
    await ann.freight("batch", "book", "late.csv", "--pickup")
    const own = await ann.freight("pickup", "book", "L-1", "--again", "--yes")
    expect(own.code, own.stderr).toBe(0)
    expect((await ann.freight("cancel", "L-3", "--confirmed", "Kim")).code).toBe(0)
    expect(
      (await ann.needs()).map(({ need, reference, next }) => [need, reference, next.split(" ")[5]]),
    ).toEqual([["not-told", "L-2", "1"]])
    const told = await ann.paste(lineIn((await ann.freight("today")).stdout, TOLD).replace("NAME", "Jo"))
    expect([told.code, told.stderr]).toEqual([0, expect.stringMatching(/^1 shipment is in .*: L-2\.$/m)])
  })
})

it("a booking that waits for a pickup is shown as waiting, and as in it once the carrier was told", async () => {
  const { ann, sandbox } = await dock(KINDS[0]?.newLedger ?? (async () => ""))
  await ann.save("early.csv", ordersOf("E", 1))
  await ann.save("late.csv", ordersOf("L", 2))
  await ann.freight("batch", "book", "early.csv", "--pickup")
  const line = lineIn((await ann.freight("batch", "book", "late.csv", "--pickup")).stdout, TOLD)
  const { shipments } = (await sandbox.control("books")) as { shipments: { request: object }[] }
  const booking = shipments.map(({ request }) => request).find((each) => JSON.stringify(each).includes("L-1"))
  await writeFile(path.join(ann.folder, "l-1.json"), JSON.stringify(booking))
  /** The pickup that a booking is said to be in, when it is booked once more. */
  const findPickup = async () => {
    const words = ["--file", "l-1.json", "--key", "L-1", "--connector", "connector-b", "--no-rate", "--json"]
    const ran = await ann.freight("book", ...words)
    expect(ran.code, ran.stderr).toBe(0)
    const { pickupId, pickupReference } = ran.json<BookingOutcome>().freight
    return [pickupId, pickupReference]
  }
  const [, , , pickup = ""] = line.split(" ")
  const show = async (...words: string[]) => (await ann.freight(...words)).stdout
  const waits = `waits for ${pickup} (carrier not told)`
  expect(await show("shipments", "show", "L-1")).toMatch(/^Pickup +waits for \S+ \(carrier not told\)$/m)
  const evidence = await ann.freight("evidence", "L-1", "--json")
  expect(evidence.json()).toMatchObject({ pickup: { status: waits } })
  expect(await findPickup()).toEqual([null, null])
  expect(await show("pickup", "show", pickup)).toMatch(/^Waiting +L-1, L-2 \(carrier not told\)$/m)
  const json = (await ann.freight("pickup", "show", pickup, "--json")).json()
  expect(json).toMatchObject({ pickup: { orderNumber: pickup }, freight: { waiting: ["L-1", "L-2"] } })

  await ann.paste(line.replace("NAME", "Jo"))
  expect(await findPickup()).toEqual([expect.any(String), pickup])
  expect(await show("shipments", "show", "L-1")).toMatch(/^Pickup +BOOKED, \S+$/m)
  expect((await ann.freight("evidence", "L-1", "--json")).json()).toMatchObject({
    pickup: { status: "BOOKED" },
  })
  expect(await show("pickup", "show", pickup)).not.toContain("Waiting")
})

describe("a run that was killed", () => {
  /** Kills a run once so many orders are booked: none of its follow-ups are done. */
  const killedAfter = (count: number) => {
    let outcomes = 0
    return (moment: string) => {
      if (moment === "after-outcome" && ++outcomes === count) throw new Error("killed")
    }
  }
  const LINE = "batch book orders.csv --concurrency 1 --labels labels --merge all.pdf --pickup".split(" ")

  it.each(
    KINDS.filter(({ isThere }) => isThere),
  )("is known to status and today with what is left of it, and its line finishes it, with a ledger in $name", async ({
    newLedger,
  }) => {
    const { sandbox, ann } = await dock(newLedger)
    await ann.save("orders.csv", ordersOf("K", 4))
    expect((await ann.run([...LINE, "--yes"], { at: killedAfter(3) })).code).toBe(70)
    const status = await ann.freight("batch", "status", "orders.csv", "--json")
    expect(status.json()).toMatchObject({
      booked: 3,
      unfinished: {
        left: {
          ...{ rows: 1, labels: 3, mergeFile: "all.pdf", print: false, pickup: 3 },
          ...{ resultsFile: "orders.results.csv", dispatchedFile: null },
        },
        next: `freight ${LINE.join(" ")}`,
      },
    })
    const text = (await ann.freight("batch", "status", "orders.csv")).stderr
    expect(text).toMatch(
      /the run that began .* was not finished: 1 row is not booked; 3 labels are missing in labels; all\.pdf is not written; 3 shipments have no pickup; orders\.results\.csv is not written$/m,
    )
    const line = lineIn(text, /^This finishes it: (.*)$/m)
    const [need] = await ann.needs("--leave-out", "no-pickup")
    expect(need).toMatchObject({ need: "not-finished", about: "orders.csv", next: line })

    const finished = await ann.paste(line)
    expect(finished.code, finished.stderr).toBe(0)
    expect([await pickupsAt(sandbox), await ann.needs()]).toEqual([1, []])
    expect((await ann.freight("batch", "status", "orders.csv", "--json")).json()).toMatchObject({
      booked: 4,
      unfinished: null,
    })
  })

  it("needs someone although all its rows are booked", async () => {
    const { ann } = await dock(KINDS[0]?.newLedger ?? (async () => ""))
    await ann.save("orders.csv", ordersOf("K", 2))
    expect((await ann.run([...LINE, "--yes"], { at: killedAfter(2) })).code).toBe(70)
    const { stderr } = await ann.freight("batch", "status", "orders.csv")
    expect(stderr).toMatch(/^No row needs you, but the run was not finished\.$/m)
    expect(stderr).toContain("2 labels are missing in labels; all.pdf is not written")
  })

  it("has nothing left of what was done by hand since", async () => {
    const { ann } = await dock(KINDS[0]?.newLedger ?? (async () => ""))
    await ann.save("orders.csv", ordersOf("H", 2))
    expect((await ann.run(LINE, { at: killedAfter(2) })).code).toBe(70)
    expect((await ann.freight("label", "H-1", "H-2", "--dir", "labels")).code).toBe(0)
    expect((await ann.freight("pickup", "book", "--open")).code).toBe(0)
    const { unfinished } = (await ann.freight("batch", "status", "orders.csv", "--json")).json<{
      unfinished: { left: object }
    }>()
    expect(unfinished.left).toMatchObject({ rows: 0, labels: 0, pickup: 0, mergeFile: "all.pdf" })
  })

  it("lacks no label and no pickup of what its carrier has cancelled since, and ends where that is all", async () => {
    const { ann } = await dock(KINDS[0]?.newLedger ?? (async () => ""))
    await ann.save("orders.csv", ordersOf("C", 2))
    expect((await ann.run(LINE, { at: killedAfter(2) })).code).toBe(70)
    const findLeft = async () =>
      (await ann.freight("batch", "status", "orders.csv", "--json")).json<{
        unfinished: { left: object; next: string } | null
      }>().unfinished
    await ann.freight("cancel", "C-1", "--confirmed", "Kim")
    expect((await findLeft())?.left).toMatchObject({ rows: 0, labels: 1, pickup: 1 })
    await ann.freight("cancel", "C-2", "--confirmed", "Kim")
    const left = await findLeft()
    expect(left?.left).toMatchObject({ rows: 0, labels: 0, pickup: 0, mergeFile: "all.pdf" })
    const finished = await ann.paste(left?.next ?? "")
    expect(finished.code, finished.stderr).toBe(0)
    expect([await findLeft(), await ann.needs()]).toEqual([null, []])
  })
})

describe.each(KINDS)("the mornings of two days at two desks, with a ledger in $name", ({
  isThere,
  newLedger,
}) => {
  it.runIf(isThere)(
    "end with nothing to do, each order booked once, and the carriers told what changed",
    async () => {
      const { sandbox, setTime, ann, ben } = await dock(newLedger)
      const both = (prefix: string, count: number, day: string) =>
        ordersOf(prefix, count, { collectionDateTime: `${day}T15:00:00` }).map((each, n) =>
          n % 2 === 0 ? each : { ...each, connector: "connector-a", service: "76" },
        )
      const line = (file: string) =>
        `batch book ${file} --concurrency 1 --labels labels --merge ${file}.pdf --pickup`.split(" ")
      for (const [at, day] of [MONDAY, TUESDAY].entries()) {
        await setTime(MORNING + at * DAY_MS)
        const [early, second, third] = [
          both(`E${at}`, 8, day),
          both(`S${at}`, 6, day),
          both(`T${at}`, 6, day),
        ]
        await ann.save("early.csv", early)
        await ben.save("second.csv", second)
        await ben.save("third.csv", third)

        let outcomes = 0
        const kill = (moment: string) => {
          if (moment === "after-outcome" && ++outcomes === 5) throw new Error("killed")
        }
        expect((await ann.run([...line("early.csv"), "--force"], { at: kill })).code).toBe(70)
        // The second desk's file has the pickups; what was killed is finished by the line that is printed.
        expect((await ben.run([...line("second.csv"), "--force"])).code).toBe(0)
        const { stderr } = await ann.freight("batch", "status", "early.csv")
        const finished = await ann.paste(lineIn(stderr, /^This finishes it: (.*)$/m))
        expect(finished.code, finished.stderr).toBe(0)
        expect((await ben.run([...line("third.csv"), "--force"])).code).toBe(0)

        const told: string[] = []
        const { stdout } = await ann.freight("today")
        for (const [, next = ""] of stdout.matchAll(new RegExp(TOLD, "g"))) {
          const ran = await ben.paste(`${next.replace("NAME", "Jo")} --json`)
          expect(ran.code, ran.stderr).toBe(0)
          told.push(...ran.json<{ shipments: string[] }>().shipments)
        }
        expect(told.sort()).toEqual([...early, ...third].map(({ reference }) => reference).sort())
        expect([await ann.needs(), await ben.needs(), await pickupsAt(sandbox)]).toEqual([
          [],
          [],
          2 * (at + 1),
        ])
      }
      const booked = [...bookedBy(await sandbox.control("books")).values()].map(({ length }) => length)
      expect(booked).toEqual(Array(40).fill(1))
    },
  )
})
