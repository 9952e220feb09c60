/** A ledger whose file is gone or older than it was: nothing is sent until it is back, or a person goes on without it. */
import { copyFile, readdir, rm } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { systemClock } from "../../src/machine/host.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { driver } from "../ledger/setup.ts"
import { bookingDesk } from "./bookings.ts"
import { errorIn } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { hasTerminal, sitDown } from "./pty.ts"

/** A desk that has booked once. */
async function bookedDesk(env: Record<string, string> = {}) {
  const sandbox = await ownSandbox()
  const made = await bookingDesk(sandbox)
  const freight = (...args: string[]) => made.freight(args, { env })
  const book = (...more: string[]) => freight("book", "--file", "booking.json", "--json", ...more)
  const file = env.FREIGHT_LEDGER ?? path.join(made.state, "ledger.db")
  const first = await book("--key", "PO-1")
  expect(first.code, first.stderr).toBe(0)
  return {
    folder: made.folder,
    state: made.state,
    env: { ...made.env, ...env },
    freight,
    book,
    file,
    shipments: async () => ((await sandbox.control("books")) as { shipments: unknown[] }).shipments.length,
    /** `rm ledger.db*` */
    async remove() {
      for (const end of ["", "-wal", "-shm"]) await rm(`${file}${end}`, { force: true })
    },
  }
}

describe("a ledger that is gone", () => {
  it.each([
    ["of the state folder", undefined],
    ["of the setting", "named.db"],
  ])("%s is told by every command, and nothing is booked until it is back", async (_, name) => {
    const apart =
      name === undefined ? undefined : path.join((await bookingDesk(await ownSandbox())).folder, name)
    const { book, freight, file, remove, shipments } = await bookedDesk(
      apart ? { FREIGHT_LEDGER: apart } : {},
    )
    await copyFile(file, `${file}.copy`)
    await remove()
    for (const ran of [
      await book("--key", "PO-1"),
      await book("--key", "PO-2"),
      await freight("history", "--json"),
      await freight("today", "--json"),
      await freight("ledger", "status", "--json"),
      await freight("reconcile", "--json"),
    ]) {
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain(`the ledger in ${file} is gone; put it back, or orders that it had could`)
    }
    const error = errorIn((await book("--key", "PO-1")).stderr)
    expect(error).toMatchObject({ kind: "config", retry: "never", next: "freight ledger accept" })
    expect(await shipments()).toBe(1)
    await copyFile(`${file}.copy`, file)
    expect((await book("--key", "PO-1")).code).toBe(0)
    expect(await shipments()).toBe(1)
  })

  it("is made again once that was accepted with --yes, and not without", async () => {
    const { book, freight, file, remove, shipments } = await bookedDesk()
    await remove()
    const asked = await freight("ledger", "accept", "--json")
    expect(asked.code).toBe(2)
    expect(errorIn(asked.stderr).message).toMatch(/could be booked again: add --yes to go on anyway$/)
    expect((await book("--key", "PO-1")).code).toBe(2)
    const accepted = await freight("ledger", "accept", "--yes", "--json")
    expect(accepted.code, accepted.stderr).toBe(0)
    expect(accepted.json()).toEqual({ ledger: file, loss: "gone", accepted: true, warnings: [] })
    expect(accepted.stderr).toContain("freight shipments list")
    // The new ledger finds it in the list, as what was booked elsewhere.
    expect((await book("--key", "PO-1")).code).toBe(1)
    expect(await shipments()).toBe(1)
    const again = await freight("ledger", "accept", "--yes", "--json")
    expect(again.json()).toEqual({ ledger: file, loss: null, accepted: false, warnings: [] })
  })

  it.runIf(hasTerminal)("is asked about at a terminal, and no is the answer of Enter", async () => {
    const { book, env, remove } = await bookedDesk()
    await remove()
    const no = await sitDown(["ledger", "accept"], env)
    await no.see("Go on anyway?")
    no.press("enter")
    expect(await no.exit).toBe(0)
    expect(await no.scrollback()).toContain("Nothing was changed.")
    expect((await book("--key", "PO-1")).code).toBe(2)
    const yes = await sitDown(["ledger", "accept"], env)
    await yes.see("Go on anyway?")
    yes.type("y")
    yes.press("enter")
    expect(await yes.exit).toBe(0)
    expect((await book("--key", "PO-1")).code).toBe(1)
  })
})

