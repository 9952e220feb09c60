/** Sends one request once, over HTTP/1.1, and reports how it ended. The only file that imports undici. */
import type * as Tls from "node:tls"
import * as v8 from "node:v8"
import { gunzipSync } from "node:zlib"
import type { buildConnector as Connector, Dispatcher, Pool as PoolType } from "undici"
import buildConnector from "undici/lib/core/connect.js"
import Pool from "undici/lib/dispatcher/pool.js"
import type { SendLease } from "../base/ports.ts"
import { turns } from "../base/turns.ts"
import {
  type Answer,
  DetectedError,
  type Outcome,
  type ReadOptions,
  type Timeouts,
  type ExchangeErrorName,
  classifyError,
  getLateMs,
} from "./outcome.ts"
import { proxyLogin } from "./address.ts"
import type { ProxyGate } from "./proxy-gate.ts"

export interface Wire {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  lease?: SendLease | undefined
  onLate?: ReadOptions["onLate"]
  isBrief?: ReadOptions["isBrief"]
  withinMs?: ReadOptions["withinMs"]
}

interface SenderOptions {
  origin: string
  proxy: URL | undefined
  proxyGate: ProxyGate
  timeouts: Timeouts
  /** Limit for a reply's body in bytes, before and after unpacking. */
  maxReplyBytes: number
  /** Extra certificate authorities (PEM); default: the system's, where Node can read them. */
  authorities?: readonly string[]
}

export interface Sender {
  /** Sends a request once, never again by itself. Never rejects. */
  send(wire: Wire, signal?: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

/**
 * Servers close idle connections, many after five seconds. A request that leaves at that moment may have arrived or
 * not, so a booking's outcome would be unknown.
 */
const IDLE_MS = 1_000

/**
 * After standing still (a closed laptop, a busy machine), a process reads what has arrived before a time limit is over.
 */
const STEPS = 25

/**
 * Calls `work` after this many milliseconds in which the process was awake.
 * @returns a function that cancels it
 */
function startTimer(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout
  const step = (left: number) => {
    timer = setTimeout(() => (left > 1 ? step(left - 1) : work()), ms / STEPS)
  }
  step(STEPS)
  return () => clearTimeout(timer)
}

export async function createSender(options: SenderOptions): Promise<Sender> {
  const dispatcher = await createDispatcher(options)
  return {
    async send(wire, signal) {
      // A connection that was just used is free after a turn. Undici checks one turn later whether the server has closed
      // it; within another event's turn that check alone would come too early.
      await turns(1)
      return sendOnce(dispatcher, wire, options, signal)
    },
    close: () => dispatcher.destroy(),
  }
}

/**
 * Sends one request and waits for its end.
 *
 * Undici calls `onRequestStart` when there is a connection (TLS and any proxy tunnel included), immediately before the
 * first byte of the request is written to it. Before that call nothing has left; after it anything can have happened. A
 * second call would be undici sending again; a call after the end would be a request that nobody waits for. Both are
 * stopped before a byte is written.
 */
function sendOnce(
  dispatcher: Dispatcher,
  { method, path, headers, body, lease, onLate, isBrief, withinMs }: Wire,
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
      cancelTimer()
      cancelLate?.()
      signal?.removeEventListener("abort", interrupt)
      resolve(outcome)
    }
    const fail = (error: Error) => {
      if (ended) return
      // For a refusal the status is enough, even if its body breaks off.
      if (answer && answer.status >= 300) end({ end: "answered", ...answer, body: Buffer.concat(chunks) })
      else end({ end: sending ? "unanswered" : "unsent", error: classifyError(error, sending !== undefined) })
      sending?.abort(error)
    }
    const interrupt = () => fail(new DetectedError("interrupted"))
    // Undici's own timeouts are off by up to a second.
    const within = (ms: number, late: ExchangeErrorName) =>
      startTimer(ms, () => fail(new DetectedError(late)))

    const lateMs = timeouts.lateMs ?? getLateMs(timeouts)
    let cancelLate: (() => void) | undefined
    const late = () =>
      isBrief
        ? fail(new DetectedError(answer ? "slow" : "silent"))
        : onLate?.(Math.max(0, timeouts.headersMs - lateMs))

    let cancelTimer = within(timeouts.connectMs, "connectTimeout")
    const next = (ms: number, late: ExchangeErrorName) => {
      cancelTimer()
      cancelTimer = within(ms, late)
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        if (lease?.isHeld() === false) fail(new DetectedError("lease"))
        if (ended || sending) return controller.abort(new DetectedError("other"))
        sending = controller
        next(withinMs ?? timeouts.headersMs, "silent")
        if (isBrief || onLate) cancelLate = startTimer(lateMs, late)
      },
      onResponseStart(_controller, status, fields) {
        if (ended || status < 200) return
        next(timeouts.bodyMs, "slow")
        const named = Object.entries(fields).map(([name, value]) => [name, [value].flat().join(", ")])
        answer = { status, headers: Object.fromEntries(named) }
        if (Number(answer.headers["content-length"]) > maxReplyBytes) fail(new DetectedError("tooLarge"))
      },
      onResponseData(_controller, chunk) {
        size += chunk.length
        if (size > maxReplyBytes) fail(new DetectedError("tooLarge"))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        if (ended || !answer) return
        try {
          end({ end: "answered", ...answer, body: unpack(Buffer.concat(chunks), answer, maxReplyBytes) })
        } catch (error) {
          fail(error instanceof DetectedError ? error : new DetectedError("packed"))
        }
      },
      onResponseError: (_controller, error) => fail(error),
    }
    if (signal?.aborted) return interrupt()
    signal?.addEventListener("abort", interrupt)
    dispatcher.dispatch(
      { origin, method, path, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
      handler,
    )
  })
}

