import { PDFDocument } from "@cantoo/pdf-lib"
import { describe, expect, it } from "vitest"
import { mergePdfs } from "../../../src/output/paper/merge.ts"
import { failure } from "../../api/setup.ts"
import { encryptedPdf } from "./odd-pdfs.ts"

/** A PDF with pages of these widths. */
async function paper(...widths: number[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (const width of widths) pdf.addPage([width, 400])
  return pdf.save({ addDefaultPage: false })
}

async function widthsOf(pdf: Uint8Array): Promise<number[]> {
  return (await PDFDocument.load(pdf)).getPages().map((page) => page.getWidth())
}

describe("mergePdfs", () => {
  it("puts the pages of every part in their order, and says where each begins", async () => {
    const parts = [
      { name: "one", pdf: await paper(100) },
      { name: "two", pdf: await paper(200, 210) },
      { name: "three", pdf: await paper(300) },
    ]
    const { pdf, firstPages } = await mergePdfs(parts)
    expect(await widthsOf(pdf)).toEqual([100, 200, 210, 300])
    expect(firstPages).toEqual([1, 2, 4])
  })

  it("gives the same bytes for the same parts", async () => {
    const parts = [{ name: "one", pdf: await paper(100) }]
    expect((await mergePdfs(parts)).pdf).toEqual((await mergePdfs(parts)).pdf)
  })

  it.each([
    ["is no PDF", async () => Buffer.from("%PDF-1.7\nnot at all\n%%EOF"), "it is not a valid PDF"],
    ["is cut off", async () => (await paper(100)).subarray(0, 200), "it is not complete, its end is missing"],
    ["has no pages", () => paper(), "it has no pages"],
    ["is empty", async () => new Uint8Array(), "it is not complete, its end is missing"],
    ["is encrypted", encryptedPdf, "it is encrypted"],
  ])("names a part that %s", async (_, made, why) => {
    const error = await failure(mergePdfs([{ name: "the label of x", pdf: await made() }]))
    expect(error).toMatchObject({
      kind: "badReply",
      message: `the label of x cannot be merged: ${why}`,
    })
  })
})
