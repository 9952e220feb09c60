import { inflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { encodeCode128, renderLabel } from "../../src/sandbox/label-pdf.ts"
import { LABEL } from "./label.ts"
import { readCode128, valuesOf } from "./read-code128.ts"
import { hasScanner, scan } from "./scanner.ts"
import fc from "fast-check"

const HOSTILE = "\u0000\u001b[31m\u202e株式会社 😀 Łódź (\\) \ud800 ".repeat(40)
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("")

interface Drawn {
  /** Width and height of the page, in points. */
  page: number[]
  pages: number
  texts: string[]
  /** Left edge and width of each bar, in points. */
  bars: { left: number; width: number }[]
}

/** Reads the pages, texts and bars that a label's file draws. */
function drawnOn(bytes: Uint8Array): Drawn {
  const file = Buffer.from(bytes).toString("latin1")
  const streams = Array.from(file.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g), ([, body = ""]) =>
    inflateSync(Buffer.from(body, "latin1")).toString("latin1"),
  ).join("\n")
  return {
    page: /\/MediaBox\s*\[([^\]]*)\]/.exec(file)?.[1]?.trim().split(/\s+/).slice(2).map(Number) ?? [],
    pages: file.match(/\/Type \/Page\b/g)?.length ?? 0,
    texts: Array.from(streams.matchAll(/<([0-9A-F]+)> Tj/g), ([, hex = ""]) =>
      Buffer.from(hex, "hex").toString("latin1").replaceAll("\x96", "–").replaceAll("\x85", "…"),
    ),
    bars: Array.from(streams.matchAll(/^(\S+) \S+ (\S+) \S+ re$/gm), ([, left, width]) => ({
      left: Number(left),
      width: Number(width),
    })),
  }
}

/** Widths of bars and gaps in modules, the narrowest bar being one. */
function modulesOf(bars: Drawn["bars"]): number[] {
  const module = Math.min(...bars.map(({ width }) => width))
  return bars.flatMap(({ left, width }, index) => {
    const next = bars[index + 1]
    return (next ? [width, next.left - left - width] : [width]).map((points) => Math.round(points / module))
  })
}

describe("renderLabel", () => {
  it("makes one A6 page", async () => {
    const { page, pages } = drawnOn(await renderLabel(LABEL))
    expect([pages, ...page.map((points) => Math.round((points / 72) * 25.4))]).toEqual([1, 105, 148])
  })

  it("shows whose it is, what it holds, and that it is not a real label", async () => {
    const { texts } = drawnOn(await renderLabel(LABEL))
    expect(texts).toEqual(
      expect.arrayContaining([
        ...["CARRIER A", "701", "9:00 Express", "SBA00000042", "ORD-A-000042", "Ref PO-88123", "2026-11-23"],
        ...["Harbour Ceramics Pty Ltd", "Mia Tran · 02 9555 0134", "Alexandria NSW 2015"],
        ...["Mews Road Homewares", "Zoë O'Brien", "Warehouse 2, 40 Mews Road", "Fremantle", "WA 6160"],
        ...["3 × CT", "16.5 kg", "40 × 30 × 20 cm", "Ring the bell twice"],
        "SANDBOX – not for carriage",
      ]),
    )
    expect(texts).not.toContain("DG")
    expect(drawnOn(await renderLabel({ ...LABEL, dangerousGoods: true })).texts).toContain("DG")
  })

  it.each([
    "SBA00000042",
    "A",
    "1234567890",
    "CONSIGNMENT-abc-0123456789-XYZ~",
  ])("has bars that say %s", async (consignmentNumber) => {
    const { bars } = drawnOn(await renderLabel({ ...LABEL, consignmentNumber }))
    expect(readCode128(modulesOf(bars))).toBe(consignmentNumber)
  })

  it.each([
    "A",
    "SBA00000042",
    "CONSIGNMENT-abc-0123456789-XYZ~",
    ASCII,
  ])("leaves ten modules blank on either side of the bars of %s", async (consignmentNumber) => {
    const { bars, page } = drawnOn(await renderLabel({ ...LABEL, consignmentNumber }))
    const module = Math.min(...bars.map(({ width }) => width))
    const end = Math.max(...bars.map(({ left, width }) => left + width))
    const blank = Math.min(bars[0]?.left ?? 0, (page[0] ?? 0) - end)
    expect(blank / module).toBeGreaterThanOrEqual(10)
  })

  it("is small, the same for the same shipment, and holds no dates of its own making", async () => {
    const label = await renderLabel(LABEL)
    expect(label).toEqual(await renderLabel(structuredClone(LABEL)))
    expect(Buffer.from(label).toString("latin1")).not.toMatch(/Date/)
    expect(label.length).toBeLessThan(8_000)
  })

  it("fits hostile text of any length", async () => {
    const names = { companyName: HOSTILE, contactName: HOSTILE, address1: "A".repeat(5000) }
    const party = { ...LABEL.receiver, ...names, suburb: HOSTILE, state: HOSTILE, postcode: HOSTILE }
    const { texts } = drawnOn(
      await renderLabel({
        ...{ ...LABEL, carrier: HOSTILE, serviceCode: HOSTILE, serviceDescription: HOSTILE },
        ...{ orderNumber: HOSTILE, sender: party, receiver: party, packagingCode: HOSTILE },
        items: {
          count: 1e21,
          totalWeightKg: 1e-9,
          maxLengthCm: 1e300,
          maxWidthCm: 0.1 + 0.2,
          maxHeightCm: -1,
        },
        ...{ collectionDate: HOSTILE, customerReference: HOSTILE },
        specialInstructions: HOSTILE.repeat(1000),
      }),
    )
    expect(texts.filter((text) => text.endsWith("…")).length).toBeGreaterThan(10)
    expect(texts.join("")).not.toMatch(/\p{Cc}/u)
  })

  it.each(["", "SBA 00é"])("refuses the consignment number %j", async (consignmentNumber) => {
    await expect(renderLabel({ ...LABEL, consignmentNumber })).rejects.toThrow(RangeError)
  })
})

