/** An order's fields beyond the contract's request are kept and found again, whatever their source. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { put } from "../../src/base/json.ts"
import { toFlagName } from "../../src/base/command-line.ts"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { BOOKING_FIELDS } from "../../src/contract/fields/booking.ts"
import {
  describeOwn,
  LASTING_FIELDS,
  OWN_FIELDS,
  type Own,
  type OwnPath,
  PREFERENCE_FIELDS,
  ALLOWANCE_FIELDS,
  type Wishes,
} from "../../src/contract/fields/own.ts"
import { type Allowances, pickAllowedFlags } from "../../src/contract/collection-times.ts"
import { findEntry } from "../../src/app/tree.ts"
import { CALLS } from "../../src/app/library-given.ts"
import { openFreight } from "../../src/app/library.ts"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { ofCommand, toOrder } from "../../src/orders/booking/order.ts"
import { createDraft, describeDraft, resumeDraft, start } from "../../src/orders/wizard/begin.ts"
import { readDraft } from "../../src/orders/wizard/draft.ts"
import { referenceStep } from "../../src/orders/wizard/steps/extras.ts"
import { residential } from "../../src/orders/wizard/steps/rates.ts"
import { isDeepStrictEqual } from "node:util"
import { draftOf, PORT, shippable, testContext } from "../orders/wizard/bench.ts"
import { ENTER, type Line, scripted } from "../orders/wizard/scripted.ts"
import { assistant } from "./assistants.ts"
import { desk, ROOT } from "./freight.ts"

/** The parts of an order that are not given. */
const UNSAID = { key: undefined, wish: {}, rate: undefined, source: ofCommand({ fields: {} }, {}) }
const READY = exampleBooking(Date.now()).collectionDateTime

type Desk = Awaited<ReturnType<typeof desk>>

const sayOf = (path: OwnPath) =>
  OWN_FIELDS.find((field) => field.path === path)?.flag.kind === "yesNo" ? true : "Sales"

async function save({ folder }: Desk, name: string, content: unknown): Promise<string> {
  await writeFile(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content))
  return name
}

function bookingOf(customerReference: string, own: Partial<Record<OwnPath, unknown>> = {}) {
  const booking: Record<string, unknown> = {
    ...structuredClone(exampleBooking(Date.now())),
    ...{ customerReference, serviceCode: "GEN" },
  }
  for (const [at, value] of Object.entries(own)) put(booking as never, at.split("."), value as never)
  return booking
}

async function run({ freight }: Desk, ...args: string[]) {
  const ran = await freight(args)
  expect(ran.code, ran.stderr).toBe(0)
  return ran
}

const BOOK = ["book", "--sandbox", "--connector", "connector-b", "--yes"]

/** How each way in says a property. */
const SOURCES: Record<string, (made: Desk, reference: string, path: OwnPath) => Promise<void>> = {
  async "a flag"(made, reference, at) {
    const flag = OWN_FIELDS.find((field) => field.path === at)?.flag
    const given = [toFlagName(flag?.name ?? ""), ...(flag?.kind === "yesNo" ? [] : ["Sales"])]
    await run(made, ...BOOK, "--file", await save(made, "b.json", bookingOf(reference)), ...given)
  },
  async "a booking file"(made, reference, at) {
    await run(made, ...BOOK, "--file", await save(made, "b.json", bookingOf(reference, { [at]: sayOf(at) })))
  },
  async "--set"(made, reference, at) {
    const file = await save(made, "b.json", bookingOf(reference))
    await run(made, ...BOOK, "--file", file, "--set", `${at}=${sayOf(at)}`)
  },
  async "a row of a batch"(made, reference, at) {
    const file = await save(made, "rows.json", [
      { ...bookingOf(reference), ...{ connector: "connector-b" }, [at]: sayOf(at) },
    ])
    await run(made, "batch", "book", "--sandbox", "--yes", file)
  },
  async "an approved plan"(made, reference, at) {
    const file = await save(made, "rows.json", [
      { ...bookingOf(reference), ...{ connector: "connector-b" }, [at]: sayOf(at) },
    ])
    await run(made, "batch", "plan", "--sandbox", file, "-o", "plan.json")
    await run(made, "batch", "book", "--sandbox", "--yes", "--plan", "plan.json")
  },
  async "a program"(made, reference, at) {
    const freight = openFreight({ env: made.env, sandbox: true })
    await freight.book(
      { ...bookingOf(reference, { [at]: sayOf(at) }), connector: "connector-b" } as never,
      {},
    )
  },
  async "an assistant"(made, reference, at) {
    const { customerReference: _, serviceCode: service, ...booking } = bookingOf("", { [at]: sayOf(at) })
    const ordered = { ...booking, reference, service, connector: "connector-b" }
    await bookByAssistant(made, ordered)
  },
  async "an order like an earlier one"(made, reference, at) {
    const earlier = `${reference}-EARLIER`
    await SOURCES["a booking file"]?.(made, earlier, at)
    await run(made, ...BOOK, "--like", earlier, "--ready", READY, "--reference", reference)
  },
  async "an order like the last one"(made, reference, at) {
    await SOURCES["a flag"]?.(made, `${reference}-EARLIER`, at)
    await run(made, ...BOOK, "--last", "--ready", READY, "--reference", reference)
  },
}

