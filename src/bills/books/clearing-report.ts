/** Formats the balance of the clearing account and the transfers to make, for reports and notes. */
import { quoteBlanks } from "../../base/command-line.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { withoutGst } from "../money.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { GstBasis } from "../../ledger/index.ts"
import { getPostedNumber } from "../records/postings.ts"
import { BASIS } from "../audit/report.ts"
import { nameBill } from "../disputes/settle.ts"
import { nameDispute } from "../disputes/balance.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import type { ClearingBalance, MoveReason, ToMove } from "./clearing.ts"

export type ClearingRow = ReturnType<typeof toClearingRow>

export function toClearingRow(balance: ClearingBalance) {
  const { disputeBalance, cents, openCents, comingCents, toMove, posting } = balance
  const { dispute, state } = disputeBalance
  const sum = toMove.reduce((all, each) => all + each.cents, 0)
  const [move] = toMove
  return {
    id: dispute.id,
    /** With `/2` for the amount by which the bill grew. */
    billNumber: (posting ? getPostedNumber(posting) : dispute.billNumber) || null,
    file: dispute.file,
    supplier: dispute.supplier || null,
    consignmentNumber: dispute.consignment || null,
    /** The day on which the bill was posted; null if that was undone. */
    postedOn: posting ? formatDate(wallClockNow(Date.parse(posting.at))) : null,
    state,
    /** Null if it is not known. */
    account: balance.clearing || null,
    /** The balance. */
    stands: amountOf(cents),
    /** The part that is still disputed. */
    open: amountOf(openCents),
    /** The part that goes away when a bill is posted. */
    coming: amountOf(comingCents),
    /** The part to transfer; negative for a transfer to the clearing account. */
    toMove: amountOf(sum),
    ...toWay(move),
    /** Each amount by its accounts, if there are several reasons. */
    moves: toMove.map((each) => ({
      amount: amountOf(Math.abs(each.cents)),
      ...getWay(each),
      why: describeReason(each.why),
    })),
    gstBasis: dispute.gstBasis,
    currency: BILL_CURRENCY,
    /** Without GST, as the account has it: GST is on the GST account. Older versions did not record this. */
    standsExGst: amountOf(balance.exGst ?? withoutGst(cents, dispute.gstBasis)),
  }
}

function toWay(move: ToMove | undefined): { from: string | null; to: string | null } {
  return move ? getWay(move) : { from: null, to: null }
}

const MONEY_IN = "where the carrier's money came in"

function getWay(move: ToMove): { from: string; to: string } {
  const { cents, clearing } = move
  const other = getOtherAccount(move)
  const own = clearing || "the clearing account"
  return cents > 0 ? { from: own, to: other } : { from: other, to: own }
}

function getOtherAccount({ account, why }: ToMove): string {
  if (why.is === "paid") return account || MONEY_IN
  if (why.is === "reopened" && why.wasPaid) return "where you moved it before"
  if (why.is !== "withheld") return account || "the account of its freight"
  const part = formatMoney(amountOf(why.offBillCents), BILL_CURRENCY)
  return `${account}, as a supplier credit${why.isPart ? ` for ${part} with GST, and the rest ${MONEY_IN}` : ""}`
}

/** `move AUD 6.00 without GST from 650 to 429` */
export function describeMove(move: ToMove, gstBasis: GstBasis): string {
  const { from, to } = getWay(move)
  const amount = formatMoney(amountOf(Math.abs(move.cents)), BILL_CURRENCY)
  const exGst =
    move.exGst === undefined ? undefined : formatMoney(amountOf(Math.abs(move.exGst)), BILL_CURRENCY)
  const without = gstBasis === "included" && exGst !== undefined ? ` (${exGst} without it)` : ""
  const basis = gstBasis === "unknown" ? "" : ` ${BASIS[gstBasis]}${without}`
  return `move ${amount}${basis} from ${from} to ${to}`
}

function describeReason(why: MoveReason): string {
  switch (why.is) {
    case "credited":
      return `credited on ${nameBill(why.credit)}, which was posted before`
    case "paid":
      return "paid otherwise"
    case "withheld":
      return `credited, and was withheld${why.isPart ? " in part" : ""}`
    case "denied":
      return "denied"
    case "written-off":
      return "written off"
    case "reopened":
      return "open again"
    case "raised":
      return "raised after its bill was posted"
  }
}

/** Maximum number of transfers listed one by one. */
const MAX_LISTED = 10

/** For people: the transfers to make in the books, and how to record them. */
export function describeToMove(all: readonly ClearingBalance[]): string[] {
  const balances = all.filter(({ toMove }) => toMove.length > 0)
  const texts = balances.flatMap(({ disputeBalance: { dispute }, toMove }) =>
    toMove.map(
      (each) =>
        `In the books, ${describeMove(each, dispute.gstBasis)}: ${nameDispute(dispute)} on ${nameBill(dispute)} is ${describeReason(each.why)}.`,
    ),
  )
  if (texts.length === 0) return []
  const names = [...new Set(balances.map(({ disputeBalance: { dispute } }) => nameDispute(dispute)))]
  const more = texts.length - MAX_LISTED
  const which = names.length > 3 ? "DISPUTE, with the name of each" : names.map(quoteBlanks).join(" ")
  return [
    ...texts.slice(0, MAX_LISTED),
    ...(more > 0 ? [`And ${more} more: freight report clearing`] : []),
    `When that is done: freight disputes moved ${which}`,
  ]
}
