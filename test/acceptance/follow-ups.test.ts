import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import { bookingDesk } from "./bookings.ts"
import { ENTER, LEAVE, type Line, scripted } from "../orders/wizard/scripted.ts"
import { fileSandbox } from "./own-sandbox.ts"

interface Books {
  shipments: unknown[]
  pickups: { shipmentId: string | null }[]
  printJobs: unknown[]
}

const sandbox = await fileSandbox()

const books = async () => (await sandbox.control("books")) as Books
const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error

describe("after a booking", () => {
  it("the label is saved and printed and the pickup booked, and running it again repeats none of them", async () => {
    const { book, folder } = await bookingDesk(sandbox)
    const before = await books()
    const line = ["--key", "all-1", "--wait", "--label", "l.pdf", "--print", "device-bench", "--pickup"]
    const first = await book(...line)
    expect(first.code).toBe(0)
    expect(first.json<BookingResponse>().consignmentNumber).toMatch(/^SBC/)
    expect((await readFile(path.join(folder, "l.pdf"))).subarray(0, 5).toString()).toBe("%PDF-")
    const second = await book(...line)
    expect(second.code).toBe(0)
    const after = await books()
    expect(after.shipments.length - before.shipments.length).toBe(1)
    expect(after.printJobs.length - before.printJobs.length).toBe(1)
    expect(after.pickups.length - before.pickups.length).toBe(1)
  })

  it("a step that fails leaves the booking standing: exit 8, the booking printed, the command for that step", async () => {
    const { book } = await bookingDesk(sandbox)
    await sandbox.control("faults", { fault: "500@GET/label" })
    const { code, stderr, json } = await book(
      "--key",
      "step-1",
      "--print",
      "device-bench",
      "--label",
      "l.pdf",
    )
    await sandbox.control("faults", undefined, "DELETE")
    expect(code).toBe(8)
    const { shipmentId } = json<BookingResponse>()
    expect(errorOf(stderr)).toMatchObject({
      kind: "stepFailed",
      retry: "never",
      next: `freight label ${shipmentId} -o l.pdf`,
    })
  })

  it.each([
    ["a device that there is not", ["--print", "nosuch"], 5, 'there is no print device "nosuch"'],
    ["several devices and none chosen", ["--print"], 2, "there are several print devices"],
    ["a label under a file", ["--label", "booking.json/l.pdf"], 2, "cannot write booking.json/l.pdf"],
    ["a label that is a folder", ["--label", "folder.pdf"], 2, "cannot write folder.pdf"],
  ])("%s ends it before anything is booked", async (_, flags, expected, message) => {
    const { book, folder } = await bookingDesk(sandbox)
    await mkdir(path.join(folder, "folder.pdf"))
    const before = await books()
    const { code, stderr } = await book(...flags)
    expect([code, errorOf(stderr).message]).toEqual([expected, expect.stringContaining(message)])
    expect((await books()).shipments).toHaveLength(before.shipments.length)
  })

  it("a list of devices that does not come ends a script before anything is booked: safe to run again", async () => {
    const { book } = await bookingDesk(sandbox)
    const before = await books()
    await sandbox.control("faults", { fault: "503@GET/print-devices" })
    const { code, stderr } = await book("--print", "device-bench")
    await sandbox.control("faults", undefined, "DELETE")
    expect([code, errorOf(stderr).retry]).toEqual([6, "safe"])
    expect((await books()).shipments).toHaveLength(before.shipments.length)
  })

  describe("at a terminal", () => {
    const UNCHECKED = "The print device cannot be checked. Go on, and print the label later if need be?"

    /** Runs a command with one answer. @returns also how many shipments it made */
    async function answered(line: readonly string[], lines: readonly Line[]) {
      const made = await bookingDesk(sandbox)
      const before = await books()
      const conversation = scripted(lines)
      const { code, stderr } = await made.freight(line, {
        columns: 80,
        host: { converse: async () => conversation },
      })
      return {
        code,
        stderr,
        left: conversation.left,
        more: (await books()).shipments.length - before.shipments.length,
      }
    }

    it.each<[reply: Line[1], code: number, more: number]>([
      [ENTER, 6, 0],
      [true, 0, 1],
    ])("the person is asked where the list of devices does not come: %j", async (given, code, more) => {
      await sandbox.control("faults", { fault: "503:x9@GET/print-devices" })
      const line = [
        "book",
        "--file",
        "booking.json",
        "--yes",
        "--key",
        `asked-${code}`,
        "--print",
        "device-bench",
      ]
      const ran = await answered(line, [[UNCHECKED, given]])
      await sandbox.control("faults", undefined, "DELETE")
      expect(ran, ran.stderr).toMatchObject({ code, more, left: [] })
    })

    it.each([
      ["before the booking", ["--file", "booking.json", "--yes"]],
      ["before the wizard's first question", []],
    ])("a device that there is not is asked about %s", async (_, words) => {
      const line = ["book", ...words, "--print", "nosuch"]
      const ran = await answered(line, [["Print on which device instead?", LEAVE]])
      expect(ran, ran.stderr).toMatchObject({ code: 130, more: 0, left: [] })
    })

    it("prints on the device that the person chooses instead", async () => {
      const jobs = (await books()).printJobs.length
      const line = [
        "book",
        "--file",
        "booking.json",
        "--yes",
        "--key",
        "instead-1",
        "--wait",
        "--print",
        "nosuch",
      ]
      const ran = await answered(line, [["Print on which device instead?", "device-bench"]])
      expect(ran, ran.stderr).toMatchObject({ code: 0, more: 1, left: [] })
      expect((await books()).printJobs).toHaveLength(jobs + 1)
    })
  })

  it("a pickup that was made and lost on the way is told by its reference, and is not advised to be booked again", async () => {
    const { book } = await bookingDesk(sandbox)
    const { code, stderr } = await book("--key", "lost-2", "--pickup", "--instructions", "sandbox:pickup-500")
    expect(code).toBe(8)
    const { message, next, errors } = errorOf(stderr)
    expect(message).toContain("is booked")
    expect(errors[0].message).toMatch(/PU-C-\d+/)
    expect(next).toBe("freight history --kind pickup")
  })

  it("a label is named after the reference when no file is given, and after its consignment without one", async () => {
    const { book, folder, freight } = await bookingDesk(sandbox)
    const { shipmentId } = (await book("--key", "named-1", "--label")).json<BookingResponse>()
    const plain = JSON.parse(await readFile(path.join(folder, "booking.json"), "utf8"))
    expect(await readdir(folder)).toContain(`${plain.customerReference}.pdf`)
    delete plain.customerReference
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(plain))
    const other = (await book("--key", "named-2", "--label")).json<
      BookingResponse & { freight: { labelFile: string } }
    >()
    expect(other.shipmentId).not.toBe(shipmentId)
    const { shipment } = (await freight(["shipments", "show", other.shipmentId, "--json"])).json<{
      shipment: { consignmentNumber: string }
    }>()
    expect(other.freight.labelFile).toBe(`${shipment.consignmentNumber}.pdf`)
    expect(await readdir(folder)).toContain(`${shipment.consignmentNumber}.pdf`)
  })

  it("a pickup that the carrier has and the service lost is remembered: none is booked for that shipment", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    const booked = await book("--key", "lost-1", "--instructions", "sandbox:auto-pickup-unrecorded")
    expect(booked.code).toBe(0)
    const { shipmentId, pickupStatus } = booked.json<BookingResponse>()
    expect(pickupStatus).toBe("RECONCILE_NEEDED")
    const { pickups } = await books()
    const pickup = await freight(["pickup", "book", "--shipment", shipmentId, "--json"])
    expect(pickup.code).toBe(1)
    expect(errorOf(pickup.stderr).message).toContain("the carrier already has this pickup")
    expect((await books()).pickups).toEqual(pickups)
  })
})
