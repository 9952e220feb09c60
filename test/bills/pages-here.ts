/** The pages of a PDF, read in the test's process: starting one of its own for each takes a second of processor time. */
import type { PageLines, ReadPages } from "../../src/input/pdf/messages.ts"
import { readPages } from "../../src/input/pdf/pages.ts"

export const readPagesHere: ReadPages = async (pdf, signal, onPage) => {
  const pages: PageLines[] = []
  const last = await readPages(new Uint8Array(pdf), (page) => void pages.push(page)).catch(
    () => ({ refused: "damaged" }) as const,
  )
  for (const page of pages) await onPage?.(page)
  signal.throwIfAborted()
  return "refused" in last ? last : pages
}
