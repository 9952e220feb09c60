// Whole processes, measured in turn with the floor that each is measured against: by time, and, where the system tells
// it, by CPU, which other work on the machine changes far less.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"

export const root = path.resolve(import.meta.dirname, "../..")
export const freight = path.join(root, "bin/freight.js")
export const NODE = [process.execPath, "-e", "0"]

/** BENCH_SCALE=0.01 makes everything that small, to see that each part ends. */
const SCALE = Number(process.env.BENCH_SCALE ?? 1)

/** How many rows, files or MB a part has: those of a variable (BENCH_ROWS=100,1000), or as many as are usual. */
export function sizesOf(variable, ...usual) {
  return process.env[variable]?.split(",").map(Number) ?? usual.map((size) => Math.ceil(size * SCALE))
}

/** An empty folder for what a part of the bench needs. */
export function workFolder(name) {
  const folder = path.join(root, ".build/bench", name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** An environment with next to nothing in it: NODE_EXTRA_CA_CERTS alone costs Node more than a start. */
export function bareEnv(home, more = {}) {
  return { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", ...more }
}

/** @param work gets how to reach the sandbox, and its state folder */
export async function withSandbox(flags, work) {
  const state = mkdtempSync(path.join(tmpdir(), "freight-bench-sandbox-"))
  const child = spawn(process.execPath, [freight, "sandbox", "start", "--json", ...flags], {
    env: { PATH: process.env.PATH, HOME: state, FREIGHT_STATE_DIR: state },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines = createInterface({ input: child.stdout })
  const ended = once(lines, "close").then(() => Promise.reject(new Error("the sandbox cannot be started")))
  const [line] = await Promise.race([once(lines, "line"), ended])
  ended.catch(() => {})
  try {
    await work(JSON.parse(line), state)
  } finally {
    child.kill("SIGTERM")
    await once(child, "exit")
    rmSync(state, { recursive: true, force: true })
  }
}

/**
 * Runs each command and the floor in turn, so that a slow moment strikes all alike; the first of several turns does not
 * count.
 * @param what `{ what, floor: [name, command], times, env, cwd, codes }`; `codes` are the exit codes that are an answer
 * @param commands by name
 * @returns a row for the floor and for each: `{ what, command, took, ratio, CPU, "CPU ratio", "peak MB" }`; times by
 * medians, CPU as a mean
 */
export async function compare({ what, floor: [floorName, floor], times, ...how }, commands) {
  const all = Object.entries({ [floorName]: floor, ...commands })
  const turns = Math.ceil(times * Math.min(SCALE, 1))
  const runs = new Map(all.map(([name]) => [name, []]))
  for (let turn = turns > 1 ? 0 : 1; turn <= turns; turn++)
    for (const [name, command] of all) {
      const run = await timed(command, how)
      if (turn > 0) runs.get(name).push(run)
    }
  const msOf = (name) => median(runs.get(name).map(({ ms }) => ms))
  const cpuOf = (name) => mean(runs.get(name).map(({ cpuMs }) => cpuMs))
  const rows = all.map(([name]) => ({
    what,
    command: name,
    took: `${Math.round(msOf(name))} ms`,
    ratio: Number((msOf(name) / msOf(floorName)).toFixed(2)),
    ...(cpuOf(floorName) > 0 && {
      CPU: `${Math.round(cpuOf(name))} ms`,
      "CPU ratio": Number((cpuOf(name) / cpuOf(floorName)).toFixed(2)),
    }),
    "peak MB": Math.round(Math.max(...runs.get(name).map(({ mb }) => mb))),
  }))
  // A whole run takes long, and may be ended before its table.
  for (const row of rows) console.error(Object.values(row).join("  "))
  return rows
}

// 1 is an answer too: something is not valid.
function timed([command, ...args], { env, cwd, codes = [0, 1] }) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    const before = cpuOfChildren()
    const child = spawn(command, args, { env, cwd, stdio: "ignore" })
    let high = 0
    const look = setInterval(() => {
      high = Math.max(high, highWater(child.pid))
    }, 20)
    child.on("error", reject)
    child.on("exit", (code) => {
      clearInterval(look)
      if (!codes.includes(code)) reject(new Error(`${[command, ...args].join(" ")} ended with ${code}`))
      else
        resolve({
          ms: Number(process.hrtime.bigint() - start) / 1e6,
          cpuMs: cpuOfChildren() - before,
          mb: high / 1024,
        })
    })
  })
}

/** Peak resident memory in kB, where the system tells it. */
function highWater(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** CPU of all children that have ended, in ms to the hundredth of a second; 0 where the system does not tell. */
function cpuOfChildren() {
  try {
    const [user, system] = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ").slice(13, 15)
    return (Number(user) + Number(system)) * 10
  } catch {
    return 0
  }
}

function mean(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
