import { REPORT_FORMATS } from "../invoice/reporters/index.ts"
import { FORMATS, type Format } from "../terminal/view.ts"
import type { Block } from "./page.ts"

const MEANINGS: Readonly<Record<Format, string>> = {
  table: "for people; columns that do not fit the terminal are left out (default)",
  json: "the API's own shape, whole; the same on a terminal and in a pipe",
  ndjson: "one JSON object to a line",
  csv: "for spreadsheets: a text that would run as a formula gets an apostrophe",
}

export function topic(): Block[] {
  const more = REPORT_FORMATS.filter((format) => !FORMATS.some((each) => each === format))
  return [
    {
      text: "Standard output carries data and nothing else. Notes, progress, questions, warnings and errors go to standard error; --quiet leaves out notes and progress.",
    },
    { heading: "--format takes:", list: FORMATS.map((format) => [format, MEANINGS[format]]) },
    { text: `--json is short for --format json. freight invoice validate also takes ${more.join(", ")}.` },
    {
      heading: "--fields picks fields, dotted where they are inside others:",
      lines: [
        "freight shipments list --sandbox --format csv --fields id,consignmentNumber,status",
        "freight connectors --sandbox --json --fields id,carrier",
      ],
    },
    {
      heading: "With --json an error is one JSON object on standard error:",
      list: [
        ["kind", "what went wrong, in a word: freight help exit-codes has them all"],
        ["message", "the same in a sentence"],
        ["status, code", "what the server answered, where it did"],
        ["errors", "each thing that is wrong: message, and field, code, line, column where they are known"],
        ["retry", "safe: run it again; after: run it again after retryAfter seconds; never: do not"],
        ["next", "the command to run next"],
      ],
      text: '{"error":{"kind","message","status?","code?","errors?","retry","retryAfter?","next?"}}',
    },
  ]
}
