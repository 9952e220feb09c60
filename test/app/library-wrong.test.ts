/** Wrong values that a program gives to the library are reported before anything is done. */
import { describe, expect, it } from "vitest"
import { FreightError, openFreight } from "../../src/app/library.ts"
import type { BookedOrder, Freight, ListedOrder, OpenOptions } from "../../src/app/library.ts"
import { desk } from "../acceptance/freight.ts"
import { fileSandbox, ownSandbox } from "../acceptance/own-sandbox.ts"
import type { RunningSandbox } from "../acceptance/sandbox.ts"
import { booking } from "../sandbox/requests.ts"

const sandbox = await fileSandbox()

const orderOf = (customerReference: string, changes: object = {}): ListedOrder => ({
  ...booking({ collectionDateTime: "2030-11-25T10:00:00", serviceCode: "GEN" }),
  receiver: { ...booking().receiver, companyName: `Shop of ${customerReference}` },
  connector: "connector-b",
  customerReference,
  ...changes,
})

/** The requests to a sandbox, and the number of things it made. */
async function asked(of: RunningSandbox): Promise<object> {
  const { counts, requests } = (await of.control("books?only=counts")) as Record<string, unknown>
  return { counts, requests }
}

/** The error of a call, whether it threw or rejected. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    return { gave: await call() }
  } catch (error) {
    return error
  }
}

const USAGE = expect.objectContaining({ name: "FreightError", kind: "usage", exitCode: 2 })

/** A value of each kind, by what people call it. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["a number", 5],
  ["a bigint", 5n],
  ["a text", "x"],
  ["an empty text", ""],
  ["blanks", "  "],
  ["true", true],
  ["a list", [["x"]]],
  ["an empty list", []],
  ["an object", { toString: () => "x" }],
  ["a map", new Map([["key", "x"]])],
  ["a date", new Date(0)],
  ["a promise", Promise.resolve({})],
  ["a function", () => "x"],
  ["a symbol", Symbol("x")],
]
const without = (...names: string[]) => WRONG.filter(([name]) => !names.includes(name))

/** Wrong values for each kind of option. */
const KINDS = {
  text: without("a text"),
  number: without("a number"),
  list: without("a text", "an empty list"),
  boolean: without("true"),
  function: without("a function"),
  object: without("an object"),
  key: without("a text"),
  name: [...without("a text"), ["nothing", undefined], ["a dash", "-"]] as const,
  // In an order a date is the text that JSON has for it.
  "text of an order": without("a text", "a date"),
  "list of an order": without("a text", "a date", "an empty list"),
  request: [...without("an object"), ["nothing", undefined]] as const,
  orders: [...without("an empty list"), ["nothing", undefined], ["a list of nothing", [undefined]]] as const,
}
type Kind = keyof typeof KINDS

type Call = (freight: Freight, value: never) => unknown
const RATES = {
  from: { suburb: "Alexandria", postcode: "2015", state: "NSW", residential: false },
  to: { suburb: "Fremantle", postcode: "6160", state: "WA", residential: false },
  packages: booking().packages ?? [],
  dangerousGoods: false,
}
const PDF = new TextEncoder().encode("%PDF-1.4")
const PREFERENCES: Record<string, Kind> = {
  ...{ connector: "text", maxPrice: "number", within: "number", arriveBy: "text", onTime: "number" },
  avoid: "list",
}
const OF_ORDERS = Object.fromEntries(
  Object.entries(PREFERENCES).map(([name, kind]) => [name, kind === "number" ? kind : `${kind} of an order`]),
)
const ALLOWANCES: Record<string, Kind> = {
  ...{ allowPast: "boolean", allowDensity: "boolean", acceptPlaces: "boolean" },
}

