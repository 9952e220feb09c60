/** Two desks of one account with a ledger each: what one has booked, the other does not book again. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { altered } from "./altered.ts"
import { errorOf, orderDesk } from "./batches.ts"
import { bookingDesk, ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { type Order, order, saveOrders } from "./orders.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"
import type { RunningSandbox } from "./sandbox.ts"
import { answering } from "./seats.ts"

const shared = await fileSandbox()

let names = 0
/** References that no other test has, in the spelling of this file's shop. */
const fresh = () => `E${++names}-1`

/** Two desks with these orders, of which the first has booked its own. */
async function twoDesks(booked: readonly Order[], rows: readonly Order[], sandbox = shared) {
  const one = await orderDesk(booked, sandbox)
  expect((await one.book()).code).toBe(0)
  return { one, two: await orderDesk(rows, sandbox) }
}

async function countShipments(sandbox: RunningSandbox): Promise<number> {
  const { counts } = (await sandbox.control("books?only=counts")) as { counts: { shipments: number } }
  return counts.shipments
}

describe("one order at a second ledger", () => {
  it("is asked about at a terminal, and booked at its price where it is a separate consignment", async () => {
    const sandbox = await ownSandbox()
    const booking = { ...ownBooking(), customerReference: fresh() }
    const save = async (made: Awaited<ReturnType<typeof desk>>) => {
      const file = path.join(made.folder, "one.json")
      await writeFile(file, JSON.stringify(booking))
      return file
    }
    const [one, two] = [await desk(sandbox), await desk(sandbox)]
    expect((await one.freight(["book", "--file", await save(one)])).code).toBe(0)
    const asked: string[] = []
    const says = (answer: boolean) => async () => ({
      ...answering(""),
      confirm: async (question: string) => {
        asked.push(question)
        return answer
      },
    })
    const line = ["book", "--file", await save(two)]
    const no = await two.freight(line, { columns: 80, host: { converse: says(false) } })
    expect([no.code, no.stderr]).toEqual([2, expect.stringContaining("you said no: nothing was sent")])
    expect(asked).toEqual([expect.stringMatching(/Is this a separate consignment\?$/)])
    expect(await countShipments(sandbox)).toBe(1)
    const yes = await two.freight(line, { columns: 80, host: { converse: says(true) } })
    expect(yes.code, yes.stderr).toBe(0)
    expect(asked.at(-1)).toMatch(/^Book it: AUD \d/)
    const { shipments } = (await sandbox.control("books")) as { shipments: { request: object }[] }
    expect(shipments).toHaveLength(2)
    expect(shipments.at(-1)?.request).toHaveProperty("rateId")
    expect((await two.freight(line)).code).not.toBe(0)
  })
})

