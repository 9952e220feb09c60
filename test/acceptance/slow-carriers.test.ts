/** A carrier that hangs hides no others, and nobody chooses without it who was not told to. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Plan } from "../../src/orders/batch/plan/plan.ts"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { ENTER, LEAVE, type Line, scripted } from "../orders/wizard/scripted.ts"
import { assistant, type Reply } from "./assistants.ts"
import { errorOf, fresh } from "./batches.ts"
import { ownBooking } from "./bookings.ts"
import { desk, type RunOptions } from "./freight.ts"
import { nestedOrder, order, saveOrders } from "./orders.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const QUESTION = "Choose from the carriers that answered?"
/** Late after a moment, and given up after a second. */
const SOON = { clock: false, host: { lateMs: 250 } } as const satisfies RunOptions

/** A desk, and a sandbox one of whose carriers hangs: the cheapest, or another. */
async function hangingDesk(fault = "hang:connector-c@/rates") {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  await sandbox.control("faults", { fault })
  const run = (words: readonly string[], options: RunOptions = {}) =>
    made.freight([...words, "--timeout", "0.8"], {
      ...SOON,
      ...options,
      host: { ...SOON.host, ...options.host },
    })
  return {
    ...made,
    sandbox,
    run,
    /** With a person at a terminal, and what that was told and asked. */
    async sit(words: readonly string[], lines: readonly Line[]) {
      const conversation = scripted(lines)
      const ran = await run(words, { columns: 200, host: { converse: async () => conversation } })
      return { ...ran, ...conversation, questions: conversation.asked.map(({ question }) => question) }
    },
    async saveBooking(changes: Partial<ConsignmentBookingRequest> = {}) {
      const { serviceCode: _, ...open } = ownBooking()
      await writeFile(path.join(made.folder, "open.json"), JSON.stringify({ ...open, ...changes }))
      return ["book", "--file", "open.json"]
    },
    sent: async () => ((await sandbox.control("books")) as { shipments: Sent[] }).shipments,
  }
}

interface Sent {
  connectorId: string
  request: ConsignmentBookingRequest
}

const CONNECTORS = ["connector-a", "connector-b", "connector-c"]

interface Rates {
  quoteId: string | null
  items: { connectorId: string; rateId: string | null; quoteId: string }[]
  failures: object[]
}

/** The quotes of an account's rates. */
function listQuotes({ items }: Rates, connector: string): string[] {
  const rates = items.filter(({ connectorId }) => connectorId === connector)
  return [...new Set(rates.map(({ quoteId }) => quoteId))]
}

