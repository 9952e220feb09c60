/** `freight invoice show -o`: the invoice as it is sent. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib"
import { describe, expect, it } from "vitest"
import { describeInvoice } from "../../src/invoice/show/page.ts"
import { readJson } from "../../src/input/json/read.ts"
import { renderHtml } from "../../src/output/pages/html.ts"
import type { Fact } from "../../src/output/pages/model.ts"
import { renderPdf } from "../../src/output/pages/pdf.ts"
import { fullDraft, minimalDraft, textOf } from "../invoice/samples.ts"
import { drawPng, packedZeros, PNG_END, pngHeader, pngOf, pngRows } from "../worst/pictures.ts"
import { desk } from "./freight.ts"
import { invoiceDesk } from "./invoices.ts"

const FULL = fullDraft()
const { folder } = await invoiceDesk({
  "full.json": textOf(FULL),
  "broken.json": textOf(FULL).replace('"standard"', '"gift"'),
})
const { freight } = await desk()
const show = (...args: string[]) => freight(["invoice", "show", ...args], { cwd: folder })
const read = (name: string) => readFileSync(path.join(folder, name))
const pageOf = (document: unknown) => describeInvoice(readJson(textOf(document)), "customer")
const pdfOf = (document: unknown) => renderPdf("invoice", [pageOf(document)])
/** All facts on a page, those in columns too. */
const factsOn = (document: unknown): Fact[] =>
  pageOf(document)
    .blocks.flatMap((block) => (block.kind === "beside" ? block.columns.flat() : block))
    .flatMap((block) => (block.kind === "facts" ? block.facts : []))
const named = (document: unknown, name: string) => factsOn(document).filter((fact) => fact.name === name)

/** One white point. */
const JPEG = Buffer.from(
  "ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc0000b080001000101011100ffc4001400010000000000000000000000000000000009ffc40014100100000000000000000000000000000000ffda0008010100003f0054ffd9",
  "hex",
)

/** The JPEG with neither height nor width. */
function flatten(jpeg: Buffer): Buffer {
  const flat = Buffer.from(jpeg)
  return flat.fill(0, flat.indexOf("ffc0", "hex") + 5, flat.indexOf("ffc0", "hex") + 9)
}

/** Texts that unpack to 1 GB beside a picture that is none. */
const BESIDE = pngOf(
  pngHeader(300, 100),
  ["zTXt", Buffer.concat([Buffer.from("a\0\0"), packedZeros()])],
  pngRows(300, 100),
  PNG_END,
)

