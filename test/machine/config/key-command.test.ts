/** Keys that a command prints. */
import { describe, expect, it } from "vitest"
import { openSettings, type RunCommand } from "../../../src/machine/config/resolve.ts"
import type { Env } from "../../../src/base/ports.ts"
import type { FreightError } from "../../../src/base/errors.ts"
import { FREIGHT_KEY, failureOf, HEX, holding } from "./setup.ts"

const OTHER = `other_${HEX}`
const prints: RunCommand = (command) => `${command === "other" ? OTHER : FREIGHT_KEY}\n`
const settings = (env: Env, saved: Record<string, string> = {}, run: RunCommand = prints) =>
  openSettings({}, env, holding({ current: "acme", profiles: { acme: saved } }), run)
const KEY = "freightApiKey"

describe("the command that prints a key", () => {
  it("is run where the key is not set, in the environment or in the profile", () => {
    expect(settings({ FREIGHT_API_KEY_COMMAND: "pass show" }).resolve(KEY)).toEqual({
      value: FREIGHT_KEY,
      source: "environment",
      from: "FREIGHT_API_KEY_COMMAND",
    })
    expect(settings({}, { freightApiKeyCommand: "pass show" }).resolve(KEY)).toEqual({
      value: FREIGHT_KEY,
      source: "profile",
      from: "acme",
    })
  })

  it("is beaten by the key beside it, and in the environment beats the profile", () => {
    const never: RunCommand = () => {
      throw new Error("was run")
    }
    expect(settings({ FREIGHT_API_KEY: OTHER, FREIGHT_API_KEY_COMMAND: "x" }, {}, never).value(KEY)).toBe(
      OTHER,
    )
    expect(settings({}, { [KEY]: OTHER, freightApiKeyCommand: "x" }, never).value(KEY)).toBe(OTHER)
    expect(settings({ FREIGHT_API_KEY_COMMAND: "other" }, { [KEY]: FREIGHT_KEY }).value(KEY)).toBe(OTHER)
  })

  it("is run once", () => {
    let runs = 0
    const { value } = settings({ FREIGHT_API_KEY_COMMAND: "x" }, {}, () => {
      runs += 1
      return FREIGHT_KEY
    })
    expect([value(KEY), value(KEY), runs]).toEqual([FREIGHT_KEY, FREIGHT_KEY, 1])
  })

  const thrown =
    (fields: object): RunCommand =>
    () => {
      throw Object.assign(new Error("failed"), fields)
    }
  it.each<[string, RunCommand, string]>([
    ["fails", thrown({ status: 3, stderr: "no such entry" }), "failed with exit code 3"],
    ["is stopped", thrown({ status: null }), "was stopped, or took longer than a minute"],
    [
      "prints without end",
      thrown({ status: null, code: "ENOBUFS", stderr: FREIGHT_KEY }),
      "was stopped: it printed more than 10,000 bytes",
    ],
    ["prints nothing", () => "\n", "printed nothing"],
    ["prints something else", () => "hunter2", "printed something that is not shaped like a key"],
  ])("that %s is reported when the key is needed", async (_, run, message) => {
    const made = settings({ FREIGHT_API_KEY_COMMAND: "x", FREIGHT_BASE_URL: "https://a.example" }, {}, run)
    expect(made.value(KEY)).toBeUndefined()
    const error: FreightError = await failureOf(() => made.endpoint("freight"))
    expect(error).toMatchObject({ kind: "config", message: `FREIGHT_API_KEY_COMMAND ${message}` })
    expect(`${error.hint}`).not.toContain("hunter2")
  })

  it("has no key of what it says shown", async () => {
    const run = thrown({ status: 1, stderr: `bad key ${FREIGHT_KEY}` })
    const made = settings({ FREIGHT_API_KEY_COMMAND: "x" }, {}, run)
    expect((await failureOf(() => made.endpoint("freight"))).hint).not.toContain(HEX)
  })
})
