/** The simulation for `npm run simulate`, with whichever SQLite this Node has. */
import { synchronousDriver } from "./driver.ts"
import { findingsIn, type Report } from "./report.ts"
import { simulate } from "./simulate.ts"

export async function run(
  seed: number,
  steps: number,
): Promise<{ report: Report; findings: Record<string, string[]> }> {
  const report = await simulate(seed, steps, synchronousDriver)
  return { report, findings: findingsIn(report) }
}
