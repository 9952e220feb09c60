// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type { Validator } from "../check.ts"
import type * as types from "./types.ts"

export const CanonicalInvoice: Validator<types.Invoice>
export const DraftInvoice: Validator<types.DraftInvoice>
