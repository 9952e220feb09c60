import type {
  ErrorBody,
  ForbiddenError,
  LabelNotAvailableError,
  PrintNotFoundError,
} from "../contract/generated/types.ts"

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  }
}

export function pdf(body: Uint8Array): Reply {
  return { status: 200, headers: { "content-type": "application/pdf" }, body }
}

/** Ends the handling of a request with an error reply. */
export class Refusal extends Error {
  readonly reply: Reply

  constructor(
    status: number,
    body: ErrorBody | LabelNotAvailableError | PrintNotFoundError | ForbiddenError,
  ) {
    super("message" in body ? body.message : body.error)
    this.reply = json(status, body)
  }
}

export type ErrorEntry = NonNullable<ErrorBody["errors"]>[number]

/** A 400 with the wrong fields; only the message if there are none. */
export function badRequest(message: string, errors: ErrorEntry[] = []): Refusal {
  return new Refusal(400, { message, ...(errors.length > 0 && { errors }) })
}

export function notFound(message: string): Refusal {
  return new Refusal(404, { message })
}

/** 404 bodies that carry a code: what is missing, for programs. */
export function notFoundAs(code: PrintNotFoundError["code"], message: string): Refusal {
  return new Refusal(404, { message, code })
}

/** The carrier rejected the request: a 400 with `code` and `message`, or a failed result among rates. */
export class CarrierRejection extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The carrier's own API is down: a 502, or a failed result among rates. */
export class CarrierUnavailable extends Error {}
