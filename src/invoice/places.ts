/** The list of places for the addresses of invoices. Loaded with the first invoice that has one. */
import { createPlaces } from "../machine/places/judge.ts"
import { loadPlaceList } from "../machine/places/load.ts"
import type { AddressJudge } from "../contract/place-doubts.ts"

export async function loadAddressJudge(): Promise<AddressJudge> {
  return createPlaces(await loadPlaceList())
}
