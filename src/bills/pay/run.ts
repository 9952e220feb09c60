/** Lists amounts to pay of audited bills, and records payments. */
import {
  BILL_SHEET_FLAGS,
  cents,
  type Flags,
  FORCE_FLAG,
  MAP_FLAGS,
  mayAsk,
  nonEmpty,
  type OptionsOf,
  OUTPUT,
  pastDay,
  SHEET_FLAGS,
} from "../../command/index.ts"
import type { Deps, Session } from "../../session/index.ts"
import { quoteBlanks } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { valueOrThrow } from "../../base/parsed.ts"
import { wallClockNow } from "../../base/wall-clock.ts"
import { parseDay } from "../../base/when.ts"
import type { StatementRow } from "../statement/compare.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import { type Decision, getOwedCents, sumCents, toSupplierKey } from "./decide.ts"
import {
  isCreditApart,
  isListed,
  isToPay,
  isUnpayable,
  PAID_COLUMNS,
  TO_PAY_COLUMNS,
  toPaidRow,
  toPayRow,
  toUnpayableRow,
  WITH_STATEMENT_COLUMNS,
} from "./rows.ts"
import type { Paid, ToRecord } from "./record.ts"
import { PROGRAMS } from "../programs.ts"
import { readAuthor } from "../disputes/author.ts"
import { readInput } from "../../orders/index.ts"
import { print } from "../../output/index.ts"

const STATEMENT_FLAGS = {
  map: { ...MAP_FLAGS.map, needs: "statement" },
  saveMap: { ...MAP_FLAGS.saveMap, needs: "statement" },
  useMap: { ...MAP_FLAGS.useMap, needs: "statement" },
  ignoreUnknown: { ...MAP_FLAGS.ignoreUnknown, needs: "statement" },
  sheet: { ...SHEET_FLAGS.sheet, needs: "statement" },
  hidden: { ...SHEET_FLAGS.hidden, needs: "statement" },
  headerRow: { ...SHEET_FLAGS.headerRow, needs: "statement" },
  total: { ...BILL_SHEET_FLAGS.total, needs: "statement" },
} as const satisfies Flags

export const PAY_FLAGS = {
  list: {
    about:
      "list what is to be paid, by the day on which it is due, and what may not be paid; nothing is recorded",
    conflicts: ["amount", "less", "paidElsewhere", "undo", "approvedBy"],
  },
  dueBy: {
    takes: "<day>",
    about: "only those that are due by this day; without --list, all of them are recorded as paid",
  },
  output: {
    ...OUTPUT,
    about: "with --list: write it as a plan for a second person to approve",
    needs: "list",
  },
  ...FORCE_FLAG,
  approvedBy: {
    takes: "<name>",
    about: "record exactly the payments of a plan; this is who approved it",
    read: nonEmpty,
    conflicts: ["amount", "less", "paidElsewhere", "undo", "dueBy"],
  },
  amount: {
    takes: "<amount>",
    about: "what was paid of one bill, where it is another amount",
    read: cents,
    conflicts: "undo",
  },
  further: {
    about: "with --amount: it was paid besides what was recorded of the bill before",
    needs: "amount",
  },
  less: {
    takes: "<amount>",
    about: "withhold only this of what is disputed on one bill, the newest first; 0 pays it in full",
    read: cents,
    conflicts: "undo",
  },
  paidElsewhere: {
    takes: "<day>",
    about: "the bills were paid on this day, without freight",
    read: pastDay,
    conflicts: "undo",
  },
  for: {
    takes: "<program>",
    about:
      "the accounting program in which you enter it, to say what to type there: xero, myob (AccountRight) or quickbooks (Online) (default: the setting books)",
    choices: PROGRAMS,
  },
  undo: { about: "record that the last payment of the bills was not made", needs: "why" },
  why: { takes: "<text>", about: "why it was not made", read: nonEmpty, needs: "undo" },
  earlier: {
    formerly: ["--again"],
    about: "with --undo: undo the one before too, where the last is undone already",
    needs: "undo",
  },
  statement: {
    takes: "<file>",
    about:
      "with --list: compare each bill with the carrier's statement of account: paid twice, another amount; the statement is not kept",
    isInput: true,
    needs: "list",
  },
  ...STATEMENT_FLAGS,
  yes: { about: "do not ask before it is recorded" },
} as const satisfies Flags

type Options = OptionsOf<typeof PAY_FLAGS>

