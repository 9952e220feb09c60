/** Plan, approve, book: what a plan holds, that it is booked exactly, and what refuses it. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { errorOf, fresh } from "./batches.ts"
import { desk, ensureBuilt, errorIn, ROOT, type RunOptions } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { csvOf, type Order, order, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"
import type { SandboxReach } from "./sandbox.ts"

const sandbox = await fileSandbox()

interface PlanFile {
  planHash: string
  complete: boolean
  validUntil: string
  totals: unknown
  rows: { state: string; price?: number; why?: string; reference: string; request: Record<string, unknown> }[]
}

const KILLABLE = path.join(import.meta.dirname, "killable.mjs")
const OPEN = { connector: "", service: "cheapest" }
const HOUR = 3_600_000

/** A desk with orders, and what its plan says. */
async function planDesk(rows: readonly Order[], reach: SandboxReach = sandbox) {
  const made = await desk(reach)
  await saveOrders(made.folder, rows)
  const file = path.join(made.folder, "orders.plan.json")
  const references = rows.map(({ reference = "" }) => reference)
  return {
    ...made,
    file,
    plan: (...flags: string[]) => made.freight(["batch", "plan", "orders.csv", ...flags]),
    show: (...flags: string[]) => made.freight(["batch", "plan", "show", "orders.plan.json", ...flags]),
    book: (flags: string[] = [], options: RunOptions = {}) =>
      made.freight(["batch", "book", "--plan", "orders.plan.json", "--json", ...flags], options),
    read: async () => JSON.parse(await readFile(file, "utf8")) as PlanFile,
    /** How often each row was booked, at which price. */
    async booked() {
      const books = bookedBy(await sandbox.control("books"))
      return references.map((reference) => books.get(reference)?.length ?? 0)
    },
  }
}

/** The hash as anybody can reckon it: SHA-256 of the JSON with its fields in order, without the hash. */
function hashOf(plan: object): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, each]) => [name, sorted(each)]),
    )
  }
  const { planHash: _, ...content } = plan as { planHash?: string }
  return createHash("sha256")
    .update(JSON.stringify(sorted(content)))
    .digest("hex")
}

