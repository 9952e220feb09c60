/**
 * Everything impure comes in through these ports, so that tests pass in their own.
 * Types only: importing this file loads nothing.
 */
import type { FreightError } from "./errors.ts"

/** Time. Everything that asks "now" or waits does it through this. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Waits; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Milliseconds that go on evenly when the clock is set; absent where tests hold the clock. */
  elapsed?(): number
}

/** Notes to people, beside the output. */
export interface Notes {
  note(text: string): Promise<void>
  warn(text: string): Promise<void>
}

/** Until when something may be sent: asked right before the first byte leaves. */
export interface SendLease {
  isHeld(): boolean
}

/**
 * Runs a command line with the system's shell, in the person's own environment. What it prints goes to standard error.
 * @param input its standard input
 * @param onLine gets what it prints, line by line; without it, that goes to standard error
 * @returns undefined when it ended well; otherwise how it ended, for people: `exit code 3`
 * @throws the signal's reason when that is aborted
 */
export type RunShell = (
  line: string,
  input: string,
  signal: AbortSignal,
  onLine?: (line: string) => Promise<void>,
) => Promise<string | undefined>

/** Imports a package, and takes off the listeners for signals that it adds to the process. */
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
  /** Gets standard output as it is written; `stdout` of what it gives is then empty. */
  onOutput?: ((chunk: string | Uint8Array) => void) | undefined
}

/** Its output, and the error that it ended with. */
export interface Ran {
  stdout: string
  stderr: string
  error?: FreightError
  /** Shipments that it made; what the ledger had is not made again. */
  shipments: number
}

/** Runs a command line of freight within this process. Never throws. */
export type RunFreight = (words: readonly string[], given: CommandInput) => Promise<Ran>
