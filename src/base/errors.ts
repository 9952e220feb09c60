/**
 * The ways a command can fail, each with its exit code. This file imports nothing: any room may throw these errors, and
 * only `main.ts` turns them into text.
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

/** The meaning of each, for the person or program that ran the command. */
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
    "invoice validate and invoice list: the reader closed the pipe (head) before an error was found",
}

/** The possible next steps of a script: run again, never run again, or run again after a wait. */
export type Retry = "safe" | "never" | "after"

/**
 * Every `code` of an error, with the kind that it narrows: scripts branch on it. docs/scripts.md says how to handle
 * each. If the API has a name for it, that is the code.
 */
export const CODES = {
  BOOKED_ALREADY: "refused",
  CHANGED: "refused",
  BOOKED_ELSEWHERE: "refused",
  OVER_MAX_PRICE: "refused",
  CARRIER_REFUSED: "refused",
  PRINTED_ALREADY: "refused",
  PICKUP_BOOKED_ALREADY: "refused",
  AT_CARRIER: "refused",
  CANCELLED: "refused",
  NOT_CANCELLED: "refused",
  NO_SERVICE: "refused",
  TOO_LATE: "refused",
  OVER_MAX_TOTAL: "refused",
  ROWS_NOT_BOOKED: "refused",
  REFUSED: "refused",
  UNREADABLE: "unreadable",
  USAGE: "usage",
  CONFIG: "config",
  INPUT: "input",
  BOOKED_PERHAPS: "input",
  KEY_TAKEN: "input",
  ACCOUNT_UNKNOWN: "input",
  CLOCK_DOUBT: "input",
  AMBIGUOUS_NAME: "input",
  UNAUTHENTICATED: "unauthenticated",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "notFound",
  SHIPMENT_NOT_FOUND: "notFound",
  DEVICE_NOT_FOUND: "notFound",
  NOT_READY: "notReady",
  LABEL_NOT_AVAILABLE: "notReady",
  UNAVAILABLE: "unavailable",
  RATE_LIMIT_EXCEEDED: "rateLimited",
  TIMEOUT: "timeout",
  NO_ANSWER: "timeout",
  BAD_REPLY: "badReply",
  OUTCOME_UNKNOWN: "outcomeUnknown",
  BEING_SENT: "outcomeUnknown",
  STEP_FAILED: "stepFailed",
  BUG: "bug",
  INTERRUPTED: "interrupted",
} as const

export type ErrorCode = keyof typeof CODES

/** Each kind of failure, with its exit code, whether a repeat is safe, and its code if no other fits. */
export const KINDS = {
  /** The carrier or the API rejected the request. */
  refused: { exit: EXIT.no, retry: "never", code: "REFUSED" },
  /** The command line is wrong. */
  usage: { exit: EXIT.wrongInput, retry: "never", code: "USAGE" },
  /** The configuration or the environment is wrong. */
  config: { exit: EXIT.wrongInput, retry: "never", code: "CONFIG" },
  /** A given file or value is wrong. */
  input: { exit: EXIT.wrongInput, retry: "never", code: "INPUT" },
  /** 401: no key, or not a valid one. */
  unauthenticated: { exit: EXIT.notAllowed, retry: "never", code: "UNAUTHENTICATED" },
  /** 403: the key is valid but lacks the permission. */
  forbidden: { exit: EXIT.notAllowed, retry: "never", code: "FORBIDDEN" },
  /** 404. */
  notFound: { exit: EXIT.notFound, retry: "never", code: "NOT_FOUND" },
  /** Not ready yet: a label or tracking data that will come. */
  notReady: { exit: EXIT.unavailable, retry: "after", code: "NOT_READY" },
  /** Could not be reached, or replied that it is down; nothing was created. */
  unavailable: { exit: EXIT.unavailable, retry: "safe", code: "UNAVAILABLE" },
  /** 429; nothing was created. */
  rateLimited: { exit: EXIT.unavailable, retry: "after", code: "RATE_LIMIT_EXCEEDED" },
  /** No answer in time to a request that creates nothing. */
  timeout: { exit: EXIT.unavailable, retry: "safe", code: "TIMEOUT" },
  /** The reply could not be parsed; nothing can have been created. */
  badReply: { exit: EXIT.unavailable, retry: "safe", code: "BAD_REPLY" },
  /** The reply lacks needed data, or contradicts the contract: a repeat gives the same. */
  unreadable: { exit: EXIT.no, retry: "never", code: "UNREADABLE" },
  /** A create was sent and its outcome is not known: something may exist. */
  outcomeUnknown: { exit: EXIT.unknown, retry: "never", code: "OUTCOME_UNKNOWN" },
  /** The main step was done, and a later step failed. */
  stepFailed: { exit: EXIT.stepFailed, retry: "never", code: "STEP_FAILED" },
  /** A fault in freight itself. */
  bug: { exit: EXIT.bug, retry: "never", code: "BUG" },
  /** Ctrl-C, or a closed terminal. */
  interrupted: { exit: EXIT.interrupted, retry: "safe", code: "INTERRUPTED" },
} as const satisfies Record<string, { exit: number; retry: Retry; code: ErrorCode }>

