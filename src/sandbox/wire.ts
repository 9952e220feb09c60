/** Requests off the wire and replies onto it, well or badly delivered. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { pipeline } from "node:stream/promises"
import type { Clock } from "../ports.ts"
import type { Delivery } from "./faults.ts"
import type { Reply } from "./reply.ts"

/** The body as text; undefined when it is over `most` bytes. It is read to the end all the same. */
export async function readBody(incoming: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
  }
  return size > most ? undefined : Buffer.concat(chunks).toString("utf8")
}

export interface WireOptions {
  readonly clock: Clock
  /** Aborted when the server closes. */
  readonly signal: AbortSignal
}

/** Sends a reply the way that is asked for. Resolves when there is no more to do. */
export async function deliver(
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
      return pipeline(sips(bytes, options), outgoing)
    case "truncated":
      outgoing.writeHead(status, { ...headers, "content-length": bytes.length + 1 })
      // Half of it is handed to the system before the connection goes.
      outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy())
      return
    case "endless":
      outgoing.writeHead(status, headers)
      return pipeline(flood, outgoing)
  }
}

const SIP_BYTES = 16
const SIP_PAUSE_MS = 100

async function* sips(bytes: Uint8Array, { clock, signal }: WireOptions): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SIP_BYTES) {
    yield bytes.subarray(start, start + SIP_BYTES)
    await clock.sleep(SIP_PAUSE_MS, signal)
  }
}

function* flood(): Generator<Uint8Array> {
  yield Buffer.from("[")
  const chunk = Buffer.from(`"${"x".repeat(65_532)}",\n`)
  while (true) yield chunk
}
