/** Audited bills as import files of accounting programs. */
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { BILL_CURRENCY } from "../bills/verdicts.ts"
import { counted } from "../base/counted.ts"
import { amountOf, formatMoney } from "../base/money.ts"
import { type Program, PROGRAMS } from "../bills/programs.ts"
import { wallClockNow } from "../base/wall-clock.ts"
import type { Asking, Ledgers, Memory, Services, Session } from "../command/deps.ts"
import type { Posted } from "../bills/books/post.ts"
import type { Rule } from "../bills/books/rules.ts"
import { FreightError } from "../base/errors.ts"
import { getPostedNumber } from "../ledger/records/postings.ts"
import { BILL_FILES, findInputs, STDIN } from "../invoice/sources/files.ts"
import { type Column, money } from "../output/terminal/columns.ts"
import { refuseKeyboard } from "../output/terminal/terminal.ts"
import { print } from "../output/terminal/view.ts"
import { withBillColumns } from "../bills/ask-columns.ts"
import { DRAFT_FLAGS } from "../invoice/draft-flags.ts"
import { asksForProgramFormat } from "../command/formats.ts"
import { cents, FORCE_FLAG, nonEmpty, OUTPUT } from "../command/flags.ts"
import { MAP_FLAGS } from "../command/maps.ts"
import { BILL_SHEET_FLAGS } from "../command/sheet-flags.ts"

type Needs = Asking & Ledgers & Memory & Services & Session

type PostedRow = ReturnType<typeof toPostedRow>

function toPostedRow({ posting, isNew }: Posted) {
  const { supplier, billDate, file, books, rows, exGst, gst, clearing, at } = posting
  return {
    /** With `/2` where it is what the bill had grown by. */
    billNumber: getPostedNumber(posting) || null,
    supplier: supplier || null,
    billDate: billDate || null,
    file,
    books,
    rows,
    amountExGst: amountOf(exGst),
    gst: amountOf(gst),
    amountIncGst: amountOf(exGst + gst),
    /** Of it, what is on the clearing account, with GST. */
    clearing: amountOf(clearing),
    currency: BILL_CURRENCY,
    /** False where it was posted before, and this is that file again. */
    isNew,
    /** Why it was not imported; null where it is in the books. */
    undone: posting.undone || null,
    postedAt: at,
    workstation: posting.workstation || null,
    person: posting.person || null,
  }
}

const COLUMNS: readonly Column<PostedRow>[] = [
  { key: "bill", title: "BILL", rank: 1, value: ({ billNumber }) => billNumber },
  { key: "supplier", title: "SUPPLIER", rank: 5 },
  { key: "rows", title: "ROWS", rank: 6, align: "right" },
  {
    ...money("amountExGst"),
    key: "exGst",
    title: "WITHOUT GST",
    rank: 4,
    value: ({ amountExGst }) => amountExGst,
  },
  { ...money("gst"), title: "GST", rank: 3 },
  {
    ...money("amountIncGst"),
    key: "incGst",
    title: "TOTAL",
    rank: 2,
    value: ({ amountIncGst }) => amountIncGst,
  },
  { ...money("clearing"), title: "CLEARING", rank: 7 },
  {
    key: "isNew",
    title: "POSTED",
    rank: 8,
    show: ({ isNew, undone }) => (undone === null ? (isNew ? "now" : "before") : "taken back"),
  },
  { key: "undone", title: "TAKEN BACK", hidden: true },
  { key: "billDate", title: "BILL DATE", hidden: true },
  { key: "file", title: "FILE", hidden: true },
  { key: "books", title: "BOOKS", hidden: true },
  { key: "postedAt", title: "POSTED AT", hidden: true },
  { key: "workstation", title: "DESK", hidden: true },
  { key: "person", title: "PERSON", hidden: true },
]

