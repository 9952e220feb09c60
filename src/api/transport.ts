/** The connection to an API: address, key, proxy, timeouts, retries. */
import { type Api, API_NAMES } from "../contract/index.ts"
import { safeText } from "../base/safe-text.ts"
import { FreightError } from "../base/errors.ts"
import {
  parseBaseUrl,
  listProxySecrets,
  proxyFor,
  proxyVariable,
  type Query,
  buildTarget,
} from "./address.ts"
import type { Clock, Ids, SendLease, Env } from "../base/ports.ts"
import type { Sender, Wire } from "./dispatcher.ts"
import { type SentRequest, createNoReplyError, type Reply } from "./failures.ts"
import { createLimiter, type Limiter } from "./limiter.ts"
import { createMask } from "./mask.ts"
import type { CallKind, Outcome, ReadOptions, Timeouts } from "./outcome.ts"
import { createProxyGate, type ProxyGate } from "./proxy-gate.ts"
import { getRequestedWait, nextTry, type RateLimitPolicy } from "./retry.ts"

const MAX_REPLY_BYTES = 20_000_000
const LEASE_LOST: Outcome = { end: "unsent", error: { name: "lease", code: "" } }
const INTERRUPTED: Outcome = { end: "unsent", error: { name: "interrupted", code: "" } }

export interface TransportOptions {
  baseUrl: string
  key: string
  api: Api
  clock: Clock
  ids: Ids
  /** The environment for `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  env: Env
  timeouts: Timeouts
  userAgent: string
  /** The largest reply that is read, in bytes; default 20 MB. */
  maxReplyBytes?: number
  /** Shared by everything that sends with this key; default: this transport's own. */
  limiter?: Limiter
  /** Secrets that are masked in every reply, besides the key and the proxy's password. */
  secrets?: readonly string[]
  /** Shared by everything that goes through the same proxy; default: this transport's own. */
  proxyGate?: ProxyGate
  /** Certificate authorities (PEM) to trust besides Node's own; default: the system's, where Node can read them. */
  authorities?: readonly string[]
  signal?: AbortSignal
  /** Lets requests under way finish after the signal; only waiting ones end. */
  finishes?: boolean
  /** Default: for a person at a terminal. */
  rateLimitPolicy?: RateLimitPolicy
  /** Gets each exchange as text that is safe to show; it has only the key's last four characters. */
  onExchange?: (text: string) => void
  /** Gets oddities of replies that are used anyway, ready to show. */
  warn?: (text: string) => Promise<void>
}

interface ApiRequest extends ReadOptions {
  kind: CallKind
  method: string
  /** Below the base address, with ids already encoded: see `route`. */
  path: string
  query?: Query
  body?: unknown
  /** For a create: nothing is sent once the lease is lost. */
  lease?: SendLease | undefined
}

export type Transport = ReturnType<typeof createTransport>

