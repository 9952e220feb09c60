/**
 * Every way a command can end badly, and the exit code that a script sees for it.
 * This file imports nothing: any room may throw these errors, and only `main.ts` turns them into text.
 */

/** Exit codes promised to scripts. */
export const EXIT = {
  done: 0,
  no: 1,
  wrongInput: 2,
  notAllowed: 4,
  notFound: 5,
  unavailable: 6,
  unknown: 7,
  stepFailed: 8,
  bug: 70,
  interrupted: 130,
  closedPipe: 141,
} as const

/** What each says to whoever, or whatever, ran the command. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  no: "done, and the answer is no: an invoice is invalid, a bill is to be disputed, something needs someone today, a carrier or the API refused, a pickup came back FAILED",
  wrongInput: "the command line, the configuration or an input file is wrong; nothing was sent",
  notAllowed: "not signed in, or not allowed",
  notFound: "not found",
  unavailable: "unavailable, rate-limited or timed out, and nothing can have been created: safe to run again",
  unknown: "the outcome is unknown: something may exist; do not run it again, run freight reconcile",
  stepFailed:
    "the main thing was done and a later step was not (label, print, pickup, --exec): run only that step",
  bug: "a bug in freight",
  interrupted: "interrupted",
  closedPipe:
    "invoice validate and invoice list: nobody reads the output any more (head), and no error was found until then",
}

/** What a script may do next: run again, never run again, or run again after a wait. */
export type Retry = "safe" | "never" | "after"

/** Each kind of failure, with its exit code and whether running the same command again is safe. */
export const KINDS = {
  /** The carrier or the API looked at the request and said no. */
  refused: { exit: EXIT.no, retry: "never" },
  /** The command line is wrong. */
  usage: { exit: EXIT.wrongInput, retry: "never" },
  /** The configuration or the environment is wrong. */
  config: { exit: EXIT.wrongInput, retry: "never" },
  /** A file or a value that was given is wrong. */
  input: { exit: EXIT.wrongInput, retry: "never" },
  /** 401: no key, or not a valid one. */
  unauthenticated: { exit: EXIT.notAllowed, retry: "never" },
  /** 403: a valid key that may not do this. */
  forbidden: { exit: EXIT.notAllowed, retry: "never" },
  /** 404. */
  notFound: { exit: EXIT.notFound, retry: "never" },
  /** Not ready yet: a label or tracking data that will come. */
  notReady: { exit: EXIT.unavailable, retry: "after" },
  /** Could not be reached, or answered that it is down; nothing was created. */
  unavailable: { exit: EXIT.unavailable, retry: "safe" },
  /** 429; nothing was created. */
  rateLimited: { exit: EXIT.unavailable, retry: "after" },
  /** No answer in time to a request that creates nothing. */
  timeout: { exit: EXIT.unavailable, retry: "safe" },
  /** The answer could not be understood; nothing can have been created. */
  badReply: { exit: EXIT.unavailable, retry: "safe" },
  /** The answer lacks what is needed, or is not what the contract says: asking again gives the same. */
  unreadable: { exit: EXIT.no, retry: "never" },
  /** A create was sent and its outcome is not known: something may exist. */
  outcomeUnknown: { exit: EXIT.unknown, retry: "never" },
  /** The main thing was done, a later step was not. */
  stepFailed: { exit: EXIT.stepFailed, retry: "never" },
  /** A fault in freight itself. */
  bug: { exit: EXIT.bug, retry: "never" },
  /** Ctrl-C, or a closed terminal. */
  interrupted: { exit: EXIT.interrupted, retry: "safe" },
} as const satisfies Record<string, { exit: number; retry: Retry }>

export type ErrorKind = keyof typeof KINDS

/** One thing that is wrong inside a request or a file. */
export interface ErrorDetail {
  message: string
  /** Dotted path of the field, as the contract names it: `receiver.postcode`. */
  field?: string | undefined
  code?: string | undefined
  /** Place in the input file, counted from 1. */
  line?: number | undefined
  column?: number | undefined
  /** The command that does this step alone, or looks into it. */
  next?: string | undefined
}

/** A detail in words: its field first, unless the message names it. */
export function describeDetail({ field, message }: Pick<ErrorDetail, "field" | "message">): string {
  return field === undefined || message.includes(field) ? message : `${field}: ${message}`
}

export interface FreightErrorOptions {
  /** HTTP status, when a server answered. */
  status?: number | undefined
  /** The server's own code, such as `DEVICE_NOT_FOUND`. */
  code?: string | undefined
  errors?: readonly ErrorDetail[] | undefined
  /** Seconds to wait before the next try. */
  retryAfter?: number | undefined
  /** Overrides what the kind says, where one case differs. */
  retry?: Retry | undefined
  /** The command to run next, ready to paste. */
  next?: string | undefined
  /** What the user can do, in a sentence. */
  hint?: string | undefined
  cause?: unknown
}

/** The shape that `--json` prints on standard error. */
export interface ErrorJson {
  error: {
    kind: ErrorKind
    message: string
    status?: number
    code?: string
    errors?: readonly ErrorDetail[]
    retry: Retry
    retryAfter?: number
    next?: string
  }
}

/** The reader of a pipe went away: the command ends quietly. */
export class ClosedPipe extends Error {}

/** A failure that the user can read and act on. Anything else that reaches `main` is a bug. */
export class FreightError extends Error {
  readonly kind: ErrorKind
  readonly status: number | undefined
  readonly code: string | undefined
  readonly errors: readonly ErrorDetail[] | undefined
  readonly retryAfter: number | undefined
  readonly retry: Retry
  readonly next: string | undefined
  readonly hint: string | undefined

  constructor(kind: ErrorKind, message: string, options: FreightErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = "FreightError"
    this.kind = kind
    this.status = options.status
    this.code = options.code
    this.errors = options.errors
    this.retryAfter = options.retryAfter
    this.retry = options.retry ?? KINDS[kind].retry
    this.next = options.next
    this.hint = options.hint
  }

  get exitCode(): number {
    return KINDS[this.kind].exit
  }

  toJSON(): ErrorJson {
    return {
      error: {
        kind: this.kind,
        message: this.message,
        ...(this.status !== undefined && { status: this.status }),
        ...(this.code !== undefined && { code: this.code }),
        ...(this.errors?.length && { errors: this.errors }),
        retry: this.retry,
        ...(this.retryAfter !== undefined && { retryAfter: this.retryAfter }),
        ...(this.next !== undefined && { next: this.next }),
      },
    }
  }
}

/** The error of a step that the rest can do without. @throws what ends the command: an interruption, or a bug */
export function toStepError(error: unknown): FreightError {
  if (error instanceof FreightError && error.kind !== "interrupted") return error
  throw error
}

/** A copy of an error with some of its options replaced; kind and message stay, and so does what `options` leaves undefined. */
export function withOptions(error: FreightError, options: FreightErrorOptions): FreightError {
  const { status, code, errors, retryAfter, retry, next, hint, cause } = error
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return new FreightError(error.kind, error.message, {
    ...{ status, code, errors, retryAfter, retry, next, hint, cause },
    ...Object.fromEntries(given),
  })
}
