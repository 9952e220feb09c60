import { describe, expect, it } from "vitest"
import { AT_ONCE } from "../../src/api/limiter.ts"
import { failureOf, several } from "../../src/api/several.ts"
import { FreightError } from "../../src/base/errors.ts"
import { gate } from "./setup.ts"

const notFound = (name: string) =>
  new FreightError("notFound", `${name} is not there`, { code: "DEVICE_NOT_FOUND", apiCode: "GONE" })
const down = () => new FreightError("unavailable", "no answer")

const MANY = 5 * AT_ONCE

/** Calls for many things, by their number. @returns how often, and what came of it */
async function callForMany(call: (at: number) => void) {
  let calls = 0
  const items = Array.from({ length: MANY }, (_, at) => at)
  const ended = await several(items, async (at) => {
    calls++
    call(at)
  }).catch((error: FreightError) => error)
  return { calls, ended }
}

describe("several", () => {
  it("gives what came of each in the order of the items, whichever ends first", async () => {
    const { passed, open } = gate()
    const attempts = await several(["slow", "quick"], async (item) => {
      if (item === "slow") await passed
      else open()
      return item.toUpperCase()
    })
    expect(attempts).toEqual([
      { item: "slow", ok: true, result: "SLOW" },
      { item: "quick", ok: true, result: "QUICK" },
    ])
  })

  it("calls for as many at a time as the limiter lets through", async () => {
    let running = 0
    let most = 0
    await several(
      Array.from({ length: 2 * AT_ONCE }, (_, at) => at),
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      },
    )
    expect(most).toBe(AT_ONCE)
  })

  it("goes on after one that is not found", async () => {
    const attempts = await several(["a", "b"], async (item) => {
      if (item === "a") throw notFound(item)
      return item
    })
    expect(attempts.map(({ ok }) => ok)).toEqual([false, true])
  })

  it("stops at what would fail for every one", async () => {
    const { calls, ended } = await callForMany(() => {
      throw new FreightError("unauthenticated", "no key")
    })
    expect(ended).toMatchObject({ kind: "unauthenticated" })
    expect(calls).toBe(AT_ONCE)
  })

  it("does not ask on when the service is out of reach", async () => {
    const { calls, ended } = await callForMany(() => {
      throw down()
    })
    expect(calls).toBeLessThan(2 * AT_ONCE)
    const told = { kind: "unavailable", message: expect.stringContaining("not asked") }
    expect([ended].flat().at(-1)).toMatchObject({ ok: false, error: told })
  })

  it("asks on when some are reached in between", async () => {
    const { calls } = await callForMany((at) => {
      if (at % 2) throw down()
    })
    expect(calls).toBe(MANY)
  })
})

const GONE = { kind: "notFound", code: "DEVICE_NOT_FOUND", apiCode: "GONE", retry: "never" }

describe("failureOf", () => {
  it("is the thing's own error when one was asked for", () => {
    const error = notFound("a")
    expect(failureOf("labels", 1, [{ name: "a", error }])).toBe(error)
  })

  it("names every one that failed", () => {
    const error = failureOf("labels", 5, [
      { name: "a", error: notFound("a") },
      { name: "b", error: notFound("b") },
    ])
    expect(error.message).toBe("2 of 5 labels failed")
    expect(error.errors).toEqual([
      { ...GONE, target: "a", message: "a: a is not there" },
      { ...GONE, target: "b", message: "b: b is not there" },
    ])
  })

  it("has the exit code of the worst", () => {
    const error = failureOf("labels", 5, [
      { name: "a", error: notFound("a") },
      { name: "b", error: down() },
    ])
    expect(error.exitCode).toBe(6)
  })
})

describe("the hint of several failures", () => {
  const withHint = (hint: string) => new FreightError("refused", "cannot be known", { hint })
  const fail = (...errors: FreightError[]) =>
    failureOf(
      "pickups",
      errors.length,
      errors.map((error, at) => ({ name: `S${at}`, error })),
    )

  it("is the one that all have", () => {
    expect(fail(withHint("Ask the carrier."), withHint("Ask the carrier.")).hint).toBe("Ask the carrier.")
  })

  it("is none where they differ, or one has none", () => {
    expect(fail(withHint("Ask the carrier."), withHint("Wait.")).hint).toBeUndefined()
    expect(fail(withHint("Ask the carrier."), down()).hint).toBeUndefined()
  })
})
