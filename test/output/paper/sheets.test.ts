/** Labels on sheets of A4: where each stands, and that a scanner still reads it. */
import { degrees, PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib"
import { describe, expect, it } from "vitest"
import { arrangePdfs } from "../../../src/output/paper/merge.ts"
import { renderLabel } from "../../../src/sandbox/label-pdf.ts"
import { failure } from "../../api/setup.ts"
import { LABEL } from "../../sandbox/label.ts"
import { hasScanner, scan } from "../../sandbox/scanner.ts"

const MM = 72 / 25.4

/** The label of a consignment, on paper of a size of its own (mm), turned as a printer driver may. */
async function label(consignmentNumber: string, { width = 105, height = 148, turned = 0 } = {}) {
  const source = await PDFDocument.load(await renderLabel({ ...LABEL, consignmentNumber }))
  const [page] = source.getPages()
  page?.setMediaBox(0, (148 - height) * MM, width * MM, height * MM)
  page?.setRotation(degrees(turned))
  return { name: `the label of ${consignmentNumber}`, pdf: await source.save() }
}

const A4 = { width: 210 * MM, height: 297 * MM }
const NUMBERS = ["SBA0000001", "SBB0000002", "SBC0000003", "1234567890"]

/** The texts that a scanner reads in each half of a sheet. */
function scanHalves(pdf: Uint8Array, dpi: number, page: number): string[] {
  const size = { width: A4.width, height: A4.height / 2 }
  return [0, size.height].map((y) => scan(pdf, dpi, { page, part: { x: 0, y, ...size } }).join(" "))
}

describe.runIf(hasScanner).each([203, 300])("printed at %s dpi, a scanner reads", (dpi) => {
  it.each([0, 90, 180, 270])("four labels that their pages turn by %s degrees", async (turned) => {
    const parts = await Promise.all(NUMBERS.map((number) => label(number, { turned })))
    const { pdf } = await arrangePdfs(parts, "a4x4", 1)
    expect(scan(pdf, dpi).sort()).toEqual(NUMBERS.toSorted())
  })

  it("two labels that are turned to fit, on a sheet whose first place is used", async () => {
    const parts = await Promise.all(NUMBERS.slice(0, 2).map((number) => label(number, { height: 150 })))
    const { pdf } = await arrangePdfs(parts, "a4x2", 2)
    expect([scanHalves(pdf, dpi, 1), scanHalves(pdf, dpi, 2)]).toEqual([
      ["", "SBA0000001"],
      ["SBB0000002", ""],
    ])
  })
})

describe("labels on sheets", () => {
  it("begin at the free place, and each page of a label has a place of its own", async () => {
    const one = await label("SBA0000001")
    const two = await PDFDocument.load(one.pdf)
    const [copy] = await two.copyPages(two, [0])
    if (copy) two.addPage(copy)
    const parts = [one, { name: "two packages", pdf: await two.save() }, one]
    const { pdf, firstPages, firstPlaces } = await arrangePdfs(parts, "a4x4", 3)
    expect((await PDFDocument.load(pdf)).getPages().map((page) => page.getSize())).toEqual([A4, A4])
    expect([firstPages, firstPlaces]).toEqual([
      [1, 1, 2],
      [3, 4, 2],
    ])
  })

  /** The label as another program may have written its page. */
  async function changed(change: (page: PDFPage, source: PDFDocument) => void) {
    const { name, pdf } = await label("SBA0000001")
    const source = await PDFDocument.load(pdf)
    change(source.getPage(0), source)
    return { name, pdf: await source.save() }
  }

  it.each<[string, (page: PDFPage, source: PDFDocument) => void]>([
    ["has no contents", ({ node }) => node.delete(PDFName.of("Contents"))],
    ["has no size", ({ node }) => node.delete(PDFName.of("MediaBox"))],
    ["has nothing on it", (page) => page.setSize(0, 0)],
    ["is turned by no number", ({ node }) => node.set(PDFName.of("Rotate"), PDFName.of("x"))],
    [
      "is packed in a way that the library does not know",
      ({ node }, { context }) =>
        node.set(PDFName.of("Contents"), context.register(context.stream("q Q", { Filter: "JBIG2Decode" }))),
    ],
  ])("are refused where a page %s", async (_, change) => {
    expect(await failure(arrangePdfs([await changed(change)], "a4x2", 1))).toMatchObject({
      kind: "badReply",
      message: "the label of SBA0000001 cannot be merged: it is not a valid PDF",
    })
  })

  it("are refused where a page has fields that a sheet would not show", async () => {
    const part = await changed((page, source) => {
      const field = source.getForm().createTextField("consignment")
      field.setText("SBA0000001")
      field.addToPage(page, { x: 10, y: 10, width: 100, height: 20 })
    })
    expect(await failure(arrangePdfs([part], "a4x2", 1))).toMatchObject({
      kind: "input",
      message: expect.stringContaining("the label of SBA0000001 (a4x2) has form fields or notes"),
    })
  })

  it("count what is seen of a page, in the page's own unit", async () => {
    const cropped = await changed((page) => page.setCropBox(-500, -500, 5000, 5000))
    expect((await arrangePdfs([cropped], "a4x4", 1)).firstPlaces).toEqual([1])
    const doubled = await changed(({ node }, { context }) => node.set(PDFName.of("UserUnit"), context.obj(2)))
    expect(await failure(arrangePdfs([doubled], "a4x4", 1))).toMatchObject({
      message: expect.stringContaining("is 210 × 296 mm"),
    })
  })

  it.runIf(hasScanner)("are as large as their page's own unit makes them", async () => {
    const part = await changed((page, { context }) => {
      page.scale(0.1, 0.1)
      page.node.set(PDFName.of("UserUnit"), context.obj(10))
    })
    expect(scan((await arrangePdfs([part], "a4x4", 1)).pdf, 203)).toEqual(["SBA0000001"])
  })

  it("are refused where one is larger than its place, with both sizes", async () => {
    const error = await failure(
      arrangePdfs([await label("SBA0000001", { width: 100, height: 150 })], "a4x4", 1),
    )
    expect(error).toMatchObject({
      kind: "input",
      message: "the label of SBA0000001 (a4x4) is 100 × 150 mm, and a place on the sheet is 105 × 149 mm",
    })
    expect(
      await failure(arrangePdfs([await label("SBA0000001", { width: 210, height: 297 })], "a4x2", 1)),
    ).toMatchObject({
      kind: "input",
    })
  })
})
