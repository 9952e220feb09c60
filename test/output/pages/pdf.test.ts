import { describe, expect, it } from "vitest"
import type { Fact, Facts } from "../../../src/output/pages/model.ts"
import { renderPdf } from "../../../src/output/pages/pdf.ts"
import { textsOn } from "../../orders/manifest/samples.ts"

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

  it("cuts with a mark what is one word without end", async () => {
    const [texts = []] = await sheetsWith(facts("Quote", ["x".repeat(600), "y"]))
    expect(texts.filter((text) => text.endsWith("…")).length).toBeGreaterThan(0)
    expect(texts).toContain("y")
  })

  it("shows what no font has as question marks", async () => {
    expect((await sheetsWith(facts("Quote", ["\u001b[31m重い 荷物"]))).flat()).toContain("?? ??")
  })
})