const flags = {
  for: {
    takes: "<program>",
    about:
      "the accounting program: xero, myob (AccountRight) or quickbooks (Online) (default: the setting books)",
    choices: PROGRAMS,
  },
  account: {
    takes: "<text>",
    about:
      "account of the charges that no rule fits, by its name for QuickBooks (default: the setting freightAccount)",
    read: nonEmpty,
  },
  costCentre: { takes: "<name>", about: "their cost centre", read: nonEmpty, needs: "account" },
  clearing: {
    takes: "<text>",
    about: "account of what is disputed and still open (default: the setting clearingAccount)",
    read: nonEmpty,
  },
  rule: {
    takes: "<text>",
    about:
      'when, matches, account, cost centre: "reference,SYD-,429,Sydney"; when is reference, receiver, sender or carrier (repeatable)',
    isRepeatable: true,
  },
  rules: {
    takes: "<file>",
    about: "a file of rules, CSV or .xlsx, with one on each row",
    isInput: true,
  },
  supplier: {
    takes: "<name>",
    about: "the supplier as the books name it, where the bill has another",
    read: nonEmpty,
  },
  number: { takes: "<text>", about: "the bill's number, where the file has none", read: nonEmpty },
  date: { takes: "<day>", about: "the bill's day, where the file has none" },
  due: { takes: "<day>", about: 'when it is to be paid: a day, or "30 days" after the bill', read: nonEmpty },
  gst: {
    takes: "<amount>",
    about: "the GST of the whole bill, where the file has none: 12.50, or 0",
    read: cents,
  },
  gstCode: {
    takes: "<text>",
    about: "the tax code of what has GST, if it is not the usual one",
    read: nonEmpty,
  },
  freeCode: { takes: "<text>", about: "the tax code of what has no GST", read: nonEmpty },
  tracking: {
    takes: "<name>",
    about: "Xero's tracking category for cost centres",
    default: "Cost Centre",
    read: nonEmpty,
  },
  sum: { about: "one row for each account, cost centre and tax code, instead of one for each charge" },
  again: {
    about:
      "write and post it anew: only if the file that was written before was not imported; with --undo, take back the part before too",
  },
  undo: {
    takes: "<bill>",
    about:
      "write down that the file of a bill, by its number or file, was not imported: what was posted last of it may be posted again",
    read: nonEmpty,
    needs: "why",
  },
  why: { takes: "<text>", about: "why it was not", read: nonEmpty, needs: "undo" },
  dryRun: {
    about: "show what would be posted, and post nothing; no file is written",
    conflicts: ["undo", "saveMap"],
  },
  ...DRAFT_FLAGS,
  ...MAP_FLAGS,
  ...BILL_SHEET_FLAGS,
  input: {
    takes: "<kind>",
    about: "json: each input is one document or a list; ndjson: a document on each line",
    choices: ["json", "ndjson"],
  },
  output: { ...OUTPUT, about: "write to this file, or - for standard output (default: -)" },
  ...FORCE_FLAG,
} as const satisfies Flags

type Options = OptionsOf<typeof flags>

export default command({
  about:
    "Writes audited bills as an import file for Xero, MYOB AccountRight or QuickBooks Online. GST is as the bill has it, and what is disputed goes to a clearing account. A bill is posted once, from whatever desk: again, it gives the same file and says so.",
  args: [
    {
      takes: "[bill...]",
      about: "bills that were audited: INV documents, CSV, .xlsx or PDF files, as freight audit reads them",
      isInput: true,
    },
  ],
  flags,
  columns: COLUMNS,
  examples: [
    'freight post carrier.csv --sandbox --for xero --account 429 --clearing 650 --due "30 days" -o bill-xero.csv',
    'freight post --sandbox --undo carrier.csv --why "the import was cancelled"',
  ],
  notes: `Rules count from the top: those of --rule, then the rows of --rules, then --account. The first that fits is taken.
A reference begins with what a rule matches. A receiver or sender is a company, suburb, state or postcode; a carrier is as it was booked, or as the bill names it. * stands for any text, and case does not count.
With -o, a table of what was posted is printed. Nothing is sent to the accounting program: import the file there.
Exit code: 0 posted, now or before; 1 the bill has changed since it was posted; 2 the bill or a rule is not clear.`,
  async run(deps, files, options) {
    const { output = STDIN, undo: name, why = "", again = false, dryRun = false } = options
    if (name !== undefined) {
      if (files.length > 0) throw new FreightError("usage", "--undo names the bill: give no files with it")
      return undo(deps, name, why, again)
    }
    if (files.length === 0) throw new FreightError("usage", "there is no bill to post: name files or folders")
    const program = chooseProgram(deps, options)
    const { stdin, stdout } = deps.terminal
    if (files.includes(STDIN)) refuseKeyboard(stdin, "pipe a bill in, or name files")
    if (output === STDIN && !dryRun && asksForProgramFormat(deps.globals))
      throw new FreightError("usage", "the import file goes to standard output: name a file with -o")
    const rules = await gatherRules(deps, options)
    const posted = await post(deps, files, { program, rules, options })
    if (dryRun) {
      await print(deps, { rows: posted.map(toPostedRow), columns: COLUMNS })
      await deps.note("Nothing was posted, and no file was written.")
      return
    }
    const { isImported, joinBills } = await import("../bills/books/formats.ts")
    const isNew = posted.some((each) => each.isNew)
    const written = posted.filter((each) => each.isNew === isNew).map(({ posting }) => posting)
    const isFile = written.some(isImported)
    if (isFile) await deps.outputs.write(output, joinBills(program, written))
    await tell(deps, posted, program, isFile ? output : undefined)
    if (output !== STDIN) await print(deps, { rows: posted.map(toPostedRow), columns: COLUMNS })
    else if (isFile && stdout.isTTY) await deps.note("Name a file with -o to import it.")
  },
})

