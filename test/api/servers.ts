/** Servers that misbehave, on loopback, over real HTTP. Each closes itself when its test ends. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net"
import path from "node:path"
import { text as textOf } from "node:stream/consumers"
import { onTestFinished } from "vitest"

/** A request as a server saw it. */
interface Seen {
  method: string
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

export interface TestServer {
  url: string
  port: number
  /** Requests that arrived whole, in order. */
  requests: Seen[]
}

export type Answer = (res: ServerResponse, seen: Seen) => unknown

/** Answers the first request with the first answer and so on; the last answer is repeated. */
export async function server(...answers: Answer[]): Promise<TestServer> {
  const requests: Seen[] = []
  return listening(createServer(listener(requests, answers)), "http", requests)
}

/** A self-signed certificate of freight.test and 127.0.0.1. */
export const CERTIFICATE = fixture("freight.test.cert.pem")
const pair = { cert: CERTIFICATE, key: fixture("freight.test.key.pem") }

/** The same behind the certificate of `freight.test`. */
export async function secureServer(...answers: Answer[]): Promise<TestServer> {
  const requests: Seen[] = []
  return listening(createSecureServer(pair, listener(requests, answers)), "https", requests)
}

/** Speaks bytes: `onRequest` gets the socket once a request's head and body are there. */
export async function rawServer(onRequest: (socket: Socket, count: number) => void): Promise<TestServer> {
  const requests: Seen[] = []
  const tcp = createTcpServer((socket) => {
    let text = ""
    socket.on("error", () => {})
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      const [head = "", body] = text.split("\r\n\r\n", 2)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length) return
      const [method = "", url = ""] = head.split(" ", 2)
      requests.push({ method, url, headers: {}, body })
      text = ""
      onRequest(socket, requests.length)
    })
  })
  return listening(tcp, "http", requests)
}

/** Accepts connections and says nothing. `connected` resolves with the first one. */
export async function silentServer(): Promise<TestServer & { connected: Promise<void> }> {
  const tcp = createTcpServer((socket) => socket.on("error", () => {}))
  const connected = once(tcp, "connection").then(() => {})
  return { ...(await listening(tcp, "http", [])), connected }
}

/** The requests to a proxy. */
interface Tunnel {
  target: string
  authorization: string | undefined
}

interface TunnelOptions {
  status?: number
  secure?: boolean
  onConnect?: (attempt: number) => Promise<void>
}

/** A proxy for CONNECT: whatever host is asked for, it leads to `port`. `asked` holds what it was asked for. */
export async function tunnelProxy(
  port: number,
  { status = 200, secure = false, onConnect }: TunnelOptions = {},
): Promise<TestServer & { asked: Tunnel[] }> {
  const asked: Tunnel[] = []
  const proxy = secure ? createSecureServer(pair) : createServer()
  proxy.on("connect", async (req, socket: Socket) => {
    asked.push({ target: req.url ?? "", authorization: req.headers["proxy-authorization"] })
    socket.on("error", () => {})
    await onConnect?.(asked.length)
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      onward.pipe(socket).pipe(onward)
    })
    onward.on("error", () => socket.destroy())
    socket.on("close", () => onward.destroy())
  })
  return { ...(await listening(proxy, secure ? "https" : "http", [])), asked }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

export const text =
  (body: string | Uint8Array, type: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (res) => {
    res.writeHead(status, { "content-type": type, ...headers }).end(body)
  }

export const HTML = "<!doctype html><html><body>Gateway</body></html>"

/** Drops the connection instead of answering, after the request has been taken in. */
export const drop: Answer = (res) => res.socket?.resetAndDestroy()

/** Never stops to send a little. */
export const drip =
  (status: number): Answer =>
  (res) => {
    res.writeHead(status, { "content-type": "application/json" })
    const timer = setInterval(() => res.write(" "), 5)
    res.on("close", () => clearInterval(timer))
  }

function listener(requests: Seen[], answers: readonly Answer[]): RequestListener {
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    res.on("error", () => {})
    const seen = {
      method: req.method ?? "",
      url: req.url ?? "",
      headers: req.headers,
      body: await textOf(req),
    }
    requests.push(seen)
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    await answer?.(res, seen)
  }
  // A client that goes away in the middle ends the exchange and no more.
  return (req, res) => void serve(req, res).catch(() => res.destroy())
}

async function listening(tcp: Server, scheme: string, requests: Seen[]): Promise<TestServer> {
  const sockets = new Set<Socket>()
  tcp.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  tcp.listen(0, "127.0.0.1")
  await once(tcp, "listening")
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    tcp.close()
  })
  const { port } = tcp.address() as AddressInfo
  return { url: `${scheme}://127.0.0.1:${port}`, port, requests }
}

function fixture(name: string): string {
  return readFileSync(path.join(import.meta.dirname, "fixtures", name), "utf8")
}
