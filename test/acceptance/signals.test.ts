/** Commands that only read end at the first signal, however large the ledger is. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, expect, it, onTestFinished } from "vitest"
import { sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { FreightError } from "../../src/base/errors.ts"
import { ownBooking } from "./bookings.ts"
import { desk, getCommandLine } from "./freight.ts"

const BOOKINGS = 20_000
/** Columns that differ between bookings; `n` is the number of the booking. */
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

let made: Awaited<ReturnType<typeof desk>>
let env: Record<string, string>

beforeAll(async () => {
  made = await desk()
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

it.each<[command: string, signal: NodeJS.Signals, words: string[]]>([
  ["audit --accruals", "SIGINT", ["--offline", "--json"]],
  ["history", "SIGTERM", ["--json"]],
  ["ledger export", "SIGINT", []],
])("%s ends at the first signal, %s, while it writes", async (command, signal, words) => {
  const line = getCommandLine([...command.split(" "), ...words, "--sandbox"])
  const child = spawn(...line, { env, stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  child.stdout.once("data", () => child.kill(signal)).resume()
  let stderr = ""
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, "close")
  expect(code, stderr).toBe(130)
})

const ACCRUALS = ["report", "accruals", "--offline", "--sandbox"]

it("report accruals writes more than it keeps in memory, each booking once, and tells people how far it is", async () => {
  const run = async (...more: string[]) => {
    const { code, stdout, stderr } = await made.freight([...ACCRUALS, ...more], { columns: 100 })
    expect(code, stderr).toBe(0)
    // Programs read standard error, too: they get no progress.
    const isShown = !more.some((word) => word === "--json" || word === "ndjson")
    expect(stderr.includes("1,000 bookings are read")).toBe(isShown)
    return stdout
  }
  const { totals, items } = JSON.parse(await run("--json")) as {
    totals: { consignments: number; amounts: Record<string, number | null> }
    items: { consignmentNumber: string; bookedAt: string; amount: number }[]
  }
  expect(totals.consignments).toBe(BOOKINGS + 1)
  expect(new Set(items.map(({ consignmentNumber }) => consignmentNumber)).size).toBe(BOOKINGS + 1)
  const times = items.map(({ bookedAt }) => bookedAt)
  expect(times).toEqual(times.toSorted())
  const cents = items.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  expect(Object.values(totals.amounts).filter((sum) => sum !== null)).toEqual([cents / 100])
  const rows = (await run("--format", "ndjson")).trim().split("\n")
  expect(rows.map((row) => JSON.parse(row))).toEqual(items)
  expect((await run("--format", "csv")).trim().split("\n")).toHaveLength(BOOKINGS + 2)
  expect(await run()).toContain("20,001 consignments not yet billed")
  await run("-o", "accruals.html")
  const page = await readFile(path.join(made.folder, "accruals.html"), "utf8")
  expect(page.match(/<tr>/g)).toHaveLength(BOOKINGS + 2)
  expect(await readdir(path.join(made.state, "unfinished"))).toEqual([])
})

it("report accruals ends at the first signal while it reads, and writes nothing", async () => {
  const interrupt = new AbortController()
  const written: string[] = []
  const stdin = { isTTY: false, readAll: async () => new Uint8Array(), async *chunks() {} }
  const stream = (name: string) => ({
    ...{ isTTY: name === "stderr", colour: false, columns: 100 },
    async write(text: string | Uint8Array) {
      written.push(`${name}: ${text}`)
      if (/bookings are read/.test(String(text)))
        interrupt.abort(new FreightError("interrupted", "interrupted"))
    },
  })
  const terminal = { stdin, stdout: stream("stdout"), stderr: stream("stderr"), unicode: true }
  const { code } = await made.freight(ACCRUALS, {
    columns: 100,
    host: { signal: interrupt.signal, terminal },
  })
  expect(code).toBe(130)
  expect(written.filter((text) => text.startsWith("stdout"))).toEqual([])
  expect(written.filter((text) => /bookings are read/.test(text))).toHaveLength(1)
})
