/** Rounds of the same file at desks with a ledger each, by a seed; what was made twice, and whether it had to be. */
import type { Database } from "../../src/ledger/database/database.ts"
import { type Came, openDesk, orderOf, startService } from "./elsewhere.ts"
import { HOUR, MINUTE, testClock } from "./setup.ts"

interface Game {
  seed: number
  rounds: number
  desks: number
  /** The last desk's. */
  database?: Database
}

export interface Played {
  booked: number
  elsewhere: number
  /** Orders that are made twice although the first was done before the second desk looked. */
  doublesAfterEnd: string[]
  /** Orders of rounds in which two desks looked before either had sent: nothing connects them. */
  doublesAtOnce: number
}

const APART = [MINUTE, HOUR, 24 * HOUR]

export async function playRounds({ seed, rounds, desks: count, database }: Game): Promise<Played> {
  const random = createRandom(seed)
  const clock = testClock()
  const service = startService(clock)
  const desks = Array.from({ length: count }, (_, n) =>
    openDesk(service, clock, `desk-${n + 1}`, n === count - 1 ? database : undefined),
  )
  const played: Played = { booked: 0, elsewhere: 0, doublesAfterEnd: [], doublesAtOnce: 0 }
  const atOnce = new Set<string>()
  const suffixes = new Map<string, string>()
  let orders = 0
  for (let round = 0; round < rounds; round++) {
    const rows = Array.from({ length: 5 }, () => orderOf(++orders))
    for (const row of rows)
      if (random() < 0.15)
        service.book(random() < 0.5 ? row : { ...row, customerReference: "" }, { source: "PORTAL" })
    if (random() < 0.2) for (let n = 0; n < 220; n++) service.book(orderOf(1_000_000 + round * 1000 + n))
    const visits = [...desks, ...desks].sort(() => random() - 0.5)
    for (const [turn, desk] of visits.entries()) {
      const isAtOnce = random() < 0.15 && turn + 1 < visits.length
      const together = isAtOnce ? [desk, visits[turn + 1] ?? desk] : [desk]
      // Both look before either sends: the window that no list can close.
      for (const each of together) await lookSurely(each, service, random)
      for (const [n, row] of rows.entries()) {
        for (const each of together) {
          // One desk calls an order by one name: what its own ledger makes of two is another matter.
          const name = `${each.ledger.sender.workstation} ${row.customerReference}`
          if (!suffixes.has(name)) suffixes.set(name, random() < 0.1 ? "b" : "")
          const renamed = { ...row, customerReference: `${row.customerReference}${suffixes.get(name)}` }
          const before = service.countByReceiver().get(row.receiver.address1) ?? 0
          const came: Came = await each.book(renamed)
          if (came === "booked") played.booked++
          if (came === "elsewhere" || came === "twin") played.elsewhere++
          if (came !== "booked" || before === 0) continue
          if (together.length > 1) atOnce.add(row.receiver.address1)
          else played.doublesAfterEnd.push(`round ${round}, ${row.customerReference}, row ${n}`)
        }
      }
      clock.advance(APART[Math.floor(random() * APART.length)] ?? MINUTE)
    }
  }
  played.doublesAtOnce = atOnce.size
  return played
}

/** Some looks are killed in the middle, and begun again. */
async function lookSurely(
  desk: ReturnType<typeof openDesk>,
  { hooks }: ReturnType<typeof startService>,
  random: () => number,
): Promise<void> {
  let left = random() < 0.2 ? Math.floor(random() * 5) : Number.POSITIVE_INFINITY
  hooks.beforeDetail = async () => {
    if (left-- <= 0) throw new Error("killed")
  }
  try {
    await desk.look()
  } catch {
    // As a process that ended there.
  }
  hooks.beforeDetail = async () => {}
  await desk.look()
}

/** The same numbers by the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}
