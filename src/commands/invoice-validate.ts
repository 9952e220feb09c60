/** `freight invoice validate` and `freight invoice list`: checks invoices and reports on them. */
import { command, type Flags, FORCE_FLAG, OUTPUT, wholeNumber } from "../command/index.ts"
import { checkFiles, createReporter, DRAFT_FLAGS, MAX_THREADS, REPORT_FORMATS } from "../invoice/index.ts"
import type { Format } from "../output/index.ts"

const CHECK_FLAGS = {
  ...DRAFT_FLAGS,
  strict: { about: "treat warnings as errors" },
  noAccounting: { about: "check the contract only, not sums, taxes and dates" },
  ruleLevel: {
    formerly: ["--rule"],
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
  allowEmpty: { about: "allow inputs that hold no invoice" },
  jobs: {
    takes: "<n>",
    about: "maximum number of threads (default: one for each core, up to 16)",
    read: wholeNumber(1, MAX_THREADS, " of threads"),
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
  yes: { about: "with --fix: do not ask before it is written", needs: "fix" },
} as const satisfies Flags

const INPUTS = {
  takes: "[file...]",
  about: "files, folders, patterns such as 'in/**/*.json', or - for standard input",
  isInput: true,
} as const

const EXIT_CODES = `Exit code: 0 all are valid, 1 some are not, 2 an input could not be read or has no invoice in it,
141 the reader closed the pipe (head) before an error was found.`

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
    checkFiles(deps, files, options, {
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
An update takes the place of the invoice with its number, and cancelled invoices are left out; a line below says so.
--format takes ${LIST_FORMATS.join(", ")}; an html file needs nothing else, and can be mailed and printed.
With -o, the format follows the ending of the file (.csv, .xlsx, .json, .ndjson, .html) unless --format is given.
${EXIT_CODES}`,
  endsWithReader: true,
  run: (deps, files, options) =>
    checkFiles(deps, files, options, {
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