describe("batch plan", () => {
  it("writes each row with its choice, and sends nothing", async () => {
    const made = await planDesk([order(fresh(), OPEN), order(fresh(), { ...OPEN, service: "fastest" })])
    const ran = await made.plan("--avoid", "B", "--json")
    expect(ran.code).toBe(0)
    const plan = await made.read()
    expect(plan.rows.map(({ state, price, why }) => [state, price, why])).toEqual([
      ["planned", 62.52, "C/STD at 62.52; 76 is 11.91 dearer"],
      ["planned", 197.24, expect.stringMatching(/^A\/701 at 197.24, arriving /)],
    ])
    expect(plan.rows[0]?.request).toMatchObject({ serviceCode: "STD", rateId: expect.any(String) })
    expect(plan).toMatchObject({ complete: true, totals: [{ currency: "AUD", amount: 259.76 }] })
    expect(plan.planHash).toBe(hashOf(plan))
    expect(ran.json()).toMatchObject({
      planHash: plan.planHash,
      planned: 2,
      without: 0,
      planFile: "orders.plan.json",
    })
    expect((await made.show("--json")).json()).toEqual(ran.json())
    expect(await made.booked()).toEqual([0, 0])
  })

  it("is shown as a table to read, and as CSV", async () => {
    const made = await planDesk([order("PLAN-SHOWN", OPEN)])
    await made.plan()
    const shown = await made.freight(["batch", "plan", "show", "orders.plan.json"], { columns: 120 })
    expect(shown.stdout).toMatch(
      /PLAN-SHOWN +C\/STD +AUD 62.52 to 68.77 +5 days +Receiver of +C\/STD at 62.52 to 68.77 with +planned/,
    )
    expect(shown.stderr).toMatch(
      /1 row to be booked for AUD 62.52, GST not stated, with GST AUD 62.52 to 68.77\.\nCarrier C does not say whether GST is in its prices: [^:]*:\sfreight config set gst C=included\nPlan hash: [0-9a-f]{64}\nThe rates are valid until /,
    )
    expect(shown.stderr).toContain("Book it: freight batch book --plan orders.plan.json")
    const csv = (await made.show("--format", "csv", "--fields", "reference,carrier,serviceCode,price,why"))
      .stdout
    expect(csv).toBe(
      "reference,carrier,serviceCode,price,why\nPLAN-SHOWN,CARRIER_C_AU,STD,62.52,C/STD at 62.52 to 68.77 with GST; GEN is at 70.29 with GST\n",
    )
  })

  it("tells the rows that no rate fits, ends with 1, and the plan says so", async () => {
    const [one, two] = [fresh(), fresh()]
    const made = await planDesk([order(one, OPEN), order(two, { ...OPEN, maxPrice: "50" })])
    await saveOrders(made.folder, [
      order(one, { ...OPEN, maxPrice: "" }),
      order(two, { ...OPEN, maxPrice: "50" }),
    ])
    const ran = await made.plan("--json")
    expect(ran.code).toBe(1)
    const { items: rows, ...rest } = ran.json<{ items: unknown[] }>()
    expect(rest).toMatchObject({ complete: false, planned: 1, without: 1 })
    expect(rows[1]).toMatchObject({
      row: 3,
      reference: two,
      state: "failed",
      error: "no rate meets your wishes (at most 50.00); C/STD at 62.52 is 12.52 over the limit",
    })
    const refused = await made.book()
    expect(refused.code).toBe(2)
    expect(errorOf(refused)).toMatchObject({
      message: "orders.plan.json: 1 of 2 rows cannot be booked; nothing was sent",
      errors: [
        { message: expect.stringMatching(/^row 3: the plan has no rate for it: no rate meets your wishes/) },
      ],
    })
    expect(await made.booked()).toEqual([0, 0])
    expect((await made.book(["--skip-invalid"])).code).toBe(1)
    expect(await made.booked()).toEqual([1, 0])
  })

  it("of a file with a wrong row prints the command that books the others, which runs as it stands", async () => {
    const [one, two] = [fresh(), fresh()]
    const made = await planDesk([order(one, OPEN), order(two, { ...OPEN, "receiver.postcode": "" })])
    const planned = await made.plan("--skip-invalid")
    const [, words = ""] = /^Book it: freight (.*)$/m.exec(planned.stderr) ?? []
    expect(words).toBe("batch book --plan orders.plan.json --skip-invalid")
    const ran = await made.freight([...words.split(" "), "--yes"])
    // A row that is left out makes the exit code 1, as in a run without a plan.
    expect([ran.code, await made.booked()]).toEqual([1, [1, 0]])
    await saveOrders(made.folder, [order(one, OPEN), order(two, OPEN)])
    const [, again = ""] = /^Book it: freight (.*)$/m.exec((await made.plan()).stderr) ?? []
    expect((await made.freight([...again.split(" "), "--yes"])).code).toBe(0)
    expect(await made.booked()).toEqual([1, 1])
  })

  it("refuses orders with mistakes as batch book does, and writes nothing", async () => {
    const made = await planDesk([order(fresh(), { ...OPEN, "receiver.postcode": "" })])
    expect((await made.plan()).code).toBe(2)
    await expect(readFile(made.file)).rejects.toThrow()
  })

  it("goes to standard output and comes from standard input", async () => {
    const made = await planDesk([order(fresh(), OPEN)])
    const { stdout } = await made.plan("-o", "-")
    const shown = await made.freight(["batch", "plan", "show", "-", "--json"], { input: stdout })
    expect(shown.json()).toMatchObject({ planHash: JSON.parse(stdout).planHash })
    const ran = await made.freight(["batch", "book", "--plan", "-", "--json"], { input: stdout })
    expect([ran.code, ran.json().booked]).toEqual([0, 1])
    const piped = await made.freight(["batch", "plan", "-", "-o", "-"], {
      input: csvOf([order(fresh(), OPEN)]),
    })
    expect([piped.code, piped.json().complete]).toEqual([0, true])
  })

  it("writes over its own plans only", async () => {
    const made = await planDesk([order(fresh(), OPEN)])
    expect((await made.plan()).code).toBe(0)
    expect((await made.plan()).code).toBe(0)
    await writeFile(made.file, "mine")
    expect((await made.plan()).code).toBe(2)
    for (const name of ["orders.csv", "./orders.csv"]) {
      const { code, stderr } = await made.plan("-o", name, "--force")
      expect([code, stderr]).toEqual([2, expect.stringContaining("which is read")])
    }
    expect((await made.plan("--force")).code).toBe(0)
  })

  it("keeps to --max-total, and tells what is booked already", async () => {
    const rows = [order(fresh(), OPEN), order(fresh(), OPEN)]
    const made = await planDesk(rows)
    await saveOrders(made.folder, rows.slice(0, 1))
    expect((await made.freight(["batch", "book", "orders.csv"])).code).toBe(0)
    await saveOrders(made.folder, rows)
    expect((await made.plan("--max-total", "100")).code).toBe(2)
    expect((await made.plan("--json")).json()).toMatchObject({ planned: 1, totals: [{ amount: 62.52 }] })
    expect((await made.read()).rows.map(({ state }) => state)).toEqual(["booked", "planned"])
    expect((await made.book()).json()).toMatchObject({ booked: 2, recorded: 1 })
    expect(await made.booked()).toEqual([1, 1])
  })
})

