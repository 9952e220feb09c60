/** `freight invoice validate` and `freight invoice list`: checks invoices and reports on them. */
import { availableParallelism } from "node:os"
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { counted } from "../base/counted.ts"
import { formatDate, wallClockNow } from "../base/wall-clock.ts"
import { suggest } from "../base/suggest.ts"
import type { Asking, Ledgers, Memory, Session } from "../command/deps.ts"
import { ClosedPipe, EXIT, FreightError } from "../base/errors.ts"
import type { CheckSettings } from "../invoice/checked.ts"
import type { ExamineOptions, Reporter, Severity, Summary } from "../invoice/finding.ts"
import { createReporter, REPORT_FORMATS } from "../invoice/reporters/index.ts"
import { createProgress, createSummary, writeReport } from "../invoice/run/report.ts"
import type { ReportLayout } from "../output/pages/layout.ts"
import { checkInputs } from "../invoice/run/run.ts"
import { findInputs, lookAhead, STDIN, splitPaths } from "../invoice/sources/files.ts"
import type { Draft } from "../output/terminal/files.ts"
import { isForPrograms } from "../output/terminal/messages.ts"
import { type OutputStream, outlastReaders, refuseKeyboard } from "../output/terminal/terminal.ts"
import type { Format } from "../output/terminal/view.ts"
import { chooseStage, DRAFT_FLAGS, describeDrafts } from "../invoice/draft-flags.ts"
import { readKnownSuppliers } from "../invoice/known-suppliers.ts"
import type { FixOptions } from "../invoice/fixes/fix-files.ts"
import { FORCE_FLAG, OUTPUT, wholeNumber } from "../command/flags.ts"
import { chooseFormat } from "../command/output-file.ts"

type Needs = Asking & Ledgers & Memory & Session

/** What `--fix` may be given; anything else behind it is a file to check. */
const TOTALS = "totals"

const FILE_COLUMNS = 100
/** One thread puts all in order, and cannot keep up with more. */
const USUAL_THREADS = 16
const MOST_THREADS = 64
const REPEATED = "accounting/duplicate-invoice"

/** The inputs of a check, and how strict it is. */
const CHECK_FLAGS = {
  ...DRAFT_FLAGS,
  strict: { about: "treat warnings as errors" },
  noAccounting: { about: "check the contract only, not sums, taxes and dates" },
  rule: {
    takes: "<id=level>",
    about: "turn a rule of accounting off, or make it a warning or an error",
    isRepeatable: true,
  },
  filesFrom: {
    takes: "<file>",
    about: "the files to check, one a line or separated by NUL; - for standard input",
    isInput: true,
  },
  output: { ...OUTPUT, about: "write the report to a file", writes: "report" },
  ...FORCE_FLAG,
  input: {
    takes: "<kind>",
    about:
      "json: each input is one document or a list; ndjson: a document on each line (default: by file name and content)",
    choices: ["json", "ndjson"],
  },
  allowEmpty: { about: "accept inputs that hold no invoice" },
  jobs: {
    takes: "<n>",
    about: "maximum number of threads (default: one for each core, up to 16)",
    read: wholeNumber(1, MOST_THREADS, " of threads"),
  },
} as const satisfies Flags

const VALIDATE_FLAGS = {
  ...CHECK_FLAGS,
  fix: {
    takes: "[what]",
    about:
      "fix, in the files, what has only one right answer; --fix=totals also works out totals from the lines",
  },
  register: {
    about: "remember valid invoices as sent, and warn when a later run has the same number",
  },
  noRegister: { about: "do not register, even if the profile says register = yes" },
  yes: { about: "with --fix: write without asking", needs: "fix" },
} as const satisfies Flags

type CheckOptions = OptionsOf<typeof VALIDATE_FLAGS>

const INPUTS = {
  takes: "[file...]",
  about: "files, folders, patterns such as 'in/**/*.json', or - for standard input",
  isInput: true,
} as const

const EXIT_CODES = `Exit code: 0 all are valid, 1 some are not, 2 an input could not be read or has no invoice in it,
141 nobody reads the output any more, and no error was found until then.`

export const validate = command({
  about:
    "Checks invoices against the contract, and their sums, taxes and dates as an accountant would. Errors break the contract; warnings are worth a look, and leave an invoice valid.",
  args: [INPUTS],
  flags: VALIDATE_FLAGS,
  formats: REPORT_FORMATS,
  examples: [
    "freight invoice validate invoice.json",
    "freight invoice validate outbox -o report.html",
    "freight invoice validate outbox --strict --format junit -o report.xml",
    "freight invoice validate outbox --fix",
    "freight invoice validate outbox --register",
    "freight invoice validate invoices.ndjson --format ndjson",
  ],
  notes: `A file holds one document, a list of them, or one on each line (.ndjson, .jsonl, or by its content).
In folders and below them, .json, .ndjson and .jsonl files are checked, also compressed with gzip (.json.gz).
--format takes ${REPORT_FORMATS.join(", ")}.
--fix shows what it changes, asks, and checks the files again. Every other byte stays as it is. In a script,
add --yes. With standard input (-), the fixed document goes to standard output and the report to standard error.
With -o, the format follows the ending of the file (.csv, .xlsx, .json, .ndjson, .html, .sarif, .rdjson, .xml) unless --format is given.
${EXIT_CODES}`,
  endsWithReader: true,
  run: (deps, files, options) =>
    checkInvoices(deps, files, options, {
      formats: REPORT_FORMATS,
      overviews: false,
      createReporter: (format, layout, { areSeveral }) => createReporter(format, layout, areSeveral),
    }),
})

