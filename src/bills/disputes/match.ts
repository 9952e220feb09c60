/** Matches carriers' credits with disputes: pure, in exact cents. */
import { roundCents } from "../../base/money.ts"
import { getAmount, getChargedCents, listReadings } from "../money.ts"
import { plainName } from "../../ledger/index.ts"
import type { Credit, Dispute, StepKind } from "../records/disputes.ts"
import { toLaterCreditId } from "../ids.ts"
import { isParted } from "./reopen.ts"
import { type CreditBalance, splitGst, type DisputeBalance } from "./balance.ts"

export interface Payment {
  credit: Credit
  dispute: Dispute
  /** On the dispute's basis; negative if a corrected credit takes it back. */
  cents: number
  /** The same on the credit's own basis. */
  creditCents: number
  /** The parts that were denied or written off before. */
  reopened: { deniedCents: number; writtenOffCents: number }
}

/** A credit of another consignment for exactly the open amount: a person decides whether it is meant. */
export interface Guess {
  credit: Credit
  dispute: Dispute
}

export interface Matched {
  payments: Payment[]
  guesses: Guess[]
}

interface Owed {
  balance: DisputeBalance
  openCents: number
  deniedCents: number
  writtenOffCents: number
}

/**
 * Pays disputes with the unused parts of credits: those of the same consignment first, oldest first, the open amount
 * before denied or written-off parts; then one with the same reference and amount. A credit never pays charges of its
 * own bill, unless the bill has grown since.
 */
export function matchCredits(
  credits: readonly CreditBalance[],
  balances: readonly DisputeBalance[],
): Matched {
  const owed = balances.map(toOwed)
  const byConsignment = indexBy(owed, ({ consignment }) => plainName(consignment))
  const byShipment = indexBy(owed, ({ shipmentId }) => shipmentId)
  const byReference = indexBy(owed, ({ reference }) => reference)
  const back = takeBack(credits, balances)
  // A freed amount can pay another dispute in the next round.
  if (back.length > 0) return { payments: back, guesses: [] }
  const payments: Payment[] = []
  const guesses: Guess[] = []
  for (const { credit, cents, usedCents } of credits) {
    let left = cents - usedCents
    const pay = (one: Owed) => {
      const payment = left > 0 ? payOne(credit, left, one) : undefined
      if (!payment) return
      left -= payment.creditCents
      payments.push(payment)
    }
    const own = [
      ...new Set([
        ...(byConsignment.get(plainName(credit.consignment)) ?? []),
        ...(byShipment.get(credit.shipmentId) ?? []),
      ]),
    ].filter(({ balance }) => isPayable(credit, balance))
    for (const one of own.filter(({ openCents }) => openCents > 0)) pay(one)
    for (const one of own) pay(one)
    if (left === 0 || own.length > 0) continue
    const [same, ...others] = (byReference.get(credit.reference) ?? []).filter((one) =>
      fits(credit, left, one),
    )
    if (same && others.length === 0) pay(same)
    else if (left > 0)
      guesses.push(
        ...owed
          .filter((one) => one.balance.dispute.supplier === credit.supplier && fits(credit, left, one))
          .map(({ balance: { dispute } }) => ({ credit, dispute })),
      )
  }
  return { payments, guesses }
}

function indexBy(owed: readonly Owed[], nameOf: (dispute: Dispute) => string): Map<string, Owed[]> {
  const index = new Map<string, Owed[]>()
  for (const one of owed) {
    const name = nameOf(one.balance.dispute)
    if (name === "") continue
    const same = index.get(name)
    if (same) same.push(one)
    else index.set(name, [one])
  }
  return index
}

/** Another carrier may have a consignment of the same number; payments that a person undid stay undone. */
function isPayable(credit: Credit, { dispute, steps }: DisputeBalance): boolean {
  const isSameBill =
    credit.billNumber === dispute.billNumber &&
    credit.file === dispute.file &&
    (credit.billNumber !== "" || credit.billDate === dispute.billDate)
  const isOther = (one: string, other: string) => one !== "" && other !== "" && one !== other
  // A credit on lines added later pays disputes that were raised on the bill before.
  const isLater = credit.id === toLaterCreditId(dispute.id)
  return (!isSameBill || isLater) && !isOther(credit.carrier, dispute.carrier) && !isParted(steps, credit.id)
}

/** The open amounts of a dispute that a credit would fit, by each reading of the credit. Cents. */
export function listFitting({ credit, cents, usedCents }: CreditBalance): number[] {
  const readings = listReadings(credit).flatMap(({ exGst, incGst }) => [exGst, incGst])
  const worths = [getAmount("excluded", credit), getAmount("included", credit), ...readings]
  return [...new Set(worths.map((worth) => scale(cents, cents - usedCents, worth)))]
}

function fits(credit: Credit, left: number, { openCents, balance }: Owed): boolean {
  return openCents > 0 && isPayable(credit, balance) && convert(credit, left, balance.dispute) === openCents
}

/** Cents of a credit on a dispute's basis; for the whole credit, the amount that its bill states. */
function convert(credit: Credit, cents: number, dispute: Dispute): number {
  return scale(getChargedCents(credit), cents, getWorth(credit, dispute))
}

function scale(all: number, cents: number, worth: number): number {
  return cents === all || all === 0 ? worth : Math.round((cents * worth) / all)
}

