/** argv and the process → an exit code; the one place that turns an error into text and a code. */
import { setMaxListeners } from "node:events"
import { readFileSync } from "node:fs"
import type { Deps } from "./deps.ts"
import { EXIT, FreightError, withOptions } from "./errors.ts"
import {
  ClosedPipe,
  processConversation,
  processPrompter,
  processTerminal,
  systemClock,
  systemEvery,
  systemIds,
} from "./host.ts"
import type { Moment } from "./ledger/create.ts"
import { systemSqlite } from "./builtin-sqlite.ts"
import { errorText } from "./terminal/error-text.ts"
import { jsonText } from "./terminal/json-text.ts"
import type { Terminal } from "./terminal/terminal.ts"
import { VERSION } from "./version.ts"

/** Asked by the scripts in completions/: `__complete :TYPED WORDS…`. PowerShell drops an empty word, hence the colon. */
const COMPLETE = "__complete"
/** Installers and scripts ask for the version often, and it needs nothing else. */
const VERSION_FLAGS = ["--version", "-V"]

/**
 * Runs one command line in this process. Never throws.
 * @param at moments of a create at which a test may end the process
 * @param leaseMs how long a claim's lease is, in a test
 * @returns the exit code
 */
export async function main(
  argv: readonly string[],
  at?: (moment: Moment) => void,
  leaseMs?: number,
): Promise<number> {
  const terminal = processTerminal(!argv.includes("--no-color"))
  let signal: AbortSignal | undefined
  const opened: Deps[] = []
  let code: number
  try {
    const known = await answerKnown(argv)
    if (known !== undefined) {
      await terminal.stdout.write(known)
      return EXIT.done
    }
    const { runProgram } = await import("./program.ts")
    code = await runProgram(argv, terminal, async (globals, extraFormats) => {
      const { createDeps } = await import("./deps.ts")
      const { interrupt, onSignal } = createInterrupt()
      signal = interrupt
      const host = {
        env: process.env,
        platform: process.platform,
        node: process.versions.node,
        prompt: () => processPrompter(interrupt),
        converse: (options: { plain: boolean }) =>
          processConversation(options, terminal, interrupt, onSignal),
        terminal,
        signal: interrupt,
        clock: systemClock,
        ids: systemIds,
        sqlite: systemSqlite,
        every: systemEvery,
        ...(at && { at }),
        ...(leaseMs !== undefined && { leaseMs }),
      }
      const deps = createDeps(globals, host, extraFormats)
      opened.push(deps)
      return deps
    })
  } catch (error) {
    code = await report(error, argv, terminal, signal)
  }
  for (const deps of opened) await deps.close().catch(() => {})
  return code
}

/** What is printed without reading the command line; undefined when that has to be read. */
async function answerKnown([word = "", ...more]: readonly string[]): Promise<string | undefined> {
  if (word === COMPLETE) return completeWord(more)
  if (more.length > 0) return undefined
  return VERSION_FLAGS.includes(word) ? `${VERSION}\n` : undefined
}

async function completeWord([typed = ":", ...words]: readonly string[]): Promise<string> {
  const { complete } = await import("./completion/complete.ts")
  const { env, platform } = process
  const machine = { env, platform, clock: systemClock, ids: systemIds, sqlite: systemSqlite }
  const root = JSON.parse(readFileSync(new URL("./commands.json", import.meta.url), "utf8"))
  return complete(root, typed.slice(1), words, machine)
}

/** What the first Ctrl-C aborts; before a command begins there is nothing to be ended in order. */
function createInterrupt(): { interrupt: AbortSignal; onSignal: () => void } {
  const controller = new AbortController()
  // Whatever is under way and whatever waits listens to it: any number is right.
  setMaxListeners(0, controller.signal)
  const onSignal = () => {
    // The second Ctrl-C does not wait for what is in flight.
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort(new FreightError("interrupted", "interrupted"))
  }
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal)
  return { interrupt: controller.signal, onSignal }
}

async function report(
  error: unknown,
  argv: readonly string[],
  terminal: Terminal,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (error instanceof ClosedPipe) return EXIT.done
  const known = asFreightError(error, signal)
  const text = asksForJson(argv) ? `${jsonText(known)}\n` : errorText(terminal.stderr, known)
  await terminal.stderr.write(text).catch(() => {})
  return known.exitCode
}

function asFreightError(error: unknown, signal: AbortSignal | undefined): FreightError {
  if (error instanceof FreightError) return error
  if (signal?.aborted && signal.reason instanceof FreightError && isAbort(error)) return signal.reason
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const where = error instanceof Error ? error.stack?.split("\n")[1]?.trim() : undefined
  return withOptions(
    new FreightError("bug", `this is a fault in freight ${VERSION}, not in what you did: ${what}`),
    {
      hint: `Please report it, with the command line${where ? ` and this place: ${where}` : ""}.`,
    },
  )
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError"
}

/** Read from the raw words, since the command line itself may be what is wrong. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--")
  const words = end < 0 ? argv : argv.slice(0, end)
  return words.some(
    (word, at) =>
      word === "--json" || word === "--format=json" || (word === "--format" && words[at + 1] === "json"),
  )
}
