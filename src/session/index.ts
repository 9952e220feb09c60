/** What a run may touch, in five parts and all together. Each is made when it is first asked for. */
export type { Asking } from "./asking.ts"
export { createDeps, type Deps } from "./deps.ts"
export { asksForProgramFormat, FORMAT_VARIABLE, type Formatted, listFormats, readOutput } from "./formats.ts"
export type { LedgerReader, Ledgers } from "./ledgers.ts"
export type { Memory } from "./memory.ts"
export type { Services } from "./services.ts"
export type { CalledCommand, Session } from "./session.ts"
