/** A return is an order that knows what it returns: it comes back once, whichever way it is said. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { openFreight } from "../../src/app/library.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import { FreightError } from "../../src/base/errors.ts"
import type { Json, JsonObject } from "../../src/base/json.ts"
import { openSqlite, sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemClock } from "../../src/machine/host.ts"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { assistant } from "./assistants.ts"
import { csvBill, saveBill } from "./bills.ts"
import { desk, type RunOptions } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { answering } from "./seats.ts"
import { threadedSqlite } from "./threaded-sqlite.ts"

const driver = await sqliteDriver(systemSqlite())
/** Within what today looks at. */
const NEAR = exampleBooking(Date.now()).collectionDateTime
const TIMES = ["--ready", NEAR, "--close", "17:00"]
const BOOK = ["book", "--connector", "connector-b", "--service", "GEN"]
const returnOf = (name: string, ...more: string[]) => [...BOOK, "--return-of", name, ...TIMES, ...more]

interface Sent {
  request: Record<string, Json> & { customerReference?: string }
}

/** A desk, and what its sandbox has booked by reference. */
async function openDesk(ledger?: string) {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  if (ledger !== undefined) made.env.FREIGHT_LEDGER = ledger
  const run = async (args: readonly string[], options?: RunOptions) => {
    const ran = await made.freight(args, options)
    expect(ran.code, ran.stderr).toBe(0)
    return ran
  }
  const save = async (name: string, content: string | object) => {
    await writeFile(
      path.join(made.folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    )
    return name
  }
  const listSent = async () =>
    ((await sandbox.control("books")) as { shipments: Sent[] }).shipments.map(({ request }) => request)
  /** The outcome of it, as one line. */
  const refusal = async (args: readonly string[], options?: RunOptions) => {
    const before = (await listSent()).length
    const { code, stderr } = await made.freight(args, options)
    expect(await listSent()).toHaveLength(before)
    return [code, stderr]
  }
  return { made, sandbox, run, save, listSent, refusal }
}

/** A desk that has sent SO-17: to a home, at the receiver's cost, with a word for the driver. */
async function sentDesk(changes: JsonObject = {}, ...more: string[]) {
  const opened = await openDesk()
  const booking = {
    ...exampleBooking(Date.now()),
    ...{ customerReference: "SO-17", specialInstructions: "Ring twice", costCentre: "Sales" },
    ...{ payer: { type: "Receiver", accountNumber: "ACC-9" } },
    ...changes,
  }
  const file = await opened.save("first.json", booking)
  await opened.run([...BOOK, "--file", file, "--to-residential", "--max-price", "900", ...more])
  return { ...opened, booking }
}

/** A terminal at which a person answers what is to be confirmed; what was asked is added to `said`. */
const atTerminal = (said: string[], isYes: boolean) => ({
  columns: 80,
  host: {
    converse: async () => ({
      ...answering("General Freight", said),
      async confirm(question: string) {
        said.push(question)
        return isYes
      },
    }),
  },
})

describe("book --return-of", () => {
  it("lets sender and receiver change places, and leaves out what is of the first journey", async () => {
    const { run, booking, listSent } = await sentDesk()
    await run(returnOf("SO-17"))
    const [, back] = await listSent()
    const { sender, receiver, packages, packagingCode } = booking
    expect(back).toMatchObject({
      ...{ sender: receiver, collection: receiver, receiver: sender, packages, packagingCode },
      ...{ customerReference: "RETURN-OF-SO-17", payer: { type: "Sender" }, collectionCloseTime: "1700" },
    })
    expect(back).not.toHaveProperty("specialInstructions")
    const kept = (await run(["history", "--json"])).items<HistoryRow & Record<string, unknown>>()
    expect(kept[0]).toMatchObject({
      ...{ key: "RETURN-OF-SO-17", returnOf: "SO-17", costCentre: "Sales" },
      ...{ "collection.residential": true, "receiver.residential": false },
    })
  })

  it("asks for what the customer's place has of its own, and a script is told the flags", async () => {
    const { refusal } = await sentDesk()
    expect(await refusal([...BOOK, "--return-of", "SO-17"])).toEqual([
      2,
      expect.stringMatching(
        /collectionDateTime is missing: give --ready .*\n.*collectionCloseTime is missing: give --close/,
      ),
    ])
  })

  it("is asked at a terminal for what is missing, and booked under its key", async () => {
    const { made, listSent, run } = await sentDesk()
    const said: string[] = []
    const ran = await made.freight(["book", "--return-of", "SO-17", "--connector", "connector-b"], {
      columns: 80,
      host: { converse: async () => answering("General Freight", said) },
    })
    expect(ran.code, ran.stderr + said.join("\n")).toBe(0)
    expect((await listSent())[1]).toMatchObject({
      ...{ customerReference: "RETURN-OF-SO-17", receiver: { companyName: "Harbour Lighting Pty Ltd" } },
      sender: { companyName: "Port Street Fittings" },
    })
    const [last] = (await run(["history", "--json"])).items<HistoryRow & Record<string, unknown>>()
    expect(last).toMatchObject({ key: "RETURN-OF-SO-17", returnOf: "SO-17" })
  })

  it("is still a return of its order where its draft is gone on with, in another box than the order had", async () => {
    const { made, run, refusal } = await sentDesk()
    const leaving = {
      ...answering("General Freight"),
      confirm: async () => true,
      async choose(question: string): Promise<never> {
        throw new FreightError("interrupted", `left at: ${question}`)
      },
    }
    const words = [
      "book",
      "--return-of",
      "SO-17",
      "--package",
      "1x40x30x21@5.5",
      "--connector",
      "connector-b",
    ]
    const left = await made.freight(words, { columns: 80, host: { converse: async () => leaving } })
    expect([left.code, left.stderr]).toEqual([130, expect.stringContaining("--resume")])
    const said: string[] = []
    const gone = await made.freight(["book", "--resume"], atTerminal(said, true))
    expect(gone.code, gone.stderr).toBe(0)
    expect(said.join("\n")).toContain(
      "comes back as 40 × 30 × 21 cm, and the order was sent in 40 × 30 × 20 cm",
    )
    const history = await run(["history", "--kind", "shipment", "--json"])
    const [last] = history.items<HistoryRow & Record<string, unknown>>()
    expect(last).toMatchObject({ key: "RETURN-OF-SO-17-1x40x30x21@5.5", returnOf: "SO-17" })
    expect(await refusal(returnOf("SO-17", "--package", "1x40x30x20@5.5"))).toEqual([
      1,
      expect.stringContaining("these packages of SO-17 come back already"),
    ])
  })

  it("reads the time by the clock at the customer's, and collects there and not where the profile says", async () => {
    const { run, save, booking, listSent } = await sentDesk()
    await run(["address", "add", "warehouse", "--file", await save("sender.json", booking.sender)])
    await run(["config", "set", "sender", "warehouse"])
    await run(["config", "set", "collection", "warehouse"])
    const { stderr } = await run([
      ...BOOK,
      "--return-of",
      "SO-17",
      "--ready",
      "in 2 days 10am",
      "--close",
      "17:00",
    ])
    expect(stderr).toContain("local time at the collection address")
    expect((await listSent())[1]).toMatchObject({
      collection: booking.receiver as unknown as JsonObject,
      receiver: booking.sender as unknown as JsonObject,
    })
  })

  it("takes no e-mail of the first collection: carrier C is given the customer's, or a warning says that it is missing", async () => {
    const { email: _, ...receiver } = exampleBooking(Date.now()).receiver
    const { run, listSent } = await sentDesk({ receiver })
    const words = ["book", "--connector", "connector-c", "--service", "STD", "--return-of", "SO-17", ...TIMES]
    const dry = await run([...words, "--dry-run", "--no-rate"])
    expect(dry.stderr).toContain("collection.email is missing")
    const given = await run([...words, "--set", "collection.email=lee@port.example"])
    expect(given.stderr).not.toContain("collection.email is missing")
    expect((await listSent())[1]).toMatchObject({ collection: { email: "lee@port.example" } })
  })

  it("is refused for what is a return itself, and for what the ledger does not have", async () => {
    const { run, refusal } = await sentDesk()
    await run(returnOf("SO-17"))
    expect(await refusal(returnOf("RETURN-OF-SO-17"))).toEqual([
      2,
      "error: RETURN-OF-SO-17 is a return itself, of SO-17\nNothing was sent. Goods that came back are sent again as the first time.\nnext: freight book --like SO-17\n",
    ])
    expect(await refusal(returnOf("SO-99"))).toEqual([
      5,
      expect.stringContaining('the ledger has no booking "SO-99"'),
    ])
    expect(await refusal(returnOf("SO-17", "--like", "SO-17"))).toEqual([
      2,
      expect.stringContaining("--return-of says what is booked, and so does --like"),
    ])
  })

  it("means the order, and not its return, where both have the reference", async () => {
    const { run, refusal } = await sentDesk()
    await run(returnOf("SO-17", "--reference", "SO-17"))
    expect(await refusal(returnOf("SO-17"))).toEqual([
      1,
      expect.stringContaining("these packages of SO-17 come back already: RETURN-OF-SO-17 was booked on"),
    ])
    // Nor another order whose name begins with that of a return.
    await run([...BOOK, "--like", "SO-17", "--reference", "BACK-170", ...TIMES, "--again"])
    await run(returnOf("SO-17", "--reference", "BACK-17", "--again"))
    expect(await refusal(returnOf("BACK-17"))).toEqual([
      2,
      expect.stringContaining("BACK-17 is a return itself, of SO-17"),
    ])
  })

  it("books parts apart, and a package that comes back already once", async () => {
    const packages = [
      { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 },
      { count: 1, lengthCm: 60, widthCm: 50, heightCm: 40, weightKg: 9 },
    ]
    const { run, refusal, listSent } = await sentDesk({ packages })
    await run(returnOf("SO-17", "--package", "1x40x30x20@5.5"))
    await run(returnOf("SO-17", "--package", "1x60x50x40@9"))
    const references = (await listSent()).map(({ customerReference }) => customerReference)
    expect(references).toEqual(["SO-17", "RETURN-OF-SO-17-1x40x30x20@5.5", "RETURN-OF-SO-17-1x60x50x40@9"])
    const twice = /these packages of SO-17 come back already: RETURN-OF-SO-17-1x/
    for (const more of [["--package", "1x40x30x20@5.5"], ["--package", "1x30x20x40@3"], []])
      expect(await refusal(returnOf("SO-17", ...more))).toEqual([1, expect.stringMatching(twice)])
  })

  it("asks before a second return of what is measured again, or of what the order never had, and a row is refused", async () => {
    const { made, run, refusal, save } = await sentDesk()
    const [headings, row] = csvOf("SO-17").split("\n")
    const rows = await save("r.csv", `Order,Packages,${headings}\nRMA-5,1x40x30x22@5.5,${row}\n`)
    await run(["batch", "plan", rows, "-o", "plan.json", "--allow-density"])
    await run(returnOf("SO-17", "--package", "1x40x30x21@5.5", "--allow-density"))
    const twice = "these packages of SO-17 come back already: RETURN-OF-SO-17-1x40x30x21@5.5"
    for (const size of ["1x40x30x20@5.5", "1x40x30x22@5.5", "5x10x10x10@1"])
      expect(await refusal(returnOf("SO-17", "--package", size, "--allow-density"))).toEqual([
        1,
        expect.stringContaining(twice),
      ])
    const duplicate = [1, expect.stringContaining("duplicate of RETURN-OF-SO-17")]
    expect(await refusal(["batch", "book", rows, "--allow-density"])).toEqual(duplicate)
    expect(await refusal(["batch", "book", "--plan", "plan.json"])).toEqual(duplicate)
    const said: string[] = []
    const asked = await made.freight(
      returnOf("SO-17", "--package", "1x40x30x22@5.5", "--allow-density"),
      atTerminal(said, false),
    )
    expect([asked.code, said.join("\n")]).toEqual([2, expect.stringContaining("come back already")])
  })

  it("in another box than the order had is asked about at a terminal, and refused elsewhere unless it is allowed", async () => {
    const { made, run, refusal, save, listSent } = await sentDesk()
    const box = "comes back as 60 × 40 × 40 cm, and the order was sent in 40 × 30 × 20 cm"
    const packages = ["--package", "1x60x40x40@5.5"]
    expect(await refusal(returnOf("SO-17", ...packages))).toEqual([2, expect.stringContaining(box)])
    const [headings, row] = csvOf("SO-17").split("\n")
    const rows = await save("r.csv", `Packages,${headings}\n1x60x40x40@5.5,${row}\n`)
    expect(await refusal(["batch", "book", rows])).toEqual([2, expect.stringContaining(box)])
    expect(await refusal(["batch", "plan", rows, "-o", "plan.json"])).toEqual([
      2,
      expect.stringContaining(box),
    ])
    const said: string[] = []
    const asked = await made.freight(returnOf("SO-17", ...packages), atTerminal(said, false))
    expect([asked.code, said.join("\n")]).toEqual([2, expect.stringContaining("Are these sizes")])
    // However it lies, it is the box that was sent.
    await run(returnOf("SO-17", "--package", "1x20x40x30@5.5"))
    await run(returnOf("SO-17", ...packages, "--allow-density", "--again"))
    expect(await listSent()).toHaveLength(3)
  })

  it("asks for what the ledger does not have of the order: its packages and where it went", async () => {
    const { made, run, refusal, booking, save } = await sentDesk()
    const database = openSqlite(path.join(made.state, "ledger.db"), { driver, clock: systemClock })
    await database.run(
      "update sends set own = null, request = json_remove(request, '$.packages', '$.items', '$.receiver')",
    )
    await database.close()
    expect(await refusal(returnOf("SO-17"))).toEqual([
      2,
      expect.stringMatching(/sender is missing: give --sender .*packages is missing: give --package/s),
    ])
    const known = ["--sender", await save("customer.json", booking.receiver), "--package", "1x40x30x20@5"]
    await run(returnOf("SO-17", ...known))
  })

  it("is whole where the packages are said that the order has", async () => {
    const { run, listSent } = await sentDesk()
    await run(returnOf("SO-17", "--package", "2x40x30x20@5.5"))
    expect((await listSent())[1]?.customerReference).toBe("RETURN-OF-SO-17")
  })

  it("books a second one where a person means it, once, and what follows is of that one", async () => {
    const { made, run, refusal, listSent } = await sentDesk()
    await run(returnOf("SO-17"))
    expect(await refusal(returnOf("SO-17"))).toEqual([1, expect.stringContaining("add --again")])
    const said: string[] = []
    const ran = await made.freight(returnOf("SO-17", "--pickup"), atTerminal(said, true))
    expect(ran.code, ran.stderr).toBe(0)
    expect(said.join("\n")).toMatch(/These packages of SO-17 come back already: .* Book a second one\?/)
    const [pickup, second] = (await run(["history", "--json"])).items<HistoryRow & Record<string, unknown>>()
    expect([pickup?.key, second?.key]).toEqual(["RETURN-OF-SO-17#2 pickup", "RETURN-OF-SO-17#2"])
    expect((await run([...returnOf("SO-17", "--again"), "--json"])).json()).toMatchObject({
      ...{ shipmentId: second?.shipmentId, pickupStatus: "BOOKED" },
      freight: { key: "RETURN-OF-SO-17#2" },
    })
    expect(await listSent()).toHaveLength(3)
  })
})

it("a return that was cancelled is booked again as its refusal says, as often as that happens", async () => {
  const opened = await sentDesk()
  const { run, refusal, listSent } = opened
  await run(returnOf("SO-17"))
  for (const count of [3, 4]) {
    const [newest = ""] = await listBooked(opened)
    await run(["cancel", newest, "--confirmed", "Kim"])
    const [code, stderr] = await refusal(returnOf("SO-17"))
    const [, advice = ""] = /the same command with (--key \S+ --replaces)\.$/m.exec(String(stderr)) ?? []
    expect([code, advice]).toEqual([1, "--key RETURN-OF-SO-17 --replaces"])
    await run(returnOf("SO-17", ...advice.split(" ")))
    expect(await listSent()).toHaveLength(count)
  }
  const references = (await listSent()).map(({ customerReference }) => customerReference)
  expect(references.slice(1)).toEqual(["RETURN-OF-SO-17", "RETURN-OF-SO-17", "RETURN-OF-SO-17"])
})

/** The shipments of the ledger, the newest first. */
async function listBooked({ run }: Pick<Awaited<ReturnType<typeof openDesk>>, "run">) {
  const rows = (await run(["history", "--json"])).items<HistoryRow & Record<string, unknown>>()
  return rows.map(({ shipmentId }) => shipmentId ?? "")
}

/** A desk with SO-1 and its second consignment, and their consignment numbers. */
async function twiceSent() {
  const opened = await openDesk()
  const { made, run, listSent } = opened
  const rows = ["batch", "book", await saveOrders(made.folder, [order("SO-1")]), "--no-rate"]
  await run(rows)
  await run([...rows, "--again-for", "SO-1"])
  expect(await listSent()).toHaveLength(2)
  const [second = "", first = ""] = await listBooked(opened)
  return { ...opened, first, second }
}

describe("an order that was sent twice", () => {
  it("comes back as the consignment that stands, under the number of the order, and once", async () => {
    const { run, refusal, listSent, second } = await twiceSent()
    await run(["cancel", second, "--confirmed", "Kim"])
    await run(returnOf("SO-1"))
    expect((await listSent()).at(-1)?.customerReference).toBe("RETURN-OF-SO-1")
    const kept = (await run(["history", "--json"])).items<HistoryRow & Record<string, unknown>>()
    expect(kept[0]).toMatchObject({ key: "RETURN-OF-SO-1", returnOf: "SO-1" })
    expect(await refusal(returnOf("SO-1"))).toEqual([1, expect.stringContaining("come back already")])
  })

  it("comes back once where its second consignment was booked and cancelled after that", async () => {
    const opened = await openDesk()
    const { made, run, refusal } = opened
    const rows = ["batch", "book", await saveOrders(made.folder, [order("SO-1")]), "--no-rate"]
    await run(rows)
    await run(returnOf("SO-1"))
    await run([...rows, "--again-for", "SO-1"])
    const [second = ""] = await listBooked(opened)
    const twice = [1, expect.stringContaining("of SO-1 come back already")]
    expect(await refusal(returnOf(second))).toEqual(twice)
    await run(["cancel", second, "--confirmed", "Kim"])
    expect(await refusal(returnOf("SO-1"))).toEqual(twice)
  })

  it("is not brought back by its number alone: one of its consignments is named", async () => {
    const { run, refusal, listSent, save, second } = await twiceSent()
    const several = /SO-1 has 2 consignments, .*, .*: name the one that comes back/
    expect(await refusal(returnOf("SO-1"))).toEqual([2, expect.stringMatching(several)])
    const row = ["batch", "book", await save("r.csv", csvOf("SO-1"))]
    expect(await refusal(row)).toEqual([2, expect.stringMatching(several)])
    await run(returnOf(second))
    expect((await listSent()).at(-1)?.customerReference).toBe("RETURN-OF-SO-1")
  })

  it("is not brought back where nothing of it stands, unless a person at a terminal says so", async () => {
    const { made, run, refusal, save, listSent, first, second } = await twiceSent()
    for (const id of [first, second]) await run(["cancel", id, "--confirmed", "Kim"])
    const cancelled =
      /SO-1 was booked on .* and cancelled on .*, confirmed by Kim: its goods did not go with it/
    expect(await refusal(returnOf("SO-1"))).toEqual([1, expect.stringMatching(cancelled)])
    const row = ["batch", "book", await save("r.csv", csvOf("SO-1"))]
    expect(await refusal(row)).toEqual([2, expect.stringMatching(cancelled)])
    for (const answer of [false, true]) {
      const said: string[] = []
      const ran = await made.freight(returnOf("SO-1"), atTerminal(said, answer))
      expect([ran.code, said.join("\n")]).toEqual([
        answer ? 0 : 1,
        expect.stringContaining("Bring them back anyway?"),
      ])
    }
    expect((await listSent()).at(-1)?.customerReference).toBe("RETURN-OF-SO-1")
  })

  it("is the start of another order as the consignment that stands", async () => {
    const { run, save, booking } = await sentDesk()
    const file = await save("second.json", { ...booking, specialInstructions: "Leave at the door" })
    await run([...BOOK, "--file", file, "--key", "SO-17b", "--again"])
    const [last = ""] = await listBooked({ run })
    await run(["cancel", last, "--confirmed", "Kim"])
    const dry = await run([...BOOK, "--like", "SO-17", ...TIMES, "--dry-run", "--no-rate"])
    expect(dry.json()).toMatchObject({ specialInstructions: "Ring twice" })
  })
})

/** How each way in says that an order comes back, and gives the shipment. */
const WAYS: Readonly<
  Record<string, (opened: Awaited<ReturnType<typeof openDesk>>, name: string) => Promise<unknown>>
> = {
  "a flag": ({ run }, name) => run(returnOf(name)),
  "a booking file": async ({ run, save }, name) =>
    run([...BOOK, "--file", await save("b.json", fileOf(name))]),
  "--set": ({ run }, name) => run([...BOOK, "--set", `returnOf=${name}`, ...TIMES]),
  "a row": async ({ run, save }, name) =>
    run(["batch", "book", await save("r.csv", csvOf(name)), "--no-rate"]),
  "a row that is booked as it comes": ({ run }, name) =>
    run(["batch", "book", "-", "--format", "ndjson"], { input: JSON.stringify(rowOf(name)) }),
  async "an approved plan"({ run, save }, name) {
    await run(["batch", "plan", await save("r.csv", csvOf(name)), "-o", "plan.json", "--force"])
    await run(["batch", "book", "--plan", "plan.json"])
  },
  async "a program"({ made }, name) {
    const { serviceCode, ...file } = fileOf(name)
    const booked = await openFreight({ env: made.env }).book({
      ...file,
      serviceCode,
      connector: "connector-b",
    })
    expect(booked.recorded).toBe(false)
  },
  async "a program's list"({ made }, name) {
    const [booked] = await openFreight({ env: made.env }).bookAll([
      { ...fileOf(name), connector: "connector-b" },
    ])
    expect(booked).toMatchObject({ state: "booked", reference: `RETURN-OF-${name}` })
  },
  async "an assistant"({ made }, name) {
    const { call, end } = await assistant(made)
    const planned = await call("plan_booking", { bookings: [rowOf(name)] })
    expect(planned.isError, planned.text).toBe(false)
    const { planHash } = planned.data
    const booked = await call("book_plan", { planHash, idempotencyKey: "k" })
    expect(booked.isError, booked.text).toBe(false)
    await end()
  },
}

const AT = { collectionDateTime: NEAR, collectionCloseTime: "1700" }
const fileOf = (name: string) => ({ returnOf: name, serviceCode: "GEN", ...AT })
const rowOf = (name: string) => ({ returnOf: name, service: "GEN", connector: "connector-b", ...AT })
const csvOf = (name: string) =>
  `Return of,Ready,Close,Service,Connector\n${name},${NEAR.slice(0, 16)},17:00,GEN,connector-b\n`

const DATABASES = [
  { name: "a file", isThere: true, open: async () => undefined },
  { name: "PostgreSQL", isThere: SERVER !== undefined, open: () => newDatabase() },
]

describe.each(DATABASES)("in $name", ({ isThere, open }) => {
  it.runIf(isThere)(
    "an order comes back once, whichever way says it first, and whichever comes then",
    async () => {
      const opened = await openDesk(await open())
      const { made, run, refusal, listSent } = opened
      const names = Object.keys(WAYS).map((_, at) => `SO-${at + 1}`)
      await run([
        "batch",
        "book",
        await saveOrders(
          made.folder,
          names.map((name) => order(name)),
        ),
        "--no-rate",
      ])
      for (const [at, [way, book]] of Object.entries(WAYS).entries()) {
        const name = `SO-${at + 1}`
        await book(opened, name)
        const sent = (await listSent()).at(-1)
        expect([way, sent]).toEqual([
          way,
          expect.objectContaining({
            customerReference: `RETURN-OF-${name}`,
            sender: expect.objectContaining({ companyName: `Receiver of ${name}` }),
            receiver: expect.objectContaining({ companyName: "Harbour Lighting Pty Ltd" }),
          }),
        ])
        expect([way, await refusal(returnOf(name))]).toEqual([
          way,
          [1, expect.stringContaining(`these packages of ${name} come back already`)],
        ])
      }
      // A row has it as booked, under its own number or another.
      const again = await run(["batch", "book", await opened.save("r.csv", csvOf("SO-1")), "--json"])
      expect(again.json()).toMatchObject({ booked: 1 })
      const other = csvOf("SO-1")
        .replaceAll(/^/gm, "RMA-5,")
        .replace("RMA-5,Return", "Order,Return")
        .replace(/RMA-5,$/, "")
      expect(await refusal(["batch", "book", await opened.save("o.csv", other)])).toEqual([
        1,
        expect.stringContaining("duplicate of RETURN-OF-SO-1"),
      ])
      expect(await listSent()).toHaveLength(2 * names.length)
    },
  )

  it.runIf(isThere)("two desks at once book one return, in whatever packages they say it", async () => {
    const { made, run, listSent } = await openDesk(await open())
    await run(["batch", "book", await saveOrders(made.folder, [order("SO-17")]), "--no-rate"])
    const env = { FREIGHT_WORKSTATION: "other-desk" }
    const at = (args: readonly string[], more: RunOptions = {}) =>
      made.freight([...args, "--no-rate"], { ...more, isFolderless: true, host: { sqlite: threadedSqlite } })
    const codes = (
      await Promise.all([
        at(returnOf("SO-17")),
        at(returnOf("SO-17"), { env }),
        at(returnOf("SO-17", "--package", "1x40x30x20@5"), { env }),
        at(returnOf("SO-17", "--key", "RMA-5"), { env }),
      ])
    ).map(({ code }) => code)
    expect(codes.sort()).toEqual([0, 1, 1, 1])
    expect(await listSent()).toHaveLength(2)
  })
})

it.each<[string, (opened: Awaited<ReturnType<typeof openDesk>>) => Promise<string[]>]>([
  [
    "a row",
    async ({ save }) => {
      const [headings, row] = csvOf("SO-17").split("\n")
      return ["batch", "book", await save("r.csv", `Order,${headings}\nso-17,${row}\n`)]
    },
  ],
  [
    "a row of which flags say the rest",
    async ({ save }) => {
      const file = await save("r.csv", "Order,Return of\nso-17,SO-17\n")
      return ["batch", "book", file, ...BOOK.slice(1), ...TIMES]
    },
  ],
  ["a flag", async () => returnOf("SO-17", "--key", "so-17")],
])("%s that gives a return the number of its order is told what to write", async (_, words) => {
  const opened = await sentDesk({}, "--key", "SO-17")
  expect(await opened.refusal(await words(opened))).toEqual([
    2,
    expect.stringMatching(
      /so-17 is the number of the order that comes back, and not that of its return.*leave /is,
    ),
  ])
})

describe("a row that brings an order back", () => {
  it("is refused alone where its order is not known, or is a return itself", async () => {
    const { run, save, refusal } = await sentDesk()
    await run(returnOf("SO-17"))
    const rows = `${csvOf("SO-99")}${csvOf("RETURN-OF-SO-17").split("\n")[1]}\n`
    const [code, stderr] = await refusal(["batch", "book", await save("r.csv", rows)])
    expect(code).toBe(2)
    expect(stderr).toContain('row 2, Return of: the ledger has no booking "SO-99"')
    expect(stderr).toContain("row 3, Return of: RETURN-OF-SO-17 is a return itself, of SO-17")
    expect(stderr).not.toContain("missing")
  })

  it("is another one than what came back of another order in like packages on that day", async () => {
    const { made, run, save, listSent } = await openDesk()
    const orders = await saveOrders(made.folder, [order("SO-17"), order("SO-18")])
    await run(["batch", "book", orders, "--no-rate"])
    for (const name of ["SO-17", "SO-18"])
      await run(["batch", "book", await save("r.csv", csvOf(name)), "--no-rate"])
    expect(await listSent()).toHaveLength(4)
  })

  it("weighs what the row says that it brings back, and not the whole order", async () => {
    const { run, save, listSent } = await sentDesk()
    const [headings, row] = csvOf("SO-17").split("\n")
    const file = await save("r.csv", `Packages,${headings}\n1x40x30x20@4,${row}\n`)
    const { stderr } = await run(["batch", "book", file, "--no-rate"])
    expect(stderr).not.toContain("totalWeightKg")
    expect((await listSent())[1]).toMatchObject({
      packages: [{ count: 1, weightKg: 4 }],
      items: { count: 1, totalWeightKg: 4 },
    })
  })

  it("is a row's own: no flag says it of all rows", async () => {
    const { save, refusal } = await sentDesk()
    const words = ["batch", "book", await save("r.csv", csvOf("SO-17")), "--set", "returnOf=SO-17"]
    expect(await refusal(words)).toEqual([2, expect.stringContaining("cannot be said of all rows")])
  })

  it("goes over what the flags say of other rows: sender, packages and cost centre are the order's own", async () => {
    const { run, save, booking, listSent } = await sentDesk()
    const sender = "Other Shed, 2 Bourke Road, Alexandria NSW 2015, 02 5550 1235"
    const file = await save("r.csv", csvOf("SO-17"))
    await run(["batch", "book", file, "--sender", sender, "--package", "1x10x10x10@1", "--no-rate"])
    const { receiver, packages } = booking
    expect((await listSent())[1]).toMatchObject({ sender: receiver, packages } as unknown as JsonObject)
  })
})

/** The open needs for the returns, `days` after they were ready. */
async function openNeeds(
  { made, sandbox }: Pick<Awaited<ReturnType<typeof openDesk>>, "made" | "sandbox">,
  days: number,
) {
  await sandbox.control("clock", { set: new Date(dayAfter(days)).toISOString() })
  const today = await made.freight(["today", "--json"], { now: dayAfter(days) })
  const { items: needs } = today.json<{ items: { need: string; reference: string }[] }>()
  return needs
    .filter(({ reference }) => reference?.startsWith("RETURN"))
    .map(({ need, reference }) => [need, reference])
}

/** The morning in Fremantle, so many days after the goods were ready. */
const dayAfter = (days: number) => Date.parse(`${NEAR}Z`) - 10 * 3_600_000 + days * 86_400_000

describe("a return that is booked", () => {
  it("says what it brings back in the history, the shipment, its evidence and the report", async () => {
    const { run } = await sentDesk()
    await run(returnOf("SO-17"))
    expect((await run(["history"])).stdout).toContain("Alexandria NSW 2015 (return of SO-17)")
    expect((await run(["shipments", "show", "RETURN-OF-SO-17"])).stdout).toMatch(/Return of +SO-17/)
    expect((await run(["shipments", "show", "RETURN-OF-SO-17", "--json"])).json()).toMatchObject({
      freight: { returnOf: "SO-17" },
    })
    expect((await run(["shipments", "show", "SO-17"])).stdout).not.toContain("Return of")
    expect((await run(["evidence", "RETURN-OF-SO-17"])).stdout).toMatch(/Return of +SO-17/)
    const report = await run(["report", "carriers"])
    expect(report.stderr + report.stdout).toContain("1 of 2 is a return of an order.")
    const rows = (await run(["report", "carriers", "--json"])).items<{ returns: number }>()
    expect(rows.map(({ returns }) => returns).sort()).toEqual([0, 1])
  })

  it("has a label that is saved, and given again by its name", async () => {
    const { made, run } = await sentDesk()
    await run(returnOf("SO-17", "--label", "back.pdf"))
    await run(["label", "RETURN-OF-SO-17", "-o", "again.pdf"])
    const [saved, again] = await Promise.all(
      ["back.pdf", "again.pdf"].map((name) => readFile(path.join(made.folder, name))),
    )
    expect(saved?.subarray(0, 4).toString()).toBe("%PDF")
    expect(again?.equals(saved ?? Buffer.alloc(0))).toBe(true)
  })

  it("is charged as it was quoted: an audit agrees, and calls it nobody else's", async () => {
    const { made, run } = await sentDesk()
    await run(returnOf("SO-17", "--wait"))
    const history = (await run(["history", "--json"])).items<HistoryRow & Record<string, unknown>>()
    const [back] = history
    const { consignmentNumber = "", reference = "", serviceCode = "", price = 0, weightKg = 0 } = { ...back }
    const line = {
      ...{ consignment: consignmentNumber ?? "", reference: reference ?? "", service: serviceCode ?? "" },
      ...{ weightKg: weightKg ?? 0, cents: Math.round((price ?? 0) * 100) },
    }
    const file = await saveBill(made.folder, "bill.csv", csvBill([line]))
    const audited = (await run(["audit", file, "--offline", "--json"])).items<{
      verdict: string
      shipmentId: string
    }>()
    expect(audited).toMatchObject([{ verdict: "agrees", shipmentId: back?.shipmentId }])
  })

  it("is not handed to the shop: neither by a period, nor by the shop's export", async () => {
    const { made, run, save } = await openDesk()
    await run(["config", "set", "carrierNames", "A=StarTrack,B=TNT,C=Toll"])
    await run(["batch", "book", await saveOrders(made.folder, [order("SO-17")]), "--no-rate"])
    await run(["batch", "book", await save("r.csv", csvOf("SO-17")), "--no-rate"])
    await run(returnOf("SO-17", "--key", "SO-18", "--again"))
    await run(["dispatched", "--for", "csv", "--since", "7d", "-o", "since.csv"])
    const read = async (name: string) => (await readFile(path.join(made.folder, name), "utf8")).split("\n")
    expect((await read("since.csv")).slice(1)).toEqual([expect.stringMatching(/^SO-17,/), ""])
    const rows = await run(["dispatched", "--for", "csv", "--orders", "r.csv", "-o", "rows.csv"])
    expect(rows.stderr).not.toContain("1 order in rows.csv")
  })

  it("says when it is booked that it is brought to the carrier, and of which order it is", async () => {
    const { run } = await sentDesk()
    const { stdout } = await run(returnOf("SO-17", "--drop-off"))
    expect(stdout).toMatch(/^Return of +SO-17$/m)
    expect(stdout).toMatch(/^Pickup +none: the goods are brought to the carrier$/m)
  })

  it("that is brought to the carrier has no pickup, and nobody is told to book one", async () => {
    const { made, run, save, refusal, sandbox } = await openDesk()
    const orders = ["SO-17", "SO-18"].map((name) => order(name, { collectionDateTime: NEAR }))
    await run(["batch", "book", await saveOrders(made.folder, orders), "--no-rate"])
    expect(await refusal(returnOf("SO-17", "--drop-off", "--pickup"))).toEqual([
      2,
      expect.stringContaining("--drop-off"),
    ])
    const rows = csvOf("SO-17").replaceAll("\n", ",yes\n").replace("Connector,yes", "Connector,Drop off")
    const ran = await run(["batch", "book", await save("r.csv", rows), "--no-rate", "--pickup"])
    expect(ran.stderr).not.toContain("Pickup at")
    expect(ran.stdout + ran.stderr).not.toContain("no pickup yet")
    await run(returnOf("SO-18"))
    expect(await openNeeds({ made, sandbox }, 0)).toEqual([["no-pickup", "RETURN-OF-SO-18"]])
  })

  it("is collected by no later command under its key where it was brought to the carrier", async () => {
    const { run, refusal } = await sentDesk()
    const key = [...returnOf("SO-17"), "--key", "BACK-1"]
    await run([...key, "--drop-off"])
    const [code, message] = await refusal([...key, "--pickup"])
    expect(code).toBe(8)
    expect(message).toContain(
      "the pickup: none was booked: the goods are brought to the carrier (--drop-off)",
    )
    expect((await run(["history", "--kind", "pickup", "--json"])).items()).toEqual([])
    expect((await run(["pickup", "book", "BACK-1"])).stderr).toContain(
      "the shipment was booked as one that is brought to the carrier (--drop-off)",
    )
  })

  it("is shown by today where it was never collected, with the order that it is of", async () => {
    const { made, run, sandbox } = await openDesk()
    const changes = { collectionDateTime: NEAR }
    await run(["batch", "book", await saveOrders(made.folder, [order("SO-17", changes)]), "--no-rate"])
    await run(returnOf("SO-17", "--instructions", "sandbox:not-collected"))
    const needs = await openNeeds({ made, sandbox }, 6)
    expect(needs).toContainEqual(["not-scanned", "RETURN-OF-SO-17"])
    expect((await made.freight(["today"], { now: dayAfter(6) })).stdout).toContain("(return of SO-17)")
  })

  it("is not a start of a return where an order is made like it", async () => {
    const { run, listSent } = await sentDesk()
    await run(returnOf("SO-17", "--drop-off"))
    await run([...BOOK, "--like", "RETURN-OF-SO-17", ...TIMES, "--reference", "SO-18"])
    const [last] = (await run(["history", "--json"])).items()
    expect(last).toMatchObject({ reference: "SO-18", returnOf: null, dropOff: null })
    expect(await listSent()).toHaveLength(3)
  })
})
