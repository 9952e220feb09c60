/** Whatever the tests make lies in one folder, which goes when they have run; and no process of theirs outlives them. */
import { existsSync } from "node:fs"
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as wait } from "node:timers/promises"

const MAX_TRIES = 100

export default async function setUp() {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-tests-"))
  // A database server in it runs as a user of its own.
  await chmod(folder, 0o755)
  process.env.TMPDIR = folder
  return async () => {
    let left = await processesIn(folder)
    // One that is ending, as the runner's own, takes a moment.
    for (let tries = 0; left.length > 0 && tries < MAX_TRIES; tries++) {
      await wait(100)
      left = await processesIn(folder)
    }
    for (const { pid } of left) process.kill(pid, "SIGKILL")
    await rm(folder, { recursive: true, maxRetries: 3 })
    if (left.length === 0) return
    process.stderr.write(`The tests left processes: ${left.map(({ command }) => command).join("; ")}\n`)
    process.exitCode = 1
  }
}

/** Processes that work in a folder, or were told of it; only Linux says. */
async function processesIn(folder: string): Promise<{ pid: number; command: string }[]> {
  if (!existsSync("/proc/self/environ")) return []
  const found: { pid: number; command: string }[] = []
  for (const name of await readdir("/proc")) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const told = (what: string) => readFile(`/proc/${pid}/${what}`, "utf8").catch(() => "")
    const [command, environment, at] = await Promise.all([
      told("cmdline"),
      told("environ"),
      readlink(`/proc/${pid}/cwd`).catch(() => ""),
    ])
    if (`${command}${environment}${at}`.includes(folder))
      found.push({ pid, command: command.replaceAll("\0", " ").trim() })
  }
  return found
}
