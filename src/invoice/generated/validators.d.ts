// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type { InvoiceValidator } from "../schema-checks.ts"

export const CanonicalInvoice: InvoiceValidator
export const DraftInvoice: InvoiceValidator
/** The names of the fields that the service fills in. */
export const MANAGED_FIELDS: readonly string[]
