/** The wizard after a booking: the label is printed and opened, and pickups fail or are lost. */
import { chmod, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { hasTerminal } from "./pty.ts"
import { readyDesk, TO_BOOK, type Turn, take, told } from "./wizard.ts"

const YES = [{ type: "y" }, "enter"] as const
const PRINT: Turn = ["? Print the label?", "down", "enter"]
const NO_PRINT: Turn = ["? Print the label?", "enter"]
const COLLECT: Turn = ["? Have the carrier collect it", ...YES]
const NO_COLLECT: Turn = ["? Have the carrier collect it", "enter"]
const NO_FILE: Turn = ["? Save it as a booking file", "enter"]

const shipmentIn = (screen: string) => /Booked: shipment (\S+)\./.exec(screen)?.[1] ?? "none"

describe.runIf(hasTerminal)("after a booking in the conversation", () => {
  it("the label is printed on the device that is chosen", async () => {
    const { sit, file, books } = await readyDesk()
    const seat = await sit(["--file", file])
    await take(seat, [...TO_BOOK, PRINT, NO_COLLECT, NO_FILE])
    expect(await seat.exit).toBe(0)
    const [job, ...others] = (await books()).printJobs
    expect(others).toEqual([])
    expect(await seat.scrollback()).toContain(`Label queued on ${job?.deviceId}.`)
    expect(seat.raw()).toMatch(/freight book --like \S+ --wait --label --print/)
  })

  it("the saved label is opened with the desktop's own program", async () => {
    const { sit, file, folder } = await readyDesk()
    const opened = path.join(folder, "opened")
    const opener = path.join(folder, "xdg-open")
    await writeFile(opener, `#!/bin/sh\nhead -c 5 "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`)
    await chmod(opener, 0o755)
    const desktop = { DISPLAY: ":0", PATH: `${folder}:${process.env.PATH}` }
    const seat = await sit(["--file", file], undefined, desktop)
    await take(seat, [...TO_BOOK, ["? Open the label?", ...YES], NO_PRINT, NO_COLLECT, NO_FILE])
    expect(await seat.exit).toBe(0)
    // The program lives on without freight.
    await expect.poll(() => readFile(opened, "utf8").catch(() => "not yet")).toBe("%PDF-")
  })

  it("goods that are booked, and a pickup that is, are reported before there are two", async () => {
    const { sit, file, books, shipments } = await readyDesk()
    const first = await sit(["--file", file, "--reference", "PO-1"])
    await take(first, [...TO_BOOK, NO_PRINT, COLLECT, NO_FILE])
    expect(await first.exit).toBe(0)
    expect(await first.scrollback()).toMatch(/Pickup\s+PU-\S+ \(booked\)/)
    const second = await sit(["--file", file, "--reference", "PO-2"])
    await take(second, [...TO_BOOK, NO_PRINT, ["? Book another pickup?", "enter"], NO_FILE])
    expect(await second.exit).toBe(0)
    const all = await told(second)
    expect(all).toMatch(/Note: the same goods go to this receiver that day already: PO-1 was booked on/)
    expect(all).toMatch(/a pickup is booked there with that carrier, day and time already \(PU-\S+\)/)
    expect([await shipments(), (await books()).pickups.length]).toEqual([2, 1])
  })

  it("a pickup that the carrier refuses leaves the booking, and names the command for it alone", async () => {
    const { sit, file, books, shipments } = await readyDesk()
    const seat = await sit(["--file", file, "--instructions", "sandbox:pickup-failed"])
    await take(seat, [...TO_BOOK, NO_PRINT, COLLECT, NO_FILE])
    expect(await seat.exit).toBe(8)
    const all = await seat.scrollback()
    expect(await told(seat)).toContain("no vehicle for that time")
    expect(all).toContain(`next: freight pickup book ${shipmentIn(all)}`)
    expect(await shipments()).toBe(1)
    expect((await books()).pickups).toMatchObject([{ outcome: "FAILED" }])
  })

  it("a connector's own pickup that failed is reported, and may be asked for again", async () => {
    const { sit, file, books } = await readyDesk()
    const seat = await sit(["--file", file, "--instructions", "sandbox:auto-pickup-failed"])
    await take(seat, [...TO_BOOK, NO_PRINT, COLLECT, NO_FILE])
    expect(await seat.exit).toBe(0)
    const all = await seat.scrollback()
    expect(all).toContain("The carrier's own pickup failed: the goods are not collected.")
    expect(all).toContain("Pickup booked")
    expect((await books()).pickups).toMatchObject([{ outcome: "FAILED" }, { outcome: "BOOKED" }])
  })

  it("a pickup that the carrier has and the service lost is never offered again", async () => {
    const { sit, file, books, freight } = await readyDesk()
    const seat = await sit(["--file", file, "--instructions", "sandbox:auto-pickup-unrecorded"])
    await take(seat, [...TO_BOOK, NO_PRINT, NO_FILE])
    expect(await seat.exit).toBe(0)
    const all = await seat.scrollback()
    expect(all).toContain("do not book another")
    expect(all).toMatch(/Carrier reference:\s+\S+/)
    expect(all).not.toContain("Have the carrier collect it")
    const before = (await books()).pickups
    const again = await freight(["pickup", "book", "--shipment", shipmentIn(all)])
    expect(again.code).toBe(1)
    expect((await books()).pickups).toEqual(before)
  })

  it("a pickup that is asked for with --pickup is not sent when the carrier has one that was lost", async () => {
    const { sit, file, books } = await readyDesk()
    const seat = await sit(["--file", file, "--pickup", "--instructions", "sandbox:auto-pickup-unrecorded"])
    await take(seat, [...TO_BOOK, NO_PRINT, NO_FILE])
    expect(await seat.exit).toBe(8)
    const all = await seat.scrollback()
    expect(await told(seat)).toContain("Do not book it again")
    expect(all).toContain("next: freight history --kind pickup")
    expect(all).not.toContain("next: freight pickup book")
    expect((await books()).pickups).toMatchObject([{ outcome: "UNRECORDED" }])
  })
})
