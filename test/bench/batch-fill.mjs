// Fills the ledger in FREIGHT_STATE_DIR, of the account in FREIGHT_API_KEY, with settled bookings.
import path from "node:path"
import { fromSource } from "../../scripts/from-source.mjs"

const total = Number(process.argv[2])
await fromSource("test/bench/fill.ts", ({ fill }) =>
  fill(path.join(process.env.FREIGHT_STATE_DIR, "ledger.db"), process.env.FREIGHT_API_KEY, total),
)
