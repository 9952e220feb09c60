import { describe, expect, it } from "vitest"
import type { Column } from "../../../src/output/terminal/columns.ts"
import type { Terminal } from "../../../src/output/terminal/terminal.ts"
import { FORMATS, print, printPages } from "../../../src/output/terminal/view.ts"

interface Row {
  name: string
  more: { count: number } | null
}

const ROWS: Row[] = [
  { name: "short", more: null },
  { name: "a longer name", more: null },
  { name: "=1+1", more: { count: 3 } },
]
const columns: Column<Row>[] = [
  { key: "name", title: "NAME" },
  { key: "more", title: "MORE", hidden: true },
]

/** The output to both streams. */
async function written(write: (terminal: Terminal) => Promise<void>): Promise<{ out: string; err: string }> {
  const texts = { out: "", err: "" }
  const stream = (name: "out" | "err") => ({
    isTTY: false,
    colour: false,
    columns: 80,
    async write(chunk: string | Uint8Array) {
      texts[name] += String(chunk)
    },
  })
  await write({ stdout: stream("out"), stderr: stream("err") } as unknown as Terminal)
  return texts
}

async function* pagesOf(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (const row of rows) yield [row]
}

describe.each(FORMATS)("a list in pages, as %s", (format) => {
  it.each([
    ["whole", undefined, ROWS],
    ["with chosen fields, one of which only a later page has", ["name", "more.count"], ROWS],
    ["without rows", undefined, []],
  ])("is what it is in one piece: %s", async (_what, fields, rows) => {
    const output = { format, ...(fields && { fields }) }
    const view = { columns, empty: "There are none." }
    const whole = await written((terminal) => print({ terminal, output, warnings: ["w"] }, { ...view, rows }))
    const paged = await written((terminal) =>
      printPages({ terminal, output, warnings: ["w"] }, { ...view, pages: () => pagesOf(rows) }),
    )
    expect(paged).toEqual(whole)
  })
})