describe("a scanner", () => {
  it
    .runIf(hasScanner)
    .each([
      LABEL.consignmentNumber,
      "0123456789",
      "CONSIGNMENT-abc-0123456789-XYZ~",
      ASCII.slice(1, 33),
      ASCII.slice(33, 64),
      ASCII.slice(64),
    ])("reads %s from the printed label", async (consignmentNumber) => {
    expect(scan(await renderLabel({ ...LABEL, consignmentNumber }), 203)).toEqual([consignmentNumber])
  })
})

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
/** Digits often, as consignment numbers have them. */
const TEXT = fc.string({
  unit: fc.oneof(fc.constantFrom(..."0123456789"), fc.constantFrom(...PRINTABLE)),
  minLength: 1,
})

/** The fewest data symbols of a text, by trying every way. */
function fewest(text: string, set: "B" | "C"): number {
  if (text === "") return 0
  const b = 1 + fewest(text.slice(1), "B") + (set === "B" ? 0 : 1)
  const c = /^\d\d/.test(text)
    ? 1 + fewest(text.slice(2), "C") + (set === "C" ? 0 : 1)
    : Number.POSITIVE_INFINITY
  return Math.min(b, c)
}

describe("encodeCode128", () => {
  it.each([
    ["letters by set B", "Wikipedia", [104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88]],
    ["an even number of digits by set C", "123456", [105, 12, 34, 56, 44]],
    ["digits after letters by changing set", "SBA00000042", [104, 51, 34, 33, 99, 0, 0, 0, 42, 24]],
    ["two digits between letters by staying in set B", "A12B", [104, 33, 17, 18, 34, 52]],
  ])("codes %s", (_what, text, values) => {
    expect(valuesOf(encodeCode128(text))).toEqual(values)
  })

  it("codes every printable PRINTABLE character", () => {
    expect(readCode128(encodeCode128(PRINTABLE.join("")))).toBe(PRINTABLE.join(""))
  })

  it("codes any text so that it reads back", () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(readCode128(encodeCode128(text))).toBe(text)
      }),
    )
  })

  it("finds the shortest coding", () => {
    const short = fc.string({ unit: fc.constantFrom(..."0123A"), minLength: 1, maxLength: 14 })
    fc.assert(
      fc.property(short, (text) => {
        const data = valuesOf(encodeCode128(text)).length - 2
        expect(data).toBe(Math.min(fewest(text, "B"), fewest(text, "C")))
      }),
    )
  })

  it.each(["", "Zoë", "a\tb", "a\u007f", "１２", "a\n"])("refuses %j", (text) => {
    expect(() => encodeCode128(text)).toThrow(RangeError)
  })
})
