import { command, type Flags, FORCE_FLAG, type OptionsOf, OUTPUT, wholeNumber } from "../command/index.ts"
import { MISTAKES } from "../bills/index.ts"
import { CARRIERS } from "../carriers/index.ts"
import { counted, grouped } from "../base/counted.ts"
import { isNamed } from "../base/file-names.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { amountOf, formatCents, parsePercent } from "../base/money.ts"
import { formatDate, formatInstant, wallClockNow } from "../base/wall-clock.ts"
import { readWhen } from "../base/when.ts"
import { DEFAULT_ZONE } from "../contract/index.ts"
import type { Deps, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import {
  type Bill,
  type Billed,
  type Candidate,
  findLastDelivery,
  getCompany,
  makeBills,
  makeMistakes,
  openWorld,
  readCandidates,
  SANDBOX_SEED,
  UNBILLED,
  type Wanted,
  type World,
  writeBillSheet,
  writeCsv,
  writeInvoices,
} from "../sandbox/index.ts"
import { BRIEF, type Column, fileError, print } from "../output/index.ts"

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
    read: parseShare,
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
    "Writes what the sandbox's carriers bill for what was booked in it: a line for each charge. They bill what was collected by the sandbox's clock, is not cancelled and is paid by the sender.",
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
  /** @throws FreightError `notFound` when there is nothing to bill */
  async run(deps, options) {
    const { output: file, errors: percent, seed } = options
    if (file === undefined)
      throw new FreightError("usage", "say where the bill goes: -o bill.csv or -o bill.json", {
        hint: "Or -o - for standard output.",
      })
    const format = chooseFormat(deps, file)
    if (options.credits && format === "json")
      throw new FreightError(
        "usage",
        "--credits writes a table: name a file that ends in .csv, .xlsx or .pdf",
      )
    const key = toKeyFile(file)
    if (percent !== undefined && !isNamed(file))
      throw new FreightError("usage", "--errors writes its key beside the bill: name a file with -o")

    const world = openSandbox(deps)
    try {
      const wanted = parseWanted(options, world)
      const until = options.delivered ? findLastDelivery(world, wanted) : undefined
      if (until !== undefined) await moveClock(deps, world, until)
      const candidates = readCandidates(world, wanted)
      const right = options.credits
        ? await listCredits(deps, candidates, formatDate(wallClockNow(world.now())))
        : candidates.filter(({ unbilled }) => unbilled === undefined).map(({ billed }) => billed)
      const leftOut = options.credits ? {} : countLeftOut(candidates)
      if (right.length === 0)
        throw options.credits
          ? new FreightError("notFound", "nothing is disputed that could be credited")
          : createNothingToBillError(leftOut)
      const isConsignment = (number: string) => world.state.byConsignment.has(number)
      const mistaken =
        percent === undefined ? undefined : makeMistakes(candidates, { seed, percent, isConsignment })
      const bills = makeBills(mistaken?.billed ?? right)
      await deps.outputs.write(file, await WRITERS[format](bills))
      if (mistaken) await deps.outputs.write(key, `${JSON.stringify(mistaken.key, null, 2)}\n`)
      const rows = bills.map(toBillRow)
      const mistakes = mistaken?.key.mistakes.length ?? null
      if (file !== "-")
        await print(deps, {
          summary: {
            file,
            keyFile: mistaken ? key : null,
            mistakes,
            leftOut: { ...NONE_LEFT_OUT, ...leftOut },
          },
          rows,
          columns,
        })
      if (Object.keys(leftOut).length > 0) await deps.note(`Not billed: ${describeLeftOut(leftOut)}.`)
      if (mistakes !== null) await deps.note(`${counted(mistakes, "mistake")}: ${key} says which.`)
    } finally {
      world.close()
    }
  },
})

/** How bills are written, by the ending of their file. */
const WRITERS = {
  csv: writeCsv,
  xlsx: writeBillSheet,
  json: writeInvoices,
  async pdf(bills: readonly Bill[]) {
    const { writeBillPdf } = await import("../sandbox/bills/pdf.ts")
    return writeBillPdf(bills)
  },
}