/** Lists, records, records an approved plan, or undoes. */
export async function payBills(deps: Deps, names: readonly string[], options: Options): Promise<undefined> {
  if (options.list) return list(deps, names, options)
  if (options.undo) return undo(deps, names, options)
  if (options.approvedBy !== undefined) return approve(deps, names, options.approvedBy, options)
  await pay(deps, names, options)
  return undefined
}

const formatSum = (sum: number) => formatMoney(amountOf(sum), BILL_CURRENCY)

async function readAll(deps: Deps): Promise<Decision[]> {
  const { readDecisions } = await import("./record.ts")
  return readDecisions((await deps.readLedger()).store.database)
}

/** Bills known to be due by a day; all if no day is given. */
function keepDue(decisions: readonly Decision[], day: string | undefined, now: number): Decision[] {
  if (day === undefined) return [...decisions]
  const last = valueOrThrow(
    parseDay(day, () => wallClockNow(now), "any"),
    "--due-by",
  )
  return decisions.filter(({ bill }) => bill.due !== "" && bill.due <= last)
}

async function list(deps: Deps, names: readonly string[], options: Options): Promise<undefined> {
  if (names.length > 0) throw new FreightError("usage", "--list lists all bills: name none with it")
  const { dueBy, output } = options
  const all = await readAll(deps)
  const stated = await readStated(deps, options)
  const decisions = keepDue(all, dueBy, deps.clock.now())
  const listed = decisions.filter(isListed)
  // Credits count whenever they are due.
  const unpayable = [...decisions.filter(isUnpayable), ...all.filter(isCreditApart)]
  if (output !== undefined) await writePlan(deps, listed.filter(isToPay), output)
  if (output !== "-")
    await print(deps, {
      rows: listed.map((each) => toPayRow(each, stated?.(each))),
      columns: stated ? WITH_STATEMENT_COLUMNS : TO_PAY_COLUMNS,
      summary: {
        toPay: amountOf(sumToPay(listed)),
        currency: BILL_CURRENCY,
        mayNotBePaid: unpayable.map((each) => toUnpayableRow(each, stated?.(each))),
      },
      empty: "Nothing is to be paid.",
    })
  if (deps.output.format !== "table") return
  const due = listed.filter(isToPay)
  const setOff = due.reduce((sum, each) => sum + sumCents(each.setOff), 0)
  if (due.length > 0)
    await deps.note(
      `${counted(due.length, "bill")} to pay, ${formatSum(sumToPay(due))}${setOff > 0 ? `, and ${formatSum(setOff)} set off` : ""}.`,
    )
  await noteUndated(deps, all)
  await noteUnpayable(deps, unpayable)
}

/**
 * The statement's data about bills, if one is given. Reports what speaks against paying them.
 * @returns nothing if none is given
 */
async function readStated(
  deps: Deps,
  { statement, ...options }: Options,
): Promise<((decision: Decision) => StatementRow | undefined) | undefined> {
  if (statement === undefined) return undefined
  const { compareStatementFile } = await import("../statement/run.ts")
  const { describeStatement, findOnStatement } = await import("./statement.ts")
  const { rows } = await compareStatementFile(deps, statement, options, ["pay", "--list"])
  for (const each of describeStatement(rows)) await deps.warn(each)
  return (decision) => findOnStatement(rows, decision)
}

/** Older versions of freight recorded neither due dates nor payments. */
async function noteUndated({ note }: Session, all: readonly Decision[]): Promise<void> {
  const undated = all.filter((each) => isToPay(each) && each.bill.due === "")
  if (undated.length > 0)
    await note(
      `${counted(undated.length, "bill")} ${undated.length === 1 ? "was" : "were"} posted by an older freight, which kept no due day and no payments. What you paid: freight pay BILL --paid-elsewhere DAY`,
    )
}

function sumToPay(decisions: readonly Decision[]): number {
  return decisions.reduce((sum, { toPayCents }) => sum + toPayCents, 0)
}

/** Maximum number of bills listed one by one. */
const MAX_LISTED = 20

