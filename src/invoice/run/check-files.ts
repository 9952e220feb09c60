/** Checks the invoices in files and writes a report, after fixing them if requested. */
import { availableParallelism } from "node:os"
import { counted } from "../../base/counted.ts"
import { ClosedPipe, EXIT, FreightError } from "../../base/errors.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { Deps } from "../../session/index.ts"
import { chooseFormat } from "../../command/index.ts"
import {
  type Draft,
  isForPrograms,
  outlastReaders,
  type OutputStream,
  refuseKeyboard,
  type ReportLayout,
} from "../../output/index.ts"
import type { CheckSettings } from "../checked.ts"
import type { InputKind } from "../documents.ts"
import { chooseStage, describeDrafts } from "../draft-flags.ts"
import type { ExamineOptions, Reporter, Summary } from "../finding.ts"
import type { FixOptions } from "../fixes/fix-files.ts"
import { readKnownSuppliers } from "../known-suppliers.ts"
import { findInputs, lookAhead, STDIN, splitPaths } from "../sources/files.ts"
import type { Register } from "./register.ts"
import { createProgress, createSummary, writeReport } from "./report.ts"
import { getRuleSeverity, parseRuleLevels } from "./rule-levels.ts"
import { checkInputs } from "./run.ts"
import type { Notes } from "../../base/ports.ts"

/** The values of `--fix`; anything else behind it is a file to check. */
const TOTALS = "totals"

const FILE_COLUMNS = 100
/** One thread puts all in order, and cannot keep up with more. */
const USUAL_THREADS = 16
export const MAX_THREADS = 64
const REPEATED = "accounting/duplicate-invoice"

/** As the flags of `freight invoice validate` give it. */
interface CheckOptions {
  draft?: boolean
  complete?: boolean
  strict?: boolean
  /** Check sums, taxes and dates too. */
  accounting: boolean
  /** `ID=LEVEL`. */
  ruleLevel?: readonly string[]
  /** A file that lists the files to check; `-` is standard input. */
  filesFrom?: string
  output?: string
  input?: InputKind
  allowEmpty?: boolean
  jobs?: number
  /** True, `totals`, or a file to check. */
  fix?: string | true
  register?: boolean
  /** With `fix`: write without asking. */
  yes?: boolean
}

interface ReportKind {
  formats: readonly string[]
  /** Whether the report wants an overview of each document. */
  overviews: boolean
  createReporter(
    format: string,
    layout: ReportLayout,
    run: { isTerminal: boolean; areSeveral: boolean; warnings: readonly string[] },
  ): Promise<Reporter>
}

/** Which reports show fixes, and which do not count columns in characters. */
const PLACES: Readonly<Record<string, Pick<CheckSettings, "fixes" | "columns">>> = {
  json: { fixes: "edits" },
  ndjson: { fixes: "edits" },
  sarif: { fixes: "regions" },
  rdjson: { fixes: "joined", columns: "bytes" },
  html: { fixes: "edits" },
}

const ENDINGS: Readonly<Record<string, string>> = { htm: "html", xml: "junit" }

/**
 * Checks all inputs and writes a report.
 * @param words inputs: files, folders, patterns, `-`
 * @returns the exit code
 * @throws FreightError `usage` for contradictory options, and for nothing to check; `input` if an input cannot be read
 * and a program reads the report
 */
