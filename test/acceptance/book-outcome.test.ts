/** The result that `freight book` prints: the API's current fields, and freight's own beside them. */
import { describe, expect, it } from "vitest"
import type { BookingOutcome } from "../../src/orders/booking/outcome.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import { fresh } from "./batches.ts"
import { bookingDesk } from "./bookings.ts"
import { fileSandbox, ownSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

describe("book --json", () => {
  it("has the reply's fields, and under freight what the reply does not hold", async () => {
    const { book } = await bookingDesk(sandbox)
    const key = fresh()
    const made = (await book("--key", key, "--reference", "PO-5")).json<BookingOutcome>()
    expect(made).toMatchObject({ pickupStatus: "NOT_BOOKED", orderNumber: expect.any(String) })
    expect(made.freight).toEqual({
      key,
      reference: "PO-5",
      price: expect.any(Number),
      currency: "AUD",
      labelFile: null,
      pickupId: null,
      pickupReference: null,
      why: null,
    })
  })

  it("after --label --pickup says BOOKED, and names the label, the pickup and its reference", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    const line = ["--key", fresh(), "--label", "l.pdf", "--pickup"]
    const made = (await book(...line)).json<BookingOutcome>()
    expect(made.pickupStatus).toBe("BOOKED")
    expect(made.freight).toMatchObject({
      labelFile: "l.pdf",
      pickupId: expect.any(String),
      pickupReference: expect.stringMatching(/^PU-/),
    })
    const again = (await book(...line)).json<BookingOutcome>()
    expect(again).toEqual(made)
    const { pickupId, pickupReference } = made.freight
    for (const id of [pickupId, pickupReference, made.shipmentId]) {
      const shown = await freight(["pickup", "show", id ?? "", "--json"])
      expect(shown.json()).toMatchObject({ pickup: { pickupId, orderNumber: pickupReference } })
    }
    expect((await freight(["pickup", "show", "PU-NONE"])).code).toBe(5)
  })

  it("has the consignment number that came later, and the history has it too", async () => {
    const own = await ownSandbox()
    const { book, freight } = await bookingDesk(own)
    const line = ["--connector", "connector-c", "--service", "STD", "--key", fresh()]
    expect((await book(...line)).json<BookingOutcome>().consignmentNumber).toBeFalsy()
    await own.control("clock", { advanceMs: 3_600_000 })
    const { consignmentNumber } = (await book(...line)).json<BookingOutcome>()
    expect(consignmentNumber).toMatch(/^SBC/)
    const [row] = (await freight(["history", "--json"])).items<HistoryRow>()
    expect(row?.consignmentNumber).toBe(consignmentNumber)
  })

  it("keeps in the ledger the consignment number that it waited for", async () => {
    const { book, freight } = await bookingDesk(await ownSandbox())
    const line = ["--connector", "connector-c", "--service", "STD", "--key", fresh(), "--wait"]
    const { consignmentNumber } = (await book(...line)).json<BookingOutcome>()
    expect(consignmentNumber).toMatch(/^SBC/)
    const [row] = (await freight(["history", "--json"])).items<HistoryRow>()
    expect(row?.consignmentNumber).toBe(consignmentNumber)
  })

  it("keeps RECONCILE_NEEDED, which no later look says, and the warnings", async () => {
    const { book } = await bookingDesk(sandbox)
    const line = ["--key", fresh(), "--instructions", "sandbox:auto-pickup-unrecorded"]
    for (const _ of [1, 2]) {
      const made = (await book(...line)).json<BookingOutcome & { warnings: string[] }>()
      expect(made.pickupStatus).toBe("RECONCILE_NEEDED")
      expect(made.warnings).toContainEqual(expect.stringContaining("do not book another"))
    }
  })

  it("is printed when the shipment cannot be read again", async () => {
    const { book } = await bookingDesk(sandbox)
    await sandbox.control("faults", { fault: "500@GET/shipments/" })
    const ran = await book("--key", fresh(), "--wait", "1", "--without-looking")
    await sandbox.control("faults", undefined, "DELETE")
    expect(ran.json<BookingOutcome>().orderNumber).toEqual(expect.any(String))
    expect([0, 8]).toContain(ran.code)
  })

  it("gives the fields to --fields and CSV", async () => {
    const { freight } = await bookingDesk(sandbox)
    const words = ["book", "--file", "booking.json", "--key", "K-5", "--format", "csv"]
    const csv = await freight([...words, "--fields", "shipmentId,freight.key,freight.currency"])
    expect(csv.stdout).toMatch(/^shipmentId,freight\.key,freight\.currency\r?\n[\w-]+,K-5,AUD\r?\n$/)
  })
})