/** The ways in which a call can fail, as exit codes are for the command line. */
export type ErrorKind = keyof typeof KINDS

/** One error inside a request or a file, or the error of one of several targets. */
export interface ErrorDetail {
  message: string
  /** For a command with several targets: the target, as it was named. */
  target?: string | undefined
  /** The error kind of that target, as in a command for it alone. */
  kind?: ErrorKind | undefined
  /** Whether the command may be run again for that target. */
  retry?: Retry | undefined
  /** Seconds to wait before that. */
  retryAfter?: number | undefined
  shipmentId?: string | undefined
  /** Dotted path of the field, as the contract names it: `receiver.postcode`. */
  field?: string | undefined
  /** With `kind`, the error's code to branch on; else the API's own code, or that of the broken rule. */
  code?: string | undefined
  /** The API's own error code for that target. */
  apiCode?: string | undefined
  /** Place in the input file, counted from 1. */
  line?: number | undefined
  column?: number | undefined
  /** The command that repeats or inspects this step alone. */
  next?: string | undefined
  /** The same as arguments of `freight`, if it runs without a person. */
  nextArgs?: readonly string[] | undefined
}

/** A detail in words: its field first, unless the message names it. */
export function describeDetail({ field, message }: Pick<ErrorDetail, "field" | "message">): string {
  return field === undefined || message.includes(field) ? message : `${field}: ${message}`
}

export interface FreightErrorOptions {
  /** HTTP status, when a server answered. */
  status?: number | undefined
  /** The code for scripts. Default: that of the kind. */
  code?: ErrorCode | undefined
  /** The API's own code, such as `PAYER_ACCOUNT_REQUIRED`. */
  apiCode?: string | undefined
  /** The shipment that it is about, where there is one. */
  shipmentId?: string | undefined
  errors?: readonly ErrorDetail[] | undefined
  /** Seconds to wait before the next try. */
  retryAfter?: number | undefined
  /** Overrides the kind's value, if one case differs. */
  retry?: Retry | undefined
  /** The command to run next, ready to paste. */
  next?: string | undefined
  /** The same as arguments of `freight`, if it runs without a person: `withNext` finds them. */
  nextArgs?: readonly string[] | undefined
  /** The advice for the user, in a sentence. */
  hint?: string | undefined
  cause?: unknown
}

/** The shape that `--json` prints on standard error. */
export interface ErrorJson {
  error: {
    kind: ErrorKind
    message: string
    /** HTTP status, where a server answered. */
    status?: number
    /** The code for scripts; docs/scripts.md lists them. */
    code: ErrorCode
    /** The API's own code. */
    apiCode?: string
    /** The shipment that it is about. */
    shipmentId?: string
    /** Each error, or the error of each target. */
    errors?: readonly ErrorDetail[]
    /** Whether the same command may be run again. */
    retry: Retry
    /** Seconds to wait before that. */
    retryAfter?: number
    /** The command to run next, for a person. */
    next?: string
    /** The same as arguments of `freight`, if it is complete, spends nothing and releases nothing. */
    nextArgs?: readonly string[]
    /** The advice, in a sentence. */
    hint?: string
  }
}

/** A line on standard error under `--json` and `--format ndjson`: notes and warnings as they come, and last the error, where the command fails. */
export type MessageJson = { note: string } | { warning: string } | ErrorJson