function unpack(body: Buffer, { headers }: Omit<Answer, "body">, maxReplyBytes: number): Uint8Array {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? ""
  if (encoding === "" || encoding === "identity" || body.length === 0) return body
  if (encoding !== "gzip" && encoding !== "x-gzip") throw new DetectedError("packed")
  try {
    return gunzipSync(body, { maxOutputLength: maxReplyBytes })
  } catch (error) {
    throw new DetectedError(error instanceof RangeError ? "tooLarge" : "packed")
  }
}

async function createDispatcher(options: SenderOptions): Promise<Dispatcher> {
  const { origin, proxy, proxyGate, authorities } = options
  const trusted = origin.startsWith("https:") ? trustOptions(await import("node:tls"), authorities) : {}
  const limits = { keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS, allowH2: false }
  const secure = { ...trusted, timeout: options.timeouts.connectMs }
  if (!proxy) return new Pool(origin, { ...limits, connect: sparingParser(buildConnector(secure)) })
  const [{ default: ProxyAgent }, { default: connect }] = await Promise.all([
    import("undici/lib/dispatcher/proxy-agent.js"),
    import("undici/lib/api/api-connect.js"),
  ])
  const token = proxyLogin(proxy)
  return new ProxyAgent({
    ...limits,
    uri: `${proxy.protocol}//${proxy.host}`,
    ...(token && { token }),
    requestTls: secure,
    proxyTls: secure,
    clientFactory: (to, { connect: reach }: ToProxy) =>
      Object.assign(new Pool(to, { connect: nameNoAddress(reach) }), { connect }),
    factory: (to, { connect: tunnel, ...rest }: ToProxy) =>
      new Pool(to, {
        ...rest,
        connect: (target, done) =>
          proxyGate.enter(
            proxy.href,
            (end) =>
              tunnel(target, (...[error, socket]) => {
                if (!error) {
                  end("accepted")
                  return done(null, socket)
                }
                const cause = toTunnelError(error)
                end(cause.exchangeError.name === "proxyLogin" ? "refused" : "unknown")
                done(cause, null)
              }),
            () => done(new DetectedError("proxyLogin", "not asked again"), null),
          ),
      }),
  })
}

type ToProxy = PoolType.Options & { connect: Connector.connector }

/**
 * V8 of Node 20 optimizes undici's parser (WebAssembly) in the background after the first reply; a short command would
 * wait for that at its end, longer than it runs. The parser is created with the first connection, and keeps the flag's
 * value of that moment. Afterwards the flag gets its default again: V8's compiled code is kept for one set of flags.
 */
function sparingParser(connect: Connector.connector): Connector.connector {
  if ("isStringOneByteRepresentation" in v8) return connect
  return (target, done) =>
    connect(target, (...result) => {
      v8.setFlagsFromString("--wasm-tiering-budget=1000000000")
      done(...result)
      v8.setFlagsFromString("--wasm-tiering-budget=1800000")
    })
}

/** As a URL has it: `127.0.0.1`, `[::1]`. */
const ADDRESS = /^\[|\.\d+$/

/** TLS names hosts, not addresses: undici also names a proxy by its address, about which Node warns. */
function nameNoAddress(connect: Connector.connector): Connector.connector {
  return ({ servername = "", ...target }, done) =>
    connect({ ...target, servername: ADDRESS.test(servername) ? "" : servername }, done)
}

/** Wraps proxy errors so that undici does not retry them forever. */
function toTunnelError(error: Error): DetectedError {
  const [, status] = /^Proxy response \((\d+)\)/.exec(error.message) ?? []
  // Some answer a wrong password with 401.
  const isLogin = status === "407" || status === "401"
  if (status) return new DetectedError(isLogin ? "proxyLogin" : "proxy", `status ${status}`)
  const { name, code } = classifyError(error.cause instanceof Error ? error.cause : error, false)
  return new DetectedError(name, code)
}

/**
 * Certificates given to TLS replace Node's own and `NODE_EXTRA_CA_CERTS`, so give them only if needed.
 * @param tls reads the system's certificates since Node 22.15
 */
function trustOptions(
  tls: Pick<typeof Tls, "rootCertificates"> & {
    getCACertificates?: (store: "system" | "default") => string[]
  },
  authorities: readonly string[] = tls.getCACertificates?.("system") ?? [],
): { ca?: string[] } {
  if (authorities.length === 0) return {}
  return { ca: [...(tls.getCACertificates?.("default") ?? tls.rootCertificates), ...authorities] }
}
