// npm run ledger-fixture: keeps a ledger as this version of freight makes it, with an entry of each kind, for the tests
// that later versions open it: test/ledger/versions/VERSION.json. `-- --build FOLDER` does it with another build. The
// tables are as the build makes them on SQLite and, where FREIGHT_TEST_POSTGRES names a server, on PostgreSQL.
import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { openBuild } from "./fixtures/build.mjs"
import { describePostgres } from "./fixtures/postgres.mjs"

const ROOT = path.resolve(import.meta.dirname, "..")
const { values } = parseArgs({ options: { build: { type: "string", default: ROOT } } })
if (process.env.FREIGHT_TEST_POSTGRES === undefined) {
  console.error("FREIGHT_TEST_POSTGRES names no server: the tables there belong to a fixture too")
  process.exit(2)
}

/** The statements that a desk of this build sends to the database while it books PO-9, and the ledger before it wrote the outcome. */
const statements = {}
let kept
const build = await openBuild(values.build, {
  onStatement: (sql, parameters) => {
    const of = (name) => {
      statements[name] ??= [sql, parameters]
    }
    if (!parameters.some((value) => /^po-9-/.test(value))) return
    if (/^insert into sends/.test(sql)) of("claim")
    else if (/^update sends set lease_until = \?/.test(sql)) of("renewal")
    else if (/^update sends/.test(sql)) {
      kept ??= readAll()
      of("outcome")
    }
  },
})
const file = path.join(build.folder, "ledger.db")
const office = build.desk("office", { FREIGHT_LEDGER: file })
const { freightApiKey, keys } = build.reach
const dock = build.desk("dock", {
  FREIGHT_LEDGER: file,
  FREIGHT_API_KEY: keys.freight2 ?? freightApiKey,
  USER: "bob",
})
const { freight } = office

const onFile = (sql) => build.read(file, sql)

const PARTY = { address1: "8 Market Street", suburb: "Fremantle", state: "WA", postcode: "6160" }
const SENDER = {
  companyName: "Harbour Lighting Pty Ltd",
  contactName: "Dana Reyes",
  phoneAreaCode: "02",
  phoneNumber: "55501234",
  address1: "14 Bourke Road",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
  email: "dispatch@harbour-lighting.example",
}
const LATER = { collectionDateTime: "2026-12-01T10:00:00" }
const SERVICES = { "connector-a": "76", "connector-b": "GEN", "connector-c": "STD" }

function order(reference, changes = {}) {
  return {
    sender: SENDER,
    receiver: { companyName: `Receiver of ${reference}`, ...PARTY },
    packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
    packagingCode: "CT",
    collectionDateTime: "2026-11-18T10:00:00",
    collectionCloseTime: "1700",
    payer: { type: "Sender" },
    dangerousGoods: false,
    customerReference: reference,
    ...changes,
  }
}

/** Books an order, under its reference unless `isKeyed` is false. */
async function book(
  reference,
  { at = office, connector = "connector-b", isKeyed = true, code = 0, changes, flags = [] } = {},
) {
  const input = JSON.stringify({ ...order(reference, changes), serviceCode: SERVICES[connector] })
  const words = ["book", "--file", "-", "--connector", connector, "--no-rate", "--json"]
  return at.freight([...words, ...flags, ...(isKeyed ? ["--key", reference] : [])], { input, code })
}

const bill = (number, lines) =>
  [
    "Invoice Number,Invoice Date,Carrier,Consignment,Reference,Charge,Weight kg,Ship Date,Amount ex GST,GST,Amount inc GST",
    ...lines.map(
      ([consignment, amount]) =>
        `${number},2026-11-24,Carrier A,${consignment},,Freight,11,2026-11-18,${amount.toFixed(2)},${(amount / 10).toFixed(2)},${(amount * 1.1).toFixed(2)}`,
    ),
    "",
  ].join("\n")

async function audit(name, lines, ...flags) {
  writeFileSync(path.join(office.home, `${name}.csv`), bill(name, lines))
  const isMeant = ["--map", "Consignment=consignment"]
  return freight(["audit", `${name}.csv`, ...isMeant, ...flags], { code: [0, 1] })
}

