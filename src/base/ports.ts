/** The ports for everything impure, so that tests pass in their own. Types only: importing this file loads nothing. */
import type { FreightError } from "./errors.ts"

/** Time. All code that asks for the time or waits uses it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Waits; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Monotonic milliseconds, unaffected when the clock is set; absent where tests control the clock. */
  elapsed?(): number
}

/** Notes to people, beside the output. */
export interface Notes {
  note(text: string): Promise<void>
  warn(text: string): Promise<void>
}

/** The end of a lease: checked right before the first byte is sent. */
export interface SendLease {
  isHeld(): boolean
}

/**
 * Runs a command line with the system's shell, in the person's own environment.
 * @param input its standard input
 * @param onLine gets its output, line by line; without it, that goes to standard error
 * @returns undefined on success; otherwise its end, for people: `exit code 3`
 * @throws the signal's reason when it is aborted
 */
export type RunShell = (
  line: string,
  input: string,
  signal: AbortSignal,
  onLine?: (line: string) => Promise<void>,
) => Promise<string | undefined>

/** Imports a package, and removes the signal listeners that it adds to the process. */
export type ImportQuietly = <Module>(load: () => Promise<Module>) => Promise<Module>

export interface Ids {
  uuid(): string
  /** A number in [0, 1). */
  random(): number
}

export type Env = Readonly<Record<string, string | undefined>>

/** The input of a command line that runs within this process. */
export interface CommandInput {
  input?: string | Uint8Array | undefined
  signal: AbortSignal
  /** Characters that it may print. */
  most?: number | undefined
  /** Gets standard output as it is written; `stdout` of the result is then empty. */
  onOutput?: ((chunk: string | Uint8Array) => void) | undefined
}

/** Its output, and the error that it ended with. */
export interface Ran {
  stdout: string
  stderr: string
  error?: FreightError
  /** Number of shipments created; bookings that the ledger had are not created again. */
  shipments: number
}

/** Runs a command line of freight within this process. Never throws. */
export type RunFreight = (words: readonly string[], given: CommandInput) => Promise<Ran>
