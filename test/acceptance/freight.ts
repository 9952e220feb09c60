/** Runs freight as a user would, at a desk with folders of its own. */
import { spawn, spawnSync } from "node:child_process"
import { setMaxListeners } from "node:events"
import { mkdtemp } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect } from "vitest"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import {
  systemClock,
  systemEvery,
  systemIds,
  systemImportQuietly,
  systemRunCommand,
  systemShell,
} from "../../src/machine/host.ts"
import type * as program from "../../src/app/main.ts"
import { readNotes } from "../../src/base/notes.ts"
import type { Clock } from "../../src/base/ports.ts"
import { readPagesHere } from "../bills/pages-here.ts"
import { checkMessages, checkOutput } from "./output-schema.ts"
import type { SandboxReach } from "./sandbox.ts"

export const ROOT = path.resolve(import.meta.dirname, "../..")
const BINARY_FILE = path.join(ROOT, "bin/freight.js")
const FAST = path.join(import.meta.dirname, "fast.cjs")
/** The file that `npm run executable` makes, if the tests are to run it instead of the built program. */
export const EXECUTABLE = process.env.FREIGHT_TEST_EXECUTABLE

/** The built program. */
export function getBinary(): string {
  ensureBuilt()
  return BINARY_FILE
}

/** @returns a program and its arguments, for `spawn` */
export function getCommandLine(args: readonly string[]): [file: string, args: string[]] {
  return EXECUTABLE ? [EXECUTABLE, [...args]] : [process.execPath, [getBinary(), ...args]]
}

/** The same for a shell, with the arguments that it was given. */
export function getShellCommand(): string {
  return `"${getCommandLine([]).flat().join('" "')}" "$@"`
}

let isBuilt = EXECUTABLE !== undefined

/** Builds what was changed since, once: for tests that run the program in a process or a thread of its own. */
export function ensureBuilt(): void {
  if (isBuilt) return
  const { status } = spawnSync(process.execPath, [path.join(ROOT, "scripts/build-if-stale.mjs")], {
    stdio: "inherit",
  })
  if (status !== 0) throw new Error("freight cannot be built")
  isBuilt = true
}

export interface Ran {
  code: number | null
  stdout: string
  /** JSON notes and warnings are turned into text after `checkMessages` has checked them. Errors stay JSON. */
  stderr: string
  /** Standard output as bytes. */
  bytes: Buffer
  json: <T = Record<string, unknown>>() => T
  /** The items of a list. */
  items: <T = Record<string, unknown>>() => T[]
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string | Uint8Array
  cwd?: string
  /** Columns of the terminal that standard output and standard error are; a pipe where there are none. */
  columns?: number
  /** The time that stands still; runs in this process. */
  now?: number
  /** The desk's clock, on which waits go by faster, where it runs in this process; the system's with `false`. */
  clock?: Clock | false
  /** Names no relative path: needs no working folder, so it can run in this process beside other commands. */
  isFolderless?: boolean
  /** Replacements for parts of the host; runs in this process. */
  host?: Partial<program.Host>
}

/** The error of a command under `--json`: the last line of its standard error. */
export function errorIn(stderr: string) {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error
}

/** In a long test, many desks share a sandbox and book the same goods: they would find each other's bookings. */
function isLongTest(): boolean {
  return expect.getState().testPath?.endsWith(".long.test.ts") ?? false
}

/**
 * A machine of one's own: empty state and configuration, and a working folder.
 * @param now what its clock shows (ms since 1970), and goes on from by waits alone: its `freight` runs in this process
 */
export async function desk(
  reach?: SandboxReach,
  now?: number,
): Promise<{
  folder: string
  state: string
  env: Record<string, string>
  /** Runs a command from source in this process, or as built in one of its own where that does not do. */
  freight(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Runs the command in a process of its own, as a shell does. */
  binary(args: readonly string[], options?: RunOptions): Promise<Ran>
}> {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-desk-"))
  const state = path.join(folder, "state")
  const env = {
    PATH: process.env.PATH ?? "",
    TMPDIR: tmpdir(),
    TZ: "UTC",
    HOME: folder,
    LANG: "C.UTF-8",
    FREIGHT_STATE_DIR: state,
    FREIGHT_CONFIG_DIR: path.join(folder, "config"),
    FREIGHT_WORKSTATION: "test-desk",
    ...(isLongTest() && { FREIGHT_LOOK_ELSEWHERE: "off" }),
    ...(reach && {
      FREIGHT_BASE_URL: reach.freightBaseUrl,
      FREIGHT_API_KEY: reach.freightApiKey,
      DIRECT_PRINT_BASE_URL: reach.directPrintBaseUrl,
      DIRECT_PRINT_API_KEY: reach.directPrintApiKey,
    }),
  }
  const clock = fastClock(reach, now === undefined ? systemClock : { ...systemClock, now: () => now })
  const here = (options: RunOptions = {}) => ({
    cwd: folder,
    clock,
    ...options,
    env: { ...env, ...options.env },
  })
  return {
    folder,
    state,
    env,
    freight: (args, options) => counted(runHere(args, here(options))),
    binary: (args, options) => counted(runBinary(args, here(options))),
  }
}

export type Run = Required<Pick<RunOptions, "env" | "cwd">> & RunOptions

let isTaken = false
/** Commands under way. */
let running = 0

function counted(run: Promise<Ran>): Promise<Ran> {
  running += 1
  return run.finally(() => {
    running -= 1
  })
}

/** Node reads these when it starts. */
const FOR_NODE = /^(NODE_|FORCE_COLOR$)/

/** Whether a command is told something that only a process of its own can be told. */
export function isForNode(env: Readonly<Record<string, string>>): boolean {
  return Object.entries(env).some(([name, value]) => FOR_NODE.test(name) && value !== process.env[name])
}

/**
 * Gives this process a command's working folder and time zone, of which it has one each.
 * @returns what gives both back; undefined where another command has them
 */
export function takeProcess({ env, cwd }: Pick<Run, "env" | "cwd">): (() => void) | undefined {
  if (isTaken) return undefined
  const folder = process.cwd()
  const { TZ } = process.env
  process.chdir(cwd)
  isTaken = true
  if (env.TZ !== undefined) process.env.TZ = env.TZ
  return () => {
    process.chdir(folder)
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
    isTaken = false
  }
}

/** Runs the program in this process where that does, which is not beside another command that needs its folder. */
async function runHere(args: readonly string[], run: Run): Promise<Ran> {
  // Neither a clock nor the width of a terminal can be given to another process.
  const isElsewhere =
    EXECUTABLE !== undefined && run.now === undefined && run.columns === undefined && run.host === undefined
  if (isElsewhere || isForNode(run.env)) return runBinary(args, run)
  if (run.isFolderless && run.env.TZ === process.env.TZ) return runMain(args, run)
  const giveBack = takeProcess(run)
  if (!giveBack) return runBinary(args, run)
  return runMain(args, run).finally(giveBack)
}

async function runMain(args: readonly string[], run: Run): Promise<Ran> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  const { main } = await loadProgram(args)
  const code = await main(args, hostOf(run, out, err))
  return ranOf(args, run, code, out, err)
}