async function bookByAssistant(made: Desk, booking: Record<string, unknown>) {
  const { call } = await assistant(made, ["--sandbox"])
  const planned = await call("plan_booking", { bookings: [booking] })
  expect(planned.isError, planned.text).toBe(false)
  const { planHash } = planned.data
  const booked = await call("book_plan", { planHash, idempotencyKey: "k" })
  expect(booked.isError, booked.text).toBe(false)
}

/** Bookings with a saved address, by where its name is given. */
const BY_NAME: Record<string, (made: Desk, party: string) => Promise<void>> = {
  async "a flag"(made, party) {
    const { [party]: _, ...booking } = bookingOf("SO-7")
    await run(made, ...BOOK, "--file", await save(made, "b.json", booking), `--${party}`, "known")
  },
  async "a row"(made, party) {
    const row = { ...bookingOf("SO-7"), connector: "connector-b", [party]: "known" }
    await run(made, "batch", "book", "--sandbox", "--yes", await save(made, "rows.json", [row]))
  },
  async "what all rows share"(made, party) {
    const { [party]: _, ...row } = { ...bookingOf("SO-7"), connector: "connector-b" } as Record<
      string,
      unknown
    >
    const file = await save(made, "rows.json", [row])
    await run(made, "batch", "book", "--sandbox", "--yes", file, `--${party}`, "known")
  },
  async "an assistant"(made, party) {
    const { customerReference: reference, serviceCode: service, ...booking } = bookingOf("SO-7")
    await bookByAssistant(made, {
      ...{ ...booking, reference, service },
      ...{ connector: "connector-b", [party]: "known" },
    })
  },
}

const OF_PARTIES = OWN_FIELDS.filter((field) => field.path.includes("."))

async function readKept(made: Desk, at: string) {
  const ran = await run(made, "history", "--sandbox", "--fields", `reference,${at}`, "--json")
  return ran.items<Record<string, unknown>>().find(({ reference }) => reference === "SO-7")?.[at]
}

describe.each(OF_PARTIES)("$beside.title, of a saved address", ({ path: at }) => {
  const [party = "", name = ""] = at.split(".")
  const saveKnown = async (made: Desk) => {
    const file = await save(made, "known.json", exampleBooking(Date.now()).receiver)
    await run(made, "address", "add", "known", "--file", file, "--set", `${name}=true`)
  }

  it.each(Object.keys(BY_NAME))("is kept with an order that %s names it in", async (source) => {
    const made = await desk()
    await saveKnown(made)
    await BY_NAME[source]?.(made, party)
    expect(await readKept(made, at)).toBe(true)
  })

  it("is of the place of the address alone: another place of the same file, or flag, has none", async () => {
    const made = await desk()
    await saveKnown(made)
    await run(made, "config", "set", party === "receiver" ? "sender" : party, "known")
    await run(made, ...BOOK, "--file", await save(made, "b.json", bookingOf("SO-7")))
    expect(await readKept(made, at)).toBe(false)
  })

  it("is listed with it, and refused where it is neither yes nor no", async () => {
    const made = await desk()
    await saveKnown(made)
    expect((await run(made, "address", "list", "--json")).items<object>()[0]).toHaveProperty(name, true)
    const refused = await made.freight(["address", "add", "other", "--set", `${name}=perhaps`])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`--set ${name}`)
  })
})

it("a sender's home is the collection's where the goods are collected there, and not elsewhere", async () => {
  const made = await desk()
  const { sender, receiver, ...rest } = exampleBooking(Date.now())
  const file = await save(made, "home.json", sender)
  await run(made, "address", "add", "home", "--file", file, "--set", "residential=true")
  const { sender: _, collection: __, ...here } = bookingOf("SO-7")
  await run(made, ...BOOK, "--sender", "home", "--file", await save(made, "b.json", here))
  expect(await readKept(made, "collection.residential")).toBe(true)
  const there = { ...rest, receiver, collection: sender, serviceCode: "GEN", customerReference: "SO-8" }
  const dry = [...BOOK, "--dry-run", "--sender", "home", "--file", await save(made, "c.json", there)]
  expect((await run(made, ...dry)).stderr).not.toContain("from a home")
})

