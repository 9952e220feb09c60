/**
 * Both APIs on this machine, with their own reading of the contract, and bills for the bookings. Begin with
 * `context.ts`, which `server.ts` serves and `bills/run.ts` bills; both are loaded on demand.
 */

// The server and its context
export type { Sandbox, Served } from "./server.ts"
export { spoolDir } from "./context.ts"
export { FAULTS } from "./faults.ts"

// Bills
export type { Bill } from "./bills/documents.ts"
