/** Objects cost time when they are made and again when they are collected; how many bytes they take does not vary. */
import { spawnSync } from "node:child_process"
import path from "node:path"
import { expect, it } from "vitest"

/** The heap of young objects, in MB, is never full. */
const FLAGS = ["--no-opt", "--no-sparkplug", "--single-threaded", "--hash-seed=1", "--random-seed=1"].concat(
  ["min", "max"].map((bound) => `--${bound}-semi-space-size=128`),
)

it("one invoice and one row of a batch allocate no more than they did", () => {
  const script = path.join(import.meta.dirname, "allocated.mjs")
  const { stdout, stderr } = spawnSync(process.execPath, [...FLAGS, script], { encoding: "utf8" })
  const { invoice, row }: Record<string, number> = JSON.parse(stdout || JSON.stringify(stderr))
  expect(invoice).toBeGreaterThan(30_000)
  expect(invoice).toBeLessThan(36_000)
  expect(row).toBeGreaterThan(130_000)
  expect(row).toBeLessThan(162_000)
})