it("rates to a saved home are those of a home", async () => {
  const made = await desk()
  const file = await save(made, "home.json", exampleBooking(Date.now()).receiver)
  await run(made, "address", "add", "home", "--file", file, "--set", "residential=true")
  const lane = ["--from", "Alexandria NSW 2015", "--package", "40x30x20@5.5"]
  const pricesTo = async (...to: string[]) =>
    (await run(made, "rate-shop", "--sandbox", ...lane, ...to, "--fields", "price", "--format", "csv")).stdout
  const named = await pricesTo("--to", "home")
  expect(named).toEqual(await pricesTo("--to", "Fremantle WA 6160", "--to-residential"))
  expect(named).not.toEqual(await pricesTo("--to", "Fremantle WA 6160"))
})

describe.each(LASTING_FIELDS)("$beside.title, in the wizard", ({ path: at, beside }) => {
  const own: Own = { [at]: sayOf(at) }
  const ids = { uuid: () => "0".repeat(36) }
  const earlier = [{ request: shippable().request, own, connectorId: "connector-b" }]

  it("is in a draft that is kept, resumed and sent", () => {
    const kept = readDraft(JSON.parse(JSON.stringify(createDraft({ request: {}, own, ...UNSAID }, ids))))
    if (!kept) throw new Error("no draft was read")
    const resumed = resumeDraft(kept, { request: {}, own: {}, ...UNSAID })
    expect(
      toOrder({ ...resumed, ...UNSAID }, exampleBooking(Date.now()) as ConsignmentBookingRequest).own,
    ).toEqual(own)
  })

  it("is taken with an earlier booking, and what the command line says goes over it", async () => {
    const context = {
      ...testContext({ earlier }),
      // Wide enough for a choice on one line.
      conversation: scripted([["What do you want to book?", ENTER]], { columns: 120 }),
    }
    const begun = await start.ask(draftOf(), context)
    expect(begun).toHaveProperty(["own", at], sayOf(at))
    const words = describeOwn(own)
    expect(words).not.toBe("")
    // The choice and the draft's description name the copied fields; a message names those left out.
    expect(context.conversation.asked[0]?.choices[0]).toContain(words)
    expect(describeDraft(draftOf({}, { own }))).toContain(words)
    expect(context.conversation.said).toEqual([
      "Taken as it was booked. Its reference, times and rate are left out.",
    ])
  })

  it("is what is offered where the receiver had it the last time", async () => {
    const isHome = at.endsWith(".residential")
    const step = isHome ? residential : referenceStep
    const lines: Line[] = isHome
      ? [["Is either place a home?", ENTER]]
      : [
          ["Your own reference", ENTER],
          ...LASTING_FIELDS.filter((field) => field.path === at).map((): Line => [beside.title, ENTER]),
        ]
    const draft = { ...shippable(), own: {} }
    const asked = await step.ask(draft, { ...testContext({ earlier }), conversation: scripted(lines) })
    expect(asked).toHaveProperty(["own", at], sayOf(at))
  })
})

it("the wizard remembers a home with the saved address, and offers it for the next booking there", async () => {
  const context = testContext({ saved: [{ name: "port", address: PORT }] })
  const draft = { ...shippable(), own: {} }
  const ask = async (reply: Line[1]) => {
    const conversation = scripted([["Is either place a home?", reply]])
    return { answer: await residential.ask(draft, { ...context, conversation }), said: conversation.said }
  }
  expect((await ask("The receiver's")).said).toEqual(["Saved with port: it is a home."])
  expect((await ask(ENTER)).answer).toMatchObject({
    own: { "collection.residential": false, "receiver.residential": true },
  })
  expect((await ask(ENTER)).said).toEqual([])
})

describe.each(LASTING_FIELDS)("$beside.title", ({ path: at }) => {
  it.each(Object.keys(SOURCES))("is kept with an order that %s makes", async (source) => {
    const made = await desk()
    await SOURCES[source]?.(made, "SO-7", at)
    const ran = await run(
      made,
      "history",
      "--sandbox",
      "--search",
      "SO-7",
      "--fields",
      `reference,${at}`,
      "--json",
    )
    const entries = ran.items<Record<string, unknown>>()
    expect(entries.find(({ reference }) => reference === "SO-7")).toHaveProperty([at], sayOf(at))
  })

  it("identifies no order: the same order with another value is refused, and nothing is sent", async () => {
    const made = await desk()
    const { customerReference: _, ...booking } = bookingOf("")
    await run(made, ...BOOK, "--file", await save(made, "b.json", booking))
    put(booking as never, at.split("."), sayOf(at) as never)
    const again = await made.freight([...BOOK, "--file", await save(made, "b.json", booking)])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain("Nothing was sent")
  })

  it("is on the evidence, in the list and in the results of a batch", async () => {
    const made = await desk()
    const row = { ...bookingOf("SO-7"), connector: "connector-b", [at]: sayOf(at) }
    await run(
      made,
      "batch",
      "book",
      "--sandbox",
      "--yes",
      await save(made, "rows.json", [row]),
      "--results",
      "r.ndjson",
    )
    const evidence = (await run(made, "evidence", "--sandbox", "SO-7", "--json")).json<{
      booking: { own: object }
    }>()
    expect(evidence.booking.own).toHaveProperty([at], sayOf(at))
    const shown = (await run(made, "evidence", "--sandbox", "SO-7")).stdout
    expect(shown).toContain(OWN_FIELDS.find((field) => field.path === at)?.beside.title)
    const list = await run(
      made,
      "shipments",
      "list",
      "--sandbox",
      "--fields",
      `freight.own.${at}`,
      "--format",
      "csv",
    )
    expect(list.stdout).toContain(String(sayOf(at)))
  })
})