// Bookings, with each way to name one: by a key, by its content, by a batch, priced, at two desks with two keys.
await book("PO-1", { connector: "connector-a" })
await book("PO-2")
await book("PO-3", { at: dock, connector: "connector-c" })
await book("PO-4", { isKeyed: false })
await freight([
  "rate-shop",
  "--from",
  "Alexandria NSW 2015",
  "--to",
  "Fremantle WA 6160",
  "--package",
  "2x40x30x20@5.5",
])
const version = Number(onFile("select version from ledger_schema")[0].version)
const columns = ["reference", "company", "address1", "suburb", "state", "postcode"]
const rows = ["B-1", "B-2", "B-3 sandbox:carrier-rejects"].map((reference) =>
  [reference, `Receiver of ${reference}`, ...Object.values(PARTY)].join(","),
)
writeFileSync(
  path.join(office.home, "orders.csv"),
  [
    [
      "reference",
      ...columns.slice(1).map((name) => `receiver.${name === "company" ? "companyName" : name}`),
    ].join(","),
    ...rows,
    "",
  ].join("\n"),
)
writeFileSync(path.join(office.home, "sender.json"), JSON.stringify(SENDER))
await freight(
  [
    ..."batch book orders.csv --sender sender.json --package 30x20x10@2 --packaging CT --service cheapest".split(
      " ",
    ),
    ..."--ready 2026-11-18T10:00 --close 17:00 --concurrency 1 --pickup --json".split(" "),
  ],
  { code: 1 },
)

// Refused by the carrier; unknown; found by reconcile; settled and released by a person.
await book("PO-5 sandbox:carrier-rejects", { code: [1, 2, 3, 4, 5, 6] })
await book("PO-6 sandbox:booked-502", { code: 7 })
await freight(["reconcile", "--json"])
await build.fault("drop-before:x1@POST/shipments")
await book("PO-7", { code: 7 })
await freight(["reconcile", "--release", "PO-7"])
await build.fault("drop-after-commit:x1@POST/shipments")
await book("PO-8", { code: 7, connector: "connector-c" })

// Pickups: for one shipment, for several, with an unknown outcome. Labels and pages that were printed.
const shipmentOf = (key) =>
  onFile(`select shipment_id as id from sends where idempotency_key = '${key}'`)[0].id
const collect = (shipments, more, options) =>
  freight(
    ["pickup", "book", ...shipments, "--date", "2026-11-18", "--ready", "10:00", "--close", "17:00", ...more],
    options,
  )
await collect(["--shipment", shipmentOf("PO-1")], ["--json"])
await build.fault("drop-before:x1@POST/pickup")
await collect(["--shipment", shipmentOf("PO-3")], ["--json"], { code: 7 })
build.advance(24 * 3_600_000)
await freight(["print", "label", shipmentOf("PO-2"), "--device", "device-bench", "--json"])

// Where consignments are, what was billed, and what is disputed of it until it is paid.
build.advance(8 * 24 * 3_600_000)
await freight(["track", "--open", "--json"], { code: [0, 1, 6] })
const numberOf = (reference) =>
  onFile(`select consignment_number as number from sends where reference = '${reference}'`)[0].number
