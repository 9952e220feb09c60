/** Calculates the state of a dispute from its steps: pure, in exact cents. */
import { BILL_CURRENCY } from "../verdicts.ts"
import { groupBy } from "../../base/grouping.ts"
import { amountOf, formatMoney, roundCents } from "../../base/money.ts"
import type { Credit, Dispute, DisputeBook, Step } from "../records/disputes.ts"
import type { Column } from "../../output/index.ts"
import { getChargedCents, type Taxed } from "../money.ts"

/** In the order in which a dispute reaches them. */
export const STATES = [
  "raised",
  "sent",
  "answered",
  "part-credited",
  "credited",
  "denied",
  "written-off",
] as const
export type DisputeState = (typeof STATES)[number]

/** Raised = credited + open + denied + written off, to the cent. */
export interface DisputeBalance {
  dispute: Dispute
  /** Oldest first. */
  steps: readonly Step[]
  state: DisputeState
  creditedCents: number
  deniedCents: number
  writtenOffCents: number
  openCents: number
  /** The carrier's last claim number; empty if there is none. */
  claim: string
  /** `yyyy-mm-dd`; empty if it was not sent. */
  sentOn: string
}

/** A credit and how much of it paid disputes, on its own basis. The rest is a surplus. */
export interface CreditBalance {
  credit: Credit
  cents: number
  usedCents: number
}

export function toDisputeBalances({
  disputes,
  steps,
}: Pick<DisputeBook, "disputes" | "steps">): DisputeBalance[] {
  const byDispute = groupBy(steps, ({ disputeId }) => disputeId)
  return disputes.map((dispute) => toDisputeBalance(dispute, byDispute.get(dispute.id) ?? []))
}

export function toDisputeBalance(dispute: Dispute, steps: readonly Step[]): DisputeBalance {
  const sum = (kind: Step["kind"]) =>
    steps.reduce((cents, step) => cents + (step.kind === kind ? step.amountCents : 0), 0)
  const [creditedCents, deniedCents, writtenOffCents] = [sum("credited"), sum("denied"), sum("written-off")]
  const openCents = dispute.amountCents - creditedCents - deniedCents - writtenOffCents
  const closed = { creditedCents, deniedCents, writtenOffCents, openCents }
  return {
    dispute,
    steps,
    state: findState(closed, steps),
    ...closed,
    claim: steps.findLast(({ claim }) => claim !== undefined)?.claim ?? "",
    sentOn: steps.findLast(({ kind }) => kind === "sent")?.day ?? "",
  }
}

type Closed = Pick<DisputeBalance, "creditedCents" | "deniedCents" | "writtenOffCents" | "openCents">

/** A dispute that is closed in several ways has the state of its unpaid part. */
function findState(
  { creditedCents, deniedCents, writtenOffCents, openCents }: Closed,
  steps: readonly Step[],
): DisputeState {
  if (openCents <= 0) return deniedCents > 0 ? "denied" : writtenOffCents > 0 ? "written-off" : "credited"
  if (creditedCents > 0) return "part-credited"
  const last = steps.findLast(({ kind }) => kind === "sent" || kind === "answered")
  return last?.kind === "sent" || last?.kind === "answered" ? last.kind : "raised"
}

export function toCreditBalances({
  credits,
  steps,
}: Pick<DisputeBook, "credits" | "steps">): CreditBalance[] {
  const byCredit = groupBy(
    steps.filter(({ creditId }) => creditId !== undefined),
    ({ creditId }) => creditId,
  )
  return credits.map((credit) => ({
    credit,
    cents: getChargedCents(credit),
    usedCents: (byCredit.get(credit.id) ?? []).reduce((cents, step) => cents + (step.creditCents ?? 0), 0),
  }))
}

/** Cents of a dispute, on its basis, split into the amount without GST and the GST that its bill charges; undefined if unknown. */
export function splitGst(
  { amountCents, gstBasis, gstCents }: Pick<Dispute, "amountCents" | "gstBasis" | "gstCents">,
  cents: number,
): Taxed | undefined {
  if (gstCents === undefined || gstBasis === "unknown" || amountCents === 0) return undefined
  const gst = roundCents((gstCents * cents) / amountCents)
  return gstBasis === "included" ? { exGst: cents - gst, gst } : { exGst: cents, gst }
}

/** Its consignment, or else the beginning of its ID. */
export function nameDispute({ consignment, id }: Pick<Dispute, "consignment" | "id">): string {
  return consignment || id.slice(0, 8)
}

/** The same for a row. */
export function nameDisputeRow({ consignmentNumber, id }: { consignmentNumber: string | null; id: string }) {
  return nameDispute({ consignment: consignmentNumber ?? "", id })
}

/** The column of a dispute's consignment; a dispute without one is named by its ID. */
export const DISPUTED_CONSIGNMENT: Column<{ consignmentNumber: string | null; id: string }> = {
  key: "consignment",
  title: "CONSIGNMENT",
  rank: 1,
  value: ({ consignmentNumber }) => consignmentNumber,
  show: nameDisputeRow,
}

/** The bill's number, or else its file: as in columns and letters. */
export function nameBillOf({ billNumber, file }: { billNumber: string | null; file: string }): string {
  return billNumber || file
}

export function isOpen({ openCents }: DisputeBalance): boolean {
  return openCents > 0
}

/** Open, and not sent to the carrier. */
export function isToBeSent({ openCents, sentOn }: DisputeBalance): boolean {
  return openCents > 0 && sentOn === ""
}

/** For people: `AUD 12.50`. */
export function sumOpen(balances: readonly DisputeBalance[]): string {
  return formatMoney(amountOf(balances.reduce((cents, { openCents }) => cents + openCents, 0)), BILL_CURRENCY)
}
