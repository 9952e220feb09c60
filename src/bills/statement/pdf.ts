/** Reads a statement of account from a PDF: rows by position, proven by the stated balance. */
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { formatCents } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import {
  createPdfStep,
  type Line,
  type Mapping,
  type Meaning,
  namesAccount,
  saysClosing,
  saysOpening,
  type TableInput,
} from "../../input/index.ts"
import type { ReadOptions } from "../open.ts"
import type { BillField } from "../reading/columns.ts"
import { type HeadingReader, rememberMeanings } from "../reading/pdf/headings.ts"
import { listFactCells } from "../reading/pdf/invoices.ts"
import { readPdfLines, toInput } from "../reading/pdf/open.ts"
import { isTotalLabel, listAmounts } from "../reading/pdf/stated.ts"
import { findRegions, joinTables } from "../reading/pdf/tables.ts"
import { readCents } from "../reading/row.ts"
import type { StatementField, StatementLine } from "./columns.ts"

/** A payment is a row of a statement; earlier and current balances are not. */
const isNoRow = (label: string) =>
  namesAccount(label) && (saysOpening(label) || /\bclosing\b|\bdue\b/i.test(label))

export interface PdfStatement {
  tables: readonly TableInput[]
  /** Refuses rows that do not add up to the stated sum, and a statement without one. */
  prove(rows: readonly StatementLine[], total: TotalChoices): Promise<void>
}

export interface TotalChoices {
  /** `--total`, in cents. */
  total?: number | undefined
  askTotal?: ((question: string) => Promise<number>) | undefined
}

export async function openStatementPdf(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping<StatementField>,
  reading: Pick<ReadOptions, "signal" | "readPages" | "showPage">,
): Promise<PdfStatement> {
  const lines = await readPdfLines(name, chunks, reading)
  const step = createPdfStep(name, reading.signal)
  const { regions } = await findRegions(lines, rememberMeanings(toReader(mapping)), step)
  const tables = await joinTables(name, regions, { stopsAtTotal: false, isNoRow }, step)
  if (tables.length === 0)
    throw new FreightError("input", `${name}: freight finds no list of invoices in this PDF`, {
      hint: "It looks for a line of headings with the number of an invoice and its amount, and rows below them. --map COLUMN=FIELD says what a heading means.",
    })
  const keyOf = ({ page, line }: Pick<Line, "page" | "line">) => `${page} ${line}`
  const rows = new Set(
    tables.flatMap((table) => table.rows.filter(({ is }) => is === "row").map((row) => keyOf(row))),
  )
  const facts = lines
    .filter((line) => !rows.has(keyOf(line)))
    .flatMap((line, at) =>
      listFactCells(line, lines[at + 1]).map((cells) => ({ page: line.page, line: line.line, cells })),
    )
  const stated = listStated(lines, (line) => rows.has(keyOf(line)))
  return {
    tables: tables.map((table) =>
      toInput({ facts }, { ...table, rows: table.rows.filter(({ is }) => is === "row") }),
    ),
    async prove(read, { total, askTotal }) {
      const openings = [0, ...stated.filter(({ isOpening }) => isOpening).map(({ cents }) => cents)]
      const asked = read.reduce((sum, { cents }) => sum + cents, 0)
      const open = asked - read.reduce((sum, { paidCents = 0 }) => sum + paidCents, 0)
      const isProven = (cents: number) =>
        openings.some((before) => cents - before === asked || cents - before === open)
      const closing = stated.filter(({ isOpening }) => !isOpening)
      if (closing.some(({ cents }) => isProven(cents))) return
      const many = counted(read.length, "row")
      const hint = { hint: "Compare them with the page; or ask the carrier for a spreadsheet." }
      const [last] = closing.slice(-1)
      if (last && total === undefined)
        throw new FreightError(
          "input",
          `${name}, page ${last.page}, line ${last.line}: ${quoted(last.label)} is ${formatCents(last.cents)}, and the ${many} that freight reads come to ${formatCents(open)}; nothing was compared`,
          hint,
        )
      const what = `${name} states no balance of its invoices`
      const said =
        total ??
        (await askTotal?.(`${what}. freight reads ${many}. What do they come to by the carrier, in dollars?`))
      if (said === undefined)
        throw new FreightError("input", `${what}, so that nothing proves its ${many}`, {
          hint: "Say what they come to: --total 1234.56.",
        })
      if (!isProven(said))
        throw new FreightError(
          "input",
          `${name}: the ${many} that freight reads come to ${formatCents(open)}, not to ${formatCents(said)}; nothing was compared`,
          hint,
        )
    },
  }
}

function toReader({ meaning }: Mapping<StatementField>): HeadingReader {
  return {
    meaning(heading) {
      const said = meaning(heading)
      if (!("field" in said) || !said.field) return said as Meaning<BillField>
      const { name, kind } = said.field
      const holds = kind === "money" ? "total" : name === "number" ? "name" : undefined
      return { field: { ...said.field, holds } as unknown as BillField }
    },
  }
}

function listStated(lines: readonly Line[], isRow: (line: Line) => boolean) {
  return lines.flatMap((line, at) => {
    const above = lines[at - 1]
    const amounts = isRow(line) ? [] : listAmounts(line, above?.page === line.page ? above : undefined)
    return amounts.flatMap(({ label, amount }) => {
      const cents = readCents(amount.text)
      const isOpening = saysOpening(label)
      const counts = isOpening || saysClosing(label) || isTotalLabel(label)
      return typeof cents === "number" && counts
        ? [{ label, cents, isOpening, page: line.page, line: line.line }]
        : []
    })
  })
}
