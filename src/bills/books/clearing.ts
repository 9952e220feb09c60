/**
 * Calculates the clearing account's balance for each dispute from postings and recorded transfers, and the transfers
 * after which only open amounts remain: pure, in exact cents on the dispute's basis.
 */
import { groupBy } from "../../base/grouping.ts"
import { roundCents } from "../../base/money.ts"
import type { Credit } from "../records/disputes.ts"
import type { Move, Posting } from "../records/postings.ts"
import { splitGst, type DisputeBalance } from "../disputes/balance.ts"

export interface ToMove {
  /** Negative for a transfer to the clearing account. */
  cents: number
  clearing: string
  /** The other account, with its cost centre; empty if unknown. */
  account: string
  why: MoveReason
  /** `cents` without GST, as the bill was posted; undefined if unknown. */
  exGst?: number | undefined
}

export type MoveReason =
  /** A credit paid it whose bill had been posted by then. */
  | { is: "credited"; credit: Credit }
  /** The carrier paid it otherwise. */
  | { is: "paid" }
  /** The carrier credited it without a bill, and some or all of it was withheld. */
  | { is: "withheld"; offBillCents: number; isPart: boolean }
  | { is: "denied" | "written-off" }
  /** `wasPaid`: what closed it before was paid otherwise, so that its account is not known. */
  | { is: "reopened"; wasPaid: boolean }
  /** It was raised after its bill was posted. */
  | { is: "raised" }

export interface ClearingBalance {
  disputeBalance: DisputeBalance
  /** Negative if more came back than was posted. */
  cents: number
  /** `cents` without GST, as the bill was posted; undefined if unknown. */
  exGst: number | undefined
  openCents: number
  /** The part that goes away when a bill is posted. */
  comingCents: number
  toMove: readonly ToMove[]
  posting: Posting | undefined
  /** Empty if unknown. */
  clearing: string
}

/** A row about part of a bill, which a later row may undo. */
type PartRow = Pick<Posting, "supplier" | "billNumber" | "part" | "undone" | "at">

/**
 * The active postings or payments, oldest first: the newest of each part of a bill, unless it undoes the one before.
 */
