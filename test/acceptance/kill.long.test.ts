/**
 * The promise of the ledger, put to the test: bookings of the real program are killed at every boundary and at random
 * awaits, and run again. At the end the sandbox's own books judge. FREIGHT_TEST_DESKS=40 kills more than a thousand of
 * each ledger.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { killDays, type Plan, type Story } from "./kill-days.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { BOUNDARIES, type Kill, shipmentIn } from "./kills.ts"

/** The same seed draws the same awaits. */
const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 20_261_121)
const RANDOM = { start: 3, "before-intent": 8 }
const DESKS = process.env.FREIGHT_TEST_DESKS
const KINDS: { name: string; plan: Plan; least: number; isThere: boolean }[] = [
  {
    name: "SQLite",
    plan: { desks: Number(DESKS ?? 8), atOnce: 4, random: RANDOM, seed: SEED },
    least: 200,
    isThere: true,
  },
  {
    name: "PostgreSQL",
    plan: {
      desks: Number(DESKS ?? 3),
      atOnce: 3,
      random: RANDOM,
      seed: SEED + 1,
      ledger: () => newDatabase(true),
    },
    least: 70,
    isThere: SERVER !== undefined,
  },
]

/** Exit codes that the same command may have right after a kill. */
function codesAfter({ at, keyed }: Kill): number[] {
  const recorded = keyed ? 0 : 1
  if (typeof at === "object") return [0, 7, recorded]
  if (at === "before-intent") return [0]
  return at === "after-outcome" ? [recorded] : [7]
}

for (const { name, plan, least, isThere } of KINDS)
  describe.runIf(isThere)(
    `bookings that are killed in the middle, with a ledger in ${name} (FREIGHT_TEST_SEED=${SEED})`,
    () => {
      let stories: Story[] = []

      beforeAll(async () => {
        stories = await killDays(plan)
      }, plan.desks * 300_000)

      /** The stories in which something is not as it must be. */
      function wrong(isRight: (story: Story) => boolean) {
        return stories
          .filter((story) => !isRight(story))
          .map(({ again, last, ...story }) => ({
            ...story,
            again: `${again.code} ${again.stderr}`,
            last: `${last.code} ${last.stderr}`,
          }))
      }

      it(`are over ${least}, at every boundary and between, with a key and without`, async ({ annotate }) => {
        const killed = stories.filter(({ inTime }) => inTime)
        const random = killed.filter(({ at }) => typeof at === "object")
        const unknown = random.filter(({ again }) => again.code === 7)
        const places = new Set(
          killed.map(
            ({ at, keyed }) => `${JSON.stringify(typeof at === "string" ? at : [at.after])} ${keyed}`,
          ),
        )
        await annotate(
          `${killed.length} killed: ${killed.length - random.length} at boundaries, ${random.length} at random, ` +
            `of those ${unknown.length} between the intent and the outcome`,
        )
        expect(places.size).toBe(2 * (BOUNDARIES.length + 2))
        expect(killed.length).toBeGreaterThanOrEqual(least)
      })

      it("are sent by the next run where nothing was claimed, and not where the outcome is not known", () => {
        expect(wrong((story) => codesAfter(story).includes(story.again.code ?? -1))).toEqual([])
      })

      it("are found by reconcile exactly where the server has them", () => {
        const fits: Partial<Record<string, number>> = { settled: 1, none: 0 }
        expect(
          wrong(
            ({ outcome, bookedBefore }) => outcome === undefined || fits[outcome] === bookedBefore.length,
          ),
        ).toEqual([])
      })

      it("are booked once each: none twice, none never", () => {
        expect(wrong(({ booked }) => booked.length === 1)).toEqual([])
      })

      it("are in the ledger with their shipment, and none of them is open", () => {
        expect(wrong(({ booked, done, open }) => done.join() === booked.join() && open === 0)).toEqual([])
      })

      it("were sent once, and a second time only where the first had come to nothing and was released", () => {
        expect(
          wrong(({ sent, outcome, bookedBefore }) => {
            const released = outcome === "none" && bookedBefore.length === 0
            return sent === 1 || (released && sent === 2)
          }),
        ).toEqual([])
      })

      it("tell their one shipment in the end: as the result, or as the reason to refuse", () => {
        expect(
          wrong(({ keyed, last, booked, bookedBefore, again }) => {
            // A killed reconcile may have settled some without reporting them.
            const settled = again.code === 7 && bookedBefore.length > 0
            const refused = !keyed && (settled || again.code === 1)
            return last.code === (refused ? 1 : 0) && shipmentIn(last) === booked[0]
          }),
        ).toEqual([])
      })
    },
  )
