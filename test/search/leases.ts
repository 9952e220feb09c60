/**
 * Every order of what may happen to the leases of one process: up to a number of steps, from its claims on. Time is true
 * time here; the machine's two clocks, and what the ledger says, follow from it.
 */
import { turns } from "../../src/base/turns.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import type { Check } from "./cases.ts"

const STEPS = [
  "A is claimed",
  "B is claimed",
  "A ends",
  /** In the ledger: by a person, or as its claim was that of another. */
  "A is released",
  "a third of a lease goes by",
  "the ledger answers",
  "the ledger answers after a lease",
  "the ledger does not answer",
  "the machine sleeps for longer than a lease",
  "the clock is set back by half a lease",
  "the clock is set back by an hour",
  "the machine sleeps for an hour and its clock is set back by that",
] as const
type Step = (typeof STEPS)[number]

/** Up to here all orders are tried. */
const MOST = 7
const HOUR = 3_600_000

export function* listLeases(): Generator<readonly [string, Check]> {
  const run = function* (steps: readonly Step[]): Generator<readonly [string, Check]> {
    if (steps.length === MOST) yield [steps.join(", "), () => follow(steps)]
    else for (const step of STEPS) if (canFollow(steps, step)) yield* run([...steps, step])
  }
  yield* run(["A is claimed"])
}

/** Leaves out steps that nothing can come of, and orders that are another one. */
function canFollow(before: readonly Step[], step: Step): boolean {
  const count = (wanted: Step) => before.filter((each) => each === wanted).length
  const last = before.at(-1)
  if (step === "A is claimed") return false
  if (step === "B is claimed" || step === "A ends" || step === "A is released") {
    if (count(step) > 0) return false
    // Released or ended, whichever came first, says the same twice.
    return step !== "A is released" || count("A ends") === 0
  }
  // Only what was asked can be answered: at the first moment nothing was.
  if (step.startsWith("the ledger"))
    return before.some(
      (each) => each.includes("go by") || each.includes("goes by") || each.includes("sleeps"),
    )
  // One fault of the clocks is enough.
  const isFault = (each: Step) => each.includes("clock") || each.includes("sleeps")
  if (isFault(step)) return !before.some(isFault)
  return last !== undefined
}

async function follow(steps: readonly Step[]): Promise<string | undefined> {
  // True time, how much of it the even clock did not see, and by how much the wall clock was set.
  let time = 0
  let slept = 0
  let set = 0
  const clock = { now: () => time + set, elapsed: () => time - slept, sleep: async () => {} }
  let timer: { ms: number; next: number; work: () => void } | undefined
  let isEndedRenewed = false
  const asked: {
    ids: readonly string[]
    at: number
    resolve(ids: string[]): void
    reject(error: Error): void
  }[] = []
  /** Until when the ledger holds each, by true time; until when its sender may be sure of that. */
  const ledger = new Map<string, number>()
  const sure = new Map<string, number>()
  const keeper = createLeaseKeeper({
    leaseMs: LEASE_MS,
    clock,
    every(ms, work) {
      timer = { ms, next: clock.elapsed() + ms, work }
      return () => {
        timer = undefined
      }
    },
    renew: (ids) =>
      new Promise((resolve, reject) => {
        isEndedRenewed ||= ids.some((id) => ended.has(id))
        asked.push({ ids, at: time, resolve, reject })
      }),
  })
  const held = new Map<string, ReturnType<typeof keeper.hold>>()
  const ended = new Set<string>()
  const goOn = (ms: number) => {
    time += ms
    if (timer && clock.elapsed() >= timer.next) {
      timer.next = clock.elapsed() + timer.ms
      timer.work()
    }
  }
  const claim = (id: string) => {
    const began = keeper.begin()
    ledger.set(id, time + LEASE_MS)
    sure.set(id, time + LEASE_MS)
    held.set(id, keeper.hold(id, began))
  }
  const answer = async (how: "now" | "late" | "never") => {
    const next = asked.shift()
    if (!next) return
    const ids = next.ids.filter((id) => ledger.has(id))
    if (how !== "never") for (const id of ids) ledger.set(id, time + LEASE_MS)
    // Counted from when it was asked: the answer may have taken long.
    if (how !== "never") for (const id of ids) if (!ended.has(id)) sure.set(id, next.at + LEASE_MS)
    if (how === "late") goOn(LEASE_MS)
    if (how === "never") next.reject(new Error("the connection broke"))
    else next.resolve(ids)
    await turns(1)
  }
  let areClocksRight = true
  for (const [n, step] of steps.entries()) {
    switch (step) {
      case "A is claimed":
        claim("A")
        break
      case "B is claimed":
        claim("B")
        break
      case "A ends":
        held.get("A")?.end()
        ended.add("A")
        break
      case "A is released":
        ledger.delete("A")
        break
      case "a third of a lease goes by":
        goOn(LEASE_MS / 3)
        break
      case "the ledger answers":
        await answer("now")
        break
      case "the ledger answers after a lease":
        await answer("late")
        break
      case "the ledger does not answer":
        await answer("never")
        break
      case "the machine sleeps for longer than a lease":
        slept += LEASE_MS + 1_000
        time += LEASE_MS + 1_000
        break
      case "the clock is set back by half a lease":
        set -= LEASE_MS / 2
        areClocksRight = false
        break
      case "the clock is set back by an hour":
        set -= HOUR
        areClocksRight = false
        break
      case "the machine sleeps for an hour and its clock is set back by that":
        // Neither clock alone shows it: the even one stood still, and the other one is a day back.
        slept += HOUR
        time += HOUR
        set -= 24 * HOUR
        areClocksRight = false
    }
    const wrong = checkLeases()
    if (wrong) return `${wrong}, after: ${step} (${n + 1})`
  }
  function checkLeases(): string | undefined {
    for (const [id, lease] of held) {
      const until = sure.get(id) ?? 0
      if (lease.isHeld() && (ended.has(id) || time >= until))
        return `${id} would be sent, and its lease may be over`
      if (!lease.isHeld() && !ended.has(id) && time < until && areClocksRight)
        return `${id} would not be sent, and its lease is not over`
    }
    const open = [...held.keys()].filter((id) => !ended.has(id))
    if (timer && open.length === 0) return "leases are renewed, and nothing is being sent"
    if (!timer && open.length > 0) return "leases are not renewed, and something is being sent"
    if (timer && timer.ms > LEASE_MS / 2) return "leases are renewed too seldom"
    return isEndedRenewed ? "the lease of what has ended is renewed" : undefined
  }
  return undefined
}
