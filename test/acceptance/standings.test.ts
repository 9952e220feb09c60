/** Answers of each door about an order, for every state in the ledger. standings.txt shows them to readers. */

import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { stripVTControlCharacters } from "node:util"
import { expect, it } from "vitest"
import { groupBy } from "../../src/base/grouping.ts"
import { draw } from "../drawn.ts"
import { ownBooking } from "./bookings.ts"
import { countByShop, DOORS, type Door, openDoors, type Said } from "./doors.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { take } from "./wizard.ts"

const sandbox = await fileSandbox()

type Desk = Awaited<ReturnType<typeof desk>>
const shopOf = (number: string) => `Shop of ${number}`
const book = (made: Desk, door: Door, number: string, shop = shopOf(number)) =>
  openDoors(made)(door, [{ shop, number }])
const loseReply = () => sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })

async function saveBooking(folder: string, companyName: string): Promise<string> {
  const booking = ownBooking()
  const file = path.join(folder, "booking.json")
  await writeFile(file, JSON.stringify({ ...booking, receiver: { ...booking.receiver, companyName } }))
  return file
}

/** The actions before an order of that number comes by a door. */
const BEFORE: Readonly<Record<string, (number: string, made: Desk) => Promise<unknown>>> = {
  "Nothing was booked.": async () => {},
  "It was booked by hand under its number, which is no reference there.": (number, made) =>
    book(made, "file --key", number),
  "It was booked by a batch.": (number, made) => book(made, "csv", number),
  "It was booked by hand without a key, with its number as the reference.": (number, made) =>
    book(made, "file", number),
  "It was booked by hand under the path of its file, with its number as the reference.": (number, made) =>
    openDoors(made, ["--key", `orders/${number}.json`])("file", [{ shop: shopOf(number), number }]),
  "Another order was booked under its number.": (number, made) =>
    book(made, "csv", number, `Other shop of ${number}`),
  "It was sent by hand under its number, and the reply was lost.": async (number, made) => {
    await loseReply()
    await book(made, "file --key", number)
  },
  "It was sent by a batch, and the reply was lost.": async (number, made) => {
    await loseReply()
    await book(made, "csv", number)
  },
  "It was booked with another ledger.": async (number) => book(await desk(sandbox), "file", number),
}

const NOISE: readonly (readonly [RegExp, string])[] = [
  [/\s+/g, " "],
  [/ row \d+ /g, " row N "],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g, "ID"],
  [/SBB\d+/g, "CONSIGNMENT"],
  [/\w{3} \d+ \w{3} \d{4}, \d\d:\d\d/g, "DAY"],
]

/** The error with its hint and what comes next; otherwise what became of it. */
function describe({ code, text }: Said, number: string): string {
  const shown = stripVTControlCharacters(text)
  const plain = NOISE.reduce((all, [noise, word]) => all.replace(noise, word), shown).replaceAll(
    number,
    "NUMBER",
  )
  const error = /error: .*$/
    .exec(plain)?.[0]
    .replace(/ *NUMBER: (?=\w+, (?:shipment|was|sent|duplicate)).*$/, "")
  const state = /"state":"([\w-]+)"/.exec(plain)?.[1]
  const before = /(?:Booked|Made) before under this key|and is not sent: NUMBER was booked/.test(plain)
  const told = error?.trim() ?? (before ? "booked before" : (state ?? "booked"))
  return `exit code ${code}: ${told}`
}

it.runIf(hasTerminal).each([
  ["no", [], 2, 1],
  ["yes", [{ type: "y" }], 0, 2],
] as const)(
  "a person is asked whether a second one is meant, and says %s",
  async (answer, keys, code, count) => {
    const made = await desk(sandbox)
    const shop = shopOf(answer)
    const saved = await saveBooking(made.folder, shop)
    const first = await made.freight(["book", "--file", saved, "--connector", "connector-c"])
    expect(first.code, first.stderr).toBe(0)
    const seat = await sitDown(["book", "--file", saved, "--connector", "connector-c"], made.env)
    await take(seat, [["Book a second one? (y/N)", ...keys, "enter"]])
    if (answer === "yes") await take(seat, [["? Book it: AUD", { type: "y" }, "enter"]])
    expect(await seat.exit, await seat.scrollback()).toBe(code)
    expect((await countByShop(sandbox)).get(shop)).toBe(count)
  },
)

