/** Finds Node's own SQLite. */
import type { LedgerPorts } from "../ledger/index.ts"

/** Node's own SQLite, if it has one without a flag; its warning that it is new is of no use to people. */
export const systemSqlite: LedgerPorts["sqlite"] = () => {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as ReturnType<
      LedgerPorts["sqlite"]
    >
  } finally {
    process.emitWarning = emitWarning
  }
}
