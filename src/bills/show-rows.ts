/** Prints the rows of a PDF as they are read, for a person to compare with the page or take into a spreadsheet. */
import type { Session } from "../session/index.ts"
import type { OutputTarget } from "../command/index.ts"
import { FreightError } from "../base/errors.ts"
import type { Input } from "../invoice/index.ts"
import { type Column, print } from "../output/index.ts"
import type { ReadOptions } from "./open.ts"
import { findSource } from "./source.ts"
import { readPdfRows, refuseSheetFlags, type ShownRow } from "./reading/pdf/open.ts"

type Row = ShownRow & { file: string }

/** A row for programs: its cells by their headings. */
export interface PdfRow extends Pick<Row, "file" | "page" | "line"> {
  billNumber: string | null
  cells: Record<string, string>
  /** Why it cannot be read. */
  refused: string | null
}

/**
 * Prints the rows of PDFs with the maps that an audit uses; also rows that cannot be read, with the reason.
 * @throws FreightError `input` for a file that is not a PDF, or cannot be read; `usage` for flags of spreadsheets; once
 * all are printed, `input` for the first unreadable row
 */
export async function printPdfRows(
  deps: Session,
  { stdout, output }: OutputTarget,
  inputs: Iterable<Input>,
  reading: ReadOptions,
): Promise<void> {
  const { terminal } = deps
  const rows: Row[] = []
  const headings: string[] = []
  for (const { file, unreadable } of inputs) {
    if (unreadable !== undefined) throw new FreightError("input", `cannot read ${file}: ${unreadable}`)
    const { name, chunks } = findSource(file, reading)
    refuseSheetFlags(name, reading.choices)
    const found = await readPdfRows(name, chunks(), reading)
    for (const each of found) rows.push({ ...each, file: name })
  }
  for (const { cells } of rows)
    for (const [heading] of cells) if (!headings.includes(heading)) headings.push(heading)
  const columns: Column<Row>[] = [
    { key: "file", title: "FILE", hidden: true },
    { key: "invoice", title: "INVOICE" },
    { key: "page", title: "PAGE", align: "right" },
    { key: "line", title: "LINE", align: "right" },
    ...headings.map((heading): Column<Row> => {
      return {
        key: heading,
        title: heading,
        value: (row) => toCell(row.cells.find(([name]) => name === heading)?.[1] ?? ""),
      }
    }),
  ]
  const [refused] = rows.flatMap(({ refusal }) => refusal ?? [])
  if (refused)
    columns.push({ key: "refused", title: "CANNOT BE READ", value: ({ refusal }) => refusal?.reason ?? "" })
  const items = rows.map(
    ({ file, invoice, page, line, cells, refusal }): PdfRow => ({
      file,
      billNumber: invoice || null,
      page,
      line,
      cells: Object.fromEntries(cells),
      refused: refusal?.reason ?? null,
    }),
  )
  await print(
    { terminal: { ...terminal, stdout }, output, warnings: deps.warnings },
    { rows, columns, items },
  )
  if (refused) throw refused.error
}

/** A credit stays a number: as text with a leading minus it would be escaped as a formula. */
function toCell(text: string): string | number {
  return /^-\d[\d,]*\.\d\d$/.test(text) ? Number(text.replaceAll(",", "")) : text
}