describe("rate-shop", () => {
  it("shows the rates of the others, names who did not answer, and ends well", async () => {
    const { run } = await hangingDesk()
    const { code, stdout, stderr } = await run(["rate-shop", ...LANE])
    expect([code, stdout.includes("General Freight"), stdout.includes("9:00 Express")]).toEqual([
      0,
      true,
      true,
    ])
    expect(stderr).toContain(
      "warning: CARRIER_C_AU (connector-c) gave no rate: it did not answer in time [NO_ANSWER]\n",
    )
  })

  it("shows a person what the others charge as their answers come, and a script only at the end", async () => {
    const { run } = await hangingDesk()
    const B_CHARGES = /^Carrier B: \d+ rates?, from AUD \d+\.\d\d$/m
    const watched = await run(["rate-shop", ...LANE], { columns: 200 })
    expect(watched.code, watched.stderr).toBe(0)
    expect(watched.stderr).toMatch(B_CHARGES)
    expect(watched.stderr.indexOf("Carrier B:")).toBeLessThan(watched.stderr.indexOf("gave no rate"))
    expect((await run(["rate-shop", ...LANE])).stderr).not.toMatch(B_CHARGES)
  })

  it("gives each result the quote of its own call", async () => {
    const { run, sandbox } = await hangingDesk()
    const some = (await run(["rate-shop", ...LANE, "--json"])).json<Rates>()
    const [a, b, c] = CONNECTORS.map((connector) => listQuotes(some, connector))
    expect([a, b, c, some.quoteId]).toEqual([[expect.any(String)], [expect.any(String)], [], null])
    expect(a).not.toEqual(b)
    expect(some.failures).toEqual([
      {
        ...{ connectorId: "connector-c", carrier: "CARRIER_C_AU" },
        ...{ code: "NO_ANSWER", message: "it did not answer in time" },
      },
    ])
    await sandbox.control("faults", undefined, "DELETE")
    const all = (await run(["rate-shop", ...LANE, "--json"])).json<Rates>()
    expect(all.failures).toEqual([])
    for (const connector of CONNECTORS) expect(listQuotes(all, connector)).toEqual([all.quoteId])
  })

  it("ends with 6 where no carrier answers, and names them", async () => {
    const { run } = await hangingDesk("hang@/rates")
    const ran = await run(["rate-shop", ...LANE, "--json"])
    expect([ran.code, ran.stdout]).toEqual([6, ""])
    const { kind, retry, message } = errorOf(ran)
    expect([kind, retry]).toEqual(["timeout", "safe"])
    expect(message).toMatch(/connector-a: .*connector-b: .*connector-c: it did not answer in time/)
  })

  it("ends with 6 where one says no and the others do not answer", async () => {
    const { run, sandbox } = await hangingDesk("502@/connector-a/rates")
    await sandbox.control("faults", { fault: "hang@/rates" })
    expect((await run(["rate-shop", ...LANE, "--json"])).code).toBe(6)
  })
})

describe("a rate of its own call", () => {
  it("is booked by its number with its own quote, and with no other", async () => {
    const { run, saveBooking, sent } = await hangingDesk()
    await run(["rate-shop", ...LANE])
    const book = await saveBooking()
    const { items } = (await run(["rate-shop", ...LANE, "--json"])).json<Rates>()
    const [ofA, ofB] = ["connector-a", "connector-b"].map((connector) =>
      items.find(({ connectorId }) => connectorId === connector),
    )
    const rateId = ofB?.rateId ?? ""
    const other = await run([...book, "--rate", rateId, "--quote", ofA?.quoteId ?? ""])
    expect(other.code, other.stderr).toBe(2)
    expect(other.stderr).toContain("quote")
    expect(await sent()).toEqual([])
    const own = await run([...book, "--rate", rateId, "--json"])
    expect(own.code, own.stderr).toBe(0)
    const [shipment] = await sent()
    expect([shipment?.connectorId, shipment?.request]).toMatchObject([
      "connector-b",
      { rateId, quoteId: ofB?.quoteId },
    ])
    const history = (await run(["history", "--json"])).items<{ quoteId: string }>()
    expect(history.map(({ quoteId }) => quoteId)).toEqual([ofB?.quoteId])
  })
})

