/** Audited bills as import files of accounting programs. */
import {
  BILL_SHEET_FLAGS,
  cents,
  command,
  type Flags,
  FORCE_FLAG,
  inGroup,
  MAP_FLAGS,
  nonEmpty,
  OUTPUT,
} from "../command/index.ts"
import { amountOf } from "../base/money.ts"
import type { Deps } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { BILL_CURRENCY, getPostedNumber, type Posted, PROGRAMS } from "../bills/index.ts"
import { DRAFT_FLAGS, STDIN } from "../invoice/index.ts"
import { type Column, money, print } from "../output/index.ts"

type PostedRow = ReturnType<typeof toPostedRow>

function toPostedRow({ posting, isNew }: Posted) {
  const { supplier, billDate, file, books, rows, exGst, gst, clearing, at } = posting
  return {
    /** With `/2` for lines that were added to the bill. */
    billNumber: getPostedNumber(posting) || null,
    supplier: supplier || null,
    billDate: billDate || null,
    file,
    books,
    rows,
    amountExGst: amountOf(exGst),
    gst: amountOf(gst),
    amountIncGst: amountOf(exGst + gst),
    /** The part on the clearing account, with GST. */
    clearing: amountOf(clearing),
    currency: BILL_CURRENCY,
    /** False if it was posted before, and this is that file again. */
    isNew,
    /** Why it was not imported; null if it is in the books. */
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
    show: ({ isNew, undone }) => (undone === null ? (isNew ? "now" : "before") : "undone"),
  },
  { key: "undone", title: "UNDONE", hidden: true },
  { key: "billDate", title: "BILL DATE", hidden: true },
  { key: "file", title: "FILE", hidden: true },
  { key: "books", title: "BOOKS", hidden: true },
  { key: "postedAt", title: "POSTED AT", hidden: true },
  { key: "workstation", title: "DESK", hidden: true },
  { key: "person", title: "PERSON", hidden: true },
]

