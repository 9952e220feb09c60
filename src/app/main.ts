/**
 * Runs a command line of a process and returns its exit code; the one place that turns an error into text and a code.
 */
import path from "node:path"
import { readAsset } from "../base/assets.ts"
import { grouped } from "../base/counted.ts"
import type { Deps } from "../session/index.ts"
import { ClosedPipe, EXIT, FreightError, withOptions } from "../base/errors.ts"
import { type Host, processHost } from "../machine/index.ts"
import type { CommandInput, Env, Ran } from "../base/ports.ts"
import { isForPrograms, openMessages, type OutputStream, type Terminal } from "../output/index.ts"
import { VERSION } from "../base/version.ts"

export { type Host, processHost, programHost, systemClock } from "../machine/index.ts"
export { FreightError }

/** For the libraries that use them. */
export const loadCommand = async (words: readonly string[]) =>
  (await import("./tree.ts")).findEntry(words)?.load?.()
export const loadAudit = () => import("../bills/audit/given.ts")
export const loadPlaces = () => import("../invoice/places.ts")
export const loadSandbox = () => import("../sandbox/server.ts")

/**
 * Called by the scripts in completions/: `__complete :TYPED WORDS…`. PowerShell drops an empty word, hence the colon.
 */
const COMPLETE = "__complete"
/** Installers and scripts ask for the version often, and it loads nothing else. */
const VERSION_FLAGS = ["--version", "-V"]

/**
 * Runs one command line. Never throws.
 * @param host what it runs on: by default this process
 * @returns the exit code
 */
export async function main(
  argv: readonly string[],
  host: Host = processHost({ colour: !argv.includes("--no-color") }),
): Promise<number> {
  const run = (words: readonly string[]) =>
    runCommandLine(words, host, (error, opened) => report(error, words, host, opened))
  if (!isFromDesktop(argv, host)) return run(argv)
  const { runMenu } = await import("./menu.ts")
  return runMenu(argv, host, run).catch((error) => report(error, argv, host))
}

/**
 * Whether it was double clicked, or files were dropped on it: its window closes when it ends. Only Windows can tell, by
 * the parent process; asking takes a tenth of a second.
 */
function isFromDesktop(argv: readonly string[], { platform, startedBy, terminal }: Host): boolean {
  return (
    platform === "win32" &&
    argv.every((word) => path.win32.isAbsolute(word)) &&
    terminal.stdin.isTTY &&
    terminal.stdout.isTTY &&
    /^explorer\.exe$/i.test(startedBy() ?? "")
  )
}

/**
 * @param onError gets the error of the command, and its dependencies if they were made; returns the exit code
 * @param opened gets the command's dependencies
 */
async function runCommandLine(
  argv: readonly string[],
  host: Host,
  onError: (error: unknown, opened: Deps | undefined) => Promise<number>,
  opened: Deps[] = [],
): Promise<number> {
  const { terminal } = host
  let code: number
  try {
    const known = await answerKnown(argv, host)
    if (known !== undefined) {
      await terminal.stdout.write(known)
      return EXIT.done
    }
    const { runProgram } = await import("./program.ts")
    code = await runProgram(argv, terminal, async (globals, called) => {
      const { createDeps } = await import("../session/index.ts")
      const deps = createDeps(globals, host, (words, given) => runWithin(words, host, given), called)
      opened.push(deps)
      return deps
    })
  } catch (error) {
    code = await onError(error, opened[0])
  }
  for (const deps of opened) await deps.close().catch(() => {})
  return code
}

/** Runs another command line in this process, without a terminal, and returns its output. */
export async function runWithin(argv: readonly string[], host: Host, given: CommandInput): Promise<Ran> {
  const { input = "", signal, most = Number.POSITIVE_INFINITY, onOutput } = given
  const ran: Ran = { stdout: "", stderr: "", shipments: 0 }
  const opened: Deps[] = []
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input
  const collect = (into: "stdout" | "stderr"): OutputStream => ({
    isTTY: false,
    colour: false,
    columns: 80,
    async write(chunk) {
      if (into === "stdout" && onOutput) return onOutput(chunk)
      ran[into] += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk)
      if (ran[into].length > most) throw tooMuch(most)
    },
  })
  const terminal: Terminal = {
    stdin: {
      isTTY: false,
      readAll: async () => bytes,
      async *chunks() {
        yield bytes
      },
    },
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    unicode: true,
  }
  const onError = async (error: unknown) => {
    ran.error = asFreightError(error, signal)
    return ran.error.exitCode
  }
  await runCommandLine(argv, { ...host, terminal, signal }, onError, opened)
  ran.shipments = opened[0]?.made()?.shipments ?? 0
  return ran
}

function tooMuch(most: number): FreightError {
  return new FreightError("input", `the answer has more than ${grouped(most)} characters`, {
    hint: "Ask for less: a shorter time, fewer files, or a search.",
  })
}

/** Prints pages that need no command line; undefined if it has to be read. */
async function answerKnown([word = "", ...more]: readonly string[], host: Host): Promise<string | undefined> {
  if (word === COMPLETE) return completeWord(more, host)
  if (more.length > 0) return undefined
  return VERSION_FLAGS.includes(word) ? `${VERSION}\n` : undefined
}

async function completeWord([typed = ":", ...words]: readonly string[], host: Host): Promise<string> {
  const { complete } = await import("./completion/complete.ts")
  const root = JSON.parse(readAsset("dist/commands.json"))
  return complete(root, typed.slice(1), words, host)
}

/** @param opened the command's dependencies; undefined if the command line itself is wrong */
async function report(
  error: unknown,
  argv: readonly string[],
  { terminal, signal, env }: Host,
  opened?: Deps,
): Promise<number> {
  if (error instanceof ClosedPipe) return EXIT.done
  const known = asFreightError(error, signal)
  const format = opened?.output.format ?? findFormat(argv, env)
  // If standard error is a file that cannot grow, a person may still see standard output.
  await openMessages(terminal, format)
    .fail(known)
    .catch(() =>
      terminal.stdout.isTTY
        ? openMessages({ ...terminal, stderr: terminal.stdout }, format).fail(known)
        : undefined,
    )
    .catch(() => {})
  return known.exitCode
}

function asFreightError(error: unknown, signal: AbortSignal): FreightError {
  if (error instanceof FreightError) return error
  if (signal.aborted && signal.reason instanceof FreightError && isAbort(error)) return signal.reason
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const where = error instanceof Error ? error.stack?.split("\n")[1]?.trim() : undefined
  return withOptions(
    new FreightError("bug", `this is a fault in freight ${VERSION}, not in what you did: ${what}`),
    { hint: `Please report it, with the command line${where ? ` and this place: ${where}` : ""}.` },
  )
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError"
}

/** Read from the raw words, because the command line itself may be wrong. */
function findFormat(argv: readonly string[], env: Env): string | undefined {
  const end = argv.indexOf("--")
  const words = end < 0 ? argv : argv.slice(0, end)
  const asked = words.flatMap((word, at) => {
    if (word === "--json") return ["json"]
    if (word === "--format") return words[at + 1] ?? []
    return word.startsWith("--format=") ? [word.slice("--format=".length)] : []
  })
  return asked.length > 0 ? asked.find(isForPrograms) : env.FREIGHT_FORMAT
}
