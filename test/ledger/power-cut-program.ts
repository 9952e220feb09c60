/** Books on a ledger, and says what has left it and what it has recorded; then waits for its end. See `power-cut.long.test.ts`. */
import { writeSync } from "node:fs"
import path from "node:path"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemClock, systemIds } from "../../src/machine/host.ts"
import { createOnce } from "../../src/ledger/create.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import { openLedger } from "../../src/ledger/open.ts"
import { intent, SCOPE, SENDER } from "./samples.ts"

const [folder = "", count = ""] = process.argv.slice(2)
const OWNER = { id: "account-1", fingerprint: "account-1", scope: SCOPE }
const say = (what: string) => writeSync(1, `${what}\n`)

const { store, outbox } = await openLedger(
  {
    address: undefined,
    from: "",
    folder: path.join(folder, "state"),
  },
  { clock: systemClock, ids: systemIds, sqlite: systemSqlite, password: async () => undefined },
  async () => {},
)

/** Every third gets no reply, and the outcome of every other third cannot be recorded. */
async function book(n: number): Promise<void> {
  const key = `PO-${n}`
  const record: typeof store.record = async (...outcome) => {
    if (n % 3 === 2) throw new Error("the database is lost")
    return store.record(...outcome)
  }
  await new Promise<void>((resolve) => {
    const send = () => {
      say(`sent ${key}`)
      if (n % 3 > 0) return Promise.resolve({})
      resolve()
      return new Promise<object>(() => {})
    }
    const deps = {
      ...{ store: { ...store, record }, outbox, owner: OWNER, clock: systemClock },
      ...{ sender: SENDER, signal: new AbortController().signal },
      leases: createLeaseKeeper({ leaseMs: LEASE_MS, clock: systemClock, renew: store.renew }),
    }
    createOnce(deps, intent({ key, content: { n } }), send)
      .catch(() => {})
      .finally(() => {
        say(`done ${key}`)
        resolve()
      })
  })
}

for (let n = 0; n < Number(count); n++) await book(n)
say("over")
setInterval(() => {}, 60_000)
