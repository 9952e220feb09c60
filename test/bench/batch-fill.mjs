// Fills the ledger in FREIGHT_LEDGER or FREIGHT_STATE_DIR, of the account in FREIGHT_API_KEY, with settled bookings.
// `batch-fill.mjs 10000 billed` has bills for them too.
import path from "node:path"
import { fromSource } from "../../scripts/from-source.mjs"

const { FREIGHT_LEDGER, FREIGHT_STATE_DIR, FREIGHT_API_KEY } = process.env
const address = FREIGHT_LEDGER ?? path.join(FREIGHT_STATE_DIR, "ledger.db")
const [, , total, billed] = process.argv
await fromSource("test/bench/fill.ts", ({ fill }) =>
  fill(address, FREIGHT_API_KEY, Number(total), { isBilled: billed !== undefined }),
)
