import { describe, expect, it } from "vitest"
import { renderEvidence } from "../../src/evidence/pdf.ts"
import type { Section } from "../../src/evidence/sections.ts"
import { textsOfPage } from "./page.ts"

const LONG = "A very long text of a carrier that goes on and on, ".repeat(20)
const titles = ["Quote", "Booking", "Request", "Pickup", "Label", "Charges", "Tracking", "Proof of delivery"]
const lines = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => [`Line ${n + 1}`, `${text} ${n + 1}`] as const)

async function pageWith(changes: Record<string, Section["lines"]>): Promise<string[]> {
  const sections = titles.map((title) => ({ title, lines: changes[title] ?? [["Name", "value"] as const] }))
  const content = {
    title: "SBA00000001",
    about: "Carrier A",
    sections,
    label: undefined,
    madeAt: "now",
    zone: "UTC",
  }
  return textsOfPage((await renderEvidence(content)).pdf)
}

describe("the page of evidence", () => {
  it("keeps the newest and the oldest of many events, and says how many it leaves out", async () => {
    const texts = await pageWith({ Tracking: lines(200, "event") })
    const mark = texts.find((text) => text.includes("left out"))
    const shown = texts.filter((text) => text.startsWith("event "))
    expect(mark).toBe(`${200 - shown.length} more lines are left out here; --json has all`)
    expect([shown[0], shown.at(-1)]).toEqual(["event 1", "event 200"])
    expect(shown.length).toBeGreaterThan(20)
  })

  it("leaves events some room when there are many charges", async () => {
    const texts = await pageWith({ Tracking: lines(50, "event"), Charges: lines(50, "charge") })
    expect(texts.filter((text) => text.includes("left out"))).toHaveLength(2)
    expect(texts).toEqual(expect.arrayContaining(["event 1", "event 50", "charge 1", "charge 50"]))
  })

  it("cuts what is too long with a mark", async () => {
    const long = Object.fromEntries(titles.map((title) => [title, lines(10, LONG)]))
    const texts = await pageWith({ ...long, Charges: lines(3, LONG) })
    expect(texts.filter((text) => text.endsWith("…")).length).toBeGreaterThan(40)
    expect(texts).toContain("Made now. A time without a place is by the clock of UTC.")
  })

  it("shows what no font has as question marks", async () => {
    const texts = await pageWith({ Quote: [["Price", "\u001b[31m重い 荷物"]] })
    expect(texts).toContain("?? ??")
  })
})
