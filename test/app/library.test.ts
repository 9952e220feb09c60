/** freight as a library: each function is the command, with its ledger and its guarantee. */
import { writeFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { FreightError, openFreight } from "../../src/app/library.ts"
import type { BookedOrder, ListedOrder, OpenOptions, Order } from "../../src/app/library.ts"
import { createBookingFileSchema } from "../../src/orders/booking/file-schema.ts"
import { desk } from "../acceptance/freight.ts"
import { ownSandbox } from "../acceptance/own-sandbox.ts"
import { REQUEST_EXAMPLES } from "../contract/schemas/examples.ts"
import { address, booking } from "../sandbox/requests.ts"

/** A program at a desk, beside a person. */
async function program(options: OpenOptions = {}) {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  const notes: string[] = []
  const freight = openFreight({ env: made.env, onNote: (line) => notes.push(line), ...options })
  const count = async () =>
    ((await sandbox.control("books?only=counts")) as { counts: Record<string, number> }).counts
  return { ...made, sandbox, notes, program: freight, count }
}

const orderOf = (customerReference: string, changes: Partial<ListedOrder> = {}): ListedOrder => ({
  ...booking({ collectionDateTime: "2030-11-25T10:00:00", serviceCode: "GEN" }),
  receiver: { ...booking().receiver, companyName: `Shop of ${customerReference}` },
  connector: "connector-b",
  customerReference,
  ...changes,
})

const failure = (promise: Promise<unknown>): Promise<FreightError> =>
  promise.then(
    () => expect.fail("it did not fail"),
    (error: FreightError) => error,
  )

describe("openFreight", () => {
  it("lists connectors, asks for rates, books, tracks, prints and has it collected", async () => {
    const { program: freight } = await program()
    const connectors = await freight.connectors()
    expect(connectors.items.map(({ connectorId }) => connectorId)).toContain("connector-b")
    const { from, to, packages, dangerousGoods } = {
      from: { suburb: "Alexandria", postcode: "2015", state: "NSW", residential: false },
      to: { suburb: "Fremantle", postcode: "6160", state: "WA", residential: false },
      packages: booking().packages ?? [],
      dangerousGoods: false,
    }
    const asked = await freight.rates({ from, to, packages, dangerousGoods })
    expect(new Set(asked.items.map(({ connectorId }) => connectorId)).size).toBe(connectors.total)
    const one = await freight.rates({ from, to, packages, dangerousGoods }, { connector: "connector-b" })
    expect(one.items[0]?.serviceCode).toEqual(expect.any(String))

    const order = orderOf("PO-1", { connector: "connector-a", serviceCode: "76" })
    const booked = await freight.book(order, { key: "PO-1" })
    expect(booked).toMatchObject({
      shipmentId: expect.any(String),
      recorded: false,
      freight: { key: "PO-1", reference: "PO-1", price: expect.any(Number) },
    })
    const { shipmentId, consignmentNumber } = booked
    expect(await freight.track(consignmentNumber ?? "")).toMatchObject({ supported: true })
    const label = await freight.label("PO-1")
    expect(Buffer.from(label.subarray(0, 5)).toString()).toBe("%PDF-")
    expect(await freight.pickup({ shipmentId }, { key: "P-1" })).toMatchObject({ status: "BOOKED" })
    const device = "device-bench"
    expect(await freight.print(shipmentId, { device })).toMatchObject({
      items: [{ shipmentId, deviceId: device }],
    })
    expect(await freight.print(label, { device, key: "again" })).toMatchObject({
      items: [{ copy: 1, recorded: false }],
    })
    const { total, items } = await freight.shipments({ limit: 1 })
    expect([total > 0, items.map((each) => each.shipmentId)]).toEqual([true, [shipmentId]])
    expect(await freight.reconcile()).toEqual({ items: [], total: 0, nextOffset: null, warnings: [] })
  })

  it("books all that a booking file can say, as that file is booked", async () => {
    const { program: freight, freight: person, folder, sandbox } = await program()
    const { rateId: _, quoteId: __, ...request } = REQUEST_EXAMPLES.ConsignmentBookingRequest as Order
    const everything: Order = {
      ...request,
      serviceCode: "GEN",
      payer: { type: "Sender" },
      collectionDateTime: "2030-11-25T10:00:00",
      receiver: { ...address({ companyName: "Port Fittings" }), residential: true },
      collection: { ...address(), residential: false },
      ...{ costCentre: "CC-7", dropOff: true, customerReference: "PO-ALL", connector: "connector-b" },
      ...{ maxPrice: 5000, within: 30, onTime: 1, avoid: ["76"], arriveBy: "2030-12-20" },
      ...{ allowDensity: true, allowPast: true, acceptPlaces: true, withoutMissing: true },
    }
    const { properties } = createBookingFileSchema()
    // A rate and an order that is brought back have to be there.
    const left = ["$schema", "rateId", "quoteId", "returnOf"]
    expect(Object.keys(properties).filter((name) => !(name in everything))).toEqual(left)
    await writeFile(`${folder}/everything.json`, JSON.stringify(everything))
    const words = ["book", "--file", `${folder}/everything.json`, "--no-rate"]
    const { json } = await person([...words, "--dry-run", "--json"])
    const booked = await freight.book(everything, { withoutRate: true })
    expect(booked.freight.reference).toBe("PO-ALL")
    const { shipments } = (await sandbox.control("books")) as { shipments: Record<string, unknown>[] }
    // Each is priced anew.
    const { rateId: ___, quoteId: ____, ...printed } = json()
    expect(shipments).toMatchObject([{ request: printed }])
    expect(Object.keys(printed)).toEqual(expect.arrayContaining(Object.keys(request)))
  })

  it("and a person at the command line do not book one order twice, whoever comes first", async () => {
    const { program: freight, freight: person, count, folder } = await program()
    const save = async (reference: string) => {
      const { connector: _, ...request } = orderOf(reference)
      await writeFile(`${folder}/${reference}.json`, JSON.stringify(request))
      return [
        "book",
        "--connector",
        "connector-b",
        "--file",
        `${reference}.json`,
        "--key",
        reference,
        "--json",
      ]
    }
    const first = await freight.book(orderOf("PO-1"), { key: "PO-1" })
    const second = (await person(await save("PO-1"))).json<{ shipmentId: string; freight: object }>()
    expect(second).toMatchObject({ shipmentId: first.shipmentId })
    const third = (await person(await save("PO-2"))).json<{ shipmentId: string }>()
    const listed = await freight.bookAll([orderOf("PO-1"), orderOf("PO-2"), orderOf("PO-3")])
    expect(listed).toMatchObject([
      { reference: "PO-1", state: "booked", recorded: true, shipmentId: first.shipmentId },
      { reference: "PO-2", state: "booked", recorded: true, shipmentId: third.shipmentId },
      { reference: "PO-3", state: "booked", recorded: false },
    ])
    expect(await count()).toMatchObject({ shipments: 3 })
  })

  it("gives errors with their kind, what may be done, and the next command", async () => {
    const { program: freight, count } = await program()
    expect(await failure(freight.book(orderOf("PO-1", { serviceCode: "NONE" })))).toMatchObject({
      name: "FreightError",
      kind: expect.any(String),
      retry: "never",
    })
    const wrong = await failure(freight.book(orderOf("PO-1", { packagingCode: "XX" as "CT" })))
    expect(wrong).toBeInstanceOf(FreightError)
    expect(wrong).toMatchObject({ kind: "input", errors: [{ field: "packagingCode" }] })
    expect(await failure(freight.track("NOTHING"))).toMatchObject({ kind: "notFound" })
    expect(await count()).toMatchObject({ shipments: 0 })
  })

  it("checks a whole list before it sends the first of it, unless invalid ones are left out", async () => {
    const { program: freight, count } = await program()
    const list = [orderOf("PO-1"), orderOf("PO-2", { collectionCloseTime: "5 o'clock in the sun" })]
    expect(await failure(freight.bookAll(list))).toMatchObject({ exitCode: 2 })
    expect(await count()).toMatchObject({ shipments: 0 })
    const seen: BookedOrder[] = []
    const booked = await freight.bookAll(list, { skipInvalid: true, onBooked: (order) => seen.push(order) })
    expect(booked.map(({ state }) => state)).toEqual(["booked", "invalid"])
    expect(seen.length).toBe(2)
    expect(await freight.bookAll([])).toEqual([])
  })

  it("never sends what was lost again, and books it once it is released", async () => {
    const { program: freight, sandbox, count } = await program()
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
    expect(await failure(freight.book(orderOf("PO-1"), { key: "PO-1" }))).toMatchObject({
      kind: "outcomeUnknown",
      retry: "never",
      next: "freight reconcile",
      exitCode: 7,
    })
    expect(await failure(freight.book(orderOf("PO-2"), { key: "PO-2" }))).toMatchObject({
      kind: "outcomeUnknown",
    })
    const listed = await freight.bookAll([orderOf("PO-2")])
    expect(listed).toMatchObject([{ state: "unknown", next: "freight reconcile" }])
    expect(await count()).toMatchObject({ shipments: 1 })
    await sandbox.control("clock", { advanceMs: 3_600_000 })
    const settled = await freight.reconcile()
    const open = settled.items.filter(({ outcome }) => outcome !== "settled")
    expect(open).toMatchObject([{ key: "PO-2" }])
    expect(await freight.release("PO-2")).toMatchObject({ items: [{ outcome: "released" }] })
    expect(await freight.bookAll([orderOf("PO-1"), orderOf("PO-2")])).toMatchObject([
      { state: "booked", recorded: true },
      { state: "booked", recorded: false },
    ])
    expect(await count()).toMatchObject({ shipments: 2 })
  })

  it("runs calls one after another, whatever waits for which", async () => {
    const { program: freight, count } = await program()
    const orders = ["PO-1", "PO-2", "PO-1"].map(async (key) => freight.book(orderOf(key), { key }))
    const [first, , third] = await Promise.all(orders)
    expect([third?.shipmentId, third?.recorded]).toEqual([first?.shipmentId, true])
    expect(await count()).toMatchObject({ shipments: 2 })
  })

  it("is interrupted by its signal, and refuses to go on when it was closed", async () => {
    const controller = new AbortController()
    const { program: freight } = await program({ signal: controller.signal })
    await freight.connectors()
    controller.abort()
    expect(await failure(freight.connectors())).toMatchObject({ kind: "interrupted" })
    await freight.close()
    expect(await failure(freight.connectors())).toMatchObject({ kind: "usage" })
  })

  it("takes keys and addresses of its own, and shows no key", async () => {
    const { sandbox, env } = await program()
    const { FREIGHT_API_KEY: _, FREIGHT_BASE_URL: __, ...bare } = env
    const baseUrl = { freight: sandbox.freightBaseUrl }
    const own = openFreight({ env: bare, baseUrl, keys: { freight: sandbox.freightApiKey } })
    expect((await own.connectors()).total).toBeGreaterThan(0)
    const wrong = openFreight({
      env: bare,
      baseUrl,
      keys: { freight: sandbox.freightApiKey.replace(/.$/, "x") },
    })
    const error = await failure(wrong.connectors())
    expect(error.exitCode).not.toBe(0)
    expect(JSON.stringify([error.message, error])).not.toContain(sandbox.freightApiKey.slice(-20, -1))
    expect(() => openFreight({ profil: "x" } as object)).toThrow('there is no option "profil"')
  })

  it("books in the sandbox", async () => {
    const { env, count } = await program()
    const sandbox = openFreight({ env, sandbox: true })
    const booked = await sandbox.book(orderOf("PO-1", { serviceCode: "cheapest" }), { key: "PO-1" })
    expect(booked).toMatchObject({ sandbox: true, freight: { why: expect.any(String) } })
    expect(await count()).toMatchObject({ shipments: 0 })
  })
})
