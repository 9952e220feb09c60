// The built program for which waits go by faster, as they do on its clock: between tries, and for a sandbox within it.

/** How many times as fast. */
const SPEED = 20

/** Waits that overlap do so on the clock as well. `onSkip` is told of the milliseconds that did not go by. */
function createFastClock({ now, sleep, elapsed }, onSkip = async () => {}) {
  let ahead = 0
  return {
    now: () => now() + ahead,
    elapsed: () => elapsed() + ahead,
    async sleep(ms, signal) {
      const until = now() + ahead + ms
      await sleep(ms / SPEED, signal)
      const skipped = until - now() - ahead
      if (skipped <= 0) return
      ahead += skipped
      await onSkip(skipped)
    },
  }
}
module.exports = { createFastClock }

if (require.main === module) {
  const { main, processHost } = require("../../dist/main.cjs")
  const host = processHost({ colour: !process.argv.includes("--no-color") })
  main(process.argv.slice(2), { ...host, clock: createFastClock(host.clock) }).then((code) => {
    process.exitCode = code
  })
}
