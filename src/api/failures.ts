/** From what happened to a request to the error that a person reads. */
import { FreightError, type FreightErrorOptions } from "../errors.ts"
import type { Answer, CallKind, Outcome } from "./outcome.ts"
import { serverWords } from "./server-words.ts"
import { describeTrouble, type Places } from "./trouble.ts"

/** What was asked, as far as messages and the meaning of a failure need it. */
export interface Asked extends Places {
  api: "freight" | "print"
  kind: CallKind
  /** Method and path, ready to show: `GET /shipments`. */
  endpoint: string
  /** Text of a server, safe to show, and with the key masked. */
  safe(text: string, longest?: number): string
}

/** A complete reply, with what it replies to. */
export interface Reply extends Answer {
  asked: Asked
  tries: number
  /** Seconds that the server asks to wait before the next try. */
  retryAfter: number | undefined
}

/** The statuses that the contract names and that say for certain that nothing was created. */
const CREATED_NOTHING: readonly number[] = [400, 401, 403, 404, 429]

const CODE_LENGTH = 64

/** The request got no complete reply. */
export function noReply(asked: Asked, outcome: Exclude<Outcome, Answer>, tries: number): FreightError {
  const { kind, text, hint } = describeTrouble(outcome.trouble, asked)
  const { endpoint } = asked
  if (asked.kind === "create" && outcome.end === "unanswered")
    return unknownOutcome(asked, `${endpoint} was sent, and then: ${text}`)
  const nothing = asked.kind === "create" ? "; it was not sent, and nothing was created" : ""
  return new FreightError(kind, `${endpoint}: ${text}${afterTries(tries)}${nothing}`, { ...(hint && { hint }) })
}

/** The reply says that it was done, but cannot be understood. `what` completes "the reply …". */
export function unreadable({ asked, status }: Reply, what: string, hint?: string): FreightError {
  const text = `${asked.endpoint}: the reply of ${asked.host} ${what}`
  if (asked.kind === "create") return unknownOutcome(asked, text, { status })
  return new FreightError("badReply", text, { status, ...(hint && { hint }) })
}

/** The error in a reply whose status is 300 or above. */
export function refusal(reply: Reply): FreightError {
  const { asked, status, tries } = reply
  const { message, code, errors } = serverWords(reply.body)
  const reason = message === undefined ? "" : `: ${asked.safe(message)}`
  const options: FreightErrorOptions = {
    status,
    ...(code && { code: asked.safe(code, CODE_LENGTH) }),
    ...(errors.length > 0 && { errors: errors.map((detail) => safeDetail(asked, detail)) }),
  }
  const said = `${asked.endpoint} was answered ${status} by ${asked.host}${afterTries(tries)}${reason}`
  if (asked.kind === "create" && !CREATED_NOTHING.includes(status)) {
    return unknownOutcome(asked, status < 400 ? `${said}; ${redirection(reply)}` : said, options)
  }
  switch (status) {
    case 400:
      return new FreightError("refused", `${asked.endpoint} was refused${reason || ": the API gives no reason"}`, options)
    case 401:
      return new FreightError("unauthenticated", `the ${asked.api} API does not accept the key${reason}`, {
        ...options,
        next: "freight auth login",
      })
    case 403:
      return new FreightError("forbidden", `${asked.endpoint} is not allowed with this key${reason}`, {
        ...options,
        hint: whyForbidden(asked),
      })
    case 404:
      return notFound(reply, reason, options)
    case 429:
      return new FreightError("rateLimited", `the ${asked.api} API gets too many requests${afterTries(tries)}${reason}`, {
        ...options,
        ...(reply.retryAfter !== undefined && { retryAfter: reply.retryAfter }),
      })
  }
  if (status >= 500) {
    return new FreightError("unavailable", said, {
      ...options,
      ...(reply.retryAfter !== undefined && { retryAfter: reply.retryAfter }),
    })
  }
  if (status >= 400) return new FreightError("refused", said, options)
  return new FreightError("badReply", `${said}; ${redirection(reply)}`, { ...options, hint: `Is ${asked.setting} right?` })
}

function notFound(reply: Reply, reason: string, options: FreightErrorOptions): FreightError {
  const { asked } = reply
  if (options.code === "LABEL_NOT_AVAILABLE")
    return new FreightError("notReady", `the label is not there yet${reason}`, options)
  if (options.code === "DEVICE_NOT_FOUND") {
    return new FreightError("notFound", `the print device is not there any more${reason}`, {
      ...options,
      next: "freight devices list",
    })
  }
  if (reason === "") {
    return new FreightError("notFound", `${asked.endpoint}: ${asked.host} has nothing there, and the answer is not the API's own`, {
      ...options,
      hint: `Is ${asked.setting} right?`,
    })
  }
  return new FreightError("notFound", `${asked.endpoint}: not found${reason}`, options)
}

/** Freight 403 has no code, and printing a label has two causes (Authentication 4 and 5). */
function whyForbidden({ api, endpoint }: Asked): string {
  if (api === "print") return "Does the key have the scope for this: devices:read to list, print-jobs:write to print?"
  const access = "Freight access is not active for this account"
  return endpoint.endsWith("/print") ? `${access}, or direct print is not switched on in the portal.` : `${access}.`
}

function redirection({ asked, headers }: Reply): string {
  const to = headers.location ?? ""
  const url = URL.canParse(to, `https://${asked.host}`) ? new URL(to, `https://${asked.host}`) : undefined
  const where = url ? `it points to ${asked.safe(url.host)}` : "it points elsewhere"
  return `${where}, and redirects are not followed, so that the key goes nowhere else`
}

/** A create that may have been carried out. It is never sent again by itself. */
function unknownOutcome(asked: Asked, what: string, options: FreightErrorOptions = {}): FreightError {
  return new FreightError("outcomeUnknown", `${what}; whether it was carried out is not known`, {
    ...options,
    hint: "Something may exist now, and nothing can cancel it: find out before you send it again.",
    next: "freight reconcile",
  })
}

function safeDetail({ safe }: Asked, { message, field, code }: { message: string; field?: string; code?: string }) {
  return {
    message: safe(message),
    ...(field && { field: safe(field, 200) }),
    ...(code && { code: safe(code, CODE_LENGTH) }),
  }
}

function afterTries(tries: number): string {
  return tries > 1 ? ` after ${tries} tries` : ""
}
