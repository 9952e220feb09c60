import type { BookedPickup } from "../../src/contract/own-ids.ts"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { PickupBookingDetailResponse } from "../../src/contract/generated/types.ts"
import { booked, ownBooking } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { pickupsAt } from "./pickups.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { take } from "./wizard.ts"

const sandbox = await fileSandbox()

type Connector = Parameters<typeof booked>[1]

async function shipmentOn(connector: Connector, customerReference = "PO 7"): Promise<string> {
  return (await booked(sandbox, connector, { customerReference })).shipmentId
}

const pickups = () => pickupsAt(sandbox)

describe("pickup book --shipment", () => {
  it("needs nothing but the shipment: its times are the booking's", async () => {
    const { freight } = await desk(sandbox)
    const shipmentId = await shipmentOn("connector-a")
    const { code, json, stderr } = await freight(["pickup", "book", "--shipment", shipmentId, "--json"])
    expect([code, stderr]).toEqual([0, expect.stringContaining("ready at 10:00, closing at 17:00")])
    const [made] = json<{ items: BookedPickup[] }>().items
    expect(made).toMatchObject({ status: "BOOKED", connectorId: "connector-a" })
    const shown = await freight(["pickup", "show", made?.pickupId ?? "", "--json"])
    expect(shown.json<PickupBookingDetailResponse>().pickup).toMatchObject({
      shipmentId,
      readyTime: "10:00",
      closeTime: "17:00",
    })
  })

  describe("that is over before the goods are ready", async () => {
    const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const changes = { customerReference: "PO 8", collectionDateTime: `${dayIn(10)}T10:00:00` }
    const { shipmentId } = await booked(sandbox, "connector-a", changes)
    const args = ["pickup", "book", shipmentId, "--date", dayIn(9), "--dry-run"]

    it("is refused, and taken with --allow-past", async () => {
      const { freight } = await desk(sandbox)
      const { code, stderr } = await freight(args)
      expect([code, stderr]).toEqual([2, expect.stringContaining("pickupDate is before the goods are ready")])
      const allowed = await freight([...args, "--allow-past"])
      expect([allowed.code, allowed.stderr]).toEqual([
        0,
        expect.stringContaining("warning: pickupDate is before"),
      ])
      expect((await freight(args.with(4, dayIn(10)))).code).toBe(0)
    })

    it.runIf(hasTerminal)("is asked about at a terminal", async () => {
      const { env } = await desk(sandbox)
      const seat = await sitDown(
        ["pickup", "book", shipmentId, "--date", dayIn(9), "--ready", "10:00", "--close", "17:00"],
        env,
      )
      await take(seat, [["? Are the goods ready by then? (y/N)", "enter"]])
      expect(await seat.exit).toBe(2)
    })
  })

  describe("beside one of the same place, day and time", async () => {
    const [one, other] = [await shipmentOn("connector-a", "PO 9"), await shipmentOn("connector-a", "PO 10")]

    it("waits for that in a script, which --again books beside it", async () => {
      const { freight } = await desk(sandbox)
      const booking = { ...ownBooking(), serviceCode: "76" }
      for (const reference of ["PT-1", "PT-2"])
        await freight(["book", "--file", "-", "--connector", "connector-a"], {
          input: JSON.stringify({ ...booking, customerReference: reference }),
        })
      const first = await freight(["pickup", "book", "PT-1"])
      expect([first.code, first.stderr]).toEqual([0, expect.not.stringContaining("already")])
      const before = await pickups()
      // Whoever asks again is told the same.
      for (const line of [
        ["pickup", "book", "PT-2"],
        ["pickup", "book", "PT-2", "--key", "MY"],
        ["pickup", "book", "PT-2", "PT-1"],
      ])
        expect(await freight(line), line.join(" ")).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("BOOKED"),
          stderr: expect.stringMatching(
            /waits? for .*: call the carrier, then run freight pickup told \S+ --count 1 --who NAME/,
          ),
        })
      // A script that reads no warnings is told as well.
      const told = await freight(["pickup", "book", "PT-2", "--json"])
      expect(told.items()).toMatchObject([{ status: "BOOKED", waiting: ["PT-2"] }])
      expect(await pickups()).toBe(before)
      expect((await freight(["pickup", "book", "PT-2", "--again"])).code).toBe(0)
      expect(await pickups()).toBe(before + 1)
      const third = await freight(["pickup", "book", "PT-2"])
      expect(third.code).toBe(1)
      expect(third.stderr).toContain("has a pickup already")
    })

    it("waits for that where it follows a booking, or is of several", async () => {
      const { freight } = await desk(sandbox)
      const booking = { ...ownBooking(), serviceCode: "76" }
      const book = (customerReference: string, ...more: string[]) =>
        freight(["book", "--file", "-", "--connector", "connector-a", "--json", ...more], {
          input: JSON.stringify({ ...booking, customerReference }),
        })
      const before = await pickups()
      const first = await book("PT-3", "--pickup")
      expect(first.code, first.stderr).toBe(0)
      // The line is run once more.
      for (const _ of [1, 2]) {
        const second = await book("PT-4", "--key", "PT-4", "--pickup")
        expect(second.code, second.stderr).toBe(0)
        expect([second.code, second.json(), second.stderr]).toEqual([
          0,
          expect.objectContaining({ pickupStatus: "NOT_BOOKED" }),
          expect.stringContaining("freight pickup told"),
        ])
      }
      for (const reference of ["PT-5", "PT-6"]) await book(reference)
      const several = await freight(["pickup", "book", "PT-5", "PT-6"])
      expect([several.code, several.stderr]).toEqual([
        0,
        expect.stringMatching(/2 shipments, .* wait for the pickup .* --count 3 /),
      ])
      expect(await pickups()).toBe(before + 1)
    })

    it("is not taken for one of another time, for which nobody would come", async () => {
      const { freight } = await desk(sandbox)
      const booking = { ...ownBooking(), serviceCode: "76" }
      for (const reference of ["PT-7", "PT-8", "PT-9"])
        await freight(["book", "--file", "-", "--connector", "connector-a"], {
          input: JSON.stringify({ ...booking, customerReference: reference }),
        })
      const at11 = ["--ready", "11:00"]
      for (const reference of ["PT-7", "PT-8"])
        expect((await freight(["pickup", "book", reference, ...at11])).code).toBe(0)
      const before = await pickups()
      const other = await freight(["pickup", "book", "PT-8", "--ready", "12:00"])
      expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("has a pickup already")])
      // As they were booked, both are ready at 10:00.
      const several = await freight(["pickup", "book", "PT-8", "PT-9"])
      expect([several.code, several.stderr]).toEqual([
        0,
        expect.stringMatching(/1 shipment has a pickup already[\s\S]*1 shipment, \d+ packages?: booked/),
      ])
      expect(await pickups()).toBe(before + 1)
    })

    it.runIf(hasTerminal)("is asked about at a terminal", async () => {
      const { freight, env } = await desk(sandbox)
      const before = await pickups()
      expect((await freight(["pickup", "book", one])).code).toBe(0)
      const day = ownBooking().collectionDateTime.slice(0, 10)
      const times = ["--date", day, "--ready", "10:00", "--close", "17:00"]
      const seat = await sitDown(["pickup", "book", other, ...times], env)
      await take(seat, [["Book another one? (y/N)", "enter"]])
      expect(await seat.exit).toBe(2)
      expect(await pickups()).toBe(before + 1)
    })
  })

  it("takes a shipment by any name, as other commands do, and several: one pickup for a place and time", async () => {
    const { freight } = await desk(sandbox)
    const one = await shipmentOn("connector-a")
    expect((await freight(["pickup", "book", one, "--dry-run"])).json()).toMatchObject({ shipmentId: one })
    const example = ownBooking()
    const names = ["PB-1", "PB-2", "PB-3"]
    for (const customerReference of names)
      await freight(["book", "--file", "-", "--connector", "connector-a", "--service", "76"], {
        input: JSON.stringify({ ...example, serviceCode: undefined, customerReference }),
      })
    const before = await pickups()
    const dry = await freight(["pickup", "book", ...names, "--dry-run"])
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining("3 shipments at ")])
    const first = await freight(["pickup", "book", ...names, "--json"])
    expect([first.code, first.items()]).toEqual([0, [expect.objectContaining({ status: "BOOKED" })]])
    const again = await freight(["pickup", "book", "-", "--json"], { input: names.join("\n") })
    expect([again.code, again.items()]).toEqual([0, first.items()])
    expect(await pickups()).toBe(before + 1)
    expect((await freight(["shipments", "show", "PB-2"])).stdout).toMatch(/^Pickup +BOOKED, PU-/m)
    expect((await freight(["shipments", "list"])).stdout).toMatch(/^PB-2 .* BOOKED /m)
    const dryAgain = await freight(["pickup", "book", ...names, "--dry-run"])
    expect(dryAgain.stderr).toMatch(/3 shipments at [^\n]*: a pickup is booked \(PU-\S+\)\./)
    const elsewhere = await freight(["pickup", "book", one, "PB-1", "--json"])
    expect([elsewhere.code, errorIn(elsewhere.stderr).errors]).toMatchObject([
      1,
      [{ target: one, message: expect.stringContaining("was not booked from here") }],
    ])
    const wrong = await freight(["pickup", "book", ...names, "--key", "K"])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--key is for one pickup")])
    const both = await freight(["pickup", "book", "PB-1", "--open"])
    expect(both.code).toBe(2)
  })

  it.each([
    "connector-b",
    "connector-c",
  ] as const)("finds the connector of a shipment on %s", async (connector) => {
    const { freight } = await desk(sandbox)
    const shipmentId = await shipmentOn(connector)
    const { json } = await freight(["pickup", "book", "--shipment", shipmentId, "--json"])
    expect(json<{ items: BookedPickup[] }>().items[0]?.connectorId).toBe(connector)
  })

  it("is refused when it is repeated, and booked again when told so", async () => {
    const { freight } = await desk(sandbox)
    const shipmentId = await shipmentOn("connector-a")
    const args = ["pickup", "book", "--shipment", shipmentId]
    await freight(args)
    const before = await pickups()
    expect((await freight(args)).code).toBe(1)
    expect(await pickups()).toBe(before)
    expect((await freight([...args, "--again"])).code).toBe(0)
    expect(await pickups()).toBe(before + 1)
  })

  it("is refused for a shipment whose pickup another desk booked", async () => {
    const [one, other] = [await desk(sandbox), await desk(sandbox)]
    const shipmentId = await shipmentOn("connector-a")
    await one.freight(["pickup", "book", "--shipment", shipmentId])
    const before = await pickups()
    const { code, stderr } = await other.freight(["pickup", "book", "--shipment", shipmentId, "--key", "K"])
    expect([code, stderr]).toEqual([1, expect.stringContaining("has a pickup already")])
    expect(await pickups()).toBe(before)
  })

  it("gives the pickup again under its key", async () => {
    const { freight } = await desk(sandbox)
    const shipmentId = await shipmentOn("connector-a")
    const args = ["pickup", "book", "--shipment", shipmentId, "--key", "K", "--json"]
    const first = await freight(args)
    const again = await freight(args)
    expect(again.code).toBe(0)
    expect(again.json()).toEqual(first.json())
  })

  it("asks which shipment where none is named", async () => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(["pickup", "book", "--date", "tomorrow"])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: which shipment\? freight pickup book/)])
  })
})