describe("book", () => {
  it("does not choose without a carrier that hangs, in a script", async () => {
    const { run, saveBooking, sent } = await hangingDesk()
    const ran = await run([...(await saveBooking()), "--service", "cheapest", "--json"])
    expect(ran.code, ran.stderr).toBe(6)
    expect(errorOf(ran)).toMatchObject({
      kind: "timeout",
      retry: "safe",
      message: "carrier C (connector-c) did not answer in time, so the cheapest rate is not known",
      errors: [{ code: "NO_ANSWER" }],
    })
    expect(await sent()).toEqual([])
  })

  it("chooses with --without-missing, and says without whom", async () => {
    const { run, saveBooking, sent } = await hangingDesk()
    const book = [...(await saveBooking()), "--service", "cheapest", "--without-missing"]
    const ran = await run(book)
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stderr).toContain("; no answer from carrier C.")
    const [shipment] = await sent()
    expect(shipment).toMatchObject({ connectorId: "connector-b", request: { quoteId: expect.any(String) } })
  })

  it("chooses where the booking itself says so, in its file or with --set", async () => {
    const { run, saveBooking, sent } = await hangingDesk()
    const book = [...(await saveBooking()), "--service", "cheapest"]
    expect(await run([...book, "--set", "withoutMissing=true", "--dry-run"])).toMatchObject({ code: 0 })
    await saveBooking({ withoutMissing: true } as object)
    const ran = await run(book)
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("; no answer from carrier C.")])
    expect(await sent()).toHaveLength(1)
  })

  it.each([
    [true, 0, 1],
    [false, 6, 0],
  ])("asks a person, whose answer is %s", async (answer, code, count) => {
    const { sit, saveBooking, sent } = await hangingDesk()
    const lines: Line[] = [[QUESTION, answer], ...(answer ? ([["Book it", true]] as const) : [])]
    const ran = await sit([...(await saveBooking()), "--service", "fastest"], lines)
    expect(ran.code, ran.stderr).toBe(code)
    expect(ran.left).toEqual([])
    expect(ran.stderr).toContain("carrier C (connector-c): it did not answer in time")
    expect(await sent()).toHaveLength(count)
  })

  it("asks nobody with --yes, and ends as a script does", async () => {
    const { sit, saveBooking } = await hangingDesk()
    expect((await sit([...(await saveBooking()), "--service", "cheapest", "--yes"], [])).code).toBe(6)
  })

  it.each([
    ["that is to be avoided", ["--service", "cheapest", "--avoid", "C"]],
    ["that does not have the service", ["--service", "GEN", "--max-price", "500"]],
    ["where another is named", ["--service", "cheapest", "--connector", "connector-b"]],
  ])("needs no answer of a carrier %s", async (_what, wish) => {
    const { run, saveBooking, sent } = await hangingDesk()
    const ran = await run([...(await saveBooking()), ...wish])
    expect(ran.code, ran.stderr).toBe(0)
    expect(await sent()).toMatchObject([{ connectorId: "connector-b" }])
  })

  it("chooses as ever where a carrier says that it has no rate", async () => {
    const { run, saveBooking, sandbox, sent } = await hangingDesk("hang@/v0/rates")
    await sandbox.control("faults", { fault: "502@/connector-c/rates" })
    const ran = await run([...(await saveBooking()), "--service", "cheapest"])
    expect(ran.code, ran.stderr).toBe(0)
    expect(await sent()).toMatchObject([{ connectorId: "connector-b" }])
  })

  it("in the wizard shows rates as they come, and who did not answer", async () => {
    const { sit, saveBooking } = await hangingDesk()
    const ran = await sit(await saveBooking(), [
      ["Is either place a home?", ENTER],
      ["Which service", "General Freight"],
      ["", LEAVE],
    ])
    expect(ran.said.find((line) => /^Carrier B: \d+ rates?, from AUD \d+\.\d\d$/.test(line))).toBeDefined()
    expect(ran.said).toContain("Carrier C gave no rate: it did not answer in time.")
    expect(ran.asked[1]?.choices.join()).not.toContain("Standard")
  })
})

describe("an assistant", () => {
  it("plans without a carrier that hangs only where it is told so", async () => {
    const made = await hangingDesk()
    await made.freight(["config", "set", "timeout", "0.8"])
    const { call } = await assistant(made, [], { host: SOON.host })
    const { connector: _, ...flat } = order(fresh(), { service: "cheapest" })
    const bookings = [nestedOrder(flat)]
    const rows = ({ data }: Reply) => data.items as { state: string; error?: string; why?: string }[]
    const [failed] = rows(await call("plan_booking", { bookings }))
    expect(failed).toMatchObject({
      state: "failed",
      error: expect.stringContaining("carrier C (connector-c) did not answer in time"),
    })
    const [planned] = rows(await call("plan_booking", { bookings, withoutMissing: true }))
    expect(planned).toMatchObject({
      state: "planned",
      why: expect.stringContaining("no answer from carrier C"),
    })
  })
})