const ACCOUNTS = "Accounts and tax codes"

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
      "account of freight for charges that no rule fits, by its name for QuickBooks (default: the setting freightAccount)",
    read: nonEmpty,
  },
  costCentre: {
    group: ACCOUNTS,
    takes: "<name>",
    about: "who pays for it in your own books, where no rule says so",
    read: nonEmpty,
    needs: "account",
  },
  clearing: {
    takes: "<text>",
    about: "account of what is disputed and still open (default: the setting clearingAccount)",
    read: nonEmpty,
  },
  rule: {
    group: ACCOUNTS,
    takes: "<text>",
    about:
      'when, matches, account, cost centre: "reference,SYD-,429,Sydney"; when is reference, receiver, sender or carrier (repeatable)',
    isRepeatable: true,
  },
  rules: {
    group: ACCOUNTS,
    takes: "<file>",
    about: "a file of rules, CSV or .xlsx, with one on each row",
    isInput: true,
  },
  supplierName: {
    group: ACCOUNTS,
    formerly: ["--supplier"],
    takes: "<name>",
    about: "the supplier's name in the books, where the bill has another",
    read: nonEmpty,
  },
  number: { takes: "<text>", about: "the bill's number, where the file has none", read: nonEmpty },
  date: { takes: "<day>", about: "the bill's day, where the file has none" },
  due: { takes: "<day>", about: 'when it is to be paid: a day, or "30 days" after the bill', read: nonEmpty },
  gst: {
    group: ACCOUNTS,
    takes: "<amount>",
    about: "the GST of the whole bill, where the file has none: 12.50, or 0",
    read: cents,
  },
  gstCode: {
    group: ACCOUNTS,
    takes: "<text>",
    about: "the tax code of lines with GST, if it is not the usual one",
    read: nonEmpty,
  },
  freeCode: { group: ACCOUNTS, takes: "<text>", about: "the tax code of lines without GST", read: nonEmpty },
  tracking: {
    group: ACCOUNTS,
    takes: "<name>",
    about: "Xero's tracking category for cost centres",
    default: "Cost Centre",
    read: nonEmpty,
  },
  sum: {
    group: ACCOUNTS,
    about: "one row for each account, cost centre and tax code, instead of one for each charge",
  },
  again: {
    about:
      "write and post it again, although it was posted: only if the file that was written before was not imported",
  },
  notImported: {
    formerly: ["--undo"],
    takes: "<bill>",
    about:
      "record that the last file of this bill was never imported, so that it can be posted again (BILL: number or file name)",
    read: nonEmpty,
    needs: "why",
  },
  why: { takes: "<text>", about: "why it was not", read: nonEmpty, needs: "notImported" },
  earlier: {
    about: "with --not-imported: undo the one before too, where the last is undone already",
    needs: "notImported",
  },
  dryRun: {
    about: "show what would be posted, and post nothing; no file is written",
    conflicts: ["notImported", "saveMap"],
  },
  ...inGroup("How the bill is read", { ...DRAFT_FLAGS, ...MAP_FLAGS, ...BILL_SHEET_FLAGS }),
  input: {
    group: "How the bill is read",
    takes: "<kind>",
    about: "json: each input is one document or a list; ndjson: a document on each line",
    choices: ["json", "ndjson"],
  },
  output: { ...OUTPUT, about: "write to this file, or - for standard output (default: -)" },
  ...FORCE_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Writes audited bills as an import file for Xero, MYOB AccountRight or QuickBooks Online. GST is as the bill has it, and disputed amounts go to a clearing account. A bill is posted once, whichever workstation runs this: the second time it writes the same file and says so.",
  args: [
    {
      takes: "[bill...]",
      about: "bills that were audited: INV documents, CSV, .xlsx or PDF files, as freight audit reads them",
      isInput: true,
    },
  ],
  flags,
  daily: ["for", "account", "clearing", "due", "number", "date", "notImported", "why", "dryRun", "output"],
  columns: COLUMNS,
  examples: [
    'freight post carrier.csv --sandbox --for xero --account 429 --clearing 650 --due "30 days" -o bill-xero.csv',
    'freight post --sandbox --not-imported carrier.csv --why "the import was cancelled"',
  ],
  notes: `Rules apply in order: those of --rule, then the rows of --rules, then --account. The first match wins.
A reference begins with what a rule matches. A receiver or sender is a company, suburb, state or postcode; a carrier is as it was booked, or as the bill names it. * stands for any text, and case does not count.
With -o, a table of what was posted is printed. Nothing is sent to the accounting program: import the file there.
Exit code: 0 posted, now or before; 1 the bill has changed since it was posted; 2 the bill or a rule is not clear.`,
  async run(deps, files, options) {
    const { output = STDIN, notImported: name, why = "", dryRun = false } = options
    const { again = false, earlier = false } = options
    if (name !== undefined) {
      if (files.length > 0)
        throw new FreightError("usage", "--not-imported names the bill: give no files with it")
      // Once --again said this of an earlier part.
      return undo(deps, name, why, again || earlier)
    }
    if (files.length === 0) throw new FreightError("usage", "there is no bill to post: name files or folders")
    const { postFiles } = await import("../bills/books/post-files.ts")
    const { describePosted } = await import("../bills/books/messages.ts")
    const { program, posted, file } = await postFiles(deps, files, { ...options, output })
    const rows = posted.map(toPostedRow)
    if (dryRun) {
      await print(deps, { rows, columns: COLUMNS })
      await deps.note("Nothing was posted, and no file was written.")
      return
    }
    for (const line of describePosted(posted, program, file)) await deps.note(line)
    if (output !== STDIN) await print(deps, { rows, columns: COLUMNS })
    else if (file !== undefined && deps.terminal.stdout.isTTY)
      await deps.note("Name a file with -o to import it.")
  },
})

/** Records that the last posting of a bill was not imported. */
async function undo(deps: Deps, name: string, why: string, isAgain: boolean): Promise<undefined> {
  const { undoPostings } = await import("../bills/books/undo.ts")
  const { describeUndone } = await import("../bills/books/messages.ts")
  const { store } = await deps.writeLedger()
  const undone = await undoPostings(store.database, [name], { why, isAgain }, deps.sender)
  await print(deps, { rows: undone.map(toPostedRow), columns: COLUMNS })
  for (const line of undone.map(describeUndone)) await deps.note(line)
}
