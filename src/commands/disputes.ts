/** Disputes with carriers, from the day they are raised until they are settled. */
import {
  cents,
  command,
  type Flags,
  FORCE_FLAG,
  nonEmpty,
  OUTPUT,
  pastDay,
  printChanges,
} from "../command/index.ts"
import { counted } from "../base/counted.ts"
import { amountOf, formatMoney } from "../base/money.ts"
import type { Deps } from "../session/index.ts"
import type { SavedLetter } from "../reports/index.ts"
import {
  BILL_CURRENCY,
  type ClearingRow,
  type CreditBalance,
  type DisputeBalance,
  DISPUTED_CONSIGNMENT,
  formatVerdict,
  type HeldBack,
  isToBeSent,
  nameBillOf,
  nameDispute,
  nameDisputeRow,
  noteToMove,
  readAuthor,
  splitGst,
  type StepKind,
  type Stepped,
} from "../bills/index.ts"
import { readDisputeDays } from "../machine/index.ts"
import { type Column, money, plainColumns, print } from "../output/index.ts"

function toBillPart({
  billNumber,
  file,
  billDate,
  supplier,
}: DisputeBalance["dispute"] | CreditBalance["credit"]) {
  return {
    billNumber: billNumber || null,
    billDate: billDate || null,
    file,
    supplier: supplier || null,
  }
}

type DisputeRow = ReturnType<typeof toDisputeRow>

function toDisputeRow(balance: DisputeBalance, deadline: string | undefined, held: HeldBack | undefined) {
  const { dispute, state, claim, sentOn, creditedCents, deniedCents, writtenOffCents, openCents } = balance
  const own = splitGst(dispute, openCents)
  return {
    id: dispute.id,
    ...toBillPart(dispute),
    carrier: dispute.carrier || null,
    consignmentNumber: dispute.consignment || null,
    reference: dispute.reference || null,
    shipmentId: dispute.shipmentId || null,
    verdict: dispute.verdict,
    why: dispute.why,
    state,
    raised: amountOf(dispute.amountCents),
    credited: amountOf(creditedCents),
    denied: amountOf(deniedCents),
    writtenOff: amountOf(writtenOffCents),
    open: amountOf(openCents),
    gstBasis: dispute.gstBasis,
    currency: BILL_CURRENCY,
    /** The part of `open` without GST, and its GST, as the bill charges it; null where the bill does not say it. */
    openExGst: own ? amountOf(own.exGst) : null,
    openGst: own ? amountOf(own.gst) : null,
    /** The part of `open` with GST that was withheld when the bill was paid. */
    withheldIncGst: amountOf(held?.withheldCents ?? 0),
    /** The part that was paid despite the dispute, and is to be paid back. */
    toComeBackIncGst: amountOf(held?.toComeBackCents ?? 0),
    raisedOn: dispute.day,
    /** Null where it was not sent. */
    sentOn: sentOn || null,
    /** The last day on which the carrier accepts it; null if there is none, or it was sent. */
    deadline: isToBeSent(balance) ? (deadline ?? null) : null,
    /** The carrier's number for it. */
    claim: claim || null,
    steps: balance.steps.map(
      ({ kind, day, amountCents, creditId, claim: number, why, at, workstation, person }) => ({
        step: kind,
        day,
        amount: amountOf(amountCents),
        creditId: creditId ?? null,
        claim: number ?? null,
        why: why || null,
        at,
        workstation,
        person: person || null,
      }),
    ),
  }
}

const COLUMNS: readonly Column<DisputeRow>[] = [
  DISPUTED_CONSIGNMENT,
  { key: "bill", title: "BILL", rank: 3, value: nameBillOf },
  {
    key: "state",
    title: "STATE",
    rank: 2,
    gives: "nothing",
    isState: true,
    show: ({ state }) => state.replace("-", " "),
  },
  { ...money("raised"), title: "DISPUTED", rank: 5 },
  {
    ...money("credited"),
    title: "CREDITED",
    rank: 7,
    show: ({ credited }) => (credited === 0 ? "" : formatMoney(credited, "").trim()),
  },
  {
    ...money("open"),
    title: "OPEN",
    rank: 4,
    show: ({ open }) => (open === 0 ? "" : formatMoney(open, "").trim()),
  },
  { key: "deadline", title: "SEND BY", rank: 6 },
  { key: "verdict", title: "DISPUTE", rank: 8, show: ({ verdict }) => formatVerdict(verdict) },
  { key: "supplier", title: "SUPPLIER", rank: 10 },
  { key: "claim", title: "CLAIM", rank: 9 },
  { key: "why", title: "WHY", hidden: true },
  { key: "carrier", title: "CARRIER", hidden: true },
  { key: "reference", title: "REFERENCE", hidden: true },
  { key: "denied", title: "DENIED", hidden: true },
  { key: "writtenOff", title: "WRITTEN OFF", hidden: true },
  { key: "gst", title: "GST", hidden: true, value: ({ gstBasis }) => gstBasis },
  { key: "raisedOn", title: "RAISED", hidden: true },
  { key: "sentOn", title: "SENT", hidden: true },
  { key: "billDate", title: "BILL DATE", hidden: true },
  { key: "shipmentId", title: "SHIPMENT", hidden: true },
  { key: "id", title: "ID", hidden: true },
  { key: "openExGst", title: "OPEN EX GST", hidden: true },
  { key: "openGst", title: "GST OF OPEN", hidden: true },
  { key: "withheldIncGst", title: "WITHHELD INC GST", hidden: true },
  { key: "toComeBackIncGst", title: "TO COME BACK INC GST", hidden: true },
]

