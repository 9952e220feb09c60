// Loaded before a program that uses the library: ends its process with SIGKILL at the await that FREIGHT_TEST_KILL_AT
// numbers, and says at the end how many there were. What a killed process leaves is soon nobody's: its lease is short.
const { createHook } = require("node:async_hooks")
const { writeSync } = require("node:fs")

const file = require.resolve("../../dist/main.cjs")
const main = require(file)
const programHost = (options) => ({ ...main.programHost(options), leaseMs: 1_500 })
require.cache[file].exports = { ...main, programHost }

const at = Number(process.env.FREIGHT_TEST_KILL_AT)
const awaits = new Set()
let count = 0
createHook({
  init(id, type) {
    if (type === "PROMISE") awaits.add(id)
  },
  before(id) {
    if (awaits.delete(id) && ++count === at) process.kill(process.pid, "SIGKILL")
  },
}).enable()
process.on("exit", () => writeSync(2, `awaits: ${count}\n`))