async function noteUnpayable({ note }: Session, unpayable: readonly Decision[]): Promise<void> {
  if (unpayable.length === 0) return
  const { nameOfBill } = await import("./record.ts")
  await note(`Not to be paid: ${counted(unpayable.length, "bill")}.`)
  for (const decision of unpayable.slice(0, MAX_LISTED)) {
    const { supplier, objections } = decision.bill
    const gives = isCreditApart(decision) ? `, which gives ${formatSum(-getOwedCents(decision))} back` : ""
    await note(
      `  ${nameOfBill(decision)}${supplier === "" ? "" : ` of ${supplier}`}${gives}: ${objections.map(({ why }) => why).join("; ")}`,
    )
  }
  if (unpayable.length > MAX_LISTED) await note(`  and ${unpayable.length - MAX_LISTED} more: --json`)
}

async function writePlan(deps: Deps, decisions: readonly Decision[], file: string): Promise<void> {
  if (decisions.length === 0)
    throw new FreightError("notFound", "nothing is to be paid: no plan was written", {
      next: "freight pay --list",
    })
  const { makePaymentPlan, paymentPlanText } = await import("./plan.ts")
  const { person, workstation } = deps.sender
  const plan = makePaymentPlan(decisions, {
    at: new Date(deps.clock.now()).toISOString(),
    by: person || workstation,
  })
  await deps.outputs.write(file, paymentPlanText(plan))
  await deps.note(
    file === "-"
      ? `Plan hash: ${plan.planHash}`
      : `Saved as ${file}. Who approves it runs: freight pay ${file} --approved-by NAME`,
  )
}

async function approve(
  deps: Deps,
  files: readonly string[],
  approvedBy: string,
  options: Options,
): Promise<undefined> {
  const [file, ...others] = files
  if (file === undefined || others.length > 0)
    throw new FreightError("usage", "--approved-by is for one plan: name its file", {
      hint: "freight pay --list -o FILE writes one. Nothing was written.",
    })
  const { checkPaymentPlan, recordPlan } = await import("./plan.ts")
  const { value, name } = await readInput(deps, file)
  const plan = checkPaymentPlan(value, name)
  await confirm(
    deps,
    `Record ${counted(plan.payments.length, "payment")}, ${formatMoney(plan.total, BILL_CURRENCY)}, as ${approvedBy} approved?`,
  )
  const { store } = await deps.writeLedger()
  await tell(deps, options, await recordPlan(store.database, plan, approvedBy, readAuthor(deps)))
}

async function pay(deps: Deps, names: readonly string[], options: Options): Promise<void> {
  const { chooseToRecord, recordPayments } = await import("./record.ts")
  const { amount, less, further = false, paidElsewhere, dueBy } = options
  const all = await readAll(deps)
  const chosen = chooseNames(deps, all, names, dueBy)
  if (chosen.length === 0) {
    await noteUndated(deps, all)
    return print(deps, { rows: [], columns: PAID_COLUMNS, empty: "Nothing is to be paid by that day." })
  }
  const author = readAuthor(deps, paidElsewhere)
  const draft = {
    ...{ amountCents: amount, lessCents: less, isElsewhere: paidElsewhere !== undefined },
    furtherOn: further ? author.day : undefined,
  }
  const shown = chooseToRecord(all, chosen, draft)
  const due = shown.filter(({ is }) => is === "to-pay")
  await noteCreditsApart(deps, all, due)
  if (due.length > 0) await confirm(deps, describeToRecord(due))
  const { store } = await deps.writeLedger()
  const asked = mayAsk(deps) ? shown : undefined
  const { paid, nothing } = await recordPayments(store.database, chosen, draft, author, asked)
  await tell(deps, options, paid, nothing)
}

/** Reports credits of the suppliers that are not set off, as their bills may not be used yet. */
async function noteCreditsApart(
  { note }: Session,
  all: readonly Decision[],
  due: readonly ToRecord[],
): Promise<void> {
  const suppliers = new Set(due.map(({ decision }) => toSupplierKey(decision.bill.supplier)))
  const apart = all.filter((each) => isCreditApart(each) && suppliers.has(toSupplierKey(each.bill.supplier)))
  for (const decision of apart.slice(0, MAX_LISTED)) {
    const { billNumber, file, supplier, objections } = decision.bill
    await note(
      `${billNumber || file} of ${supplier} gives ${formatSum(-getOwedCents(decision))} back, and is not set off: ${objections.map(({ why }) => why).join("; ")}`,
    )
  }
}

