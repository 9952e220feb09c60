import { describe, expect, it } from "vitest"
import { plainColumns } from "../../../src/output/terminal/columns.ts"
import { cell, FORMATS, print, printPages } from "../../../src/output/terminal/view.ts"

describe("a CSV cell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["\uff1d1", "'\uff1d1"],
    ["\uff0b1", "'\uff0b1"],
    [" \uff0d1", "' \uff0d1"],
    ["\uff20SUM(1)", "'\uff20SUM(1)"],
    ["+61 2 5550 1234", "'+61 2 5550 1234"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["-2", "'-2"],
    ["\t=1+1", "' =1+1"],
    ["\r\n=1+1", "' =1+1"],
  ])("keeps %j text for a spreadsheet", (text, kept) => {
    expect(cell(text)).toBe(kept)
  })

  it("keeps a number a number, also below zero", () => {
    expect(cell(-2)).toBe("-2")
  })

  it("is one line without control characters", () => {
    expect(cell("Dock 3\r\nrear\u001b[31m \u009b1mgate\u0000")).toBe("Dock 3 rear gate�")
  })

  it("is never cut", () => {
    expect(cell("x".repeat(100_000))).toHaveLength(100_000)
  })
})

describe("a long list", () => {
  it.each(FORMATS)("as %s ends at a signal", async (format) => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ reference: `PO-${n}` }))
    const interrupt = new AbortController()
    const stream = { isTTY: false, colour: false, columns: 80, write: async () => {} }
    const stdin = { isTTY: false, readAll: async () => new Uint8Array(), async *chunks() {} }
    const terminal = { stdin, stdout: stream, stderr: stream, unicode: true }
    const columns = plainColumns<"reference">(["reference"])
    const printing = print(
      { terminal, output: { format }, warnings: [], signal: interrupt.signal },
      { rows, columns },
    )
    setImmediate(() => interrupt.abort(new Error("interrupted")))
    await expect(printing).rejects.toThrow("interrupted")
  })

  it.each<[what: string, make: (rows: unknown[]) => unknown]>([
    ["an array", (rows) => rows],
    [
      "a part of an object",
      (rows) => ({ total: { count: 2 }, none: undefined, rows, empty: [], last: null }),
    ],
  ])("is the same JSON in parts as in one: %s", async (_, make) => {
    const rows = Array.from({ length: 2_500 }, (_, n) => ({ reference: `PO\n${n}`, of: [n] }))
    let text = ""
    const write = async (chunk: string | Uint8Array) => {
      text += chunk
    }
    const stream = { isTTY: false, colour: false, columns: 80, write }
    const stdin = { isTTY: false, readAll: async () => new Uint8Array(), async *chunks() {} }
    const terminal = { stdin, stdout: stream, stderr: stream, unicode: true }
    await print(
      { terminal, output: { format: "json" }, warnings: [] },
      { reply: make(rows), rows, columns: [] },
    )
    expect(text).toBe(`${JSON.stringify(make(rows), null, 2)}\n`)
  })

  it.each([
    "table",
    "csv",
    "ndjson",
    "json",
    "value",
  ] as const)("as %s is written while it is read, and read once", async (format) => {
    const steps: string[] = []
    const write = async () => void (steps.at(-1) !== "write" && steps.push("write"))
    const stream = { isTTY: false, colour: false, columns: 80, write }
    const stdin = { isTTY: false, readAll: async () => new Uint8Array(), async *chunks() {} }
    const terminal = { stdin, stdout: stream, stderr: stream, unicode: true }
    async function* listed() {
      for (let page = 0; page < 4; page++) {
        steps.push("read")
        yield Array.from({ length: 1_000 }, (_, n) => ({ reference: `PO-${page}-${n}` }))
      }
    }
    const columns = plainColumns<"reference">(["reference"])
    await printPages({ terminal, output: { format }, warnings: [] }, { pages: listed, columns })
    expect(steps.filter((step) => step === "read")).toHaveLength(4)
    expect(steps.join(" ")).toMatch(/^(write )?(read write ?){4}$/)
  })

  it.each([
    [[]],
    [[[], [1, { of: [2] }], [], [null, "x\ny"]]],
  ])("is the same JSON where a part of it comes in pages: %j", async (pages: readonly (readonly unknown[])[]) => {
    let text = ""
    const write = async (chunk: string | Uint8Array) => {
      text += chunk
    }
    const stream = { isTTY: false, colour: false, columns: 80, write }
    const stdin = { isTTY: false, readAll: async () => new Uint8Array(), async *chunks() {} }
    const terminal = { stdin, stdout: stream, stderr: stream, unicode: true }
    async function* listed() {
      yield* pages
    }
    const summary = { totals: { count: 4, none: {} } }
    await printPages(
      { terminal, output: { format: "json" }, warnings: [] },
      { summary, pages: listed, columns: [] },
    )
    const items = pages.flat()
    const whole = { items, total: items.length, nextOffset: null, ...summary, warnings: [] }
    expect(text).toBe(`${JSON.stringify(whole, null, 2)}\n`)
  })
})
