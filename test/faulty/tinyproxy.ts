/** A real HTTP proxy: Debian's tinyproxy, as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, constants } from "node:fs"
import { mkdtemp, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { onTestFinished } from "vitest"
import { freePort } from "../ports.ts"

/** Where the program is; undefined when it is not installed. */
export const TINYPROXY = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/bin", "/usr/sbin"]
  .map((folder) => path.join(folder, "tinyproxy"))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

export interface Tinyproxy {
  /** `127.0.0.1:3128` */
  address: string
  process: ChildProcess
}

/**
 * Starts it; it ends with the test. What it is asked for goes on to the proxy at `upstream`, which knows the way to the
 * names of the tests. `more` are lines of its configuration.
 */
export async function startTinyproxy(upstream: number, more: readonly string[] = []): Promise<Tinyproxy> {
  const port = await freePort()
  const config = path.join(await mkdtemp(path.join(tmpdir(), "freight-proxy-")), "tinyproxy.conf")
  const lines = [
    `Port ${port}`,
    "Listen 127.0.0.1",
    "Timeout 60",
    "MaxClients 20",
    `Upstream http 127.0.0.1:${upstream} "freight.test"`,
    ...more,
  ]
  await writeFile(config, `${lines.join("\n")}\n`)
  const child = spawn(TINYPROXY ?? "tinyproxy", ["-d", "-c", config], { stdio: "ignore" })
  const ended = once(child, "exit")
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  for (let tries = 0; tries < 100 && !(await listens(port)); tries++) await wait(50)
  return { address: `127.0.0.1:${port}`, process: child }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1")
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
