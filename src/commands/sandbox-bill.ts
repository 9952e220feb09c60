import { quoted } from "../base/parsed.ts"
import { command, type Flags, FORCE_FLAG, OUTPUT, wholeNumber } from "../command/index.ts"
import { MISTAKES } from "../bills/index.ts"
import { CARRIERS } from "../carriers/index.ts"
import { counted } from "../base/counted.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { amountOf, formatCents, parsePercent } from "../base/money.ts"
import { FreightError } from "../base/errors.ts"
import type { Bill } from "../sandbox/index.ts"
import { BRIEF, type Column, print } from "../output/index.ts"

interface BillRow {
  carrier: Carrier
  billNumber: string
  billDate: string
  consignments: number
  /** In dollars. */
  amountExGst: number
  gst: number
  amountIncGst: number
}

const money = (key: string, title: string, value: (row: BillRow) => number): Column<BillRow> => ({
  key,
  title,
  align: "right",
  value,
  show: (row) => formatCents(Math.round(value(row) * 100)),
})

const columns: Column<BillRow>[] = [
  { key: "carrier", title: "CARRIER", brief: BRIEF.carrier },
  { key: "invoiceNumber", title: "INVOICE", gives: "nothing", value: ({ billNumber }) => billNumber },
  { key: "invoiceDate", title: "DATE", value: ({ billDate }) => billDate },
  { key: "consignments", title: "CONSIGNMENTS", align: "right" },
  money("exGst", "EX GST", ({ amountExGst }) => amountExGst),
  money("gst", "GST", ({ gst }) => gst),
  money("incGst", "INC GST", ({ amountIncGst }) => amountIncGst),
]

const flags = {
  since: { takes: "<day>", about: "collected since this day: 2026-11-01 (default: all)" },
  until: { takes: "<day>", about: "collected up to this day" },
  carrier: { takes: "<carrier>", about: "this carrier's bill only", choices: CARRIERS },
  delivered: { about: "first move the sandbox's clock to when everything is delivered" },
  errors: {
    takes: "<percent>",
    about: "bill this share of consignments with a mistake, such as 5%, and list them in FILE.key",
    read: readShare,
  },
  credits: {
    about: "the next bill, which credits what is disputed: freight disputes",
    conflicts: ["errors", "since", "until"],
  },
  seed: {
    takes: "<n>",
    about: "another seed makes other mistakes",
    default: "1",
    read: wholeNumber(0, 2 ** 31),
  },
  output: {
    ...OUTPUT,
    about: "write to this file: .csv, .xlsx, .pdf, or .json for invoices; - for standard output, by --format",
  },
  ...FORCE_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Writes the bills of the sandbox's carriers for its bookings: a line for each charge. They bill shipments that were collected by the sandbox's clock, are not cancelled and are paid by the sender.",
  flags,
  alsoWrites: ({ output, errors }) =>
    output === undefined || errors === undefined
      ? []
      : [{ flag: "--errors", file: toKeyFile(output), writes: "file" }],
  columns,
  examples: [
    "freight sandbox bill --delivered -o bill.csv",
    "freight sandbox bill --since 2026-11-01 --delivered -o bill.json",
    "freight sandbox bill --delivered --errors 5% -o bill.csv",
  ],
  notes: `Mistakes, in turn, as long as there are consignments for them: ${MISTAKES.join(", ")}.
Write sandbox:cancelled or sandbox:not-collected into a booking's reference or
instructions, and it is cancelled, or never collected.
Amounts are as quoted; GST is a tenth of each charge. Weights are as booked.
The clock stays as set until freight sandbox reset empties the sandbox.`,
  async run(deps, options) {
    const { output = "" } = options
    const { billBookings } = await import("../sandbox/bills/run.ts")
    const readDisputed = async () =>
      (await import("../bills/disputes/of-sandbox.ts")).readSandboxDisputes(deps)
    const { bills, leftOutText, ...summary } = await billBookings(
      deps,
      { ...options, keyFile: toKeyFile(output) },
      deps.output.format,
      readDisputed,
    )
    if (output !== "-") await print(deps, { summary, rows: bills.map(toBillRow), columns })
    if (leftOutText !== "") await deps.note(`Not billed: ${leftOutText}.`)
    const { mistakes, keyFile } = summary
    if (mistakes !== null) await deps.note(`${counted(mistakes, "mistake")}: ${keyFile} says which.`)
  },
})

function toBillRow({ carrier, invoiceNumber, invoiceDate, consignments, exGst, gst }: Bill): BillRow {
  return {
    carrier,
    billNumber: invoiceNumber,
    billDate: invoiceDate,
    consignments: new Set(consignments.map(({ consignment }) => consignment)).size,
    amountExGst: amountOf(exGst),
    gst: amountOf(gst),
    amountIncGst: amountOf(exGst + gst),
  }
}

/** The file that lists a bill's mistakes. */
function toKeyFile(file: string): string {
  return `${file}.key`
}

/** `5%` or `5`. */
function readShare(text: string, flag: string): number {
  const percent = parsePercent(text.endsWith("%") ? text : `${text}%`)
  if (percent.ok && percent.value > 0 && percent.value <= 100) return percent.value
  throw new FreightError("usage", `${flag} takes a percentage above 0, such as 5%, not ${quoted(text)}`)
}
