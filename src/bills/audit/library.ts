/** What `freight-cli/audit` exports. Its types, as published, are `library-types.d.ts`. */
import type * as published from "./library-types.d.ts"

/** Audits a bill; see the published types. */
export const auditBill: typeof published.auditBill = async (...given) =>
  (await import("./given.ts")).auditBill(...given)