describe("a pickup that goes wrong", () => {
  it("exits 1 when the carrier refuses it, with code and message, and can be tried again", async () => {
    const { freight } = await desk(sandbox)
    const shipmentId = await shipmentOn("connector-a", "sandbox:pickup-failed")
    const args = ["pickup", "book", "--shipment", shipmentId, "--json"]
    const { code, json, stderr } = await freight(args)
    expect(code).toBe(1)
    expect(json<{ items: BookedPickup[] }>().items[0]).toMatchObject({ status: "FAILED", orderNumber: null })
    expect(errorIn(stderr)).toMatchObject({
      ...{ kind: "refused", code: "CARRIER_REFUSED", apiCode: "PICKUP_REFUSED", status: 201 },
    })
    expect(errorIn(stderr).message).toContain("no vehicle")
    const again = await freight(args)
    expect(again.items<BookedPickup>()[0]?.pickupId).not.toBe(
      json<{ items: BookedPickup[] }>().items[0]?.pickupId,
    )
    const shown = await freight([
      "pickup",
      "show",
      json<{ items: BookedPickup[] }>().items[0]?.pickupId ?? "",
    ])
    expect(shown.stdout).toContain("PICKUP_REFUSED: The carrier has no vehicle for that time")
  })

  it("exits 8 when the carrier has it and the service lost it, and is never sent again", async () => {
    const { freight } = await desk(sandbox)
    const shipmentId = await shipmentOn("connector-a", "sandbox:pickup-500")
    const args = ["pickup", "book", "--shipment", shipmentId, "--json"]
    const before = await pickups()
    const { code, json, stderr } = await freight(args)
    expect(code).toBe(8)
    const orderNumber = json<{ items: BookedPickup[] }>().items[0]?.orderNumber ?? ""
    expect(orderNumber).toMatch(/^PU-/)
    expect(errorIn(stderr)).toMatchObject({ kind: "stepFailed", retry: "never" })
    for (const more of [[], ["--again"], ["--key", "K"], ["--date", "2031-01-01"]]) {
      const refused = await freight([...args, ...more])
      expect(refused.code).toBe(1)
      expect(errorIn(refused.stderr).message).toContain(orderNumber)
    }
    expect(await pickups()).toBe(before + 1)
    const history = await freight(["history", "--kind", "pickup", "--json"])
    expect(history.items<{ reference: string }>()[0]?.reference).toBe(orderNumber)
  })

  it("is not booked after a booking that said RECONCILE_NEEDED, and the carrier's reference is shown", async () => {
    const { freight, folder } = await desk(sandbox)
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    const reference = "customerReference=sandbox:auto-pickup-unrecorded"
    const made = await freight(["book", "--file", "booking.json", "--set", reference, "--json"])
    expect(made.code, made.stderr).toBe(0)
    const { shipmentId, pickupStatus, labelWarning } = made.json<Record<string, string>>()
    expect(pickupStatus).toBe("RECONCILE_NEEDED")
    const before = await pickups()
    const { code, stderr } = await freight(["pickup", "book", "--shipment", shipmentId ?? "", "--json"])
    expect(code).toBe(1)
    expect(errorIn(stderr).message).toContain(/PU-[\w-]+/.exec(labelWarning ?? "")?.[0] ?? "no reference")
    expect(await pickups()).toBe(before)
  })
})

describe("pickup show", () => {
  it("shows a pickup as lines, and its fields as CSV", async () => {
    const { freight } = await desk(sandbox)
    const shipmentId = await shipmentOn("connector-b")
    const made = (
      await freight(["pickup", "book", "--shipment", shipmentId, "--json"])
    ).items<BookedPickup>()[0]
    const id = made?.pickupId ?? ""
    const { stdout } = await freight(["pickup", "show", id])
    expect(stdout).toContain("10:00 to 17:00, local time there")
    const csv = await freight(["pickup", "show", id, "--format", "csv", "--fields", "id,shipmentId,status"])
    expect(csv.stdout.trim().split("\n")[1]).toBe(`${id},${shipmentId},BOOKED`)
  })
})
