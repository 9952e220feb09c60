/** Commands that only read end at the first signal, however large the ledger is. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, expect, it, onTestFinished } from "vitest"
import { sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { systemSqlite } from "../../src/builtin-sqlite.ts"
import { ownBooking } from "./bookings.ts"
import { desk, getCommandLine } from "./freight.ts"

const BOOKINGS = 20_000
/** What differs from one booking to the next; `n` counts them. */
const OWN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["id", "idempotency_key", "content_hash", "reference", "reference_hash", "normalized_number"].map(
      (column) => [column, `${column} || '-' || n`],
    ),
  ),
  shipment_id: "'shp-' || n",
  consignment_number: "'SBC-' || n",
  order_number: "'ORD-' || n",
  created_at: "strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-' || n || ' seconds')",
}

let env: Record<string, string>

beforeAll(async () => {
  const made = await desk()
  env = made.env
  await writeFile(
    path.join(made.folder, "booking.json"),
    JSON.stringify({ ...ownBooking(), serviceCode: "GEN" }),
  )
  const { code, stderr } = await made.freight([
    "book",
    "--file",
    "booking.json",
    "--sandbox",
    "--yes",
    "--json",
  ])
  expect(code, stderr).toBe(0)
  const driver = await sqliteDriver(systemSqlite())
  const ledger = await driver(path.join(made.state, "sandbox/ledger.db"))
  const columns = (await (await ledger.prepare("pragma table_info(sends)")).all()).map((row) =>
    String(Object(row).name),
  )
  const values = columns.map((column) => OWN[column] ?? column)
  await ledger.exec(`insert into sends (${columns}) with recursive count(n) as
    (select 1 union all select n + 1 from count where n < ${BOOKINGS}) select ${values} from sends, count`)
  await ledger.close()
})

it.each<[command: string, words: string[]]>([
  ["audit --accruals", ["--offline", "--json"]],
  ["history", ["--json"]],
  ["ledger export", []],
])("%s ends at the first signal while it writes", async (command, words) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const line = getCommandLine([...command.split(" "), ...words, "--sandbox"])
    const child = spawn(...line, { env, stdio: ["ignore", "pipe", "pipe"] })
    onTestFinished(() => void child.kill("SIGKILL"))
    child.stdout.once("data", () => child.kill(signal)).resume()
    let stderr = ""
    child.stderr.on("data", (chunk) => {
      stderr += chunk
    })
    const [code] = await once(child, "close")
    expect([command, signal, code], stderr).toEqual([command, signal, 130])
  }
})
