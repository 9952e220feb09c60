/**
 * Random keys at every question of the wizard: a booking is made only by Enter while "Book it" is highlighted and nothing
 * is typed. `FREIGHT_TEST_KEY_RUNS` is the number of runs: CI makes 150 of them, and 10,000 take an hour and a half.
 */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import xterm from "@xterm/headless"
import { describe, expect, it } from "vitest"
import { inquirerDesk } from "../output/terminal/conversation/desks.ts"
import { ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { numbersFrom } from "./numbers.ts"

const RUNS = Number(process.env.FREIGHT_TEST_KEY_RUNS ?? 24)
const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 1)
const MAX_KEYS = 60
const RUNS_EACH = 50
/** Questions that Enter answers on the way to the review. */
const MAX_ANSWERS = 30

const ENTER = "\r"
const CTRL_C = "\u0003"
const DOWN = "\u001b[B"
const ARROWS = ["\u001b[A", DOWN]
const OTHERS = [
  "\u001b",
  "\t",
  " ",
  "\u007f",
  "\u0015",
  "zzz",
  "change",
  "1",
  "y",
  "n",
  "0",
  "b",
  "book",
  "b\r",
  "zz\r",
  "é\u200b",
]

/** All keys but Enter are likely to be followed by Enter: it is what books. */
function drawKeys(random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ENTER
  const draw = random()
  return draw < 0.6 ? ENTER : draw < 0.8 ? pick(ARROWS) : pick(OTHERS)
}

const PAINT = {
  unNumber: "1263",
  hazClass: "3",
  packingGroup: "II",
  shippingName: "PAINT",
  packageType: "Fibreboard box",
  quantity: 3,
  aggregateQuantity: 30,
  contactName: "Lee Watson",
  contactPhone: "0412 345 678",
}

/** The conversation's screen, and whether Enter may book: what is asked last is "Book it?", with nothing typed. */
function watchScreen(written: () => string) {
  const screen = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  let at = 0
  return async () => {
    // Also draw output that arrives meanwhile, so that the next key meets the screen that a person sees.
    while (at < written().length) {
      const more = written().slice(at).replaceAll("\n", "\r\n")
      at = written().length
      await new Promise<void>((resolve) => screen.write(more, resolve))
    }
    const { active } = screen.buffer
    return Array.from({ length: screen.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    ).join("\n")
  }
}

const ASKS_TO_BOOK = /^\? Book it\?\n(?:.*\n)*?❯ (?:Book it|Show that booking)/m

/** Lets what a key did be drawn. */
async function settle(written: () => string): Promise<void> {
  for (let quiet = 0, before = ""; quiet < 6; quiet = written() === before ? quiet + 1 : 0) {
    before = written()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe("random keys in the wizard", () => {
  for (let first = SEED; first < SEED + RUNS; first += RUNS_EACH)
    it(`book only by Enter on "Book it" with nothing typed, from seed ${first}`, async () => {
      const made = await desk()
      const { serviceCode: _, ...booking } = ownBooking()
      const { receiver } = booking
      const goods = { ...booking, dangerousGoods: true, dangerousGoodsDetails: PAINT }
      const home = { ...receiver, residential: true }
      for (const [name, content] of Object.entries({ booking, goods, home }))
        await writeFile(path.join(made.folder, `${name}.json`), JSON.stringify(content))
      await made.freight(["address", "add", "home", "--file", "home.json"])
      const standing = [
        "book",
        "--sandbox",
        "--file",
        "booking.json",
        "--service",
        "cheapest",
        "--yes",
        "--json",
      ]
      const { shipmentId } = (await made.freight(standing)).json<{ shipmentId: string }>()
      const count = async () =>
        (await made.freight(["shipments", "list", "--sandbox", "--json"])).json<{ total: number }>().total
      /** Complete but for the service: plain, of dangerous goods, to a saved home, and what brings the first one back. */
      const starts = [
        ["--file", "booking.json"],
        ["--file", "goods.json"],
        ["--file", "booking.json", "--receiver", "home"],
        ["--return-of", shipmentId],
      ]
      let booked = await count()
      let bookings = 0
      for (let seed = first; seed < Math.min(first + RUNS_EACH, SEED + RUNS); seed++) {
        const random = numbersFrom(seed)
        const { conversation, type, written, stop } = inquirerDesk()
        const draw = watchScreen(written)
        // Every third run is random from the first question of an empty booking, the others from the review.
        const isFromReview = seed % 3 !== 0
        const words = isFromReview ? [...(starts[Math.floor(seed / 3) % starts.length] ?? []), "--again"] : []
        let hasEnded = false
        const run = made
          .freight(["book", "--sandbox", ...words], {
            columns: 80,
            host: { converse: async () => conversation, signal: stop.signal },
          })
          .finally(() => {
            hasEnded = true
          })
        let answers = 0
        while (isFromReview && !hasEnded && answers <= MAX_ANSWERS) {
          await settle(written)
          const shown = await draw()
          if (shown.includes("? Book it?")) break
          // Drafts of earlier runs may lack details that only a person can give. The last choice discards them.
          if (!/^\? /m.test(shown)) continue
          type(/^\? .*\bContinue\b/m.test(shown) ? `${DOWN.repeat(9)}${ENTER}` : ENTER)
          answers++
        }
        expect({ seed, answers: answers <= MAX_ANSWERS ? answers : await draw() }).toEqual({
          seed,
          answers: expect.any(Number),
        })
        expect({ seed, hasEnded }).toEqual({ seed, hasEnded: false })
        let mayHaveBooked = false
        const keys: string[] = []
        for (let pressed = 0; pressed < MAX_KEYS && !hasEnded; pressed++) {
          const key = drawKeys(random)
          await settle(written)
          if (key === ENTER && ASKS_TO_BOOK.test(await draw())) mayHaveBooked = true
          keys.push(key)
          type(key)
        }
        while (!hasEnded) {
          type(CTRL_C)
          await settle(written)
        }
        await run
        const total = await count()
        expect({ seed, keys, more: total - booked }).toEqual({
          seed,
          keys,
          more: mayHaveBooked ? expect.toBeOneOf([0, 1]) : 0,
        })
        bookings += total - booked
        booked = total
      }
      // Runs that never come to a booking would prove nothing.
      expect(bookings).toBeGreaterThan(0)
    })
})