const NAMES = "a consignment, a bill for all of it, a reference, or the first 6 characters of an id"

const load = async () => ({
  ...(await import("../bills/disputes/act.ts")),
  ...(await import("../bills/disputes/balance.ts")),
})

async function readBook(deps: Deps) {
  const { readDisputes } = await import("../bills/records/disputes.ts")
  return readDisputes((await deps.readLedger()).store.database)
}

async function listRows(deps: Deps, balances: readonly DisputeBalance[]): Promise<DisputeRow[]> {
  const { findDeadline } = await import("../bills/disputes/deadline.ts")
  const { readHeld } = await import("../bills/pay/held.ts")
  const held = await readHeld((await deps.readLedger()).store.database)
  const days = readDisputeDays(deps)
  return balances.map((balance) =>
    toDisputeRow(balance, findDeadline(balance.dispute, days), held.get(balance.dispute.id)),
  )
}

const LIST_FLAGS = {
  all: { about: "also those that are settled" },
  bill: { takes: "<bill>", about: "of this bill only" },
} as const satisfies Flags

export const list = command({
  about:
    "Lists what is disputed with carriers and still open, the oldest first. freight audit --raise makes disputes; each step after that is recorded here, and credits on later bills close what they pay.",
  flags: LIST_FLAGS,
  columns: COLUMNS,
  examples: ["freight disputes --sandbox", "freight disputes --sandbox --all --json"],
  async run(deps, { all = false, bill }) {
    const { toDisputeBalances, isOpen, sumOpen } = await load()
    const balances = toDisputeBalances(await readBook(deps)).filter(
      (each) =>
        (all || isOpen(each)) &&
        (bill === undefined || [each.dispute.billNumber, each.dispute.file].includes(bill)),
    )
    const rows = await listRows(deps, balances)
    await print(deps, { rows, columns: COLUMNS, empty: "Nothing is disputed." })
    if (deps.output.format === "table" && balances.length > 0) {
      const { describeHeldOf } = await import("../bills/pay/held.ts")
      const held = describeHeldOf(rows)
      await deps.note(
        `${counted(balances.length, "dispute")}, ${sumOpen(balances)} open${held && `: ${held}`}.`,
      )
    }
    const { findSelfBilled } = await import("../bills/disputes/self-billed.ts")
    const { describeSelfBilled } = await import("../bills/disputes/messages.ts")
    const mistaken = await findSelfBilled((await deps.readLedger()).store.database, balances)
    for (const warning of describeSelfBilled(mistaken)) await deps.warn(warning)
  },
})

/** One dispute, with its steps: `freight disputes show`. */
export const show = command({
  about: "Shows a dispute with each of its steps: the day, the amount, who wrote it and why.",
  args: [{ takes: "<dispute>", about: NAMES }],
  columns: COLUMNS,
  examples: ["freight disputes show --sandbox SBA90000001"],
  async run(deps, name) {
    const { toDisputeBalances, chooseDisputes } = await load()
    const rows = await listRows(deps, chooseDisputes(toDisputeBalances(await readBook(deps)), [name]))
    const { describeHeldOf } = await import("../bills/pay/held.ts")
    await print(deps, {
      rows,
      columns: COLUMNS,
      text: () => rows.map((row) => describe(row, describeHeldOf([row]))).join("\n"),
    })
  },
})

