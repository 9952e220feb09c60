/** The list of places for the addresses of invoices. Loaded with the first invoice that has one. */
import { createPlaces, loadPlaceList } from "../machine/index.ts"
import type { AddressJudge } from "../contract/index.ts"

export async function loadAddressJudge(): Promise<AddressJudge> {
  return createPlaces(await loadPlaceList())
}
