import { describe, expect, it } from "vitest"
import { AT_ONCE, createLimiter } from "../../src/api/limiter.ts"
import type { Clock } from "../../src/base/ports.ts"
import { json, server } from "./servers.ts"
import { booking, client, connectors, fakeClock, gate } from "./setup.ts"

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
function turns(limiter: ReturnType<typeof createLimiter>, count: number) {
  let had = 0
  for (let n = 0; n < count; n++)
    void limiter.takeTurn().then(() => {
      had++
    })
  return () => had
}

describe("the limiter", () => {
  it("lets as many requests be under way as were asked for", async () => {
    const limiter = createLimiter(handClock(), 4)
    const had = turns(limiter, 10)
    await settled()
    expect(had()).toBe(4)
    limiter.endTurn()
    await settled()
    expect(had()).toBe(5)
  })

  it("is halved by each pause that the service asks for, however many requests it turns away", async () => {
    const clock = handClock()
    const limiter = createLimiter(clock, 16)
    for (const _ of [1, 2, 3]) limiter.slowDown(1000)
    expect(limiter.window).toBe(8)
    await clock.advance(1000)
    limiter.slowDown(1000)
    expect(limiter.window).toBe(4)
  })

  it("lets nobody send before the pause is over", async () => {
    const clock = handClock()
    const limiter = createLimiter(clock, 4)
    limiter.slowDown(5000)
    const had = turns(limiter, 1)
    await clock.advance(4999)
    expect(had()).toBe(0)
    await clock.advance(1)
    expect(had()).toBe(1)
  })

  it("reports a pause that somebody waits for, once, and again where it is put off", async () => {
    const clock = handClock()
    const reported: number[] = []
    const limiter = createLimiter(clock, 4, (until) => reported.push(until))
    limiter.slowDown(60_000)
    await settled()
    expect(reported).toEqual([])
    turns(limiter, 10)
    limiter.slowDown(60_500)
    await settled()
    expect(reported).toEqual([60_500])
    limiter.slowDown(90_000)
    await clock.advance(60_500)
    expect(reported).toEqual([60_500, 90_000])
    await clock.advance(30_000)
    limiter.slowDown(1_000)
    turns(limiter, 10)
    await clock.advance(1_000)
    expect(reported).toHaveLength(2)
  })

  it("grows by one for each window of requests that went well, and never above what was asked for", async () => {
    const clock = handClock()
    const limiter = createLimiter(clock, 4)
    limiter.slowDown(1000)
    await clock.advance(1000)
    expect(limiter.window).toBe(2)
    for (let n = 0; n < 3; n++) {
      await limiter.takeTurn()
      limiter.endTurn()
    }
    expect(limiter.window).toBe(3)
    for (let n = 0; n < 50; n++) {
      await limiter.takeTurn()
      limiter.endTurn()
    }
    expect(limiter.window).toBe(4)
  })

  it("keeps a gap between requests where one at a time is too many", async () => {
    const clock = handClock()
    const limiter = createLimiter(clock, 1)
    limiter.slowDown(1000)
    await clock.advance(1000)
    await limiter.takeTurn()
    limiter.endTurn()
    const had = turns(limiter, 1)
    await settled()
    expect(had()).toBe(0)
    await clock.advance(100)
    expect(had()).toBe(1)
  })

  it("wakes all for whom there is room again, when it has grown", async () => {
    const clock = handClock()
    const limiter = createLimiter(clock, 2)
    limiter.slowDown(10)
    await clock.advance(10)
    const had = turns(limiter, 4)
    await settled()
    expect(had()).toBe(1)
    limiter.endTurn()
    await settled()
    expect([limiter.window, had()]).toEqual([2, 3])
  })

  it("begins no work in a pause", async () => {
    const clock = handClock()
    const limiter = createLimiter(clock, 4)
    limiter.slowDown(1000)
    let begun = false
    void limiter.admit(async () => {
      begun = true
    })
    await clock.advance(999)
    expect(begun).toBe(false)
    await clock.advance(1)
    expect(begun).toBe(true)
  })

  it("gives room to one other when a work leaves before its end, however often it does", async () => {
    const limiter = createLimiter(handClock(), 1)
    const begun: number[] = []
    const work = (n: number) =>
      limiter.admit((leave) => {
        begun.push(n)
        if (n === 1) for (let times = 0; times < 2; times++) leave()
        return new Promise<void>(() => {})
      })
    for (const n of [1, 2, 3]) void work(n)
    await settled()
    expect(begun).toEqual([1, 2])
  })

  it("gives room to others when a work fails", async () => {
    const limiter = createLimiter(handClock(), 1)
    await limiter.admit(() => Promise.reject(new Error("it failed"))).catch(() => {})
    expect(await limiter.admit(async () => "done")).toBe("done")
  })

  it("leaves nobody waiting after Ctrl-C", async () => {
    const limiter = createLimiter(handClock(), 1)
    await limiter.takeTurn()
    const interrupt = new AbortController()
    const waiting = limiter.takeTurn(interrupt.signal)
    interrupt.abort(new Error("Ctrl-C"))
    await expect(waiting).rejects.toThrow("Ctrl-C")
    await expect(limiter.takeTurn(interrupt.signal)).rejects.toThrow("Ctrl-C")
    limiter.endTurn()
    await limiter.takeTurn()
  })

  it("makes those wait again who waited when the pause grew", async () => {
    const paused = gate()
    const waits: number[] = []
    let time = 0
    const limiter = createLimiter({
      now: () => time,
      async sleep(ms) {
        waits.push(ms)
        await paused.passed
        time += ms
      },
    })
    limiter.slowDown(1_000)
    const turn = limiter.takeTurn()
    await settled()
    limiter.slowDown(3_000)
    paused.open()
    await turn
    expect(waits).toEqual([1_000, 2_000])
  })

  it("is shared: a 429 slows down everything that shares it", async () => {
    const { url } = await server(json({}, 429, { "retry-after": "4" }), json(connectors))
    const clock = fakeClock()
    const limiter = createLimiter(clock)
    await client(url, { clock, limiter }).api.listConnectors()
    expect(clock.waits).toEqual([4_000])
    expect(limiter.window).toBe(AT_ONCE / 2)
  })

  it("gets the turn back of a request whose lease ran out while it waited", async () => {
    const { url } = await server(json(connectors))
    const limiter = createLimiter(fakeClock(), 1)
    const { api } = client(url, { limiter })
    const sent = api.createShipment("con_1", booking, { isHeld: () => false })
    await expect(sent).rejects.toThrow("nothing was created")
    expect(await api.listConnectors()).toEqual(connectors)
  })
})
