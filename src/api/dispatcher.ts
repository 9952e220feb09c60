/** The one file that knows undici: it opens connections, and sends a request once. */
import * as http from "node:http"
import * as https from "node:https"
import { setImmediate as nextTurn } from "node:timers/promises"
import * as tls from "node:tls"
import { gunzipSync } from "node:zlib"
import { Agent, buildConnector, type Dispatcher } from "undici"
import type { Answer, Outcome, Timeouts } from "./outcome.ts"
import { proxyLogin } from "./proxy.ts"
import { FoundTrouble, type TroubleName, troubleOf } from "./trouble.ts"

/** A request as it goes over the wire. */
export interface Wire {
  method: string
  /** Path and query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

export interface SenderOptions {
  /** Scheme, host and port. */
  origin: string
  proxy: URL | undefined
  timeouts: Timeouts
  /** The largest body that is read, in bytes, also after unpacking. */
  maxReplyBytes: number
  /** Certificate authorities (PEM) besides those that Node brings; default: the system's, where Node can read them. */
  authorities?: readonly string[]
}

export interface Sender {
  /** Sends a request once, never again by itself. Never rejects. */
  send(wire: Wire, signal?: AbortSignal): Promise<Outcome>
  /** Drops all connections. */
  close(): Promise<void>
}

/** What is used of `node:tls`; reading the system's store is there since Node 22.15. */
const tlsNow: {
  rootCertificates: readonly string[]
  getCACertificates?: (store: "system" | "default") => string[]
} = tls

export function createSender(options: SenderOptions): Sender {
  const dispatcher = createDispatcher(options)
  return {
    async send(wire, signal) {
      // A connection that has just ended its exchange is free after this turn: it is used again, not a new one made.
      await nextTurn()
      return sendOnce(dispatcher, wire, options, signal)
    },
    close: () => dispatcher.destroy(),
  }
}

/**
 * Sends one request and waits for its end.
 *
 * Whether it may have left is told by undici's `onRequestStart`: it is called when a connection is made (TLS and any
 * proxy tunnel included) and this request is about to be written to it, immediately before the first byte. So without
 * that call nothing left; after it anything can have happened. A second such call would be undici sending the request
 * again, and a call after the end a request that nobody waits for any more: both are stopped before a byte is written.
 */
function sendOnce(
  dispatcher: Dispatcher,
  { method, path, headers, body }: Wire,
  { origin, timeouts, maxReplyBytes }: SenderOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let sending: Dispatcher.DispatchController | undefined
    let ended = false
    let answer: Omit<Answer, "body"> | undefined
    let size = 0
    const chunks: Buffer[] = []

    const end = (outcome: Outcome) => {
      ended = true
      clearTimeout(timer)
      signal?.removeEventListener("abort", interrupt)
      resolve(outcome)
    }
    const fail = (error: Error) => {
      if (ended) return
      // A refusal is told by its status; a body that breaks off costs only words.
      if (answer && answer.status >= 300) end({ end: "answered", ...answer, body: Buffer.concat(chunks) })
      else end({ end: sending ? "unanswered" : "unsent", trouble: troubleOf(error, sending !== undefined) })
      sending?.abort(error)
    }
    const interrupt = () => fail(new FoundTrouble("interrupted"))
    const within = (ms: number, late: TroubleName) => setTimeout(() => fail(new FoundTrouble(late)), ms)

    let timer = within(timeouts.connectMs, "connectTimeout")
    const next = (ms: number, late: TroubleName) => {
      clearTimeout(timer)
      timer = within(ms, late)
    }
    signal?.addEventListener("abort", interrupt)
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        if (ended || sending) return controller.abort(new FoundTrouble("other"))
        sending = controller
        next(timeouts.headersMs, "silent")
      },
      onResponseStart(_controller, status, fields) {
        if (ended || status < 200) return
        next(timeouts.bodyMs, "slow")
        const named = Object.entries(fields).map(
          ([name, value]) => [name, [value].flat().join(", ")] as const,
        )
        answer = { status, headers: Object.fromEntries(named) }
        if (Number(answer.headers["content-length"]) > maxReplyBytes) fail(new FoundTrouble("tooLarge"))
      },
      onResponseData(_controller, chunk) {
        size += chunk.length
        if (size > maxReplyBytes) fail(new FoundTrouble("tooLarge"))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        if (ended || !answer) return
        try {
          end({ end: "answered", ...answer, body: unpacked(Buffer.concat(chunks), answer, maxReplyBytes) })
        } catch (error) {
          fail(error instanceof FoundTrouble ? error : new FoundTrouble("packed"))
        }
      },
      onResponseError: (_controller, error) => fail(error),
    }
    if (signal?.aborted) interrupt()
    // The timer above keeps the limits: undici's own are off by up to a second.
    else
      dispatcher.dispatch(
        { origin, method, path, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
        handler,
      )
  })
}

function unpacked(body: Buffer, { headers }: Omit<Answer, "body">, maxReplyBytes: number): Uint8Array {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? ""
  if (encoding === "" || encoding === "identity" || body.length === 0) return body
  if (encoding !== "gzip" && encoding !== "x-gzip") throw new FoundTrouble("packed")
  try {
    return gunzipSync(body, { maxOutputLength: maxReplyBytes })
  } catch (error) {
    throw new FoundTrouble(error instanceof RangeError ? "tooLarge" : "packed")
  }
}

function createDispatcher({ origin, proxy, timeouts, authorities }: SenderOptions): Dispatcher {
  const trusted = origin.startsWith("https:")
    ? trust(authorities ?? tlsNow.getCACertificates?.("system") ?? [])
    : {}
  const direct = buildConnector({ timeout: timeouts.connectMs, allowH2: false, ...trusted })
  const connect = proxy ? tunnelThrough(proxy, direct, timeouts.connectMs, trusted) : direct
  return new Agent({ connect, allowH2: false })
}

interface Trusted {
  ca?: string[]
}

/** A list given to TLS replaces Node's own, which holds `NODE_EXTRA_CA_CERTS`: so it is given only with a reason. */
function trust(authorities: readonly string[]): Trusted {
  if (authorities.length === 0) return {}
  return { ca: [...(tlsNow.getCACertificates?.("default") ?? tlsNow.rootCertificates), ...authorities] }
}

/**
 * Connects through a proxy: asks it for a tunnel, in which `secure` then agrees on TLS with the host itself. (Undici's
 * own ProxyAgent connects again at once and without end to a proxy that hangs up.)
 */
function tunnelThrough(
  proxy: URL,
  secure: buildConnector.connector,
  connectMs: number,
  trusted: Trusted,
): buildConnector.connector {
  const request = proxy.protocol === "https:" ? https.request : http.request
  const login = proxyLogin(proxy)
  return (options, callback) => {
    const target = `${options.hostname}:${options.port || 443}`
    const asking = request({
      hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...(login && { "proxy-authorization": login }) },
      agent: false,
      ...trusted,
    })
    const late = setTimeout(() => asking.destroy(new FoundTrouble("connectTimeout")), connectMs)
    asking.once("close", () => clearTimeout(late))
    asking.once("error", (error) => callback(error, null))
    asking.once("connect", ({ statusCode = 0 }, socket) => {
      clearTimeout(late)
      if (statusCode >= 200 && statusCode < 300) return secure({ ...options, httpSocket: socket }, callback)
      socket.destroy()
      callback(new FoundTrouble("proxy", `status ${statusCode}`), null)
    })
    asking.end()
  }
}
