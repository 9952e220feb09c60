/** Every HTML page that freight writes, in a real browser: nothing scrolls sideways, no number is broken, A4 holds it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { fullInvoice, textOf } from "../invoice/samples.ts"
import { withChange } from "../invoice/writer.ts"
import { bookingDesk } from "./bookings.ts"
import { hasBrowser, type Measured, measurePages, printPage } from "./browser.ts"
import { startSandboxProcess } from "./sandbox.ts"

const PAGES = [
  "invoice",
  "odd-invoice",
  "invoice-validate",
  "invoice-list",
  "report-carriers",
  "report-spend",
  "audit",
  "accruals",
] as const
const SERVICES = [
  ["connector-a", "76"],
  ["connector-b", "GEN"],
  ["connector-c", "STD"],
] as const
const LONG = "word-without-end/".repeat(20)

let pages: Record<string, string>
let measured: Measured[]

async function writePages(): Promise<Record<string, string>> {
  const sandbox = await startSandboxProcess()
  try {
    const home = await bookingDesk(sandbox)
    const file = (name: string) => path.join(home.folder, name)
    for (const [at, [connector, service]] of [...SERVICES, ...SERVICES].entries()) {
      const reference = ["--reference", `PO-2026-11-24-00000000${at}`]
      await home.book("--connector", connector, "--service", service, ...reference)
    }
    const bill = ["sandbox", "bill", "--delivered", "--errors", "50%", "-o", "bill.csv"]
    await home.freight(bill, { env: { FREIGHT_STATE_DIR: sandbox.state } })
    await home.freight(["track", "--open"])
    const [line] = fullInvoice().data.lineItems
    const dear = {
      ...line,
      description: LONG,
      quantity: 10000.25,
      unitPrice: 1234567.8912,
      subtotal: 12345678901.23,
    }
    const odd = withChange(
      withChange(fullInvoice(), ["data", "lineItems"], [dear, line]),
      ["data", "comments"],
      LONG,
    )
    mkdirSync(file("outbox"))
    writeFileSync(file("outbox/INV-1.json"), textOf(fullInvoice()))
    writeFileSync(file("outbox/INV-2.json"), textOf(withChange(odd, ["data", "billTo", "city"], null)))
    const ran: Record<(typeof PAGES)[number], string[]> = {
      invoice: ["invoice", "show", "outbox/INV-1.json"],
      "odd-invoice": ["invoice", "show", "outbox/INV-2.json"],
      "invoice-validate": ["invoice", "validate", "outbox"],
      "invoice-list": ["invoice", "list", "outbox"],
      "report-carriers": ["report", "carriers"],
      "report-spend": ["report", "spend", "--by", "service"],
      audit: ["audit", "bill.csv", "--all"],
      accruals: ["audit", "--accruals"],
    }
    // Before the bill is audited, as nothing is left to be billed then.
    for (const name of [...PAGES].reverse()) {
      const { code, stderr } = await home.freight([...ran[name], "-o", `${name}.html`])
      if (code !== 0 && code !== 1) throw new Error(`${name}: ${stderr}`)
    }
    return Object.fromEntries(PAGES.map((name) => [name, readFileSync(file(`${name}.html`), "utf8")]))
  } finally {
    await sandbox.stop()
  }
}

/** How often each letter and digit is written, joined letters apart. */
function countCharacters(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const character of text.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, ""))
    counts.set(character, (counts.get(character) ?? 0) + 1)
  return counts
}

describe.runIf(hasBrowser)(
  "in a browser (without Debian's chromium and poppler-utils this is skipped)",
  () => {
    beforeAll(async () => {
      pages = await writePages()
      measured = await measurePages(pages, 1000)
    })

    it.each(PAGES)("%s fits a window of 1,000 pixels, with every number in one piece", (name) => {
      const found = measured.find((each) => each.name === name)
      expect(found).toMatchObject({ beyond: 0, broken: [] })
      expect(found?.text).toMatch(/\d/)
    })

    it.each(PAGES)("%s is printed on A4, and nothing is cut off", async (name) => {
      const { sizes, beyond, text } = await printPage(pages[name] ?? "")
      expect(new Set(sizes)).toEqual(new Set(["595 × 842"]))
      expect(beyond).toEqual([])
      const printed = countCharacters(text)
      const written = countCharacters(measured.find((each) => each.name === name)?.text ?? "")
      const missing = Array.from(written).filter(
        ([character, count]) => (printed.get(character) ?? 0) < count,
      )
      expect(missing).toEqual([])
    })
  },
)