/** One of each, which the service of `bookingOf` meets. */
const WANTED = {
  ...{ connector: "connector-b", maxPrice: 500.5, within: 30, onTime: 1, avoid: ["76"] },
  arriveBy: `${Number(READY.slice(0, 4)) + 1}-01-31`,
} as const satisfies Required<Wishes>
const { arriveBy: _ofOneOrder, ...NEXT } = WANTED
const WANTED_FLAGS = Object.entries(WANTED).flatMap(([name, value]) => [toFlagName(name), String(value)])
const WANTED_SETS = Object.entries(WANTED).flatMap(([name, value]) => ["--set", `${name}=${value}`])

/** How each way in says what is wanted of the service. */
const WISH_SOURCES: Record<string, (made: Desk, reference: string) => Promise<void>> = {
  async flags(made, reference) {
    const file = await save(made, "b.json", bookingOf(reference))
    await run(made, "book", "--sandbox", "--yes", "--file", file, ...WANTED_FLAGS)
  },
  async "a booking file"(made, reference) {
    const file = await save(made, "b.json", { ...bookingOf(reference), ...WANTED })
    await run(made, "book", "--sandbox", "--yes", "--file", file)
  },
  async "--set"(made, reference) {
    const file = await save(made, "b.json", bookingOf(reference))
    await run(made, "book", "--sandbox", "--yes", "--file", file, ...WANTED_SETS)
  },
  async "--set for all rows"(made, reference) {
    const file = await save(made, "rows.json", [bookingOf(reference)])
    await run(made, "batch", "book", "--sandbox", "--yes", file, ...WANTED_SETS)
  },
  async "rows of a batch"(made, reference) {
    const file = await save(made, "rows.json", [{ ...bookingOf(reference), ...WANTED }])
    await run(made, "batch", "book", "--sandbox", "--yes", file)
  },
  async "flags for all rows"(made, reference) {
    const file = await save(made, "rows.json", [bookingOf(reference)])
    await run(made, "batch", "book", "--sandbox", "--yes", file, ...WANTED_FLAGS)
  },
  async "an approved plan"(made, reference) {
    const file = await save(made, "rows.json", [{ ...bookingOf(reference), ...WANTED }])
    await run(made, "batch", "plan", "--sandbox", file, "-o", "plan.json")
    await run(made, "batch", "book", "--sandbox", "--yes", "--plan", "plan.json")
  },
  async "a program"(made, reference) {
    const freight = openFreight({ env: made.env, sandbox: true })
    await freight.book({ ...bookingOf(reference), ...WANTED } as never, {})
  },
  async "an assistant"(made, reference) {
    const { customerReference: _, serviceCode: service, ...booking } = bookingOf("")
    const wanted = { ...WANTED, onTime: `${WANTED.onTime}%` }
    await bookByAssistant(made, { ...booking, reference, service, ...wanted })
  },
}

async function readWanted(made: Desk, reference: string) {
  const ran = await run(made, "evidence", "--sandbox", reference, "--json")
  const { own } = ran.json<{ booking: { own: Own } }>().booking
  return Object.fromEntries(Object.entries(own).filter(([name]) => Object.hasOwn(WANTED, name)))
}

