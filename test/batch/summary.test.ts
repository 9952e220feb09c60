import { describe, expect, it } from "vitest"
import { createProgress } from "../../src/terminal/progress.ts"
import { batchQuestion, progressText } from "../../src/batch/summary.ts"
import { countOutcome, createTally, type Outcome } from "../../src/batch/result.ts"

function tallyOf(states: readonly Outcome["state"][]) {
  const tally = createTally()
  for (const state of states)
    countOutcome(tally, {
      state,
      entryId: "",
      shipmentId: "",
      consignment: "",
      priceCents: undefined,
      currency: "AUD",
      error: "",
    })
  return tally
}

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

describe("what is asked before a batch is booked", () => {
  const row = (price: number | null) => ({ price, currency: "AUD" })
  it.each([
    [[row(60.5)], "Book 1 consignment for AUD 60.50?"],
    [[row(60.5), row(60.5)], "Book 2 consignments for AUD 121.00?"],
    [[row(60.5), row(null)], "Book 2 consignments for AUD 60.50; 1 without a price?"],
    [[row(null)], "Book 1 consignment whose price is not known?"],
    [[], undefined],
  ])("%#", (rows, question) => {
    expect(batchQuestion(rows)).toBe(question)
  })
})

describe("how far a batch is", () => {
  it("has what was booked, what failed, what is unknown, the rate, and the time left", () => {
    expect(progressText(SOME, 25, 2)).toBe("5 of 25: 3 booked, 1 failed, 1 unknown, 2.5/s, 0:08 left")
  })

  it("tells no end where none is known", () => {
    expect(progressText(SOME, undefined, 2)).toBe("5: 3 booked, 1 failed, 1 unknown, 2.5/s")
  })

  it("counts hours", () => {
    expect(progressText(SOME, 50_000, 1)).toMatch(/2:46:39 left$/)
  })

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
})
