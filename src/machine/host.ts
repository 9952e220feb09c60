/** The process as this tool uses it: with `main.ts`, the only file that touches it. */
import { Buffer } from "node:buffer"
import { randomUUID } from "node:crypto"
import { setMaxListeners } from "node:events"
import { fstatSync, readSync, statSync, writeSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { systemSqlite } from "./builtin-sqlite.ts"
import type { RunCommand } from "./config/resolve.ts"
import type { Clock, Env, Ids, ImportQuietly, RunShell } from "../base/ports.ts"
import { ClosedPipe, EXIT, FreightError } from "../base/errors.ts"
import type { LedgerDeps, LedgerPorts } from "../ledger/index.ts"
import type { ReadPages } from "../input/index.ts"
import { MAX_KEY_OUTPUT_BYTES } from "../base/limits.ts"
import { hasCode, reasonOf } from "../base/system.ts"
import type { Conversation, OutputStream, Terminal } from "../output/index.ts"

interface ConverseOptions {
  /** In plain lines, for screen readers. */
  plain: boolean
  /** Answers are kept when the person leaves. */
  keepsAnswers: boolean
}

/** The parts of the process that freight uses: tests pass their own. */
export interface Host {
  readonly env: Env
  readonly platform: string
  readonly node: string
  readonly converse: (options: ConverseOptions) => Promise<Conversation>
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly ids: Ids
  readonly sqlite: LedgerPorts["sqlite"]
  /** Only for printing a key. */
  readonly runCommand: RunCommand
  /** Repeats some work; returns a function that ends that. */
  readonly every: (ms: number, work: () => void) => () => void
  readonly runShell: RunShell
  readonly importQuietly: ImportQuietly
  /** The name of the program that started this one; undefined if unknown, and on other systems than Windows. */
  readonly startedBy: () => string | undefined
  readonly at?: NonNullable<LedgerDeps["at"]>
  /** Only in tests: how long a claim's lease is. */
  readonly leaseMs?: number
  /** Only in tests: when a reply with rates is late. */
  readonly lateMs?: number
  /** Only in tests: how the pages of a PDF are read. */
  readonly readPages?: ReadPages | undefined
}

/** This process. From then on its first Ctrl-C, SIGTERM or SIGHUP aborts the signal. `colour` false is `--no-color`. */
export function processHost({ colour }: { colour: boolean }): Host {
  const { signal, interrupt } = interruptOnSignals()
  const terminal = processTerminal(colour, signal)
  return {
    ...systemHost(),
    env: process.env,
    converse: (options) => processConversation(options, terminal, signal, interrupt),
    terminal,
    signal,
    clock: systemClock,
    startedBy: systemStartedBy,
  }
}

function systemHost() {
  return {
    platform: process.platform,
    node: process.versions.node,
    ids: systemIds,
    sqlite: systemSqlite,
    runCommand: systemRunCommand,
    every: systemEvery,
    runShell: systemShell,
    importQuietly: systemImportQuietly,
  }
}

interface ProgramOptions {
  env: { env: Env | undefined; given: Env }
  signal: AbortSignal
  clock: Pick<Clock, "now"> | undefined
}

/**
 * The process of a program that uses freight as a library: its signals, its terminal and its standard input stay its own.
 * @param options `given` goes before `env`, which defaults to the process's
 */
export function programHost({ env: { env = process.env, given }, signal, clock }: ProgramOptions): Host {
  const stream: OutputStream = { isTTY: false, colour: false, columns: 80, write: async () => {} }
  return {
    ...systemHost(),
    env: { ...env, ...given },
    converse: () => Promise.reject(new FreightError("usage", "there is no terminal")),
    terminal: {
      stdin: { isTTY: false, readAll: async () => new Uint8Array(), async *chunks() {} },
      stdout: stream,
      stderr: stream,
      unicode: true,
    },
    signal,
    clock: clock ? { ...systemClock, now: () => clock.now() } : systemClock,
    startedBy: () => undefined,
  }
}

const TASKLIST_MS = 5000

function systemStartedBy(): string | undefined {
  if (process.platform !== "win32") return undefined
  const { execFileSync } = process.getBuiltinModule("node:child_process")
  try {
    const row = execFileSync("tasklist", ["/FI", `PID eq ${process.ppid}`, "/FO", "CSV", "/NH"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: TASKLIST_MS,
      windowsHide: true,
    })
    return /^\s*"([^"]+)"/.exec(row)?.[1]
  } catch {
    return undefined
  }
}

/** `npx` passes on the Ctrl-C that its child gets from the terminal anyway. */
const SAME_INTERRUPT_MS = 100

function interruptOnSignals(): { signal: AbortSignal; interrupt: () => void } {
  const controller = new AbortController()
  // Everything that runs or waits listens to it: any number is right.
  setMaxListeners(0, controller.signal)
  let first = 0
  const interrupt = () => {
    // The second Ctrl-C does not wait for requests under way.
    if (controller.signal.aborted && performance.now() - first > SAME_INTERRUPT_MS)
      process.exit(EXIT.interrupted)
    if (controller.signal.aborted) return
    first = performance.now()
    controller.abort(new FreightError("interrupted", "interrupted"))
  }
  // SIGBREAK is Ctrl-Break, and SIGHUP a closed window, on Windows, where no other program can send a signal.
  for (const name of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) process.on(name, interrupt)
  process.on("SIGHUP", () => {
    if (!isUnderNohup()) interrupt()
  })
  return { signal: controller.signal, interrupt }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    wait(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      // A wait ends with the signal's reason, not with Node's error.
      throw signal?.aborted ? signal.reason : error
    }),
  elapsed: () => performance.now(),
}

