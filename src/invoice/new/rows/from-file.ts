/** `freight invoice new --lines-from`: the lines of invoices from a CSV file or workbook. */
import { askAboutColumns, chooseBy, type OptionsOf, type SHEET_FLAGS } from "../../../command/index.ts"
import { quoteBlanks } from "../../../base/command-line.ts"
import { counted } from "../../../base/counted.ts"
import { quoted } from "../../../base/parsed.ts"
import type { Asking, Session } from "../../../session/index.ts"
import { FreightError } from "../../../base/errors.ts"
import { formatMoney, toAmount, ZERO } from "../../accounting/amounts.ts"
import type { InvoiceTexts, KnownParts, OfferedParties } from "../ask.ts"
import { NAME_BUYER } from "../draft.ts"
import { type Party, pickParty } from "../parties.ts"
import { gatherInvoices, writeDrafts } from "./invoices.ts"
import { readInvoiceRows } from "./read.ts"
import { saveDrafts } from "./save.ts"
import { createRowsReport, fileSource, openSheet, placeOf, type TextSource } from "../../../input/index.ts"
import { type Column, jsonText, limited, print, refuseKeyboard } from "../../../output/index.ts"
import { VERSION } from "../../../base/version.ts"

export interface RowsFileOptions extends InvoiceTexts, OptionsOf<typeof SHEET_FLAGS> {
  from: string
  per?: string
  map?: readonly string[]
  ignoreUnknown?: boolean
  output?: string
  force?: boolean
}

export interface SavedDraft {
  invoiceNumber: string
  lines: number
  amountExGst: number
  gst: number
  dueAmount: number
  file: string
}

const money = (value: number) => formatMoney(toAmount(value) ?? ZERO)

const columns: Column<SavedDraft>[] = [
  { key: "invoiceNumber", title: "INVOICE", gives: "nothing" },
  { key: "lines", title: "LINES", align: "right" },
  {
    key: "dueAmount",
    title: "DUE",
    align: "right",
    isMoney: true,
    show: ({ dueAmount }) => money(dueAmount),
  },
  {
    key: "taxAmount",
    title: "GST",
    align: "right",
    isMoney: true,
    value: ({ gst }) => gst,
    show: ({ gst }) => money(gst),
  },
  {
    key: "subtotal",
    title: "EX GST",
    hidden: true,
    isMoney: true,
    value: ({ amountExGst }) => amountExGst,
  },
  { key: "file", title: "FILE" },
]

/** Several invoices need a folder. */
export function checkFolder({ per, output = "-" }: Pick<Partial<RowsFileOptions>, "per" | "output">): void {
  if (per !== undefined && /\.(?:json|ndjson|jsonl|csv)$/i.test(output))
    throw new FreightError(
      "usage",
      `--per writes a file for each invoice, and ${quoted(output)} is not a folder`,
      {
        hint: "-o FOLDER writes into a folder; without -o, all go to standard output as one list, or a line each with --format ndjson.",
      },
    )
}

/**
 * Makes a draft from the rows, or several with `--per`; checks all before it writes one.
 * @param found the parties to offer, and the data of one invoice's shipments
 * @param target checks and saves the one draft for a file or standard output
 */
export async function newInvoicesFromRows(
  deps: Asking & Session,
  options: RowsFileOptions,
  today: string,
  found: { parties: OfferedParties; known: KnownParts },
  target: (text: string) => Promise<void>,
): Promise<Party> {
  const { from, per, ignoreUnknown = false, output = "-", force = false } = options
  const { format } = deps.output
  const isList = per !== undefined && output === "-"
  const sheet = await openSheet(openRows(deps, from), chooseBy(deps, options))
  const source = await askAboutColumns(deps, { map: [...(options.map ?? [])] }, [], ({ map }) =>
    readInvoiceRows(sheet, {
      map,
      per,
      ignoreUnknown,
      nowMs: deps.clock.now(),
      signal: deps.signal,
      tell: deps.note,
    }),
  )
  const { known, parties } = found
  const person = deps.interactive ? { prompt: () => deps.prompt(), parties } : undefined
  const { invoices, isTaxAssumed } = await gatherInvoices(source, options, today, person, known)
  const report = createRowsReport()
  for (const finding of source.findings)
    if (finding.severity !== "error") report.add({ row: finding.row, findings: [finding] })
  for (const finding of report.list()) await deps.warn(`${placeOf(finding)}: ${finding.message}`)
  if (isTaxAssumed) await deps.note(`${source.name}: no column is the tax, so each line gets 10% GST`)
  const isCompact = format === "ndjson" && (isList || per === undefined)
  const drafts = writeDrafts(source, invoices, `freight-cli/${VERSION}`, (draft) =>
    jsonText(draft, isCompact ? undefined : 2),
  )
  for (const { draft, doubts } of drafts)
    for (const { message, hint } of doubts)
      await deps.warn(`invoice ${quoted(draft.data.invoiceNumber)}: ${message}${hint ? `: ${hint}` : ""}`)
  const nameless = drafts.filter(({ isNameless }) => isNameless)
  if (nameless.length > 0) {
    const [first = ""] = nameless.map(({ draft }) => draft.data.invoiceNumber)
    const more = nameless.length > 1 ? ` and ${nameless.length - 1} more` : ""
    await deps.warn(
      `invoice ${quoted(first)}${more}: a tax invoice of $1,000 or more names the buyer: ${NAME_BUYER}`,
    )
  }
  if (per === undefined) await target(`${drafts[0]?.text}\n`)
  else if (isList) {
    const texts = drafts.map(({ text }) => text)
    const list = isCompact
      ? texts.join("\n")
      : jsonText(
          drafts.map(({ draft }) => draft),
          2,
        )
    await deps.terminal.stdout.write(`${list}\n`)
  } else {
    const files = await saveDrafts(
      deps.files,
      output,
      drafts.map(({ draft, text }) => ({ number: draft.data.invoiceNumber, text: `${text}\n` })),
      force,
      deps.signal,
    )
    const saved = drafts.map(({ draft: { data } }, index): SavedDraft => {
      const { subtotal, taxAmount, dueAmount } = data.invoiceSummary
      const { invoiceNumber, lineItems } = data
      const file = files[index] ?? ""
      return {
        invoiceNumber,
        lines: lineItems.length,
        amountExGst: subtotal,
        gst: taxAmount,
        dueAmount,
        file,
      }
    })
    await print(deps, { rows: saved, columns })
    await deps.note(
      `Saved ${counted(saved.length, "draft")} in ${output}: freight invoice validate ${quoteBlanks(output)}`,
    )
  }
  const { billTo: _, shipTo: __, supplierAddress: ___, ...parts } = invoices.at(-1)?.parts ?? {}
  const { supplierAddress } = options
  return pickParty({ ...parts, ...(supplierAddress !== undefined && { supplierAddress }) })
}

function openRows({ terminal, signal }: Asking & Session, from: string): TextSource {
  const source =
    from === "-"
      ? { name: "standard input", chunks: () => terminal.stdin.chunks(signal) }
      : fileSource(from, signal)
  if (from === "-") refuseKeyboard(terminal.stdin, "pipe the rows in, or name a file")
  return { name: source.name, chunks: () => limited(source.name, source.chunks()) }
}
