/** A sandbox server in a process of its own, as `freight sandbox start` gives it to other programs. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { getCommandLine } from "./freight.ts"

export interface SandboxReach {
  freightBaseUrl: string
  directPrintBaseUrl: string
  freightApiKey: string
  directPrintApiKey: string
  keys: Record<string, string>
}

export interface RunningSandbox extends SandboxReach {
  process: ChildProcess
  /** Its state folder, for a command beside it that works on the same sandbox. */
  state: string
  /** Calls the control path: `control("books")`, `control("faults", { … })`. */
  control(what: string, body?: unknown, method?: string): Promise<unknown>
  stop(): Promise<void>
}

export async function startSandboxProcess(args: readonly string[] = []): Promise<RunningSandbox> {
  const state = await mkdtemp(path.join(tmpdir(), "freight-sandbox-"))
  const child = spawn(...getCommandLine(["sandbox", "start", "--json", ...args]), {
    env: { PATH: process.env.PATH ?? "", HOME: state, FREIGHT_STATE_DIR: state },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const reach = await new Promise<SandboxReach>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line) as SandboxReach))
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)))
  })
  const origin = new URL(reach.freightBaseUrl).origin
  return {
    ...reach,
    process: child,
    state,
    async control(what, body, method = body === undefined ? "GET" : "POST") {
      const reply = await fetch(`${origin}/__sandbox/${what}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`control ${what}: ${reply.status} ${text}`)
      return text === "" ? undefined : JSON.parse(text)
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve())
        child.kill("SIGTERM")
      }),
  }
}
