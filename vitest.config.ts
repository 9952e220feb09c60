import { defineConfig } from "vitest/config"

// What people see is told by this clock; a test that is about another one says so.
process.env.TZ = "UTC"
const report = process.env.FREIGHT_TEST_REPORT

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    globalSetup: "test/tidy.ts",
    // Vitest leaves one core to itself otherwise, and much of the time is spent waiting for processes.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: report ? ["default", "json"] : ["default"],
    ...(report && { outputFile: { json: report } }),
  },
})