/** Each place of each call that takes a value, and what it takes. */
const PLACES: readonly (readonly [string, Kind, Call])[] = [
  ["rates: request", "request", (freight, value) => freight.rates(value)],
  ["book: order", "request", (freight, value) => freight.book(value)],
  ["bookAll: orders", "orders", (freight, value) => freight.bookAll(value)],
  ["bookAll: orders[1]", "request", (freight, value) => freight.bookAll([orderOf("W-1"), value])],
  ["track: name", "name", (freight, value) => freight.track(value)],
  ["label: shipment", "name", (freight, value) => freight.label(value)],
  ["pickup: request", "request", (freight, value) => freight.pickup(value)],
  ["print: shipment", "name", (freight, value) => freight.print(value)],
  ["release: keys", "key", (freight, value) => freight.release(value)],
  ...options("rates", PREFERENCES, (freight, options) => freight.rates(RATES, options)),
  ...options("book: order", OF_ORDERS, (freight, wrong) =>
    freight.book(orderOf("W-1", wrong as object), { key: "W-1" }),
  ).filter(([name]) => name.includes(".")),
  ...options("bookAll: orders", OF_ORDERS, (freight, wrong) =>
    freight.bookAll([orderOf("W-1", wrong as object)]),
  ).filter(([name]) => name.includes(".")),
  ...options(
    "book",
    {
      key: "text",
      again: "boolean",
      withoutRate: "boolean",
      waitSeconds: "number",
      pickup: "boolean",
      ...{ ...ALLOWANCES, withoutMissing: "boolean" },
    },
    (freight, options) => freight.book(orderOf("W-1"), options),
  ),
  ...options(
    "bookAll",
    {
      ...{ skipInvalid: "boolean", newOrders: "boolean", concurrency: "number", stopAfter: "number" },
      ...{ maxTotal: "number", withoutRate: "boolean", onBooked: "function", ...ALLOWANCES },
      ...{ withoutMissing: "boolean" },
    },
    (freight, options) => freight.bookAll([orderOf("W-1")], options),
  ),
  ...options("track", { carrier: "text", waitSeconds: "number" }, (freight, options) =>
    freight.track("W-1", options),
  ),
  ...options("label", { waitSeconds: "number" }, (freight, options) => freight.label("W-1", options)),
  ...options(
    "pickup",
    { connector: "text", key: "text", again: "boolean", ...ALLOWANCES },
    (freight, options) => freight.pickup({ shipmentId: "demo-shipment" }, options),
  ),
  ...options(
    "print",
    { device: "text", copies: "number", key: "text", again: "boolean" },
    (freight, options) => freight.print(PDF, options),
  ),
  ...options("shipments", { limit: "number", offset: "number" }, (freight, options) =>
    freight.shipments(options),
  ),
]

/** The options of a call as a whole, and each of them. */
function options(
  name: string,
  kinds: Readonly<Record<string, string>>,
  call: Call,
): (readonly [string, Kind, Call])[] {
  return [
    [`${name}: options`, "object", call],
    ...Object.entries(kinds).map(
      ([option, kind]) =>
        [
          `${name}.${option}`,
          kind as Kind,
          ((freight, value) => call(freight, { [option]: value } as never)) as Call,
        ] as const,
    ),
  ]
}