function describe(row: DisputeRow, held: string): string {
  const amount = (value: number) => formatMoney(value, BILL_CURRENCY)
  const lines = [
    [
      `${nameDisputeRow(row)}  ${row.state.replace("-", " ")}  bill ${nameBillOf(row)}`,
      ...[row.billDate, row.supplier].filter((each) => each !== null),
    ].join(" "),
    `  ${formatVerdict(row.verdict)}: ${row.why}`,
    `  ${row.raisedOn}  raised ${amount(row.raised)}`,
    ...row.steps.map(({ step, day, amount: value, claim, why, person, workstation }) =>
      [
        `  ${day}  ${step.replace("-", " ")}${value === 0 ? "" : ` ${amount(Math.abs(value))}`}${value < 0 ? " reversed" : ""}`,
        ...(claim === null ? [] : [`claim ${claim}`]),
        ...(why === null ? [] : [why]),
        `by ${person ?? "somebody"} at ${workstation}`,
      ].join(", "),
    ),
    `  open ${amount(row.open)}${row.deadline === null ? "" : `, to be sent by ${row.deadline}`}${held && `: ${held}`}`,
  ]
  return `${lines.join("\n")}\n`
}

const STEP_FLAGS = {
  date: { formerly: ["--on"], takes: "<day>", about: "the day of it (default: today)", read: pastDay },
  why: { takes: "<text>", about: "why, in a few words", read: nonEmpty },
  again: { about: "record it again, although the same step of that day is recorded" },
} as const satisfies Flags

const CLAIM_FLAG = {
  claim: { takes: "<number>", about: "the carrier's number for it", read: nonEmpty },
} as const satisfies Flags

const AMOUNT_FLAG = {
  amount: {
    takes: "<amount>",
    about: "for one dispute, the amount: 12.50 (default: everything still open)",
    read: cents,
  },
} as const satisfies Flags

interface StepOptions {
  date?: number
  why?: string
  again?: boolean
  claim?: string
  amount?: number
}

function stepArgs() {
  return [{ takes: "<dispute...>", about: NAMES }] as const
}

async function writeStep(
  deps: Deps,
  names: readonly string[],
  kind: StepKind,
  { date, why, again = false, claim, amount }: StepOptions,
): Promise<undefined> {
  const { takeStep } = await load()
  const { store } = await deps.writeLedger()
  const draft = { kind, amountCents: amount, claim, why, isAgain: again }
  const stepped = await takeStep(store.database, names, draft, readAuthor(deps, date))
  const before = await printStepped(deps, stepped)
  if (before > 0)
    await deps.note(
      `${counted(before, "dispute")} ${before === 1 ? "has" : "have"} this step of that day already, or nothing open: nothing was recorded there. --again records the step a second time.`,
    )
}

/** @returns for how many disputes nothing was written */
async function printStepped(deps: Deps, stepped: readonly Stepped[]): Promise<number> {
  await print(deps, {
    rows: await listRows(
      deps,
      stepped.map(({ balance }) => balance),
    ),
    columns: COLUMNS,
  })
  await noteToMove(
    deps,
    stepped.flatMap(({ balance, isNew }) => (isNew ? [balance.dispute.id] : [])),
  )
  return stepped.filter(({ isNew }) => !isNew).length
}

/** A step that closes nothing. */
function tell(kind: StepKind, about: string, example: string) {
  return command({
    about,
    args: stepArgs(),
    flags: { ...CLAIM_FLAG, ...STEP_FLAGS },
    columns: COLUMNS,
    examples: [example],
    run: (deps, names, options) => writeStep(deps, names, kind, options),
  })
}

/** A step that closes the open amount, or a part of it. */
function close(kind: StepKind, about: string, example: string) {
  return command({
    about,
    args: stepArgs(),
    flags: { ...AMOUNT_FLAG, ...STEP_FLAGS },
    columns: COLUMNS,
    examples: [example],
    run: (deps, names, options) => writeStep(deps, names, kind, options),
  })
}

export const sent = tell(
  "sent",
  "Records that disputes were sent to the carrier, and the number that it gave them.",
  "freight disputes sent --sandbox carrier.csv --claim CL-17",
)

export const answered = tell(
  "answered",
  "Records that the carrier answered, and has not decided yet.",
  'freight disputes answered --sandbox carrier.csv --why "asks for a photo"',
)

export const credited = close(
  "credited",
  "Records a credit that is on no bill that you audit. freight audit finds the credits of audited bills itself.",
  'freight disputes credited --sandbox SBA90000001 --amount 5.00 --why "paid by transfer"',
)

export const denied = close(
  "denied",
  "Records that the carrier will not pay: all that is open, or a part. A credit that comes later still counts.",
  'freight disputes denied --sandbox SBA90000001 --amount 1.00 --why "weighed again"',
)

