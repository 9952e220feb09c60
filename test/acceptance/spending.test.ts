/** At a terminal freight asks once before it spends money, and nowhere else. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Package } from "../../src/contract/generated/types.ts"
import { itemsOf } from "../../src/contract/packages.ts"
import { desk } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { hasTerminal, type Seat, sitDown } from "./pty.ts"
import { take, told, wizardDesk } from "./wizard.ts"

const ORDERS = ["PO-1", "PO-2"]

/** A desk in the embedded sandbox, with a booking and orders for tomorrow. */
async function openDesk() {
  const made = await wizardDesk()
  const booking = (await made.freight(["book", "--example"])).json()
  const orders = ORDERS.map((reference) => ({ ...booking, customerReference: undefined, reference }))
  const file = (name: string) => path.join(made.folder, name)
  await writeFile(file("booking.json"), JSON.stringify(booking))
  await writeFile(file("orders.json"), JSON.stringify(orders))
  const at = (words: readonly string[], more: Record<string, string> = {}) =>
    sitDown([...words, "--sandbox"], { ...made.env, ...more }, WIDE)
  const run = async (words: readonly string[], more?: Record<string, string>) => {
    const seat = await at(words, more)
    const code = await seat.exit
    return { code, all: await told(seat) }
  }
  return { ...made, file, at, run }
}

const end = async (seat: Seat) => ({ code: await seat.exit, all: await told(seat) })

const BOOK = ["book", "--file", "booking.json", "--connector", "connector-c"]
const BATCH = ["batch", "book", "orders.json", "--connector", "connector-c"]
const QUESTION = /^\? Book it: AUD \d+\.\d\d, Standard, carrier C, collected \S.* 10:00\? \(y\/N\)/m
const BATCH_QUESTION = /^\? Book 2 consignments for AUD \d+\.\d\d(?: \+ GST|, GST not stated)\? \(y\/N\)/m
const TYPE_BOOK = "(type book, or no) [no]:"
/** A question takes one line, whichever day the collection is: "tomorrow" is shorter than "Mon 30 Nov". */
const WIDE = { columns: 120, rows: 24 }
/** A question as it stands once it is answered. */
const ASKED = /Book (it|2 consignments)\b.*\? (yes|no)/

