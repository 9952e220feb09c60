/** Accounting programs that bills are posted to. */
export const PROGRAMS = ["xero", "myob", "quickbooks"] as const
export type Program = (typeof PROGRAMS)[number]
