/** Turns the outcome of a request into the error that a person reads. */
import { type Api, API_NAMES } from "../contract/index.ts"
import { CODES, type ErrorCode, type ErrorDetail, type ErrorKind, FreightError } from "../base/errors.ts"
import { tryParseJson } from "../base/json.ts"
import { isTooDeep } from "../base/limits.ts"
import { type Answer, type CallKind, describeExchangeError, type Outcome, type Places } from "./outcome.ts"

export interface SentRequest extends Places {
  api: Api
  kind: CallKind
  /** Method and path, ready to show: `GET /shipments`. */
  endpoint: string
  /** Makes a server's text safe to show and masks the key. */
  safe(text: string, longest?: number): string
  /** Warns a person about an odd reply that is used anyway. */
  warn?: ((text: string) => Promise<void>) | undefined
}

export interface Reply extends Answer {
  asked: SentRequest
  tries: number
  retryAfter: number | undefined
}

/** Statuses of the contract that guarantee that nothing was created. */
const CREATED_NOTHING: readonly number[] = [400, 401, 403, 404, 429]

const UNKNOWN = "its outcome is unknown"
const LOOK_FIRST = "It may have been carried out, and nothing can cancel it: check before you send it again."

const MAX_CODE_LENGTH = 64
const MAX_FIELD_LENGTH = 200

export function createNoReplyError(
  asked: SentRequest,
  outcome: Exclude<Outcome, Answer>,
  tries: number,
): FreightError {
  const { kind, text, hint } = describeExchangeError(outcome.error, asked)
  if (asked.kind === "create" && outcome.end === "unanswered")
    return new FreightError("outcomeUnknown", `${asked.endpoint} was sent, then: ${text}; ${UNKNOWN}`, {
      hint: LOOK_FIRST,
    })
  const nothing = asked.kind === "create" ? "; nothing was created" : ""
  return new FreightError(kind, `${asked.endpoint}: ${text}${formatTries(tries)}${nothing}`, {
    ...(hint && { hint }),
  })
}

/** Error for a successful reply that cannot be understood. `what` completes "the reply …". */
export function createUnreadableError(
  { asked, status }: Reply,
  what: string,
  hint?: string,
  kind: "badReply" | "unreadable" = "badReply",
): FreightError {
  const text = `${asked.endpoint}: the reply of ${asked.host} ${what}`
  if (asked.kind === "create")
    return new FreightError("outcomeUnknown", `${text}; ${UNKNOWN}`, { status, hint: LOOK_FIRST })
  return new FreightError(kind, text, { status, ...(hint && { hint }) })
}

/** The error in a reply whose status is 300 or above. */
export function createRefusal(reply: Reply): FreightError {
  const { asked, status, retryAfter } = reply
  const { message, errors, ...said } = serverWords(reply.body)
  const apiCode = said.code ?? errors.find((detail) => ADVISED.includes(detail.code ?? ""))?.code
  const { kind, what, after, hint, next } = explainStatus(reply, apiCode, message !== undefined)
  const words = message === undefined ? "" : `: ${asked.safe(message)}`
  const reason = after ? words.replace(/\.$/, "") : words
  const mayWait = kind === "rateLimited" || kind === "unavailable"
  return new FreightError(kind, `${what}${reason}${after ? `; ${after}` : ""}`, {
    status,
    code: toCode(kind, apiCode),
    ...(apiCode && { apiCode: asked.safe(apiCode, MAX_CODE_LENGTH) }),
    ...(errors.length > 0 && { errors: errors.map((detail) => makeSafe(asked, detail)) }),
    ...(mayWait && retryAfter !== undefined && { retryAfter }),
    ...(hint && { hint }),
    ...(next && { next }),
  })
}

/** The code for scripts: the API's word if it is among the codes; undefined for the kind's own code. */
function toCode(kind: ErrorKind, apiCode: string | undefined): ErrorCode | undefined {
  const isKnown = (code: string | undefined): code is ErrorCode =>
    code !== undefined && Object.hasOwn(CODES, code) && CODES[code as ErrorCode] === kind
  if (isKnown(apiCode)) return apiCode
  return kind === "refused" ? "CARRIER_REFUSED" : undefined
}

/** Codes with their own advice. They may be beside the message or in one of the errors. */
const ADVISED = ["LABEL_NOT_AVAILABLE", "DEVICE_NOT_FOUND"]

interface Explanation {
  kind: ErrorKind
  what: string
  after?: string
  hint?: string
  next?: string
}

