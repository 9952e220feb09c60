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
export { FAULTS } from "./faults.ts"
export type { Sandbox, Served } from "./server.ts"
export { openWorld, SANDBOX_SEED, spoolDir, type World } from "./world.ts"
