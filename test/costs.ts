/** Writes what each test file cost to the file of `FREIGHT_TEST_COSTS`, a line each: seconds of processor time, and processes started. */
import childProcess from "node:child_process"
import diagnostics from "node:diagnostics_channel"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import path from "node:path"
import { afterAll, expect } from "vitest"

/** A test may have left the working folder to a command. */
const ROOT = path.resolve(import.meta.dirname, "..")
const COSTS = process.env.FREIGHT_TEST_COSTS

/** Clock ticks a second, as /proc counts. */
const TICKS = 100

/** Set up once in each worker, which runs many files. */
const worker = globalThis as { freightTestProcesses?: { started: number } }
worker.freightTestProcesses ??= countProcesses()
const counter = worker.freightTestProcesses

function countProcesses(): { started: number } {
  const counted = { started: 0 }
  // Counts spawn, fork, exec and execFile.
  diagnostics.subscribe("child_process", () => void counted.started++)
  const sync = childProcess as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const name of ["spawnSync", "execFileSync", "execSync"]) {
    const start = sync[name]
    sync[name] = (...args) => {
      counted.started++
      return start?.(...args)
    }
  }
  syncBuiltinESMExports()
  return counted
}

/** Seconds of this process, and of all that it started and that have ended. */
function readSeconds(): number {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  if (!existsSync("/proc/self/stat")) return own
  // The name, in brackets, may hold spaces; after it stand the fields from the third on.
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
  return own + (Number(fields[13]) + Number(fields[14])) / TICKS
}

const before = { seconds: readSeconds(), started: counter.started }

afterAll(() => {
  const file = path.relative(ROOT, expect.getState().testPath ?? "")
  const cost = { file, seconds: readSeconds() - before.seconds, started: counter.started - before.started }
  appendFileSync(COSTS ?? "", `${JSON.stringify(cost)}\n`)
})
