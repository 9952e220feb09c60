/**
 * The promise of batches, put to the test: a batch is killed at random awaits while the service drops connections,
 * turns requests away, fails and hangs, and is run again until it is done. The sandbox's own books judge.
 * FREIGHT_TEST_BATCHES=500 runs the long form.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { type BatchPlan, type BatchStory, batchDays } from "./batch-days.ts"

const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 20_261_123)
const BATCHES = Number(process.env.FREIGHT_TEST_BATCHES ?? 8)
const PLAN: BatchPlan = { batches: BATCHES, atOnce: 4, rows: 60, kills: BATCHES > 100 ? 1 : 3, seed: SEED }
const LEDGERS = [
  { name: "SQLite", isThere: true, newLedger: async () => undefined },
  { name: "PostgreSQL", isThere: SERVER !== undefined, newLedger: () => newDatabase(true) },
]

describe.each(
  LEDGERS,
)(`a batch that is killed, with a ledger in $name (FREIGHT_TEST_SEED=${SEED})`, (ledger) => {
  const on = it.runIf(ledger.isThere)
  let stories: BatchStory[] = []

  beforeAll(async () => {
    if (ledger.isThere) stories = await batchDays(PLAN, ledger.newLedger)
  }, 7_200_000)

  on("was killed in the middle, most times", async ({ annotate }) => {
    const killed = stories.reduce((sum, story) => sum + story.killed, 0)
    const unknown = stories.flatMap(({ reports }) =>
      reports.flatMap(({ states }) => states.get("unknown") ?? []),
    )
    const runs = stories.reduce((sum, { reports }) => sum + reports.length, 0)
    await annotate(
      `${killed} kills of ${stories.length} batches, ${runs} runs to the end, ${unknown.length} unknown rows`,
    )
    expect(killed).toBeGreaterThan((PLAN.batches * PLAN.kills) / 2)
  })

  on("books every row once: none twice, none never", () => {
    const wrong = stories.flatMap(({ references, booked }) =>
      references.filter((reference) => booked.get(reference)?.length !== 1),
    )
    expect(wrong).toEqual([])
  })

  on("reports each row that may exist, and loses none that does", () => {
    const lost = stories.flatMap(({ reports }) =>
      reports.flatMap(({ states, booked }) => {
        const known = new Set([...(states.get("booked") ?? []), ...(states.get("unknown") ?? [])])
        return [...booked.keys()].filter((reference) => !known.has(reference))
      }),
    )
    expect(lost).toEqual([])
  })

  on("calls booked only what is", () => {
    const dreamt = stories.flatMap(({ reports }) =>
      reports.flatMap(({ states, booked }) =>
        (states.get("booked") ?? []).filter((reference) => !booked.has(reference)),
      ),
    )
    expect(dreamt).toEqual([])
  })

  on("names every row without a known outcome, and ends with 7 then, and otherwise by what failed", () => {
    const wrong = stories.flatMap(({ reports }) =>
      reports.filter(({ code, states, told, summary }) => {
        const unknown = states.get("unknown") ?? []
        const expected = unknown.length > 0 ? 7 : summary.failed > 0 ? 1 : 0
        return code !== expected || unknown.some((reference) => !told.includes(reference))
      }),
    )
    expect(wrong.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual([])
  })

  on("has a result for every row", () => {
    const counts = stories.flatMap(({ reports }) =>
      reports.map(({ states }) => [...states.values()].reduce((sum, { length }) => sum + length, 0)),
    )
    expect(new Set(counts)).toEqual(new Set([PLAN.rows]))
  })
})