describe("a wrong value", () => {
  it.each(PLACES)("at %s is a FreightError of the kind usage, and nothing is sent", async (_, kind, call) => {
    const { env } = await desk(sandbox)
    const freight = openFreight({ env })
    const before = await asked(sandbox)
    for (const [name, value] of KINDS[kind]) {
      const error = await failureOf(() => call(freight, value as never))
      expect(error, name).toBeInstanceOf(FreightError)
      expect(error, name).toEqual(USAGE)
      expect((error as FreightError).message, name).toMatch(/nothing was sent|there is no option/)
    }
    expect(await asked(sandbox)).toEqual(before)
  })

  it.each([
    "file",
    "output",
    "saveAs",
    "example",
    "dryRun",
    "set",
    "plan",
    "key ",
    "__proto__",
  ])("is an option that a call does not have: %s", async (name) => {
    const { env } = await desk(sandbox)
    const freight = openFreight({ env })
    const given = JSON.parse(`{${JSON.stringify(name)}: "x"}`)
    const calls = [
      () => freight.rates(RATES, given),
      () => freight.book(orderOf("W-1"), given),
      () => freight.bookAll([orderOf("W-1")], given),
      () => freight.bookAll([], given),
      () => freight.track("W-1", given),
      () => freight.label("W-1", given),
      () => freight.pickup({}, given),
      () => freight.print(PDF, given),
      () => freight.shipments(given),
      () => openFreight(given),
    ]
    const before = await asked(sandbox)
    for (const call of calls)
      expect(await failureOf(call)).toMatchObject({
        ...{ kind: "usage", message: expect.stringContaining(`there is no option "${name}"`) },
        hint: expect.stringContaining("The options are: "),
      })
    expect(await asked(sandbox)).toEqual(before)
  })

  it("inside a request that JSON would drop or change is refused, and nothing is sent", async () => {
    const { env } = await desk(sandbox)
    const freight = openFreight({ env })
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const [box] = booking().packages ?? []
    const wrong = [
      { packages: [{ ...box, count: Number.NaN }] },
      { packages: [{ ...box, weightKg: Number.POSITIVE_INFINITY }] },
      { specialInstructions: () => "x" },
      { specialInstructions: Symbol("x") },
      { reference: 5n },
      { items: circular },
      Object.defineProperty({}, "items", { get: () => expect.fail("broken"), enumerable: true }),
      { toJSON: () => "x" },
    ]
    const before = await asked(sandbox)
    for (const changes of wrong) {
      const order = Object.defineProperties(orderOf("W-2"), Object.getOwnPropertyDescriptors(changes))
      for (const call of [() => freight.book(order, { key: "W-2" }), () => freight.bookAll([order])])
        expect(await failureOf(call)).toEqual(USAGE)
    }
    expect(await asked(sandbox)).toEqual(before)
  })

  it("says which option of which call, what it takes, and what to do", async () => {
    const { env } = await desk(sandbox)
    const freight = openFreight({ env })
    expect(await failureOf(() => freight.book(orderOf("W-3"), { key: null as never }))).toMatchObject({
      message: "book: key takes text, not null; nothing was sent",
      hint: "Leave it out where there is none.",
    })
    expect(await failureOf(() => freight.track(undefined as never))).toMatchObject({
      message: "track: consignment takes text, not undefined; nothing was sent",
      hint: expect.stringMatching(/^It is the id, consignment number, order number, /),
    })
    expect(
      await failureOf(() => freight.bookAll([orderOf("W-3"), orderOf("W-4", { maxPrice: "80" })])),
    ).toMatchObject({
      message: "bookAll: orders[1].maxPrice takes a number, not text; nothing was sent",
    })
  })

  it("is never one order's booking for another", async () => {
    const own = await ownSandbox()
    const { env } = await desk(own)
    const freight = openFreight({ env })
    for (const key of [null, Number.NaN, {}] as never[])
      for (const reference of ["PO-1", "PO-2"])
        expect(await failureOf(() => freight.book(orderOf(reference), { key }))).toEqual(USAGE)
    expect(await asked(own)).toMatchObject({ counts: { shipments: 0 } })
  })
})

describe("openFreight", () => {
  const OPEN: readonly (readonly [string, Kind, (value: never) => OpenOptions])[] = [
    ["profile", "text", (profile) => ({ profile })],
    ["ledger", "text", (ledger) => ({ ledger })],
    ["baseUrl", "object", (baseUrl) => ({ baseUrl })],
    ["baseUrl.freight", "text", (freight) => ({ baseUrl: { freight } })],
    ["baseUrl.directPrint", "text", (directPrint) => ({ baseUrl: { directPrint } })],
    ["keys", "object", (keys) => ({ keys })],
    ["keys.freight", "text", (freight) => ({ keys: { freight } })],
    ["keys.directPrint", "text", (directPrint) => ({ keys: { directPrint } })],
    ["sandbox", "boolean", (sandbox) => ({ sandbox })],
    ["clock", "object", (clock) => ({ clock })],
    ["clock.now", "function", (now) => ({ clock: { now } })],
    ["signal", "object", (signal) => ({ signal })],
    ["onNote", "function", (onNote) => ({ onNote })],
    ["env", "object", (env) => ({ env })],
    ["env.FREIGHT_API_KEY", "text", (FREIGHT_API_KEY) => ({ env: { FREIGHT_API_KEY } })],
  ]

  it.each(
    OPEN,
  )("refuses whatever cannot be used as %s, instead of this machine's own", async (name, kind, open) => {
    const isEnv = name.startsWith("env.")
    for (const [what, value] of KINDS[kind]) {
      // A variable may be empty, as a shell leaves it.
      if (isEnv && ["an empty text", "blanks"].includes(what)) continue
      expect(await failureOf(() => openFreight(open(value as never))), what).toEqual(USAGE)
    }
  })

  it.each([
    ["null", null],
    ["a text", "x"],
    ["a list", []],
    ["an address that it does not know", { baseUrl: { freght: "http://127.0.0.1:1" } }],
    ["a key that it does not know", { keys: { freght: "x" } }],
    ["addresses without any", { baseUrl: {} }],
    ["addresses that are not set", { baseUrl: { freight: undefined } }],
    ["an address of another protocol", { baseUrl: { freight: "ftp://127.0.0.1:1" } }],
    ["an address without its protocol", { baseUrl: { directPrint: "127.0.0.1" } }],
    ["an address without encryption elsewhere", { baseUrl: { freight: "http://example.com/v1" } }],
    ["a ledger that is no database of freight's", { ledger: "mysql://freight@example.com/freight" }],
    ["keys without any", { keys: {} }],
    ["a clock without a time", { clock: {} }],
    ["a signal that cannot be heard", { signal: { aborted: false } }],
  ])("refuses %s", async (_, given) => {
    expect(await failureOf(() => openFreight(given as never))).toEqual(USAGE)
  })

  it.each([
    ["throws", () => expect.fail("broken")],
    ["gives no number", () => Number.NaN],
  ])("refuses a clock that %s before anything is sent", async (_, now) => {
    const { env } = await desk(sandbox)
    const before = await asked(sandbox)
    const freight = openFreight({ env, clock: { now } })
    expect(await failureOf(() => freight.connectors())).toEqual(USAGE)
    expect(await asked(sandbox)).toEqual(before)
  })
})

