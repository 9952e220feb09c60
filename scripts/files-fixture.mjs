// npm run files-fixture -- --build FOLDER: keeps what a released build of freight leaves in files (settings, saved maps,
// quotes, what it has seen, the device, a plan, results), for the tests that later versions use them:
// test/upgrades/last-release/. Made anew with each release, of that release; draft.json there is kept at a terminal.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { openBuild } from "./fixtures/build.mjs"

const ROOT = path.resolve(import.meta.dirname, "..")
const TARGET = path.join(ROOT, "test/upgrades/last-release")
/** In a state folder: what commands remember. The ledger has fixtures of its own. */
const REMEMBERED = ["devices", "quotes", "seen", "tracked"]

const { values } = parseArgs({ options: { build: { type: "string", default: ROOT } } })
const build = await openBuild(values.build, {
  toUuid: (n) => `${String(n).padStart(8, "0")}-0000-4000-8000-${String(n).padStart(12, "0")}`,
})
const office = build.desk("office")
const freight = (line, more = [], options) =>
  office.freight([...line.split(" "), ...more, "--sandbox"], options)
const write = (name, text) => writeFileSync(path.join(office.home, name), text)

const warehouse = {
  ...{ companyName: "Harbour Lighting Pty Ltd", address1: "14 Bourke Road", email: "d@harbour.example" },
  ...{ suburb: "Alexandria", state: "NSW", postcode: "2015" },
}
await freight(
  "address add warehouse",
  Object.entries(warehouse).flatMap(([field, value]) => ["--set", `${field}=${value}`]),
)
await freight("package add box", ["40x30x20@5.5"])
await freight("config set avoid GEN")
await freight("config set maxPrice 90.00")
await freight("devices use device-bench")
write(
  "orders.csv",
  "No,receiver.companyName,receiver.address1,receiver.suburb,receiver.state,receiver.postcode\n" +
    "F-1,Port Street Fittings,8 Market Street,Fremantle,WA,6160\nF-2,Swan Fittings,1 Hay Street,Perth,WA,6000\n",
)
const flags = "--map No=reference --sender warehouse --package box --packaging CT --service cheapest".split(
  " ",
)
const day = "--ready 2026-11-18T10:00 --close 17:00".split(" ")
await freight("batch book orders.csv --save-map shop --dry-run", [...flags, ...day])
await freight("batch plan orders.csv --use-map shop -o orders.plan.json", day)
// The sandbox as it was then: it knows the rates of the plan.
const journal = readFileSync(path.join(office.state, "sandbox", "journal.ndjson"))
await freight("batch book orders.csv --use-map shop --json", day)
await freight("rate-shop --from", [
  "Alexandria NSW 2015",
  "--to",
  "Fremantle WA 6160",
  "--package",
  "2x40x30x20@5.5",
])
await freight("shipments list")
await freight("connectors")
await freight("track --new --open", [], { code: [0, 1, 6] })

for (const name of ["config", "state"]) rmSync(path.join(TARGET, name), { recursive: true, force: true })
mkdirSync(TARGET, { recursive: true })
for (const name of readdirSync(office.home))
  if (name.startsWith("orders.")) cpSync(path.join(office.home, name), path.join(TARGET, name))
cpSync(office.config, path.join(TARGET, "config"), { recursive: true })
const remembered = path.join(office.state, "sandbox")
for (const name of readdirSync(remembered))
  if (REMEMBERED.includes(name))
    cpSync(path.join(remembered, name), path.join(TARGET, "state", name), { recursive: true })
writeFileSync(path.join(TARGET, "state", "journal.ndjson"), journal)
for (const entry of readdirSync(TARGET, { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath ?? entry.path, entry.name)
  if (entry.isFile()) console.log(`${path.relative(ROOT, file)}: ${readFileSync(file).length} bytes`)
}
await build.close()
process.exit(0)
