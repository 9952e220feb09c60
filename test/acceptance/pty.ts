/** Runs a program at a terminal: standard input, output and error are one, as at a desk. */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Readable, Writable } from "node:stream"
import xterm from "@xterm/headless"
import { expect, onTestFinished } from "vitest"
import { getCommandLine, getFastCommandLine } from "./freight.ts"

/** Debian's `script` makes the terminal. */
export const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0

/** Waits for a text on the screen, then types. */
interface Step {
  see: string
  type: string
}

/** What a terminal sends for a key. */
const KEYS = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  delete: "\u001b[3~",
  backspace: "\u007f",
  tab: "\t",
  space: " ",
  "ctrl-a": "\u0001",
  "ctrl-c": "\u0003",
  "ctrl-d": "\u0004",
  "ctrl-u": "\u0015",
} as const
export type Key = keyof typeof KEYS

export interface Size {
  columns: number
  rows: number
}

interface Place {
  row: number
  column: number
}

/** A program at a terminal that shows what a person would see. */
export interface Seat {
  /** Waits until the screen shows the text. Fails with the screen as it stands. */
  see(text: string | RegExp): Promise<void>
  /** Waits until the screen no longer shows the text. */
  unseen(text: string | RegExp): Promise<void>
  press(...keys: readonly Key[]): void
  type(text: string): void
  /**
   * Waits until the window is this, whole: a screen comes in pieces, and a part of it says nothing of the rest.
   * Its lines are without blanks at their ends, and without empty ones at the bottom.
   */
  shows(screen: string): Promise<void>
  /** The window as it stands, its lines as for `shows`. */
  screen(): Promise<string>
  /** What is above the window as well; lines that the terminal broke are whole. */
  scrollback(): Promise<string>
  /** Waits until the cursor stands there in the window, both from 0. */
  cursorAt(place: Place): Promise<void>
  /** All that was written, escape sequences included. */
  raw(): string
  resize(size: Size): Promise<void>
  /** Closes the window, as with its button. Resolves when the program has ended. */
  hangUp(): Promise<void>
  /** The program's exit code; null where a signal ended it. */
  readonly exit: Promise<number | null>
}

const PATIENCE_MS = 30_000
/** So long a program that neither writes nor computes waits for somebody; a slow machine makes none look so. */
const QUIET_MS = 10_000
const LOOK_MS = 500

/** Starts the built binary at a terminal. */
export function sitDown(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  size?: Size,
): Promise<Seat> {
  return sitAt(getCommandLine(args).flat(), env, size)
}

/** The same where nobody waits as long as people do. */
export function sitDownFast(...[args, env, size]: Parameters<typeof sitDown>): Promise<Seat> {
  return sitAt(getFastCommandLine(args).flat(), env, size)
}

