/**
 * Both APIs on this machine, by their own reading of the contract, and bills for what was booked there. Begin with
 * `context.ts`, which `server.ts` serves and `bills/run.ts` bills; both are loaded when they are needed.
 */

// The server and its context
export type { Sandbox, Served } from "./server.ts"
export { spoolDir } from "./context.ts"
export { FAULTS } from "./faults.ts"

// Bills
export type { Bill } from "./bills/documents.ts"
