import type { ErrorDetail } from "../errors.ts"

/** What can be read from the body of an error, whichever of the contracts' shapes it has. Not yet safe to show. */
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

const MOST_DETAILS = 100

/** Reads an error's body leniently: what is missing or of another type is left out, and nothing throws. */
export function serverWords(body: Uint8Array): ServerWords {
  const value = fieldsOf(parsed(body))
  const message = textOf(value.message) ?? textOf(value.error)
  const code = textOf(value.code)
  const orderNumber = textOf(value.orderNumber)
  const { retryAfter } = value
  return {
    ...(message && { message }),
    ...(code && { code }),
    errors: Array.isArray(value.errors) ? value.errors.slice(0, MOST_DETAILS).flatMap(detailOf) : [],
    ...(typeof retryAfter === "number" && retryAfter >= 0 && { retryAfter }),
    ...(orderNumber && { orderNumber }),
  }
}

function detailOf(value: unknown): ErrorDetail[] {
  const fields = fieldsOf(value)
  const message = textOf(fields.message)
  if (message === undefined) return []
  const field = textOf(fields.field)
  const code = textOf(fields.code)
  return [{ message, ...(field && { field }), ...(code && { code }) }]
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}
