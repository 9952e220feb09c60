/** Failures for rehearsals. They live in the server process, and the same seed makes the same requests fail. */
import { quoted } from "../base/parsed.ts"
import type { Api, EndpointName } from "../contract/index.ts"
import { FreightError } from "../base/errors.ts"
import { json, type Reply } from "./reply.ts"
import { connectorById } from "./tenants.ts"
import type { Trigger } from "./triggers.ts"

/** How a reply is sent: correctly, or not. */
export type Delivery = "whole" | "drop" | "hang" | "slow" | "truncated" | "endless"

interface Struck {
  readonly api: Api
  /** An address on another origin. */
  readonly elsewhere: string
}

interface FaultEffect {
  readonly about: string
  readonly delivery?: Delivery
  /** It can be limited to the requests that reach one connector. */
  readonly isOfConnector?: true
}

/** Strikes before the request is handled: nothing is created. */
interface Before extends FaultEffect {
  readonly when: "before"
  readonly reply?: (struck: Struck) => Reply
}

/** Strikes after the request was carried out: its record exists. */
interface After extends FaultEffect {
  readonly when: "after"
  readonly reply?: (reply: Reply) => Reply
}

/** Strikes bookings, on one lane if one is given: as if the booking had that word. */
interface Planted extends FaultEffect {
  readonly when: "booked"
  readonly plants: Trigger
  readonly reply?: never
}

export type Fault = Before | After | Planted

export const FAULTS = {
  "429": {
    about: "too many requests: retry after a second",
    when: "before",
    reply: ({ api }) => createRateLimitReply(api),
  },
  "500": { about: "a server error", when: "before", reply: () => createFailure(500) },
  "502": { about: "the carrier is unavailable", when: "before", reply: () => createFailure(502) },
  "503": { about: "the service is unavailable", when: "before", reply: () => createFailure(503) },
  html: { about: "an HTML page with status 500", when: "before", reply: () => createErrorPage() },
  redirect: {
    about: "a redirect to another origin",
    when: "before",
    reply: ({ elsewhere }) => createRedirect(elsewhere),
  },
  "drop-before": {
    about: "the connection breaks before anything is created",
    when: "before",
    delivery: "drop",
  },
  hang: { about: "no answer, and nothing is created", when: "before", delivery: "hang", isOfConnector: true },
  "502-after-commit": {
    about: "done, and answered with a 502",
    when: "after",
    reply: () => createFailure(502),
  },
  "drop-after-commit": { about: "done, then the connection breaks", when: "after", delivery: "drop" },
  "hang-after-commit": { about: "done, and no answer", when: "after", delivery: "hang" },
  slow: { about: "done, the answer trickles in", when: "after", delivery: "slow", isOfConnector: true },
  truncated: { about: "done, the answer breaks off", when: "after", delivery: "truncated" },
  big: { about: "done, the answer never ends", when: "after", delivery: "endless" },
  garbage: { about: "done, the answer is not JSON", when: "after", reply: garble },
  "wrong-shape": { about: "done, every value has another type", when: "after", reply: changeTypes },
  escape: { about: "done, control characters in every text", when: "after", reply: addControlCharacters },
  late: {
    about: "bookings arrive two days late",
    when: "booked",
    plants: "sandbox:late",
    isOfConnector: true,
  },
  overbilled: {
    about: "bookings are billed a quarter more",
    when: "booked",
    plants: "sandbox:overbilled",
    isOfConnector: true,
  },
} as const satisfies Record<string, Fault>

type Kind = keyof typeof FAULTS

export type FaultSet = ReturnType<typeof createFaults>

interface Strikable {
  readonly method: string
  readonly path: string
  readonly creates: boolean
  /** Undefined if there is no such endpoint. */
  readonly endpoint?: EndpointName | undefined
  /** The variable part of its path. */
  readonly id?: string | undefined
}

export interface Plantable {
  readonly connectorId: string
  readonly from: string
  readonly to: string
}

export function createFaults(seed: number) {
  let armed: ({ text: string } & ReturnType<typeof parseFault>)[] = []
  return {
    /** `KIND[:RATE][:CONNECTOR][@[METHOD]PATHPART]`, or `@FROM-TO`; see `parseFault`. */
    add(text: string) {
      armed.push({ text, ...parseFault(text, seed) })
    },
    clear() {
      armed = []
    },
    list: () => armed.map(({ text }) => text),
    /** The fault that strikes this request, if any, with its text. */
    strike: (request: Strikable) => armed.find(({ strikes }) => strikes(request)),
    plant: (booking: Plantable): Trigger[] =>
      armed.flatMap(({ fault, plants }) =>
        fault.when === "booked" && plants(booking) ? [fault.plants] : [],
      ),
  }
}

/**
 * A fault: its kind; how often (`:0.2` one request in five, `:x3` the next three, always when left out); of which
 * connector (`:connector-b` what reaches that one, `POST /rates` included, which waits for all); and where (`@/shipments` any path with that in it, `@POST/shipments` with a method; without it, any request, or of
 * `…-after-commit` any that creates). What strikes bookings is of a lane in place of a path: `@20-61` from postcodes that
 * begin with 20 to those that begin with 61, `@-6` to any that begins with 6.
 */
