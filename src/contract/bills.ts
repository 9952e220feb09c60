/** Words of carriers' bills: what the audit says of a consignment, and what a bill charges for. */

/**
 * What the audit says of a consignment, worst first. The names stand in JSON and CSV; a table shows them with spaces.
 * All but the last four are to be disputed.
 */
export const VERDICTS = {
  "billed-twice": "charged before, in this bill or in one that was audited",
  "not-ours": "neither the ledger nor the API knows it",
  cancelled: "the shipment is cancelled",
  "payer-is-another": "the booking says that the receiver or a third party pays",
  "not-collected": "nothing was scanned, and there is no pickup",
  "wrong-service": "another service was booked",
  "wrong-weight": "more weight than was booked",
  over: "more than was quoted",
  "wrong-gst": "its GST is not 10 %",
  under: "less than was quoted",
  "cannot-tell": "what it should cost depends on something that neither quote nor bill states",
  "no-price": "booked elsewhere, so no quoted price is known",
  agrees: "as quoted",
} as const

export type Verdict = keyof typeof VERDICTS

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
