/** The outcome of a simulation: what went wrong, and how often each fault and each situation was reached. */

/** The sequences in which two keys of one account once booked an order twice. */
export const SITUATIONS = {
  a: "the first booking of the key was refused, and another key booked the order since",
  b: "the first thing that the key sent was a pickup",
  c: "the first booking of the key had an unknown outcome and was released",
  d: "another desk booked the order in a ledger of its own, and both were copied to the team's",
  e: "another key booked the order at another address of the service",
  f: "two keys booked the order at one moment in a new ledger",
  g: "two desks booked a row of the same batch at one moment with two keys",
  h: "both keys were first used at one moment for different orders, a week ago",
  i: "the service had not shown the key another key's shipment yet",
} as const
export type Situation = keyof typeof SITUATIONS

export interface Report {
  seed: number
  steps: number
  /** Sets of services, desks and ledgers, one after the other. */
  rounds: number
  /** How many orders of each kind were made. */
  made: Record<string, number>
  /** How often each fault happened. */
  faults: Record<string, number>
  /** How often commands ended in each way. */
  ends: Record<string, number>
  /** How often an order that another key of the account had sent was asked for again, by how it came to that. */
  situations: Record<Situation, number>
  /** Orders that were made twice, with when and how. */
  double: string[]
  /** Orders that were made and are neither in the ledger nor open. */
  lost: string[]
  /** Answers with what another account made, and entries that say what is not so. */
  wrong: string[]
  /** Orders that were sent while another process held them, or after they were released. */
  early: string[]
  /** Orders that never got through although nothing was made for them. */
  stuck: string[]
}

/** Lists that must be empty. */
export function findingsIn({ double, lost, wrong, early, stuck }: Report): Record<string, string[]> {
  return { double, lost, wrong, early, stuck }
}

export function createReport(seed: number, steps: number): Report {
  const situations = Object.fromEntries(Object.keys(SITUATIONS).map((each) => [each, 0]))
  return {
    ...{ seed, steps, rounds: 0, made: {}, faults: {}, ends: {} },
    situations: situations as Record<Situation, number>,
    ...{ double: [], lost: [], wrong: [], early: [], stuck: [] },
  }
}

export function count(counts: Record<string, number>, what: string, more = 1): void {
  counts[what] = (counts[what] ?? 0) + more
}
