import { quoted } from "../base/parsed.ts"
import {
  AUDIT_COLUMNS,
  AUDIT_FORMATS,
  BILL_FILES,
  type GivenLink,
  type Tolerance,
  withBillColumns,
  writeAudit,
} from "../bills/index.ts"
import {
  BILL_SHEET_FLAGS,
  command,
  FORCE_FLAG,
  inGroup,
  MAP_FLAGS,
  nonEmpty,
  writeOutput,
} from "../command/index.ts"
import { centsOf } from "../base/money.ts"
import { EXIT, FreightError } from "../base/errors.ts"
import { DRAFT_FLAGS, findInputs, STDIN } from "../invoice/index.ts"
import { refuseKeyboard } from "../output/index.ts"
import { ACCRUAL_FLAGS, printAccruals } from "../reports/index.ts"

const DEFAULT_TOLERANCE: Tolerance = { percent: 1, cents: 50 }

export default command({
  about:
    "Compares carriers' bills with quotes and bookings, consignment by consignment, and says what to dispute. It asks the API for facts that the ledger cannot know. It remembers audited bills, and so finds a consignment that is billed again.",
  args: [
    {
      takes: "[bill...]",
      about: "INV documents, CSV, .xlsx or PDF files, folders, patterns, or - for standard input",
      isInput: true,
    },
  ],
  flags: {
    ...inGroup("How the bill is read", { ...DRAFT_FLAGS, ...MAP_FLAGS, ...BILL_SHEET_FLAGS }),
    tolerance: {
      takes: "<amount>",
      about:
        "what may be billed above or below the quote: 2%, 1.00, or 2%,1.00 for the greater (default: 1%,0.50)",
      isRepeatable: true,
      read: parseTolerance,
    },
    all: { about: "also show what agrees" },
    disputes: {
      takes: "<file>",
      about: "write what to dispute for the carrier, as CSV, or as a workbook into FILE.xlsx",
      writes: "file",
    },
    raise: {
      about: "keep what to dispute until it is settled, once for each consignment and bill: freight disputes",
      conflicts: "noRemember",
    },
    link: {
      takes: "<number=shipment>",
      about: "match an unknown number on this bill to a shipment; NUMBER= removes the match (repeatable)",
      isRepeatable: true,
      read: parseLink,
    },
    always: { about: "with --link: for that number on every bill from now on", needs: "link" },
    output: ACCRUAL_FLAGS.output,
    ...FORCE_FLAG,
    accruals: {
      about: "list what was booked but is not on any bill yet; the same as freight report accruals",
    },
    since: {
      ...ACCRUAL_FLAGS.since,
      about: `with --accruals: ${ACCRUAL_FLAGS.since.about}`,
      needs: "accruals",
    },
    statement: {
      takes: "<file>",
      about:
        "compare a carrier's statement of account (its list of invoices, as CSV, .xlsx or PDF) with the bills that were audited: which are missing, ask for another amount, are disputed or posted, or were paid twice",
      isInput: true,
      conflicts: ["accruals", "raise", "link", "disputes"],
    },
    offline: ACCRUAL_FLAGS.offline,
    number: {
      group: "How the bill is read",
      takes: "<text>",
      about: "the bill's number, where the file has none or another is right",
      read: nonEmpty,
      conflicts: ["accruals", "statement"],
    },
    date: {
      group: "How the bill is read",
      takes: "<day>",
      about: "the bill's day, where the file has none or another is right",
      conflicts: ["accruals", "statement"],
    },
    corrected: {
      group: "How the bill is read",
      about:
        "the bill is the one that was audited under its number, corrected, although it names other consignments",
      conflicts: ["accruals", "statement"],
    },
    showRows: {
      group: "How the bill is read",
      about:
        "print the rows of a PDF as freight reads them, without auditing them (--format csv or xlsx for a file)",
      conflicts: ["accruals", "statement", "raise", "link", "disputes", "saveMap", "total"],
    },
    noRemember: { about: "do not keep the bills in the ledger" },
    input: {
      group: "How the bill is read",
      takes: "<kind>",
      about: "json: each input is one document or a list; ndjson: a document on each line",
      choices: ["json", "ndjson"],
    },
  },
  daily: [
    "raise",
    "output",
    "disputes",
    "link",
    "tolerance",
    "all",
    "accruals",
    "statement",
    "useMap",
    "offline",
  ],
  formats: AUDIT_FORMATS,
  columns: AUDIT_COLUMNS,
  examples: [
    "freight audit carrier.csv --sandbox",
    "freight audit carrier.csv --sandbox -o audit.html --disputes disputes.csv",
    "freight audit carrier.csv --sandbox --raise",
    "freight audit --accruals --sandbox --since 30d",
    "freight audit --statement statement.csv --sandbox",
  ],
  notes: `Verdicts, worst first: billed twice, not ours, cancelled, payer is another, not collected, wrong service, wrong weight, over; dispute these. GST that is not 10 % (wrong GST) asks for a correct tax invoice.
The others are under, cannot tell, no price and agrees.
Where neither quote nor bill says whether GST is included, both readings are tried: an amount that fits one of them is not disputed.
--format takes ${AUDIT_FORMATS.join(", ")}.
The rows of a PDF must come to the sum that it states, or nothing is audited; a number on it that is not found gets the verdict "cannot tell".
If a column could change the meaning of an amount, freight asks; in a script it stops and prints the --map to add.
With --statement, a row is missing, other amount, paid twice, overpaid or listed twice (exit code 1), withheld (it asks for what was kept back when the bill was paid), in dispute, not posted or posted.
Exit code: 0 nothing to dispute, 1 something to dispute or wrong GST, 2 a bill cannot be read, or a column is not clear.`,
  async run(deps, files, options) {
    const { output } = options
    if (options.accruals) {
      if (files.length > 0)
        throw new FreightError(
          "usage",
          "--accruals lists what is not on any bill: audit the bills first, and name none here",
        )
      await printAccruals(deps, options)
      return EXIT.done
    }
    if (options.statement !== undefined) {
      if (files.length > 0)
        throw new FreightError(
          "usage",
          "--statement names the statement: audit bills apart from it, and before it",
        )
      const { printStatement } = await import("../bills/statement/print.ts")
      return printStatement(deps, options.statement, options)
    }
    if (files.length === 0)
      throw new FreightError("usage", "there is no bill to audit: name files or folders", {
        hint: "Or - for standard input: freight audit - < bill.csv",
      })
    const { stdin } = deps.terminal
    if (files.includes(STDIN)) refuseKeyboard(stdin, "pipe a bill in, or name files")
    if (options.showRows) {
      const { printPdfRows } = await import("../bills/show-rows.ts")
      const inputs = [...(await findInputs(files, output, BILL_FILES))]
      await withBillColumns(deps, options, ["audit", ...files], (reading) =>
        writeOutput(deps, output, (target) => printPdfRows(deps, target, inputs, reading)),
      )
      return EXIT.done
    }
    const tolerance = toTolerance(options.tolerance)
    const isToRaise = options.raise === true
    const isAlways = options.always === true
    const { auditBills, toExitCode } = await import("../bills/run-audit.ts")
    const result = await auditBills(deps, {
      ...{ files, output, reading: options, tolerance, isToRaise },
      links: (options.link ?? []).flat().map((link) => ({ ...link, isAlways })),
      isCorrected: options.corrected === true,
      isOffline: options.offline === true,
      isToRemember: options.remember,
    })
    await writeAudit(deps, result, { ...options, tolerance, isToRaise })
    return toExitCode(result.audit)
  },
})

/** `SBX123=SO-1013` */
function parseLink(text: string, flag: string): Omit<GivenLink, "isAlways">[] {
  const [, number = "", shipment = ""] = /^(.*?)=(.*)$/.exec(text) ?? []
  if (number.trim() === "")
    throw new FreightError("usage", `${flag} takes the number on the bill and a shipment: SBX123=SO-1013`)
  return [{ number: number.trim(), shipment: shipment.trim() }]
}

type Limit = Partial<Tolerance>

/** `2%`, `1.00`, or both. */
function parseTolerance(text: string, flag: string): Limit[] {
  return text.split(",").map((each) => {
    const [, number, sign] = /^(\d{1,6}(?:\.\d{1,2})?)\s*(%?)$/.exec(each.trim()) ?? []
    if (number === undefined)
      throw new FreightError(
        "usage",
        `${flag} takes 2%, 1.00, or both as 2%,1.00, not ${quoted(each.trim())}`,
      )
    return sign === "%" ? { percent: Number(number) } : { cents: centsOf(number) }
  })
}

function toTolerance(limits: readonly Limit[] | undefined): Tolerance {
  return limits ? Object.assign({ percent: 0, cents: 0 }, ...limits) : DEFAULT_TOLERANCE
}
