/** The built-in server of both APIs: its life cycle, and the handling of a request. */

import { randomUUID } from "node:crypto"
import { setMaxListeners } from "node:events"
import { rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream/promises"
import { isLoopback } from "../api/index.ts"
import { FreightError } from "../base/errors.ts"
import type { Clock, Ids } from "../base/ports.ts"
import { fileError } from "../output/index.ts"
import { ENDPOINTS } from "../contract/index.ts"
import { answer, findApi, findRoute, MAX_BODY_BYTES } from "./app.ts"
import { BASE_PATHS } from "./base-paths.ts"
import { CONTROL_PATH, type Controls, control } from "./control.ts"
import { createFaults, type Delivery, type Fault } from "./faults.ts"
import { json, type Reply } from "./reply.ts"
import { KEYS, MAIN_FREIGHT_KEY, MAIN_PRINT_KEY } from "./tenants.ts"
import { journalFile, openSandboxContext, SANDBOX_SEED, spoolDir, type SandboxContext } from "./context.ts"

export interface SandboxOptions {
  /** Folder of its state, created if missing. Several servers may share one. */
  readonly dir: string
  readonly clock: Clock
  /** Source of new ids; they must be unique in all processes that share the folder. */
  readonly ids?: Pick<Ids, "uuid">
  readonly host?: string
  readonly port?: number | undefined
  /** Delays every answer by this much. */
  readonly latencyMs?: number | undefined
  readonly seed?: number | undefined
  /** `KIND[:RATE][:CONNECTOR][@[METHOD]PATHPART]` */
  readonly faults?: readonly string[] | undefined
  readonly onRequest?: ((request: Served) => void) | undefined
}

/** A request, answered or not, and the fault that struck it. */
export interface Served {
  readonly method: string
  readonly path: string
  readonly status: number
  /** As `--fault` names it. */
  readonly fault: string | undefined
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

export async function startSandbox(options: SandboxOptions) {
  const {
    dir,
    clock,
    ids,
    host = "127.0.0.1",
    port = 0,
    latencyMs = 0,
    seed = SANDBOX_SEED,
    onRequest,
  } = options
  const faults = createFaults(seed)
  for (const fault of options.faults ?? []) faults.add(fault)
  const sandbox = openOrExplain(
    () => openSandboxContext({ dir, clock, newId: () => ids?.uuid() ?? randomUUID(), seed }),
    dir,
  )
  const stopped = new AbortController()
  // Each delayed request waits for it.
  setMaxListeners(0, stopped.signal)
  const controls: Controls = {
    sandbox,
    faults,
    requests: new Map(),
    elsewhere: [],
    clockNow: () => clock.now(),
    forget: () => resetSandbox(dir),
  }
  const wire: WireOptions = { clock, signal: stopped.signal }
  const server = createServer((incoming, outgoing) => {
    // A client that leaves early, or a server that closes, ends only the exchange.
    serve({ controls, wire, latencyMs, onRequest }, incoming, outgoing).catch(() => outgoing.destroy())
  })
  // Only clients close an idle connection, so that none is closed just as it is used again.
  server.keepAliveTimeout = 0
  const bound = await listen(server, host, port).catch((error: unknown) => {
    sandbox.close()
    throw error
  })
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`
  return {
    freightBaseUrl: origin + BASE_PATHS.freight,
    directPrintBaseUrl: origin + BASE_PATHS["direct-print"],
    freightApiKey: MAIN_FREIGHT_KEY.secret,
    directPrintApiKey: MAIN_PRINT_KEY.secret,
    /** Further keys by name: of other tenants, without a scope, revoked. */
    keys: Object.fromEntries(Array.from(KEYS.values(), ({ name, secret }) => [name, secret])),
    /** The control path: see `control.ts`. */
    controlUrl: origin + CONTROL_PATH,
    port: bound,
    /** Sandbox time, which the control path moves; milliseconds since the epoch. */
    now(): number {
      sandbox.catchUp()
      return sandbox.now()
    },
    async close(): Promise<void> {
      stopped.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      sandbox.close()
    },
  }
}

/** Removes all bookings and prints of a sandbox folder. Servers that run on it start again. */
export async function resetSandbox(dir: string): Promise<void> {
  await rm(journalFile(dir), { force: true })
  await rm(spoolDir(dir), { force: true, recursive: true })
}

function openOrExplain(open: () => SandboxContext, dir: string): SandboxContext {
  try {
    return open()
  } catch (error) {
    throw fileError("write", dir, error)
  }
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new FreightError("usage", `the sandbox cannot listen on ${host}:${port}: ${error.message}`)),
    )
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

interface Service {
  readonly controls: Controls
  readonly wire: WireOptions
  readonly latencyMs: number
  readonly onRequest: SandboxOptions["onRequest"]
}

async function serve(service: Service, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { controls, wire, latencyMs, onRequest } = service
  const { method = "GET", url = "/", headers } = incoming
  const [, path = "/", search = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? []
  const query = new URLSearchParams(search)
  const { authorization } = headers
  if (path.startsWith(`${CONTROL_PATH}/`) || path === CONTROL_PATH) {
    const text = (await readBody(incoming, MAX_BODY_BYTES)) ?? ""
    if (!isFromHere(headers)) return deliver(outgoing, NOT_FROM_HERE, "whole", wire)
    const rest = path.slice(CONTROL_PATH.length) || "/"
    const reply = await control(controls, {
      method,
      path: rest,
      query,
      text,
      withKey: authorization !== undefined,
      origin: `http://${headers.host}`,
    })
    return deliver(outgoing, reply, "whole", wire)
  }
  const route = findRoute(method, path)
  const endpoint = route?.name ?? "unknown"
  controls.requests.set(endpoint, (controls.requests.get(endpoint) ?? 0) + 1)
  const creates = route !== undefined && ENDPOINTS[route.name].creates === true
  const asked = { method, path, creates, endpoint: route?.name, id: route?.id }
  const { plant } = controls.faults
  const { fault, text: faultText } = controls.faults.strike(asked) ?? {}
  const reach = async (): Promise<Reply> => {
    if (fault?.when === "before") return replyBefore(fault, incoming, path)
    const text = await readBody(incoming, MAX_BODY_BYTES)
    const reply = await answer(controls.sandbox, { route, method, path, query, authorization, text, plant })
    return fault?.reply?.(reply) ?? reply
  }
  // As on a long line: the request is handled while the client waits.
  const late = latencyMs > 0 ? wire.clock.sleep(latencyMs, wire.signal) : undefined
  const [reply] = await Promise.all([reach(), late])
  onRequest?.({ method, path, status: reply.status, fault: faultText })
  return deliver(outgoing, reply, fault?.delivery ?? "whole", wire)
}

