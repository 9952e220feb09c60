/** Whatever a person calls a shipment or a pickup: each command takes it, and says what it took. */
import { readdir } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { booked, bookingDesk } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"
import type { RunningSandbox } from "./sandbox.ts"

/** The example, on carrier A. */
const A = ["--connector", "connector-a", "--set", "serviceCode=76"]

type Desk = Awaited<ReturnType<typeof bookingDesk>>
interface Booked {
  shipmentId: string
  consignmentNumber: string
  orderNumber: string
}

const sandbox = await fileSandbox()
/** Where `mine` was booked, with the reference SO-17 and the key first-order. */
let home: Desk
let mine: Booked
/** Booked elsewhere: no ledger of the desk knows it. */
let theirs: Booked
beforeAll(async () => {
  home = await bookingDesk(sandbox)
  mine = (await home.book(...A, "--key", "first-order", "--set", "customerReference=SO-17")).json<
    Booked & Record<string, unknown>
  >()
  theirs = (await booked(sandbox, "connector-a")) as Booked
})

const NAMES = {
  "its id": ({ shipmentId }: Booked) => shipmentId,
  "its consignment number": ({ consignmentNumber }: Booked) => consignmentNumber,
  "its order number": ({ orderNumber }: Booked) => orderNumber,
  "the beginning of its id": ({ shipmentId }: Booked) => shipmentId.slice(0, 8),
}
const OWN_NAMES = { ...NAMES, "its reference": () => "SO-17", "its key": () => "first-order" }

const COMMANDS: Record<string, (name: string) => string[]> = {
  track: (name) => ["track", name],
  label: (name) => ["label", name, "-o", "-"],
  "print label": (name) => ["print", "label", name, "--device", "device-bench", "--again"],
  "shipments show": (name) => ["shipments", "show", name],
  "pickup book": (name) => ["pickup", "book", "--shipment", name, "--again", "--dry-run"],
  manifest: (name) => ["manifest", name],
}

