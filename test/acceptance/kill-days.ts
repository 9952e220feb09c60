/** Days at desks where bookings are killed: each booking's whole story, for the sandbox's books to judge. */
import type { Settled } from "../../src/ledger/reconcile.ts"
import type { Ran } from "./freight.ts"
import { type Await, type Awaits, BOUNDARIES, bookedBy, type Kill, type KillDesk, killDesk } from "./kills.ts"
import { numbersFrom } from "./numbers.ts"
import { type Relay, startRelay } from "./relay.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"
import { ownBooking } from "./bookings.ts"

/** One killed booking from its beginning to its end. */
export interface Story extends Kill {
  /** False: it had ended before it was killed. */
  inTime: boolean
  /** The same command right after the kill, and after everything was reconciled. */
  again: Ran
  last: Ran
  /** The outcome from reconcile, if the booking was open. */
  outcome: Settled["outcome"] | undefined
  /** Shipments in the sandbox's books before anything was released, and at the end. */
  bookedBefore: string[]
  booked: string[]
  /** Shipments that are done in the ledger at the end, and how many of its entries are open. */
  done: string[]
  open: number
  /** How often it was sent. */
  sent: number
}

export interface Plan {
  desks: number
  /** Desks at work at the same time. */
  atOnce: number
  /** Kills in time of each desk at random awaits, by what they are counted from. */
  random: Record<Await["after"], number>
  seed: number
  /** Where a desk's ledger is, if not in its own state folder. */
  ledger?: () => Promise<string>
}

/** The common parts of the days. */
interface Town {
  sandbox: RunningSandbox
  relay: Relay
  bookingFile: string
  /** The awaits of a booking here, with others beside it. */
  awaits: Awaits
}

/** Runs the whole plan against one sandbox. */
export async function killDays({ desks, atOnce, random, seed, ledger }: Plan): Promise<Story[]> {
  const sandbox = await startSandboxProcess()
  const relay = await startRelay(sandbox)
  const bookingFile = JSON.stringify(ownBooking())
  const awaits = await measured(relay, bookingFile, atOnce)
  const town: Town = { sandbox, relay, bookingFile, awaits }

  const seeds = numbersFrom(seed)
  const days = Array.from({ length: desks }, (_, n) => ({
    name: `desk-${n}`,
    next: numbersFrom(seeds() * 2 ** 32),
  }))
  const stories: Story[] = []
  const work = async () => {
    for (let day = days.shift(); day; day = days.shift())
      stories.push(...(await dayOf(town, day, random, await ledger?.())))
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
    return stories
  } finally {
    await relay.close()
    await sandbox.stop()
  }
}

async function measured(relay: Relay, bookingFile: string, atOnce: number): Promise<Awaits> {
  const counts = await Promise.all(
    Array.from({ length: atOnce }, async (_, n) =>
      (await killDesk(relay, bookingFile)).measure(`measure-${n}`),
    ),
  )
  return {
    start: Math.max(...counts.map(({ start }) => start)),
    "before-intent": Math.max(...counts.map((each) => each["before-intent"])),
  }
}

interface Day {
  name: string
  /** The next random number, from 0 to 1. */
  next(): number
}

/** Kills, runs again, reconciles (killed once, too), releases what does not exist, and runs again. */
async function dayOf(
  town: Town,
  day: Day,
  random: Plan["random"],
  ledger: string | undefined,
): Promise<Story[]> {
  const { relay, sandbox, bookingFile, awaits } = town
  const own = await killDesk(relay, bookingFile, ledger)
  const killed = [...(await killAtBoundaries(own, day)), ...(await killAtRandom(own, day, awaits, random))]

  await own.killReconcile(Math.ceil(awaits.start * day.next()))
  const open = await own.reconcile()
  const before = bookedBy(await sandbox.control("books"))
  const history = await own.history()
  const references = new Map(history.map(({ id, reference }) => [id, reference]))
  const outcomes = new Map(open.map(({ id, outcome }) => [references.get(id), outcome]))
  for (const { id } of open) if (!before.has(references.get(id) ?? "")) await own.release(id)

  const told: (Killed & { last: Ran })[] = []
  for (const each of killed)
    told.push({ ...each, last: each.again.code === 7 ? await own.book(each) : each.again })
  const after = bookedBy(await sandbox.control("books"))
  const rows = await own.history()
  return told.map((each) => {
    const { reference } = each
    const entries = rows.filter((row) => row.reference === reference)
    return {
      ...each,
      outcome: outcomes.get(reference),
      bookedBefore: before.get(reference) ?? [],
      booked: after.get(reference) ?? [],
      done: entries.filter(({ state }) => state === "done").map(({ shipmentId }) => shipmentId ?? ""),
      open: entries.filter(({ state }) => state === "unknown").length,
      sent: relay.sent(reference),
    }
  })
}

type Killed = Kill & Pick<Story, "inTime" | "again">

async function killed(own: KillDesk, kill: Kill): Promise<Killed> {
  return { ...kill, inTime: await own.kill(kill), again: await own.book(kill) }
}

/** Each boundary with a key and without one, in a random order. */
async function killAtBoundaries(own: KillDesk, { name, next }: Day): Promise<Killed[]> {
  const kills = BOUNDARIES.flatMap((at) =>
    [true, false].map((keyed) => ({
      kill: { reference: `${name}-${at}-${keyed ? "key" : "none"}`, keyed, at },
      order: next(),
    })),
  )
  kills.sort((a, b) => a.order - b.order)
  const done: Killed[] = []
  for (const { kill } of kills) done.push(await killed(own, kill))
  return done
}

/** As many as are planned; those that came too late have their story all the same. */
async function killAtRandom(
  own: KillDesk,
  { name, next }: Day,
  awaits: Awaits,
  random: Plan["random"],
): Promise<Killed[]> {
  const done: Killed[] = []
  for (const after of ["start", "before-intent"] as const) {
    let left = random[after]
    for (let n = 0; left > 0 && n < 8 * random[after]; n++) {
      // A run has fewer awaits than the measured one where more was known before it.
      const late = n - (random[after] - left)
      const at: Await = { after, number: Math.ceil((awaits[after] * next()) / (1 + late / 2)) }
      const one = await killed(own, { reference: `${name}-${after}-${n}`, keyed: n % 2 === 0, at })
      if (one.inTime) left--
      done.push(one)
    }
  }
  return done
}
