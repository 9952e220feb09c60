import { describe, expect, it } from "vitest"
import { createLimiter } from "../../src/api/limiter.ts"
import { json, server } from "./servers.ts"
import { client, connectors, fakeClock, gate } from "./setup.ts"

describe("the limiter", () => {
  it("lets everybody pass before the first refusal", async () => {
    const clock = fakeClock()
    const limiter = createLimiter(clock)
    await Promise.all([limiter.turn(), limiter.turn(), limiter.turn()])
    expect(clock.waits).toEqual([])
  })

  it("makes everybody wait until the pause is over, and then pass one after the other", async () => {
    const clock = fakeClock()
    const limiter = createLimiter(clock)
    limiter.slowDown(5_000)
    await Promise.all([limiter.turn(), limiter.turn(), limiter.turn()])
    expect(clock.waits).toEqual([5_000, 100, 100])
  })

  it("counts the refusals of one pause once", async () => {
    const clock = fakeClock()
    const limiter = createLimiter(clock)
    for (const _ of [1, 2, 3, 4]) limiter.slowDown(5_000)
    await Promise.all([limiter.turn(), limiter.turn()])
    expect(clock.waits).toEqual([5_000, 100])
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
    const turn = limiter.turn()
    limiter.slowDown(3_000)
    paused.open()
    await turn
    expect(waits).toEqual([1_000, 2_000])
  })

  it("returns to full speed", async () => {
    const clock = fakeClock()
    const limiter = createLimiter(clock)
    limiter.slowDown(1_000)
    for (let turn = 0; turn < 20; turn++) await limiter.turn()
    clock.waits.length = 0
    await Promise.all([limiter.turn(), limiter.turn()])
    expect(clock.waits).toEqual([])
  })

  it("ends a wait with the reason of the signal", async () => {
    const limiter = createLimiter(fakeClock())
    limiter.slowDown(1_000)
    await expect(limiter.turn(AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop")
  })

  it("is shared: one transport's 429 makes another wait", async () => {
    const { url } = await server(json({}, 429, { "retry-after": "4" }), json(connectors))
    const clock = fakeClock()
    const limiter = createLimiter(clock)
    const [one, two] = [client(url, { clock, limiter }), client(url, { clock, limiter })]
    const first = one.api.listConnectors()
    await first
    expect(clock.waits).toEqual([4_000])
    await two.api.listConnectors()
    expect(clock.waits).toEqual([4_000, 100])
  })
})