/** Starts any program at a terminal. */
export async function sitAt(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  { columns, rows }: Size = { columns: 80, rows: 24 },
): Promise<Seat> {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-seat-"))
  const set = `echo $$ > ${folder}/pid; tty > ${folder}/tty; stty cols ${columns} rows ${rows}; exec`
  const child = start(`${set} ${quoted(command)}`, { TERM: "xterm-256color", ...env })
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 })
  let raw = ""
  let onChange = () => {}
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", (text: string) => {
    raw += text
    screen.write(text, () => onChange())
  })
  child.stdin.on("error", () => {})
  let ended = false
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      ended = true
      screen.write("", () => onChange())
      resolve(code)
    })
  })
  const settled = () => new Promise<void>((resolve) => screen.write("", resolve))
  const lines = (from: number) => {
    const { active } = screen.buffer
    return Array.from({ length: active.length }, (_, at) => active.getLine(at))
      .slice(from)
      .map((line) => ({
        text: line?.translateToString(true) ?? "",
        wrapped: line?.isWrapped === true,
      }))
  }
  const text = (rows: { text: string }[]) =>
    rows
      .map((row) => row.text.trimEnd())
      .join("\n")
      .trimEnd()
  const shown = () => text(lines(screen.buffer.active.baseY))
  const told = async (name: string) => (await readFile(path.join(folder, name), "utf8")).trim()
  const shows = (text: string | RegExp) =>
    typeof text === "string" ? shown().includes(text) : text.test(shown())
  const createError = (what: string) => new Error(`${what}; the screen is:\n${shown()}`)
  /** Calls `act` once the program has been quiet for so long. @returns what ends the watch */
  const whenQuiet = (act: () => void) => {
    let [before, since] = ["", performance.now()]
    const look = setInterval(async () => {
      const now = `${raw.length} ${await workOf(folder)}`
      if (now !== before) [before, since] = [now, performance.now()]
      if (performance.now() - since > QUIET_MS) act()
    }, LOOK_MS)
    return () => clearInterval(look)
  }
  const until = async (what: string, met: () => boolean) => {
    await settled()
    await new Promise<void>((resolve, reject) => {
      const end = (act: () => void) => {
        clearTimeout(late)
        endWatch()
        onChange = () => {}
        act()
      }
      const late = setTimeout(() => end(() => reject(createError(what))), PATIENCE_MS)
      const endWatch = whenQuiet(() => end(() => reject(createError(`${what}, and the program waits`))))
      onChange = () => {
        if (met()) end(resolve)
        else if (ended) end(() => reject(createError(`${what}, and the program ended`)))
      }
      onChange()
    })
  }
  const untilEnd = () => {
    const ends = new Promise<number | null>((resolve, reject) => {
      const endWatch = whenQuiet(() => {
        endWatch()
        reject(createError("the program waits, and does not end"))
      })
      exit.then(resolve, reject).finally(endWatch)
    })
    // Who asks for it may look at it later.
    ends.catch(() => {})
    return ends
  }

  const hangUp = async () => {
    const pid = Number(await told("pid"))
    child.kill("SIGKILL")
    await exit
    while (!hasEnded(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  // Nobody stays at a desk after a test.
  onTestFinished(async () => {
    if (!ended) await hangUp()
  })

  return {
    see: (text) => until(`never saw ${text}`, () => shows(text)),
    unseen: (text) => until(`still sees ${text}`, () => !shows(text)),
    press(...keys) {
      for (const key of keys) child.stdin.write(KEYS[key])
    },
    type: (text) => void child.stdin.write(text),
    async shows(expected) {
      // Once it was there it may be drawn again: what is looked at a moment later may be in pieces.
      await until("never saw the whole screen", () => shown() === expected).catch(() => {
        expect(shown()).toBe(expected)
      })
    },
    async screen() {
      await settled()
      return shown()
    },
    async scrollback() {
      await settled()
      const whole: { text: string }[] = []
      for (const row of lines(0)) {
        const last = row.wrapped ? whole.at(-1) : undefined
        if (last) last.text += row.text
        else whole.push(row)
      }
      return text(whole)
    },
    async cursorAt({ row, column }) {
      const { active } = screen.buffer
      await until(`the cursor never stood at ${row},${column}`, () => {
        return active.cursorY === row && active.cursorX === column
      })
    },
    raw: () => raw,
    async resize(size) {
      await settled()
      screen.resize(size.columns, size.rows)
      spawnSync("stty", ["-F", await told("tty"), "cols", `${size.columns}`, "rows", `${size.rows}`])
    },
    hangUp,
    get exit() {
      return untilEnd()
    },
  }
}

/** How much the program in a seat's folder has computed, and whether it is at work just now. */
async function workOf(folder: string): Promise<string> {
  try {
    const pid = (await readFile(path.join(folder, "pid"), "utf8")).trim()
    const [state, ...numbers] = (await readFile(`/proc/${pid}/stat`, "utf8"))
      .replace(/^.*\) /s, "")
      .split(" ")
    return state === "S" ? numbers.slice(10, 12).join(" ") : String(performance.now())
  } catch {
    return "not begun, or ended"
  }
}

/**
 * Fails once the program has written nothing for long, with what was shown.
 * @returns the exit code and all that was shown, escape sequences included
 */
export function atTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  steps: readonly Step[],
): Promise<{ code: number | null; screen: string }> {
  return new Promise((resolve, reject) => {
    const child = start(quoted(getCommandLine(args).flat()), { ...env, TERM: env.TERM ?? "xterm" })
    const left = [...steps]
    let screen = ""
    let seen = 0
    const late = setTimeout(() => {
      const what = left[0] ? `never saw ${left[0].see}` : "the program does not end"
      child.kill("SIGKILL")
      reject(new Error(`${what}; what was shown is:\n${screen}`))
    }, PATIENCE_MS)
    child.stdout.on("data", (chunk: Buffer) => {
      late.refresh()
      screen += chunk.toString()
      const [next] = left
      const at = next ? screen.indexOf(next.see, seen) : -1
      if (!next || at < 0) return
      left.shift()
      seen = at + next.see.length
      child.stdin.write(next.type)
    })
    child.on("error", reject)
    child.on("close", (code) => {
      clearTimeout(late)
      resolve({ code, screen })
    })
  })
}

function start(
  command: string,
  env: Readonly<Record<string, string>>,
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    // What a command saves stays in the desk's own folder.
    cwd: env.HOME,
    env: { ...env, SHELL: "/bin/sh" },
    stdio: "pipe",
  })
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
