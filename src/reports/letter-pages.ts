/** Writes documents for carriers with their evidence, as PDF, HTML or text: dispute letters and remittance advices. */
import path from "node:path"
import { FreightError } from "../base/errors.ts"
import { toFileName } from "../base/file-names.ts"
import { quoted } from "../base/parsed.ts"
import { formatDate, wallClockNow } from "../base/wall-clock.ts"
import {
  type Dispute,
  type DisputeBalance,
  findAccount,
  findSender,
  type LetterHead,
} from "../bills/index.ts"
import type { Page, PlainBlock } from "../output/index.ts"
import type { Asking, Ledgers, Memory, Services, Session } from "../session/index.ts"

type LetterFormat = "pdf" | "html" | "txt"

interface LetterWords {
  formats: string
  endings: readonly string[]
  /** The error for several documents without a folder. */
  several(count: number): string
  /** A command that lists them. */
  next?: string
  /** The file name for a document without a name. */
  unnamed: string
}

const LETTERS = {
  letter: {
    formats: "a letter is PDF, HTML or text: -o takes a name that ends in .pdf, .html or .txt",
    endings: ["pdf", "html", "txt"],
    several: (count) =>
      `these are ${count} bills, and a letter is about one: name one of them, or a folder with --dir`,
    next: "freight disputes",
    unnamed: "bill",
  },
  advice: {
    formats: "an advice is PDF, HTML, text or CSV: -o takes a name that ends in .pdf, .html, .txt or .csv",
    endings: ["pdf", "html", "txt", "csv"],
    several: (count) =>
      `these are payments to ${count} suppliers, and an advice is for one: name its bills, or a folder with --dir`,
    unnamed: "supplier",
  },
} as const satisfies Record<string, LetterWords>

type LetterKind = keyof typeof LETTERS

export interface LetterOptions {
  /** The file of the single letter, with its format by the ending; `-` is text on standard output. */
  output?: string
  /** The folder of all letters, as PDF. */
  dir?: string
  /** Name of the saved party that writes. */
  as?: string
  hasEvidence: boolean
  force: boolean
}

export interface Letter {
  /** The bill or the supplier: its file name in a folder. */
  name: string
  /** The party whose account it is about. */
  to: Pick<Dispute, "carrier" | "supplier">
  disputes: readonly Pick<DisputeBalance, "dispute">[]
  describe(head: LetterHead): Promise<Page<PlainBlock>> | Page<PlainBlock>
  /** For people: the text beside the file name. */
  saved: string
}

/** PDF in a folder, else the format of the file name's ending. */
export function chooseLetterFormat<Kind extends LetterKind>(
  kind: Kind,
  { output = "-", dir }: Pick<LetterOptions, "output" | "dir">,
): (typeof LETTERS)[Kind]["endings"][number] {
  if (dir !== undefined) return "pdf"
  const { endings, formats }: LetterWords = LETTERS[kind]
  const format = output === "-" ? "txt" : endings.find((each) => output.toLowerCase().endsWith(`.${each}`))
  if (format !== undefined) return format as (typeof LETTERS)[Kind]["endings"][number]
  throw new FreightError("usage", `${formats}, not ${output}`)
}

/**
 * Writes one letter into a file or to standard output, or each into a file of a folder.
 * @returns the file of each, `-` for standard output
 */
export async function writeLetterFiles(
  deps: Asking & Ledgers & Memory & Services & Session,
  kind: LetterKind,
  letters: readonly Letter[],
  format: LetterFormat,
  { output = "-", dir, as: party, hasEvidence, force }: LetterOptions,
): Promise<string[]> {
  const words: LetterWords = LETTERS[kind]
  if (dir === undefined && letters.length > 1)
    throw new FreightError("usage", words.several(letters.length), {
      hint: `They are ${letters.map(({ name }) => quoted(name)).join(", ")}.`,
      ...(words.next !== undefined && { next: words.next }),
    })
  const files = letters.map(({ name }) =>
    dir === undefined ? output : path.join(dir, `${toFileName(name, words.unnamed)}.pdf`),
  )
  if (dir !== undefined) for (const file of files) deps.outputs.check({ file, writes: "pdf", force })
  const from = await findSender(deps, party, kind)
  const day = formatDate(wallClockNow(deps.clock.now()))
  for (const [at, letter] of letters.entries()) {
    const file = files[at] ?? output
    const page = await letter.describe({ day, from, account: await findAccount(deps, letter.to, kind) })
    const evidence = hasEvidence ? await gatherPages(deps, letter.disputes) : []
    const written = await renderPages(page, evidence, format)
    if (file === "-") await deps.terminal.stdout.write(written)
    else {
      await deps.outputs.write(file, written)
      await deps.note(`Saved as ${file}${letter.saved}`)
    }
  }
  return files
}

/** @param evidence pages that follow it */
async function renderPages(
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

/** A page of evidence for each dispute. Evidence that cannot be collected is left out, with a warning. */
async function gatherPages(
  deps: Ledgers & Memory & Services & Session,
  open: readonly Pick<DisputeBalance, "dispute">[],
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
