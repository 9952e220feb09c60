// npm run bench -- accruals: what is on no audited bill, in ledgers of several sizes.
// BENCH_BOOKINGS sets how many bookings they hold (10000,100000).
import { spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import path from "node:path"
import { bareEnv, compare, freight, NODE, sizesOf, withSandbox, workFolder } from "./measure.mjs"

const SIZES = sizesOf("BENCH_BOOKINGS", 10_000, 100_000)

/** Time and memory by the number of bookings: the memory should not grow with it. */
export async function rows() {
  const work = workFolder("accruals")
  const table = []
  await withSandbox([], async (reach) => {
    for (const bookings of SIZES) {
      const state = path.join(work, `state-${bookings}`)
      mkdirSync(state)
      const env = bareEnv(work, {
        FREIGHT_STATE_DIR: state,
        FREIGHT_CONFIG_DIR: path.join(work, "config"),
        FREIGHT_BASE_URL: reach.freightBaseUrl,
        FREIGHT_API_KEY: reach.freightApiKey,
      })
      const fill = [path.join(import.meta.dirname, "batch-fill.mjs"), String(bookings)]
      const filled = spawnSync(process.execPath, fill, { cwd: work, env, encoding: "utf8" })
      if (filled.status !== 0) throw new Error(`the ledger cannot be filled: ${filled.stderr}`)
      const report = (...words) => [process.execPath, freight, "report", "accruals", "--offline", ...words]
      table.push(
        ...(await compare(
          { what: `${bookings} bookings`, floor: ["node -e 0", NODE], times: 3, env },
          {
            "freight report accruals": report(),
            "freight report accruals --json": report("--json"),
          },
        )),
      )
    }
  })
  return table
}