/** The named bills, or else all that are due by a day. */
function chooseNames(
  deps: Deps,
  all: readonly Decision[],
  names: readonly string[],
  dueBy: string | undefined,
): readonly string[] {
  if (names.length === 0 && dueBy === undefined)
    throw new FreightError("usage", "say which bills were paid: name them, or give --due-by DAY", {
      next: "freight pay --list",
    })
  if (names.length === 0) {
    const due = keepDue(all, dueBy, deps.clock.now()).filter(isToPay)
    return due.map(({ bill: { supplier, billNumber } }) => `${supplier} ${billNumber}`)
  }
  if (dueBy !== undefined)
    throw new FreightError("usage", "--due-by takes all bills that are due: name none with it")
  return names
}

/** Asks at a terminal only. */
async function confirm(deps: Deps, question: string): Promise<void> {
  if (!mayAsk(deps)) return
  if (!(await (await deps.prompt()).confirm(question, false)))
    throw new FreightError("input", "you said no: nothing was recorded")
}

/** `Record that bill 4711 is paid, AUD 100.00, with AUD 10.00 withheld?` */
function describeToRecord(due: readonly ToRecord[]): string {
  const decisions = due.map(({ decision }) => decision)
  const sum = (of: (decision: Decision) => number) => decisions.reduce((all, each) => all + of(each), 0)
  const withheld = sum((each) => sumCents(each.withheld))
  const setOff = sum((each) => sumCents(each.setOff))
  const [first, ...others] = decisions
  const what =
    first && others.length === 0
      ? `bill ${first.bill.billNumber} is paid`
      : `${counted(decisions.length, "bill")} are paid`
  const more = [
    ...(withheld > 0 ? [`${formatSum(withheld)} withheld`] : []),
    ...(setOff > 0 ? [`${formatSum(setOff)} set off`] : []),
  ]
  return `Record that ${what}, ${formatSum(sumToPay(decisions))}${more.length > 0 ? `, with ${more.join(" and ")}` : ""}?`
}

async function tell(
  deps: Deps,
  options: Options,
  paid: readonly Paid[],
  nothing: readonly Decision[] = [],
): Promise<void> {
  const { describePayment, nameOfBill } = await import("./record.ts")
  await print(deps, { rows: paid.map(toPaidRow), columns: PAID_COLUMNS })
  for (const { payment, isNew } of paid)
    if (!isNew)
      await deps.note(`Bill ${payment.billNumber} ${describePayment(payment)}: nothing was recorded twice.`)
  for (const decision of nothing) {
    const withheld = sumCents(decision.withheld)
    await deps.note(
      withheld > 0
        ? `Nothing of ${nameOfBill(decision)} is to be paid: ${formatSum(withheld)} of it is disputed. --less says how much of that is withheld.`
        : decision.leftCents > 0
          ? `Nothing of ${nameOfBill(decision)} is to be paid: it gives ${formatSum(decision.leftCents)} back.`
          : `Nothing of ${nameOfBill(decision)} is to be paid.`,
    )
  }
  const made = paid.filter(({ isNew }) => isNew).map(({ payment }) => payment)
  if (made.length > 0)
    await deps.note(
      `Recorded ${counted(made.length, "payment")}, ${formatSum(made.reduce((sum, { paid: each }) => sum + each, 0))}.`,
    )
  const program = options.for ?? PROGRAMS.find((each) => each === deps.settings.value("books"))
  if (program === undefined) return
  const { describePaymentEntries } = await import("../books/payments.ts")
  const told = (made.length > 0 ? made : paid.map(({ payment }) => payment)).slice(0, MAX_LISTED)
  for (const line of describePaymentEntries(told, program)) await deps.note(line)
}

async function undo(
  deps: Deps,
  names: readonly string[],
  { why = "", earlier = false }: Options,
): Promise<undefined> {
  if (names.length === 0) throw new FreightError("usage", "name the bills whose payment was not made")
  const { undoPayments } = await import("./record.ts")
  const { store } = await deps.writeLedger()
  const unique = [...new Set(names)]
  const undone = await undoPayments(store.database, unique, { why, isAgain: earlier }, readAuthor(deps))
  await print(deps, { rows: undone.map(toPaidRow), columns: PAID_COLUMNS })
  for (const [at, { payment, isNew }] of undone.entries())
    await deps.note(
      isNew
        ? `The payment of bill ${payment.billNumber} is undone: freight pay ${quoteBlanks(unique[at] ?? "")} records it again.`
        : `The payment of bill ${payment.billNumber} was already undone (${payment.undone}): nothing was written.`,
    )
}
