/** A pickup cannot be cancelled: before any, on every path, freight asks whether the shipment has one. */
import { describe, expect, it } from "vitest"
import type { Settled } from "../../src/ledger/reconcile.ts"
import { altered } from "./altered.ts"
import { errorOf, fresh, orderDesk } from "./batches.ts"
import { booked, bookingDesk } from "./bookings.ts"
import { desk, type Ran } from "./freight.ts"
import { order } from "./orders.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"
import { pickupsAt } from "./pickups.ts"
import type { RunningSandbox, SandboxReach } from "./sandbox.ts"

const shared = await fileSandbox()

const REPLY_LOST = "drop-after-commit:x1@POST/shipments"

/** Books with the reply lost, and reconciles. */
async function reconciledDesk(sandbox: RunningSandbox, trigger: string) {
  const made = await bookingDesk(sandbox)
  await sandbox.control("faults", { fault: REPLY_LOST })
  const line = ["--key", fresh(), "--instructions", trigger, "--pickup"]
  expect((await made.book(...line)).code).toBe(7)
  const reconciled = await made.freight(["reconcile", "--json"])
  expect(reconciled.code).toBe(0)
  return { ...made, line, reconciled, shipmentId: reconciled.items<Settled>()[0]?.matches[0] ?? "" }
}

const pickupsIn = ({ json }: Ran) => json<{ pickupStatus?: string }>().pickupStatus

describe("a booking whose reply was lost, on a connector that books pickups itself", () => {
  it("is settled with its pickup, which is not booked again", async () => {
    const sandbox = await ownSandbox()
    const { book, line, freight, shipmentId } = await reconciledDesk(sandbox, "sandbox:auto-pickup-booked")
    const again = await book(...line)
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Pickup booked before")])
    expect(pickupsIn(again)).toBe("BOOKED")
    expect((await freight(["pickup", "book", "--shipment", shipmentId])).code).toBe(1)
    expect(await pickupsAt(sandbox)).toBe(1)
  })

  it("is not collected again by its batch either", async () => {
    const sandbox = await ownSandbox()
    const row = order(fresh(), { specialInstructions: "sandbox:auto-pickup-booked" })
    const { book } = await orderDesk([row], sandbox)
    await sandbox.control("faults", { fault: REPLY_LOST })
    expect((await book("--pickup")).code).toBe(7)
    expect((await book("--pickup")).code).toBe(0)
    expect(await pickupsAt(sandbox)).toBe(1)
  })

  it("may have had RECONCILE_NEEDED in the reply: a warning, and no pickup without --again", async () => {
    const sandbox = await ownSandbox()
    const trigger = "sandbox:auto-pickup-unrecorded"
    const { book, line, freight, reconciled, shipmentId } = await reconciledDesk(sandbox, trigger)
    expect(reconciled.stderr).toContain("a pickup may exist")
    const again = await book(...line)
    expect(again.code).toBe(8)
    expect(errorOf(again).errors?.[0]?.message).toContain("cannot be known")
    expect(errorOf(again).next).toBe(`freight shipments show ${shipmentId}`)
    const alone = ["pickup", "book", "--shipment", shipmentId, "--json"]
    const refused = await freight(alone)
    expect(refused.code).toBe(1)
    expect(errorOf(refused).message).toContain("cannot be known")
    expect(await pickupsAt(sandbox)).toBe(1)
    expect((await freight([...alone, "--again"])).code).toBe(0)
    expect(await pickupsAt(sandbox)).toBe(2)
  })

  it("is left out by its batch, which says so and exits 8", async () => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk(
      [order(fresh(), { specialInstructions: "sandbox:auto-pickup-unrecorded" })],
      sandbox,
    )
    await sandbox.control("faults", { fault: REPLY_LOST })
    await book("--pickup")
    const ran = await book("--pickup")
    expect(ran.code).toBe(8)
    expect(errorOf(ran).errors?.[0]?.message).toContain("cannot be known")
    expect(await pickupsAt(sandbox)).toBe(1)
  })
})

describe("a pickup that was booked by the command that is advised", () => {
  it.each([[[]], [["--key", "MY"]]])("is not booked again by the first line: %j", async (key) => {
    const sandbox = await ownSandbox()
    const { book, freight } = await bookingDesk(sandbox)
    await sandbox.control("faults", { fault: "429:x9@POST/pickups" })
    const line = ["--key", fresh(), "--pickup"]
    const first = await book(...line, "--timeout", "20")
    expect(first.code).toBe(8)
    const { next = "" } = errorOf(first)
    expect(next).toMatch(/^freight pickup book /)
    await sandbox.control("faults", undefined, "DELETE")
    expect((await freight([...next.split(" ").slice(1), ...key])).code).toBe(0)
    const again = await book(...line)
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("booked before")])
    expect(await pickupsAt(sandbox)).toBe(1)
  })

  it("is not booked again a month later", async () => {
    const sandbox = await ownSandbox()
    const { freight } = await desk(sandbox)
    const { shipmentId } = await booked(sandbox, "connector-a")
    const line = ["pickup", "book", "--shipment", shipmentId]
    expect((await freight([...line, "--key", "A"])).code).toBe(0)
    expect((await freight([...line, "--key", "B"])).code).toBe(1)
    expect(await pickupsAt(sandbox)).toBe(1)
  })
})