const LIST_FORMATS = ["table", "json", "ndjson", "csv", "xlsx", "html"] as const satisfies readonly (
  | Format
  | "html"
)[]

export const list = command({
  about: "Lists invoices with their amounts and whether they are valid, and names those to fix first.",
  args: [INPUTS],
  flags: CHECK_FLAGS,
  formats: LIST_FORMATS,
  examples: [
    "freight invoice list outbox",
    "freight invoice list outbox -o invoices.csv",
    "freight invoice list outbox -o invoices.html",
  ],
  notes: `Takes what freight invoice validate takes; that command says what is wrong.
An update takes the place of the invoice with its number, and what is cancelled is left out; a line below says so.
--format takes ${LIST_FORMATS.join(", ")}; an html file needs nothing else, and can be mailed and printed.
With -o, the format follows the ending of the file (.csv, .xlsx, .json, .ndjson, .html) unless --format is given.
${EXIT_CODES}`,
  endsWithReader: true,
  run: (deps, files, options) =>
    checkInvoices(deps, files, options, {
      formats: LIST_FORMATS,
      overviews: true,
      createReporter: async (format, layout, { isTerminal, warnings }) => {
        const [{ createListReporter }, { listStanding }] = await Promise.all([
          import("../invoice/reporters/list.ts"),
          import("../invoice/reporters/standing.ts"),
        ])
        const draw =
          isTerminal && format === "table" ? (await import("../output/terminal/grid.ts")).drawGrid : undefined
        return listStanding(
          createListReporter(format as (typeof LIST_FORMATS)[number], layout, isTerminal, warnings, draw),
        )
      },
    }),
})

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

/** Which reports show how to fix what is found, and which do not count columns in characters. */
const PLACES: Readonly<Record<string, Pick<CheckSettings, "fixes" | "columns">>> = {
  json: { fixes: "edits" },
  ndjson: { fixes: "edits" },
  sarif: { fixes: "regions" },
  rdjson: { fixes: "joined", columns: "bytes" },
  html: { fixes: "edits" },
}

const ENDINGS: Readonly<Record<string, string>> = { htm: "html", xml: "junit" }

/** Checks all inputs and writes a report. @returns the exit code */
async function checkInvoices(
  deps: Needs,
  words: string[],
  options: CheckOptions,
  kind: ReportKind,
): Promise<number> {
  if (deps.output.fields)
    throw new FreightError("usage", "--fields does not apply to what is found in invoices")
  const examine: ExamineOptions = {
    stage: chooseStage(options),
    accounting: options.accounting,
    strict: options.strict === true,
    rules: options.rule ? await parseRuleLevels(options.rule) : {},
    today: formatDate(wallClockNow(deps.clock.now())),
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
          examine,
          totals: fix === TOTALS,
          input: options.input,
          yes: options.yes === true,
          isTable: format === "table",
        })
  const repeated = getRuleSeverity(REPEATED, examine)
  const register = (await isRegistering(deps, options, kind))
    ? (await import("../invoice/run/register.ts")).createRegister(
        (await deps.writeLedger()).store.database,
        (rule) => getRuleSeverity(rule, examine),
        () => deps.clock.now(),
      )
    : undefined
  // What is registered does not depend on who reads the report.
  const outlasting = register && outlastReaders(deps.terminal)
  const terminal = outlasting?.terminal ?? deps.terminal
  const stdout = fixed ? deps.reports : terminal.stdout
  const isForPeople = format === "table" || format === "html"
  const { inputs, areSeveral } = lookAhead(await findInputs(named, target))
  const parts = checkInputs(inputs, {
    check: {
      examine,
      excerpts: isForPeople && !kind.overviews,
      overviews: kind.overviews ? "all" : isForPeople ? "found" : undefined,
      ...(kind.overviews ? undefined : PLACES[format]),
      numbers: repeated !== undefined || register !== undefined || kind.overviews,
      ...((register || kind.overviews) && { steps: true }),
      input: options.input,
    },
    jobs: options.jobs ?? Math.min(availableParallelism(), USUAL_THREADS),
    stdin: (signal) => (fixed ? toStream(fixed) : terminal.stdin.chunks(signal)),
    clock: deps.clock,
    signal: deps.signal,
  })

  const now = () => deps.clock.now()
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
      summary,
      reporter,
      write: (text) => (draft ?? stdout).write(text),
      now,
      repeated,
      register,
      allowEmpty: options.allowEmpty === true,
      progress:
        terminal.stderr.isTTY && !deps.globals.quiet ? createProgress(terminal.stderr, now) : undefined,
    })
    for await (const piece of reporter.rest?.() ?? []) await (draft ?? stdout).write(piece)
    await draft?.keep()
    const registered = await register?.keep()
    if (registered !== undefined)
      await deps.note(
        registered === 0
          ? "No new invoice was registered."
          : `${counted(registered, "invoice")} registered: freight warns when a number comes again.`,
      )
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

