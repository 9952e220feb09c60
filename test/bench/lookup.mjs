// npm run bench -- lookup: finding one booking by its names in a ledger that has been in use.
// BENCH_EARLIER sets how many entries it holds (50,000).
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { bareEnv, compare, freight, NODE, sizesOf, withSandbox, workFolder } from "./measure.mjs"
import { order } from "./orders.mjs"

const [EARLIER] = sizesOf("BENCH_EARLIER", 50_000)

/** Times of commands that look for one booking, with a new ledger and with a full one. */
export async function rows() {
  const work = workFolder("lookup")
  const table = []
  await withSandbox([], async (reach) => {
    for (const entries of [0, EARLIER]) {
      const state = path.join(work, `state-${entries}`)
      mkdirSync(state)
      const env = bareEnv(work, {
        FREIGHT_STATE_DIR: state,
        FREIGHT_CONFIG_DIR: path.join(work, "config"),
        FREIGHT_BASE_URL: reach.freightBaseUrl,
        FREIGHT_API_KEY: reach.freightApiKey,
      })
      const run = (...words) => {
        const ran = spawnSync(process.execPath, words, { cwd: work, env, encoding: "utf8" })
        if (ran.status !== 0) throw new Error(`${words.join(" ")} ended with ${ran.status}: ${ran.stderr}`)
        return ran.stdout
      }
      if (entries > 0) run(path.join(import.meta.dirname, "batch-fill.mjs"), String(entries))
      const [file, results] = [`order-${entries}.json`, `booked-${entries}.ndjson`]
      writeFileSync(path.join(work, file), JSON.stringify([order(entries)]))
      run(freight, "batch", "book", file, "--no-rate", "--results", results)
      const { consignmentNumber, reference } = JSON.parse(readFileSync(path.join(work, results), "utf8"))
      const what = `a ledger of ${entries} entries`
      table.push(
        ...(await compare(
          { what, floor: ["node -e 0", NODE], times: 5, env },
          {
            "freight track NUMBER": [process.execPath, freight, "track", consignmentNumber],
            "freight track REFERENCE": [process.execPath, freight, "track", reference],
            "freight shipments show REFERENCE": [process.execPath, freight, "shipments", "show", reference],
            "freight reconcile": [process.execPath, freight, "reconcile"],
          },
        )),
      )
    }
  })
  return table
}
