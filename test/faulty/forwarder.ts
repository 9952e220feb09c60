/**
 * A forwarding server in front of a real sandbox process. Each desk gets a line of its own through it, with its own log
 * and its own faults, so that many desks can be tried at once.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { SandboxReach } from "../acceptance/sandbox.ts"

/** The answers of the sandbox. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** One request that a fault strikes. */
interface Struck {
  res: ServerResponse
  /** Has the sandbox carry the request out. Its reply has been sent to nobody. */
  ask(): Promise<Reply>
  /** The key, as it came. */
  key: string
  /** An address on another origin: what arrives there is in the line's `elsewhere`. */
  elsewhere: string
}

export type Misbehave = (struck: Struck) => unknown

/** Which requests are struck: `POST /{}/shipments`, below the API's base, where `{}` is any one segment. */
interface Rule {
  at: string
  misbehave: Misbehave
  /** Only the first so many; every one when left out. */
  times?: number
}

export interface Line {
  reach: SandboxReach
  /** `GET /shipments`, in order of arrival. */
  requests: string[]
  /** Requests that came to the other origin. */
  elsewhere: string[]
  /** From now on these rules hold, and the logs start anew. */
  arm(...rules: Rule[]): void
}

export interface Forwarder {
  line(): Line
  close(): Promise<void>
}

interface Wire {
  requests: string[]
  elsewhere: string[]
  rules: Rule[]
}

export async function openForwarder(sandbox: SandboxReach): Promise<Forwarder> {
  const origin = new URL(sandbox.freightBaseUrl).origin
  const wires: Wire[] = []

  const forward = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    res.on("error", () => {})
    const body = await buffer(req)
    const { method = "", url = "" } = req
    const [, number, path = ""] = /^\/(\d+)(\/.*)$/.exec(url) ?? []
    const wire = wires[Number(number)]
    if (!wire) return void res.writeHead(404).end()
    const said = `${method} ${belowBase(path)}`
    if (path.startsWith("/elsewhere")) return void wire.elsewhere.push(said)
    wire.requests.push(said)
    const ask = () => pass(origin, req, path, body)
    const rule = wire.rules.find(({ at, times }) => matches(at, said) && times !== 0)
    if (!rule) {
      const { status, headers, body: answer } = await ask()
      return void res.writeHead(status, headers).end(answer)
    }
    if (rule.times !== undefined) rule.times -= 1
    const elsewhere = `http://localhost:${port}/${number}/elsewhere`
    const key = req.headers.authorization?.replace(/^Bearer /, "") ?? ""
    await rule.misbehave({ res, ask, elsewhere, key })
  }

  const server = createServer((req, res) => {
    // A client that goes away in the middle ends the exchange and no more.
    forward(req, res).catch(() => res.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo

  return {
    line() {
      const wire: Wire = { requests: [], elsewhere: [], rules: [] }
      const at = `http://127.0.0.1:${port}/${wires.push(wire) - 1}`
      return {
        reach: {
          ...sandbox,
          freightBaseUrl: sandbox.freightBaseUrl.replace(origin, at),
          directPrintBaseUrl: sandbox.directPrintBaseUrl.replace(origin, at),
        },
        requests: wire.requests,
        elsewhere: wire.elsewhere,
        arm(...rules) {
          wire.requests.length = 0
          wire.elsewhere.length = 0
          wire.rules = rules.map((rule) => ({ ...rule }))
        },
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** `/shipments/x?limit=1` of `/freight/v0/shipments/x?limit=1`. */
function belowBase(path: string): string {
  return path.replace(/^\/[^/]+\/v0/, "")
}

function matches(pattern: string, said: string): boolean {
  const bare = said.replace(/\?.*$/, "")
  return new RegExp(`^${pattern.replaceAll("{}", "[^/]+")}$`).test(bare)
}

/** How often a pattern was asked for. */
export function countOf(requests: readonly string[], pattern: string): number {
  return requests.filter((said) => matches(pattern, said)).length
}

async function pass(origin: string, req: IncomingMessage, path: string, body: Buffer): Promise<Reply> {
  const { host: _, connection: __, ...headers } = req.headers
  const onward = request(`${origin}${path}`, { method: req.method, headers })
  onward.end(body)
  const [answer] = (await once(onward, "response")) as [IncomingMessage]
  const named = Object.entries(answer.headers).filter(
    ([name]) => !["connection", "keep-alive", "transfer-encoding"].includes(name),
  )
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(named.map(([name, value]) => [name, String(value)])),
    body: await buffer(answer),
  }
}