/** Commands that read what the build describes of all of them. */
const OF_BUILD = ["mcp", "__complete"]

/** The program from source, in this process. */
export async function loadProgram([word = ""]: readonly string[]): Promise<typeof program> {
  if (OF_BUILD.includes(word)) ensureBuilt()
  return import("../../src/app/main.ts")
}

/** The built program and arguments for it: its waits, and those of its sandbox, go by faster. */
export function getFastCommandLine(args: readonly string[]): [file: string, args: string[]] {
  if (EXECUTABLE) return getCommandLine(args)
  ensureBuilt()
  return [process.execPath, [FAST, ...args]]
}

/** A clock on which waits go by faster; `onSkip` is told of the milliseconds that did not go by. */
export function createFastClock(onSkip?: (ms: number) => Promise<void>, real: Clock = systemClock): Clock {
  const fast = createRequire(import.meta.url)(FAST) as {
    createFastClock(of: Clock, onSkip?: (ms: number) => Promise<void>): Clock
  }
  return fast.createFastClock(real, onSkip)
}

/** Waits go by faster, and so they do for a sandbox that is reached; not beside another command, which has other time. */
function fastClock(reach: SandboxReach | undefined, real: Clock): Clock {
  const fast = createFastClock(async (ms) => {
    if (!reach) return
    const control = new URL("/__sandbox/clock", reach.freightBaseUrl)
    const body = JSON.stringify({ advanceMs: Math.round(ms) })
    // The server may be no sandbox, or may have stopped.
    await fetch(control, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(
      () => {},
    )
  }, real)
  return { ...fast, sleep: (ms, signal) => (running > 1 ? real : fast).sleep(ms, signal) }
}

export function hostOf(
  { env, input = "", columns, now, clock, host }: Run,
  out: Buffer[],
  err: Buffer[],
): program.Host {
  const into = (chunks: Buffer[]) => ({
    isTTY: columns !== undefined,
    colour: false,
    columns: columns ?? 80,
    write: async (chunk: string | Uint8Array) => void chunks.push(Buffer.from(chunk)),
  })
  const noTerminal = () => Promise.reject(new Error("there is no terminal to ask for the keys"))
  return {
    env,
    platform: process.platform,
    node: "26.0.0",
    converse: noTerminal,
    terminal: {
      stdin: {
        isTTY: host?.converse !== undefined,
        readAll: async () => Buffer.from(input),
        async *chunks() {
          yield Buffer.from(input)
        },
      },
      stdout: into(out),
      stderr: into(err),
      unicode: /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || ""),
    },
    signal: endlessSignal(),
    clock: now === undefined ? clock || systemClock : { ...systemClock, now: () => now },
    ids: systemIds,
    sqlite: systemSqlite,
    runCommand: systemRunCommand,
    every: systemEvery,
    runShell: systemShell,
    importQuietly: systemImportQuietly,
    startedBy: () => undefined,
    readPages: readPagesHere,
    ...host,
  }
}

/** One that nothing aborts; as in a process, any number of listeners is right. */
function endlessSignal(): AbortSignal {
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  return signal
}

function runBinary(args: readonly string[], run: Run): Promise<Ran> {
  const { env, input, cwd } = run
  return new Promise((resolve, reject) => {
    const child = spawn(...getCommandLine(args), { env, cwd, stdio: "pipe" })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
    child.on("error", reject)
    child.on("close", (code) => {
      try {
        resolve(ranOf(args, run, code, out, err))
      } catch (error) {
        reject(error)
      }
    })
    child.stdin.on("error", () => {})
    child.stdin.end(input ?? "")
  })
}

function ranOf(
  args: readonly string[],
  { columns }: Pick<Run, "columns">,
  code: number | null,
  out: readonly Buffer[],
  err: readonly Buffer[],
): Ran {
  const [bytes, messages] = [Buffer.concat(out), Buffer.concat(err).toString()]
  const stdout = bytes.toString()
  checkOutput(args, stdout)
  if (columns === undefined) checkMessages(args, { code, stderr: messages })
  const stderr = messages.replace(/^\{"(?:note|warning)":.*$/gm, (line) => readNotes(line)[0] ?? "")
  const json = () => JSON.parse(stdout)
  return { code, stdout, stderr, bytes, json, items: () => json().items }
}
