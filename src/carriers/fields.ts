/** Fields of requests that only some carriers read: those that the schemas mark with `x-carrier`. */
import { CARRIER_FIELDS, CARRIERS } from "../contract/generated/carrier-fields.ts"
import type { Carrier } from "../contract/generated/types.ts"

export type RequestName = keyof typeof CARRIER_FIELDS

/** Each such field of a request by its dotted path, in the schema's order, with the carriers that read it. */
export function listCarrierFields(
  request: RequestName,
): readonly (readonly [path: string, readers: readonly Carrier[]])[] {
  return Object.entries(CARRIER_FIELDS[request])
}

/** The carriers that read a field. */
export function findReaders(request: RequestName, field: string): readonly Carrier[] {
  return listCarrierFields(request).find(([path]) => path === field)?.[1] ?? CARRIERS
}

export function readsField(request: RequestName, field: string, carrier: Carrier): boolean {
  return findReaders(request, field).includes(carrier)
}