describe("batch book --plan", () => {
  it("books exactly the plan, once, with results, labels and status", async () => {
    const rows = [order(fresh(), OPEN), order(fresh(), { service: "GEN" })]
    const made = await planDesk(rows)
    await made.plan()
    // The orders change after the plan was approved.
    await saveOrders(made.folder, [order(fresh(), { ...OPEN, service: "fastest" })])
    const ran = await made.book(["--labels", "labels", "--merge", "labels.pdf", "--pickup"])
    expect(ran.json()).toMatchObject({
      booked: 2,
      recorded: 0,
      totals: [{ amount: 126.42 }],
      resultsFile: "orders.plan.results.csv",
    })
    const { rows: planned } = await made.read()
    const { shipments } = (await sandbox.control("books")) as {
      shipments: { request: Record<string, unknown> }[]
    }
    for (const { reference, request } of planned)
      expect(shipments.find((each) => each.request.customerReference === reference)?.request).toEqual(request)
    const results = await readFile(path.join(made.folder, "orders.plan.results.csv"), "utf8")
    expect(results.split("\n")[1]).toMatch(
      /,booked,[^,]+,[^,]+,62.52,labels\/[^,]+\.pdf,,C\/STD at 62.52 to 68.77 with GST; GEN is at 70.29 with GST,,CARRIER_C_AU,STD,[\d-]{10},,$/,
    )
    expect((await readFile(path.join(made.folder, "labels.pdf"))).subarray(0, 5).toString()).toBe("%PDF-")
    expect((await made.book()).json()).toMatchObject({ booked: 2, recorded: 2 })
    expect(await made.booked()).toEqual([1, 1])
    const status = await made.freight(["batch", "status", "orders.plan.json", "--json"])
    expect(status.json()).toMatchObject({ rows: 2, booked: 2 })
  })

  it.each([
    "before-intent",
    "after-intent",
    "before-outcome",
    "after-outcome",
  ])("books each row once though it is killed %s", async (moment) => {
    const made = await planDesk([order(fresh(), OPEN), order(fresh(), OPEN)])
    await made.plan()
    ensureBuilt()
    const args = [KILLABLE, "batch", "book", "--plan", "orders.plan.json", "--concurrency", "1"]
    const child = spawn(process.execPath, args, {
      cwd: made.folder,
      env: { ...made.env, FREIGHT_TEST_KILL_AT: moment },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    })
    child.stdio[3]?.on("data", () => {})
    expect((await once(child, "close"))[1]).toBe("SIGKILL")
    const ran = await made.book()
    // Nothing tells a request that was never sent from one that is lost: a person releases it.
    if (ran.code === 7) {
      const { reference = "" } = (await made.read()).rows[0] ?? {}
      expect(moment).toBe("after-intent")
      expect((await made.freight(["reconcile", "--release", reference])).code).toBe(0)
      expect((await made.book()).code).toBe(0)
    } else expect(ran.code).toBe(0)
    expect(await made.booked()).toEqual([1, 1])
  })

  it.each([
    ["a price", (text: string) => text.replace('"price": 62.52', '"price": 60.52')],
    ["a row taken out", (text: string) => JSON.stringify({ ...JSON.parse(text), rows: [] })],
    ["a field more", (text: string) => text.replace('"freightPlan"', '"note": "ok", "freightPlan"')],
    ["its hash", (text: string) => text.replace(/"planHash": "./, '"planHash": "x')],
  ])("refuses a plan with another %s", async (_, change) => {
    const made = await planDesk([order(fresh(), OPEN)])
    await made.plan()
    await writeFile(made.file, change(await readFile(made.file, "utf8")))
    for (const ran of [await made.book(), await made.show("--json")]) {
      expect(ran.code).toBe(2)
      expect(errorIn(ran.stderr)).toMatchObject({
        message: expect.stringContaining("orders.plan.json was changed after it was made"),
        next: "freight batch plan orders.csv",
      })
    }
    expect(await made.booked()).toEqual([0])
  })

  it("is what its schema says, of rows of every kind", async () => {
    const booked = order(fresh(), { status: "" })
    const others = [order(fresh(), { ...OPEN, status: "" }), order(fresh(), { status: "refunded" })]
    const made = await planDesk([booked, ...others])
    await saveOrders(made.folder, [booked])
    expect((await made.freight(["batch", "book", "orders.csv"])).code).toBe(0)
    await saveOrders(made.folder, [booked, ...others])
    await made.plan()
    const plan = await made.read()
    expect(plan.rows.map(({ state }) => state)).toEqual(["booked", "planned", "left-out"])
    const ajv = new Ajv2020({ strict: true, strictRequired: false, validateFormats: false })
    ajv.addVocabulary(["errorMessage", "x-managed", "x-carrier", "x-kind", "x-names", "x-hint"])
    const schemas = await Promise.all(
      ["freight", "plan"].map(async (name) =>
        JSON.parse(await readFile(path.join(ROOT, `schemas/${name}.schema.json`), "utf8")),
      ),
    )
    for (const schema of schemas) ajv.addSchema(schema)
    const isPlan = ajv.getSchema("plan.schema.json")
    expect([isPlan?.(plan), isPlan?.errors]).toEqual([true, null])
    expect(isPlan?.({ ...plan, rows: plan.rows.map((row) => ({ ...row, request: {} })) })).toBe(false)
  })

  it("takes a plan that is only spaced otherwise", async () => {
    const made = await planDesk([order(fresh(), OPEN)])
    await made.plan()
    await writeFile(made.file, JSON.stringify(await made.read()))
    expect((await made.book()).code).toBe(0)
  })

  it.each([
    ["of no shape", { freightPlan: 1 }],
    ["with rows that are none", { freightPlan: 1, rows: [null, {}] }],
    ["that is newer", { freightPlan: 2, planHash: "" }],
    ["that is a booking", { receiver: {} }],
  ])("refuses a file %s with a message", async (_, content) => {
    const made = await planDesk([])
    await writeFile(made.file, JSON.stringify({ planHash: hashOf(content), ...content }))
    const ran = await made.book()
    expect([ran.code, errorIn(ran.stderr).kind]).toEqual([2, "input"])
  })

  it("refuses a plan whose parts do not fit together, though its hash does", async () => {
    const made = await planDesk([order(fresh(), OPEN)])
    await made.plan()
    const plan = await made.read()
    const changes: object[] = [
      ...[{ price: 1 }, { connectorId: "x" }, { request: {} }, { input: { Order: 1 } }, { wish: null }],
      ...[{ rate: {} }, { residential: {} }, { written: {} }, { line: "2" }, { error: "late" }],
      ...[{ writtenPlaces: { receiver: { suburb: "X" } } }, { state: "failed", held: { means: "ship" } }],
    ]
    for (const change of changes) {
      const forged = { ...plan, rows: plan.rows.map((row) => ({ ...row, ...change })) }
      await writeFile(made.file, JSON.stringify({ ...forged, planHash: hashOf(forged) }))
      expect((await made.book()).code).toBe(2)
    }
    expect(await made.booked()).toEqual([0])
  })

  it("refuses a plan of another account, and of another service", async () => {
    const made = await planDesk([order(fresh(), OPEN)])
    await made.plan()
    const other = await made.book([], { env: { FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "" } })
    expect([other.code, errorIn(other.stderr).message]).toEqual([
      2,
      "orders.plan.json was made for another account, not for this one; nothing was sent",
    ])
    const embedded = await made.book(["--sandbox"])
    expect([embedded.code, errorIn(embedded.stderr).message]).toEqual([
      2,
      expect.stringMatching(
        /^orders.plan.json was made for localhost:\d+\S*, not for the sandbox; nothing was sent$/,
      ),
    ])
    expect(await made.booked()).toEqual([0])
  })

  it("recognizes a plan that is given as orders", async () => {
    const made = await planDesk([order(fresh(), OPEN)])
    await made.plan()
    const ran = await made.freight(["batch", "book", "orders.plan.json", "--json"])
    expect([ran.code, errorIn(ran.stderr)]).toEqual([
      2,
      expect.objectContaining({
        message: "orders.plan.json is a plan, not a file of orders",
        next: "freight batch book --plan orders.plan.json",
      }),
    ])
    expect((await made.freight(["batch", "plan", "orders.plan.json"])).code).toBe(2)
  })

  it("refuses rows whose collection has passed meanwhile", async () => {
    const made = await planDesk([order(fresh(), OPEN)])
    await made.plan()
    const ran = await made.book([], { now: Date.now() + 800 * 24 * HOUR })
    expect(ran.code).toBe(2)
    expect(errorOf(ran).errors?.[0]?.message).toMatch(/^row 2: the ready time is past: /)
  })
})

describe("a plan whose rates are asked for again", () => {
  /** A desk whose carriers ask for `share` of their price, from now on. */
  async function movingDesk(count = 2) {
    const market = { share: 1, isGone: false }
    const reach = await altered(sandbox, (reply) => {
      if (!reply.path.endsWith("/rates") || reply.status !== 200) return
      reply.change((value) => {
        const change = (rate: { price: number }) => ({
          ...rate,
          price: Math.round(rate.price * market.share * 100) / 100,
        })
        const rates = value.rates as { price: number }[] | undefined
        const results = value.results as { rates?: { price: number }[] }[] | undefined
        if (rates) return { ...value, rates: market.isGone ? [] : rates.map(change) }
        return { ...value, results: results?.map((each) => ({ ...each, rates: each.rates?.map(change) })) }
      })
    })
    const made = await planDesk(
      Array.from({ length: count }, () => order(fresh(), OPEN)),
      reach,
    )
    await made.plan()
    return { ...made, market }
  }
  const late = () => ({ now: Date.now() + 49 * HOUR })

  it("is booked within 48 hours at its own rates, whatever they are now", async () => {
    const made = await movingDesk()
    made.market.share = 1.5
    expect((await made.book([], { now: Date.now() + 47 * HOUR })).json()).toMatchObject({
      booked: 2,
      totals: [{ amount: 125.04 }],
    })
  })

  it("is booked after 48 hours where nothing has changed", async () => {
    const made = await movingDesk()
    const ran = await made.book([], late())
    expect([ran.code, ran.json().booked]).toEqual([0, 2])
    expect(ran.stderr).toContain(
      "The plan's rates have expired, so they were asked for again: 0 rows with another price.",
    )
    expect((await made.show()).code).toBe(0)
  })

  it("stops where prices have changed, and names each by how much", async () => {
    const made = await movingDesk()
    made.market.share = 1.04
    const ran = await made.book(["--max-change", "3.9%"], late())
    expect(ran.code).toBe(1)
    expect(errorOf(ran)).toMatchObject({
      message: "orders.plan.json: 2 rows have changed since it was made; nothing was sent",
      errors: [
        {
          message: expect.stringMatching(/^row 2 \(T\d+\): C\/STD was 62.52 and is 65.02 \(\+2.50, 4.0%\)$/),
        },
        { message: expect.stringMatching(/^row 3 /) },
      ],
    })
    expect(await made.booked()).toEqual([0, 0])
    const allowed = await made.book(["--max-change", "4%"], late())
    expect(allowed.json()).toMatchObject({ booked: 2, totals: [{ amount: 130.04 }] })
    expect(allowed.stderr).toContain("C/STD was 62.52 and is 65.02")
  })

  it("asks again with --check, and shows with --dry-run", async () => {
    const made = await movingDesk(1)
    made.market.share = 0.5
    const dry = await made.book(["--dry-run"])
    expect([dry.code, dry.items()]).toEqual([
      1,
      [expect.objectContaining({ state: "failed", error: "C/STD was 62.52 and is 31.26 (-31.26, 50.0%)" })],
    ])
    expect((await made.book(["--check"])).code).toBe(1)
    expect((await made.book(["--dry-run", "--max-change", "50%"])).code).toBe(0)
    expect(await made.booked()).toEqual([0])
    expect((await made.book(["--check", "--max-change", "50%"])).json()).toMatchObject({ booked: 1 })
  })

  it("stops where a service is not offered any more, and keeps to what rows may cost", async () => {
    const made = await movingDesk(1)
    made.market.isGone = true
    const gone = await made.book(["--max-change", "50%"], late())
    expect([gone.code, errorOf(gone).errors?.[0]?.message]).toEqual([
      1,
      expect.stringMatching(/: C\/STD was 62.52: service STD is not offered for this order$/),
    ])
    const dear = await movingDesk(1)
    await dear.plan("--max-price", "69")
    dear.market.share = 1.01
    const ran = await dear.book(["--max-change", "50%"], late())
    expect([ran.code, errorOf(ran).errors?.[0]?.message]).toEqual([
      1,
      expect.stringContaining("may be 0.47 over the limit with GST"),
    ])
    expect(await dear.booked()).toEqual([0])
  })

  it("asks only for rows that are not booked", async () => {
    const made = await movingDesk()
    expect((await made.book()).code).toBe(0)
    made.market.share = 2
    expect((await made.book([], late())).json()).toMatchObject({ booked: 2, recorded: 2 })
  })
})