describe("what is wanted of the service", () => {
  it("is each field that is marked so", () => {
    expect(PREFERENCE_FIELDS.map(({ column }) => column.name).sort()).toEqual(Object.keys(WANTED).sort())
    expect(describeOwn(WANTED)).toBe(
      `account connector-b, up to AUD 500.50 with GST, there by ${WANTED.arriveBy}, within 30 days, in time 1%, avoiding 76`,
    )
  })

  it.each(Object.keys(WISH_SOURCES))("is kept with an order that %s say it of", async (source) => {
    const made = await desk()
    await WISH_SOURCES[source]?.(made, "SO-7")
    expect(await readWanted(made, "SO-7")).toEqual(WANTED)
  })

  it("is kept as a date where a booking file has its day in words", async () => {
    const made = await desk()
    const arriveBy = `31 Jan ${WANTED.arriveBy.slice(0, 4)}`
    const file = await save(made, "b.json", { ...bookingOf("SO-7"), ...WANTED, arriveBy })
    await run(made, "book", "--sandbox", "--yes", "--file", file)
    expect(await readWanted(made, "SO-7")).toEqual(WANTED)
  })

  it("goes to the next order like it, but for its day; flags go over it, and a profile's is not kept", async () => {
    const made = await desk()
    await WISH_SOURCES.flags?.(made, "SO-7")
    await run(made, "config", "set", "avoid", "75")
    const next = ["book", "--sandbox", "--yes", "--like", "SO-7", "--ready", READY, "--reference"]
    const ran = await run(made, ...next, "SO-8")
    expect(ran.stderr).toContain(describeOwn(NEXT))
    expect(await readWanted(made, "SO-8")).toEqual(NEXT)
    await run(made, ...next, "SO-9", "--within", "20", "--avoid", "none")
    expect(await readWanted(made, "SO-9")).toEqual({ ...NEXT, within: 20, avoid: [] })
    await run(made, ...BOOK, "--file", await save(made, "b.json", bookingOf("SO-10")))
    expect(await readWanted(made, "SO-10")).toEqual({ connector: "connector-b" })
    const cheap = await made.freight([...next, "SO-11", "--max-price", "1"])
    expect(cheap.stderr).toContain(
      "does not meet your wishes (with connector-b, at most 1.00, within 30 days",
    )
  })

  it("goes to an order like it that is booked without a price of its own, and not to one of a named rate", async () => {
    const made = await desk()
    const { arriveBy: _, onTime: __, ...wanted } = WANTED
    const file = await save(made, "b.json", { ...bookingOf("SO-7"), ...wanted, serviceCode: "EXP" })
    await run(made, "book", "--sandbox", "--yes", "--file", file)
    const next = ["book", "--sandbox", "--like", "SO-7", "--ready", READY, "--reference"]
    const ran = await run(made, ...next, "SO-8", "--service", "EXP", "--no-rate", "--yes")
    expect(ran.stderr).toContain(describeOwn(wanted))
    expect(await readWanted(made, "SO-8")).toEqual(wanted)
    const lane = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
    await run(made, "rate-shop", "--sandbox", ...lane, "--connector", "connector-c")
    const named = await run(made, ...next, "SO-9", "--rate", "1", "--yes")
    expect(named.stderr).toContain("Its reference, times and rate are left out.")
    expect(named.stderr).not.toContain(describeOwn(wanted))
    expect(await readWanted(made, "SO-9")).toEqual({})
  })

  it("of an earlier order begins one in the wizard, over the profile and under the command line", async () => {
    const earlier = [{ request: shippable().request, own: { ...NEXT }, connectorId: "connector-b" }]
    const context = {
      ...testContext({ earlier }),
      conversation: scripted([["What do you want to book?", ENTER]]),
    }
    const said = { ...draftOf({}, { own: { within: 2 } }), wish: { withinDays: 2, avoid: ["75"] } }
    const begun = await start.ask(said, context)
    expect(begun).toMatchObject({
      own: { within: 2, avoid: ["76"], maxPrice: 500.5 },
      wish: { withinDays: 2, avoid: ["76"], maxPriceCents: 50_050, onTimePercent: 1 },
    })
    expect(begun).not.toHaveProperty("own.connector")
  })

  it.each([
    ["maxPrice", "cheap", "a number from 0 to 1000000000 with at most 2 decimals"],
    ["maxPrice", 85.555, "a number from 0 to 1000000000 with at most 2 decimals"],
    ["maxPrice", 1e300, "a number from 0 to 1000000000 with at most 2 decimals"],
    ["within", 2.5, "a number from 0 to 999 without decimals"],
    ["onTime", -1, "a number from 0 to 100 with at most 3 decimals"],
    ["avoid", "GEN", "a list of texts"],
    ["connector", 7, "a text"],
  ])("of a booking file is refused where %s is %s", async (name, value, words) => {
    const made = await desk()
    const file = await save(made, "b.json", { ...bookingOf("SO-7"), [name]: value })
    const ran = await made.freight([...BOOK, "--file", file])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`${name} is ${words}, not `)])
  })

  it.each([
    ["that is not priced", ["--no-rate"]],
    ["of a rate that is not known here", ["--rate", "rate-of-another-machine", "--quote", "q"]],
  ])("of a booking file is the account of a booking %s", async (_what, words) => {
    const made = await desk()
    for (const connector of ["connector-b", "connector-c"]) {
      const booking = { ...bookingOf("SO-7"), serviceCode: "EXP", connector }
      const file = await save(made, `${connector}.json`, booking)
      const ran = await run(made, "book", "--sandbox", "--file", file, ...words, "--dry-run")
      expect(ran.stderr).toContain(`It would go to POST /${connector}/shipments.`)
    }
  })

  it("of a booking file is an account that its rate has, or it is refused", async () => {
    const made = await desk()
    const lane = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
    const shown = await run(made, "rate-shop", "--sandbox", ...lane, "--connector", "connector-b", "--json")
    const [rateId] = /"rateId": ?"([^"]+)"/.exec(shown.stdout)?.slice(1) ?? []
    expect(rateId).toBeDefined()
    const { serviceCode: _, ...booking } = bookingOf("SO-7", {})
    const file = await save(made, "b.json", { ...booking, rateId, connector: "connector-a" })
    const ran = await made.freight(["book", "--sandbox", "--yes", "--file", file])
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("is for connector connector-b, not connector-a"),
    ])
  })
})