/** Numbers of the account's form that are nobody's. */
const [first, second, third] = [901, 902, 903].map((n) =>
  numberOf("PO-1").replace(/\d+$/, (digits) => String(n).padStart(digits.length, "9")),
)
await audit(
  "INV-1",
  [
    [numberOf("PO-1"), 10],
    [numberOf("B-1"), 900],
    [first, 30],
    [second, 20],
    [third, 15],
  ],
  ...(version >= 12 ? ["--raise"] : []),
)
if (version >= 12) {
  await freight(["disputes", "sent", "INV-1", "--claim", "CL-1", "--date", "2026-11-24"])
  await freight(["disputes", "answered", first, "--why", "asks for a photo"])
  await audit("INV-2", [[first, -12]])
  await freight(["disputes", "denied", second, "--why", "weighed again"])
  await freight(["disputes", "written-off", third])
  await freight(
    "post INV-1.csv --for xero --account 429 --clearing 850 --due 2026-12-24 -o posted.csv".split(" "),
  )
}
if (version >= 14) {
  await freight(["disputes", "denied", first, "--why", "let go after it was posted"])
  await freight(["disputes", "moved", first])
  await freight(["disputes", "reopen", first, "--why", "a photo was found"])
  await freight(
    "post INV-2.csv --for xero --account 429 --clearing 850 --due 2026-12-24 -o credit.csv".split(" "),
  )
  await freight(["post", "--not-imported", "INV-2", "--why", "the import was refused"])
}
if (version >= 22) {
  // In parts, of which the last was not made.
  await freight(["pay", "INV-1", "--amount", "10.00"])
  await freight(["pay", "INV-1"])
  await freight(["pay", "INV-1", "--undo", "--why", "the transfer was refused"])
  await book("PO-10", { connector: "connector-a", changes: LATER })
  await freight(["cancel", "PO-10", "--confirmed", "Kim, 13 20 50"])
}
if (version >= 11) await freight(["places", "add", "Quarry Siding WA 6160"])
const invoices = path.join(build.folder, "invoices.json")
await build
  .desk("carrier", { FREIGHT_STATE_DIR: build.sandboxState })
  .freight(["sandbox", "bill", "--carrier", "CARRIER_C_AU", "-o", invoices])
await freight(["invoice", "validate", invoices, "--register"])

// The same order under one key in two ledgers, which were copied together.
if (version >= 10) {
  const other = build.desk("north")
  const flags = version >= 13 ? ["--without-looking"] : []
  await book("PO-2", {
    at: other,
    connector: "connector-a",
    changes: { ...LATER, packagingCode: "PA" },
    flags,
  })
  await other.freight(["ledger", "copy", "--to-ledger", file])
}

// Last: one that is being sent.
await book("PO-9", { changes: LATER })

const own = onFile("select sql from sqlite_master where sql is not null order by rowid").map(({ sql }) => sql)
const postgres = await describePostgres((address) =>
  build.desk("server", { FREIGHT_LEDGER: address }).freight(["ledger", "status", "--json"]),
)
const at = new Date(build.now()).toISOString()
const fixture = { version, at, sqlite: own, postgres, statements, rows: kept }
for (const row of kept.ledger_mark ?? []) row.ledger = "0123456789abcdef"
const text = toText(fixture).replaceAll(JSON.stringify(build.folder).slice(1, -1), "/home/ann")
const target = path.join(ROOT, "test/ledger/versions", `${version}.json`)
mkdirSync(path.dirname(target), { recursive: true })
writeFileSync(target, text)
for (const [table, all] of Object.entries(kept)) console.log(`${table}: ${all.length}`)
console.log(`${path.relative(ROOT, target)}: ${text.length} bytes`)
await build.close()
process.exit(0)

/** The rows of all tables. */
function readAll() {
  const tables = onFile("select name from sqlite_master where type = 'table' order by name")
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      onFile(`select * from ${name} order by ${name === "ledger_schema" ? "1" : "1, 2"}`).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      ),
    ]),
  )
}

/** JSON with a line for each statement and row. */
function toText({ rows: byTable, ...others }) {
  const list = (all, indent) =>
    all.length === 0
      ? "[]"
      : `[\n${all.map((each) => `${indent}  ${JSON.stringify(each)}`).join(",\n")}\n${indent}]`
  const parts = Object.entries(others).map(
    ([name, value]) => `  "${name}": ${Array.isArray(value) ? list(value, "  ") : JSON.stringify(value)}`,
  )
  const tables = Object.entries(byTable).map(([table, all]) => `    "${table}": ${list(all, "    ")}`)
  return `{\n${[...parts, `  "rows": {\n${tables.join(",\n")}\n  }`].join(",\n")}\n}\n`
}