describe("a batch", () => {
  const ROWS = 3
  const saveRows = (folder: string) =>
    saveOrders(
      folder,
      Array.from({ length: ROWS }, () => order(fresh(), { connector: "", service: "cheapest" })),
    )

  it("does not choose without a carrier that hangs, and asks for all rates at once only until it knows", async () => {
    const { run, folder, sent, sandbox } = await hangingDesk()
    const file = await saveRows(folder)
    const ran = await run(["batch", "book", file, "--concurrency", "1", "--json"])
    expect(ran.code, ran.stderr).not.toBe(0)
    expect(errorOf(ran).errors?.[0]?.message).toContain("carrier C (connector-c) did not answer in time")
    expect(await sent()).toEqual([])
    expect(await requestsTo(sandbox, "POST /rates")).toBe(1)
  })

  it("chooses with --without-missing, each rate with its own quote", async () => {
    const { run, folder, sent, sandbox } = await hangingDesk()
    const file = await saveRows(folder)
    const words = ["batch", "book", file, "--without-missing", "--concurrency", "1", "--json"]
    const ran = await run(words)
    expect(ran.code, ran.stderr).toBe(0)
    const quotes = (await sent()).map(({ request }) => request.quoteId)
    expect([quotes.length, new Set(quotes).size]).toEqual([ROWS, ROWS])
    expect(await requestsTo(sandbox, "POST /rates")).toBe(1)
  })

  it.each([
    [true, 0, ROWS],
    [false, 6, 0],
  ])("asks a person once for all its rows, whose answer is %s", async (answer, code, count) => {
    const { sit, folder, sent } = await hangingDesk()
    const file = await saveRows(folder)
    const lines: Line[] = [[QUESTION, answer], ...(answer ? ([["Book 3 consignments", true]] as const) : [])]
    const ran = await sit(["batch", "book", file], lines)
    expect([ran.code, ran.left], ran.stderr).toEqual([code, []])
    expect(await sent()).toHaveLength(count)
  })

  it("chooses for each row that says so, and a person's answer counts for rows that allow something else", async () => {
    const { run, sit, folder, sent } = await hangingDesk()
    const saveSaying = (...saying: readonly Record<string, string>[]) =>
      saveOrders(
        folder,
        saying.map((changes) => order(fresh(), { connector: "", service: "cheapest", ...changes })),
      )
    const some = await saveSaying({ "Without missing": "yes" }, { "Without missing": "no" })
    const ran = await run(["batch", "plan", some, "-o", "-"])
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: [{ state: "planned" }, { state: "failed" }] })
    const others = await saveSaying({ "Allow density": "yes" }, { "Allow density": "" })
    const lines: Line[] = [
      [QUESTION, true],
      ["Book 2 consignments", true],
    ]
    const booked = await sit(["batch", "book", others], lines)
    expect([booked.code, booked.left], booked.stderr).toEqual([0, []])
    expect(await sent()).toHaveLength(2)
  })

  it("is planned with the rows that have no choice, or with the others' rates", async () => {
    const { run, sit, folder } = await hangingDesk()
    const file = await saveRows(folder)
    const plan = async () => JSON.parse(await readFile(path.join(folder, "p.json"), "utf8")) as Plan
    const words = ["batch", "plan", file, "-o", "p.json", "--force"]
    const without = await run(words)
    expect(without.code, without.stderr).toBe(1)
    expect((await plan()).rows.map(({ state }) => state)).toEqual(["failed", "failed", "failed"])
    const asked = await sit(words, [[QUESTION, true]])
    expect(asked.code, asked.stderr).toBe(0)
    for (const row of (await plan()).rows)
      expect(row).toMatchObject({
        state: "planned",
        connectorId: "connector-b",
        why: expect.stringContaining("no answer from carrier C"),
        request: { quoteId: row.state === "planned" ? row.rate.quoteId : "" },
      })
    const booked = await run(["batch", "book", "--plan", "p.json", "--json"])
    expect(booked.code, booked.stderr).toBe(0)
  })
})
