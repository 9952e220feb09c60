/** The simulation for `npm run simulate`, with whichever SQLite this Node has. */
import { synchronousDriver } from "./driver.ts"
import { type Report, simulate } from "./simulate.ts"

export function run(seed: number, steps: number): Promise<Report> {
  return simulate(seed, steps, synchronousDriver)
}
