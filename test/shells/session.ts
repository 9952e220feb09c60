/** A real shell at a real terminal: keys are typed, and the line that stands there then is read back. */
import { spawn, spawnSync } from "node:child_process"
import { readFile, rm } from "node:fs/promises"
import path from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { onTestFinished } from "vitest"
import type { ShellDesk } from "./desk.ts"

export function hasShell(name: string): boolean {
  return spawnSync(name, ["-c", "exit 0"]).status === 0 && spawnSync("script", ["--version"]).status === 0
}

interface Session {
  /** Types the keys on an empty line. @returns the line then */
  type(keys: string): Promise<string>
}

/** Bound by the set-up: writes the line to `$TOLD`, and empties it. */
const TELL = "\u0018s"

/** @param setUp ends with the words `print READY` or the like into `$TOLD` */
export async function session(command: string, setUp: string, { folder, env }: ShellDesk): Promise<Session> {
  const told = path.join(folder, "..", "told")
  const child = spawn("script", ["--quiet", "--command", command, "/dev/null"], {
    cwd: folder,
    env: { ...env, SHELL: "/bin/sh", TOLD: told, COLUMNS: "200" },
    stdio: "pipe",
  })
  let screen = ""
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString()
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const answer = async () => {
    for (let tries = 0; tries < 1000; tries++) {
      const text = await readFile(told, "utf8").catch(() => "")
      if (text.endsWith("\n")) {
        await rm(told)
        return text.slice(0, -1)
      }
      await wait(20)
    }
    throw new Error(`the shell is silent:\n${screen}`)
  }
  child.stdin.write(`${setUp}\n`)
  await answer()
  return {
    type(keys) {
      child.stdin.write(`${keys}${TELL}`)
      return answer()
    },
  }
}
