/** Words of carriers' bills: what the audit says of a consignment, and what a bill charges for. */

/**
 * What the audit says of a consignment, worst first, and whether it is to be disputed, told with exit code 1, or only
 * noted. The names stand in JSON and CSV; a table shows them with spaces.
 */
export const VERDICTS = {
  /** Charged before, in this bill or in one that was audited. */
  "billed-twice": "dispute",
  /** Neither the ledger nor the API knows it. */
  "not-ours": "dispute",
  cancelled: "dispute",
  /** The booking says that the receiver or a third party pays. */
  "payer-is-another": "dispute",
  /** Nothing was scanned, and there is no pickup. */
  "not-collected": "dispute",
  "wrong-service": "dispute",
  "wrong-weight": "dispute",
  over: "dispute",
  /** Its GST is not 10 %: a correct tax invoice is to be asked for. What is above goes with what else is disputed. */
  "wrong-gst": "told",
  under: "note",
  /** What it should cost depends on something that neither quote nor bill states. */
  "cannot-tell": "note",
  /** No quoted price is known. */
  "no-price": "note",
  agrees: "note",
} as const

/** What an audit says of a consignment. Later versions may add some. */
export type Verdict = keyof typeof VERDICTS

/** Worst first. */
export const VERDICT_ORDER = Object.keys(VERDICTS) as readonly Verdict[]

export function isDisputed(verdict: Verdict): boolean {
  return VERDICTS[verdict] === "dispute"
}

/** What an audit says of a consignment: amounts in dollars. */
interface Judged {
  verdict: Verdict
  disputed: number
  difference: number | null
}

/** A wrong service that cost less than the booked one is told, and nothing is to be disputed for it. */
export function isToDispute({ verdict, disputed, difference }: Judged): boolean {
  return isDisputed(verdict) && (disputed > 0 || difference === null || difference >= 0)
}

/** As people read it: `billed twice`. */
export function formatVerdict(verdict: string): string {
  return verdict.replaceAll("-", " ").replace("gst", "GST")
}

/** Bills are in Australian dollars: the INV contract has no other currency. */
export const BILL_CURRENCY = "AUD"

/** What a charge is for. A line that says nothing of it is freight. */
export const CHARGES = ["freight", "fuel", "residential", "dangerous-goods", "other", "tax"] as const

export type Charge = (typeof CHARGES)[number]

/** The mistakes that the sandbox's bills can hold: what the audit says of each. */
export const MISTAKES = [
  "billed-twice",
  "not-ours",
  "cancelled",
  "payer-is-another",
  "not-collected",
  "wrong-service",
  "wrong-weight",
  "over",
  "under",
] as const satisfies readonly Verdict[]

/** A bill's key file: which consignments were given which mistake. */
export interface BillKey {
  readonly seed: number
  readonly consignments: number
  readonly mistakes: readonly { readonly consignment: string; readonly mistake: (typeof MISTAKES)[number] }[]
}