/**
 * Fixes the inputs before they are checked. @returns standard input as it is fixed, where that is what is checked: it was
 * written to standard output
 */
async function fixFirst(
  deps: Needs,
  named: readonly string[],
  target: string | undefined,
  options: FixOptions & { isTable: boolean },
): Promise<Uint8Array | undefined> {
  if (options.totals && !options.examine.accounting)
    throw new FreightError("usage", "--fix=totals needs the rules of accounting: leave out --no-accounting")
  const { fixInvoices, fixStream } = await import("../invoice/fixes/fix-files.ts")
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
  { settings, warn }: Needs,
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
  { terminal, env }: Needs,
  { colour, columns }: OutputStream,
  draft: Draft | undefined,
): ReportLayout {
  const checkout = env.GITHUB_WORKSPACE || undefined
  if (draft) return { colour: false, unicode: true, columns: FILE_COLUMNS, checkout }
  return { colour, unicode: terminal.unicode, columns, checkout }
}

async function conclude(
  deps: Needs,
  summary: Summary,
  { toFile, stage, allowEmpty }: { toFile: boolean; stage: ExamineOptions["stage"]; allowEmpty?: boolean },
): Promise<number> {
  const { documents, empty, valid, invalid, unreadable, uncompared, replaced } = summary
  if (toFile) await deps.note(`documents: ${documents}, valid: ${valid}, not valid: ${invalid}`)
  if (stage === "auto" && summary.drafts > 0) await deps.note(describeDrafts(summary.drafts, documents))
  const isUnread = unreadable.length > 0 || (documents === empty && !allowEmpty)
  const isError = isUnread && isForPrograms(deps.output.format)
  // A table on standard output names them itself.
  if (toFile || deps.output.format !== "table") {
    for (const { file, reason } of isError ? [] : unreadable)
      await deps.warn(`cannot read ${file}: ${reason}`)
    for (const note of replaced?.notes ?? []) await deps.note(note)
  }
  if (uncompared)
    await deps.warn(
      "there are so many invoices that only the numbers of the first were compared with each other",
    )
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

/** The files that `--files-from` names. @throws FreightError `usage` when there is nothing to check */
async function readFileList(
  deps: Needs,
  words: readonly string[],
  from: string | undefined,
): Promise<string[]> {
  const { stdin } = deps.terminal
  if (from === undefined && words.length === 0)
    throw new FreightError("usage", "there is nothing to check: name files or folders", {
      hint: "Or - for standard input: freight invoice validate - < invoice.json",
    })
  const list = from !== undefined && from !== STDIN ? splitPaths(await deps.files.read(from)) : []
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

/** What a finding of a rule over several documents counts for; undefined where that is not looked at. */
function getRuleSeverity(rule: string, { accounting, strict, rules }: ExamineOptions): Severity | undefined {
  const level = rules[rule] ?? (strict ? "error" : "warning")
  return accounting && level !== "off" ? level : undefined
}

type Level = ExamineOptions["rules"][string]

const LEVELS: readonly Level[] = ["off", "warning", "error"]

/** The levels by rule; of a rule given twice the last one counts. @throws FreightError `usage` for an unknown rule or level */
async function parseRuleLevels(settings: readonly string[]): Promise<Record<string, Level>> {
  const { RULES } = await import("../invoice/accounting/rules.ts")
  const ids = RULES.map(({ id }): string => id)
  return Object.fromEntries(
    settings.map((setting) => {
      const [id = "", word = "", ...more] = setting.split("=")
      if (!ids.includes(id)) throw unknownRule(setting, id, ids)
      const level = LEVELS.find((each) => each === word)
      if (!level || more.length > 0)
        throw new FreightError("usage", `--rule ${setting}: the level is ${LEVELS.join(", ")}`, {
          hint: `Write it as in --rule ${id}=off.`,
        })
      return [id, level]
    }),
  )
}

function unknownRule(setting: string, id: string, ids: readonly string[]): FreightError {
  if (/^(contract|json)\//.test(id))
    return new FreightError("usage", `--rule ${setting}: what breaks the contract is always an error`, {
      hint: "freight invoice rules lists the accounting rules, which can be set.",
    })
  const near = suggest(id, ids) ?? ids.find((rule) => rule.endsWith(`/${id}`))
  return new FreightError("usage", `--rule ${setting}: there is no rule '${id}'`, {
    hint: near ? `Did you mean '${near}'?` : "freight invoice rules lists those that can be set.",
  })
}
