/** Everything that a server can do wrong, and what freight must make of it. */
import { gzipSync } from "node:zlib"
import type { ErrorKind, Retry } from "../../src/base/errors.ts"
import { HTML } from "../api/servers.ts"
import type { Misbehave, Reply } from "./forwarder.ts"

/** How a command ends. */
export interface End {
  exit: number
  kind: ErrorKind
  retry: Retry
  /** How often the struck request is made. */
  requests: number
  /** The text of the message. */
  says: RegExp
  retryAfter?: (seconds: number | undefined) => boolean
}

export interface Fault {
  misbehave: Misbehave
  /** How the command ends if the request only reads, and if it creates. */
  read: End
  create: End
  /** How it ends instead if the request reads a label, which is a PDF. */
  label?: End
  /** Seconds that the command is given, where the fault makes it wait: many are begun at once, and each is sent first. */
  timeout?: string
}

/** A try and three more. */
const ALL_TRIES = 4

const UNKNOWN = /its outcome is unknown/

const unavailable = (says: RegExp, requests = ALL_TRIES): End => ({
  exit: 6,
  kind: "unavailable",
  retry: "safe",
  requests,
  says,
})
const badReply = (says: RegExp): End => ({ exit: 6, kind: "badReply", retry: "safe", requests: 1, says })
const timeout = (says: RegExp): End => ({ exit: 6, kind: "timeout", retry: "safe", requests: 1, says })
const limited = (requests: number, retryAfter: End["retryAfter"]): End => ({
  exit: 6,
  kind: "rateLimited",
  retry: "after",
  requests,
  says: /is limiting requests \(429\)/,
  ...(retryAfter && { retryAfter }),
})
/** A create that may have been carried out: sent once, and never again. */
const unknown: End = { exit: 7, kind: "outcomeUnknown", retry: "never", requests: 1, says: UNKNOWN }

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Misbehave => {
  return ({ res }) =>
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
}
const failed = (status: number) => json(status, { message: `No luck: ${status}` })
const tooMany = (headers: Record<string, string>, body: object = { message: "Slow down" }) =>
  json(429, body, headers)
const raw = (type: string, body: string | Buffer, headers: Record<string, string> = {}): Misbehave => {
  return ({ res }) => res.writeHead(200, { "content-type": type, ...headers }).end(body)
}
/** The sandbox's own reply, changed on the way. */
const changed = (change: (reply: Reply) => Partial<Reply>): Misbehave => {
  return async ({ res, ask }) => {
    const reply = await ask()
    const { status, headers, body } = { ...reply, ...change(reply) }
    res.writeHead(status, { ...headers, "content-length": String(body.length) }).end(body)
  }
}

/** Half of what was announced, and then the connection is gone. */
const cutShort: Misbehave = async ({ res, ask }) => {
  const { status, headers, body } = await ask()
  res.writeHead(status, { ...headers, "content-length": String(body.length) })
  res.write(body.subarray(0, Math.ceil(body.length / 2)), () => {
    setTimeout(() => res.socket?.resetAndDestroy(), 20)
  })
}

const trickle: Misbehave = ({ res }) => {
  res.writeHead(200, { "content-type": "application/json", "content-length": "1000000" })
  const drip = setInterval(() => res.write(" "), 50)
  res.on("close", () => clearInterval(drip))
}

const endless: Misbehave = ({ res }) => {
  res.writeHead(200, { "content-type": "application/json" })
  const chunk = Buffer.alloc(1 << 18, " ")
  const pour = () => {
    while (!res.destroyed && res.write(chunk));
  }
  res.on("drain", pour)
  pour()
}

/** Unpacked, more than any reply may have. */
let bomb: Buffer | undefined
const gzipBomb: Misbehave = (struck) => {
  bomb ??= gzipSync(Buffer.alloc(24_000_000, " "))
  return raw("application/json", bomb, { "content-encoding": "gzip" })(struck)
}

/** Texts become numbers and the other way round, lists objects. */
function misshapen(value: unknown): unknown {
  if (Array.isArray(value)) return { length: value.length }
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, misshapen(each)]))
  if (value === null) return 0
  return typeof value === "string" ? value.length : String(value)
}

const wrongShape = changed(({ headers, body }) =>
  /json/.test(headers["content-type"] ?? "")
    ? { body: Buffer.from(JSON.stringify(misshapen(JSON.parse(body.toString())))) }
    : { headers: { "content-type": "application/json" }, body: Buffer.from('{"label":1}') },
)

