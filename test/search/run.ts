/** The search for `npm run search`. */
import { type Check, searchCases } from "./cases.ts"
import { listBooked, listPickups } from "./collections.ts"
import { type Desk, openDesk } from "./desk.ts"
import { listDispatches } from "./dispatches.ts"
import { listEndings } from "./endings.ts"
import { listLeases } from "./leases.ts"
import { listBatches, listLedgersOfTwo, listSmallLedgers } from "./ledgers.ts"
import { listOutboxes } from "./outboxes.ts"
import { scenarios } from "./scenarios.ts"
import { createTenant, type Dialect, searchScenario } from "./scenes.ts"
import type { Searched } from "./search.ts"
import { listStrangers } from "./strangers.ts"

interface Part {
  name: string
  dialect: Dialect
  /** Up to where it is searched, for people. */
  bound: string
  search(most: number): Promise<Searched>
}

type Cases = Iterable<readonly [text: string, check: Check]>

/** Cases that need no interleaving of two desks: one moment, and everything that may be there then. */
const MOMENTS: readonly [name: string, list: (desk: Desk) => Cases][] = [
  ["how an order ends", (desk) => listEndings(desk, createTenant().key)],
  ["an outbox that is there", (desk) => listOutboxes(desk, createTenant().key)],
  ["the leases of a process", listLeases],
  ["an order beside one entry or none", (desk) => listSmallLedgers(desk, createTenant().key)],
  ["a pickup beside one in the ledger", (desk) => listPickups(desk, createTenant().key)],
  ["a pickup of what may have one", (desk) => listBooked(desk, createTenant().key)],
  ["an order beside one of another ledger", (desk) => listStrangers(desk, createTenant().key)],
  ["two rows at once beside one entry", (desk) => listBatches(desk, createTenant().key)],
  ["an order handed to its shop by two desks", (desk) => listDispatches(desk)],
  ["an order beside two entries", (desk) => listLedgersOfTwo(desk, createTenant().key)],
]

/** Searches scenarios up to a bound. @param name words in the name of parts; of all where there are none */
export function listParts(
  bound: "ci" | "long",
  name: string | undefined,
  dialect: string | undefined,
): Part[] {
  const moments = MOMENTS.map(
    ([name, list]): Part => ({
      ...{ name, dialect: "sqlite", bound: "all cases" },
      async search(most) {
        const desk = await openDesk()
        try {
          return await searchCases(list(desk), most)
        } finally {
          desk.close()
        }
      },
    }),
  )
  const interleavings = scenarios.flatMap((scenario) =>
    (["sqlite", "postgres"] as const).flatMap((each): Part[] => {
      const budget = bound === "ci" ? scenario.bounds[each] : scenario.bounds.long
      if (!budget) return []
      const { faults, stops, renewals } = budget
      const search = (most: number) => searchScenario(scenario, each, budget, most)
      const text = `${faults} faults, ${stops} stops, ${renewals} renewals`
      return [{ name: scenario.name, dialect: each, bound: text, search }]
    }),
  )
  return [...moments, ...interleavings].filter(
    (part) => (name === undefined || part.name.includes(name)) && (dialect ?? part.dialect) === part.dialect,
  )
}
