/** Reads a reply as far as possible, or explains why it cannot be read. */
import {
  type Deviation,
  ENDPOINTS,
  findEndpoint,
  readShape,
  type ReplyShape,
  type UnreadRow,
} from "../contract/index.ts"
import { grouped } from "../base/counted.ts"
import { hasPdfEnd, hasPdfHeader } from "../base/pdf.ts"
import { DEEPEST, isTooDeep } from "../base/limits.ts"
import { type SentRequest, createRefusal, type Reply, createUnreadableError } from "./failures.ts"
import type { CallKind } from "./outcome.ts"
import type { Transport } from "./transport.ts"

const IDENTIFIERS: readonly string[] = [
  "shipmentId",
  "orderNumber",
  "consignmentNumber",
  "pickupBookingId",
  "jobId",
]

export interface ReadJson<T> {
  value: T
  unread: readonly UnreadRow[]
  deviations: readonly Deviation[]
}

/**
 * A reply's JSON as far as it can be read: see `shape.ts`. Warns about rows that were set aside, and about other oddities
 * of a created record.
 * @throws FreightError by the reply's status; `badReply` if it is not JSON, `unreadable` if it lacks a required field,
 * `outcomeUnknown` for a create
 */
export async function readJson<T>(reply: Reply, shape: ReplyShape<T>): Promise<ReadJson<T>> {
  const { asked } = reply
  const json = parseJson(reply)
  const { value, why, unread, deviations } = readShape(shape, json)
  if (value === undefined)
    throw createUnreadableError(
      reply,
      `does not match the contract: ${asked.safe(why ?? "")}${listIdentifiers(json, asked)}`,
      REPORT_IT,
      "unreadable",
    )
  const warning = asked.kind === "create" ? describeOdd(reply, deviations) : describeUnread(unread)
  if (warning !== undefined) await asked.warn?.(asked.safe(warning))
  return { value: value as T, unread, deviations }
}

/** `1 of 72 shipments could not be read: shipments[3].id is missing. freight doctor --contract lists …` */
function describeUnread([first, ...others]: readonly UnreadRow[]): string | undefined {
  if (!first) return undefined
  const things = first.path.split(".").at(-1)?.split("[", 1).join("") ?? ""
  const more = others.length > 0 ? `; and ${others.length} more` : ""
  return `${others.length + 1} of ${grouped(first.of)} ${things} could not be read: ${first.why}${more}. ${REPORT_IT}`
}

/** A successful create stays one, whatever else its reply says. A missing or null field is not worth a warning. */
function describeOdd({ asked }: Reply, deviations: readonly Deviation[]): string | undefined {
  const odd = deviations.filter(({ is }) => is === "missing" || is === "mistyped" || is === "unlisted")
  if (odd.length === 0) return undefined
  const texts = odd.map(({ text, value }) => (value === undefined ? text : `${text} (${value})`))
  return `${asked.endpoint}: it was made, but its reply is not as the contract says: ${texts.join("; ")}. ${REPORT_IT}`
}

const REPORT_IT = "freight doctor --contract prints a report for the provider."

export function readPdf(reply: Reply): Uint8Array {
  if (reply.status >= 300) throw createRefusal(reply)
  if (!hasPdfHeader(reply.body)) throw createUnreadableError(reply, `is not a PDF but ${describeBody(reply)}`)
  if (!hasPdfEnd(reply.body))
    throw createUnreadableError(reply, `is not a complete PDF (${reply.body.length} bytes, without an end)`)
  return reply.body
}

/** The bytes of a reply; one marked as JSON or PDF must be that, and complete. */
function readRaw(reply: Reply): Uint8Array {
  if (reply.status >= 300) throw createRefusal(reply)
  if (reply.body.length === 0) return reply.body
  const type = mediaType(reply)
  if (type === "application/pdf") return readPdf(reply)
  if (JSON_TYPE.test(type)) parseJson(reply)
  return reply.body
}

const JSON_TYPE = /^application\/(.+\+)?json$/

function parseJson(reply: Reply): unknown {
  if (reply.status >= 300) throw createRefusal(reply)
  const type = mediaType(reply)
  if (type !== "" && !JSON_TYPE.test(type))
    throw createUnreadableError(
      reply,
      `is not JSON but ${describeBody(reply)}`,
      `Is ${reply.asked.setting} right?`,
    )
  const text = new TextDecoder().decode(reply.body)
  if (isTooDeep(text))
    throw createUnreadableError(reply, `nests arrays and objects more than ${grouped(DEEPEST)} deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw createUnreadableError(reply, `is not complete JSON (${reply.body.length} bytes)`)
  }
}

/** `application/json`, without parameters; empty when the reply does not say. */
export function mediaType({ headers }: Reply): string {
  return (headers["content-type"] ?? "").split(";", 1).join("").trim().toLowerCase()
}

function describeBody(reply: Reply): string {
  const type = mediaType(reply)
  if (reply.body.length === 0) return "empty"
  return type === "text/html" ? "a web page" : `${reply.asked.safe(type || "something else", 60)}`
}

/** IDs in a reply that cannot be trusted: they help to find the booking again. */
function listIdentifiers(value: unknown, { kind, safe }: SentRequest): string {
  if (kind === "read" || typeof value !== "object" || value === null) return ""
  const named = Object.entries(value)
    .filter(([name, id]) => IDENTIFIERS.includes(name) && typeof id === "string")
    .map(([name, id]) => `${name} ${safe(id, 100)}`)
  return named.length > 0 ? `; it names ${named.join(", ")}` : ""
}

export interface RawReply {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  mediaType: string
  body: Uint8Array
}

/** Whether a call creates something. A call that the contract does not have may, unless its method cannot. */
function findCallKind(method: string, path: string): CallKind {
  if (method === "GET" || method === "HEAD") return "read"
  const found = findEndpoint(method, path.replace(/\?.*$/s, "").split("/").slice(1))
  return found && !ENDPOINTS[found.name].creates ? "read" : "create"
}

/** Undefined if it is not JSON. */
export function parseRaw({ mediaType, body }: Pick<RawReply, "mediaType" | "body">): unknown {
  if (!/^application\/(.+\+)?json$/.test(mediaType)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/**
 * Any request to an API; returns the reply unchanged. Only checks that JSON and PDF are complete.
 * @param path below the base address, with its query
 * @param body is sent as JSON
 */
export async function request(
  transport: Transport,
  method: string,
  path: string,
  { body }: { body?: unknown } = {},
): Promise<RawReply> {
  const verb = method.toUpperCase()
  const reply: Reply = await transport.send({ kind: findCallKind(verb, path), method: verb, path, body })
  const { status, headers } = reply
  return { status, headers, mediaType: mediaType(reply), body: readRaw(reply) }
}
