import { readFileSync } from "node:fs"
import path from "node:path"
import { defineConfig } from "vitest/config"
import { throughDoors } from "./scripts/doors.mjs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// What people see is told by this clock; a test that is about another one says so.
process.env.TZ = "UTC"
const report = process.env.FREIGHT_TEST_REPORT

/** Each takes far longer than its size says: begun last, it would run on alone. */
const LONGEST =
  /\/(at-once|at-once-server|kill|batch-kill|audit-memory|changing|pre-commit|wizard|databases)(\.long)?\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, "package.json"), "utf8"))

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [throughDoors],
  resolve: { alias: { "string-width": path.resolve(import.meta.dirname, "scripts/string-width.cjs") } },
  test: {
    // Packages are loaded as they are, without the alias, but for this one.
    deps: { optimizer: { ssr: { enabled: true, include: ["cli-table3"] } } },
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    globalSetup: "test/tidy.ts",
    setupFiles: ["test/asserts.ts", ...(process.env.FREIGHT_TEST_COSTS ? ["test/costs.ts"] : [])],
    // Starting a process and loading freight's modules for each of 300 files took a third of the time. No test changes
    // what another one finds: modules are not replaced, and the environment is put back.
    isolate: false,
    // What Vite makes of a module is kept in node_modules, by what is in it: each run after the first takes a third less.
    experimental: { fsModuleCache: true },
    // More than there are cores: much of the time is spent waiting for processes, and for labels.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // For what hangs: beside others, as in CI, a test gets a tenth of a core.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: report ? ["default", "json"] : ["default"],
    ...(report && { outputFile: { json: report } }),
  },
})
