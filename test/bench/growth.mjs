// npm run bench -- growth: commands that look at the ledger, by how many entries it has. BENCH_ENTRIES sets the sizes
// (0,10000,100000), and BENCH_POSTGRES=postgres://… tries a server too. A ledger is made once, and kept.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import pg from "pg"
import { bareEnv, compare, freight, NODE, root, sizesOf, withSandbox } from "./measure.mjs"

const SIZES = sizesOf("BENCH_ENTRIES", 0, 10_000, 100_000)
const SERVER = process.env.BENCH_POSTGRES
const TIMES = 2
/** Before the first entry of any of them. */
const ALL = ["--since", "2020-01-01"]

/** Commands that list or total the entries of a ledger. */
const COMMANDS = {
  "history --since 1d": ["history", "--since", "1d", "--format", "csv"],
  "history, all": ["history"],
  "history --search": ["history", "--search", "nowhere"],
  "history --state unknown": ["history", "--state", "unknown"],
  "history --spend": ["history", "--spend"],
  today: ["today"],
  "track --open": ["track", "--open"],
  "rate-shop": [
    "rate-shop",
    "--from",
    "Alexandria NSW 2015",
    "--to",
    "Fremantle WA 6160",
    "--package",
    "1x40x30x20@5",
  ],
  "shipments show": ["shipments", "show", "demo-shipment"],
  reconcile: ["reconcile"],
  disputes: ["disputes"],
  "ledger status": ["ledger", "status"],
  "report spend": ["report", "spend"],
  "report spend --by cost-centre": ["report", "spend", "--by", "cost-centre"],
  "report spend, all": ["report", "spend", ...ALL],
  "report spend --by day, all": ["report", "spend", "--by", "day", ...ALL],
  "report carriers": ["report", "carriers"],
  "report carriers, all": ["report", "carriers", ...ALL],
  "report savings": ["report", "savings"],
  "report savings, all": ["report", "savings", ...ALL],
  "report accruals": ["report", "accruals", "--offline", "--since", "90d"],
}

/** Time and memory of each command by the size of the ledger. The folder is kept, for a large ledger takes minutes to make. */
export async function rows() {
  const work = path.join(root, ".build/bench-years")
  mkdirSync(work, { recursive: true })
  const table = []
  await withSandbox([], async (reach) => {
    for (const size of SIZES)
      for (const kind of SERVER ? ["SQLite", "PostgreSQL"] : ["SQLite"]) {
        const state = path.join(work, kind === "SQLite" ? String(size) : `${size}-server`)
        const env = bareEnv(work, {
          FREIGHT_STATE_DIR: state,
          FREIGHT_CONFIG_DIR: path.join(work, "config"),
          FREIGHT_BASE_URL: reach.freightBaseUrl,
          FREIGHT_API_KEY: reach.freightApiKey,
          ...(kind === "PostgreSQL" && { FREIGHT_LEDGER: await serverLedger(size) }),
        })
        makeOnce(state, size, env)
        const commands = Object.entries(COMMANDS).map(([name, words]) => [
          name,
          [process.execPath, freight, ...words],
        ])
        const what = { what: `${kind}, ${size} entries`, floor: ["node -e 0", NODE], times: TIMES, env }
        table.push(...(await compare(what, Object.fromEntries(commands))))
      }
  })
  return table
}

/** The address of a ledger of this size, whose database is made if it is not there. */
async function serverLedger(size) {
  const address = new URL(SERVER)
  const name = `freight_bench_${size}`
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name])
    if (rowCount === 0) await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  address.pathname = `/${name}`
  return address.href
}

/** Fills a ledger, unless that was done and ended well. */
function makeOnce(state, size, env) {
  const done = path.join(state, "filled")
  if (existsSync(done)) return
  rmSync(state, { recursive: true, force: true })
  mkdirSync(state, { recursive: true })
  console.log(`making a ledger of ${size} entries`)
  const filled = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, "batch-fill.mjs"), String(size), "billed"],
    {
      env,
      encoding: "utf8",
    },
  )
  if (filled.status !== 0) throw new Error(`the ledger cannot be filled: ${filled.stderr}`)
  writeFileSync(done, "")
}