export function systemEvery(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms).unref()
  return () => clearInterval(timer)
}

export const systemShell: RunShell = async (line, input, signal, onLine) => {
  const [{ spawn }, { createInterface }] = await Promise.all([
    import("node:child_process"),
    import("node:readline"),
  ])
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    // Standard output carries freight's own data.
    const out = onLine ? "pipe" : 2
    const child = spawn(line, { shell: true, stdio: ["pipe", out, out] })
    for (const stream of onLine ? [child.stdout, child.stderr] : [])
      if (stream) createInterface({ input: stream }).on("line", (printed) => void onLine?.(printed))
    const end = () => void child.kill()
    signal.addEventListener("abort", end)
    const settle = (how: string | undefined) => {
      signal.removeEventListener("abort", end)
      if (signal.aborted) reject(signal.reason)
      else resolve(how)
    }
    child.on("error", (error) => settle(reasonOf(error)))
    child.on("close", (code, name) =>
      settle(code === 0 ? undefined : name ? `ended by ${name}` : `exit code ${code}`),
    )
    // It need not read its input.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
  })
}

/**
 * Signals that atomically (a dependency of conf) listens to are sent again; otherwise the first Ctrl-C would act as the
 * second.
 */
export const systemImportQuietly: ImportQuietly = async (load) => {
  const findListeners = () =>
    process
      .eventNames()
      .filter((name) => /^SIG/.test(String(name)))
      .flatMap((name) => process.listeners(name as NodeJS.Signals).map((listener) => ({ name, listener })))
  const before = new Set(findListeners().map(({ listener }) => listener))
  const loaded = await load()
  for (const { name, listener } of findListeners())
    if (!before.has(listener)) process.removeListener(name, listener)
  return loaded
}

const COMMAND_MS = 60_000

/**
 * Waits for the command: a key is needed before anything else can be done. A command that ignores SIGTERM is ended as
 * well.
 */
export const systemRunCommand: RunCommand = (command, env) => {
  const { execSync } = process.getBuiltinModule("node:child_process")
  return execSync(command, {
    env: { ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: COMMAND_MS,
    maxBuffer: MAX_KEY_OUTPUT_BYTES,
    killSignal: "SIGKILL",
    windowsHide: true,
  })
}

export const systemIds: Ids = { uuid: randomUUID, random: Math.random }

/**
 * A conversation on the process's own terminal; plain also if that cannot move its cursor.
 * @param interrupt called for a Ctrl-C while something runs
 */
async function processConversation(
  { plain, keepsAnswers }: ConverseOptions,
  terminal: Terminal,
  signal: AbortSignal,
  interrupt: () => void,
): Promise<Conversation> {
  const { stdin: input, stderr: output } = process
  const desk = { input, output, signal, terminal, clock: systemClock, keepsAnswers, interrupt }
  if (plain || process.env.TERM === "dumb") {
    const { plainConversation } = await import("../output/terminal/conversation/plain.ts")
    return plainConversation(desk)
  }
  const { inquirerConversation } = await import("../output/terminal/conversation/inquirer.ts")
  return inquirerConversation(desk)
}

/**
 * Whether the command was started by `nohup`. Node resets every ignored signal to its default, so other traces of nohup
 * have to tell: bash and zsh name it in `_`, and it makes the keyboard a /dev/null that cannot be read.
 */
function isUnderNohup(): boolean {
  if (/(^|\/)nohup$/.test(process.env._ ?? "")) return true
  try {
    if (fstatSync(0).rdev === statSync("/dev/null").rdev) readSync(0, new Uint8Array(1))
    return false
  } catch (error) {
    return hasCode(error, "EBADF")
  }
}

/** The process's own streams as a `Terminal`. The signal ends a read that waits. */
function processTerminal(colour: boolean, signal: AbortSignal): Terminal {
  const { env } = process
  const wanted = colour && !env.NO_COLOR && env.TERM !== "dumb"
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0"
  const output = (fd: 1 | 2): OutputStream => {
    // Node's stream takes milliseconds to create, and most runs use one of the three, or write to a file or a pipe.
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
        const { readWhole } = await import("../output/terminal/open-stream.ts")
        return readWhole("standard input", await openStdin(signal))
      },
      async *chunks(signal) {
        yield* await openStdin(signal)
      },
    },
    stdout: output(1),
    stderr: output(2),
    unicode: process.platform === "win32" || /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || ""),
  }
}

/** Whether Node writes to it synchronously, as `writeNow` does: files, pipes and /dev/null, except on Windows. */
function isFileOrPipe(fd: number): boolean {
  if (process.platform === "win32") return false
  try {
    const stats = fstatSync(fd)
    return stats.isFile() || stats.isFIFO() || stats.rdev === statSync("/dev/null").rdev
  } catch {
    return false
  }
}

/** Writes until the reader takes no more. @returns the rest, for Node's stream to write */
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
  return new FreightError("input", `cannot write the output: ${reasonOf(error)}`, { cause: error })
}

/** Standard input, until the signal. Node's streams are loaded when something is read. */
async function openStdin(signal: AbortSignal): Promise<typeof process.stdin> {
  const { addAbortSignal } = await import("node:stream")
  return addAbortSignal(signal, process.stdin)
}