it("--again says what it is another one of, and that it takes nothing of that", async () => {
  const made = await desk()
  const { customerReference: _, ...booking } = bookingOf("")
  const file = await save(made, "b.json", booking)
  expect((await run(made, ...BOOK, "--file", file, "--again")).stderr).not.toContain("An equal one")
  const ran = await run(made, ...BOOK, "--file", file, "--again")
  expect(ran.stderr).toMatch(/An equal one was booked on .* \(.+\): this is a separate booking\./)
})

interface Doubtful {
  order: Record<string, unknown>
  says: RegExp
}

/** Values that are refused unless they are allowed. */
const REFUSED_UNLESS: Record<Exclude<AllowanceName, "withoutMissing">, () => Doubtful> = {
  allowPast: () => ({
    order: { ...bookingOf("SO-7"), collectionDateTime: "2026-01-05T10:00:00" },
    says: /is past/,
  }),
  allowDensity: () => ({
    order: {
      ...bookingOf("SO-7"),
      packages: [{ count: 1, lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 50 }],
    },
    says: /has 50 kg in/,
  }),
  acceptPlaces: () => ({
    order: bookingOf("SO-7", { "receiver.suburb": "Nowhereville" } as never),
    says: /Nowhereville\W+is not a known place/,
  }),
}
type AllowanceName = (typeof ALLOWANCE_FIELDS)[number]["column"]["name"]

/** How each way in says that something is allowed of one order. */
const ALLOWING: Record<string, (made: Desk, order: object, name: AllowanceName) => Promise<unknown>> = {
  async "a flag"(made, order, name) {
    await run(made, ...BOOK, "--file", await save(made, "b.json", order), toFlagName(name))
  },
  async "a booking file"(made, order, name) {
    await run(made, ...BOOK, "--file", await save(made, "b.json", { ...order, [name]: true }))
  },
  async "--set"(made, order, name) {
    await run(made, ...BOOK, "--file", await save(made, "b.json", order), "--set", `${name}=true`)
  },
  async "a row of a batch"(made, order, name) {
    const file = await save(made, "rows.json", [{ ...order, connector: "connector-b", [name]: "yes" }])
    await run(made, "batch", "book", "--sandbox", "--yes", file)
  },
  async "--set for all rows"(made, order, name) {
    const file = await save(made, "rows.json", [{ ...order, connector: "connector-b" }])
    await run(made, "batch", "book", "--sandbox", "--yes", file, "--set", `${name}=true`)
  },
  async "an approved plan"(made, order, name) {
    const file = await save(made, "rows.json", [{ ...order, connector: "connector-b", [name]: true }])
    await run(made, "batch", "plan", "--sandbox", file, "-o", "plan.json")
    await run(made, "batch", "book", "--sandbox", "--yes", "--plan", "plan.json")
  },
  "a program": (made, order, name) =>
    openFreight({ env: made.env, sandbox: true }).book(
      { ...order, connector: "connector-b", [name]: true } as never,
      {},
    ),
  "a program's list": (made, order, name) =>
    openFreight({ env: made.env, sandbox: true }).bookAll([
      { ...order, connector: "connector-b", [name]: true } as never,
    ]),
  async "an assistant"(made, order, name) {
    const {
      customerReference: reference,
      serviceCode: service,
      ...booking
    } = { ...order } as Record<string, unknown>
    await bookByAssistant(made, { ...booking, reference, service, connector: "connector-b", [name]: true })
  },
}