export function listActive<Row extends PartRow>(postings: readonly Row[]): Row[] {
  const newestFirst = postings.toSorted((one, other) => (one.at > other.at ? -1 : one.at < other.at ? 1 : 0))
  const byPart = groupBy(newestFirst, ({ supplier, billNumber, part = 1 }) =>
    JSON.stringify([supplier.trim().toLowerCase(), billNumber, part]),
  )
  return Array.from(byPart.values(), ([newest]) => newest as Row)
    .filter(({ undone }) => undone === undefined)
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

/** The clearing account by dispute. A posting that is being made is added to it. */
export class ClearingAccount {
  readonly #posted = new Map<string, { cents: number; exGst: number | undefined; posting: Posting }>()
  readonly #back = new Map<string, Map<string, number>>()
  readonly #moved = new Map<string, number>()
  /** By the IDs of the disputes and credits on the account. */
  readonly #postingOf = new Map<string, Posting>()
  /** By the same IDs, the time of their first posting. */
  readonly #firstAt = new Map<string, string>()
  readonly #older: Posting[] = []

  /** @param postings active ones */
  constructor(postings: readonly Posting[], moves: readonly Move[]) {
    for (const each of postings) this.add(each)
    for (const { disputeId, amountCents } of moves)
      this.#moved.set(disputeId, (this.#moved.get(disputeId) ?? 0) + amountCents)
  }

  add(posting: Posting): void {
    const { cleared, broughtBack = {}, accounts } = posting
    if (!accounts) this.#older.push(posting)
    for (const id of Object.keys(accounts?.own ?? {})) {
      this.#postingOf.set(id, posting)
      if (!this.#firstAt.has(id)) this.#firstAt.set(id, posting.at)
    }
    for (const [id, cents] of Object.entries(cleared)) {
      const { cents: before, exGst: exGstBefore } = this.#posted.get(id) ?? { cents: 0, exGst: 0 }
      const exGst = accounts?.clearedExGst?.[id]
      const isKnown = exGst !== undefined && exGstBefore !== undefined
      this.#posted.set(id, {
        cents: before + cents,
        exGst: isKnown ? exGstBefore + exGst : undefined,
        posting,
      })
      this.#postingOf.set(id, posting)
    }
    for (const [creditId, disputes] of Object.entries(broughtBack))
      for (const [id, cents] of Object.entries(disputes)) {
        const back = this.#back.get(id) ?? new Map<string, number>()
        this.#back.set(id, back.set(creditId, (back.get(creditId) ?? 0) + cents))
      }
  }

  hasPosting(id: string): boolean {
    return this.#postingOf.has(id)
  }

  /** @param posting of the disputed charges; it does not name the dispute */
  addRaised(disputeId: string, posting: Posting): void {
    this.#postingOf.set(disputeId, posting)
    this.#firstAt.set(disputeId, posting.at)
  }

  /** All disputes that ever had, or may get, an amount on the account; IDs of credits are among them. */
  get disputeIds(): string[] {
    const ids = [this.#posted, this.#back, this.#moved, this.#firstAt].flatMap((each) => [...each.keys()])
    return [...new Set(ids)]
  }

  getCents(disputeId: string): number {
    const back = Array.from(this.#back.get(disputeId)?.values() ?? []).reduce((sum, each) => sum + each, 0)
    return (this.#posted.get(disputeId)?.cents ?? 0) - back - (this.#moved.get(disputeId) ?? 0)
  }

  /** Cents of a dispute without GST, as their share of what was posted. Undefined if unknown. */
  #toExGst({ dispute }: DisputeBalance, cents: number): number | undefined {
    const posted = this.#posted.get(dispute.id)
    return posted?.exGst === undefined || posted.cents === 0
      ? splitGst(dispute, cents)?.exGst
      : roundCents((cents * posted.exGst) / posted.cents)
  }

  /** The amount that a credit returned to the account for a dispute. */
  getBack(creditId: string, disputeId: string): number {
    return this.#back.get(disputeId)?.get(creditId) ?? 0
  }

  /** The target balance of a dispute: its open amount, as far as it was posted or moved there, or raised later. */
  getOpenCents({ dispute, openCents }: DisputeBalance): number {
    const brought =
      (this.#posted.get(dispute.id)?.cents ?? 0) + Math.max(0, -(this.#moved.get(dispute.id) ?? 0))
    const most = this.#isRaisedLater(dispute) ? openCents : brought
    return Math.max(0, Math.min(openCents, most))
  }

  /** Raised after its charge was posted to an expense account; GST stays on the GST account. */
  #isRaisedLater({ id, at, verdict }: DisputeBalance["dispute"]): boolean {
    const postedAt = this.#firstAt.get(id)
    return postedAt !== undefined && at > postedAt && verdict !== "wrong-gst"
  }

  /** @param credits those that paid the dispute */
  reckon(disputeBalance: DisputeBalance, credits: readonly Credit[]): ClearingBalance {
    const { dispute } = disputeBalance
    const [cents, openCents] = [this.getCents(dispute.id), this.getOpenCents(disputeBalance)]
    const posting = this.#postingOf.get(dispute.id)
    const excess = cents - openCents
    const { coming, toMove } =
      excess > 0
        ? this.#moveAway(disputeBalance, credits, excess)
        : this.#bringBack(disputeBalance, credits, excess)
    return {
      disputeBalance,
      cents,
      exGst: this.#toExGst(disputeBalance, cents),
      openCents,
      comingCents: coming,
      toMove: toMove.map((each) => ({ ...each, exGst: this.#toExGst(disputeBalance, each.cents) })),
      posting,
      clearing: this.#getClearing(dispute.id),
    }
  }

  #moveAway(disputeBalance: DisputeBalance, credits: readonly Credit[], excess: number) {
    const { dispute, deniedCents } = disputeBalance
    const paid = getPaid(disputeBalance)
    let left = excess
    const take = (cents: number) => {
      const taken = Math.max(0, Math.min(cents, left))
      left -= taken
      return taken
    }
    const byCredit = credits.map((credit) => ({
      credit,
      cents: (paid.get(credit.id) ?? 0) - this.getBack(credit.id, dispute.id),
    }))
    const isPosted = ({ credit }: { credit: Credit }) => this.#findPosting(credit) !== undefined
    // Posting the credit's bill will return this amount.
    const coming = byCredit.filter((each) => !isPosted(each)).reduce((sum, { cents }) => sum + take(cents), 0)
    const away = (cents: number, account: string, why: MoveReason): ToMove[] =>
      cents > 0 ? [{ cents, clearing: this.#getClearing(dispute.id), account, why }] : []
    const expense = this.#getAccount(dispute.id)
    const toMove = [
      ...byCredit
        .filter(isPosted)
        .flatMap(({ credit, cents }) =>
          away(take(cents), this.#getAccount(credit.id), { is: "credited", credit }),
        ),
      ...away(take(paid.get("") ?? 0), "", { is: "paid" }),
      ...away(take(deniedCents), expense, { is: "denied" }),
      ...away(left, expense, { is: "written-off" }),
    ]
    return { coming, toMove }
  }

  /** The balance is below the open amount: it was moved away, returned by a credit that no longer pays it, or never there. */
  #bringBack(disputeBalance: DisputeBalance, credits: readonly Credit[], lack: number) {
    const { dispute } = disputeBalance
    // Posting its bill puts it there.
    if (lack === 0 || !this.#findPosting(dispute)) return { coming: lack, toMove: [] }
    const paid = getPaid(disputeBalance)
    const over = credits.find(({ id }) => this.getBack(id, dispute.id) > (paid.get(id) ?? 0))
    const reversed = over ? undefined : disputeBalance.steps.findLast(({ amountCents }) => amountCents < 0)
    const wasPaid = reversed?.kind === "credited" && reversed.creditId === undefined
    const account = wasPaid ? "" : this.#getAccount(over?.id ?? dispute.id)
    const isNew = this.#isRaisedLater(dispute) && !over && !this.#moved.has(dispute.id)
    const move: ToMove = {
      ...{ cents: lack, clearing: this.#getClearing(dispute.id), account },
      why: isNew ? { is: "raised" } : { is: "reopened", wasPaid },
    }
    return { coming: 0, toMove: [move] }
  }

  #findPosting({ id, billNumber, supplier, file }: Posted): Posting | undefined {
    return (
      this.#postingOf.get(id) ??
      this.#older.find((each) =>
        billNumber === "" ? each.file === file : each.billNumber === billNumber && each.supplier === supplier,
      )
    )
  }

  #getAccount(id: string): string {
    return this.#postingOf.get(id)?.accounts?.own[id] ?? ""
  }

  #getClearing(disputeId: string): string {
    return this.#postingOf.get(disputeId)?.accounts?.clearing ?? ""
  }
}

type Posted = Pick<Credit, "id" | "billNumber" | "supplier" | "file">

/** The amount that each credit paid of a dispute, by credit ID; the empty ID is for amounts that people recorded. */
export function getPaid({ steps }: Pick<DisputeBalance, "steps">): ReadonlyMap<string, number> {
  const paid = new Map<string, number>()
  for (const { kind, creditId = "", amountCents } of steps)
    if (kind === "credited") paid.set(creditId, (paid.get(creditId) ?? 0) + amountCents)
  return paid
}
