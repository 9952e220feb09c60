/** One order number in several rows, for several receivers, days or references: a person says which is meant, a script is refused. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { errorOf, fresh, orderDesk } from "./batches.ts"
import { csvOf, type Order, order } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const sandbox = await fileSandbox()

/** Receivers that no other test has. */
const kimOf = (number: string): Order => ({ "receiver.companyName": `Kim ${number}` })
const samOf = (number: string): Order => ({ "receiver.companyName": `Sam ${number}` })

/** The key that moves down a list. */
const DOWN = "\u001b[B"
const SEPARATE = `${DOWN}${DOWN}\r`

/** A desk with a file in which two orders have one number, and a third one stands between them. */
async function repeatedDesk() {
  const [number, other] = [fresh(), fresh()]
  const rows = [order(number, kimOf(number)), order(other), order(number, samOf(number))]
  const made = await orderDesk(rows, sandbox)
  return {
    ...made,
    number,
    words: ["batch", "book", path.join(made.folder, made.file)],
    write: (kept: readonly Order[]) => writeFile(path.join(made.folder, made.file), csvOf(kept)),
    /** How often each of these numbers was booked. */
    count: (...numbers: string[]) => made.booked(numbers.map((each) => order(each))),
    rows,
  }
}

const SENDER = ["companyName", "address1", "suburb", "state", "postcode"].map(
  (part) => `${part}=${order("-")[`sender.${part}`]}`,
)

const YES = { see: "Book ", type: "y\r" }

describe("one number for two receivers", () => {
  it("is refused in a script, with advice that books nothing twice", async () => {
    const { book, number, count } = await repeatedDesk()
    const refused = await book()
    expect(refused.code).toBe(2)
    expect(errorOf(refused).errors).toHaveLength(2)
    expect(refused.stderr).not.toMatch(/another reference|of its own|--again|--include/)
    expect(await count(number)).toEqual([0])
  })

  it("is refused with what differs where the rows are neighbours", async () => {
    const { book, write, number, count } = await repeatedDesk()
    await write([order(number, kimOf(number)), order(number, samOf(number))])
    const refused = await book()
    expect([refused.code, errorOf(refused).errors]).toEqual([
      2,
      [
        expect.objectContaining({
          message: expect.stringContaining(
            "an order goes to one receiver on one day: remove the row that is wrong",
          ),
        }),
        expect.objectContaining({ code: "unique" }),
      ],
    ])
    expect(await count(number)).toEqual([0])
  })
})

describe.runIf(hasTerminal)("one number for two receivers, at a terminal", () => {
  it("is one order, in the row that the person names", async () => {
    const { env, words, number, booked, results } = await repeatedDesk()
    const ran = await atTerminal(words, env, [
      { see: `${number} is the number of rows 2, 4`, type: `${DOWN}\r` },
      YES,
    ])
    expect(ran.code, ran.screen).toBe(0)
    expect(await booked()).toEqual([1, 1, 1])
    expect((await results()).map((row) => row["receiver.companyName"])).toEqual([
      expect.stringContaining("Receiver of"),
      `Sam ${number}`,
    ])
  })

  it("is two orders, with the number that the person gives the second: once, however often it is run", async () => {
    const { env, words, number, booked, count, freight, folder } = await repeatedDesk()
    const second = `${number}-S`
    const steps = [
      { see: `${number} is the number of rows 2, 4`, type: SEPARATE },
      { see: "Number of the order in row 4", type: `${number}\r` },
      { see: "another row has it", type: `\u0015${second}\r` },
    ]
    const ran = await atTerminal(words, env, [...steps, YES])
    expect(ran.code, ran.screen).toBe(0)
    expect([await booked(), await count(second)]).toEqual([[1, 1, 1], [1]])
    const again = await atTerminal(words, env, steps)
    expect(again.code, again.screen).toBe(0)
    const results = path.join(folder, "orders.results.csv")
    const fromResults = await freight(["batch", "book", results, "--json"])
    expect(fromResults.json(), fromResults.stderr).toMatchObject({ rows: 3, booked: 3, recorded: 3 })
    expect([await booked(), await count(second)]).toEqual([[1, 1, 1], [1]])
  })

  it("leaves the number to the row that was booked under it", async () => {
    const { env, words, write, number, book, count, rows } = await repeatedDesk()
    await write([order(number, samOf(number))])
    expect((await book()).code).toBe(0)
    await write(rows)
    const first = `${number}-K`
    const ran = await atTerminal(words, env, [
      { see: "Row 4 alone: was booked on", type: SEPARATE },
      { see: "Number of the order in row 2", type: `${first}\r` },
      YES,
    ])
    expect(ran.code, ran.screen).toBe(0)
    expect(await count(number, first)).toEqual([1, 1])
  })

  it("is not two orders where each differs from what was booked under it", async () => {
    const { env, words, write, number, book, count, rows } = await repeatedDesk()
    await write([order(number, { "receiver.companyName": "Lou Before" })])
    expect((await book()).code).toBe(0)
    await write(rows)
    const ran = await atTerminal(words, env, [
      { see: `${number} is the number of`, type: `${DOWN}${DOWN}\r` },
    ])
    expect([ran.code, ran.screen]).toEqual([2, expect.stringContaining("was booked on")])
    expect(await count(number)).toEqual([1])
  })

  it("stops, and nothing is sent", async () => {
    const { env, words, booked } = await repeatedDesk()
    const ran = await atTerminal(words, env, [
      { see: "Stop, and send nothing", type: `${SEPARATE.slice(0, -1)}${DOWN}\r` },
    ])
    expect([ran.code, ran.screen]).toEqual([2, expect.stringContaining("nothing was sent")])
    expect(await booked()).toEqual([0, 0, 0])
  })
})

