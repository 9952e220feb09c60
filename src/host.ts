/** The process as this tool uses it: with `main.ts`, the only file that touches it. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { addAbortSignal } from "node:stream"
import { setTimeout as wait } from "node:timers/promises"
import type { Env } from "./config/settings.ts"
import { FreightError } from "./errors.ts"
import type { Moment, Owner } from "./ledger/create.ts"
import type { Clock, Ids } from "./ports.ts"
import type { Prompter } from "./terminal/prompter.ts"
import type { OutputStream, Terminal } from "./terminal/terminal.ts"

/** What of the process is used: tests pass their own. */
export interface Host {
  readonly env: Env
  readonly platform: string
  /** Version of Node. */
  readonly node: string
  readonly prompt: () => Promise<Prompter>
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly ids: Ids
  readonly owner: Owner
  readonly at?: (moment: Moment) => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
}

export const systemOwner: Owner = {
  host: hostname(),
  pid: process.pid,
  isAlive(pid) {
    try {
      return process.kill(pid, 0)
    } catch (error) {
      // Another user's process cannot be signalled, and lives.
      return error instanceof Error && "code" in error && error.code === "EPERM"
    }
  },
}

export const systemIds: Ids = { uuid: randomUUID, random: Math.random }

/** Questions on the process's own terminal. */
export async function processPrompter(signal: AbortSignal): Promise<Prompter> {
  const { createPrompter } = await import("./terminal/prompter.ts")
  return createPrompter({ input: process.stdin, output: process.stderr, signal })
}

/** The reader of a pipe went away: the command ends quietly. */
export class ClosedPipe extends Error {}

/** The process's own streams as a `Terminal`. `colour` false is `--no-color`. */
export function processTerminal(colour: boolean): Terminal {
  const { env } = process
  const wanted = colour && !env.NO_COLOR && env.TERM !== "dumb"
  // Node makes a stream when it is first asked for, and that takes time: most commands use one of the three.
  const output = (streamOf: () => NodeJS.WriteStream): OutputStream => {
    const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0"
    let listened = false
    const open = () => {
      const stream = streamOf()
      if (!listened) stream.on("error", () => {})
      listened = true
      return stream
    }
    return {
      get isTTY() {
        return open().isTTY === true
      },
      get colour() {
        return wanted && (forced || open().isTTY === true)
      },
      get columns() {
        return open().columns || 80
      },
      write: (chunk) =>
        new Promise((resolve, reject) => {
          open().write(chunk, (error) => {
            if (!error) resolve()
            else if ("code" in error && error.code === "EPIPE") reject(new ClosedPipe())
            else
              reject(new FreightError("input", `cannot write the output: ${error.message}`, { cause: error }))
          })
        }),
    }
  }
  return {
    stdin: {
      get isTTY() {
        return process.stdin.isTTY === true
      },
      async readAll() {
        const chunks: Buffer[] = []
        for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
        return Buffer.concat(chunks)
      },
      chunks: (signal) => addAbortSignal(signal, process.stdin),
    },
    stdout: output(() => process.stdout),
    stderr: output(() => process.stderr),
    unicode: process.platform === "win32" || /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || ""),
  }
}
