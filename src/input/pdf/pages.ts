/** The pages of a PDF, as its library finds their texts. */
import { type TextItem, toLines } from "./lines.ts"
import { type LastMessage, MAX_PAGES, PDF_LIMITS, MAX_PIECES, type PageLines } from "./messages.ts"

/**
 * Reads the pages of a PDF in this thread, without limits of time or memory.
 * @param pdf ownership passes to the library
 * @param tell called for each page
 * @param most of all pages
 */
export async function readPages(
  pdf: Uint8Array,
  tell: (page: PageLines) => void,
  most: Readonly<Record<keyof typeof PDF_LIMITS, number>> = PDF_LIMITS,
): Promise<LastMessage> {
  // Classes for drawing, which text does not need.
  for (const name of ["DOMMatrix", "ImageData", "Path2D"])
    (globalThis as Record<string, unknown>)[name] ??= class {}
  const worker = await import("pdfjs-dist/legacy/build/pdf.worker.mjs")
  Object.assign(globalThis, { pdfjsWorker: worker })
  const { getDocument, Util } = await import("pdfjs-dist/legacy/build/pdf.mjs")
  const task = getDocument({
    data: pdf,
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
  })
  const locked = new Promise<undefined>((resolve) => {
    task.onPassword = () => resolve(undefined)
  })
  const document = await Promise.race([task.promise, locked])
  if (!document) return { refused: "encrypted" }
  if (document.numPages > MAX_PAGES) return { refused: "long", pages: document.numPages }
  const all = { words: 0, letters: 0, lines: 0, pieces: 0 }
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { width, height, transform } = page.getViewport({ scale: 1 })
    const { items } = await page.getTextContent()
    const found = items.flatMap((item): TextItem[] => {
      if (!("str" in item) || item.str.trim() === "") return []
      const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = Util.transform(transform, item.transform) as number[]
      const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI)
      return [{ text: item.str, x, y, width: item.width, height: Math.hypot(c, d), turn }]
    })
    page.cleanup()
    all.pieces += items.length
    if (found.length > MAX_PIECES || all.pieces > most.pieces) return { refused: "dense" }
    const lines = toLines({ page: number, width, height, items: found })
    all.lines += lines.length
    for (const { phrases } of lines)
      for (const { words, text } of phrases) {
        all.words += words.length
        all.letters += text.length
      }
    if (all.words > most.words || all.letters > most.letters || all.lines > most.lines)
      return { refused: "dense" }
    tell({ page: number, pages: document.numPages, hasText: areLetters(found), lines })
  }
  return { done: true }
}

/** Whether texts are letters and figures: a font that does not name its letters has their places in the font instead. */
function areLetters(items: readonly TextItem[]): boolean {
  const all = items.map(({ text }) => text.replace(/\s/g, "")).join("")
  return all !== "" && (all.match(NO_LETTER)?.length ?? 0) * MAX_UNREADABLE < all.length
}

const NO_LETTER = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu
/** If one in this many letters is unreadable, so is the page. */
const MAX_UNREADABLE = 5