export const writtenOff = close(
  "written-off",
  "Writes off what the carrier does not pay: all that is open, or a part. A credit that comes later still counts.",
  'freight disputes written-off --sandbox SBA90000001 --amount 1.00 --why "too little to ask for"',
)

export const reopen = command({
  about:
    "Reverses the last credited, denied or written-off step of disputes and reopens that amount. Nothing is deleted: the reversal is a separate step. A reversed credit is free for another dispute; freight disputes confirm uses it for this one again.",
  args: stepArgs(),
  flags: {
    why: { ...STEP_FLAGS.why, isRequired: true },
    date: STEP_FLAGS.date,
    earlier: {
      formerly: ["--again"],
      about: "undo the one before too, where the last is undone already",
    },
  },
  columns: COLUMNS,
  examples: ['freight disputes reopen --sandbox SBA90000001 --why "the denial was for another consignment"'],
  async run(deps, names, { why, date, earlier = false }) {
    const { reopenDisputes } = await load()
    const { store } = await deps.writeLedger()
    const author = readAuthor(deps, date)
    const before = await printStepped(
      deps,
      await reopenDisputes(store.database, names, { why, isAgain: earlier }, author),
    )
    if (before > 0)
      await deps.note(
        `Nothing was recorded for ${counted(before, "dispute")}: there is no step to undo, or it is undone already. --earlier undoes the step before.`,
      )
  },
})

type MovedRow = Pick<
  ClearingRow,
  "id" | "billNumber" | "file" | "supplier" | "consignmentNumber" | "moves" | "gstBasis" | "currency"
> & {
  /** In whole units: away from the clearing account, or negative to it. */
  moved: number
}

const MOVED_COLUMNS: readonly Column<MovedRow>[] = [
  { key: "id", title: "ID" },
  { key: "bill", title: "BILL", value: nameBillOf },
  { key: "supplier", title: "SUPPLIER" },
  { key: "consignment", title: "CONSIGNMENT", value: ({ consignmentNumber }) => consignmentNumber },
  { ...money("moved"), title: "MOVED" },
  { key: "moves", title: "MOVES" },
  { key: "gst", title: "GST", value: ({ gstBasis }) => gstBasis },
  { key: "currency", title: "CURRENCY" },
]

export const moved = command({
  about:
    "Records that you made the transfers that freight report clearing lists for these disputes. It always records the full amount. If there is nothing to transfer, nothing is recorded.",
  args: stepArgs(),
  flags: { date: STEP_FLAGS.date, why: STEP_FLAGS.why },
  columns: MOVED_COLUMNS,
  examples: ['freight disputes moved --sandbox SBA90000001 --why "journal 17"'],
  async run(deps, names, { date, why }) {
    const { recordMoves } = await import("../bills/books/account.ts")
    const { describeMove, toClearingRow } = await import("../bills/books/clearing-report.ts")
    const { store } = await deps.writeLedger()
    const balances = await recordMoves(store.database, names, why, readAuthor(deps, date))
    if (balances.length === 0)
      await deps.note("Nothing is to be moved for these: nothing was written. freight report clearing")
    for (const { disputeBalance, toMove } of balances)
      for (const each of toMove)
        await deps.note(
          `Recorded for ${nameDispute(disputeBalance.dispute)}: ${describeMove(each, disputeBalance.dispute.gstBasis).replace(/^move/, "moved")}.`,
        )
    const rows = balances.map(toClearingRow).map(
      ({ id, billNumber, file, supplier, consignmentNumber, ...row }): MovedRow => ({
        ...{ id, billNumber, file, supplier, consignmentNumber, moved: row.toMove, moves: row.moves },
        ...{ gstBasis: row.gstBasis, currency: row.currency },
      }),
    )
    await printChanges(deps, rows, MOVED_COLUMNS)
  },
})

type CreditRow = ReturnType<typeof toCreditRow>

function toCreditRow({ credit, cents: all, usedCents }: CreditBalance) {
  return {
    id: credit.id,
    ...toBillPart(credit),
    carrier: credit.carrier || null,
    consignmentNumber: credit.consignment || null,
    reference: credit.reference || null,
    credited: amountOf(all),
    used: amountOf(usedCents),
    surplus: amountOf(all - usedCents),
    currency: BILL_CURRENCY,
  }
}

