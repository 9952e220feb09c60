// The built program. It tells the moments of a create on descriptor 3, and ends itself with SIGKILL at the one that
// FREIGHT_TEST_KILL_AT names. Its clock is FREIGHT_TEST_AHEAD_MS ahead.
import { writeSync } from "node:fs"
import { main, processHost } from "../../dist/main.cjs"

const at = (moment) => {
  writeSync(3, `${moment}\n`)
  process.emit("freight-test-moment")
  if (moment === process.env.FREIGHT_TEST_KILL_AT) process.kill(process.pid, "SIGKILL")
}
/** Short, so that what a killed process leaves is soon nobody's. */
const LEASE_MS = 1_500
const host = processHost({ colour: false })
const ahead = Number(process.env.FREIGHT_TEST_AHEAD_MS ?? 0)
process.exitCode = await main(process.argv.slice(2), {
  ...host,
  clock: { ...host.clock, now: () => host.clock.now() + ahead },
  at,
  leaseMs: LEASE_MS,
})
