import { describe, expect, it } from "vitest"
import { createPace } from "../../src/batch/pace.ts"
import type { Clock } from "../../src/ports.ts"

/** Stands still; whoever sleeps wakes when the test advances it. */
function handClock() {
  let now = 0
  const sleepers = new Set<{ at: number; wake: () => void }>()
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener("abort", () => sleepers.delete(sleeper) && reject(signal.reason))
      }),
  }
  return {
    ...clock,
    async advance(ms: number) {
      now += ms
      for (const sleeper of sleepers)
        if (sleeper.at <= now) {
          sleepers.delete(sleeper)
          sleeper.wake()
        }
      await settled()
    },
  }
}

/** Lets everything that can go on do so. */
async function settled(): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.resolve()
}

/** Asks for turns, and counts those that were had. */
function turns(pace: ReturnType<typeof createPace>, count: number) {
  let had = 0
  for (let n = 0; n < count; n++)
    void pace.turn().then(() => {
      had++
    })
  return () => had
}

describe("the pace", () => {
  it("lets as many requests be under way as were asked for", async () => {
    const pace = createPace(handClock(), 4)
    const had = turns(pace, 10)
    await settled()
    expect(had()).toBe(4)
    pace.finished()
    await settled()
    expect(had()).toBe(5)
  })

  it("is halved by each pause that the service asks for, however many requests it turns away", async () => {
    const clock = handClock()
    const pace = createPace(clock, 16)
    for (const _ of [1, 2, 3]) pace.slowDown(1000)
    expect(pace.window).toBe(8)
    await clock.advance(1000)
    pace.slowDown(1000)
    expect(pace.window).toBe(4)
  })

  it("lets nobody send before the pause is over", async () => {
    const clock = handClock()
    const pace = createPace(clock, 4)
    pace.slowDown(5000)
    const had = turns(pace, 1)
    await clock.advance(4999)
    expect(had()).toBe(0)
    await clock.advance(1)
    expect(had()).toBe(1)
  })

  it("grows by one for each window of requests that went well, and never above what was asked for", async () => {
    const clock = handClock()
    const pace = createPace(clock, 4)
    pace.slowDown(1000)
    await clock.advance(1000)
    expect(pace.window).toBe(2)
    for (let n = 0; n < 3; n++) {
      await pace.turn()
      pace.finished()
    }
    expect(pace.window).toBe(3)
    for (let n = 0; n < 50; n++) {
      await pace.turn()
      pace.finished()
    }
    expect(pace.window).toBe(4)
  })

  it("keeps a gap between requests where one at a time is too many", async () => {
    const clock = handClock()
    const pace = createPace(clock, 1)
    pace.slowDown(1000)
    await clock.advance(1000)
    await pace.turn()
    pace.finished()
    const had = turns(pace, 1)
    await settled()
    expect(had()).toBe(0)
    await clock.advance(100)
    expect(had()).toBe(1)
  })

  it("wakes all for whom there is room again, when it has grown", async () => {
    const clock = handClock()
    const pace = createPace(clock, 2)
    pace.slowDown(10)
    await clock.advance(10)
    const had = turns(pace, 4)
    await settled()
    expect(had()).toBe(1)
    pace.finished()
    await settled()
    expect([pace.window, had()]).toEqual([2, 3])
  })

  it("begins no work in a pause", async () => {
    const clock = handClock()
    const pace = createPace(clock, 4)
    pace.slowDown(1000)
    let begun = false
    void pace.admit(async () => {
      begun = true
    })
    await clock.advance(999)
    expect(begun).toBe(false)
    await clock.advance(1)
    expect(begun).toBe(true)
  })

  it("gives room to others when a work fails", async () => {
    const pace = createPace(handClock(), 1)
    await pace.admit(() => Promise.reject(new Error("it failed"))).catch(() => {})
    expect(await pace.admit(async () => "done")).toBe("done")
  })

  it("leaves nobody waiting after Ctrl-C", async () => {
    const pace = createPace(handClock(), 1)
    await pace.turn()
    const interrupt = new AbortController()
    const waiting = pace.turn(interrupt.signal)
    interrupt.abort(new Error("Ctrl-C"))
    await expect(waiting).rejects.toThrow("Ctrl-C")
    await expect(pace.turn(interrupt.signal)).rejects.toThrow("Ctrl-C")
    pace.finished()
    await pace.turn()
  })
})
