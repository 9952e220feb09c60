import type { Reply } from "./failures.ts"
import type { CallKind } from "./outcome.ts"
import { mediaType, readRaw } from "./reply.ts"
import type { Transport } from "./transport.ts"

export interface RawReply {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  /** Without parameters: `application/json`. */
  mediaType: string
  body: Uint8Array
}

/** What a call does at the server: reading and asking for rates create nothing; anything else may. */
function kindOf(method: string, path: string): CallKind {
  if (method === "GET" || method === "HEAD") return "read"
  return method === "POST" && /^\/([^/?]+\/)?rates(\?|$)/.test(path) ? "read" : "create"
}

/**
 * Any request to an API; the reply as it came. Only that JSON and PDF are whole is checked.
 * @param path below the base address, with its query
 * @param body is sent as JSON
 * @throws FreightError like every other call, also by the reply's status
 */
export async function request(
  transport: Transport,
  method: string,
  path: string,
  { body }: { body?: unknown } = {},
): Promise<RawReply> {
  const verb = method.toUpperCase()
  const reply: Reply = await transport.send({ kind: kindOf(verb, path), method: verb, path, body })
  const { status, headers } = reply
  return { status, headers, mediaType: mediaType(reply), body: readRaw(reply) }
}
