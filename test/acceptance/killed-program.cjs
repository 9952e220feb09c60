// Loaded before a program that uses the library, after kill-at-await.cjs: what a killed process leaves is soon nobody's, as
// its lease is short.
const file = require.resolve("../../dist/main.cjs")
const main = require(file)
const programHost = (options) => ({ ...main.programHost(options), leaseMs: 1_500 })
require.cache[file].exports = { ...main, programHost }
