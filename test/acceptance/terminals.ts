/** Starts a program at a terminal: a real one, or one of this process. */
import { spawn, spawnSync } from "node:child_process"
import { setMaxListeners } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { PassThrough, Writable } from "node:stream"
import { FreightError } from "../../src/base/errors.ts"
import type { Clock } from "../../src/base/ports.ts"
import { systemClock } from "../../src/machine/host.ts"
import { inquirerConversation } from "../../src/output/terminal/conversation/inquirer.ts"
import type { OutputStream, Terminal } from "../../src/output/terminal/terminal.ts"
import { EXECUTABLE, hostOf, isForNode, loadProgram, takeProcess } from "./freight.ts"

/** Debian's `script` makes the terminal. */
export const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0

export interface Size {
  columns: number
  rows: number
}

/** A program at a terminal. */
export interface Program {
  type(text: string): void
  resize(size: Size): Promise<void>
  /** Closes the window. Resolves when the program has ended. */
  hangUp(): Promise<void>
  /** How much the program has done; the same as before where it waits. */
  work(): Promise<string>
  /** So long (ms) a program that neither writes nor works waits for somebody. */
  readonly quietMs: number
  /** Its exit code; null where a signal ended it. */
  readonly exit: Promise<number | null>
}

export type Env = Readonly<Record<string, string>>
type Write = (text: string) => void

const QUIET_TURNS = 10
const MAX_TURNS = 200

/**
 * Starts freight in this process.
 * @returns undefined where it needs a process of its own: what the terminal itself does is asked for (in plain lines it shows
 *   what is typed), or another command runs in this one
 */
export async function startHere(
  args: readonly string[],
  env: Env,
  size: Size,
  write: Write,
  clock: Clock = systemClock,
): Promise<Program | undefined> {
  if (EXECUTABLE || args.includes("--plain") || env.TERM === "dumb" || isForNode(env)) return undefined
  const giveBack = takeProcess({ env, cwd: env.HOME ?? "/" })
  if (!giveBack) return undefined
  const { main } = await loadProgram(args)

  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const interrupt = () => stop.abort(new FreightError("interrupted", "interrupted"))
  let shown = ""
  let quiet = 0
  const tell = () => {
    const whole = shown
    shown = ""
    if (whole !== "") write(whole)
  }
  /** A person answers what is drawn, and no half of it: some turns of the event loop later, unless it goes on and on. */
  const show = async (text: string) => {
    const isFirst = shown === ""
    shown += text
    quiet = 0
    for (let turn = 0; isFirst && quiet < QUIET_TURNS && turn < MAX_TURNS; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      quiet++
    }
    if (isFirst) tell()
  }
  let isRaw = false
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(raw: boolean) {
      isRaw = raw
    },
  })
  // Inquirer ends what it writes to, except for the standard streams.
  const output = Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk: string | Uint8Array, _, done) {
        void show(Buffer.from(chunk).toString().replaceAll("\n", "\r\n"))
        done()
      },
    }),
    { ...size, isTTY: true, _isStdio: true },
  )
  const screen: OutputStream = {
    isTTY: true,
    colour: !args.includes("--no-color") && !env.NO_COLOR,
    get columns() {
      return output.columns
    },
    write: (chunk) =>
      new Promise((resolve, reject) => output.write(chunk, (error) => (error ? reject(error) : resolve()))),
  }
  const terminal: Terminal = {
    stdin: {
      isTTY: true,
      readAll: () => Promise.reject(new Error("nobody reads a whole keyboard")),
      chunks: () => input,
    },
    stdout: screen,
    stderr: screen,
    unicode: /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || ""),
  }
  const converse = async ({ plain, keepsAnswers }: { plain: boolean; keepsAnswers: boolean }) => {
    if (plain) throw new Error("what a terminal shows of plain lines is for a real one")
    return inquirerConversation({
      input,
      output,
      signal: stop.signal,
      terminal,
      clock: systemClock,
      keepsAnswers,
      interrupt,
    })
  }
  const host = hostOf({ env, cwd: "", clock, host: { converse, terminal, signal: stop.signal } }, [], [])
  const exit = main(args, host).finally(() => {
    giveBack()
    tell()
  })
  return {
    type(text) {
      // As the system does while nobody takes the keys one by one.
      if (text.includes("\u0003") && !isRaw) interrupt()
      else if (!input.destroyed) input.write(text)
    },
    async resize(size) {
      Object.assign(output, size)
      output.emit("resize")
    },
    async hangUp() {
      interrupt()
      input.destroy()
      output.destroy()
      await exit
    },
    work: async () => "",
    quietMs: 30_000,
    exit,
  }
}

/** Starts any program, in a process of its own. */
export async function startAside(
  command: readonly string[],
  env: Env,
  { columns, rows }: Size,
  write: Write,
): Promise<Program> {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-seat-"))
  const told = async (name: string) => (await readFile(path.join(folder, name), "utf8")).trim()
  const set = `echo $$ > ${folder}/pid; tty > ${folder}/tty; stty cols ${columns} rows ${rows}; exec`
  const child = spawn(
    "script",
    ["--quiet", "--return", "--command", `${set} ${quoted(command)}`, "/dev/null"],
    // Files that a command saves stay in the desk's own folder.
    { cwd: env.HOME, env: { ...env, SHELL: "/bin/sh" }, stdio: "pipe" },
  )
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", write)
  child.stdin.on("error", () => {})
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", resolve)
  })
  return {
    type: (text) => void child.stdin.write(text),
    async resize(size) {
      spawnSync("stty", ["-F", await told("tty"), "cols", `${size.columns}`, "rows", `${size.rows}`])
    },
    async hangUp() {
      const pid = Number(await told("pid"))
      child.kill("SIGKILL")
      await exit
      while (!hasEnded(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    async work() {
      try {
        const [state, ...numbers] = (await readFile(`/proc/${await told("pid")}/stat`, "utf8"))
          .replace(/^.*\) /s, "")
          .split(" ")
        return state === "S" ? numbers.slice(10, 12).join(" ") : String(performance.now())
      } catch {
        return "not begun, or ended"
      }
    },
    quietMs: 10_000,
    exit,
  }
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")
}

/** Whoever ended may wait for long to be taken from the list of processes. */
function hasEnded(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return true
  }
}
