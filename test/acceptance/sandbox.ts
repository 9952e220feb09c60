/** A sandbox server, as `freight sandbox start` gives it to other programs. */
import { spawn } from "node:child_process"
import { setMaxListeners } from "node:events"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { EXECUTABLE, getCommandLine, hostOf, loadProgram } from "./freight.ts"

export interface SandboxReach {
  freightBaseUrl: string
  directPrintBaseUrl: string
  freightApiKey: string
  directPrintApiKey: string
  keys: Record<string, string>
}

export interface RunningSandbox extends SandboxReach {
  /** Its state folder, for a command beside it that works on the same sandbox. */
  state: string
  /** Calls the control path: `control("books")`, `control("faults", { … })`. */
  control(what: string, body?: unknown, method?: string): Promise<unknown>
  stop(): Promise<void>
}

const START = ["sandbox", "start", "--json"]

/** In a process of its own. */
export async function startSandboxProcess(args: readonly string[] = []): Promise<RunningSandbox> {
  const { state, env } = await newPlace()
  const child = spawn(...getCommandLine([...START, ...args]), { env, stdio: ["ignore", "pipe", "inherit"] })
  const reach = await new Promise<SandboxReach>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line) as SandboxReach))
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)))
  })
  return runningAt(reach, state, () => {
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
    child.kill("SIGTERM")
    return ended
  })
}

/** The same command in this process, which starts sooner; not for a program that this process waits for idly. */
export async function startSandboxHere(): Promise<RunningSandbox> {
  if (EXECUTABLE) return startSandboxProcess()
  const { state, env } = await newPlace()
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const said: Buffer[] = []
  let ended = Promise.resolve(0)
  const host = hostOf({ env, cwd: state }, [], said)
  const { main } = await loadProgram(START)
  const reach = await new Promise<SandboxReach>((resolve, reject) => {
    const write = async (line: string | Uint8Array) => resolve(JSON.parse(line.toString()) as SandboxReach)
    const stdout = { ...host.terminal.stdout, write }
    const { signal } = controller
    ended = main(START, { ...host, signal, terminal: { ...host.terminal, stdout } })
    ended.then((code) => reject(new Error(`the sandbox ended with ${code}: ${Buffer.concat(said)}`)))
  })
  return runningAt(reach, state, async () => {
    controller.abort()
    await ended
  })
}

async function newPlace() {
  const state = await mkdtemp(path.join(tmpdir(), "freight-sandbox-"))
  return { state, env: { PATH: process.env.PATH ?? "", HOME: state, FREIGHT_STATE_DIR: state } }
}

function runningAt(reach: SandboxReach, state: string, stop: () => Promise<void>): RunningSandbox {
  const origin = new URL(reach.freightBaseUrl).origin
  return {
    ...reach,
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
    stop,
  }
}
