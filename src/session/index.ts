/** The dependencies of a run, in five parts and all together; each is made on first use. Begin with `Deps`. */

// All together
export { createDeps, type Deps } from "./deps.ts"
export type { CalledCommand, Session } from "./session.ts"

// The parts
export type { Asking } from "./asking.ts"
export type { Services } from "./services.ts"
export type { LedgerReader, Ledgers } from "./ledgers.ts"
export type { Memory } from "./memory.ts"

// Outputs of a run
export { asksForProgramFormat, listFormats } from "./formats.ts"
