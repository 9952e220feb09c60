/** Flags of an order's fields: each has one declaration, and the same meaning in every command that takes orders. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { FLAG_FIELDS } from "../../src/contract/fields/booking.ts"
import { OWN_FIELDS } from "../../src/contract/fields/own.ts"
import { toFlagName } from "../../src/base/command-line.ts"
import { errorOf } from "./batches.ts"
import { ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { order, ORDER_DAY, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()
const made = await desk(sandbox)

/** Flags of what freight keeps beside the request; a rate and a pickup have none of them, but for homes of a rate. */
const OF_PLACES = OWN_FIELDS.filter(({ path }) => path.includes(".")).map(({ flag }) => toFlagName(flag.name))
const OF_ORDER = OWN_FIELDS.filter(({ path }) => !path.includes(".")).map(({ flag }) => toFlagName(flag.name))

/** Fields that a command has no flag for, and why. */
const WITHOUT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  book: {},
  "batch book": { "each row has its own": ["--reference", "--return-of"] },
  "batch plan": { "each row has its own": ["--reference", "--return-of"] },
  "rate-shop": {
    "a rate request has no such field": [
      ...["--reference", "--instructions", "--packaging", "--payer", "--ready", "--close"],
      ...OF_ORDER,
    ],
    "it takes places: --from and --to": ["--sender", "--collection", "--receiver"],
  },
  "pickup book": {
    "a pickup has no such field": [
      ...["--reference", "--instructions", "--packaging", "--payer", "--sender", "--dangerous-goods"],
      ...[...OF_PLACES, ...OF_ORDER],
    ],
  },
}

describe.each(Object.entries(WITHOUT))("freight %s", (command, without) => {
  it("has a flag for every field of an order that it can use", async () => {
    const help = await made.freight([...command.split(" "), "--help", "--json"])
    const { flags } = help.json<{ flags: { name: string }[] }>()
    const names = flags.map(({ name }) => name)
    const lacking = FLAG_FIELDS.map(({ flag }) => toFlagName(flag.name)).filter(
      (name) => !names.includes(name),
    )
    expect(lacking.sort()).toEqual(Object.values(without).flat().sort())
  })
})

describe("a place that is a home", () => {
  const HOME = ["--to-residential"]
  const { serviceCode: _, ...open } = ownBooking()

  async function priceOf(request: object, ...flags: string[]): Promise<string | undefined> {
    const file = path.join(made.folder, "home.json")
    await writeFile(file, JSON.stringify(request))
    const ran = await made.freight(["book", "--file", file, "--service", "cheapest", "--dry-run", ...flags])
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).not.toContain("residential")
    return /Price: AUD ([\d.]+)/.exec(ran.stderr)?.[1]
  }

  it("is priced as one by a flag, and by a booking file, which is sent without that", async () => {
    const business = await priceOf(open)
    const home = await priceOf(open, ...HOME)
    expect(Number(home)).toBeGreaterThan(Number(business))
    const ofFile = { ...open, receiver: { ...open.receiver, residential: true } }
    expect(await priceOf(ofFile)).toBe(home)
    expect(Number(await priceOf(ofFile, "--from-residential"))).toBeGreaterThan(Number(home))
  })

  it("is refused in a file where it is neither true nor false", async () => {
    const file = path.join(made.folder, "odd.json")
    await writeFile(file, JSON.stringify({ ...open, receiver: { ...open.receiver, residential: "yes" } }))
    const { code, stderr } = await made.freight([
      "book",
      "--file",
      file,
      "--service",
      "cheapest",
      "--dry-run",
    ])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('receiver.residential is true or false, not "yes"'),
    ])
  })

  it("is that of every row of a batch which does not say otherwise", async () => {
    const rows = [order("H-1"), order("H-2", { "receiver.residential": "no" })]
    await saveOrders(made.folder, rows)
    const price = async (...flags: string[]) => {
      const words = ["batch", "book", "orders.csv", "--service", "cheapest", "--dry-run", "--json", ...flags]
      const ran = await made.freight(words, { cwd: made.folder })
      expect(ran.code, ran.stderr).toBe(0)
      return ran.items<{ price: number }>().map((row) => row.price)
    }
    const [first = 0, second = 0] = await price()
    const [home = 0, business = 0] = await price(...HOME)
    expect([first, business]).toEqual([second, second])
    expect(home).toBeGreaterThan(first)
  })

  it("must agree with the rate that is booked", async () => {
    const places = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"]
    const shopped = await made.freight(["rate-shop", ...places, "--package", "2x40x30x20@5.5"])
    expect(shopped.code, shopped.stderr).toBe(0)
    const file = path.join(made.folder, "home.json")
    await writeFile(file, JSON.stringify(open))
    const ran = await made.freight(["book", "--file", file, "--rate", "1", "--dry-run", "--json", ...HOME])
    expect([ran.code, errorOf(ran).message]).toEqual([
      2,
      expect.stringContaining("was quoted for a business as the place of the receiver"),
    ])
  })
})

