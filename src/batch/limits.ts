/** What holds rows back: what a batch may spend, and carriers that are down. */
import { formatCents } from "../contract/money.ts"
import { type ErrorKind, FreightError } from "../errors.ts"

export interface Budget {
  /** Takes a price before it is spent. @throws FreightError `refused` when it is not known, or too much */
  take(cents: number | undefined): void
  /** What was taken was not spent. */
  giveBack(cents: number | undefined): void
}

/** @param spentCents what the batch's rows cost that were booked before */
export function createBudget(maxCents: number, spentCents: number): Budget {
  let spent = spentCents
  return {
    take(cents) {
      if (cents === undefined)
        throw new FreightError("refused", "its price is not known, and --max-total allows no such row")
      if (spent + cents > maxCents)
        throw new FreightError(
          "refused",
          `${formatCents(cents)} more would bring the batch over --max-total ${formatCents(maxCents)}`,
        )
      spent += cents
    },
    giveBack(cents = 0) {
      spent -= cents
    },
  }
}

export interface Carriers {
  /** Whether a booking may be sent now. @param probe asks the connector for something that creates nothing */
  admits(connectorId: string, probe: () => Promise<unknown>): Promise<boolean>
  answered(connectorId: string): void
  /** Something that was sent got no answer that says what came of it. */
  missed(connectorId: string): void
  /** Gives those that were down one more chance, once in a run. @returns whether there are any */
  another(): boolean
}

/** So many in a row say that it is down, whatever a rate request says. */
const MISSES = 5
/** What says that the connector is out of reach, and not that something is wrong with one row. */
const OUT_OF_REACH: readonly ErrorKind[] = ["unavailable", "timeout", "badReply"]

interface Connector {
  misses: number
  isSuspect: boolean
  isDown: boolean
  /** Its second chance was given. */
  isTried: boolean
  probing: Promise<boolean> | undefined
}

/** Whether an error says that nothing reaches the connector, so that other rows would meet it too. */
export function isOutOfReach(error: FreightError): boolean {
  return OUT_OF_REACH.includes(error.kind)
}

/** The carriers of one run, each taken to be up until something that was sent gets no answer. */
export function watchCarriers(): Carriers {
  const connectors = new Map<string, Connector>()
  const connectorOf = (id: string): Connector => {
    const known = connectors.get(id)
    if (known) return known
    const fresh = { misses: 0, isSuspect: false, isDown: false, isTried: false, probing: undefined }
    connectors.set(id, fresh)
    return fresh
  }

  return {
    async admits(id, probe) {
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
    answered(id) {
      connectorOf(id).misses = 0
    },
    missed(id) {
      const connector = connectorOf(id)
      connector.misses++
      connector.isSuspect = true
      connector.isDown ||= connector.misses >= MISSES
    },
    another() {
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
      return !isOutOfReach(error)
    throw error
  }
}