describe("a batch at a second ledger", () => {
  it("books nothing again, names what was booked, and reads each shipment once", async () => {
    const sandbox = await ownSandbox()
    const rows = [1, 2, 3, 4, 5].map((n) => order(`E-${n}`))
    const { one, two } = await twoDesks(rows, rows, sandbox)
    const mine = await one.results()
    for (const other of [two, await orderDesk(rows, sandbox)]) {
      const { code, stderr, json } = await other.book()
      expect(stderr).toContain("5 orders were booked elsewhere, and are not sent: E-1 was booked")
      expect(stderr).toContain("use one ledger together")
      expect(code).toBe(0)
      expect(json<Summary>()).toMatchObject({ booked: 5, elsewhere: 5, failed: 0 })
      const theirs = await other.results()
      expect(theirs.map((row) => row["freight.shipment"])).toEqual(mine.map((row) => row["freight.shipment"]))
      expect((await other.status()).items).toMatchObject(
        rows.map(({ reference }) => ({ reference, state: "booked", elsewhere: "API" })),
      )
    }
    const before = await requestsTo(sandbox, "GET /shipments/{id}")
    const lists = await requestsTo(sandbox, "GET /shipments")
    const again = await two.book("--verbose")
    expect(again.stderr).not.toContain("use one ledger together")
    expect(again.stderr).toContain(
      "1 page of the account's shipments, 0 shipments that the ledger did not know",
    )
    expect(await requestsTo(sandbox, "GET /shipments/{id}")).toBe(before)
    expect(await requestsTo(sandbox, "GET /shipments")).toBe(lists + 1)
    expect(await countShipments(sandbox)).toBe(5)
  })

  it("knows a number in another spelling", async () => {
    const [reference, spelled] = [`Q-00${++names}`, `q ${names}`]
    const { two } = await twoDesks(
      [order(reference, { "receiver.companyName": "Spelling" })],
      [order(spelled, { "receiver.companyName": "Spelling" })],
    )
    expect((await two.book()).json()).toMatchObject({ booked: 1, elsewhere: 1 })
  })

  it("tells an order that has another receiver or other goods under that reference", async () => {
    for (const change of [
      { "receiver.suburb": "Perth", "receiver.postcode": "6000" },
      { packages: "3x40x30x20@5.5" },
    ]) {
      const reference = fresh()
      const { two } = await twoDesks([order(reference)], [order(reference, change)])
      const { code, json } = await two.book()
      expect([code, json()]).toMatchObject([1, { changed: 1, booked: 0 }])
      expect((await two.results())[0]?.["freight.error"]).toContain("with another program or ledger on")
    }
  })

  it("refuses the same goods for the same receiver and day under another reference, and books them with --again", async () => {
    const reference = fresh()
    const renamed = order(`${reference}b`, { "receiver.companyName": `Receiver of ${reference}` })
    const { two } = await twoDesks([order(reference)], [renamed])
    const { code, stderr } = await two.book()
    expect([code, errorOf({ stderr })]).toMatchObject([2, { kind: "input" }])
    expect(errorOf({ stderr }).errors?.[0]?.message).toContain(`(${reference}b): ${reference} was booked`)
    expect(await two.booked([renamed])).toEqual([0])
    expect((await two.book("--again")).json()).toMatchObject({ booked: 1 })
  })

  it("takes a renamed row of a stream for a new order only where it is told so", async () => {
    const reference = fresh()
    const { two } = await twoDesks([order(reference)], [])
    const row = order(`${reference}b`, { "receiver.companyName": `Receiver of ${reference}` })
    const stream = (...flags: string[]) =>
      two.freight(["batch", "book", "-", "--format", "ndjson", ...flags], {
        input: `${JSON.stringify(row)}\n`,
      })
    const refused = await stream()
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('"state":"duplicate"')])
    expect(await two.booked([row])).toEqual([0])
    const { code, stderr } = await stream("--new-orders")
    expect(code, stderr).toBe(0)
    expect(await two.booked([row])).toEqual([1])
  })

  it("books what is another order of the file beside one that was booked elsewhere", async () => {
    const [first, second] = [fresh(), fresh()]
    const same = { "receiver.companyName": `Receiver of ${first}` }
    const { two } = await twoDesks([order(first)], [order(first), order(second, same)])
    expect((await two.book()).json()).toMatchObject({ booked: 2, elsewhere: 1, duplicate: 0 })
  })

  it("counts what was booked in the portal, and not what was cancelled", async () => {
    const [portal, cancelled] = [fresh(), fresh()]
    const rows = [portal, cancelled].map((reference) => order(reference))
    const marked = [
      { ...rows[0], specialInstructions: "sandbox:portal" },
      { ...rows[1], specialInstructions: "sandbox:cancelled" },
    ]
    const { two } = await twoDesks(marked, rows)
    expect((await two.book()).json()).toMatchObject({ booked: 2, elsewhere: 1 })
    expect((await two.results())[0]?.["freight.warnings"]).toContain("was booked in the portal")
    expect(await two.booked(rows)).toEqual([1, 2])
  })

  it("sends nothing where the list cannot be read, unless it is told not to look", async () => {
    const sandbox = await ownSandbox()
    const row = order(fresh())
    const one = await orderDesk([row], sandbox)
    await sandbox.control("faults", { fault: "503@GET/shipments" })
    const { code, stderr } = await one.book()
    expect(code).toBe(6)
    expect(errorOf({ stderr })).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("the account's shipments cannot be read"),
    })
    expect(await one.booked()).toEqual([0])
    expect((await one.book("--without-looking")).code).toBe(0)
    await saveOrders(one.folder, [order(fresh())])
    await one.freight(["config", "set", "lookElsewhere", "off"])
    expect((await one.book()).code).toBe(0)
  })

  it("neither prints nor collects what was booked elsewhere, and saves its label", async () => {
    const row = order(fresh())
    const { two } = await twoDesks([row], [row])
    const { code, stderr } = await two.book("--labels", "labels", "--print", "device-bench", "--pickup")
    expect(stderr).toContain("1 shipment that was booked elsewhere: neither printed nor collected from here")
    expect(code).toBe(0)
    expect((await two.results())[0]?.["freight.label"]).toMatch(/\.pdf$/)
  })
})

describe("results of another ledger", () => {
  it("are evidence, however old they are, and never written over where no row stands for them", async () => {
    const [first, second] = [order(fresh()), order(fresh())]
    const one = await orderDesk([first], shared)
    await one.book()
    const results = await readFile(path.join(one.folder, "orders.results.csv"))
    const two = await orderDesk([first], shared)
    await two.freight(["config", "set", "lookElsewhere", "off"])
    await writeFile(path.join(two.folder, "orders.results.csv"), results)
    const { code, stderr } = await two.book()
    expect([code, errorOf({ stderr }).message]).toEqual([2, expect.stringContaining("names 1 shipment")])
    await two.freight(["config", "set", "lookElsewhere", "on"])
    expect((await two.book()).json()).toMatchObject({ booked: 1, elsewhere: 1 })
    await saveOrders(two.folder, [second])
    const other = await two.book()
    expect([other.code, errorOf(other).message]).toEqual([2, expect.stringContaining("names 1 shipment")])
    expect(await readFile(path.join(two.folder, "orders.results.csv"), "utf8")).toContain(first.reference)
  })
})

