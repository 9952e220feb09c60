/** Vocabulary of carriers' bills: verdicts and kinds of charge. */

/**
 * The verdicts on a consignment, worst first, and whether they are disputed, reported with exit code 1, or only noted.
 * JSON and CSV have these names; a table shows them with spaces.
 */
export const VERDICTS = {
  /** Charged before, in this bill or in an audited one. */
  "billed-twice": "dispute",
  /** Neither the ledger nor the API knows it. */
  "not-ours": "dispute",
  cancelled: "dispute",
  /** By the booking, the receiver or a third party pays. */
  "payer-is-another": "dispute",
  /** Nothing was scanned, and there is no pickup. */
  "not-collected": "dispute",
  "wrong-service": "dispute",
  "wrong-weight": "dispute",
  over: "dispute",
  /** Its GST is not 10 %: ask for a correct tax invoice. GST above 10 % is claimed with other disputes. */
  "wrong-gst": "told",
  under: "note",
  /** The right price depends on something that neither quote nor bill states. */
  "cannot-tell": "note",
  "no-price": "note",
  agrees: "note",
} as const

/** Later versions may add some. */
export type Verdict = keyof typeof VERDICTS

/** Worst first. */
export const VERDICT_ORDER = Object.keys(VERDICTS) as readonly Verdict[]

export function isDisputed(verdict: Verdict): boolean {
  return VERDICTS[verdict] === "dispute"
}

/** The verdict on a consignment: amounts in dollars. */
interface Judged {
  verdict: Verdict
  disputed: number
  difference: number | null
}

/** A wrong service that cost less than the booked one is reported, with nothing to dispute. */
export function isToDispute({ verdict, disputed, difference }: Judged): boolean {
  return isDisputed(verdict) && (disputed > 0 || difference === null || difference >= 0)
}

/** As people read it: `billed twice`. */
export function formatVerdict(verdict: string): string {
  return verdict.replaceAll("-", " ").replace("gst", "GST")
}

/** Bills are in Australian dollars: the INV contract has no other currency. */
export const BILL_CURRENCY = "AUD"

/** Kinds of charge. A line that does not say is freight. */
export const CHARGES = ["freight", "fuel", "residential", "dangerous-goods", "other", "tax"] as const

export type Charge = (typeof CHARGES)[number]

/** The mistakes of the sandbox's bills: the verdict for each. */
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

/** A bill's key file: the mistakes that were put into its consignments. */
export interface BillKey {
  readonly seed: number
  readonly consignments: number
  readonly mistakes: readonly { readonly consignment: string; readonly mistake: (typeof MISTAKES)[number] }[]
}
