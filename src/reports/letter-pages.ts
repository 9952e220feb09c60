/** What goes to a carrier, with its evidence, as PDF, HTML or text. */
import type { Ledgers, Memory, Services, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import type { Page, PlainBlock } from "../output/index.ts"
import type { Standing } from "../bills/index.ts"

export const LETTER_ENDINGS = ["pdf", "html", "txt"] as const
export type LetterFormat = (typeof LETTER_ENDINGS)[number]

/** @param evidence pages that follow it */
export async function renderPages(
  page: Page<PlainBlock>,
  evidence: readonly Page<PlainBlock>[],
  format: LetterFormat,
): Promise<string | Uint8Array> {
  const { joinPages } = await import("../bills/disputes/letter.ts")
  switch (format) {
    case "pdf": {
      const { renderPdf } = await import("../output/pages/pdf.ts")
      return (await renderPdf(page.title, [page, ...evidence])).pdf
    }
    case "html": {
      const { renderHtml } = await import("../output/pages/html.ts")
      return renderHtml(joinPages(page, evidence))
    }
    case "txt": {
      const { renderTerminal } = await import("../output/pages/terminal.ts")
      return renderTerminal(joinPages(page, evidence), { colour: false, unicode: true, columns: 78 })
    }
  }
}

/** A page of evidence for each dispute. What cannot be gathered is left out, and told. */
export async function gatherPages(
  deps: Ledgers & Memory & Services & Session,
  open: readonly Pick<Standing, "dispute">[],
): Promise<Page<PlainBlock>[]> {
  const { describeShipment } = await import("./evidence/show.ts")
  const pages: Page<PlainBlock>[] = []
  for (const { dispute } of open) {
    const name = dispute.shipmentId || dispute.consignment
    try {
      pages.push(await describeShipment(deps, name))
    } catch (error) {
      if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
      await deps.warn(`no evidence for ${name || dispute.id.slice(0, 8)}: ${error.message}`)
    }
  }
  return pages
}