describe("a single booking at a second ledger", () => {
  it("is refused where its reference, or its goods without it, were booked, and made with --again", async () => {
    const one = await bookingDesk(shared)
    const booked = (await one.book()).json<{ shipmentId: string }>()
    const two = await desk(shared)
    const file = path.join(two.folder, "booking.json")
    const booking = JSON.parse(await readFile(path.join(one.folder, "booking.json"), "utf8"))
    const book = async (changes: object, ...flags: string[]) => {
      await writeFile(file, JSON.stringify({ ...booking, ...changes }))
      return two.freight(["book", "--file", "booking.json", "--json", ...flags])
    }
    const dry = await book({}, "--dry-run")
    expect([dry.code, dry.stderr]).toEqual([
      0,
      expect.stringContaining("it would not be sent: this order was"),
    ])
    const same = await book({})
    expect([same.code, errorOf(same)]).toMatchObject([
      1,
      {
        kind: "refused",
        message: expect.stringContaining("was booked with another program or ledger"),
        next: expect.stringContaining(booked.shipmentId),
      },
    ])
    const renamed = await book({ customerReference: `${booking.customerReference} B` })
    expect([renamed.code, errorOf(renamed).message]).toEqual([
      1,
      expect.stringContaining("the same goods for the same receiver and the same day"),
    ])
    const found = await two.freight(["shipments", "show", booking.customerReference, "--json"])
    expect(found.json()).toMatchObject({ shipment: { shipmentId: booked.shipmentId } })
    expect((await two.freight(["label", booking.customerReference, "-o", "label.pdf"])).code).toBe(0)
    const history = await two.freight(["history", "--search", booking.customerReference])
    expect(history.stderr).toContain("was booked with another program or ledger")
    const doctor = await two.freight(["doctor", "--json"])
    expect(doctor.items<object>()).toContainEqual(
      expect.objectContaining({ check: "elsewhere", state: "warn" }),
    )
    expect((await two.freight(["ledger", "status", "--json"])).json()).toMatchObject({
      elsewhere: expect.any(Number),
    })
    expect((await book({}, "--again")).code).toBe(0)
  })
})

