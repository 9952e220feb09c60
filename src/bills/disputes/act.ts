/** Records what people say about disputes: each step once, on the open amount. */
import { FreightError } from "../../base/errors.ts"
import { nextCommand } from "../../base/command-line.ts"
import { formatCents } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import type { Database, Statements } from "../../ledger/index.ts"
import {
  addSteps,
  type Credit,
  type Dispute,
  findDisputes,
  MIN_ID_LENGTH,
  readDisputes,
  type Step,
  type StepKind,
} from "../records/disputes.ts"
import { toId, toReopeningId } from "../ids.ts"
import { type Payment, payOne, toOwed } from "./match.ts"
import { isReopened, listReopenings, takeLastBack } from "./reopen.ts"
import { type Author, nameBill, settle, toSteps, writeAlone, type Writer } from "./settle.ts"
import {
  type CreditBalance,
  toCreditBalances,
  isOpen,
  type DisputeBalance,
  toDisputeBalance,
  toDisputeBalances,
} from "./balance.ts"

export interface StepDraft {
  kind: StepKind
  /** Cents; the whole open amount if omitted. Only for steps that close something. */
  amountCents?: number | undefined
  claim?: string | undefined
  why?: string | undefined
  /** Records a step even if an equal one exists. */
  isAgain: boolean
}

/** A dispute after a step. `isNew` false: the step existed before, and nothing was written. */
export interface Stepped {
  balance: DisputeBalance
  isNew: boolean
}

const CLOSING: readonly StepKind[] = ["credited", "denied", "written-off"]

/**
 * Records a step for every dispute that the names mean, or for none.
 * @param names IDs, consignments, references or bills
 */
export function takeStep(
  database: Database,
  names: readonly string[],
  draft: StepDraft,
  author: Author,
): Promise<Stepped[]> {
  return writeAlone(database, author, async (transaction, by) => {
    const chosen = await readChosen(transaction, names)
    if (draft.amountCents !== undefined && chosen.length > 1)
      throw new FreightError("usage", `--amount is for one dispute, and these are ${chosen.length}`, {
        hint: "Name one of them by its consignment or id.",
      })
    const stepped = chosen.map((balance) => ({ balance, step: toStep(balance, draft, by) }))
    await addSteps(
      transaction,
      stepped.flatMap(({ step }) => step ?? []),
    )
    return stepped.map(({ balance, step }) => ({
      balance: step ? toDisputeBalance(balance.dispute, [...balance.steps, step]) : balance,
      isNew: step !== undefined,
    }))
  })
}

/**
 * Undoes the last closing step of every dispute that the names mean, and uses the freed amounts for payments.
 * @param isAgain undoes another step, even if nothing closed the dispute since
 */
export function reopenDisputes(
  database: Database,
  names: readonly string[],
  { why, isAgain }: { why: string; isAgain: boolean },
  author: Author,
): Promise<Stepped[]> {
  return writeAlone(database, author, async (transaction, by) => {
    const chosen = await readChosen(transaction, names)
    const steps = chosen.flatMap((balance): Step[] => {
      const taken = !isAgain && isReopened(balance) ? undefined : takeLastBack(balance)
      return taken ? [{ ...taken, disputeId: balance.dispute.id, ...by, why }] : []
    })
    await addSteps(transaction, steps)
    if (steps.length > 0) await settle(transaction, by, new Set())
    const written = new Set(steps.map(({ disputeId }) => disputeId))
    return (await readChosen(transaction, names)).map((balance) => ({
      balance,
      isNew: written.has(balance.dispute.id),
    }))
  })
}

export async function readStandings(
  statements: Statements,
  ids: readonly string[],
): Promise<DisputeBalance[]> {
  return toDisputeBalances(await findDisputes(statements, ids))
}

export async function readChosen(
  statements: Statements,
  names: readonly string[],
): Promise<DisputeBalance[]> {
  const chosen = chooseDisputes(toDisputeBalances(await readDisputes(statements, { names })), names)
  refuseTwoBills(chosen, names)
  return chosen
}

/** @returns undefined if it was written before, or nothing is left to close */
function toStep(balance: DisputeBalance, draft: StepDraft, by: Writer): Step | undefined {
  const { dispute, steps, openCents } = balance
  const { kind, amountCents, claim, why, isAgain } = draft
  const closes = CLOSING.includes(kind)
  const cents = closes ? (amountCents ?? Math.max(0, openCents)) : 0
  const reopenings = listReopenings(steps)
  const isEqual = (step: Step) =>
    step.kind === kind &&
    !reopenings.has(toReopeningId(step.id)) &&
    step.creditId === undefined &&
    (closes ? step.amountCents === cents : step.claim === claim || claim === undefined) &&
    step.day === by.day
  if (!isAgain && steps.some(isEqual)) return undefined
  if (!isOpen(balance)) return undefined
  if (cents > openCents)
    throw new FreightError(
      "usage",
      `${formatCents(cents)} is more than is open of ${nameDispute(balance)}: ${formatCents(openCents)}`,
      nextCommand("freight", "disputes", "show", shortDispute(balance)),
    )
  return {
    id: toId(dispute.id, kind, String(steps.length), by.at, by.workstation),
    disputeId: dispute.id,
    kind,
    amountCents: cents,
    ...by,
    ...(claim !== undefined && { claim }),
    ...(why !== undefined && { why }),
  }
}

