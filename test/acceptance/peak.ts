/** The most memory that a run needs at a time. */
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"

/**
 * A module for `node --require` that notes the process's peak when it ends. Linux counts what the parent held towards
 * `maxRSS` of a process that it starts; VmHWM is the process's own.
 * @returns `read` gives megabytes
 */
export function createPeakHook(folder: string): { hook: string; read(): number } {
  const hook = path.join(folder, "hook.cjs")
  const peak = path.join(folder, "peak")
  const note = `require("node:fs").writeFileSync(${JSON.stringify(peak)},
    /VmHWM:\\s+(\\d+) kB/.exec(require("node:fs").readFileSync("/proc/self/status", "utf8"))[1])`
  writeFileSync(hook, `if (require("node:worker_threads").isMainThread) process.on("exit", () => ${note})`)
  return { hook, read: () => Number(readFileSync(peak, "utf8")) / 1024 }
}
