import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { createReporter, REPORT_FORMATS } from "../invoice/reporters/index.ts"
import type { Act } from "./shared/act.ts"
import { addCheckFlags, type CheckFlags, checkInvoices } from "./shared/check-invoices.ts"
import { examples } from "./shared/examples.ts"

export function define(command: Command, act: Act): void {
  addCheckFlags(command)
    .option(
      "--fix [what]",
      "fix, in the files, what has only one right answer; --fix=totals also works out totals from the lines",
    )
    .option("--register", "remember valid invoices as sent, and warn when a later run has the same number")
    .option("--no-register", "do not register, even if the profile says register = yes")
    .option("--yes", "with --fix: write without asking")
    .description(
      "Checks invoices against the contract, and their sums, taxes and dates as an accountant would. Errors break the contract; warnings are worth a look, and leave an invoice valid.",
    )
    .addHelpText(
      "after",
      examples(
        "freight invoice validate invoice.json",
        "freight invoice validate outbox -o report.html",
        "freight invoice validate outbox --strict --format junit -o report.xml",
        "freight invoice validate outbox --fix",
        "freight invoice validate outbox --register",
        "freight invoice validate - --format ndjson < invoices.ndjson",
      ),
    )
    .addHelpText(
      "after",
      `
A file holds one document, a list of them, or one on each line (.ndjson, .jsonl, or by its content).
In folders and below them, .json, .ndjson and .jsonl files are checked, also compressed with gzip (.json.gz).
--format takes ${REPORT_FORMATS.join(", ")}.
--fix shows what it changes, asks, and checks the files again. Every other byte stays as it is. In a script,
add --yes. With standard input (-), the fixed document goes to standard output and the report to standard error.
With -o, the format follows the ending of the file (.csv, .json, .ndjson, .html, .sarif, .rdjson, .xml) unless --format is given.
Exit code: 0 all are valid, 1 some are not, 2 an input could not be read or has no invoice in it.`,
    )
    .action(act(run, REPORT_FORMATS))
}

/** @returns 0 when every document is valid, 1 when one is not, 2 when an input could not be read */
function run(deps: Deps, words: string[], options: CheckFlags): Promise<number> {
  return checkInvoices(deps, words, options, { formats: REPORT_FORMATS, overviews: false, createReporter })
}
