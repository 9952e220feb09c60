/** One run of a command: its input, its output, and its end. */
import { type Formatted, readOutput } from "./formats.ts"
import {
  completeCommands,
  configDir,
  type ConfigStore,
  findSandboxSwitch,
  type Globals,
  type Host,
  isVariableOn,
  openConfig,
  openSettings,
  serviceFolder,
  type Settings,
  stateDir,
  timeoutMs,
} from "../machine/index.ts"
import type { Api } from "../contract/index.ts"
import type { ReadPages } from "../input/index.ts"
import type { RunFreight } from "../base/ports.ts"
import type { Clock, Env, Ids, RunShell } from "../base/ports.ts"
import {
  createFiles,
  type Files,
  isForPrograms,
  openMessages,
  outlastReaders,
  type Output,
  type OutputStream,
  type Terminal,
  UNFINISHED,
} from "../output/index.ts"

export interface Session {
  readonly globals: Globals
  /** The command line as it was typed, without `freight`. */
  readonly words: readonly string[]
  readonly env: Env
  /** Standard error here is for progress, and takes nothing if programs read it: `note`, `warn` and `show` write. */
  readonly terminal: Terminal
  readonly output: Output
  readonly clock: Clock
  readonly ids: Ids
  readonly files: Files
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Folder of this machine's memory. */
  readonly stateDir: string
  /** The settings file: profiles and saved addresses. */
  readonly config: ConfigStore
  /** Settings from all sources. The file is read when the first value is needed that it may hold. */
  readonly settings: Settings
  /** Version of Node and name of the platform, for `doctor`. */
  readonly runtime: { readonly node: string; readonly platform: string }
  readonly runShell: RunShell
  /** Reads the pages of a PDF, if not by a process of its own. */
  readonly readPages: ReadPages | undefined
  readonly runFreight: RunFreight
  /** Why standard output could not be written completely, in a command that continues. */
  getOutputError(): unknown
  /** A line for the person, on standard error; silent under `--quiet`. */
  note(text: string): Promise<void>
  /** A line that must be seen, on standard error. */
  warn(text: string): Promise<void>
  readonly warnings: readonly string[]
  /** From here on it behaves as with `--sandbox`. Called before either API or the ledger is used. */
  switchToSandbox(): void
  /** Text that was asked for, on standard error; unchanged, if people read it. */
  show(text: string): Promise<void>
  /** Standard error without changes, for a report that cannot go elsewhere. */
  readonly reports: OutputStream
}

/** A session with members that only the other parts of `Deps` need. */
export interface OpenSession extends Session {
  readonly host: Host
  /** Folder for one service: other services' ids mean nothing there. */
  serviceFolder(api: Api): string
  /** The profile in use; `sandbox` there. */
  profileName(): string
  /** The reason for a sandbox that no flag asked for. */
  sandboxReason(): string | undefined
  /** Called at the end, in reverse order. */
  atEnd(close: () => Promise<void>): void
  /** Runs the functions given to `atEnd`. */
  end(): Promise<void>
}

/** The parts of the called command that decide how it reads and prints. */
export interface CalledCommand extends Formatted {
  /** The command line, without `freight`. */
  words?: readonly string[]
  /** As it is called: `freight pickup book`. */
  name?: string
  /** It only reads: it ends when its output has no reader any more. All others continue to their end. */
  endsWithReader?: true | ((options: Readonly<Record<string, unknown>>) => boolean)
}

export function openSession(
  given: Globals,
  host: Host,
  runFreight: RunFreight,
  called: CalledCommand,
): OpenSession {
  const { words = [], name = "freight", endsWithReader } = called
  const { clock, ids, env } = host
  const ends = typeof endsWithReader === "function" ? endsWithReader({ ...given }) : endsWithReader
  const { terminal: streams, getOutputError } = ends
    ? { terminal: host.terminal, getOutputError: () => undefined }
    : outlastReaders(host.terminal)
  const output = readOutput(called, given, env, name)
  const folder = stateDir(env, host.platform)
  const config = openConfig(configDir(env, host.platform), host)
  let found: { by: string | undefined } | undefined
  const findReason = () => {
    found ??= { by: findSandboxSwitch(given, env, config) }
    return found.by
  }
  const isSilent = isVariableOn(env, "FREIGHT_NO_INPUT", "1 asks no questions, 0 asks them at a terminal.")
  const globals: Globals = {
    ...given,
    ...(isSilent && { input: false }),
    get sandbox() {
      return findReason() !== undefined
    },
  }
  const settings = openSettings(globals, env, config, host.runCommand)
  const closers: (() => Promise<void>)[] = []
  // A wrong flag is reported before anything is done; a profile's limit is read when something is sent.
  if (globals.timeout !== undefined) timeoutMs(globals.timeout)

  const messages = openMessages(streams, output.format)
  const warnings: string[] = []

  return {
    host,
    globals,
    words,
    env,
    terminal: { ...streams, stderr: messages.progress },
    output,
    clock,
    ids,
    files: createFiles(`${folder}/${UNFINISHED}`, host.signal),
    signal: host.signal,
    stateDir: folder,
    config,
    settings,
    runtime: { node: host.node, platform: host.platform },
    runShell: (line, input, signal) =>
      host.runShell(line, input, signal, isForPrograms(output.format) ? messages.show : undefined),
    readPages: host.readPages,
    runFreight,
    getOutputError,
    note: async (text) => {
      if (!globals.quiet) await messages.note(completeCommands(text, globals))
    },
    async warn(text) {
      const whole = completeCommands(text, globals)
      warnings.push(whole)
      await messages.warn(whole)
    },
    warnings,
    show: messages.show,
    reports: streams.stderr,
    serviceFolder: (api) => `${folder}/${serviceFolder(globals, settings, api)}`,
    profileName: () => (globals.sandbox ? "sandbox" : settings.profile().name),
    switchToSandbox() {
      given.sandbox = true
      found = undefined
    },
    sandboxReason: () => (given.sandbox ? undefined : findReason()),
    atEnd: (close) => closers.push(close),
    async end() {
      const failures: unknown[] = []
      // A ledger on a full disk cannot be closed cleanly; an open sandbox would keep the process alive.
      for (const close of closers.splice(0).reverse()) await close().catch((error) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** Creates a value on first use, once. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
