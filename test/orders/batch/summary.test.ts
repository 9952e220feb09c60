import { describe, expect, it } from "vitest"
import { createProgress } from "../../../src/output/terminal/progress.ts"
import { batchError, progressText, summarize } from "../../../src/orders/batch/summary.ts"
import { tallyOf } from "./batches.ts"

const SOME = tallyOf(["booked", "booked", "booked", "failed", "unknown"])

function stream(isTTY: boolean) {
  const written: string[] = []
  const stderr = {
    isTTY,
    colour: false,
    columns: 200,
    write: async (chunk: string | Uint8Array) => {
      written.push(String(chunk))
    },
  }
  return { stderr, written }
}

describe("how far a batch is", () => {
  it("is written over on a terminal, with a bar in ASCII where that is all it shows", async () => {
    const { stderr, written } = stream(true)
    const progress = createProgress({ stderr, unicode: false }, { now: () => 0 }, 10, progressText)
    await progress.show(SOME)
    await progress.clear()
    expect(written[0]?.replace("\r\u001b[K", "")).toMatch(/^\[#{12}\.{12}\] 5 of 10: /)
    expect(written.at(-1)).toBe("\r\u001b[K")
  })

  it("never fills the line, so that it does not wrap", async () => {
    const { stderr, written } = stream(true)
    const progress = createProgress(
      { stderr: { ...stderr, columns: 30 }, unicode: true },
      { now: () => 0 },
      10,
      progressText,
    )
    await progress.show(SOME)
    expect(written[0]?.replace("\r\u001b[K", "")).toHaveLength(29)
  })

  it("is a line now and then elsewhere, without a bar or a code", async () => {
    const { stderr, written } = stream(false)
    let now = 0
    const progress = createProgress({ stderr, unicode: true }, { now: () => now }, 10, progressText)
    await progress.show(SOME)
    now = 10_000
    await progress.show(SOME)
    await progress.show(SOME)
    await progress.clear()
    expect(written).toEqual(["5 of 10: 3 booked, 1 failed, 1 unknown, 0.5/s, 0:10 left\n"])
  })
  it("counts a row that was never sent apart from one that failed", () => {
    expect(progressText(tallyOf(["booked", "failed", "invalid", "duplicate", "left-out"]), 10, 0)).toBe(
      "5 of 10: 1 booked, 1 failed, 0 unknown, 2 not sent, 0.0/s",
    )
  })
})

describe("what is to be done about rows that were not booked", () => {
  const hintOf = (states: Parameters<typeof tallyOf>[0], isPlan: boolean) => {
    const summary = summarize("orders.csv", undefined, tallyOf(states), undefined)
    const telling = { again: () => "", complete: (command: string) => command, isPlan }
    return batchError(summary, [], undefined, { details: [] } as never, telling)?.hint
  }

  it("is to run the same command again where the rows come from their file", () => {
    expect(hintOf(["booked", "invalid"], false)).toMatch(/^Fix the errors and run the same command again/)
  })

  it("is a new plan where the plan has no rate for them, as its rows never change", () => {
    expect(hintOf(["booked", "invalid"], true)).toMatch(/make a new plan of the same file/)
    expect(hintOf(["booked", "invalid"], true)).not.toContain("same command")
  })

  it("is to run a plan again where a row of it failed", () => {
    expect(hintOf(["booked", "failed"], true)).toMatch(/^Fix the errors and run the same command again/)
  })
})
