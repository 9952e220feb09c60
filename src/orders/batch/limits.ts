/** Limits that stop rows: the spending limit, and carriers that are down. */
import { formatCents } from "../../base/money.ts"
import { type ErrorKind, FreightError } from "../../base/errors.ts"

export type Budget = ReturnType<typeof createBudget>

/** @param spentCents cost of rows booked before */
export function createBudget(maxCents: number, spentCents: number) {
  let spent = spentCents
  return {
    take(cents: number | undefined): void {
      if (cents === undefined)
        throw new FreightError(
          "refused",
          "its price in AUD is not known, and --max-total needs the price of every row",
          { code: "OVER_MAX_TOTAL" },
        )
      if (spent + cents > maxCents)
        throw new FreightError(
          "refused",
          `${formatCents(cents)} more would bring the batch over --max-total ${formatCents(maxCents)}`,
          { code: "OVER_MAX_TOTAL" },
        )
      spent += cents
    },
    giveBack(cents = 0): void {
      spent -= cents
    },
  }
}

export type Carriers = ReturnType<typeof createCarriers>

/** After this many failures in a row a carrier counts as down, whatever a rate request says. */
const MAX_MISSES = 5
const OUT_OF_REACH: readonly ErrorKind[] = ["unavailable", "timeout", "badReply", "unreadable"]

interface Connector {
  misses: number
  isSuspect: boolean
  isDown: boolean
  isTried: boolean
  probing: Promise<boolean> | undefined
}

export function isCarrierOutOfReach(error: FreightError): boolean {
  return OUT_OF_REACH.includes(error.kind)
}

export function createCarriers() {
  const connectors = new Map<string, Connector>()
  const connectorOf = (id: string): Connector => {
    const known = connectors.get(id)
    if (known) return known
    const fresh = { misses: 0, isSuspect: false, isDown: false, isTried: false, probing: undefined }
    connectors.set(id, fresh)
    return fresh
  }

  return {
    /** Whether a booking may be sent now. @param probe asks the connector for something that creates nothing */
    async admits(id: string, probe: () => Promise<unknown>): Promise<boolean> {
      const connector = connectorOf(id)
      if (connector.isDown) return false
      if (!connector.isSuspect) return true
      connector.probing ??= reaches(probe).then((isUp) => {
        connector.isSuspect = !isUp
        connector.isDown ||= !isUp
        connector.probing = undefined
        return isUp
      })
      return (await connector.probing) && !connector.isDown
    },
    answered(id: string): void {
      connectorOf(id).misses = 0
    },
    missed(id: string): void {
      const connector = connectorOf(id)
      connector.misses++
      connector.isSuspect = true
      connector.isDown ||= connector.misses >= MAX_MISSES
    },
    /** Gives connectors that are down one more chance per run. @returns whether there are any */
    another(): boolean {
      const down = [...connectors.values()].filter(({ isDown, isTried }) => isDown && !isTried)
      for (const connector of down)
        Object.assign(connector, { isTried: true, isDown: false, isSuspect: true, misses: 0 })
      return down.length > 0
    },
  }
}

async function reaches(probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe()
    return true
  } catch (error) {
    if (
      error instanceof FreightError &&
      !["interrupted", "unauthenticated", "forbidden"].includes(error.kind)
    )
      return !isCarrierOutOfReach(error)
    throw error
  }
}
