import { describe, expect, it } from "vitest"
import type { Fact, Facts } from "../../../src/output/pages/model.ts"
import { renderPdf } from "../../../src/output/pages/pdf.ts"
import { drawnOn, textsOn } from "../../orders/manifest/samples.ts"

const LONG = "A very long text of a carrier that goes on and on, ".repeat(20)
const facts = (title: string, texts: readonly string[], more: Partial<Facts> = {}): Facts => ({
  ...{ kind: "facts", title, ...more },
  facts: texts.map((text, at): Fact => ({ name: `Line ${at + 1}`, text })),
})

async function sheetsWith(...blocks: Facts[]): Promise<string[][]> {
  const aside = { facts: [facts("Label", ["none"]), facts("Proof", ["signed"])] }
  const page = { title: "SBA00000001", about: "Carrier A", blocks, aside, foot: { text: "Made now" } }
  return textsOn((await renderPdf("Evidence", [page])).pdf)
}

describe("a page on paper", () => {
  it("goes on over as many sheets as it takes, each with its title and number", async () => {
    const events = Array.from({ length: 200 }, (_, at) => `event ${at + 1}`)
    const sheets = await sheetsWith(facts("Quote", ["AUD 5.00"]), facts("Tracking", events, { isWide: true }))
    expect(sheets.length).toBeGreaterThan(2)
    expect(sheets.flat().filter((text) => text.startsWith("event "))).toEqual(events)
    for (const [at, texts] of sheets.entries())
      expect([texts[0], texts.at(-1)]).toEqual(["SBA00000001", `Page ${at + 1} of ${sheets.length}`])
    expect(sheets[1]).toContain("Carrier A, continued")
  })

  it("has what stands beside it on the first sheet, and what is long in a few lines", async () => {
    const sheets = await sheetsWith(
      ...["Quote", "Booking", "Request"].map((title) => facts(title, [LONG, LONG])),
    )
    expect(sheets[0]).toEqual(expect.arrayContaining(["LABEL", "none", "PROOF", "signed", "Made now"]))
    expect(sheets.flat().filter((text) => text.startsWith("A very long text")).length).toBeGreaterThanOrEqual(
      6,
    )
  })

  it("names a value of several lines once", async () => {
    const from = { name: "From", text: "Our Shop\n1 Botany Road\nABN 51 824 753 556" }
    const [texts = []] = await sheetsWith({ kind: "facts", facts: [from] })
    expect(texts.filter((text) => text === "From")).toHaveLength(1)
    expect(texts).toEqual(expect.arrayContaining(["Our Shop", "1 Botany Road", "ABN 51 824 753 556"]))
  })

  it("cuts with a mark what is one word without end", async () => {
    const [texts = []] = await sheetsWith(facts("Quote", ["x".repeat(600), "y"]))
    expect(texts.filter((text) => text.endsWith("…")).length).toBeGreaterThan(0)
    expect(texts).toContain("y")
  })

  it("has all columns of a table on the sheet, also those without a width", async () => {
    const titles = ["Bill", "Why", "Withheld", "Paid"]
    const table = {
      kind: "table" as const,
      columns: titles.map((title) => ({ title, ...(title === "Why" && { gives: "words" as const }) })),
      rows: [{ cells: ["4711", "we did not book it", "5.50", "33.00"] }],
      totals: ["", "", "5.50", "33.00"],
    }
    const { pdf } = await renderPdf("Advice", [{ title: "Advice", blocks: [table] }])
    const [drawn = ""] = drawnOn(pdf)
    const places = Array.from(drawn.matchAll(/(\d[\d.]*) \d[\d.]* T[dm]/g), ([, x]) => Number(x))
    expect(places.length).toBeGreaterThanOrEqual(titles.length * 2)
    // A sheet is 595 points wide.
    expect(Math.max(...places)).toBeLessThan(595)
  })

  it("shows what no font has as question marks", async () => {
    expect((await sheetsWith(facts("Quote", ["\u001b[31m重い 荷物"]))).flat()).toContain("?? ??")
  })
})
