import { command, FORCE_FLAG, OUTPUT } from "../command/index.ts"
import { FORMATS } from "../output/index.ts"
import { TEMPLATE_COLUMNS, writeTemplate } from "../orders/index.ts"

export default command({
  about:
    "Writes a file to fill in for `freight batch book`, with plain headings and one row as an example: CSV, or a workbook into FILE.xlsx. With --format csv the headings are the names of the fields, for scripts; --format ndjson and json write objects. The sender's columns are left out when the profile has a sender.",
  flags: {
    output: {
      ...OUTPUT,
      writes: "report",
      about: "write to this file, or - for standard output (-)",
      conflicts: "columns",
    },
    ...FORCE_FLAG,
    columns: {
      takes: "[text]",
      about: "explain the columns of a batch, or those about some words; write no file",
      formats: FORMATS,
    },
  },
  columns: TEMPLATE_COLUMNS,
  formats: FORMATS.filter((format) => format !== "value"),
  examples: [
    "freight batch template -o orders.csv",
    "freight batch template -o orders.xlsx",
    "freight batch template --format csv",
    "freight batch template --format ndjson",
    "freight batch template --columns",
    "freight batch template --columns phone",
  ],
  run: writeTemplate,
})