/** The meaning of a status. `explained`: the body has the API's own error format. */
function explainStatus(reply: Reply, code: string | undefined, explained: boolean): Explanation {
  const { asked, status, tries } = reply
  const { api, endpoint, host, setting } = asked
  const answered = `${host} answered ${endpoint} with ${status}${formatTries(tries)}`
  const elsewhere = status < 400 ? explainRedirection(reply) : undefined
  if (asked.kind === "create" && !CREATED_NOTHING.includes(status))
    return {
      kind: "outcomeUnknown",
      what: answered,
      after: [elsewhere, UNKNOWN].filter(Boolean).join("; "),
      hint: LOOK_FIRST,
    }
  if (elsewhere) return { kind: "badReply", what: answered, after: elsewhere, hint: `Is ${setting} right?` }
  if (status >= 500) return { kind: "unavailable", what: answered }
  switch (status) {
    case 401:
      return {
        kind: "unauthenticated",
        what: `the ${API_NAMES[api]} does not accept the key`,
        hint: `Is it the key of the ${API_NAMES[api]}, copied whole, and still valid?`,
      }
    case 403:
      return {
        kind: "forbidden",
        what: `${endpoint} is not allowed with this key`,
        hint: explainForbidden(asked),
      }
    case 404:
      if (code === "LABEL_NOT_AVAILABLE") return { kind: "notReady", what: "the label is not ready yet" }
      if (code === "DEVICE_NOT_FOUND")
        return {
          kind: "notFound",
          what: "there is no such print device",
          hint: "It was revoked or replaced: choose another.",
          next: "freight devices use",
        }
      if (explained) return { kind: "notFound", what: `${endpoint}: not found`, ...findListCommand(endpoint) }
      return {
        kind: "notFound",
        what: `${endpoint}: not found, and ${host} does not answer like the ${API_NAMES[api]}`,
        hint: `Is ${setting} right?`,
        next: "freight doctor",
      }
    case 429:
      return {
        kind: "rateLimited",
        what: `the ${API_NAMES[api]} is limiting requests (429)${tries > 1 ? `; gave up after ${tries} tries` : ""}`,
      }
    default:
      return { kind: "refused", what: `${endpoint} was refused (${status})` }
  }
}

function findListCommand(endpoint: string): { next?: string } {
  const next = LISTS.find(([pattern]) => pattern.test(endpoint))?.[1]
  return next === undefined ? {} : { next }
}

const LISTS: readonly (readonly [RegExp, string])[] = [
  [/ \/shipments\/./, "freight shipments list"],
  [/ \/pickups\/./, "freight history --kind pickup"],
  [/^POST \/[^/]+\/(rates|shipments|pickups)$/, "freight connectors"],
]

/** A 403 of the freight API has no code, and printing a label has two causes (Authentication 4 and 5). */
function explainForbidden({ api, endpoint }: SentRequest): string {
  if (api === "direct-print")
    return "Does the key have the scope for it: devices:read to list devices, print-jobs:write to print?"
  const access = "Freight access is not active for this account"
  return endpoint.endsWith("/print")
    ? `${access}, or direct print is not switched on in the portal.`
    : `${access}.`
}

function explainRedirection({ asked, headers }: Reply): string {
  const base = `https://${asked.host}`
  const to = headers.location ?? ""
  const where = to !== "" && URL.canParse(to, base) ? asked.safe(new URL(to, base).host) : "nowhere"
  return `that redirects to ${where}; freight follows no redirects, so that your key goes nowhere else`
}

function makeSafe({ safe }: SentRequest, { message, field, code }: ErrorDetail): ErrorDetail {
  return {
    message: safe(message),
    ...(field && { field: safe(field, MAX_FIELD_LENGTH) }),
    ...(code && { code: safe(code, MAX_CODE_LENGTH) }),
  }
}

function formatTries(tries: number): string {
  return tries > 1 ? ` after ${tries} tries` : ""
}

/** The text of an error's body, in any of the contracts' shapes. Not yet safe to show. */
interface ServerWords {
  /** `message`, or the print API's `error`. */
  message?: string
  code?: string
  errors: readonly ErrorDetail[]
  /** Seconds (direct print's RateLimitError). */
  retryAfter?: number
  /** The carrier's reference of a pickup that exists (PickupServerError). */
  orderNumber?: string
}

const MAX_DETAILS = 100

/** Reads an error's body leniently: missing or mistyped fields are left out; never throws. */
export function serverWords(body: Uint8Array): ServerWords {
  const value = asRecord(parseJson(body))
  const message = asText(value.message) ?? asText(value.error)
  const code = asText(value.code)
  const orderNumber = asText(value.orderNumber)
  const { retryAfter } = value
  return {
    ...(message && { message }),
    ...(code && { code }),
    errors: Array.isArray(value.errors) ? value.errors.slice(0, MAX_DETAILS).flatMap(asDetails) : [],
    ...(typeof retryAfter === "number" && retryAfter >= 0 && { retryAfter }),
    ...(orderNumber && { orderNumber }),
  }
}

function asDetails(value: unknown): ErrorDetail[] {
  const fields = asRecord(value)
  const message = asText(fields.message)
  if (message === undefined) return []
  const field = asText(fields.field)
  const code = asText(fields.code)
  return [{ message, ...(field && { field }), ...(code && { code }) }]
}

function parseJson(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body)
  return isTooDeep(text) ? undefined : tryParseJson(text)
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}
