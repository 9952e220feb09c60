// Loaded before a program: ends its process with SIGKILL at the await that FREIGHT_TEST_KILL_AT numbers. "+12" counts from
// the first moment of a create that killable.mjs tells. A run that ends by itself says how many awaits there were.
const { createHook } = require("node:async_hooks")
const { writeSync } = require("node:fs")

const given = process.env.FREIGHT_TEST_KILL_AT ?? ""
const isLater = given.startsWith("+")
let at = isLater ? Number.POSITIVE_INFINITY : Number(given)
const awaits = new Set()
let count = 0
let first = 0
createHook({
  init(id, type) {
    if (type === "PROMISE") awaits.add(id)
  },
  before(id) {
    if (awaits.delete(id) && ++count === at) process.kill(process.pid, "SIGKILL")
  },
}).enable()
process.once("freight-test-moment", () => {
  first = count
  if (isLater) at = count + Number(given)
})
process.on("exit", () => writeSync(2, `awaits: ${count}, ${count - first} after the first moment\n`))
