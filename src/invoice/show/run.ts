/** Shows an invoice on the screen, or writes it as it is sent. */
import { counted } from "../../base/counted.ts"
import { EXIT, FreightError } from "../../base/errors.ts"
import { safeText } from "../../base/safe-text.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { OptionsOf } from "../../command/index.ts"
import { formatExcerpt, type JsonError } from "../../input/index.ts"
import { jsonText, type Logo, type Page, type PlainBlock } from "../../output/index.ts"
import type { Deps } from "../../session/index.ts"
import { chooseStage, describeDrafts, type DRAFT_FLAGS } from "../draft-flags.ts"
import { examineDocument } from "../examine.ts"
import { readKnownSuppliers } from "../known-suppliers.ts"
import { createReporter } from "../reporters/index.ts"
import { chooseIndex, readDocuments, refuseOtherRequest } from "../sources/one.ts"
import { isDraft } from "../violations.ts"
import { describeInvoice } from "./page.ts"
import { renderInvoice } from "./show.ts"

interface ShowOptions extends OptionsOf<typeof DRAFT_FLAGS> {
  /** A file for the invoice as it is sent: .pdf or .html. */
  output?: string
  /** A picture at its top. */
  logo?: string
  /** Which document of several, counted from 0. */
  index?: number
}

/**
 * @returns 1 when there is nothing to show, because the document is not JSON
 * @throws FreightError `usage` for a file of another ending, or a logo without a file; `input` for a file or a logo
 * that cannot be read, and for what is not an invoice
 */
export async function showInvoice(
  deps: Deps,
  file: string,
  options: ShowOptions,
): Promise<number | undefined> {
  const { terminal, output } = deps
  if (output.fields) throw new FreightError("usage", "an invoice is shown as a page, or as JSON with --json")
  const target = options.output === undefined ? undefined : parseTarget(options.output)
  if (options.logo !== undefined && !target)
    throw new FreightError("usage", "--logo is drawn on an invoice that is written: say where with -o")
  const logo = options.logo === undefined ? {} : { logo: await readLogoFile(deps, options.logo) }
  const { name, documents } = await readDocuments(deps, file)
  if ("error" in documents) return reportSyntaxError(deps, name, documents.error)
  const index = chooseIndex(documents, options.index, name)
  if (documents.several && options.index === undefined && documents.count > 1)
    await deps.note(`${name} holds ${documents.count} documents; this is the first: --index N shows another.`)

  const document = documents.read(index)
  const { syntaxError } = document
  if (syntaxError) return reportSyntaxError(deps, name, syntaxError, documents.text)
  refuseOtherRequest(document.value, file, name)
  const stage = chooseStage(options)
  const today = formatDate(wallClockNow(deps.clock.now()))
  const suppliers = await readKnownSuppliers(deps)
  const examine = { stage, accounting: true, strict: false, rules: {}, today, suppliers }
  if (target) {
    await writePaper(deps, { ...describeInvoice(document, "customer"), ...logo }, target)
    const errors = examineDocument(document, examine).filter(({ severity }) => severity === "error")
    if (errors.length > 0)
      await deps.warn(
        `it is not valid (${counted(errors.length, "error")}): fix it before you send ${target.file}`,
      )
    return
  }
  if (output.format !== "table") {
    await terminal.stdout.write(`${jsonText(document.value, output.format === "json" ? 2 : undefined)}\n`)
    return
  }
  const findings = examineDocument(document, examine)
  await terminal.stdout.write(renderInvoice(document, findings, getLayout(deps)))
  if (stage === "auto" && isDraft(document, stage)) await deps.note(describeDrafts(1, 1))
}

interface PaperFile {
  file: string
  kind: "pdf" | "html"
}

function parseTarget(file: string): PaperFile {
  const [, ending] = /\.(pdf|html?)$/i.exec(file) ?? []
  if (ending === undefined)
    throw new FreightError("usage", `-o takes a file whose name ends in .pdf or .html, not ${file}`)
  return { file, kind: /pdf/i.test(ending) ? "pdf" : "html" }
}

async function readLogoFile({ files }: Deps, file: string): Promise<Logo> {
  const { readLogo } = await import("../../output/pages/logo.ts")
  return readLogo(file, await files.read(file))
}

async function writePaper(deps: Deps, page: Page<PlainBlock>, { file, kind }: PaperFile): Promise<void> {
  if (kind === "html") {
    const { renderHtml } = await import("../../output/pages/html.ts")
    await deps.outputs.write(file, renderHtml(page))
    return await deps.note(`${file} is written.`)
  }
  const { renderPdf } = await import("../../output/pages/pdf.ts")
  const { pdf, undrawn } = await renderPdf(`${page.title} ${page.about}`, [page])
  await deps.outputs.write(file, pdf)
  await deps.note(`${file} is written.`)
  if (undrawn.length > 0) {
    const more = undrawn.length - MAX_UNDRAWN
    const named = `${undrawn.slice(0, MAX_UNDRAWN).join(" ")}${more > 0 ? ` and ${more} more` : ""}`
    await deps.warn(
      `a PDF has no letters for ${safeText(named, 100)}: "?" is in their place; a page (-o invoice.html) shows them`,
    )
  }
}

/** Characters named in a warning. */
const MAX_UNDRAWN = 10

/** The first error of a text that is not JSON, as `invoice validate` shows it. @param text where it can be shown */
async function reportSyntaxError(deps: Deps, file: string, error: JsonError, text?: string): Promise<number> {
  const { offset, ...shown } = error
  const finding = { severity: "error" as const, ...shown }
  const excerpted = text ? { ...finding, excerpt: formatExcerpt(text, offset) } : finding
  const reporter = await createReporter("table", getLayout(deps))
  for (const chunk of reporter.document({ file, valid: false, findings: [excerpted] }))
    await deps.terminal.stdout.write(chunk)
  await deps.note("It can be shown once it is JSON.")
  return EXIT.no
}

function getLayout({ terminal: { stdout, unicode } }: Deps) {
  return { colour: stdout.colour, unicode, columns: stdout.columns }
}