function parseFault(text: string, seed: number) {
  const [, kind = "", given = "1", method, part = ""] =
    /^([^:@]*)(?::([^@]*))?(?:@([A-Z]*)(.*))?$/s.exec(text) ?? []
  if (!isKind(kind))
    throw new FreightError(
      "usage",
      `${quoted(kind)} is not a fault: use one of ${Object.keys(FAULTS).join(", ")}`,
    )
  const words = given.split(":")
  const connector = words.find((word) => connectorById(word) !== undefined)
  const fault: Fault = FAULTS[kind]
  if (connector !== undefined && !fault.isOfConnector)
    throw new FreightError("usage", `fault ${text}: only ${OF_CONNECTOR.join(", ")} can be of one connector`)
  const [, from = "", to = ""] = /^(\d*)-(\d*)$/.exec(part) ?? []
  if (fault.when === "booked" && (method || (part !== "" && from + to === "")))
    throw new FreightError(
      "usage",
      `fault ${text}: ${quoted(`${method}${part}`)} is not a lane: use postcodes, as 20-61`,
    )
  const rates = words.filter((word) => word !== connector)
  const rate = rates.length === 0 ? "1" : rates.join(":")
  const count = /^x(\d{1,9})$/.exec(rate)?.[1]
  const share = count === undefined ? Number(rate === "" ? Number.NaN : rate) : 1
  if (!(share >= 0 && share <= 1))
    throw new FreightError(
      "usage",
      `fault ${text}: ${quoted(rate)} is not a rate: use 0 to 1, or x3 for the next three`,
    )
  let left = count === undefined ? Number.POSITIVE_INFINITY : Number(count)
  let seen = 0
  // A request that creates nothing commits nothing; a named path means that path.
  const isForCreates = kind.endsWith("-after-commit") && method === undefined
  const draw = (): boolean => {
    if (left === 0) return false
    seen += 1
    if (fraction(`${seed}:${text}:${seen}`) >= share) return false
    left -= 1
    return true
  }
  const strikes = (request: Strikable): boolean => {
    const { method: requestMethod, path, creates } = request
    if (fault.when === "booked") return false
    if (connector !== undefined && !reachesConnector(request, connector)) return false
    if ((method && method !== requestMethod) || !path.includes(part)) return false
    return (!isForCreates || creates) && draw()
  }
  const plants = (booking: Plantable): boolean =>
    (connector === undefined || booking.connectorId === connector) &&
    booking.from.startsWith(from) &&
    booking.to.startsWith(to) &&
    draw()
  return { strikes, plants, fault }
}

export const OF_CONNECTOR: readonly string[] = Object.entries<Fault>(FAULTS)
  .filter(([, { isOfConnector }]) => isOfConnector)
  .map(([kind]) => kind)

function reachesConnector({ endpoint = "GET /connectors", id }: Strikable, connector: string): boolean {
  return endpoint === "POST /rates" || (endpoint.includes("{connectorId}") && id === connector)
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(FAULTS, text)
}

export function faultKinds(): Record<string, string> {
  return Object.fromEntries(Object.entries(FAULTS).map(([kind, { about }]) => [kind, about]))
}

function createFailure(status: number): Reply {
  return json(status, { message: `Rehearsed failure: ${status}` })
}

function createRateLimitReply(api: Api): Reply {
  return api === "freight"
    ? json(429, { message: "Too many requests for this API key" }, { "retry-after": "1" })
    : json(429, { error: "Too many requests", code: "RATE_LIMIT_EXCEEDED", retryAfter: 1 })
}

function createErrorPage(): Reply {
  const body = "<!doctype html><html><body><h1>Internal Server Error</h1></body></html>"
  return { status: 500, headers: { "content-type": "text/html" }, body }
}

function createRedirect(location: string): Reply {
  return { status: 307, headers: { location }, body: "" }
}

function garble(reply: Reply): Reply {
  return { ...reply, body: '{"message": \u0000\u0001 not JSON at all' }
}

/** Texts become numbers, numbers and booleans texts, lists objects; objects keep their names. */
function changeTypes(reply: Reply): Reply {
  return mapJson(reply, (value) => {
    if (typeof value === "string") return value.length
    if (Array.isArray(value)) return { length: value.length }
    return typeof value === "object" ? value : String(value)
  })
}

/** Fields that people read; ids and codes stay, because programs need them. */
const READ_BY_PEOPLE =
  /^(message|error|name|description|label|printerName|labelWarning|connectorName|serviceDescription|fromSuburb|toSuburb|currentStatus|location|lastErrorMessage|signedBy)$/

function addControlCharacters(reply: Reply): Reply {
  return mapJson(reply, (value, name) =>
    typeof value === "string" && READ_BY_PEOPLE.test(name)
      ? `\u001b]0;owned\u0007\u001b[2J\u001b[31m${value}\u009b1m\r\n\u202e\u0000`
      : value,
  )
}

function mapJson(reply: Reply, map: (value: unknown, name: string) => unknown): Reply {
  if (typeof reply.body !== "string") return json(reply.status, {})
  return { ...reply, body: JSON.stringify(JSON.parse(reply.body), (name, value) => map(value, name)) }
}

/** A number in [0, 1) from a text (FNV-1a, then mixed). */
export function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
