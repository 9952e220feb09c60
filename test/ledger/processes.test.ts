import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { build } from "rolldown"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { openStore } from "../../src/ledger/store.ts"
import { entry, slotOf, temporaryDir } from "./setup.ts"

const BUNDLE = path.join(import.meta.dirname, "../../.build/claimer.mjs")

beforeAll(async () => {
  await build({
    input: path.join(import.meta.dirname, "claimer.ts"),
    platform: "node",
    output: { file: BUNDLE, format: "esm" },
  })
})

interface Claimer {
  /** What it has told so far. */
  lines: string[]
  go(): void
  kill(): void
  ended: Promise<unknown>
}

/** Starts one, which waits for `go`. */
async function claimer(...args: string[]): Promise<Claimer> {
  const child = spawn(process.execPath, [BUNDLE, ...args], { stdio: ["pipe", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  const ended = once(reader, "close")
  await once(reader, "line")
  reader.on("line", (line) => lines.push(line))
  return { lines, ended, go: () => void child.stdin.write("go\n"), kill: () => void child.kill("SIGKILL") }
}

describe("several processes on one ledger", () => {
  it("never claim the same number twice", async () => {
    const [folder, count] = [temporaryDir(), 60]
    const claimers = await Promise.all(
      Array.from({ length: 6 }, () => claimer("race", folder, String(count))),
    )
    for (const each of claimers) each.go()
    await Promise.all(claimers.map(({ ended }) => ended))
    const claimed = claimers.flatMap(({ lines }) => lines)
    expect(claimed).toHaveLength(count)
    expect(new Set(claimed).size).toBe(count)
  })

  it("are each told that the others have a number", async () => {
    const folder = temporaryDir()
    const one = await claimer("race", folder, "5")
    one.go()
    await one.ended
    const made = entry({ key: "key:3" })
    expect(await openStore(folder).claim(slotOf(made), made)).toBe(false)
  })
})

describe("a ledger whose processes are killed in the middle", () => {
  const delays = Array.from({ length: 24 }, (_, n) => 5 + 7 * n)

  it("keeps what was told, holds no torn entry, and lists every claim without an outcome", async () => {
    const folder = temporaryDir()
    const store = openStore(folder)
    const told: string[] = []
    for (const [n, delay] of delays.entries()) {
      const one = await claimer("storm", folder, `p${n}`)
      one.go()
      const killed = wait(delay).then(() => one.kill())
      // What is under way must not lose its mark to one who looks for what is open.
      for (let looking = true; looking; ) {
        await store.open()
        looking = await Promise.race([killed.then(() => false), wait(1, true)])
      }
      await one.ended
      told.push(...one.lines)
    }
    const states = new Map<string, string | undefined>()
    for await (const { slot, entry: found } of store.all()) states.set(slot.name, found?.state)
    const open = new Set((await store.open()).map(({ slot }) => slot.name))

    expect([...states.values()]).not.toContain(undefined)
    expect(told.length).toBeGreaterThan(100)
    const lost = told.filter((line) => {
      const [step = "", key = ""] = line.split(" ")
      const state = states.get(slotOf(entry({ key: `key:${key}` })).name)
      return state === undefined || (step === "settled" && state === "unknown")
    })
    expect(lost).toEqual([])
    const unknown = [...states].filter(([, state]) => state === "unknown").map(([name]) => name)
    expect(unknown.length).toBeGreaterThan(0)
    expect([...open].sort()).toEqual(unknown.sort())
  })
})