describe("the invoice as it is sent", () => {
  it("is a PDF where the file is named so, and the same bytes again", async () => {
    const { code, stdout, stderr } = await show("full.json", "-o", "full.pdf")
    expect([code, stdout, stderr]).toEqual([0, "", "full.pdf is written.\n"])
    const pdf = await PDFDocument.load(read("full.pdf"), { updateMetadata: false })
    expect([pdf.getPageCount(), pdf.getTitle()]).toEqual([2, "TAX INVOICE INV-1001"])
    await show("full.json", "-o", "again.pdf")
    expect(read("again.pdf").equals(read("full.pdf"))).toBe(true)
  })

  it("is a page that loads nothing where the file is named so", async () => {
    await show("full.json", "-o", "full.html")
    const page = read("full.html").toString()
    expect(page).toContain("<h1>TAX INVOICE INV-1001</h1>")
    expect(page).toContain('<tr class="strong"><td>Amount due</td><td class="number">AUD 151.86</td></tr>')
    expect(page).not.toMatch(/<script|<link|<img|https?:|url\(/i)
  })

  it("names no id of a program and no code to a customer", () => {
    const draft = fullDraft()
    const data = { ...draft.data, asnReference: { shipmentId: "7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d11" } }
    const words = JSON.stringify(pageOf({ ...draft, data }).blocks, (key, value) =>
      key === "shows" ? undefined : value,
    )
    expect(words).not.toMatch(/7d0c9bd0|"EA"|from AU\b/)
    expect(words).toContain('"each"')
    expect(words).toContain("from Australia")
  })

  it("says what to write beside a payment, what an adjustment note credits, and why", () => {
    const draft = fullDraft()
    expect(named(draft, "Reference")).toEqual([{ name: "Reference", text: "INV-1001" }])
    const credit = { ...draft, data: { ...draft.data, purpose: "creditMemo", comments: "Two came broken" } }
    const page = pageOf(credit)
    expect(page.notes?.map(({ text }) => text)).toContain(
      "Credits the lines below on invoice INV-0990 of 20 Oct 2026.",
    )
    const reason = page.blocks.find((block) => block.kind === "facts" && block.title === "Reason")
    expect(reason).toMatchObject({ facts: [{ text: "Two came broken" }] })
  })

  it("says to a customer how much is credited, and to a checker what is stated", () => {
    const draft = fullDraft()
    const summary = { ...draft.data.invoiceSummary, dueAmount: -21.99 }
    const credit = { ...draft, data: { ...draft.data, purpose: "creditMemo", invoiceSummary: summary } }
    expect(named(credit, "Amount credited")).toMatchObject([{ text: "AUD 21.99" }])
    expect(named(credit, "Amount due")).toEqual([])
    expect(JSON.stringify(describeInvoice(readJson(textOf(credit)), "checker"))).toContain("AUD -21.99")
  })

  it("has the logo of a PNG or a JPEG, on paper and on a page", async () => {
    writeFileSync(path.join(folder, "logo.png"), drawPng(300, 100))
    writeFileSync(path.join(folder, "logo.jpg"), JPEG)
    for (const logo of ["logo.png", "logo.jpg"]) {
      await show("full.json", "-o", `${logo}.pdf`, "--logo", logo)
      const pdf = await PDFDocument.load(read(`${logo}.pdf`), { updateMetadata: false })
      const images = pdf.context
        .enumerateIndirectObjects()
        .filter(
          ([, each]) =>
            each instanceof PDFRawStream && each.dict.get(PDFName.of("Subtype"))?.toString() === "/Image",
        )
      expect([logo, images.length > 0, pdf.getPageCount()]).toEqual([logo, true, 2])
    }
    expect((await show("full.json", "-o", "logo.html", "--logo", "logo.png")).code).toBe(0)
    const [, data = ""] =
      /<img class="logo" alt="" src="data:image\/png;base64,([^"]+)">/.exec(read("logo.html").toString()) ??
      []
    expect(Buffer.from(data, "base64").equals(read("logo.png"))).toBe(true)
  })

  it.each([
    ["no picture", Buffer.from("GIF89a"), "the logo bad.png is neither a PNG nor a JPEG"],
    ["too wide", drawPng(6_000, 1), "the logo bad.png is larger than 2 MB, or than 5,000 pixels"],
    ["too many pixels", drawPng(4_000, 4_000), "has more than 10 million of them"],
    ["cut off", drawPng(300, 100).subarray(0, 60), "the logo bad.png is damaged: it cannot be drawn"],
    ["without pixels", drawPng(0, 0), "the logo bad.png is 0 × 0 pixels: there is nothing to draw"],
    [
      "behind its header",
      pngOf(["tEXt", new Uint8Array(13)], pngHeader(300, 100), pngRows(300, 100), PNG_END),
      "the logo bad.png is damaged",
    ],
    [
      "of two headers",
      pngOf(pngHeader(3, 3), pngHeader(4_000_000_000, 4_000_000_000), pngRows(3, 3), PNG_END),
      "the logo bad.png is damaged",
    ],
    [
      "more than its header says",
      pngOf(pngHeader(3, 3), ["IDAT", packedZeros()], PNG_END),
      "the logo bad.png is damaged",
    ],
    ["a JPEG without pixels", flatten(JPEG), "the logo is 0 × 0 pixels: there is nothing to draw"],
  ])("refuses a logo that is %s, and writes nothing", async (name, bytes, message) => {
    writeFileSync(path.join(folder, "bad.png"), bytes)
    const target = `${name}.pdf`
    const { code, stderr } = await show("full.json", "-o", target, "--logo", "bad.png")
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(existsSync(path.join(folder, target))).toBe(false)
  })

  it("draws a logo, and leaves out what is packed beside it", async () => {
    writeFileSync(path.join(folder, "beside.png"), BESIDE)
    const { code } = await show("full.json", "-o", "beside.html", "--logo", "beside.png")
    expect([code, read("beside.html").length < 100_000]).toEqual([0, true])
  })

  it("takes a logo only for what is written", async () => {
    const { code, stderr } = await show("full.json", "--logo", "logo.png")
    expect([code, stderr]).toEqual([2, expect.stringContaining("say where with -o")])
  })

  it("warns where the document is not valid", async () => {
    const { code, stderr } = await show("broken.json", "-o", "broken.pdf")
    expect(code).toBe(0)
    expect(stderr).toContain("warning: it is not valid (1 error): fix it before you send broken.pdf\n")
  })

  it.each([
    ["full.json", "full.txt", "-o takes a file whose name ends in .pdf or .html, not full.txt"],
    ["full.json", "-", "-o takes a file whose name ends in .pdf or .html, not -"],
  ])("is refused: %s as %s", async (file, target, message) => {
    const { code, stderr } = await show(file, "-o", target)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe("what is on it", () => {
  it("is all that a customer needs to pay", () => {
    const page = pageOf(FULL)
    expect([page.title, page.about]).toEqual(["TAX INVOICE", "INV-1001"])
    const facts = factsOn(FULL)
    for (const fact of [
      { text: "Wattle & Sons Hardware Pty Ltd", style: "strong" },
      { text: "ABN 51 824 753 556" },
      { name: "Due date", text: "20 Dec 2026" },
      { name: "GST", text: "16.08" },
      { name: "Amount due", text: "AUD 151.86" },
      { name: "BSB", text: "062-000" },
      { name: "Terms", text: "30 days net, 2 percent within 10 days" },
    ])
      expect(facts).toContainEqual(expect.objectContaining(fact))
    const table = page.blocks.find((block) => block.kind === "table")
    expect(table?.columns.map(({ title }) => title)).toContain("GST")
    expect(named(FULL, "Special handling")).toEqual([])
    expect(facts.filter(({ text }) => /missing|Written by|Correlation/.test(text))).toEqual([])
  })

  it("is an adjustment note, or a credit note, with the ABN in groups", () => {
    const supplier = { ...FULL.data.supplier, taxRegistrations: { type: "ABN", value: "51824753556" } }
    const memo = { ...FULL, data: { ...FULL.data, supplier, purpose: "creditMemo" } }
    expect(pageOf(memo).title).toBe("ADJUSTMENT NOTE")
    expect(factsOn(memo)).toContainEqual(expect.objectContaining({ text: "ABN 51 824 753 556" }))
    const { documentReference: _, ...data } = memo.data
    expect(pageOf({ ...memo, data }).title).toBe("CREDIT NOTE")
    const { remitTo: __, ...refund } = data
    const invoiceSummary = { ...data.invoiceSummary, dueAmount: -151.86 }
    const credit = { ...memo, data: { ...refund, invoiceSummary } }
    expect(renderHtml(pageOf(credit))).not.toContain("How to pay")
    expect(renderHtml(pageOf(memo))).toContain("<h2>How to pay</h2>")
  })

  it.each<[string, unknown]>([
    ["the least that an invoice holds", minimalDraft()],
    ["an empty object", {}],
    ["what is not an object", [1, "x", null]],
    [
      "characters that no font has",
      { data: { invoiceNumber: "発票 😀 \u0007", lineItems: [{ description: null }] } },
    ],
  ])("can be drawn of %s", async (_, document) => {
    expect((await pdfOf(document)).pdf.length).toBeGreaterThan(500)
  })
})

/** The full invoice with one line of this description. */
function described(description: string) {
  const [line] = FULL.data.lineItems
  return { ...FULL, data: { ...FULL.data, lineItems: [{ ...line, description }] } }
}

/** The names of a PDF's fonts, and the characters that the embedded ones have. */
async function fontsOf(bytes: Uint8Array) {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  const fonts = pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) =>
      object instanceof PDFDict && object.get(PDFName.of("BaseFont")) !== undefined ? [object] : [],
    )
  const letters = new Set<string>()
  for (const font of fonts) {
    const map = pdf.context.lookup(font.get(PDFName.of("ToUnicode")))
    if (!(map instanceof PDFRawStream)) continue
    const text = Buffer.from(decodePDFRawStream(map).decode()).toString("latin1")
    for (const [, code = ""] of text.matchAll(/^<[\dA-F]+> <([\dA-F]+)>$/gim))
      letters.add(String.fromCodePoint(Number.parseInt(code, 16)))
  }
  return { names: new Set(fonts.map((font) => String(font.get(PDFName.of("BaseFont"))).slice(1))), letters }
}

describe("its letters", () => {
  it.each([
    ["Vietnamese", "Đèn bàn gỗ sồi, Nguyễn Thị Ánh Tuyết"],
    ["Polish", "Gęślą jaźń: Łódź, żółw, ćma, ń"],
    ["Czech and Turkish", "Příliš žluťoučký kůň, İstanbul ğış"],
    ["Māori", "Māori whānau, kōwhai"],
    ["Greek", "Φωτιστικό γραφείου, Αθήνα"],
    ["Cyrillic", "Настільна лампа, Київ, ёж, Ђорђе"],
  ])("are drawn in %s, by a font within the PDF", async (_, text) => {
    const { pdf, undrawn } = await pdfOf(described(text))
    const { names, letters } = await fontsOf(pdf)
    expect(undrawn).toEqual([])
    expect([...names].every((name) => name.startsWith("OpenSans"))).toBe(true)
    expect([...text.normalize("NFC")].filter((letter) => letter !== " " && !letters.has(letter))).toEqual([])
    expect(pdf.length).toBeLessThan(60_000)
    expect(Buffer.from(pdf).equals(Buffer.from((await pdfOf(described(text))).pdf))).toBe(true)
  })

  it.each([
    ["灯 😀 Lamp?", "灯 😀", /^Helvetica/],
    ["Łódź 灯", "灯", /^OpenSans/],
    ["مصباح", "م ص ب ا ح", /^Helvetica/],
  ])("that cannot be drawn are named: %s", async (text, named, font) => {
    const { pdf, undrawn } = await pdfOf(described(text))
    expect(undrawn.join(" ")).toBe(named)
    for (const name of (await fontsOf(pdf)).names) expect(name).toMatch(font)
  })

  it("that cannot be drawn are reported, and the page has them", async () => {
    writeFileSync(path.join(folder, "lamp.json"), textOf(described("灯 Lamp")))
    const { code, stderr } = await show("lamp.json", "-o", "lamp.pdf")
    expect([code, stderr]).toEqual([
      0,
      'lamp.pdf is written.\nwarning: a PDF has no letters for 灯: "?" is in their place; a page (-o invoice.html) shows them\n',
    ])
    expect((await show("lamp.json", "-o", "lamp.html")).stderr).toBe("lamp.html is written.\n")
    expect(read("lamp.html").toString()).toContain("灯 Lamp")
  })
})
