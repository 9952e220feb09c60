import type { Knowledge, Place, WrittenPlace } from "../contract/index.ts"
import { FreightError } from "../base/errors.ts"
import type { Places } from "../machine/index.ts"
import type { Store } from "../ledger/index.ts"
import { once } from "./session.ts"

/** Places and days that freight knows. */
export interface PlaceDeps {
  /**
   * The list of places, with the team's own.
   * @param asked the places to check: if the list has all of them, the ledger is not opened
   */
  places(asked?: readonly WrittenPlace[]): Promise<Places>
  /** The same with the public holidays: the data that requests are checked against. */
  knowledge(asked?: readonly WrittenPlace[]): Promise<Knowledge>
}

interface OwnPlaces {
  hasLedger(): Promise<boolean>
  readLedger(): Promise<{ store: Pick<Store, "database">; scope: string | undefined }>
}

/** The list of places with those in the ledger, and the holidays; each is loaded on first use. */
export function openPlaces(ledgers: OwnPlaces): PlaceDeps {
  const listedPlaces = once(() => loadPlaces([]))
  const allPlaces = once(async () => {
    try {
      return await loadPlaces(await readOwnPlaces(ledgers))
    } catch (error) {
      // An unneeded warning is better than no answer; commands that need the ledger report why it cannot be read.
      if (error instanceof FreightError && error.kind !== "interrupted") return listedPlaces()
      throw error
    }
  })
  const places: PlaceDeps["places"] = async (asked) => {
    const listed = asked && (await listedPlaces())
    return listed && asked.every((place) => !listed.findDoubt(place)) ? listed : allPlaces()
  }
  return {
    places,
    async knowledge(asked) {
      const { loadHolidays } = await import("../machine/places/holidays.ts")
      const isAsked = asked === undefined || asked.length > 0
      return { ...(isAsked && { places: await places(asked) }), findHoliday: await loadHolidays() }
    },
  }
}

async function loadPlaces(own: readonly Place[]) {
  const [{ createPlaces }, { loadPlaceList }] = await Promise.all([
    import("../machine/places/judge.ts"),
    import("../machine/places/load.ts"),
  ])
  return createPlaces(await loadPlaceList(), own)
}

async function readOwnPlaces({ hasLedger, readLedger }: OwnPlaces): Promise<readonly Place[]> {
  if (!(await hasLedger())) return []
  const { listPlaces } = await import("../ledger/records/places.ts")
  const { store, scope } = await readLedger()
  return listPlaces(store.database, scope)
}
