/** Asks all carriers for rates: with one request, and each separately if one of them delays the others. */
import { AT_ONCE, type FreightApi, type ReadOptions, workThrough } from "../../api/index.ts"
import { type ErrorCode, type ErrorKind, FreightError } from "../../base/errors.ts"
import type { Clock } from "../../base/ports.ts"
import { carrierLetter } from "../../carriers/index.ts"
import type {
  ConnectorSummary,
  RateRequest,
  SingleConnectorRateResponse,
} from "../../contract/generated/types.ts"
import type { CarrierRates, KeptQuote } from "../../machine/index.ts"

export type RateReply = Pick<KeptQuote, "quoteId" | "results">

export interface Quote {
  request: RateRequest
  /** Milliseconds since the epoch; of several calls, when the first was made. */
  quotedAt: number
  reply: RateReply
  single?: SingleConnectorRateResponse
  /** Carriers that did not answer, with `NO_ANSWER` in the reply: they may have rates. */
  missing: readonly CarrierRates[]
}

/** The speed of the carriers, as a run has seen it. */
export interface RatePace {
  /** One carrier delayed all others: from then on each is asked separately. */
  isSlow: boolean
}

export interface RateSource {
  api: Pick<FreightApi, "rates" | "connectorRates">
  clock: Pick<Clock, "now">
  connectors(): Promise<readonly ConnectorSummary[]>
  ratePace: RatePace
}

export interface AskOptions {
  /** Leave out carriers that do not answer soon, if others have rates; otherwise wait for all. */
  isBrief?: boolean | undefined
  /** Called with the answer of each carrier that is asked separately, as it comes. */
  onAnswer?: ((answer: CarrierRates) => unknown) | undefined
}

/** Error code of a carrier that did not answer. */
export const NO_ANSWER = "NO_ANSWER" satisfies ErrorCode

/**
 * POST /rates. If its reply is late, also POST /{connectorId}/rates for each, side by side: takes whichever has all rates
 * first, or what has come when the time of the first request is over.
 */
export async function askCarriers(
  deps: RateSource,
  request: RateRequest,
  options: AskOptions,
): Promise<Quote> {
  const { api, clock, ratePace } = deps
  const over = new AbortController()
  const { signal } = over
  const askTogether = async (onLate?: ReadOptions["onLate"]): Promise<Quote> => {
    const reply = await api.rates(request, { signal, onLate })
    const results = reply.results.map((result) => ({ ...result, quoteId: reply.quoteId }))
    return { request, quotedAt: clock.now(), reply: { ...reply, results }, missing: [] }
  }
  const askEach = async (withinMs?: number) =>
    requireRates(await askEachCarrier(deps, request, { ...options, signal, withinMs }))
  try {
    if (ratePace.isSlow)
      return await askEach().catch((error: unknown) => {
        if (options.isBrief && hasNoAnswer(error)) return askTogether()
        throw error
      })
    let onLate = (_leftMs: number) => {}
    const late = new Promise<number>((resolve) => {
      onLate = resolve
    })
    const together = askTogether((leftMs) => onLate(leftMs))
    const first = await Promise.race([together, late])
    if (typeof first !== "number") return first
    ratePace.isSlow = true
    return await Promise.any([together, askEach(first)]).catch(({ errors }: AggregateError) => {
      throw errors.find(hasNoAnswer) ?? errors[0]
    })
  } finally {
    // The other requests are not needed any more.
    over.abort()
  }
}

function hasNoAnswer(error: unknown): boolean {
  return error instanceof FreightError && error.code === NO_ANSWER
}

async function askEachCarrier(
  { api, clock, connectors }: RateSource,
  request: RateRequest,
  { onAnswer, ...options }: AskOptions & ReadOptions,
): Promise<Quote> {
  const quotedAt = clock.now()
  const all = await connectors()
  const answers = new Map<string, CarrierRates>()
  await workThrough(all, AT_ONCE, async ({ id: connectorId, carrier }) => {
    const answer = await api.connectorRates(connectorId, request, options).then(
      ({ quoteId, rates }): CarrierRates => ({ connectorId, carrier, success: true, rates, quoteId }),
      (error: unknown): CarrierRates => ({
        connectorId,
        carrier,
        success: false,
        error: toCarrierError(error),
      }),
    )
    answers.set(connectorId, answer)
    onAnswer?.(answer)
  })
  const results = all.flatMap(({ id }) => answers.get(id) ?? [])
  const missing = results.filter(({ error }) => error?.code === NO_ANSWER)
  return { request, quotedAt, reply: { results }, missing }
}

const ANSWERS: readonly ErrorKind[] = ["refused", "notFound", "rateLimited"]
/** Failures after which one carrier may still have rates. */
const NO_ANSWERS: readonly ErrorKind[] = ["timeout", "unavailable", "badReply", "unreadable"]

function toCarrierError(error: unknown): NonNullable<CarrierRates["error"]> {
  if (!(error instanceof FreightError)) throw error
  const { kind, message, status, apiCode: code } = error
  if (ANSWERS.includes(kind) || (kind === "unavailable" && status !== undefined))
    return { message, ...(code !== undefined && { code }) }
  if (!NO_ANSWERS.includes(kind)) throw error
  return { message: kind === "timeout" ? "it did not answer in time" : message, code: NO_ANSWER }
}

/** Refuses a quote without a price if a carrier that did not answer may have one. */
function requireRates(quote: Quote): Quote {
  const { results } = quote.reply
  if (quote.missing.length === 0 || results.some(({ rates = [] }) => rates.length > 0)) return quote
  const reasons = results.map(
    ({ connectorId, error }) => `${connectorId}: ${error?.message ?? "it has no rate"}`,
  )
  throw new FreightError("timeout", `no carrier gave rates: ${reasons.join("; ")}`, {
    code: NO_ANSWER,
    hint: "--timeout sets how many seconds to wait.",
  })
}

export function nameCarriers(carriers: readonly Pick<CarrierRates, "carrier" | "connectorId">[]): string {
  return carriers
    .map(({ carrier, connectorId }) => `carrier ${carrierLetter(carrier)} (${connectorId})`)
    .join(", ")
}