describe.runIf(hasTerminal)("one number on two days, at a terminal", () => {
  it("is asked about as well", async () => {
    const { env, words, write, number, count } = await repeatedDesk()
    const later = String(Number(order("-").collectionDateTime?.slice(0, 4)) + 1)
    const day = `${later}-02-03T10:00:00`
    await write([order(number), order(number, { collectionDateTime: day })])
    const ran = await atTerminal([...words, "--dry-run"], env, [
      { see: "with different collection days", type: "\r" },
    ])
    expect(ran.screen).toContain(`Row 3 alone: 3 Feb ${later}, Receiver of ${number}`)
    expect(await count(number)).toEqual([0])
  })
})

describe("one order of a shop under two references", () => {
  const FLAGS = ["--package", "30x20x10@2", "--packaging", "CT", "--service", "cheapest"]
  const CLOCK = ["--ready", order("-").collectionDateTime ?? "", "--close", "17:00"]

  async function renamedDesk() {
    const made = await repeatedDesk()
    const { number } = made
    const file = path.join(made.folder, "ebay.csv")
    const row = (reference: string, item: string) =>
      `${number},${reference},Nia ${number},71 Test Street,Fremantle,WA,6160,${item},2026-11-24`
    const write = (...references: string[]) =>
      writeFile(
        file,
        `Sales Record Number,Order Number,Ship To Name,Ship To Address 1,Ship To City,Ship To State,Ship To Zip,Item Number,Paid On Date\n${references.map((each, at) => `${row(each, `17${at}`)}\n`).join("")}`,
      )
    await made.freight(["address", "add", "warehouse", ...SENDER.flatMap((each) => ["--set", each])])
    const words = ["batch", "book", file, "--sender", "warehouse", ...FLAGS, ...CLOCK]
    await write(`${number}-1`, `${number}-1b`)
    return { ...made, words, write, one: `${number}-1`, other: `${number}-1b` }
  }

  it("is refused in a script", async () => {
    const { freight, words, one, other, count } = await renamedDesk()
    const ran = await freight(words)
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("they seem to be one order")])
    expect(ran.stderr).not.toContain("--map")
    expect(await count(one, other)).toEqual([0, 0])
  })

  it.runIf(hasTerminal)(
    "is booked once at a terminal, under the reference that the person names",
    async () => {
      const { env, words, one, other, number, count } = await renamedDesk()
      const ran = await atTerminal(words, env, [
        { see: `${number} is the number of rows 2-3, with different references`, type: "\r" },
        YES,
      ])
      expect(ran.code, ran.screen).toBe(0)
      expect(await count(one, other)).toEqual([1, 0])
    },
  )

  it.runIf(hasTerminal)("keeps the reference that it was booked under", async () => {
    const { env, words, write, freight, one, other, count } = await renamedDesk()
    await write(other)
    expect((await freight([...words, "--yes"])).code).toBe(0)
    await write(one, other)
    const ran = await atTerminal(words, env, [{ see: "Row 3 alone: was booked on", type: "\r" }])
    expect([ran.code, ran.screen]).toEqual([0, expect.not.stringContaining("Row 2 alone")])
    expect(await count(one, other)).toEqual([0, 1])
  })

  it.runIf(hasTerminal)("is two orders where the person says so", async () => {
    const { env, words, one, other, count } = await renamedDesk()
    const ran = await atTerminal(words, env, [
      { see: "Stop, and send nothing", type: SEPARATE },
      { see: "Book 2 consignments", type: "y\r" },
    ])
    expect(ran.code, ran.screen).toBe(0)
    expect(await count(one, other)).toEqual([1, 1])
  })
})