it("a flag gives one receiver to all rows of a batch without one", async () => {
  const row = Object.fromEntries(
    Object.entries(order("R-1")).filter(([name]) => !name.startsWith("receiver.")),
  )
  await saveOrders(made.folder, [row])
  const receiver = "Port Street Fittings, 8 Market Street, Fremantle WA 6160, 08 5550 4321"
  const words = ["batch", "book", "orders.csv", "--receiver", receiver, "--json"]
  const ran = await made.freight(words, { cwd: made.folder })
  expect([ran.code, ran.json<{ booked: number }>().booked]).toEqual([0, 1])
  const shown = await made.freight(["shipments", "show", "R-1", "--json"])
  expect(shown.json<{ shipment: { receiver: object } }>().shipment.receiver).toMatchObject({
    companyName: "Port Street Fittings",
  })
})

/** A value for the flag of each field. */
const VALUES: Readonly<Record<string, string | true>> = {
  sender: "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015, 02 5550 1234",
  collection: "Harbour Store, 2 Bourke Road, Alexandria NSW 2015, 02 5550 1235",
  receiver: "Port Street Fittings, 8 Market Street, Fremantle WA 6160, 08 5550 4321",
  ...Object.fromEntries(
    OWN_FIELDS.filter(({ path }) => path !== "returnOf").map(({ path, flag }) => [
      path,
      flag.kind === "yesNo" ? true : "Sales",
    ]),
  ),
  packages: "3x40x30x20@5.5",
  packagingCode: "CT",
  serviceCode: "GEN",
  collectionDateTime: `${ORDER_DAY}T10:00`,
  collectionCloseTime: "17:00",
  payer: "sender",
  specialInstructions: "Ring twice",
  dangerousGoods: true,
}

it("a flag makes the same request with book, a plan and a batch, whichever field it gives", async () => {
  const flags = FLAG_FIELDS.flatMap(({ path: field, flag }) => {
    const value = VALUES[field]
    // Neither is of all rows.
    expect(["customerReference", "returnOf"].includes(field) || value !== undefined, field).toBe(true)
    return value === undefined ? [] : [toFlagName(flag.name), ...(value === true ? [] : [value])]
  })
  const goods = {
    ...{ unNumber: "1263", hazClass: "3", packageType: "Fibreboard box", quantity: 2, aggregateQuantity: 10 },
    ...{ shippingName: "PAINT", contactName: "Dana Lee", contactPhone: "0255501000" },
  }
  const details = ["--set", `dangerousGoodsDetails=${JSON.stringify(goods)}`]
  const both = [...flags, "--connector", "connector-b", ...details]
  await saveOrders(made.folder, [{ reference: "ALL-1" }])
  const asked = await made.freight(["book", ...both, "--reference", "ALL-1", "--dry-run", "--no-rate"])
  expect(asked.code, asked.stderr).toBe(0)
  const planned = await made.freight(["batch", "plan", "orders.csv", ...both, "-o", "-"], {
    cwd: made.folder,
  })
  expect(planned.code, planned.stderr).toBe(0)
  const [row] = planned.json<{ rows: { request: object; residential: object }[] }>().rows
  const { rateId: _, quoteId: __, ...request } = Object(row?.request)
  expect(row?.residential).toEqual({ collection: true, receiver: true })
  expect(request).toMatchObject(asked.json<object>())
  const ran = await made.freight(["batch", "book", "orders.csv", ...both, "--no-rate"], { cwd: made.folder })
  expect(ran.code, ran.stderr).toBe(0)
  const { shipments } = (await sandbox.control("books")) as {
    shipments: { request: { customerReference: string } }[]
  }
  const sent = shipments.find((each) => each.request.customerReference === "ALL-1")
  expect(sent?.request).toEqual(asked.json())
})