it("an older copy of a ledger is refused, and used once that was accepted", async () => {
  const { book, freight, file, remove, shipments } = await bookedDesk()
  await copyFile(file, `${file}.copy`)
  expect((await book("--key", "PO-2", "--reference", "PO-2")).code).toBe(0)
  await remove()
  await copyFile(`${file}.copy`, file)
  const refused = await book("--key", "PO-2", "--reference", "PO-2")
  expect([refused.code, errorIn(refused.stderr).message]).toEqual([
    2,
    expect.stringContaining("is an older copy of itself"),
  ])
  expect(await shipments()).toBe(2)
  expect((await freight("ledger", "accept", "--yes")).code).toBe(0)
  expect((await book("--key", "PO-1")).code).toBe(0)
  expect(await shipments()).toBe(2)
})

it("the sandbox's ledger is watched over by itself, and forgotten by sandbox reset", async () => {
  const { freight, remove, book, state } = await bookedDesk()
  const inSandbox = (...words: string[]) => freight(...words, "--sandbox", "--json")
  const booking = ["book", "--file", "booking.json", "--key", "PO-1"]
  expect((await inSandbox(...booking)).code).toBe(0)
  await remove()
  expect((await inSandbox(...booking)).code).toBe(0)
  expect((await book("--key", "PO-1")).code).toBe(2)
  for (const name of await readdir(path.join(state, "sandbox")))
    if (name.startsWith("ledger.db")) await rm(path.join(state, "sandbox", name))
  const gone = await inSandbox(...booking)
  expect(gone.code).toBe(2)
  expect(errorIn(gone.stderr).next).toBe("freight ledger accept --sandbox")
  expect((await freight("sandbox", "reset")).code).toBe(0)
  expect((await inSandbox(...booking)).code).toBe(0)
})

it("a copy of the ledger is used after config set, and the first one after config unset", async () => {
  const { folder, freight, book, shipments } = await bookedDesk()
  const copy = path.join(folder, "copy.db")
  expect((await freight("ledger", "copy", "--to-ledger", copy)).code).toBe(0)
  expect((await freight("config", "set", "ledger", copy)).code).toBe(0)
  expect((await book("--key", "PO-1")).code).toBe(0)
  expect((await book("--key", "PO-2", "--reference", "PO-2")).code).toBe(0)
  expect((await freight("config", "unset", "ledger")).code).toBe(0)
  expect((await book("--key", "PO-1")).code).toBe(0)
  expect(await shipments()).toBe(2)
})

describe("an equal booking without a key", () => {
  it("is booked after 24 hours that the ledger shows, and the earlier one is named; a dry run names it too", async () => {
    const { book: bookAny, freight, file } = await bookedDesk()
    const book = (...more: string[]) => bookAny("--reference", "PO-7", ...more)
    expect((await book()).code).toBe(0)
    const first = await book()
    expect([first.code, errorIn(first.stderr).message]).toEqual([1, expect.stringContaining("equal booking")])
    const database = openSqlite(file, { driver, clock: systemClock })
    const yesterday = new Date(Date.now() - 30 * 3_600_000).toISOString()
    await database.run("update sends set created_at = ?, settled_at = ?", [yesterday, yesterday])
    await database.close()
    const [{ shipmentId = "" } = {}] = (await freight("history", "--search", "PO-7", "--json")).items<{
      shipmentId?: string
    }>()
    const told = new RegExp(
      `An equal booking was made on .*: shipment ${shipmentId}\\. This is another one\\.`,
    )
    const doubt = /an equal one was booked on .*, more than 24 hours ago by this machine's clock alone/
    expect((await book("--dry-run")).stderr).toMatch(doubt)
    const doubted = await book()
    expect([doubted.code, errorIn(doubted.stderr).message]).toEqual([2, expect.stringMatching(doubt)])
    expect((await bookAny("--key", "PO-8", "--reference", "PO-8", "--instructions", "Dock 3")).code).toBe(0)
    const dry = await book("--dry-run")
    expect(dry.stderr).toMatch(told)
    expect(dry.stderr).not.toMatch(doubt)
    const second = await book()
    expect(second.code, second.stderr).toBe(0)
    expect(second.stderr).toMatch(told)
    expect((await book("--again")).stderr).not.toContain("This is another one")
    expect((await book("--key", "PO-9")).stderr).not.toContain("This is another one")
  })
})

it("freight ledger prune says from when on keys are known, and until when at least", async () => {
  const { freight } = await bookedDesk()
  const { code, stderr } = await freight("ledger", "prune", "--before", "2020-01-01")
  expect(code).toBe(0)
  expect(stderr).toContain(
    "Orders sent before 2020-01-01 are forgotten: a file that has one of them would book",
  )
  const until = new Date(Date.now() + 90 * 86_400_000).getUTCDate()
  expect(stderr).toMatch(new RegExp(`What is sent today stays known until ${until} \\w+ \\d+ at least`))
})
