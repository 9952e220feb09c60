/** Withdraws, changes or credits an invoice that was sent. */
import { type Flags, FORCE_FLAG, type OptionsOf, OUTPUT, readBy, wholeNumber } from "../../command/index.ts"
import { quoteBlanks } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { VERSION } from "../../base/version.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import { DEFAULT_ZONE } from "../../contract/index.ts"
import type { Deps } from "../../session/index.ts"
import { askForFile, askForRequest, makeCorrection } from "./request.ts"
import type { Chain } from "./chain.ts"
import type { Correction, SentInvoice } from "./correct.ts"
import { type CorrectionReport, createReport, describeCorrection } from "./report.ts"
import { examineCorrection, readSent } from "./sent.ts"
import { LINE_FORM, parseComments, parseLine, parseShipping, parseSome } from "../new/texts.ts"
import { parseLineChange, parseLineCredit, parseLineNumber } from "./line-texts.ts"
import { jsonText } from "../../output/index.ts"

export const CORRECTION_FLAGS = {
  cancel: {
    about: "withdraw the invoice: write it with the operation delete",
    conflicts: ["changeLine", "addLine", "removeLine", "shippingAmount", "credit", "creditLine"],
  },
  changeLine: {
    takes: "<n=line>",
    about: `change the line with this number: "2=3 x Lamp @ 18.50 tax 10 EA", or a part of it: "2=3 x", "2=@ 18.50", "2=tax 0" (repeatable)`,
    isRepeatable: true,
    read: readBy(parseLineChange),
    conflicts: ["credit", "creditLine"],
  },
  addLine: {
    takes: "<line>",
    about: `add a line, written as "${LINE_FORM}" (repeatable)`,
    isRepeatable: true,
    read: readBy(parseLine),
    conflicts: ["credit", "creditLine"],
  },
  removeLine: {
    takes: "<n>",
    about: "take out the line with this number (repeatable)",
    isRepeatable: true,
    read: readBy(parseLineNumber),
    conflicts: ["credit", "creditLine"],
  },
  set: {
    takes: "<field=value>",
    about:
      "set a field of the document by its path: dueDate=2026-12-20, lineItems.0.poLineReference=10 (repeatable); amounts are worked out",
    isRepeatable: true,
  },
  credit: { about: "write a credit memo for all of it", conflicts: "creditLine" },
  creditLine: {
    takes: "<n=quantity>",
    about: "write a credit memo for this line: 2, or 2=1 for one piece of line 2 (repeatable)",
    isRepeatable: true,
    read: readBy(parseLineCredit),
  },
  shippingAmount: {
    takes: "<amount>",
    about:
      "shipping before tax from now on, or with --credit-line what of it is given back: 12.50, or 12.50 tax 0",
    read: readBy(parseShipping),
    conflicts: "credit",
  },
  number: {
    takes: "<text>",
    about: "of a credit memo: its own number",
    needs: ["credit", "creditLine"],
    read: readBy(parseSome),
  },
  date: {
    takes: "<day>",
    about: "of a credit memo: its date (default: today in Sydney)",
    needs: ["credit", "creditLine"],
  },
  comments: {
    takes: "<text>",
    about: "a note to the buyer, such as the reason",
    read: readBy(parseComments),
  },
  register: {
    about:
      "compare with the invoices that were registered as sent: earlier cancellations, updates and credits; and register this one",
  },
  noRegister: { about: "do not compare and register, even if the profile says register = yes" },
  yes: { about: "do not ask before it is written, also where something is warned about" },
  output: { ...OUTPUT, about: "write the document to this file, or - for standard output (default: -)" },
  ...FORCE_FLAG,
  index: {
    takes: "<n>",
    about: "which document of several, counted from 0",
    read: wholeNumber(0, 999_999_999),
  },
} as const satisfies Flags

type Options = OptionsOf<typeof CORRECTION_FLAGS>

/** Shows the changes, and writes the document. */
export async function correctInvoice(deps: Deps, file: string, options: Options): Promise<undefined> {
  const { format, fields } = deps.output
  if (fields) throw new FreightError("usage", "a correction is written as JSON")
  const today = formatDate(wallClockNow(deps.clock.now(), DEFAULT_ZONE))
  const sent = await readSent(deps, file, options.index, today)
  const isAsking = deps.interactive && format === "table"
  const request = isAsking ? await askForRequest(sent, options, () => deps.prompt()) : options
  const correction = makeCorrection(sent, request, { userAgent: `freight-cli/${VERSION}`, today })
  const { document } = correction
  const text = `${jsonText(document, format === "ndjson" ? undefined : 2)}\n`
  const doubts = await examineCorrection(text, today)
  const chain = await openChain(deps, options, file, sent, correction)
  const objections = chain?.objections ?? []
  const report = createReport(sent, correction, chain?.credited)
  let target = options.output ?? "-"
  const isPiped = format === "table" && target === "-" && !(isAsking && deps.terminal.stdout.isTTY)
  const words = describeCorrection(report, deps.terminal.unicode)
  if (format === "table" && !isPiped) await deps.terminal.stdout.write(words)
  else if (format === "table" && !deps.globals.quiet) await deps.terminal.stderr.write(words)
  const isRefused = objections.length > 0 && !isAsking && options.yes !== true
  const warnings = [...(isRefused ? [] : objections), ...doubts]
  for (const warning of warnings) await deps.warn(warning)
  for (const note of correction.notes) await deps.note(note)
  if (isRefused)
    throw new FreightError("input", "the register speaks against it; nothing was written", {
      errors: objections.map((message) => ({ message })),
      hint: "If it is right, add --yes.",
    })
  if (isAsking && options.yes !== true) {
    const ask = await deps.prompt()
    if (!isPiped && target === "-") target = await askForFile(ask, deps.outputs, file, correction)
    const question = target === "-" ? "Write it?" : `Write it to ${target}?`
    if (!(await ask.confirm(question, objections.length === 0))) {
      await deps.note("Nothing was written.")
      return undefined
    }
  }
  const draft = target === "-" ? undefined : await deps.outputs.create(target)
  try {
    await draft?.write(text)
    // Before the document can be sent, the next desk knows of it.
    const registered = (await chain?.keep(draft ? target : "standard output")) ?? 0
    await draft?.keep()
    if (format !== "table") {
      const whole: CorrectionReport = { ...report, file: draft ? target : null, warnings, document }
      await deps.terminal.stdout.write(`${jsonText(whole, format === "json" ? 2 : undefined)}\n`)
    } else if (!draft) await deps.terminal.stdout.write(text)
    if (registered > 0) await deps.note(`${report.invoiceNumber} is registered as sent.`)
  } finally {
    await draft?.discard()
  }
  if (target !== "-") await deps.note(`Saved as ${target}: freight invoice show ${quoteBlanks(target)}`)
}

/** The entries of the register, if the flag or the profile asks for it. */
async function openChain(
  { settings, writeLedger, clock }: Deps,
  { register }: Options,
  file: string,
  sent: SentInvoice,
  { document }: Correction,
): Promise<Chain | undefined> {
  if (!(register ?? settings.value("register") === "yes")) return undefined
  const chains = await import("./chain.ts")
  const { store } = await writeLedger()
  return chains.openChain(store.database, () => clock.now(), { file, sent, document })
}
