import { describe, expect, it } from "vitest"
import { createProgress } from "../../src/invoice/run/report.ts"

/** A terminal that keeps what is written to it, and a clock that goes on by hand. */
function screen() {
  let text = ""
  let now = 5_000_000
  const stderr = {
    isTTY: true,
    colour: false,
    columns: 80,
    write: async (chunk: string | Uint8Array) => {
      text += chunk.toString()
    },
  }
  const progress = createProgress(stderr, () => now)
  return {
    progress,
    later: (milliseconds: number) => {
      now += milliseconds
    },
    written: () => {
      const before = text
      text = ""
      return before
    },
  }
}

const DONE = { documents: 1234, bytes: 56_700_000, findings: 8 }

describe("progress", () => {
  it("is silent for the first second", async () => {
    const { progress, later, written } = screen()
    later(999)
    await progress.show(DONE)
    await progress.clear()
    expect(written()).toBe("")
  })

  it("shows documents, megabytes and findings on one line after a second", async () => {
    const { progress, later, written } = screen()
    later(1000)
    await progress.show(DONE)
    expect(written()).toBe("\r\u001b[K1,234 documents, 57 MB, 8 findings")
  })

  it("is renewed five times a second at most", async () => {
    const { progress, later, written } = screen()
    later(1000)
    await progress.show(DONE)
    written()
    later(199)
    await progress.show(DONE)
    expect(written()).toBe("")
    later(1)
    await progress.show(DONE)
    expect(written()).not.toBe("")
  })

  it("is taken away once, before something else is written", async () => {
    const { progress, later, written } = screen()
    later(1000)
    await progress.show(DONE)
    written()
    await progress.clear()
    await progress.clear()
    expect(written()).toBe("\r\u001b[K")
  })
})
