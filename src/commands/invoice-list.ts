import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { FORMATS } from "../terminal/view.ts"
import { addCheckFlags, type CheckFlags, checkInvoices } from "./shared/check-invoices.ts"

const LIST_FORMATS = [...FORMATS, "html"] as const

export function define(command: Command): void {
  addCheckFlags(command)
    .description(
      "Lists invoices with their amounts and whether they are valid, and names those to fix first.",
    )
    .addHelpText(
      "after",
      `
Takes what freight invoice validate takes; that command says what is wrong.
--format takes ${LIST_FORMATS.join(", ")}; an html file needs nothing else, and can be mailed and printed.
With -o, the format follows the ending of the file (.csv, .json, .ndjson, .html) unless --format is given.
Exit code: 0 all are valid, 1 some are not, 2 an input could not be read or has no invoice in it.`,
    )
}

export const examples = [
  "freight invoice list outbox",
  "freight invoice list outbox -o invoices.csv",
  "freight invoice list outbox -o invoices.html",
]

export const formats = LIST_FORMATS

export function run(deps: Deps, words: string[], options: CheckFlags): Promise<number> {
  return checkInvoices(deps, words, options, {
    formats: LIST_FORMATS,
    overviews: true,
    createReporter: async (format, look, isTerminal) =>
      (await import("../invoice/reporters/list.ts")).createListReporter(
        format as (typeof LIST_FORMATS)[number],
        look,
        isTerminal,
      ),
  })
}
