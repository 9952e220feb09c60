/** Makes the draft of an invoice from the input and from answers, and writes it. */
import path from "node:path"
import { quoteBlanks } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { VERSION } from "../../base/version.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import { DEFAULT_ZONE, inWords } from "../../contract/index.ts"
import { saveUnderName } from "../../machine/index.ts"
import { jsonText } from "../../output/index.ts"
import type { Deps } from "../../session/index.ts"
import { CREDITS } from "../kind.ts"
import {
  askForMissing,
  type InvoiceTexts,
  type KnownParts,
  mergeParty,
  type OfferedParties,
  readInvoice,
  readTexts,
} from "./ask.ts"
import { createDraft, examineDraft, type InvoiceDraft, NAME_BUYER, NO_REASON } from "./draft.ts"
import { findParty, keepLastParties, listParties, readLastParties, ROLES } from "./parties.ts"
import { checkFolder, newInvoicesFromRows, type RowsFileOptions } from "./rows/from-file.ts"

interface NewInvoiceOptions extends Omit<RowsFileOptions, "from"> {
  supplier?: string
  customer?: string
  /** A file with the lines; without it, they are texts. */
  linesFrom?: string
}

/**
 * Writes a draft, or several with `per`. It is checked completely before: a draft from here has no findings.
 * @param readShipments reads the data of the billed shipments; called once the typed texts are validated
 * @throws FreightError `usage` for parts that are missing, `input` for one that is not right, or listing what would be
 * invalid; nothing was written
 */
export async function writeNewInvoice(
  deps: Deps,
  options: NewInvoiceOptions,
  readShipments: () => Promise<KnownParts>,
): Promise<void> {
  const { output: file = "-", linesFrom: from } = options
  checkFolder(options)
  const isFolder = options.per !== undefined && file !== "-"
  if (!isFolder && deps.output.fields) throw new FreightError("usage", "an invoice is written as JSON")
  const today = formatDate(wallClockNow(deps.clock.now(), DEFAULT_ZONE))
  const last = path.join(deps.stateDir, "parties.json")
  const saved = ROLES.flatMap((role) =>
    options[role] === undefined ? [] : findParty(deps.config, options[role], role),
  )
  // Rows may have the date that a day of payment is judged by.
  if (from === undefined) await judgeTexts(deps, options, today)
  const known = await readShipments()
  const given = saved.reduce<InvoiceTexts>((texts, party) => mergeParty(texts, party, known), options)
  const parties = await offerParties(deps, last)
  if (from !== undefined) {
    const all = { ...options, ...given, from }
    const write = (text: string) => save(deps, file, text)
    await keepLastParties(last, await newInvoicesFromRows(deps, all, today, { parties, known }, write))
    return
  }
  const texts = deps.interactive
    ? await askForMissing(given, today, () => deps.prompt(), parties, known)
    : given
  const invoice = createDraft(readInvoice(texts, today, known), `freight-cli/${VERSION}`)
  const text = `${jsonText(invoice, deps.output.format === "ndjson" ? undefined : 2)}\n`
  const { wrong, ...open } = examineDraft(text)
  if (wrong.length > 0)
    throw new FreightError("input", "the invoice would not be valid; nothing was written", {
      errors: wrong.map((finding) => ({ message: inWords(finding) })),
    })
  await keepLastParties(last, texts)
  await save(deps, file, text)
  await tellOpen(deps, invoice, open, options)
}

async function judgeTexts(deps: Pick<Deps, "warn">, options: InvoiceTexts, today: string): Promise<void> {
  readTexts(options, today)
  if (options.purpose === "standard" && options.refersTo !== undefined)
    await deps.warn("--refers-to is for memos, and this is an invoice: --purpose creditMemo or debitMemo")
}

async function tellOpen(
  { note, warn }: Pick<Deps, "note" | "warn">,
  { data }: InvoiceDraft,
  { doubts, nameless }: Omit<ReturnType<typeof examineDraft>, "wrong">,
  { bsb, terms, remitTo, output = "-" }: NewInvoiceOptions,
): Promise<void> {
  if (data.purpose !== "standard" && data.comments === undefined) await note(NO_REASON)
  for (const doubt of doubts) await warn(inWords(doubt))
  if (nameless) await warn(`${nameless.message}: ${NAME_BUYER}`)
  const isPayable = !CREDITS.has(data.purpose)
  if (!isPayable && (bsb ?? terms ?? remitTo) !== undefined)
    await warn("a credit note asks for no payment: where to pay and the terms are left out")
  if (isPayable && !data.remitTo && output !== "-")
    await note("It does not say where to pay: --bsb and --account-number do, or a saved supplier.")
}

async function save(
  { terminal, outputs, note }: Pick<Deps, "terminal" | "outputs" | "note">,
  file: string,
  text: string,
): Promise<void> {
  if (file === "-") {
    await terminal.stdout.write(text)
    return
  }
  await outputs.write(file, text)
  await note(`Saved as ${file}: freight invoice show ${quoteBlanks(file)}`)
}

async function offerParties(
  { config, note, warn }: Pick<Deps, "config" | "note" | "warn">,
  last: string,
): Promise<OfferedParties> {
  return {
    saved: { supplier: listParties(config, "supplier"), customer: listParties(config, "customer") },
    last: await readLastParties(last),
    listTaken: () => Object.keys(config.read().parties ?? {}),
    async save(name, party) {
      try {
        await saveUnderName(config, "parties", [name, { ...party }], {})
        await note(`Saved as ${name}.`)
      } catch (error) {
        // The invoice goes on, and is not typed again.
        if (!(error instanceof FreightError)) throw error
        await warn(`not saved: ${error.message}`)
      }
    },
  }
}