export const FAULTS = {
  "reset before headers": {
    misbehave: ({ res }) => res.socket?.resetAndDestroy(),
    read: unavailable(/the connection to \S+ broke \(\w+\) after 4 tries/),
    create: unknown,
  },
  "reset in the body": {
    misbehave: cutShort,
    read: unavailable(/the connection to \S+ broke/),
    create: unknown,
  },
  silence: {
    misbehave: () => {},
    read: timeout(/did not answer in time/),
    create: unknown,
    timeout: "10",
  },
  "a slow trickle": {
    misbehave: trickle,
    read: timeout(/was not complete in time/),
    create: unknown,
    timeout: "10",
  },
  "429 with seconds": {
    misbehave: tooMany({ "retry-after": "1" }),
    read: limited(ALL_TRIES, (seconds) => seconds === 1),
    create: limited(ALL_TRIES, (seconds) => seconds === 1),
  },
  "429 with a date": {
    misbehave: (struck) => tooMany({ "retry-after": new Date(Date.now() + 2000).toUTCString() })(struck),
    read: limited(ALL_TRIES, (seconds = -1) => seconds >= 0 && seconds <= 2),
    create: limited(ALL_TRIES, (seconds = -1) => seconds >= 0 && seconds <= 2),
  },
  "429 with a date an hour away": {
    misbehave: (struck) => tooMany({ "retry-after": new Date(Date.now() + 3_600_000).toUTCString() })(struck),
    read: limited(1, (seconds = 0) => seconds > 3500 && seconds <= 3600),
    create: limited(1, (seconds = 0) => seconds > 3500 && seconds <= 3600),
  },
  "429 with the print API's body": {
    misbehave: tooMany({}, { error: "Too many", code: "RATE_LIMIT_EXCEEDED", retryAfter: 1 }),
    read: limited(ALL_TRIES, (seconds) => seconds === 1),
    create: limited(ALL_TRIES, (seconds) => seconds === 1),
  },
  "502": { misbehave: failed(502), read: unavailable(/answered \S+ \S+ with 502.*No luck/), create: unknown },
  "503": { misbehave: failed(503), read: unavailable(/answered \S+ \S+ with 503.*No luck/), create: unknown },
  "an HTML page with 500": {
    misbehave: ({ res }) => res.writeHead(500, { "content-type": "text/html" }).end(HTML),
    read: unavailable(/answered \S+ \S+ with 500$/, 1),
    create: unknown,
  },
  "truncated JSON": {
    misbehave: raw("application/json", '{"connectors": [{"id": "con'),
    read: badReply(/is not complete JSON|is not a PDF/),
    create: unknown,
  },
  "JSON of another shape": {
    misbehave: wrongShape,
    read: {
      ...{ exit: 1, kind: "unreadable", retry: "never", requests: 1 },
      says: /does not match the contract|cannot be read/,
    },
    label: badReply(/is not a PDF/),
    create: unknown,
  },
  "a wrong content type": {
    misbehave: raw("text/html", HTML),
    read: badReply(/is not (JSON|a PDF) but a web page/),
    create: unknown,
  },
  "a redirect to another origin": {
    misbehave: ({ res, elsewhere }) => res.writeHead(307, { location: elsewhere }).end(),
    read: badReply(/redirects to localhost:\d+; freight follows no redirects/),
    create: { ...unknown, says: /freight follows no redirects.*outcome is unknown/ },
  },
  "an endless body": { misbehave: endless, read: badReply(/too large/), create: unknown },
  "a gzip bomb": { misbehave: gzipBomb, read: badReply(/too large/), create: unknown },
  "bytes that are not HTTP": {
    misbehave: ({ res }) => res.socket?.end("SSH-2.0-OpenSSH_9.2\r\n"),
    read: badReply(/is not HTTP/),
    create: unknown,
  },
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

/** Carried out, and then no word of it. */
export const createdThenDropped: Misbehave = async ({ res, ask }) => {
  await ask()
  res.socket?.resetAndDestroy()
}

/** The values that the contract enumerates: a reply with others would be refused for them. */
const ENUMERATED =
  /^(CARRIER_[ABC]_AU|CONSIGNED|CANCELLED|(NOT_)?BOOKED|FAILED|RECONCILE_NEEDED|API|PORTAL|DELIVERED|shown|hidden|Sender|Receiver|ThirdParty)$/

/** A new window title, a cleared screen, colour, a C1 sequence, line breaks, reversed reading, and NUL. */
export const hostile = (text: string) =>
  `\u001b]0;owned\u0007\u001b[2J\u001b[31m${text}\u009b1m\r\n\u0085\u202e\u0000`

function escaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escaped(each)]))
  return typeof value === "string" && !ENUMERATED.test(value) ? hostile(value) : value
}

/** Control characters in every string that the contract leaves free. */
export const withEscapes: Misbehave = changed(({ headers, body }) =>
  /json/.test(headers["content-type"] ?? "")
    ? { body: Buffer.from(JSON.stringify(escaped(JSON.parse(body.toString())))) }
    : {},
)

/** The same in all that a refusal may say; in its message the key, once whole and once with a sequence inside. */
export const refusalWithEscapes: Misbehave = (struck) => {
  const { key } = struck
  const split = `${key.slice(0, 40)}\u001b[0m${key.slice(40)}`
  json(400, {
    message: hostile(`refused, key ${key}`),
    code: hostile("BAD"),
    errors: [{ message: hostile(`no good: ${split}`), field: hostile("receiver.suburb"), code: "X" }],
  })(struck)
}

/** A document that ends before its announced length. */
export const shortPdf: Misbehave = async ({ res, ask }) => {
  const { headers, body } = await ask()
  res.writeHead(200, { ...headers, "content-length": String(body.length + 100) })
  res.write(body, () => res.socket?.end())
}