const CREDIT_COLUMNS: readonly Column<CreditRow>[] = [
  { key: "id", title: "ID", rank: 2, show: ({ id }) => id.slice(0, 8) },
  { key: "bill", title: "BILL", rank: 4, value: nameBillOf },
  {
    key: "consignment",
    title: "CONSIGNMENT",
    rank: 1,
    value: ({ consignmentNumber }) => consignmentNumber,
  },
  { ...money("credited"), title: "CREDITED", rank: 5 },
  { ...money("used"), title: "USED", rank: 6 },
  { ...money("surplus"), title: "SURPLUS", rank: 3 },
  { key: "supplier", title: "SUPPLIER", rank: 7 },
  { key: "billDate", title: "BILL DATE", hidden: true },
  { key: "carrier", title: "CARRIER", hidden: true },
  { key: "reference", title: "REFERENCE", hidden: true },
]

export const credits = command({
  about:
    "Lists credits that exceed what was disputed (the surplus). freight disputes confirm uses one for a dispute of another consignment.",
  flags: { all: { formerly: ["--used"], about: "also those that are used up" } },
  columns: CREDIT_COLUMNS,
  examples: ["freight disputes credits --sandbox --all"],
  async run(deps, { all = false }) {
    const { toCreditBalances } = await load()
    const rows = toCreditBalances(await readBook(deps))
      .filter(({ cents: given, usedCents }) => all || given > usedCents)
      .map(toCreditRow)
    await print(deps, { rows, columns: CREDIT_COLUMNS, empty: "No credit has a surplus." })
  },
})

export const confirm = command({
  about: "Uses a credit of another consignment for a dispute, as far as it goes.",
  args: [
    { takes: "<credit>", about: "its id as freight disputes credits shows it, its bill or its consignment" },
    { takes: "<dispute>", about: NAMES },
  ],
  flags: { date: STEP_FLAGS.date },
  columns: COLUMNS,
  examples: ["freight disputes confirm --sandbox SBA90000002 SBA90000001"],
  async run(deps, credit, dispute, { date }) {
    const { confirmCredit } = await load()
    const { store } = await deps.writeLedger()
    const balance = await confirmCredit(store.database, credit, dispute, readAuthor(deps, date))
    await print(deps, { rows: await listRows(deps, [balance]), columns: COLUMNS, single: true })
    await noteToMove(deps, [balance.dispute.id])
  },
})

const LETTER_FLAGS = {
  output: {
    ...OUTPUT,
    about:
      "write it to letter.pdf, letter.html or letter.txt, by its ending; - for text on standard output (-)",
    conflicts: "dir",
  },
  dir: {
    takes: "<dir>",
    about: "write the letter of each bill as PDF into this folder, by the bill's number",
    writes: "folder",
  },
  as: {
    formerly: ["--from"],
    takes: "<party>",
    about:
      "the saved party that writes, with its name, ABN and address (default: the one called us, or the only supplier)",
    read: nonEmpty,
  },
  offline: { formerly: ["--no-evidence"], about: "do not ask the API: leave out the pages of evidence" },
  ...FORCE_FLAG,
} as const satisfies Flags

const LETTER_COLUMNS: readonly Column<LetterRow>[] = [
  { key: "bill", title: "BILL", value: ({ billNumber }) => billNumber },
  ...plainColumns(["supplier", "file", "disputes", "open", "currency"]),
]

export const letter = command({
  about:
    "Writes one letter to a carrier about all that is open on a bill, with a page of evidence for each consignment. With --dir and no bill: one letter for each bill that has unsent disputes. freight mails nothing: when you have sent one, freight disputes sent BILL.",
  args: [{ takes: "[bill...]", about: NAMES }],
  flags: LETTER_FLAGS,
  columns: LETTER_COLUMNS,
  examples: [
    "freight disputes letter --sandbox carrier.csv -o letter.pdf",
    "freight disputes letter --sandbox carrier.csv --dir letters",
  ],
  async run(deps, names, { offline = false, force = false, ...options }) {
    const { writeLetters } = await import("../reports/letters.ts")
    const saved = await writeLetters(deps, names, { ...options, hasEvidence: !offline, force })
    if (saved.length > 0) await printChanges(deps, saved.map(toLetterRow), LETTER_COLUMNS)
  },
})

type LetterRow = ReturnType<typeof toLetterRow>

function toLetterRow({ dispute: { billNumber, supplier }, file, balances }: SavedLetter) {
  const cents = balances.reduce((sum, { openCents }) => sum + openCents, 0)
  return {
    billNumber: billNumber || null,
    supplier: supplier || null,
    /** The letter's file. */
    file,
    disputes: balances.length,
    open: amountOf(cents),
    currency: BILL_CURRENCY,
  }
}