/** Writes down that what was posted last of a bill was not imported. */
async function undo(deps: Needs, name: string, why: string, isAgain: boolean): Promise<undefined> {
  const { describePosting } = await import("../bills/books/post.ts")
  const { undoPostings } = await import("../bills/books/undo.ts")
  const { store } = await deps.writeLedger()
  const undone = await undoPostings(store.database, [name], { why, isAgain }, deps.sender)
  await print(deps, { rows: undone.map(toPostedRow), columns: COLUMNS })
  for (const { posting, isNew } of undone) {
    const bill = `Bill ${getPostedNumber(posting)}`
    await deps.note(
      isNew
        ? `${bill} is not in the books any more: freight post posts it anew. It ${describePosting(posting)}.`
        : `${bill} was taken back before (${posting.undone}): nothing was written.`,
    )
  }
}

function chooseProgram({ settings }: Session, options: Options): Program {
  const program = options.for ?? PROGRAMS.find((each) => each === settings.value("books"))
  if (program) return program
  throw new FreightError("usage", `--for says which program the file is for: ${PROGRAMS.join(", ")}`, {
    hint: "It is remembered with freight config set books xero.",
  })
}

async function gatherRules(deps: Session, { rule = [], rules }: Options): Promise<Rule[]> {
  const { readRule, readRules } = await import("../bills/books/rules.ts")
  return [
    ...rule.map((text) => readRule(text, "--rule")),
    ...(rules === undefined ? [] : await readRules(rules, deps.signal, deps.note)),
  ]
}

interface Job {
  program: Program
  rules: readonly Rule[]
  options: Options
}

async function post(deps: Needs, files: readonly string[], { options, ...job }: Job): Promise<Posted[]> {
  const { openBills } = await import("../bills/open.ts")
  const { postOpened } = await import("../bills/books/open.ts")
  const inputs = [...(await findInputs(files, options.output, BILL_FILES))]
  const opened = await withBillColumns(deps, options, ["post", ...files], (reading) =>
    openBills(inputs, reading),
  )
  const { store, scopes } = await (options.dryRun ? deps.readLedger() : deps.writeLedger())
  const { settings, sender, clock, warn } = deps
  const account = options.account ?? settings.value("freightAccount")
  return postOpened(
    opened,
    {
      ...{ database: store.database, scopes, sender, warn, now: () => wallClockNow(clock.now()) },
      confirm:
        deps.interactive && !options.dryRun
          ? async (question) => (await deps.prompt()).confirm(question, false)
          : undefined,
    },
    options,
    {
      ...job,
      otherwise: account === undefined ? undefined : { account, costCentre: options.costCentre ?? "" },
      clearing: options.clearing ?? settings.value("clearingAccount"),
      isSummed: options.sum === true,
      isAgain: options.again === true,
      isDryRun: options.dryRun === true,
      book: { gstCode: options.gstCode, freeCode: options.freeCode, tracking: options.tracking },
    },
  )
}

/** @param output where the file went; undefined where there is none, since all that was posted has to be typed */
async function tell(
  { note }: Session,
  posted: readonly Posted[],
  program: Program,
  output: string | undefined,
) {
  const { BOOKS, isImported } = await import("../bills/books/formats.ts")
  const { describePosting } = await import("../bills/books/post.ts")
  const { title, how, credit } = BOOKS[program]
  const made = posted.filter(({ isNew }) => isNew)
  for (const { posting } of made)
    if (posting.part !== undefined)
      await note(
        `Bill ${posting.billNumber} has grown since it was posted: only its new rows are written, as bill ${getPostedNumber(posting)}.`,
      )
  for (const { posting, isNew } of posted)
    if (!isNew)
      await note(
        `Bill ${getPostedNumber(posting)} ${describePosting(posting)}: ${made.length === 0 ? `this is the same ${output === undefined ? "entry" : "file"} again` : "it is left out of this file"}, and nothing was posted twice.`,
      )
  for (const { posting } of made.length === 0 ? posted : made) {
    const [number, back] = [
      getPostedNumber(posting),
      formatMoney(amountOf(-posting.exGst - posting.gst), BILL_CURRENCY),
    ]
    if (posting.exGst + posting.gst >= 0) continue
    if (isImported(posting))
      await note(`Bill ${number} gives ${back} back: ${title} imports it as ${credit ?? "a bill"}.`)
    else {
      await note(
        `Bill ${number} gives ${back} back, and the import of ${title} takes bills only. Enter it there as a supplier credit:`,
      )
      for (const line of posting.body.split("\n")) await note(line)
    }
  }
  if (made.length === 0) return
  const sum = made.reduce((total, { posting }) => total + posting.exGst + posting.gst, 0)
  const where =
    output === undefined ? ", and there is no file to import" : output === STDIN ? "" : ` in ${output}`
  await note(
    `Posted ${counted(made.length, "bill")}, ${formatMoney(amountOf(sum), BILL_CURRENCY)}${where}.${output === undefined ? "" : ` ${how}`}`,
  )
}
