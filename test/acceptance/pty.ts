/** Sits at a terminal: standard input, output and error are one, as at a desk. */
import xterm from "@xterm/headless"
import { expect, onTestFinished } from "vitest"
import { createFastClock, getCommandLine, getFastCommandLine } from "./freight.ts"
import { type Env, hasTerminal, type Program, type Size, startAside, startHere } from "./terminals.ts"

export { hasTerminal, type Size }

/** Waits for a text on the screen, then types. */
interface Step {
  see: string
  type: string
}

/** The characters that a terminal sends for each key. */
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
  /** Includes the lines above the window. Lines that the terminal wrapped are joined. */
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

/** Less than a test may take, so that a failure shows the screen. */
const PATIENCE_MS = 150_000
const LOOK_MS = 500
const WINDOW: Size = { columns: 80, rows: 24 }
/** For names of files, however long the folder of the tests is. */
export const WIDE: Size = { columns: 300, rows: 24 }

/** Starts freight at a terminal, from source where that does. */
export async function sitDown(args: readonly string[], env: Env, size = WINDOW): Promise<Seat> {
  return sit(size, async (write) => {
    const made = { TERM: "xterm-256color", ...env }
    return (
      (await startHere(args, made, size, write)) ?? startAside(getCommandLine(args).flat(), made, size, write)
    )
  })
}

/** The same where nobody waits as long as people do. */
export async function sitDownFast(args: readonly string[], env: Env, size = WINDOW): Promise<Seat> {
  return sit(size, async (write) => {
    const made = { TERM: "xterm-256color", ...env }
    return (
      (await startHere(args, made, size, write, createFastClock())) ??
      startAside(getFastCommandLine(args).flat(), made, size, write)
    )
  })
}

/** Starts any program at a real terminal. */
export async function sitAt(command: readonly string[], env: Env, size = WINDOW): Promise<Seat> {
  return sit(size, (write) => startAside(command, { TERM: "xterm-256color", ...env }, size, write))
}

/** @param start starts the program, which writes what is shown */
async function sit(
  { columns, rows }: Size,
  start: (write: (text: string) => void) => Promise<Program>,
): Promise<Seat> {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 })
  let raw = ""
  let onChange = () => {}
  const program = await start((text) => {
    raw += text
    screen.write(text, () => onChange())
  })
  let ended = false
  const exit = program.exit.finally(() => {
    ended = true
    screen.write("", () => onChange())
  })
  exit.catch(() => {})
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
  const shows = (text: string | RegExp) =>
    typeof text === "string" ? shown().includes(text) : text.test(shown())
  const createError = (what: string) => new Error(`${what}; the screen is:\n${shown()}`)
  /** Calls `act` once the program has been quiet for so long. @returns what ends the watch */
  const whenQuiet = (act: () => void) => {
    let [before, since] = ["", performance.now()]
    const look = setInterval(async () => {
      const now = `${raw.length} ${await program.work()}`
      if (now !== before) [before, since] = [now, performance.now()]
      if (performance.now() - since > program.quietMs) act()
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

  // Nobody stays at a desk after a test.
  onTestFinished(async () => {
    if (!ended) await program.hangUp()
  })

  return {
    see: (text) => until(`never saw ${text}`, () => shows(text)),
    unseen: (text) => until(`still sees ${text}`, () => !shows(text)),
    press(...keys) {
      for (const key of keys) program.type(KEYS[key])
    },
    type: program.type,
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
      await program.resize(size)
    },
    hangUp: program.hangUp,
    get exit() {
      return untilEnd()
    },
  }
}

/**
 * Fails once the program has written nothing for long, with what was shown.
 * @returns the exit code and all that was shown, escape sequences included
 */
export async function atTerminal(
  args: readonly string[],
  env: Env,
  steps: readonly Step[],
  size = WINDOW,
): Promise<{ code: number | null; screen: string }> {
  const made = { TERM: "xterm", ...env }
  const left = [...steps]
  let screen = ""
  let seen = 0
  let program: Program | undefined
  let isLate = (_: Error) => {}
  const late = new Promise<never>((_, reject) => {
    isLate = reject
  })
  const timer = setTimeout(() => {
    const what = left[0] ? `never saw ${left[0].see}` : "the program does not end"
    isLate(new Error(`${what}; what was shown is:\n${screen}`))
  }, PATIENCE_MS)
  const answer = () => {
    const [next] = left
    const at = next ? screen.indexOf(next.see, seen) : -1
    if (!next || at < 0) return
    left.shift()
    seen = at + next.see.length
    program?.type(next.type)
  }
  const write = (text: string) => {
    timer.refresh()
    screen += text
    answer()
  }
  program =
    (await startHere(args, made, size, write)) ??
    (await startAside(getCommandLine(args).flat(), made, size, write))
  answer()
  try {
    const code = await Promise.race([program.exit, late])
    return { code, screen }
  } catch (error) {
    await program.hangUp()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
