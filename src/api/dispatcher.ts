/** Sends a request once, over HTTP/1.1, and says how that ended. */
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http"
import type { Socket } from "node:net"
import { gunzipSync } from "node:zlib"
import type { SendLease } from "../ports.ts"
import { BEFORE_A_REQUEST, turns } from "../turns.ts"
import { type Connector, createConnector } from "./connector.ts"
import type { Answer, Outcome, Timeouts } from "./outcome.ts"
import { FoundTrouble, type TroubleName, troubleOf } from "./trouble.ts"

/** A request as it goes over the wire. */
export interface Wire {
  method: string
  /** Path and query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  lease?: SendLease | undefined
}

interface SenderOptions {
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
  close(): void
}

/** Who is asked, and the pool of connections to it. */
interface Peer {
  agent: Agent
  host: string
  hostname: string
  port: string
}

/**
 * A server ends connections that are idle, many after five seconds. What is sent at that very moment may have arrived
 * or not, and a booking must not be left open by that: a connection is used again at once or not at all.
 */
const IDLE_MS = 1_000

export function createSender(options: SenderOptions): Sender {
  const { origin, proxy, authorities, timeouts } = options
  const connector = createConnector({ origin, proxy, authorities, connectMs: timeouts.connectMs })
  const agent = agentOf(connector)
  const { host, hostname, port } = new URL(origin)
  const peer: Peer = { agent, host, hostname, port }
  return {
    async send(wire, signal) {
      // What the server has closed since is seen once all that has arrived was looked at, which is so after two turns.
      await turns(BEFORE_A_REQUEST)
      return sendOnce(peer, wire, options, signal)
    },
    close() {
      agent.destroy()
      connector.close()
    },
  }
}

/** Node's pool of connections, over ours. */
function agentOf(connector: Connector): Agent {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
  agent.createConnection = (_options, callback) => {
    // Its type has no connection that fails.
    const done = callback as (error: Error | null, socket?: Socket) => void
    connector.connect().then((socket) => {
      // Node itself takes some turns to forget one that the server has closed.
      socket.on("end", () => {
        if (Object.values(agent.freeSockets).some((free) => free?.includes(socket))) socket.destroy()
      })
      done(null, socket)
    }, done)
    return undefined
  }
  return agent
}

/**
 * Sends one request and waits for its end.
 *
 * Whether it may have left is told by the request's `socket` event: it comes when there is a connection (TLS and any
 * proxy tunnel included), immediately before the first byte is written to it. So without it nothing left; after it
 * anything can have happened. A request that has ended by then is destroyed, and writes nothing.
 */
function sendOnce(
  { host, ...peer }: Peer,
  { method, path, headers, body, lease }: Wire,
  { timeouts, maxReplyBytes }: SenderOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let asking: ClientRequest | undefined
    let mayHaveLeft = false
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
      else end({ end: mayHaveLeft ? "unanswered" : "unsent", trouble: troubleOf(error, mayHaveLeft) })
      asking?.destroy()
    }
    const interrupt = () => fail(new FoundTrouble("interrupted"))
    const within = (ms: number, late: TroubleName) => setTimeout(() => fail(new FoundTrouble(late)), ms)

    let timer = within(timeouts.connectMs, "connectTimeout")
    const next = (ms: number, late: TroubleName) => {
      clearTimeout(timer)
      timer = within(ms, late)
    }
    const read = (response: IncomingMessage) => {
      next(timeouts.bodyMs, "slow")
      answer = { status: response.statusCode ?? 0, headers: headersOf(response) }
      response.on("error", fail)
      response.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > maxReplyBytes) fail(new FoundTrouble("tooLarge"))
        else chunks.push(chunk)
      })
      response.once("end", () => {
        if (ended || !answer) return
        try {
          end({ end: "answered", ...answer, body: unpacked(Buffer.concat(chunks), answer, maxReplyBytes) })
        } catch (error) {
          fail(error instanceof FoundTrouble ? error : new FoundTrouble("packed"))
        }
      })
      if (Number(answer.headers["content-length"]) > maxReplyBytes) fail(new FoundTrouble("tooLarge"))
    }

    if (signal?.aborted) return interrupt()
    signal?.addEventListener("abort", interrupt)
    // The pool's limit is for connections that wait, not for those that work.
    asking = request({ ...peer, timeout: 0, method, path, headers: { host, ...headers } })
    asking.once("socket", () => {
      if (lease?.isHeld() === false) return fail(new FoundTrouble("lease"))
      mayHaveLeft = true
      next(timeouts.headersMs, "silent")
    })
    asking.once("response", read)
    asking.on("error", fail)
    // An exchange can also end without an answer and without an error, as by an upgrade that nobody asked for.
    asking.once("close", () => answer ?? fail(new FoundTrouble("other")))
    asking.end(body)
  })
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")] as const),
  )
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