/** What is open of each dispute, as its carrier gives it back on a day. */
async function listCredits(
  { stateDir, ledgerPorts, note }: Pick<Deps, "stateDir" | "ledgerPorts" | "note">,
  candidates: readonly Candidate[],
  day: string,
): Promise<Billed[]> {
  // The sandbox's own ledger, with or without --sandbox.
  const { openLedger } = await import("../ledger/open.ts")
  const place = { address: undefined, from: "ledger", folder: `${stateDir}/sandbox` }
  const { store } = await openLedger(place, ledgerPorts, note, true)
  const { readDisputes } = await import("../ledger/records/disputes.ts")
  const { standingsOf } = await import("../bills/disputes/standing.ts")
  const billed = new Map(candidates.map((each) => [each.billed.consignment, each.billed]))
  const book = await readDisputes(store.database)
  await store.close()
  return standingsOf(book).flatMap(
    ({ dispute: { consignment, reference, carrier, supplier }, openCents }): Billed[] => {
      const by = CARRIERS.find((each) => each === carrier || getCompany(each) === supplier)
      if (openCents <= 0 || !by) return []
      const charges = [{ charge: "freight" as const, name: "Credit", cents: -openCents }]
      const booked = billed.get(consignment) ?? { serviceCode: "", weightKg: 0 }
      return [{ ...booked, carrier: by, consignment, reference, shipDate: day, charges }]
    },
  )
}

function openSandbox({ stateDir, clock, ids }: Session): World {
  const dir = `${stateDir}/sandbox`
  try {
    return openWorld({ dir, clock, newId: ids.uuid, seed: SANDBOX_SEED })
  } catch (error) {
    throw fileError("write", dir, error)
  }
}

/** Takes the sandbox's time forward to an instant, for all who use it. */
async function moveClock({ note }: Session, world: World, instant: number): Promise<void> {
  const ahead = instant - world.now()
  if (ahead <= 0) return
  world.record({ type: "clock", offsetMs: world.state.clockOffsetMs + ahead })
  const time = formatInstant(new Date(instant).toISOString())
  await note(
    `The sandbox's clock is set to ${time}, when everything is delivered. It stays so until freight sandbox reset.`,
  )
}

type LeftOut = Partial<Record<keyof typeof UNBILLED, number>>

const NONE_LEFT_OUT = { cancelled: 0, "not-collected": 0, "payer-is-another": 0 } as const satisfies Required<
  Record<keyof LeftOut, number>
>

function countLeftOut(candidates: readonly Candidate[]): LeftOut {
  const counts: LeftOut = {}
  for (const { unbilled } of candidates) if (unbilled) counts[unbilled] = (counts[unbilled] ?? 0) + 1
  return counts
}

function describeLeftOut(leftOut: LeftOut): string {
  return Object.entries(leftOut)
    .map(([reason, count]) => `${grouped(count)} ${UNBILLED[reason as keyof typeof UNBILLED]}`)
    .join(", ")
}

function createNothingToBillError(leftOut: LeftOut): FreightError {
  const what = describeLeftOut(leftOut)
  if (what === "")
    return new FreightError(
      "notFound",
      "there is nothing to bill: nothing was booked in the sandbox for these days",
      { next: "freight book --sandbox" },
    )
  const hint = "--delivered moves the sandbox's clock to when everything is delivered."
  return new FreightError("notFound", `there is nothing to bill: ${what}`, {
    hint: leftOut["not-collected"] === undefined ? undefined : hint,
  })
}

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

/** By the ending of the file, or --format where it has neither. */
function chooseFormat({ output: { format } }: Session, file: string): keyof typeof WRITERS {
  const ending = /\.(csv|json|xlsx|pdf)$/i.exec(file)?.[1]?.toLowerCase()
  const chosen = ending ?? (format === "table" && file === "-" ? "csv" : format)
  if (chosen === "csv" || chosen === "json" || chosen === "xlsx" || chosen === "pdf") return chosen
  throw new FreightError(
    "usage",
    `a bill is CSV, a workbook, a PDF or JSON, and ${file} does not say which`,
    {
      hint: "Name a file that ends in .csv, .xlsx, .pdf or .json, or add --format csv, xlsx or json.",
    },
  )
}

/** Where the mistakes of a bill are listed. */
function toKeyFile(file: string): string {
  return `${file}.key`
}

/** `5%` or `5`. */
function parseShare(text: string, flag: string): number {
  const percent = parsePercent(text.endsWith("%") ? text : `${text}%`)
  if (percent.ok && percent.value > 0 && percent.value <= 100) return percent.value
  throw new FreightError("usage", `${flag} takes a percentage above 0, such as 5%, not '${text}'`)
}

function parseWanted({ since, until, carrier }: OptionsOf<typeof flags>, world: World): Wanted {
  const now = () => wallClockNow(world.now(), DEFAULT_ZONE)
  const dayOf = (flag: string, text: string | undefined) => {
    if (text === undefined) return undefined
    const when = readWhen(text, now)
    if (when.ok && when.value.time === undefined) return formatDate(when.value.date)
    throw new FreightError("usage", `${flag} takes a day, such as 2026-11-01 or today, not '${text}'`)
  }
  return { carrier, since: dayOf("--since", since), until: dayOf("--until", until) }
}
