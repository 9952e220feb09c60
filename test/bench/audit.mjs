// npm run bench -- audit: a bill of 5,000 lines against a sandbox in a process of its own, and the same without asking it.
// BENCH_LINES sets how many lines (5,000).
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"

const root = path.resolve(import.meta.dirname, "../..")
const freight = path.join(root, "bin/freight.js")
const LINES = Number(process.env.BENCH_LINES ?? 5000)
/** Charges of a consignment. */
const CHARGES = ["Freight", "Fuel levy"]

const work = mkdtempSync(path.join(tmpdir(), "freight-bench-"))
process.on("exit", () => rmSync(work, { recursive: true, force: true }))
const peak = path.join(work, "peak")
const hook = path.join(work, "hook.cjs")
writeFileSync(
  hook,
  `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`,
)

/** How long an audit takes, from its start to its end. */
export async function rows() {
  const server = spawn(process.execPath, [freight, "sandbox", "start", "--json"], {
    env: { PATH: process.env.PATH, HOME: work, FREIGHT_STATE_DIR: path.join(work, "sandbox") },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    const [line] = await once(createInterface({ input: server.stdout }), "line")
    const reach = JSON.parse(line)
    const env = {
      PATH: process.env.PATH,
      HOME: work,
      FREIGHT_STATE_DIR: path.join(work, "state"),
      FREIGHT_BASE_URL: reach.freightBaseUrl,
      FREIGHT_API_KEY: reach.freightApiKey,
    }
    const orders = path.join(work, "orders.csv")
    writeFileSync(orders, ordersText(LINES / CHARGES.length))
    run(["batch", "book", orders, "--concurrency", "16", "--quiet"], env)
    const url = new URL("/__sandbox/clock", reach.freightBaseUrl)
    await fetch(url, { method: "POST", body: JSON.stringify({ advanceMs: 400 * 86_400_000 }) })
    const bill = path.join(work, "bill.csv")
    writeFileSync(bill, billText(JSON.parse(run(["history", "--json"], env).stdout)))
    const table = []
    for (const flags of [[], ["--offline"]]) {
      const took = Array.from({ length: 3 }, () => {
        const began = performance.now()
        const { stdout } = run(["audit", bill, "--no-remember", "--json", ...flags], env)
        const { byVerdict } = JSON.parse(stdout).totals
        if (byVerdict.agrees !== LINES / CHARGES.length) throw new Error(JSON.stringify(byVerdict))
        return performance.now() - began
      }).sort((a, b) => a - b)[1]
      table.push({
        what: `a bill of ${LINES} lines`,
        command: ["freight audit", ...flags].join(" "),
        took: `${Math.round(took)} ms`,
        "peak MB": Math.round(Number(readFileSync(peak, "utf8")) / 1024),
      })
    }
    return table
  } finally {
    server.kill()
  }
}

function run(args, env) {
  const ran = spawnSync(process.execPath, ["--require", hook, freight, ...args], {
    env,
    cwd: work,
    encoding: "utf8",
    maxBuffer: 1e9,
  })
  if (ran.status !== 0) throw new Error(`freight ${args[0]} ended with ${ran.status}: ${ran.stderr}`)
  return ran
}

function ordersText(count) {
  const orders = Array.from({ length: count }, (_, n) => ({
    reference: `PO-${n}`,
    "receiver.companyName": `Receiver ${n}`,
    "receiver.address1": "8 Market Street",
    "receiver.suburb": "Fremantle",
    "receiver.state": "WA",
    "receiver.postcode": "6160",
    "sender.companyName": "Harbour Lighting Pty Ltd",
    "sender.address1": "14 Bourke Road",
    "sender.suburb": "Alexandria",
    "sender.state": "NSW",
    "sender.postcode": "2015",
    packages: "2x40x30x20@5.5",
    packagingCode: "CT",
    service: "GEN",
    connector: "connector-b",
    collectionDateTime: `${new Date().getUTCFullYear() + 1}-11-23T10:00:00`,
    collectionCloseTime: "1700",
  }))
  return [Object.keys(orders[0]), ...orders.map(Object.values)]
    .map((cells) => `${cells.join(",")}\n`)
    .join("")
}

/** Each consignment as it was quoted, in two lines. */
function billText(history) {
  const lines = history.flatMap(({ consignmentNumber, price }) => {
    const cents = Math.round(price * 100)
    const parts = [cents - 500, 500]
    return CHARGES.map((charge, at) => [consignmentNumber, charge, (parts[at] / 100).toFixed(2)])
  })
  return [["Consignment", "Charge", "Amount ex GST"], ...lines]
    .map((cells) => `${cells.join(",")}\n`)
    .join("")
}
