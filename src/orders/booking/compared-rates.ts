/** The rates compared before a booking, in the ledger's short form, so that other choices can be compared later. */
import { tryParseJson } from "../../base/json.ts"
import { addDays, daysBetween, formatDate, parseDate } from "../../base/wall-clock.ts"
import { getMostCents, whyOnlyNamed } from "./gst.ts"
import { arrivalOrder, isTooLate, putInTimeFirst, type RateRow, sortRates } from "./rates.ts"

/** A rate that could have been chosen. */
export interface ComparedRate {
  connectorId: string
  carrier: string
  serviceCode: string
  /** The most that it could come to with GST, in cents. */
  cents: number
  saysGst: boolean
  /** The shipping date, `yyyy-MM-dd`. */
  shipped: string
  /** The promised day, `yyyy-MM-dd`; undefined if there is none. */
  promised: string | undefined
  /** It was too late for the day of its collection; earlier versions of freight did not say. */
  isLate: boolean
}

/** Maximum kept of a long list: enough to choose by price and by arrival. */
const MAX_CHEAPEST = 12
const MAX_EARLIEST = 4

/**
 * `["76", 7029, 5]`: the days are counted from the shipping date, and null if no day is promised; then 1 where the GST
 * is not said, and 1 where it was too late for the day of its collection.
 */
type KeptService = [code: string, cents: number, days: number | null, isUnsaid?: 0 | 1, isLate?: 1]
/** `["2026-11-25", ["connector-a", "CARRIER", ["76", 7029, 5], …], …]` */
type WrittenRates = [date: string, ...connectors: [connectorId: string, carrier: string, ...KeptService[]][]]

/**
 * JSON of the rates: hidden ones only if there are no others.
 * @param date the shipping date, `yyyy-MM-dd`
 * @returns undefined if nothing is offered, or the date is not known
 */
export function formatComparedRates(rates: readonly RateRow[], date: string | undefined): string | undefined {
  const shipped = parseDate(date ?? "")
  const choosable = rates.filter((rate) => whyOnlyNamed(rate) === undefined)
  const shown = choosable.filter(({ visibility }) => visibility !== "hidden")
  const open = shown.length > 0 ? shown : choosable
  if (!shipped.ok || open.length === 0) return undefined
  const kept = new Set([
    ...sortRates(open, "price", date).slice(0, MAX_CHEAPEST),
    ...putInTimeFirst(sortRates(open, "eta", date)).slice(0, MAX_EARLIEST),
  ])
  const connectors = new Map<string, [string, string, ...KeptService[]]>()
  for (const rate of kept) {
    const { connectorId, carrier, serviceCode, priceIncGst } = rate
    // A late rate may not keep its `eta`, so that does not count as a promise.
    const isLate = isTooLate(rate)
    const isPromised = !(isLate && rate.eta)
    const due = parseDate(isPromised ? arrivalOrder(rate, date).slice(0, 10) : "")
    const days = due.ok ? daysBetween(shipped.value, due.value) : null
    const own = connectors.get(connectorId) ?? [connectorId, carrier]
    connectors.set(connectorId, own)
    const service = [serviceCode, getMostCents(rate), days] as const
    const isUnsaid = priceIncGst === undefined ? 1 : 0
    own.push(isLate ? [...service, isUnsaid, 1] : isUnsaid ? [...service, isUnsaid] : [...service])
  }
  return JSON.stringify([formatDate(shipped.value), ...connectors.values()] satisfies WrittenRates)
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

/** Reads them again. @returns undefined if it is not such a list */
export function readComparedRates(text: string): ComparedRate[] | undefined {
  const kept = tryParseJson(text)
  if (!isList(kept)) return undefined
  const [date, ...connectors] = kept
  const shipped = parseDate(String(date))
  if (!shipped.ok) return undefined
  const compared: ComparedRate[] = []
  for (const connector of connectors) {
    if (!isList(connector)) return undefined
    const [connectorId, carrier, ...services] = connector
    for (const service of services) {
      if (!isList(service)) return undefined
      const [serviceCode, cents, days, isUnsaid, isLate] = service
      if (!Number.isSafeInteger(cents)) return undefined
      compared.push({
        ...{ connectorId: String(connectorId), carrier: String(carrier), serviceCode: String(serviceCode) },
        ...{ cents: Number(cents), saysGst: isUnsaid !== 1 },
        shipped: formatDate(shipped.value),
        promised: typeof days === "number" ? formatDate(addDays(shipped.value, days)) : undefined,
        isLate: isLate === 1,
      })
    }
  }
  return compared
}
