import { command } from "../command/index.ts"
import { showBatchStatus, BATCH_STATUS_COLUMNS, BATCH_STATUS_FLAGS } from "../orders/index.ts"

export default command({
  about:
    "Shows how far a batch has got: a table has the rows that need someone, or all of them with --all; every other format has all. It also says what is left of a run that was killed or failed, and the command that finishes it. It reads what this machine recorded, asks no server without --refresh, and works while the batch runs elsewhere.",
  args: [{ takes: "<file>", about: "the rows of the batch, or its plan", isInput: true }],
  flags: BATCH_STATUS_FLAGS,
  columns: BATCH_STATUS_COLUMNS,
  examples: [
    "freight batch status --sandbox orders.csv",
    "freight batch status --sandbox orders.csv --refresh --json",
  ],
  run: showBatchStatus,
})