/**
 * Records that a credit of another consignment is meant for a dispute.
 * @throws FreightError `notFound`; `usage` for a name of several; `refused` if nothing of the credit is left, or
 * nothing can be paid
 */
export function confirmCredit(
  database: Database,
  creditName: string,
  disputeName: string,
  author: Author,
): Promise<DisputeBalance> {
  return writeAlone(database, author, async (transaction, by) => {
    const book = await readDisputes(transaction, { names: [creditName, disputeName] })
    const credit = chooseCredit(toCreditBalances(book), creditName)
    const [balance, ...others] = chooseDisputes(toDisputeBalances(book), [disputeName])
    if (!balance || others.length > 0)
      throw new FreightError("usage", `${quoted(disputeName)} is ${others.length + 1} disputes: name one`)
    const left = credit.cents - credit.usedCents
    const payments = payInFull(credit.credit, left, balance)
    if (payments.length === 0)
      throw new FreightError(
        "refused",
        left > 0
          ? `nothing of ${nameDispute(balance)} can be paid: all of it is credited`
          : `all of the credit on ${nameBill(credit.credit)} is used`,
        { next: "freight disputes credits" },
      )
    const written = toSteps(payments, book, by)
    await addSteps(transaction, written)
    return toDisputeBalance(balance.dispute, [...balance.steps, ...written])
  })
}

/** Pays the open amount, and then what was denied or written off. */
function payInFull(credit: Credit, left: number, balance: DisputeBalance): Payment[] {
  const owed = toOwed(balance)
  const pay = (cents: number) => (cents > 0 ? payOne(credit, cents, owed) : undefined)
  const open = pay(left)
  const closed = open && pay(left - open.creditCents)
  return [open, closed].flatMap((each) => each ?? [])
}

/** @throws FreightError `notFound` for a name without a match */
export function chooseDisputes(
  balances: readonly DisputeBalance[],
  names: readonly string[],
): DisputeBalance[] {
  const chosen = names.flatMap((name) => {
    const found = balances.filter((balance) => isCalled(balance, name))
    if (found.length === 0)
      throw new FreightError("notFound", `there is no dispute ${quoted(name)}`, { next: "freight disputes" })
    return found
  })
  return [...new Set(chosen)]
}

/** Suppliers may use the same number: a step must not apply to both bills. */
function refuseTwoBills(chosen: readonly DisputeBalance[], names: readonly string[]): void {
  for (const name of names) {
    const bills = new Set(
      chosen.flatMap(({ dispute }) => (dispute.billNumber === name ? [nameWithSupplier(dispute)] : [])),
    )
    if (bills.size > 1)
      throw new FreightError("usage", `${quoted(name)} is the number of ${bills.size} bills`, {
        hint: `Name one of them: ${[...bills].map(quoted).join(", ")}. Nothing was written.`,
      })
  }
}

/** `Alpha Freight 1001`: names a bill whose number another supplier has too. */
export function nameWithSupplier({ supplier, billNumber, file }: Dispute): string {
  return `${supplier} ${billNumber || file}`.trim()
}

function isCalled({ dispute }: DisputeBalance, name: string): boolean {
  const { id, consignment, reference, shipmentId, billNumber, file } = dispute
  return (
    [consignment, reference, shipmentId, billNumber, file, nameWithSupplier(dispute)].includes(name) ||
    (name.length >= MIN_ID_LENGTH && id.startsWith(name))
  )
}

function chooseCredit(credits: readonly CreditBalance[], name: string): CreditBalance {
  const [found, ...others] = credits.filter(
    ({ credit: { id, consignment, billNumber } }) =>
      [consignment, billNumber].includes(name) || (name.length >= MIN_ID_LENGTH && id.startsWith(name)),
  )
  if (!found)
    throw new FreightError("notFound", `there is no credit ${quoted(name)}`, {
      next: "freight disputes credits",
    })
  if (others.length > 0)
    throw new FreightError("usage", `${quoted(name)} is ${others.length + 1} credits: name one by its id`, {
      next: "freight disputes credits",
    })
  return found
}

const SHOWN_ID = 8

export function shortDispute({ dispute: { id, consignment } }: DisputeBalance): string {
  return consignment || id.slice(0, SHOWN_ID)
}

export function nameDispute(balance: DisputeBalance): string {
  return `the dispute of ${shortDispute(balance)} on ${nameBill(balance.dispute)}`
}