describe.each(Object.entries(REFUSED_UNLESS))("%s", (allowance, makeDoubtful) => {
  const name = allowance as AllowanceName
  const { order, says } = makeDoubtful()
  const isBooked = async (made: Desk) =>
    (await run(made, "history", "--sandbox", "--json")).items<object>().length === 1

  it.each(Object.keys(ALLOWING))("is said of an order by %s", async (source) => {
    const made = await desk()
    await ALLOWING[source]?.(made, order, name)
    expect(await isBooked(made)).toBe(true)
  })

  it("is refused where nobody said it, and is of its row alone where a row says it", async () => {
    const made = await desk()
    const alone = await made.freight([...BOOK, "--file", await save(made, "b.json", order)])
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringMatching(says)])
    const [first, second] = [
      { ...order, connector: "connector-b", [name]: true },
      { ...order, connector: "connector-b", customerReference: "SO-8", [name]: false },
    ]
    const file = await save(made, "rows.json", [first, second])
    const rows = await made.freight(["batch", "book", "--sandbox", "--yes", file])
    expect([rows.code, rows.stderr]).toEqual([2, expect.stringMatching(says)])
    expect(rows.stderr).not.toContain("- row 1")
    expect((await run(made, "history", "--sandbox", "--json")).items<object>()).toEqual([])
  })

  it("is said by the flag for a row whose cell only does not say it", async () => {
    const made = await desk()
    const file = await save(made, "rows.json", [{ ...order, connector: "connector-b", [name]: "no" }])
    await run(made, "batch", "book", "--sandbox", "--yes", toFlagName(name), file)
    expect(await isBooked(made)).toBe(true)
  })

  it("is to be said again where what a dry run printed is booked, and the dry run says so", async () => {
    const made = await desk()
    const dry = [...BOOK, "--dry-run", "--file"]
    const plain = await run(made, ...dry, await save(made, "a.json", bookingOf("SO-7")))
    expect(plain.stderr).not.toContain("again")
    const { stdout, stderr } = await run(made, ...dry, await save(made, "b.json", { ...order, [name]: true }))
    expect(stderr).toContain(
      `/shipments. The printed request holds no permissions: to book it, give ${toFlagName(name)} again.\n`,
    )
    const printed = await save(made, "printed.json", JSON.parse(stdout))
    expect((await made.freight([...BOOK, "--file", printed])).code).toBe(2)
    await run(made, ...BOOK, "--file", printed, toFlagName(name))
    expect(await isBooked(made)).toBe(true)
  })

  it("is kept with no order, and identifies none", async () => {
    const made = await desk()
    await ALLOWING["a booking file"]?.(made, order, name)
    const kept = await run(made, "evidence", "--sandbox", "SO-7", "--json")
    expect(kept.json<{ booking: { own: object } }>().booking.own).not.toHaveProperty(name)
    const keyed = [...BOOK, "--key", "K-1", "--again", "--file"]
    await run(made, ...keyed, await save(made, "c.json", { ...order, [name]: true }))
    const again = await run(made, ...keyed, await save(made, "d.json", order))
    expect(again.stderr).toContain("It was not sent again")
  })
})

describe("what a person allows", () => {
  it("is each field that is marked so, and each that a flag says", () => {
    const all = { allowPast: true, allowDensity: true, acceptPlaces: true, withoutMissing: true }
    expect(ALLOWANCE_FIELDS.map(({ column }) => column.name)).toEqual(
      Object.keys(pickAllowedFlags(all satisfies Required<Omit<Allowances, "pastCutoff">>) ?? {}),
    )
  })

  it.each([
    "a booking file",
    "a row",
  ])("is not what %s says otherwise than with true or false", async (source) => {
    const made = await desk()
    const order = { ...bookingOf("SO-7"), connector: "connector-b", allowPast: "perhaps" }
    const ran =
      source === "a row"
        ? await made.freight(["batch", "book", "--sandbox", await save(made, "rows.json", [order])])
        : await made.freight([...BOOK, "--file", await save(made, "b.json", order)])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/allowPast.*perhaps/)])
  })

  const LAST_WEEK = new Date(Date.parse(READY.slice(0, 10)) - 7 * 86_400_000).toISOString().slice(0, 10)
  const late = { ...bookingOf("SO-7"), connector: "connector-b", collectionDateTime: `${LAST_WEEK}T10:00:00` }

  it("can be said by each command that books, and by a program", async () => {
    // A person accepts a time past the cutoff only at that moment, so there is no flag for it.
    const all = { allowPast: true, allowDensity: true, acceptPlaces: true, withoutMissing: true }
    const names = Object.keys(pickAllowedFlags(all satisfies Required<Omit<Allowances, "pastCutoff">>) ?? {})
    expect(names).toHaveLength(4)
    const commands = ["book", "batch book", "batch plan"].map(async (name) => {
      const { flags = {} } = (await findEntry(name.split(" "))?.load?.()) ?? {}
      return [name, Object.keys(flags)] as const
    })
    const said: Record<string, readonly string[]> = {
      ...Object.fromEntries(await Promise.all(commands)),
      ...{ "a program's book": Object.values<string>(CALLS.book.options) },
      ...{ "a program's bookAll": Object.values<string>(CALLS.bookAll.options) },
    }
    for (const [way, flags] of Object.entries(said))
      expect([way, names.filter((name) => !flags.includes(name))]).toEqual([way, []])
  })

  it("is approved with a plan: a time that had passed when it was made is booked as it was planned", async () => {
    const made = await desk()
    const file = await save(made, "rows.json", [late])
    expect((await made.freight(["batch", "plan", "--sandbox", file, "-o", "no.json"])).code).not.toBe(0)
    await run(made, "batch", "plan", "--sandbox", "--allow-past", file, "-o", "plan.json")
    await run(made, "batch", "book", "--sandbox", "--yes", "--plan", "plan.json")
    expect(await readWanted(made, "SO-7")).toMatchObject({ connector: "connector-b" })
  })

  it("is said by an assistant", async () => {
    const made = await desk()
    const { customerReference: reference, serviceCode: service, ...booking }: Record<string, unknown> = late
    const { call } = await assistant(made, ["--sandbox"])
    const bookings = [{ ...booking, reference, service }]
    const planned = await call("plan_booking", { bookings, allowPast: true })
    expect(planned.isError, planned.text).toBe(false)
    const booked = await call("book_plan", { planHash: planned.data.planHash, idempotencyKey: "k" })
    expect(booked.isError, booked.text).toBe(false)
  })
})