describe.runIf(hasTerminal)("before money is spent", () => {
  it.each([
    ["y", 0, 1],
    ["yes", 0, 1],
    ["", 2, 0],
    ["n", 2, 0],
  ])("book asks with price, service and collection: %j ends with %i", async (typed, code, booked) => {
    const desk = await openDesk()
    const before = await desk.total()
    const seat = await desk.at(BOOK)
    await take(seat, [[QUESTION, { type: typed }, "enter"]])
    const { code: ended, all } = await end(seat)
    expect(ended, all).toBe(code)
    if (code === 2) expect(all).toContain("you said no: nothing was sent")
    expect(await desk.total()).toBe(before + booked)
  })

  it("Ctrl-C there is as anywhere", async () => {
    const desk = await openDesk()
    const before = await desk.total()
    const seat = await desk.at(BOOK)
    await take(seat, [[QUESTION, "ctrl-c"]])
    expect(await seat.exit).toBe(130)
    expect(await desk.total()).toBe(before)
  })

  it("a batch asks once, with its total, and when it is run again not at all", async () => {
    const desk = await openDesk()
    const before = await desk.total()
    const no = await desk.at(BATCH)
    await take(no, [[BATCH_QUESTION, "enter"]])
    expect(await no.exit).toBe(2)
    expect(await desk.total()).toBe(before)
    const yes = await desk.at(BATCH)
    await take(yes, [[BATCH_QUESTION, { type: "y" }, "enter"]])
    const { code, all } = await end(yes)
    expect(code, all).toBe(0)
    expect(await desk.total()).toBe(before + 2)
    const again = await desk.run(BATCH)
    expect(again.code, again.all).toBe(0)
    expect(again.all).not.toMatch(ASKED)
  })

  it("a batch says which prices it does not know", async () => {
    const { at } = await openDesk()
    const seat = await at([...BATCH, "--no-rate", "--pickup"])
    await take(seat, [["(y/N)", "enter"]])
    expect((await end(seat)).all).toContain(
      "Book 2 consignments at a price that only the bill will say (--max-total refuses that), and have the goods collected? no",
    )
  })

  it("a pickup, and what freight api makes, are asked about too", async () => {
    const { at, total, freight, file } = await openDesk()
    const pickup = await at(["pickup", "book", "--shipment", "demo-shipment", "--date", "tomorrow"])
    await take(pickup, [[/Book the pickup: carrier \S, tomorrow \S+ to \S+\? \(y\/N\)/, "enter"]])
    expect(await pickup.exit).toBe(2)

    const before = await total()
    const request = await freight([...BOOK, "--sandbox", "--dry-run"])
    await writeFile(file("request.json"), request.stdout)
    const made = await at(["api", "POST", "connector-c/shipments", "--file", "request.json"])
    await take(made, [[/Book it: AUD \d+\.\d\d, Standard, carrier C, collected/, "enter"]])
    expect(await made.exit).toBe(2)
    expect(await total()).toBe(before)
  })

  it("what stands in the ledger under a key is given again without a question", async () => {
    const { run } = await openDesk()
    const keyed = [...BOOK, "--key", "K-1"]
    expect((await run([...keyed, "--yes"])).code).toBe(0)
    const { code, all } = await run(keyed)
    expect(code, all).toBe(0)
    expect(all).toContain("Booked before under this key")
    expect(all).not.toMatch(ASKED)
  })

  it("a plan that was approved is not asked about", async () => {
    const { run, freight } = await openDesk()
    expect((await freight(["batch", "plan", "orders.json", "--sandbox"])).code).toBe(0)
    const { code, all } = await run(["batch", "book", "--plan", "orders.plan.json"])
    expect(code, all).toBe(0)
    expect(all).not.toMatch(ASKED)
  })

  it.each<[string, string[], Record<string, string>]>([
    ["--yes", ["--yes"], {}],
    ["FREIGHT_CONFIRM=never", [], { FREIGHT_CONFIRM: "never" }],
    ["--json", ["--json"], {}],
    ["--no-input", ["--no-input"], {}],
  ])("%s skips the question", async (_, flags, more) => {
    const { run } = await openDesk()
    const { code, all } = await run([...BOOK, ...flags], more)
    expect(code, all).toBe(0)
    expect(all).not.toMatch(ASKED)
  })

  it("the setting confirm=never skips the question", async () => {
    const { run, freight } = await openDesk()
    expect((await freight(["config", "set", "confirm", "sometimes"])).code).toBe(2)
    expect((await freight(["config", "set", "confirm", "never"])).code).toBe(0)
    const { code, all } = await run(BOOK)
    expect(code, all).toBe(0)
    expect(all).not.toMatch(ASKED)
  })

  it.each([
    ["book", BOOK, QUESTION],
    ["batch book", BATCH, BATCH_QUESTION],
  ])("text that was typed ahead does not answer the question of %s", async (_, words, question) => {
    const desk = await openDesk()
    const before = await desk.total()
    const seat = await desk.at(words)
    seat.type("y\r\r")
    await seat.see(question)
    seat.type("n\r")
    const { code, all } = await end(seat)
    expect([code, all]).toEqual([2, expect.stringContaining("you said no: nothing was sent")])
    expect(await desk.total()).toBe(before)
  })

  it("only the word book is a yes in plain lines, and text that was typed ahead is none", async () => {
    const desk = await openDesk()
    const before = await desk.total()
    const seat = await desk.at([...BOOK, "--plain"])
    seat.type("book\n\n")
    await seat.see(TYPE_BOOK)
    seat.type("y\n")
    await seat.see("Please type book, or no.")
    seat.type("\n")
    expect(await seat.exit).toBe(2)
    expect(await desk.total()).toBe(before)
    const sure = await desk.at(BOOK, { TERM: "dumb" })
    await sure.see(TYPE_BOOK)
    sure.type("book\n")
    expect(await sure.exit).toBe(0)
    expect(await desk.total()).toBe(before + 1)
  })
})

describe("the example of freight, as it stands", () => {
  it.each([
    ["book", ["book", "--file", "booking.json", "--connector", "connector-c"]],
    ["api", ["api", "POST", "connector-c/shipments", "--file", "request.json"]],
    ["batch book", ["batch", "book", "orders.json", "--connector", "connector-c"]],
  ])("is not booked by %s on a real account", async (_, args) => {
    const sandbox = await ownSandbox()
    const { freight, folder } = await desk(sandbox)
    const booking = (await freight(["book", "--example"])).json()
    const { customerReference: reference, ...order } = booking
    const request = { ...booking, items: itemsOf(booking.packages as Package[]) }
    for (const [name, content] of Object.entries({ booking, request, orders: [{ reference, ...order }] }))
      await writeFile(path.join(folder, `${name}.json`), JSON.stringify(content))
    const { code, stderr } = await freight(args)
    expect(code, stderr).toBe(2)
    expect(stderr).toContain("it is freight's example, by its reference EXAMPLE-2: only the sandbox books it")
    expect(((await sandbox.control("books")) as { shipments: unknown[] }).shipments).toEqual([])
  })
})
