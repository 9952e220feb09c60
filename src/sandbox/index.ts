/**
 * Both APIs on this machine, by their own reading of the contract, and bills for what was booked there. Begin with
 * `openWorld`; `server.ts` serves it.
 */

// The server and its world
export type { Sandbox, Served } from "./server.ts"
export { openWorld, SANDBOX_SEED, spoolDir, type World } from "./world.ts"
export { FAULTS } from "./faults.ts"

// Bills
export {
  type Billed,
  type Candidate,
  findLastDelivery,
  readCandidates,
  UNBILLED,
  type Wanted,
} from "./bills/consignments.ts"
export {
  type Bill,
  getCompany,
  makeBills,
  writeBillSheet,
  writeCsv,
  writeInvoices,
} from "./bills/documents.ts"
export { makeMistakes } from "./bills/mistakes.ts"
