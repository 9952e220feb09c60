// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type { InvoiceValidator } from "../judge.ts"

export const CanonicalInvoice: InvoiceValidator
export const DraftInvoice: InvoiceValidator