/** If one of the two does not state its GST basis, use the reading that pays the whole dispute. */
function getWorth(credit: Credit, dispute: Dispute): number {
  const { gstBasis, amountCents } = dispute
  const worth = getOwnWorth(credit, dispute) ?? getAmount(gstBasis, credit)
  if ((gstBasis === "unknown") === (credit.unspecifiedGstCents !== null)) return worth
  const readings = listReadings(credit).flatMap(({ exGst, incGst }) =>
    gstBasis === "excluded" ? [exGst] : gstBasis === "included" ? [incGst] : [exGst, incGst],
  )
  return readings.includes(amountCents) ? amountCents : worth
}

/** The value of a credit without an amount on the dispute's basis: by the dispute's own GST. */
function getOwnWorth({ exGst, gst, incGst }: Credit, dispute: Dispute): number | undefined {
  const own = splitGst(dispute, dispute.amountCents)
  if (!own || gst !== null) return undefined
  const all = own.exGst + own.gst
  if (dispute.gstBasis === "excluded" && exGst === null && incGst !== null && all > 0)
    return roundCents((incGst * own.exGst) / all)
  if (dispute.gstBasis === "included" && incGst === null && exGst !== null && own.exGst > 0)
    return roundCents((exGst * all) / own.exGst)
  return undefined
}

/** Closings that no bill proves, in the order in which they are undone. */
const BY_HAND = ["written-off", "denied", "credited"] as const

/** After two ledgers were merged, a dispute may be closed twice. Keep payments; undo write-offs first. */
export function listExcess({ openCents, steps }: DisputeBalance): { kind: StepKind; cents: number }[] {
  let excess = -openCents
  return BY_HAND.flatMap((kind) => {
    const closed = steps.filter((step) => step.kind === kind && step.creditId === undefined)
    const sum = closed.reduce((cents, { amountCents }) => cents + amountCents, 0)
    const cents = Math.min(excess, sum)
    if (cents <= 0) return []
    excess -= cents
    return [{ kind, cents }]
  })
}

export function payOne(credit: Credit, left: number, owed: Owed): Payment | undefined {
  const { dispute } = owed.balance
  const worth = convert(credit, left, dispute)
  const isOpen = owed.openCents > 0
  const most = isOpen ? owed.openCents : owed.deniedCents + owed.writtenOffCents
  const cents = Math.min(worth, most)
  if (cents <= 0) return undefined
  // A payment of everything that is left uses the credit up, however it was rounded.
  const creditCents = cents === worth ? left : Math.min(left, Math.round((cents * left) / worth))
  const deniedCents = isOpen ? 0 : Math.min(cents, owed.deniedCents)
  const writtenOffCents = isOpen ? 0 : cents - deniedCents
  if (isOpen) owed.openCents -= cents
  owed.deniedCents -= deniedCents
  owed.writtenOffCents -= writtenOffCents
  return { credit, dispute, cents, creditCents, reopened: { deniedCents, writtenOffCents } }
}

export function toOwed(balance: DisputeBalance): Owed {
  const { openCents, deniedCents, writtenOffCents } = balance
  return { balance, openCents: Math.max(0, openCents), deniedCents, writtenOffCents }
}

/**
 * Undoes excess payments, newest first: of a credit that was corrected downwards, and of credits or disputes that two
 * ledgers settled before they were merged.
 */
function takeBack(credits: readonly CreditBalance[], balances: readonly DisputeBalance[]): Payment[] {
  const creditOf = new Map(credits.map(({ credit }) => [credit.id, credit]))
  const payments: Payment[] = []
  const giveBack = (
    balance: DisputeBalance,
    creditId: string,
    most: { cents?: number; creditCents?: number },
  ) => {
    const credit = creditOf.get(creditId)
    const paid = balance.steps.filter((step) => step.creditId === creditId)
    const cents = paid.reduce((sum, step) => sum + step.amountCents, 0)
    const creditCents = paid.reduce((sum, step) => sum + (step.creditCents ?? 0), 0)
    if (!credit || cents <= 0 || creditCents <= 0) return undefined
    const share = Math.min(
      1,
      most.cents === undefined ? (most.creditCents ?? 0) / creditCents : most.cents / cents,
    )
    const payment: Payment = {
      credit,
      dispute: balance.dispute,
      cents: -(share === 1 ? cents : Math.round(cents * share)),
      creditCents: -(share === 1 ? creditCents : Math.round(creditCents * share)),
      reopened: { deniedCents: 0, writtenOffCents: 0 },
    }
    payments.push(payment)
    return payment
  }
  for (const { credit, cents, usedCents } of credits) {
    let tooMuch = usedCents - cents
    for (const balance of balances.toReversed()) {
      if (tooMuch <= 0) break
      tooMuch += giveBack(balance, credit.id, { creditCents: tooMuch })?.creditCents ?? 0
    }
  }
  // The returned credit may already be all the excess of the dispute, so calculate again.
  if (payments.length > 0) return payments
  for (const balance of balances) {
    let tooMuch = -balance.openCents
    const used = new Set(balance.steps.toReversed().flatMap(({ creditId }) => creditId ?? []))
    for (const creditId of used) {
      if (tooMuch <= 0) break
      tooMuch += giveBack(balance, creditId, { cents: tooMuch })?.cents ?? 0
    }
  }
  return payments
}