/** The reader of a pipe is gone: the command ends quietly. */
export class ClosedPipe extends Error {}

/**
 * A failure that the user can read and act on: every call of the library rejects with one. Kinds may be added: have a
 * default. Any other error that reaches `main` is a bug.
 */
export class FreightError extends Error {
  readonly kind: ErrorKind
  /** HTTP status, where a server answered. */
  readonly status: number | undefined
  /** The code for scripts, such as `BOOKED_ALREADY`: docs/scripts.md lists them. Codes may be added. */
  readonly code: ErrorCode
  /** The API's own code, such as `PAYER_ACCOUNT_REQUIRED`. */
  readonly apiCode: string | undefined
  /** The shipment that it is about, where there is one. */
  readonly shipmentId: string | undefined
  /** Each error in a request or a file. */
  readonly errors: readonly ErrorDetail[] | undefined
  /** Seconds to wait before the next try, if the server says it. */
  readonly retryAfter: number | undefined
  /**
   * `safe`: run it again. `after`: after a wait. `never`: not unchanged. For the kind `outcomeUnknown` it is always
   * `never`: something may exist, and `reconcile` looks for it.
   */
  readonly retry: Retry
  /** The command line to run next, if one helps. */
  readonly next: string | undefined
  /** The same as arguments of `freight`, if it is complete and spends nothing. */
  readonly nextArgs: readonly string[] | undefined
  /** The advice, in a sentence. */
  readonly hint: string | undefined

  constructor(kind: ErrorKind, message: string, options: FreightErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = "FreightError"
    this.kind = kind
    this.status = options.status
    this.code = options.code ?? KINDS[kind].code
    this.apiCode = options.apiCode
    this.shipmentId = options.shipmentId
    this.errors = options.errors
    this.retryAfter = options.retryAfter
    this.retry = options.retry ?? KINDS[kind].retry
    this.next = options.next
    this.nextArgs = options.nextArgs
    this.hint = options.hint
  }

  /** The command line's exit code: 7 for `outcomeUnknown`, 8 for `stepFailed`. */
  get exitCode(): number {
    return KINDS[this.kind].exit
  }

  /** @internal */
  toJSON(): ErrorJson {
    return {
      error: {
        kind: this.kind,
        message: this.message,
        ...(this.status !== undefined && { status: this.status }),
        code: this.code,
        ...(this.apiCode !== undefined && { apiCode: this.apiCode }),
        ...(this.shipmentId !== undefined && { shipmentId: this.shipmentId }),
        ...(this.errors?.length && { errors: this.errors }),
        retry: this.retry,
        ...(this.retryAfter !== undefined && { retryAfter: this.retryAfter }),
        ...(this.next !== undefined && { next: this.next }),
        ...(this.nextArgs !== undefined && { nextArgs: this.nextArgs }),
        ...(this.hint !== undefined && { hint: this.hint }),
      },
    }
  }
}

/** The error of one of several targets. @param target as it was named; undefined where the message says it */
export function toDetail(target: string | undefined, error: FreightError, message: string): ErrorDetail {
  const { kind, code, apiCode, retry, retryAfter, shipmentId, next } = error
  return {
    message,
    ...(target !== undefined && { target }),
    ...{ kind, code, retry },
    ...(apiCode !== undefined && { apiCode }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(shipmentId !== undefined && { shipmentId }),
    ...(next !== undefined && { next }),
  }
}

/** The error of an optional step. @throws errors that end the command: an interruption, or a bug */
export function toStepError(error: unknown): FreightError {
  if (error instanceof FreightError && error.kind !== "interrupted") return error
  throw error
}

/**
 * A copy of an error with some of its options replaced; kind and message stay, and so do options that are undefined in
 * `options`.
 */
export function withOptions(error: FreightError, options: FreightErrorOptions): FreightError {
  const { status, code, apiCode, shipmentId, errors, retryAfter, retry, next, nextArgs, hint, cause } = error
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return new FreightError(error.kind, error.message, {
    ...{ status, code, apiCode, shipmentId, errors, retryAfter, retry, next, nextArgs, hint, cause },
    ...Object.fromEntries(given),
  })
}
