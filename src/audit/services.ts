/** Which services a carrier has: only one of these can be billed by mistake for another. */
import type { ConnectorSummary } from "../contract/generated/types.ts"

export interface Services {
  add(carrier: string, code: string, name?: string): void
  /** What is billed, if it is another service of the carrier than the booked one; undefined if that is unknown. */
  otherThan(
    billed: string,
    booked: { carrier: string; service: string },
    bookedName: string | undefined,
  ): string | undefined
}

const plain = (text: string) => text.trim().toLowerCase().replace(/\s+/g, " ")

export function createServices(connectors: readonly ConnectorSummary[]): Services {
  const known = new Map<string, Map<string, string>>()
  const services: Services = {
    add(carrier, code, name = "") {
      const codes = known.get(carrier) ?? new Map<string, string>()
      known.set(carrier, codes)
      for (const text of [code, name]) if (text !== "") codes.set(plain(text), code)
    },
    otherThan(billed, { carrier, service }, bookedName = "") {
      const text = plain(billed)
      if (text === "" || text === plain(service) || text === plain(bookedName)) return undefined
      const code = known.get(carrier)?.get(text)
      return code === undefined || code === service ? undefined : billed.trim()
    },
  }
  for (const { carrier, services: all } of connectors)
    for (const { serviceCode, description } of all) services.add(carrier, serviceCode, description)
  return services
}