/** Connects at the first request. */
export function createTransport(options: TransportOptions) {
  const { clock, api, key, signal, onExchange } = options
  const setting = api === "freight" ? "FREIGHT_BASE_URL" : "DIRECT_PRINT_BASE_URL"
  const base = parseBaseUrl(options.baseUrl, setting)
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new FreightError(
      "config",
      `the key of the ${API_NAMES[api]} contains a space, a line break or another character that no key has`,
    )
  const proxy = proxyFor(base, options.env)
  const limiter = options.limiter ?? createLimiter(clock)
  const proxyGate = options.proxyGate ?? createProxyGate()
  const mask = createMask([key, ...(options.secrets ?? []), ...listProxySecrets(proxy)])
  // Masked again: making the text safe may have put a key together.
  const safe = (text: string, longest?: number) => mask.text(safeText(mask.text(text), longest))

  let clockOffset: number | undefined
  let sender: Promise<Sender> | undefined
  const open = () => {
    sender ??= import("./dispatcher.ts").then(({ createSender }) =>
      createSender({
        origin: base.origin,
        proxy,
        proxyGate,
        timeouts: options.timeouts,
        maxReplyBytes: options.maxReplyBytes ?? MAX_REPLY_BYTES,
        ...(options.authorities && { authorities: options.authorities }),
      }),
    )
    return sender
  }

  const toWire = ({ method, path, query, body, lease, isBrief, onLate, withinMs }: ApiRequest): Wire => ({
    method,
    path: buildTarget(base, path, query),
    headers: {
      accept: "application/json, application/pdf",
      "accept-encoding": "gzip",
      authorization: `Bearer ${key}`,
      "user-agent": options.userAgent,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    lease,
    isBrief,
    onLate,
    withinMs,
  })

  const isAborted = (wait: Promise<void>, stop: AbortSignal | undefined): Promise<boolean> =>
    wait.then(
      () => stop?.aborted === true,
      (error: unknown) => {
        if (stop?.aborted) return true
        throw error
      },
    )

  /** Sends until an outcome is final. A create is sent again only if nothing can have been created: see `retry.ts`. */
  const sendUntilFinal = async (
    kind: CallKind,
    wire: Wire,
    given: AbortSignal | undefined,
  ): Promise<{ outcome: Outcome; tries: number }> => {
    const ending = joinSignals(signal, given)
    for (let tries = 1; ; tries++) {
      // Earlier tries of a create created nothing, or there would be no further one.
      if (await isAborted(limiter.takeTurn(ending), ending)) return { outcome: INTERRUPTED, tries: tries - 1 }
      let isUnderWay = true
      const endTurn = () => {
        if (isUnderWay) limiter.endTurn()
        isUnderWay = false
      }
      const onLate = (leftMs: number) => {
        endTurn()
        wire.onLate?.(leftMs)
      }
      let next: ReturnType<typeof nextTry>
      try {
        if (wire.lease?.isHeld() === false) return { outcome: LEASE_LOST, tries: tries - 1 }
        const began = clock.now()
        const sent = wire.onLate ? { ...wire, onLate } : wire
        const outcome = await (await open()).send(sent, options.finishes ? given : ending)
        onExchange?.(formatExchange(base.origin, wire, outcome, clock.now() - began, safe))
        next = nextTry(kind, outcome, tries, options)
        // All that share the limiter wait; this call waits in its next turn.
        if (next.limited) limiter.slowDown(next.waitMs)
        if (!next.again) return { outcome, tries }
      } finally {
        endTurn()
      }
      const { limited, waitMs } = next
      if (!limited && (await isAborted(clock.sleep(waitMs, ending), ending)))
        return { outcome: INTERRUPTED, tries }
    }
  }

  return {
    /**
     * Sends a request, again where that is safe, and returns the last reply with any status: see `reply.ts`.
     * @throws FreightError without a reply: `unavailable`, `timeout`, `badReply`, `config` (the login of a proxy) or
     * `interrupted` if nothing can have been created, otherwise `outcomeUnknown`; `usage` for a path that leads out of
     * the API
     */
    async send(request: ApiRequest): Promise<Reply> {
      const { kind, method, path } = request
      const asked: SentRequest = {
        api,
        kind,
        endpoint: safe(`${method} ${path}`, 120),
        host: base.host,
        proxy: proxy?.host,
        proxyVariable: proxyVariable(options.env),
        hasProxyLogin: proxy !== undefined && proxy.username !== "",
        setting,
        safe,
        warn: options.warn,
      }
      const { outcome, tries } = await sendUntilFinal(kind, toWire(request), request.signal)
      if (outcome.end !== "answered") throw createNoReplyError(asked, outcome, tries)
      const date = Date.parse(outcome.headers.date ?? "")
      if (!Number.isNaN(date)) clockOffset = date - clock.now()
      return { ...mask.answer(outcome), asked, tries, retryAfter: getRequestedWait(outcome, clock.now()) }
    },
    /** How far the server's clock is ahead of this machine's, in milliseconds, by its last reply. */
    clockOffset: () => clockOffset,
    async close(): Promise<void> {
      await (await sender)?.close()
    },
  }
}

function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other)
}

const MAX_SHOWN_BODY = 4_000

/**
 * One exchange, for `--verbose`: request, reply and how long it took.
 * @param safe makes text safe to show and masks the key
 */
function formatExchange(
  origin: string,
  { method, path, headers, body }: Wire,
  outcome: Outcome,
  tookMs: number,
  safe: (text: string, longest?: number) => string,
): string {
  const lines = [`> ${method} ${origin}${path}`, ...formatHeaders(">", headers)]
  if (body !== undefined) lines.push(`> ${body}`)
  if (outcome.end === "answered") {
    lines.push(`< ${outcome.status} after ${tookMs} ms`, ...formatHeaders("<", outcome.headers))
    const type = outcome.headers["content-type"] ?? ""
    if (/json|text/.test(type))
      lines.push(`< ${new TextDecoder().decode(outcome.body.subarray(0, MAX_SHOWN_BODY * 4))}`)
    else if (outcome.body.length > 0) lines.push(`< ${outcome.body.length} bytes`)
  } else {
    const { name, code } = outcome.error
    lines.push(`! ${outcome.end === "unsent" ? "not sent" : "no reply"} after ${tookMs} ms: ${name} ${code}`)
  }
  return lines.map((line) => safe(line, MAX_SHOWN_BODY)).join("\n")
}

function formatHeaders(mark: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${mark} ${name}: ${value}`)
}