describe("onBooked", () => {
  const FAILS: readonly (readonly [string, (order: BookedOrder) => unknown])[] = [
    ["throws", ({ reference }) => (reference === "PO-2" ? expect.fail("the database is full") : undefined)],
    [
      "rejects",
      async ({ reference }) => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (reference === "PO-2") throw new Error("the database is full")
      },
    ],
  ]
  const list = (count: number) => Array.from({ length: count }, (_, at) => orderOf(`PO-${at + 1}`))

  it.each(
    FAILS,
  )("that %s ends the call, with what was booked; nothing is booked twice", async (_, onBooked) => {
    for (const count of [3, 30]) {
      const own = await ownSandbox()
      const { env } = await desk(own)
      const freight = openFreight({ env })
      const options = { concurrency: 2, onBooked: onBooked as () => void }
      const error = (await failureOf(() => freight.bookAll(list(count), options))) as FreightError
      expect(error).toBeInstanceOf(FreightError)
      expect(error).toMatchObject({
        ...{ kind: "stepFailed", exitCode: 8, retry: "safe", cause: expect.any(Error) },
        message: expect.stringMatching(
          new RegExp(
            `^onBooked failed for PO-2: the database is full. Booked by then: \\d+ orders? of ${count}: `,
          ),
        ),
      })
      const { counts } = (await asked(own)) as { counts: { shipments: number } }
      expect(error.errors).toHaveLength(counts.shipments)
      if (count === 30) expect(counts.shipments).toBeLessThan(count)
      const again = await freight.bookAll(list(count))
      expect(again.filter(({ recorded }) => recorded)).toHaveLength(counts.shipments)
      expect(await asked(own)).toMatchObject({ counts: { shipments: count } })
    }
  })

  it("may call freight itself, and wait for it", async () => {
    const own = await ownSandbox()
    const { env } = await desk(own)
    const freight = openFreight({ env })
    const seen: number[] = []
    const onBooked = async () => void seen.push((await freight.shipments()).total)
    await freight.bookAll(list(2), { onBooked: onBooked as () => void })
    expect(seen).toEqual([expect.any(Number), expect.any(Number)])
  })
})

describe("onNote", () => {
  it("that fails leaves to be seen what was booked", async () => {
    const own = await ownSandbox()
    const { env } = await desk(own)
    const notes: string[] = []
    const onNote = (note: string) => {
      notes.push(note)
      throw new Error("no room")
    }
    const freight = openFreight({ env, onNote })
    const order = orderOf("PO-1", { receiver: { ...booking().receiver, suburb: "Freemantle" } })
    const booked = await freight.book(order, { key: "PO-1", acceptPlaces: true })
    expect(notes).toHaveLength(1)
    expect(booked).toMatchObject({
      shipmentId: expect.any(String),
      stepError: { kind: "stepFailed", message: expect.stringContaining("onNote failed: no room") },
    })
    expect(await asked(own)).toMatchObject({ counts: { shipments: 1 } })
  })
})