describe("one shipment of the account that cannot be read", () => {
  /** A desk whose replies are changed, and a booking that another has made. */
  async function deskBeside(change: (shipment: Record<string, unknown>) => unknown, at: RegExp) {
    const sandbox = await ownSandbox()
    const one = await bookingDesk(sandbox)
    const { shipmentId } = (await one.book()).json<{ shipmentId: string }>()
    const booking = JSON.parse(await readFile(path.join(one.folder, "booking.json"), "utf8"))
    const odd = (value: unknown) => (Object(value).id === shipmentId ? change({ ...Object(value) }) : value)
    const reach = await altered(sandbox, (reply) => {
      if (reply.method !== "GET" || !at.test(reply.path)) return
      reply.change(({ shipment, shipments, ...others }) => ({
        ...others,
        ...(shipment !== undefined && { shipment: odd(shipment) }),
        ...(Array.isArray(shipments) && { shipments: shipments.map(odd) }),
      }))
    })
    const two = await desk(reach)
    const book = async (changes: object, ...flags: string[]) => {
      await writeFile(path.join(two.folder, "booking.json"), JSON.stringify({ ...booking, ...changes }))
      return two.freight(["book", "--file", "booking.json", "--json", ...flags])
    }
    const elsewhere = { receiver: { ...booking.receiver, suburb: "Perth", postcode: "6000" } }
    return { book, shipmentId, elsewhere, booking, two, sandbox }
  }
  const DETAIL = /\/shipments\/[^/]+$/
  const LIST = /\/shipments(\?|$)/

  it.each<[what: string, change: (shipment: Record<string, unknown>) => unknown, at: RegExp]>([
    ["without receiver and reference", ({ receiver: _, customerReference: __, ...others }) => others, DETAIL],
    ["that is no object", () => "gone", DETAIL],
    ["without an id in the list", ({ id: _, ...others }) => others, LIST],
  ])("%s, is asked about for an order that it may be, and holds up no other", async (_what, change, at) => {
    const { book, elsewhere, sandbox } = await deskBeside(change, at)
    const same = await book({})
    expect([same.code, errorOf(same)]).toMatchObject([
      2,
      { kind: "input", message: expect.stringContaining("this may be shipment") },
    ])
    expect(await countShipments(sandbox)).toBe(1)
    expect((await book({ ...elsewhere, customerReference: "OTHER-1" })).code).toBe(0)
    expect((await book({}, "--again")).code).toBe(0)
  })

  it.each(["IN_TRANSIT", null, 5])("counts as booked where its status is %s", async (status) => {
    const { book, elsewhere } = await deskBeside((shipment) => ({ ...shipment, status }), /\/shipments/)
    const same = await book({})
    expect([same.code, errorOf(same).message]).toEqual([1, expect.stringContaining("this order was booked")])
    expect((await book({ ...elsewhere, customerReference: "OTHER-1" })).code).toBe(0)
  })

  it("is named once, and all others are listed", async () => {
    const { two, shipmentId } = await deskBeside(({ id: _, ...others }) => others, LIST)
    const { code, stderr, json } = await two.freight(["shipments", "list", "--json"])
    expect(code).toBe(0)
    expect(
      stderr.match(/1 of \d+ shipments could not be read: shipments\[\d+\]\.id is missing/g),
    ).toHaveLength(1)
    expect(json<{ items: { shipmentId: string }[] }>().items.map((each) => each.shipmentId)).not.toContain(
      shipmentId,
    )
  })

  it("is what freight doctor --contract names, by path and type only", async () => {
    const { two } = await deskBeside(
      (shipment) => ({ ...shipment, status: "IN_TRANSIT", orderNumber: null, driver: "Jo Smith" }),
      /\/shipments/,
    )
    const { code, stdout, json } = await two.freight(["doctor", "--contract", "--json"])
    expect(code).toBe(1)
    const list = { endpoint: "GET /shipments", count: 1 }
    expect(json<{ items: object[] }>().items).toEqual(
      expect.arrayContaining([
        { ...list, path: "shipments[].status", is: "unlisted", found: "IN_TRANSIT" },
        { ...list, path: "shipments[].orderNumber", is: "null", found: "null" },
        { ...list, path: "shipments[].driver", is: "additional", found: "text" },
      ]),
    )
    expect(stdout).not.toContain("Jo Smith")
  })

  it.each<[what: string, change: (list: Record<string, unknown>) => Record<string, unknown>, why: string]>([
    ["that is none", () => ({ items: [] }), "GET /shipments: the reply of"],
    // As of a service that takes no notice of the offset.
    [
      "whose pages are all the same",
      (list) => ({ ...list, total: 1_000 }),
      "the list of shipments repeats itself",
    ],
  ])("a list %s, ends a script with exit code 2, as that does not pass by itself", async (_what, change, why) => {
    const sandbox = await ownSandbox()
    const reach = await altered(sandbox, (reply) => {
      if (reply.method === "GET" && LIST.test(reply.path)) reply.change(change)
    })
    const { book } = await bookingDesk(reach)
    const ran = await book()
    expect([ran.code, errorOf(ran)]).toEqual([
      2,
      expect.objectContaining({
        message: expect.stringContaining(`shipments cannot be read (${why}`),
        retry: "never",
      }),
    ])
  })
})

describe("another ledger at the same desk", () => {
  it("is told of in config set, doctor and before it books, until the old one is copied", async () => {
    const one = await orderDesk([order(fresh())], await ownSandbox())
    await one.book()
    const place = path.join(one.folder, "team", "ledger.db")
    await mkdir(path.dirname(place))
    const words = "which this workstation used before, has 1 booking of this account"
    const set = await one.freight(["config", "set", "ledger", place])
    expect(set.stderr).toContain(words)
    const next = ["ledger", "copy", "--from-ledger", path.join(one.state, "ledger.db"), "--to-ledger", place]
    expect(set.stderr).toContain(`freight ${next.join(" ")}`)
    const checks = async () => (await one.freight(["doctor", "--json"])).items<{ check: string }>()
    expect(await checks()).toContainEqual(expect.objectContaining({ check: "other-ledger", state: "warn" }))
    const rerun = await one.book()
    expect(rerun.stderr).toContain(words)
    expect(rerun.json()).toMatchObject({ booked: 1, elsewhere: 1 })
    expect((await one.freight(next)).code).toBe(0)
    expect((await checks()).map(({ check }) => check)).not.toContain("other-ledger")
    const copied = await one.book()
    expect(copied.stderr).not.toContain(words)
    // Copied bookings count as the ledger's own.
    expect(copied.json()).toMatchObject({ booked: 1, recorded: 1 })
    expect(copied.json()).toMatchObject({ elsewhere: 0 })
    // A name that no command can be written down with for every shell.
    const odd = await one.freight(["config", "set", "ledger", path.join(one.folder, "the team's.db")])
    expect(odd.stderr).toContain(
      "To have them there: freight ledger copy --from-ledger FILE --to-ledger FILE",
    )
  })
})
