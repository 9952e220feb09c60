/** Bookings in the conversation under a key of the person's own. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { hasTerminal } from "./pty.ts"
import { AFTER, readyDesk, TO_BOOK, take, told, type Turn } from "./wizard.ts"

/** Files without the packages are told from what was booked once those are answered. */
const PACKAGES: Turn = ["? Packages", { type: "2x40x30x20@5.5" }, "enter"]
const ANSWERS = [PACKAGES, ...TO_BOOK.slice(0, 2)]

async function keptDesk() {
  const made = await readyDesk()
  const { packages: _, items: __, ...booking } = JSON.parse(await readFile(made.file, "utf8"))
  const file = path.join(made.folder, "no-packages.json")
  await writeFile(file, JSON.stringify(booking))
  const seat = await made.sit(["--file", file, "--key", "PO-7"])
  await take(seat, [PACKAGES, ...TO_BOOK, ...AFTER])
  expect(await seat.exit).toBe(0)
  const booked = /Booked: shipment (\S+)\./.exec(await seat.scrollback())?.[1]
  return { ...made, whole: made.file, file, booked }
}

describe.runIf(hasTerminal)("freight book --key in a conversation", () => {
  it("keeps the booking under that key", async () => {
    const { freight, booked } = await keptDesk()
    const [entry] = (await freight(["history", "--json"])).items<object>()
    expect(entry).toMatchObject({ key: "PO-7", kind: "shipment", state: "done", shipmentId: booked })
  })

  it("shows the recorded booking when the same is answered again", async () => {
    const { sit, file, booked, shipments } = await keptDesk()
    const seat = await sit(["--file", file, "--key", "PO-7"])
    await take(seat, [
      ["The key PO-7 belongs to 2 packages to Port Street Fittings"],
      ...ANSWERS,
      ["❯ Show that booking", "enter"],
      ...AFTER,
    ])
    expect(await seat.exit).toBe(0)
    const all = await told(seat)
    expect(all).toContain(`Note: booked before under the key PO-7`)
    expect(all).toContain(`Booked before under this key: shipment ${booked}. It was not sent again.`)
    expect(await shipments()).toBe(1)
  })

  it("asks nothing where the order is given: it was booked, or has changed", async () => {
    const { sit, whole, booked, shipments } = await keptDesk()
    const same = await sit(["--file", whole, "--key", "PO-7", "--close", "16:00"])
    expect(await same.exit).toBe(0)
    expect(await told(same)).toContain("It stays as it was booked: close time (1700, now 1600).")
    expect(await told(same)).toContain(`Booked before under this key: shipment ${booked}.`)
    const changed = await sit(["--file", whole, "--key", "PO-7", "--reference", "other"])
    expect(await changed.exit).toBe(1)
    expect(await told(changed)).toMatch(
      /PO-7 was booked on .* and has changed since - .*PO-own-\d+, now other/,
    )
    expect(await shipments()).toBe(1)
  })

  it("says in the review what has changed since, advises --again, and offers no other key", async () => {
    const { sit, file, shipments } = await keptDesk()
    const seat = await sit(["--file", file, "--key", "PO-7", "--reference", "other"])
    await take(seat, [
      [/If you mean a second one, begin again with --again, without\s+--key\./],
      ...ANSWERS,
      [
        /Cannot be booked: PO-7 was booked on .*,\s+and\s+has\s+changed\s+since: reference \(PO-own-\d+,\s+now\s+other\)/,
      ],
      ["❯ Change something", "ctrl-c"],
    ])
    expect(await seat.exit).toBe(130)
    expect(await told(seat)).not.toContain("another key")
    expect(await shipments()).toBe(1)
  })

  it("does not take another booking of that key for the draft that is gone on with", async () => {
    const { sit, file, booked, shipments } = await keptDesk()
    const first = await sit(["--file", file, "--key", "PO-7", "--reference", "other"])
    await take(first, [...ANSWERS, ["? Book it?", "ctrl-c"]])
    expect(await first.exit).toBe(130)
    const second = await sit(["--resume"])
    await take(second, [["Cannot be booked: PO-7 was booked on "], ["? Book it?", "ctrl-c"]])
    expect(await second.exit).toBe(130)
    expect(await second.scrollback()).not.toContain(`Booked before under this key: shipment ${booked}`)
    const third = await sit(["--resume", "--key", "PO-9"])
    await take(third, [...TO_BOOK.slice(2), ...AFTER])
    expect(await third.exit).toBe(0)
    expect(await shipments()).toBe(2)
  })

  it("asks nothing under a key whose booking has no known outcome", async () => {
    const { sit, sandbox, file, shipments } = await readyDesk()
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    const first = await sit(["--file", file, "--key", "PO-7"])
    await take(first, TO_BOOK)
    expect(await first.exit).toBe(7)
    const second = await sit(["--file", file, "--key", "PO-7"])
    expect(await second.exit).toBe(7)
    const all = await told(second)
    expect(all).toContain("its outcome is unknown; nothing was sent now")
    expect(all).not.toContain("Is either place a home?")
    expect(await shipments()).toBe(1)
  })
})
