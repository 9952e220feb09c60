/** Bookings without a key on a SQLite ledger, at desks whose clocks differ. */
import { expect, it } from "vitest"
import { EQUAL_FOR_MS } from "../../src/ledger/decision.ts"
import { refusalOf } from "../../src/ledger/create.ts"
import { ClockDoubt } from "../../src/ledger/refusals.ts"
import {
  type Changes,
  create,
  failure,
  HOUR,
  intent,
  ledgerFileIn,
  MINUTE,
  NOW,
  openFile,
  OTHER,
  server,
  temporaryDir,
  testClock,
  testLedger,
} from "./setup.ts"

const DAY = 24 * HOUR

/** Desks on one file, each with its clock this far ahead. */
function desks(...ahead: number[]) {
  const file = ledgerFileIn(temporaryDir())
  const { made, send } = server()
  const ledgers = ahead.map((ms) => {
    const clock = testClock(NOW + ms)
    return testLedger({ clock, database: openFile(file, clock) })
  })
  const book = (desk: number, changes: Changes = {}) => {
    const ledger = ledgers[desk]
    if (!ledger) throw new RangeError(`there is no desk ${desk}`)
    return create(ledger, send, changes)
  }
  return { ledgers, made, book }
}

const AHEAD = "an equal one was booked on"
const BEHIND = "this machine's clock is"

it.each<[what: string, clocks: [number, number], message: string]>([
  ["a day ahead at the second desk", [0, DAY], AHEAD],
  ["a day behind at the first desk", [-DAY, 0], AHEAD],
  ["a day ahead at the first desk", [DAY, 0], "an equal booking was made on"],
  ["a day behind at the second desk", [0, -DAY], "an equal booking was made on"],
])("an order is booked once with a clock %s", async (_, clocks, message) => {
  const { book, made, ledgers } = desks(...clocks)
  await book(0)
  const [, second] = ledgers
  const dry = second && (await refusalOf(second, intent()))
  const error = await failure(book(1))
  expect([error.message, dry?.refusal?.message]).toEqual([expect.stringContaining(message), error.message])
  expect(made).toHaveLength(1)
})

it("a clock behind the newest entry is reported before anything is sent, whatever is booked", async () => {
  const { book, made } = desks(0, -DAY)
  await book(0)
  const error = await failure(book(1, OTHER))
  expect(error).toBeInstanceOf(ClockDoubt)
  expect(error).toMatchObject({ exitCode: 2, next: "freight doctor" })
  expect(error.message).toBe(
    "this machine's clock is 24 h behind the newest entry of the ledger (Fri 20 Nov 2026, 23:00 at desk-1): what was booked within 24 hours is not known",
  )
  expect(error.hint).toContain("--again")
  expect(made).toHaveLength(1)
})

it.each<[what: string, ms: number, changes: Changes]>([
  ["some minutes behind", -50 * MINUTE, OTHER],
  ["an hour ahead", HOUR, OTHER],
  ["a month later, and nothing equal is in the ledger", 30 * DAY, OTHER],
  ["a week later, and the order repeats each week", 7 * DAY, {}],
  ["a day behind, and a person gave a key", -DAY, { ...OTHER, key: "PO-7" }],
  ["a day behind, and a person said again", -DAY, { again: true }],
  ["a day ahead, and a person said again", DAY, { again: true }],
  ["a day behind, and it is a print", -DAY, { kind: "label-print" }],
])("a booking is sent at a desk whose clock is %s", async (_, ms, changes) => {
  const { book, made } = desks(0, ms)
  await book(0)
  await book(1, changes)
  expect(made).toHaveLength(2)
})

it("an equal booking is sent after 24 hours, if another entry shows that they have passed", async () => {
  const { book, made, ledgers } = desks(0)
  const { earlier } = await book(0)
  expect(earlier).toBeUndefined()
  ledgers[0]?.clock.advance(EQUAL_FOR_MS)
  await book(0, { ...OTHER, key: "PO-7" })
  expect(await book(0)).toMatchObject({ recorded: false, earlier: { facts: { shipmentId: "shp-1" } } })
  expect(made).toHaveLength(3)
})

it.each([
  ["ahead", DAY, {}, AHEAD],
  ["behind", -DAY, OTHER, BEHIND],
])("a person is asked where the clock may be %s", async (_, ms, changes, message) => {
  const asked: string[] = []
  const { book, made, ledgers } = desks(0, ms)
  await book(0)
  Object.assign(ledgers[1] ?? {}, {
    spending: { isOpen: true, confirm: async (question: string) => void asked.push(question) },
  })
  await book(1, { ...changes, question: "Book it?" })
  const said = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  expect(asked).toEqual([expect.stringMatching(new RegExp(`^${said} .*\\. Book it\\?$`))])
  expect(made).toHaveLength(2)
})
