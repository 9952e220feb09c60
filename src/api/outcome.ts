import type { ErrorKind } from "../base/errors.ts"

/**
 * A `read` may be sent any number of times. A `create` makes something that cannot be cancelled, so it is sent again only
 * if nothing can have been created.
 */
export type CallKind = "read" | "create"

/** A complete reply. From status 300 on, the body may be cut off. */
export interface Answer {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

export type Outcome =
  /** No byte left: nothing can have been created. */
  | { end: "unsent"; error: ExchangeError }
  /** It may have left, and no complete reply came: something may have been created. */
  | { end: "unanswered"; error: ExchangeError }
  | ({ end: "answered" } & Answer)

/** Time limits of the three parts of an exchange, in milliseconds. */
export interface Timeouts {
  /** For a connection, including a proxy's tunnel and TLS. */
  connectMs: number
  /** From sending the request to the first byte of the answer. */
  headersMs: number
  bodyMs: number
  /** From sending the request until its reply is late; default `getLateMs`. */
  lateMs?: number | undefined
}

/** A request for rates without a reply by then is replaced: by one for each carrier, or by going on without it. */
const LATE_MS = 3_000

/** Earlier than the request's time limit, to leave time for the replacement. */
export function getLateMs({ headersMs }: Pick<Timeouts, "headersMs">): number {
  return Math.min(LATE_MS, headersMs / 2)
}

/** How one read differs from others. */
export interface ReadOptions {
  /**
   * Called once the reply is late, with the milliseconds that are left for it. From then on the request does not count as
   * under way, so that others can be sent.
   */
  onLate?: ((leftMs: number) => void) | undefined
  /** Milliseconds until the first byte of the reply, if it has less time than other requests. */
  withinMs?: number | undefined
  /** A late reply is not waited for. */
  isBrief?: boolean | undefined
  /** Aborts the request in any state. */
  signal?: AbortSignal | undefined
}

interface ExchangeError {
  name: ExchangeErrorName
  /** The system's or undici's own code, such as `ECONNREFUSED`; empty when there is none. */
  code: string
}

export interface Places {
  host: string
  proxy: string | undefined
  /** The variable with the proxy's address, and whether that has a user name. */
  proxyVariable: string
  hasProxyLogin: boolean
  setting: string
}

interface ErrorWords {
  /** The error's kind if nothing can have been created; default: `unavailable`. */
  kind?: ErrorKind
  /** A retry within seconds can help. */
  isTransient?: true
  text: (places: Places & { peer: string }) => string
  hint?: (places: Places) => string
}

const EXCHANGE_ERRORS = {
  name: {
    isTransient: true,
    text: ({ peer }) => `no network address was found for ${peer}`,
    hint: ({ setting, proxy }) => `Is the network up, and is ${proxy ? "HTTPS_PROXY" : setting} right?`,
  },
  refused: {
    isTransient: true,
    text: ({ peer }) => `${peer} refused the connection`,
    hint: ({ setting, proxy }) => `Is it running, and is ${proxy ? "HTTPS_PROXY" : setting} right?`,
  },
  unreachable: {
    isTransient: true,
    text: ({ peer }) => `there is no network route from here to ${peer}`,
  },
  connectTimeout: {
    kind: "timeout",
    isTransient: true,
    text: ({ peer }) => `${peer} could not be reached in time`,
  },
  certificate: {
    text: ({ host, proxy }) =>
      proxy
        ? `a certificate on the way to ${host}, through the proxy ${proxy}, is not trusted`
        : `the certificate of ${host} is not trusted`,
    hint: () => "Where a company's own authority signs certificates, name its file in NODE_EXTRA_CA_CERTS.",
  },
  notTls: {
    text: ({ host }) => `no secure connection could be made to ${host}`,
    hint: ({ setting }) => `Is ${setting} an https address, with the right port?`,
  },
  proxy: {
    isTransient: true,
    text: ({ host, peer }) => `the proxy ${peer} would not connect to ${host}`,
    hint: () => "Does HTTPS_PROXY hold the user name and password that the proxy needs?",
  },
  /** Never tried again: each wrong password counts towards locking the account. */
  proxyLogin: {
    kind: "config",
    text: ({ peer, hasProxyLogin }) =>
      hasProxyLogin
        ? `the proxy ${peer} refused the user name or password`
        : `the proxy ${peer} wants a user name and password`,
    hint: ({ proxyVariable, hasProxyLogin }) =>
      hasProxyLogin
        ? `They are in ${proxyVariable}: correct them there before you run this again, as companies lock an account after a few wrong passwords. In a password, write @ as %40, : as %3A and / as %2F.`
        : `Write them in ${proxyVariable}: http://USER:PASSWORD@HOST:PORT.`,
  },
  broken: { isTransient: true, text: ({ host }) => `the connection to ${host} broke` },
  silent: {
    kind: "timeout",
    text: ({ host }) => `${host} did not answer in time`,
    hint: () => "--timeout sets how many seconds to wait.",
  },
  slow: {
    kind: "timeout",
    text: ({ host }) => `the reply of ${host} was not complete in time`,
    hint: () => "--timeout sets how many seconds to wait.",
  },
  notHttp: {
    kind: "badReply",
    text: ({ host }) => `${host} answered with something that is not HTTP`,
    hint: ({ setting }) => `Is ${setting} right?`,
  },
  tooLarge: {
    kind: "badReply",
    text: ({ host }) => `the reply of ${host} is too large`,
  },
  packed: { kind: "badReply", text: ({ host }) => `the reply of ${host} cannot be unpacked` },
  lease: {
    text: () => "the ledger could not be reached in time to send this",
  },
  interrupted: { kind: "interrupted", text: () => "interrupted" },
  other: { text: ({ host }) => `the exchange with ${host} failed` },
} as const satisfies Record<string, ErrorWords>

export type ExchangeErrorName = keyof typeof EXCHANGE_ERRORS

/** The kind (if nothing can have been created) and the message. */
export function describeExchangeError(
  error: ExchangeError,
  places: Places,
): { kind: ErrorKind; text: string; hint?: string } {
  const { kind = "unavailable", text, hint }: ErrorWords = EXCHANGE_ERRORS[error.name]
  const code = error.code && ` (${error.code})`
  return {
    kind,
    text: text({ ...places, peer: places.proxy ?? places.host }) + code,
    ...(hint && { hint: hint(places) }),
  }
}

export function isTransient(error: ExchangeError): boolean {
  const words: ErrorWords = EXCHANGE_ERRORS[error.name]
  return words.isTransient === true
}

export class DetectedError extends Error {
  readonly exchangeError: ExchangeError

  constructor(name: ExchangeErrorName, code = "") {
    super(name)
    this.exchangeError = { name, code }
  }
}

/** Classifies an error of undici, a socket or TLS. `sent`: the request may have left. */
export function classifyError(error: Error, sent: boolean): ExchangeError {
  if (error instanceof DetectedError) return error.exchangeError
  // Some parser errors of undici have no code.
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name
  const name = BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? "other"
  // The system's timeout on an established connection.
  return { name: sent && name === "connectTimeout" ? "broken" : name, code }
}

const BY_CODE: readonly (readonly [RegExp, ExchangeErrorName])[] = [
  [/^(ENOTFOUND|EAI_)/, "name"],
  [/^ECONNREFUSED$/, "refused"],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/, "unreachable"],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, "connectTimeout"],
  [/CERT|^CRL_|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)/, "certificate"],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, "notTls"],
  [/^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/, "notHttp"],
  [/^UND_ERR_(CLOSED|DESTROYED)$/, "interrupted"],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, "broken"],
]