it("what is wanted of the service is kept beside the request, and in no request that is sent", async () => {
  const made = await desk()
  const own = Object.fromEntries(LASTING_FIELDS.map(({ path: at }) => [at, sayOf(at)]))
  const file = await save(made, "b.json", bookingOf("SO-7", own))
  const ran = await run(made, ...BOOK, "--dry-run", "--no-rate", "--file", file)
  const plain = await run(
    made,
    ...BOOK,
    "--dry-run",
    "--no-rate",
    "--file",
    await save(made, "p.json", bookingOf("SO-7")),
  )
  expect(isDeepStrictEqual(ran.json(), plain.json()), ran.stdout).toBe(true)
})

it("a booking like an earlier one costs as much as that one", async () => {
  const made = await desk()
  const priceOf = (text: string) => /AUD ([\d.]+)/.exec(text)?.[1]
  const file = await save(made, "b.json", bookingOf("HOME-1"))
  const home = await run(made, ...BOOK, "--file", file, "--to-residential", "--dry-run")
  const business = await run(made, ...BOOK, "--file", file, "--dry-run")
  expect(priceOf(home.stderr)).not.toBe(priceOf(business.stderr))
  await run(made, ...BOOK, "--file", file, "--to-residential")
  const like = await run(
    made,
    ...BOOK,
    "--like",
    "HOME-1",
    "--ready",
    READY,
    "--reference",
    "HOME-2",
    "--dry-run",
  )
  expect(priceOf(like.stderr)).toBe(priceOf(home.stderr))
  expect(like.stderr).toContain("to a home")
})

it("a property that is said otherwise after booking is reported, and the booking stays", async () => {
  const made = await desk()
  const own = { "receiver.residential": true, costCentre: "IT", dropOff: true }
  const differences = [
    { field: "receiver.residential", booked: "no", written: "yes" },
    { field: "costCentre", booked: "Sales", written: "IT" },
    { field: "dropOff", booked: "no", written: "yes" },
  ]
  const says =
    "stays as it was booked: to a home (no, now yes), cost centre (Sales, now IT), dropped off (no, now yes)."
  const write = (reference: string, properties: object) =>
    save(made, "b.json", bookingOf(reference, properties as Own))
  const book = async (properties: object) =>
    run(made, ...BOOK, "--file", await write("SAID-1", properties), "--key", "SAID-1")
  await book({ costCentre: "Sales" })
  expect((await book(own)).stderr).toContain(`It ${says}`)
  expect((await book({})).stderr).not.toContain("stays as it was booked")
  const batch = async (properties: object) => {
    const file = await save(made, "rows.json", [
      { ...bookingOf("SAID-2"), packages: "1x9x9x9@2", connector: "connector-b", ...properties },
    ])
    return run(made, "batch", "book", "--sandbox", "--yes", "--json", file)
  }
  await batch({ costCentre: "Sales" })
  const again = await batch(own)
  expect(again.items()).toMatchObject([{ state: "booked", recorded: true, ignored: differences }])
  expect(again.stderr).toContain(`SAID-2 ${says}`)
  expect((await batch({})).items()).toMatchObject([{ ignored: [] }])
})

it("every property is on the page for scripts", async () => {
  const page = await readFile(path.join(ROOT, "docs/scripts.md"), "utf8")
  for (const { path: at, flag } of OWN_FIELDS)
    expect(page).toContain(`| \`${at}\` | \`${toFlagName(flag.name)}\` |`)
})

it("every property has a flag, and one that is not of a party has a column", () => {
  expect(OWN_FIELDS.filter((field) => !("flag" in field))).toEqual([])
  const without = BOOKING_FIELDS.filter(
    (field) => "beside" in field && !field.path.includes(".") && !("column" in field),
  )
  expect(without).toEqual([])
})