describe("a common pickup of a batch", () => {
  const rows = () => {
    const prefix = fresh()
    return [order(`${prefix}-1`), order(`${prefix}-2`)]
  }

  it("is each of its shipments' pickup", async () => {
    const sandbox = await ownSandbox()
    const { book, results, freight } = await orderDesk(rows(), sandbox)
    expect((await book("--pickup")).code).toBe(0)
    const shipment = (await results())[0]?.["freight.shipment"] ?? ""
    for (const key of [[], ["--key", "MY"]]) {
      const refused = await freight(["pickup", "book", "--shipment", shipment, ...key, "--json"])
      expect(refused.code).toBe(1)
      expect(errorOf(refused).message).toMatch(/has a pickup already.*PU-/)
    }
    const raw = ["pickupDate=2030-11-25", "readyTime=10:00", "closeTime=17:00"]
    const sets = [`shipmentId=${shipment}`, ...raw].flatMap((each) => ["--set", each])
    expect((await freight(["api", "POST", "connector-b/pickups", ...sets])).code).toBe(1)
    expect(await pickupsAt(sandbox)).toBe(1)
    expect((await freight(["pickup", "book", "--shipment", shipment, "--again"])).code).toBe(0)
    expect(await pickupsAt(sandbox)).toBe(2)
  })

  it("is reported again by a second run", async () => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk(rows(), sandbox)
    await book("--pickup")
    const again = await book("--pickup")
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("booked before, PU-")])
    expect(await pickupsAt(sandbox)).toBe(1)
  })

  it("leaves out what was collected by hand before, under a key of its own", async () => {
    const sandbox = await ownSandbox()
    const { book, results, freight } = await orderDesk(rows(), sandbox)
    await book()
    for (const row of await results()) {
      const shipment = row["freight.shipment"] ?? ""
      const key = `MY ${shipment}`
      expect((await freight(["pickup", "book", "--shipment", shipment, "--key", key, "--again"])).code).toBe(
        0,
      )
    }
    const ran = await book("--pickup")
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("2 shipments have a pickup already")])
    expect(await pickupsAt(sandbox)).toBe(2)
  })

  it("leaves out what somebody else had collected", async () => {
    const sandbox = await ownSandbox()
    const { book, results } = await orderDesk(rows(), sandbox)
    await book()
    const other = await desk(sandbox)
    for (const row of await results())
      await other.freight(["pickup", "book", "--shipment", row["freight.shipment"] ?? ""])
    expect((await book("--pickup")).code).toBe(0)
    expect(await pickupsAt(sandbox)).toBe(2)
  })
})

describe("a booking's reply without pickupStatus", () => {
  const silent = (sandbox: SandboxReach, pickupStatus?: unknown) =>
    altered(sandbox, (reply) => {
      if (reply.method === "POST" && reply.path.endsWith("/shipments"))
        reply.change((booking) => ({ ...booking, pickupStatus }))
    })

  it("says nothing: a pickup that the shipment shows is not booked again", async () => {
    const sandbox = await ownSandbox()
    const { book } = await bookingDesk(await silent(sandbox))
    const ran = await book("--pickup", "--instructions", "sandbox:auto-pickup-booked")
    expect(ran.code).toBe(0)
    expect(await pickupsAt(sandbox)).toBe(1)
    expect(await requestsTo(sandbox, "POST /{connectorId}/pickups")).toBe(0)
  })

  it.each([
    undefined,
    null,
    "PENDING",
  ])("(%s) books no pickup by itself, as the carrier may have one: exit 8, and the booking stands", async (pickupStatus) => {
    const sandbox = await ownSandbox()
    const { book } = await bookingDesk(await silent(sandbox, pickupStatus))
    const ran = await book("--pickup")
    expect(ran.code).toBe(8)
    expect(errorOf(ran).errors?.[0]?.message).toContain("cannot be known")
    expect(await pickupsAt(sandbox)).toBe(0)
  })

  it("books no pickup without --again where the shipment does not say it either", async () => {
    const sandbox = await ownSandbox()
    const silent = await altered(sandbox, (reply) => {
      if (!reply.headers["content-type"]?.startsWith("application/json")) return
      reply.change((value) => {
        const { pickupStatus: _, shipment, ...others } = value
        if (typeof shipment !== "object") return others
        return { ...others, shipment: { ...shipment, pickupStatus: undefined } }
      })
    })
    const { book } = await bookingDesk(silent)
    const ran = await book("--pickup")
    expect(ran.code).toBe(8)
    expect(errorOf(ran).errors?.[0]?.message).toContain("cannot be known")
    expect(await pickupsAt(sandbox)).toBe(0)
  })
})

it("a shipment that cannot be read is not collected, and can be later", async () => {
  const { book, freight } = await bookingDesk(shared)
  const before = await pickupsAt(shared)
  await shared.control("faults", { fault: "500@GET/shipments/" })
  const ran = await book("--without-looking", "--key", fresh(), "--pickup", "--timeout", "20")
  expect(ran.code).toBe(8)
  const { next = "" } = errorOf(ran)
  await shared.control("faults", undefined, "DELETE")
  expect(await pickupsAt(shared)).toBe(before)
  expect((await freight(next.split(" ").slice(1))).code).toBe(0)
  expect(await pickupsAt(shared)).toBe(before + 1)
})
