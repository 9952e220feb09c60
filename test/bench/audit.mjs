// npm run bench -- audit: carriers' bills against what was booked, and whether every mistake in them is found.
// BENCH_CONSIGNMENTS sets how many are booked (3,000), BENCH_LINES the lines of a shorter bill (3,000).
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { bareEnv, compare, freight, NODE, sizesOf, withSandbox, workFolder } from "./measure.mjs"
import { order } from "./orders.mjs"

const [CONSIGNMENTS] = sizesOf("BENCH_CONSIGNMENTS", 3000)
const [LINES] = sizesOf("BENCH_LINES", 3000)
const SERVICES = [
  ["connector-a", "76"],
  ["connector-b", "GEN"],
  ["connector-c", "STD"],
]
const TRIGGERS = ["sandbox:cancelled", "sandbox:not-collected"]

/** Time of audits, and how many of the planted mistakes they find. */
export async function rows() {
  const work = workFolder("audit")
  const table = []
  await withSandbox([], async (reach, sandbox) => {
    const env = bareEnv(work, {
      FREIGHT_STATE_DIR: path.join(work, "state"),
      FREIGHT_CONFIG_DIR: path.join(work, "config"),
      FREIGHT_BASE_URL: reach.freightBaseUrl,
      FREIGHT_API_KEY: reach.freightApiKey,
    })
    const run = (words, more = {}) => {
      const options = { cwd: work, env: { ...env, ...more }, encoding: "utf8", maxBuffer: 2 ** 30 }
      const ran = spawnSync(process.execPath, [freight, ...words], options)
      if (ran.status > 1) throw new Error(`${words.join(" ")} ended with ${ran.status}: ${ran.stderr}`)
      return ran.stdout
    }
    const bill = (...words) => run(["sandbox", "bill", ...words], { FREIGHT_STATE_DIR: sandbox })
    writeFileSync(path.join(work, "orders.csv"), ordersCsv())
    run(["batch", "book", "orders.csv", "--json"])
    for (const file of ["bill.csv", "bill.json"]) {
      bill("--delivered", "--errors", "5%", "-o", file)
      table.push(found(file, JSON.parse(run(["audit", file, "--json", "--no-remember"])), keyOf(work, file)))
    }
    const audit = (file, ...words) => [
      process.execPath,
      freight,
      "audit",
      path.join(work, file),
      "--no-remember",
      ...words,
    ]
    const lines = readFileSync(path.join(work, "bill.csv"), "utf8").split("\n")
    writeFileSync(path.join(work, "lines.csv"), `${lines.slice(0, LINES + 1).join("\n")}\n`)
    const timed = (what, commands) => compare({ what, floor: ["node -e 0", NODE], times: 3, env }, commands)
    table.push(
      ...(await timed(`a bill of ${LINES} lines`, {
        "freight audit": audit("lines.csv"),
        "freight audit --offline": audit("lines.csv", "--offline"),
      })),
      ...(await timed(`bills of ${CONSIGNMENTS} consignments`, {
        "freight audit bill.csv": audit("bill.csv"),
        "freight audit bill.json": audit("bill.json"),
      })),
    )
    run(["track", "--open", "--json"])
    table.push(
      ...(await timed(`a bill of ${LINES} lines, all tracked before`, {
        "freight audit": audit("lines.csv"),
      })),
    )
  })
  return table
}

function keyOf(work, file) {
  return JSON.parse(readFileSync(path.join(work, `${file}.key`), "utf8"))
}

/** How many of the mistakes are told by their name, and how much is told that is none. */
function found(file, { items }, { mistakes }) {
  const told = new Map(items.map(({ consignmentNumber, verdict }) => [consignmentNumber, verdict]))
  const right = mistakes.filter(({ consignment, mistake }) => told.get(consignment) === mistake).length
  const all = Array.from(told.values()).filter((verdict) => verdict !== "agrees").length
  return {
    what: `mistakes in ${file}`,
    command: "freight audit",
    took: `${right} of ${mistakes.length} found, ${all - right} wrong`,
  }
}

function ordersCsv() {
  const rows = Array.from({ length: CONSIGNMENTS }, (_, n) => orderOf(n))
  return [Object.keys(rows[0]), ...rows.map(Object.values)].map((cells) => `${cells.join(",")}\n`).join("")
}

function orderOf(n) {
  const [connector, service] = SERVICES[n % SERVICES.length]
  return {
    ...order(n),
    packages: `2x40x30x20@${1 + (n % 23) / 2}`,
    service,
    connector,
    specialInstructions: TRIGGERS[n % 50] ?? "",
    "payer.type": n % 50 === 2 ? "Receiver" : "",
    "payer.accountNumber": n % 50 === 2 ? "R-77" : "",
  }
}