/**
 * Whether a request of the control path, which takes no key, was meant for it: a web page can send one to this machine,
 * from another origin or under a name of its own that resolves to it.
 */
function isFromHere({ host = "", origin }: IncomingMessage["headers"]): boolean {
  const isHere = (url: string) => URL.canParse(url) && isLoopback(new URL(url))
  return isHere(`http://${host}`) && (origin === undefined || origin === `http://${host}`)
}

const NOT_FROM_HERE = json(403, {
  message: "The control path is for this machine: name it localhost or 127.0.0.1, and not from a web page",
})

function replyBefore(
  fault: Extract<Fault, { when: "before" }>,
  { socket }: IncomingMessage,
  path: string,
): Reply {
  const elsewhere = `http://localhost:${socket.localPort}${CONTROL_PATH}/elsewhere`
  return fault.reply?.({ api: findApi(path) ?? "freight", elsewhere }) ?? json(200, {})
}

/** The body as text; undefined when it is over `most` bytes. It is read to the end in any case. */
async function readBody(incoming: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
  }
  return size > most ? undefined : Buffer.concat(chunks).toString("utf8")
}

interface WireOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Sends a reply in the given way. Resolves when it is sent, or will never be. */
async function deliver(
  outgoing: ServerResponse,
  reply: Reply,
  delivery: Delivery,
  options: WireOptions,
): Promise<void> {
  const bytes = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body
  const { status, headers } = reply
  switch (delivery) {
    case "whole":
      outgoing.writeHead(status, { ...headers, "content-length": bytes.length }).end(bytes)
      return
    case "drop":
      outgoing.destroy()
      return
    case "hang":
      return
    case "slow":
      outgoing.writeHead(status, { ...headers, "content-length": bytes.length })
      return pipeline(dripBytes(bytes, options), outgoing)
    case "truncated":
      outgoing.writeHead(status, { ...headers, "content-length": bytes.length + 1 })
      // Half of it is handed to the system before the connection goes.
      outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy())
      return
    case "endless":
      outgoing.writeHead(status, headers)
      return pipeline(endlessBytes, outgoing)
  }
}

const SIP_BYTES = 16
const SIP_PAUSE_MS = 100

async function* dripBytes(bytes: Uint8Array, { clock, signal }: WireOptions): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SIP_BYTES) {
    yield bytes.subarray(start, start + SIP_BYTES)
    await clock.sleep(SIP_PAUSE_MS, signal)
  }
}

function* endlessBytes(): Generator<Uint8Array> {
  yield Buffer.from("[")
  const chunk = Buffer.from(`"${"x".repeat(65_532)}",\n`)
  while (true) yield chunk
}
