/** What is too late for today: shown, asked about, refused. The clock stands where each test puts it. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk, errorIn } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"

/** In Sydney, on a Tuesday: air is to be booked by 15:00 and collected by 16:30, road by 16:00 and 17:30. */
const DAY = "2027-02-09"

/** @param at the time in Sydney @param ready when the goods are ready */
async function sit(at: string, ready: string) {
  const now = Date.parse(`${DAY}T${at}:00+11:00`)
  const sandbox = await ownSandbox()
  await sandbox.control("clock", { set: new Date(now).toISOString() })
  const made = await desk(sandbox, now)
  const { stdout } = await made.freight(["book", "--example"])
  const { serviceCode: _, ...example } = JSON.parse(stdout)
  const booking = {
    ...example,
    customerReference: "SO-CUT",
    collectionDateTime: ready,
    collectionCloseTime: "1730",
  }
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(booking))
  const book = (...more: string[]) => made.freight(["book", "--file", "booking.json", "--yes", ...more])
  return { ...made, sandbox, booking, book }
}

const TODAY = `${DAY}T16:45:00`

describe("a booking after the cutoffs of today", () => {
  it.each([
    ["--service", "fastest"],
    ["--service", "cheapest", "--within", "9d"],
  ])("is refused in a script where it is wished for its arrival: %s %s", async (...words) => {
    const { book } = await sit("16:40", TODAY)
    const { code, stderr } = await book("--connector", "connector-b", "--json", ...words)
    const { message } = errorIn(stderr)
    expect([code, message]).toEqual([1, expect.stringContaining("can still be booked in time for today")])
    expect(stderr).toContain("is too late for today (to be booked by")
    expect(stderr).toContain("it may go on Wed 10 Feb")
  })

  it("is made with --allow-past, and says that it may go later", async () => {
    const { book } = await sit("16:40", TODAY)
    const { code, stderr } = await book("--connector", "connector-b", "--service", "fastest", "--allow-past")
    expect([code, stderr]).toEqual([0, expect.stringContaining("is too late for today")])
  })

  it("is made without a wish for its arrival, with a warning", async () => {
    const { book } = await sit("16:40", TODAY)
    const { code, stderr } = await book("--connector", "connector-b", "--service", "PRM")
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        "service PRM is too late for today (to be booked by 15:00): it may go on Wed 10 Feb",
      ),
    ])
  })

  it("is not refused for goods of another day, and nothing is said", async () => {
    const { book } = await sit("16:40", "2027-02-10T10:00:00")
    const { code, stderr } = await book("--connector", "connector-b", "--service", "fastest")
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("too late")])
  })
})

it("takes the fastest of those that are in time", async () => {
  // Air is closed, road is open.
  const { book } = await sit("15:20", `${DAY}T15:30:00`)
  const { code, stderr } = await book("--connector", "connector-b", "--service", "fastest")
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Chosen: B\/EXP /)])
  expect(stderr).toMatch(/PRM is too late for today \(to be booked by 15:00\)/)
})

it("marks in its row what rate-shop offers too late", async () => {
  const { freight } = await sit("15:20", TODAY)
  const { stdout, stderr } = await freight([
    ...["rate-shop", "--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"],
    ...["--package", "30x20x10@2"],
  ])
  expect(stdout).toMatch(/! Overnight Express .* 15:00 passed/)
  expect(stdout).not.toMatch(/! Road Express/)
  expect(stderr).toContain("! too late for today: it may go on Wed 10 Feb")
})

it("leaves a row of a batch too-late whose wish cannot be met, and books the others", async () => {
  const { freight, booking, folder } = await sit("16:40", TODAY)
  const rows = ["fastest", "PRM"].map((serviceCode, at) => ({
    ...booking,
    customerReference: `SO-${at}`,
    connector: "connector-b",
    serviceCode,
  }))
  await writeFile(path.join(folder, "orders.json"), JSON.stringify(rows))
  const { code, stdout, stderr } = await freight([
    "batch",
    "book",
    "orders.json",
    "--yes",
    "--new-orders",
    "--json",
  ])
  expect(stderr).toContain("SO-0): no rate can still be booked in time for today")
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { booked: 1, tooLate: 1 }])
})