it.runIf(hasTerminal)(
  "a person is asked whether a second one is meant where the reference was booked for another day; a script has a note",
  async () => {
    const made = await desk(sandbox)
    const shop = shopOf("another day")
    const saved = await saveBooking(made.folder, shop)
    const line = (key: string, day: string) =>
      `book --file ${saved} --connector connector-c --reference R-1 --key ${key} --ready ${day}T10:00`.split(
        " ",
      )
    const first = await made.freight(line("K-1", "2031-02-26"))
    expect(first.code, first.stderr).toBe(0)
    const seat = await sitDown(line("K-2", "2031-02-27"), made.env)
    await take(seat, [[/Book a\s+second one\? \(y\/N\)/, "enter"]])
    expect(await seat.exit, await seat.scrollback()).toBe(2)
    expect((await countByShop(sandbox)).get(shop)).toBe(1)
    const script = await made.freight(line("K-2", "2031-02-27"))
    expect([script.code, script.stderr]).toEqual([0, expect.stringContaining("This is another one.")])
    expect((await countByShop(sandbox)).get(shop)).toBe(2)
  },
)

const FILE = path.join(import.meta.dirname, "standings.txt")
const PAIRS = Object.keys(BEFORE).flatMap((before) => DOORS.map((door) => ({ before, door })))

/** The answers in the file, by `BEFORE, door`. */
async function readStandings(): Promise<Map<string, string>> {
  const [, ...blocks] = (await readFile(FILE, "utf8")).trimEnd().split(/\n\n(?=\S)/)
  return new Map(
    blocks.flatMap((block) => {
      const [before = "", , ...rest] = block.split("\n")
      return rest.flatMap((doors, at) =>
        at % 2 === 0
          ? doors.split(",").map((door) => [`${before}, ${door.trim()}`, rest[at + 1]?.trim() ?? ""] as const)
          : [],
      )
    }),
  )
}

it("an order that has its number as its key alone is not booked beside one that has it as its reference", async () => {
  const { folder, freight } = await desk(sandbox)
  const { customerReference: number, ...booking } = ownBooking()
  const bookFile = async (name: string, key: string, changes: object) => {
    await writeFile(path.join(folder, name), JSON.stringify({ ...booking, ...changes }))
    return freight(["book", "--sandbox", "--file", name, "--key", key, "--yes"])
  }
  const first = await bookFile("first.json", `orders/${number}.json`, { customerReference: number })
  expect(first.code, first.stderr).toBe(0)
  expect(await bookFile("second.json", number, {})).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("with the same goods for the same receiver"),
  })
})

it("each way to book answers as standings.txt says; -u with FREIGHT_TEST_EVERY=1 writes it", async () => {
  const drawn = draw(PAIRS)
  const found = new Map<string, string>()
  for (const [at, { before, door }] of drawn.entries()) {
    const number = `X-${at + 101}`
    const made = await desk(sandbox)
    await BEFORE[before]?.(number, made)
    const [said] = (await book(made, door, number)) as [Said]
    found.set(`${before}, ${door}`, describe(said, number))
  }
  if (drawn.length < PAIRS.length) {
    const standings = await readStandings()
    expect(found).toEqual(new Map([...found.keys()].map((each) => [each, standings.get(each)])))
    return
  }
  const lines = ["What each door says of an order. Doors that say the same stand together."]
  for (const before of Object.keys(BEFORE)) {
    const doors = groupBy(DOORS, (door) => found.get(`${before}, ${door}`) ?? "")
    lines.push("", before, "")
    for (const [words, some] of doors) lines.push(`  ${some.join(", ")}`, `    ${words}`)
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(FILE)
}, 900_000)
