/** The process as this tool uses it: with `main.ts`, the only file that touches it. */
import { Buffer } from "node:buffer"
import { randomUUID } from "node:crypto"
import { fstatSync, statSync, writeSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import type { Env } from "./config/settings.ts"
import { FreightError } from "./errors.ts"
import type { Moment } from "./ledger/create.ts"
import type { LedgerPorts } from "./ledger/open.ts"
import type { Clock, Ids } from "./ports.ts"
import { hasCode } from "./system.ts"
import type { Conversation } from "./terminal/conversation.ts"
import type { Prompter } from "./terminal/prompter.ts"
import type { OutputStream, Terminal } from "./terminal/terminal.ts"

/** What of the process is used: tests pass their own. */
export interface Host {
  readonly env: Env
  readonly platform: string
  /** Version of Node. */
  readonly node: string
  readonly prompt: () => Promise<Prompter>
  readonly converse: (options: { plain: boolean }) => Promise<Conversation>
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly ids: Ids
  readonly sqlite: LedgerPorts["sqlite"]
  /** Does some work again and again; gives what ends that. */
  readonly every: (ms: number, work: () => void) => () => void
  readonly at?: (moment: Moment) => void
  /** Only in tests: how long a claim's lease is. */
  readonly leaseMs?: number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
  elapsed: () => performance.now(),
}

export function systemEvery(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms).unref()
  return () => clearInterval(timer)
}

export const systemIds: Ids = { uuid: randomUUID, random: Math.random }

/** Questions on the process's own terminal. */
export async function processPrompter(signal: AbortSignal): Promise<Prompter> {
  const { createPrompter } = await import("./terminal/prompter.ts")
  return createPrompter({ input: process.stdin, output: process.stderr, signal })
}

/**
 * A conversation on the process's own terminal; plain as well where that cannot move its cursor.
 * @param interrupt what a Ctrl-C does while something runs
 */
export async function processConversation(
  { plain }: { plain: boolean },
  terminal: Terminal,
  signal: AbortSignal,
  interrupt: () => void,
): Promise<Conversation> {
  const streams = { input: process.stdin, output: process.stderr, signal }
  if (plain || process.env.TERM === "dumb") {
    const { plainConversation } = await import("./terminal/conversation-plain.ts")
    return plainConversation({ ...streams, terminal })
  }
  const { drawnConversation } = await import("./terminal/conversation-drawn.ts")
  return drawnConversation({ ...streams, terminal, clock: systemClock, interrupt })
}

/** The reader of a pipe went away: the command ends quietly. */
export class ClosedPipe extends Error {}

/** The process's own streams as a `Terminal`. `colour` false is `--no-color`. */
export function processTerminal(colour: boolean): Terminal {
  const { env } = process
  const wanted = colour && !env.NO_COLOR && env.TERM !== "dumb"
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0"
  const output = (fd: 1 | 2): OutputStream => {
    // Node's stream takes milliseconds to make, and most runs use one of the three, or write to a file or a pipe.
    let stream: NodeJS.WriteStream | undefined
    let direct: boolean | undefined
    const open = () => {
      stream ??= (fd === 1 ? process.stdout : process.stderr).on("error", () => {})
      return stream
    }
    const isDirect = () => {
      direct ??= isFileOrPipe(fd)
      return direct
    }
    const isTTY = () => !isDirect() && open().isTTY === true
    return {
      get isTTY() {
        return isTTY()
      },
      get colour() {
        return wanted && (forced || isTTY())
      },
      get columns() {
        return (isTTY() && open().columns) || 80
      },
      async write(chunk) {
        const rest = isDirect() ? writeNow(fd, chunk) : chunk
        if (rest === undefined) return
        direct = false
        await new Promise<void>((resolve, reject) => {
          open().write(rest, (error) => (error ? reject(failure(error)) : resolve()))
        })
      },
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
      async *chunks(signal) {
        const { addAbortSignal } = await import("node:stream")
        yield* addAbortSignal(signal, process.stdin)
      },
    },
    stdout: output(1),
    stderr: output(2),
    unicode: process.platform === "win32" || /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || ""),
  }
}

/** Node writes to these, and to nowhere, at once, as `writeNow` does; elsewhere than on Windows. */
function isFileOrPipe(fd: number): boolean {
  if (process.platform === "win32") return false
  try {
    const stats = fstatSync(fd)
    return stats.isFile() || stats.isFIFO() || stats.rdev === statSync("/dev/null").rdev
  } catch {
    return false
  }
}

/** Writes until the reader can take no more. @returns what is left, for Node's stream to write */
function writeNow(fd: number, chunk: string | Uint8Array): Uint8Array | undefined {
  let rest: Uint8Array = typeof chunk === "string" ? Buffer.from(chunk) : chunk
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    return undefined
  } catch (error) {
    if (hasCode(error, "EAGAIN")) return rest
    throw failure(error)
  }
}

function failure(error: unknown): Error {
  if (hasCode(error, "EPIPE")) return new ClosedPipe()
  const reason = error instanceof Error ? error.message : String(error)
  return new FreightError("input", `cannot write the output: ${reason}`, { cause: error })
}