export async function checkFiles(
  deps: Deps,
  words: readonly string[],
  options: CheckOptions,
  kind: ReportKind,
): Promise<number> {
  if (deps.output.fields)
    throw new FreightError("usage", "--fields does not apply to what is found in invoices")
  const now = () => deps.clock.now()
  const examine: ExamineOptions = {
    stage: chooseStage(options),
    accounting: options.accounting,
    strict: options.strict === true,
    rules: options.ruleLevel ? await parseRuleLevels(options.ruleLevel) : {},
    today: formatDate(wallClockNow(now())),
    suppliers: await readKnownSuppliers(deps),
  }
  const { fix } = options
  const given = typeof fix === "string" && fix !== TOTALS ? [fix, ...words] : words
  const named = [...given, ...(await readFileList(deps, given, options.filesFrom))]
  const target = options.output === STDIN ? undefined : options.output
  const format = chooseFormat(deps, target, kind.formats, ENDINGS)
  const fixed =
    fix === undefined
      ? undefined
      : await fixFirst(deps, named, target, {
          ...{ examine, totals: fix === TOTALS, input: options.input },
          ...{ yes: options.yes === true, isTable: format === "table" },
        })
  const register = (await isRegistering(deps, options, kind)) ? await openRegister(deps, examine) : undefined
  // The registered steps do not depend on who reads the report.
  const outlasting = register && outlastReaders(deps.terminal)
  const terminal = outlasting?.terminal ?? deps.terminal
  const stdout = fixed ? deps.reports : terminal.stdout
  const repeated = getRuleSeverity(REPEATED, examine)
  const { inputs, areSeveral } = lookAhead(await findInputs(named, target))
  const parts = checkInputs(inputs, {
    check: {
      ...{ examine, input: options.input, ...chooseDetails(kind, format) },
      numbers: repeated !== undefined || register !== undefined || kind.overviews,
      ...((register || kind.overviews) && { steps: true }),
    },
    jobs: options.jobs ?? Math.min(availableParallelism(), USUAL_THREADS),
    stdin: (signal) => (fixed ? toStream(fixed) : terminal.stdin.chunks(signal)),
    clock: deps.clock,
    signal: deps.signal,
  })
  const draft = target === undefined ? undefined : await deps.outputs.create(target)
  const summary = createSummary()
  try {
    const whole = await kind.createReporter(format, chooseLayout(deps, stdout, draft), {
      isTerminal: !draft && stdout.isTTY,
      areSeveral,
      warnings: deps.warnings,
    })
    const reporter = deps.output.isHeadless && format === "csv" ? { ...whole, begin: () => "" } : whole
    await writeReport(parts, {
      ...{ summary, reporter, now, repeated, register },
      write: (text) => (draft ?? stdout).write(text),
      allowEmpty: options.allowEmpty === true,
      progress:
        terminal.stderr.isTTY && !deps.globals.quiet ? createProgress(terminal.stderr, now) : undefined,
    })
    for await (const piece of reporter.rest?.() ?? []) await (draft ?? stdout).write(piece)
    await draft?.keep()
    if (register) await noteRegistered(deps, await register.keep())
    const outputError = outlasting?.getOutputError()
    if (outputError !== undefined) throw outputError
    return await conclude(deps, summary, { toFile: draft !== undefined, stage: examine.stage, ...options })
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error
    return summary.invalid > 0 ? EXIT.no : EXIT.closedPipe
  } finally {
    await draft?.discard()
  }
}

function chooseDetails({ overviews }: ReportKind, format: string) {
  const isForPeople = format === "table" || format === "html"
  return {
    excerpts: isForPeople && !overviews,
    overviews: overviews ? ("all" as const) : isForPeople ? ("found" as const) : undefined,
    ...(overviews ? undefined : PLACES[format]),
  }
}

async function openRegister(
  { writeLedger, clock }: Pick<Deps, "writeLedger" | "clock">,
  examine: ExamineOptions,
): Promise<Register> {
  const { createRegister } = await import("./register.ts")
  const { store } = await writeLedger()
  return createRegister(
    store.database,
    (rule) => getRuleSeverity(rule, examine),
    () => clock.now(),
  )
}

async function noteRegistered({ note }: Notes, registered: number): Promise<void> {
  await note(
    registered === 0
      ? "No new invoice was registered."
      : `${counted(registered, "invoice")} registered: freight warns when a number comes again.`,
  )
}

/**
 * Fixes the inputs before the check.
 * @returns the fixed standard input, if that is checked: it was written to standard output
 */
