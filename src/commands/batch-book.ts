import { FreightError } from "../base/errors.ts"
import { quoted } from "../base/parsed.ts"
import {
  ALLOW_FLAGS,
  cents,
  command,
  type Flags,
  inGroup,
  LOOK_FLAG,
  percentage,
  wholeNumber,
  YES_FLAG,
} from "../command/index.ts"
import { findResultsFile, LABEL_NAME, ROW_FLAGS, RUN_FLAGS, SAFETY, summaryColumns } from "../orders/index.ts"

const ALLOWED_WITH_PLAN: readonly string[] = Object.keys(ALLOW_FLAGS)

const AFTERWARDS = "Afterwards"

const flags = {
  ...ROW_FLAGS,
  plan: {
    group: "A plan",
    takes: "<file>",
    about: "book this plan of freight batch plan, at the approved rates",
    isInput: true,
    // A plan already defines its rows.
    conflicts: Object.keys(ROW_FLAGS).filter((flag) => !ALLOWED_WITH_PLAN.includes(flag)),
  },
  check: {
    about: "with --plan: ask for its rates again, even if they are still valid",
    needs: "plan",
    group: "A plan",
  },
  maxChange: {
    group: "A plan",
    takes: "<percent>",
    about: "with --plan: accept price changes up to this: 2% (0%)",
    needs: "plan",
    read: percentage,
  },
  dryRun: { about: "rate every row, show what would be booked and what it costs; send nothing" },
  ...inGroup(SAFETY, { ...YES_FLAG, ...LOOK_FLAG }),
  maxTotal: {
    group: SAFETY,
    takes: "<amount>",
    about: "rate every row first, and book nothing above this total with GST",
    read: cents,
  },
  skipInvalid: { about: "leave out rows with errors, and book the others" },
  checkFirst: { about: "with --format ndjson: check all rows of a pipe before the first is booked" },
  ...RUN_FLAGS,
  stopAfter: {
    takes: "<n>",
    about: "stop after this many failures in a row",
    read: wholeNumber(1, 1_000_000),
  },
  again: {
    group: SAFETY,
    about: "book rows although an equal booking was made under another key within 24 hours",
  },
  noRate: { about: "do not ask for the price of rows that name their service" },
  results: {
    group: AFTERWARDS,
    takes: "<file>",
    about: "write each row's result here (FILE.results.csv or .xlsx beside the file)",
    // Results of the same orders may be overwritten.
    writes: "place",
  },
  labels: { takes: "<dir>", about: "then save the labels into this folder", writes: "folder" },
  labelName: { ...LABEL_NAME, needs: "labels", group: AFTERWARDS },
  merge: {
    takes: "<file>",
    about:
      "then write the labels of today, and those that no earlier run has saved, into one PDF, in row order",
    writes: "pdf",
  },
  mergeAll: { about: "with --merge: also the labels of earlier days", needs: "merge", group: AFTERWARDS },
  force: {
    about: "overwrite other files with --results, --merge and --dispatched",
    group: AFTERWARDS,
  },
  print: { takes: "[device]", about: "then print the labels (on this workstation's device)" },
  dispatched: {
    group: AFTERWARDS,
    takes: "<file>",
    about:
      "then write the orders that have a number as their shop's import file, each once (freight dispatched writes the others)",
    writes: "file",
  },
  pickup: { about: "then have the carriers collect: once for each address, connector and time" },
} as const satisfies Flags

export default command({
  about:
    "Books every row of a CSV, .xlsx, NDJSON or JSON file, once each: running the same command again books only what is not booked. All rows are checked before anything is sent.",
  args: [{ takes: "[file]", about: "the rows, or - for standard input", unless: "plan", isInput: true }],
  flags,
  alsoWrites: (file, { plan, results }) => {
    const beside = results === undefined ? findResultsFile(file, plan) : undefined
    return beside === undefined ? [] : [{ flag: "--results", file: beside, writes: "place" }]
  },
  daily: [
    ...["useMap", "package", "service", "ready", "dryRun"],
    ...["skipInvalid", "labels", "merge", "print", "pickup"],
  ] as const,
  columns: summaryColumns,
  examples: [
    "freight batch template > orders.csv",
    "freight batch book --sandbox orders.csv --dry-run",
    "freight batch book --sandbox orders.csv --labels labels --json",
    "freight batch book --sandbox orders.xlsx --sheet Orders --hidden skip --dry-run",
    "freight batch book --sandbox orders.csv --package 30x20x10@2 --service cheapest --save-map shopify --dry-run",
    "freight batch book --sandbox orders.csv --use-map shopify --ready 10:00",
    "freight batch book --sandbox --plan orders.plan.json --labels labels",
    "freight batch template --format csv | freight batch book --sandbox - --format ndjson",
  ],
  /** @returns 1 if a dry run finds rows that would not be booked; a run throws an error instead */
  async run(deps, file = "", { plan, ...options }) {
    if (plan === undefined) {
      const { bookFile } = await import("../orders/batch/book-file.ts")
      return bookFile(deps, file, options)
    }
    if (file !== "")
      throw new FreightError("usage", `--plan already contains the rows: leave out ${quoted(file)}`)
    const { bookPlan } = await import("../orders/batch/plan/book.ts")
    return bookPlan(deps, plan, options)
  },
})