describe.each(Object.entries(COMMANDS))("%s", (_, command) => {
  it.each(Object.entries(OWN_NAMES))("takes %s of what was booked here", async (_, nameOf) => {
    const name = nameOf(mine)
    const { code, stderr } = await home.freight(command(name))
    expect([code, stderr]).toEqual([0, expect.anything()])
    const isPlain = name === mine.shipmentId || name === mine.consignmentNumber
    if (!isPlain)
      expect(stderr).toContain(
        `${name} is shipment ${mine.shipmentId.slice(0, 8)}, ${mine.consignmentNumber}.`,
      )
  })

  it.each(Object.entries(NAMES))("takes %s of what was booked elsewhere", async (_, nameOf) => {
    const { code, stderr } = await home.freight(command(nameOf(theirs)))
    expect([code, stderr]).toEqual([0, expect.anything()])
  })

  it("says that nothing is called so, and what may have been meant", async () => {
    const { freight } = await desk(sandbox)
    const near = `${theirs.consignmentNumber.slice(0, -1)}X`
    const { code, stdout, stderr } = await freight(command(near))
    expect([code, stdout.trim()]).toEqual([5, expect.stringMatching(/^$/)])
    expect(stderr).toMatch(/there is no (shipment|consignment or shipment) "/)
    expect(stderr).toContain("did you mean ")
  })
})

describe("a full id", () => {
  it.each([
    ["track", "GET /track", (one: Booked) => ["track", one.consignmentNumber]],
    ["label", "GET /shipments/{id}/label", (one: Booked) => ["label", one.shipmentId, "-o", "-"]],
    ["shipments show", "GET /shipments/{id}", (one: Booked) => ["shipments", "show", one.shipmentId]],
  ])("costs %s one request, wherever it was booked", async (_, endpoint, command) => {
    const own = await ownSandbox()
    const one = (await booked(own, "connector-a")) as Booked
    const { freight } = await desk(own)
    const { code, stderr } = await freight([...command(one), "--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(await requestsTo(own, endpoint)).toBe(1)
    expect(await requestsTo(own, "GET /shipments")).toBe(0)
  })
})

describe("a name that fits several", () => {
  const requestsOf = async (own: RunningSandbox) =>
    ((await own.control("books?only=counts")) as { requests: unknown }).requests
  async function twice() {
    const own = await ownSandbox()
    const made = await bookingDesk(own)
    for (const key of ["one", "two"])
      await made.book(...A, "--key", key, "--set", "customerReference=SO-18", "--again")
    const before = await requestsOf(own)
    return { own, ...made, before }
  }

  it("is refused with a list of them, and nothing is asked or sent", async () => {
    const { own, freight, folder, before } = await twice()
    for (const command of Object.values(COMMANDS)) {
      const { code, stdout, stderr } = await freight([...command("SO-18"), "--json"])
      expect([code, stdout]).toEqual([2, ""])
      const error = errorIn(stderr)
      expect(error).toMatchObject({ kind: "input", message: '"SO-18" matches 2 shipments: name one of them' })
      expect(error.errors).toHaveLength(2)
      expect(error.errors[0].message).toMatch(/^shipment [0-9a-f]{8}, SBA\w+, .*SO-18, two, /)
    }
    expect(await requestsOf(own)).toEqual(before)
    expect(await readdir(folder)).toEqual(expect.arrayContaining(["booking.json"]))
  })
})

it("a beginning that is the whole name of another never takes that other's place", async () => {
  const own = await ownSandbox()
  const made = await bookingDesk(own)
  await made.book(...A, "--key", "SHOP-10012")
  const { code, stderr } = await made.freight(["shipments", "show", "SHOP-1001"])
  expect([code, stderr]).toEqual([0, expect.stringContaining("SHOP-1001 is shipment ")])
  await own.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
  await made.book(...A, "--key", "SHOP-1001", "--set", "customerReference=other")
  const lost = await made.freight(["shipments", "show", "SHOP-1001", "--json"])
  expect(lost.code).toBe(5)
  expect(errorIn(lost.stderr)).toMatchObject({ kind: "notFound", next: "freight reconcile" })
})

describe("a pickup", () => {
  it("is shown by its id, the carrier's number, its key, and any name of its shipment", async () => {
    const own = await ownSandbox()
    const made = await bookingDesk(own)
    const book = await made.book(
      "--connector",
      "connector-b",
      "--set",
      "serviceCode=GEN",
      "--key",
      "first-order",
      "--pickup",
    )
    const { freight, consignmentNumber, shipmentId } = book.json<
      Booked & { freight: { pickupId: string; pickupReference: string } }
    >()
    const { pickupId, pickupReference } = freight
    for (const name of [
      pickupId,
      pickupReference,
      "first-order pickup",
      "first-order",
      consignmentNumber,
      shipmentId,
    ]) {
      const { code, json } = await made.freight(["pickup", "show", name, "--json"])
      expect([name, code]).toEqual([name, 0])
      expect(json<{ pickup: { pickupId: string } }>().pickup.pickupId).toBe(pickupId)
    }
    const none = await made.freight(["pickup", "show", "no-such-pickup", "--json"])
    expect([none.code, errorIn(none.stderr).message]).toEqual([5, 'there is no pickup "no-such-pickup"'])
    const without = await made.book(...A, "--again", "--key", "second-order")
    const { consignmentNumber: other } = without.json<Booked>()
    const bare = await made.freight(["pickup", "show", other])
    expect([bare.code, bare.stderr]).toEqual([5, expect.stringContaining("every name of the shipment")])
  })
})

describe("a list on standard input", () => {
  it("may mix names, and fetches a shipment that is named twice once", async () => {
    const input = `SO-17\n${mine.shipmentId}\n${theirs.consignmentNumber}\n`
    const { code, json } = await home.freight(["label", "-", "--dir", "mixed", "--json"], { input })
    expect(code).toBe(0)
    expect((await readdir(path.join(home.folder, "mixed"))).sort()).toEqual(["PO-1001.pdf", "SO-17.pdf"])
    expect(json<{ items: { shipmentId: string }[] }>().items.map(({ shipmentId }) => shipmentId)).toEqual([
      mine.shipmentId,
      theirs.shipmentId,
    ])
  })
})

it("pickup show takes the shipment's number that came after the booking, which the ledger does not know", async () => {
  const { freight } = await desk()
  const sandboxed = (...args: string[]) => freight([...args, "--sandbox"])
  const example = (await sandboxed("book", "--example")).stdout
  const made = await freight(["book", "--sandbox", "--file", "-", "--ready", "2031-02-28T10:00", "--json"], {
    input: example,
  })
  const { shipmentId } = made.json<Booked>()
  expect((await sandboxed("pickup", "book", "--shipment", shipmentId)).code).toBe(0)
  expect((await sandboxed("label", shipmentId, "-o", "l.pdf")).code).toBe(0)
  const shown = await sandboxed("shipments", "show", shipmentId, "--json")
  const { consignmentNumber } = shown.json<{ shipment: Booked }>().shipment
  const [, booking] = (await sandboxed("history", "--json")).items<Booked>()
  expect(booking?.consignmentNumber).not.toBe(consignmentNumber)
  const found = await sandboxed("pickup", "show", consignmentNumber)
  expect([found.code, found.stderr]).toEqual([0, expect.stringContaining(`${consignmentNumber} is pickup`)])
})