async function fixFirst(
  deps: Deps,
  named: readonly string[],
  target: string | undefined,
  options: FixOptions & { isTable: boolean },
): Promise<Uint8Array | undefined> {
  if (options.totals && !options.examine.accounting)
    throw new FreightError("usage", "--fix=totals needs the rules of accounting: leave out --no-accounting")
  const { fixInvoices, fixStream } = await import("../fixes/fix-files.ts")
  if (!named.includes(STDIN)) {
    await fixInvoices(deps, await findInputs(named, target), options)
    return undefined
  }
  if (named.length > 1)
    throw new FreightError("usage", "--fix takes either files or standard input, not both")
  if (target === undefined && !options.isTable)
    throw new FreightError("usage", "with --fix -, standard output is the fixed document", {
      hint: "Write the report to a file: -o report.json",
    })
  return fixStream(deps, options)
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** By the flag, or by the profile; settings that cannot be read do not keep anybody from checking. A list registers nothing. */
async function isRegistering(
  { settings, warn }: Pick<Deps, "settings" | "warn">,
  { register }: CheckOptions,
  { overviews }: ReportKind,
): Promise<boolean> {
  if (overviews) return false
  if (register !== undefined) return register
  try {
    return settings.value("register") === "yes"
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    await warn(`nothing is registered: ${error.message}`)
    return false
  }
}

/** A file is read on other screens than this one. */
function chooseLayout(
  { terminal, env }: Pick<Deps, "terminal" | "env">,
  { colour, columns }: OutputStream,
  draft: Draft | undefined,
): ReportLayout {
  const checkout = env.GITHUB_WORKSPACE || undefined
  if (draft) return { colour: false, unicode: true, columns: FILE_COLUMNS, checkout }
  return { colour, unicode: terminal.unicode, columns, checkout }
}

/** Notes what the report does not show. @returns the exit code */
async function conclude(
  { note, warn, output }: Pick<Deps, "note" | "warn" | "output">,
  summary: Summary,
  { toFile, stage, allowEmpty }: { toFile: boolean; stage: ExamineOptions["stage"]; allowEmpty?: boolean },
): Promise<number> {
  const { documents, empty, valid, invalid, unreadable, uncompared, replaced } = summary
  if (toFile) await note(`documents: ${documents}, valid: ${valid}, not valid: ${invalid}`)
  if (stage === "auto" && summary.drafts > 0) await note(describeDrafts(summary.drafts, documents))
  const isUnread = unreadable.length > 0 || (documents === empty && !allowEmpty)
  const isError = isUnread && isForPrograms(output.format)
  // A table on standard output names them itself.
  if (toFile || output.format !== "table") {
    for (const { file, reason } of isError ? [] : unreadable) await warn(`cannot read ${file}: ${reason}`)
    for (const text of replaced?.notes ?? []) await note(text)
  }
  if (uncompared)
    await warn("there are too many invoices: only the numbers of the first were compared with each other")
  if (isError) throw createUnreadError(unreadable)
  if (isUnread) return EXIT.wrongInput
  return invalid > 0 ? EXIT.no : EXIT.done
}

/** Programs read why it ended so in the last line of standard error. */
function createUnreadError(unreadable: Summary["unreadable"]): FreightError {
  const errors = unreadable.map(({ file, reason }) => ({
    target: file,
    message: `cannot read ${file}: ${reason}`,
  }))
  const [first, ...others] = errors
  if (!first) return new FreightError("input", "there is no invoice in what was given")
  if (others.length === 0) return new FreightError("input", first.message)
  return new FreightError("input", `${counted(errors.length, "file")} cannot be read`, { errors })
}

/** The files that `--files-from` names. */
async function readFileList(
  { terminal: { stdin }, files }: Pick<Deps, "terminal" | "files">,
  words: readonly string[],
  from: string | undefined,
): Promise<string[]> {
  if (from === undefined && words.length === 0)
    throw new FreightError("usage", "there is nothing to check: name files or folders", {
      hint: "Or - for standard input: freight invoice validate - < invoice.json",
    })
  const list = from !== undefined && from !== STDIN ? splitPaths(await files.read(from)) : []
  const reads = [...words, ...list, from].filter((word) => word === STDIN).length
  if (reads > 1) throw readTwice()
  if (reads > 0) refuseKeyboard(stdin, "pipe something in, or name files")
  if (from !== STDIN) return list
  const piped = splitPaths(await stdin.readAll())
  if (piped.includes(STDIN)) throw readTwice()
  return piped
}

function readTwice(): FreightError {
  return new FreightError("usage", "standard input can be read once only: give one -")
}
