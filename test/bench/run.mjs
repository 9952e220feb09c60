// npm run bench: whole processes, timed in turn with the floor that each is measured against, as ratios of medians.
// The peers are installed into .build/peers by name; one that cannot be had is left out and named.
import { spawn, spawnSync } from "node:child_process"
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { availableParallelism } from "node:os"
import path from "node:path"
import { invoiceText, linesOf } from "./invoices.mjs"

const root = path.resolve(import.meta.dirname, "../..")
const work = path.join(root, ".build/bench")
const peers = path.join(root, ".build/peers")
const megabytes = Number(process.env.BENCH_MB ?? 300)
const FILES = 5000
const freight = path.join(root, "bin/freight.js")
const schema = path.join(root, "schemas/invoice.schema.json")

rmSync(work, { recursive: true, force: true })
mkdirSync(path.join(work, "files"), { recursive: true })
const small = path.join(work, "small.json")
writeFileSync(small, invoiceText(1, { lines: 2, pretty: true }))
for (let number = 0; number < FILES; number++)
  writeFileSync(
    path.join(work, "files", `${number}.json`),
    invoiceText(number, { lines: linesOf(number), pretty: number % 2 === 0 }),
  )
const lines = path.join(work, "invoices.ndjson")
writeLines(lines, megabytes)
const few = path.join(work, "few.ndjson")
writeLines(few, megabytes / 10)

const env = { PATH: process.env.PATH, HOME: work, LANG: "C.UTF-8" }
const rows = []
console.log(
  `Node ${process.version}, ${availableParallelism()} cores; ${FILES} files, ${megabytes} MB of NDJSON`,
)

const node = [process.execPath, "-e", "0"]
await compare("one small invoice", "node -e 0", node, 11, {
  "freight invoice validate": [process.execPath, freight, "invoice", "validate", small],
  ...peerCommands([small]),
})
await compare("one completion at the Tab key", "node -e 0", node, 31, {
  "freight completion-data": [
    process.execPath,
    freight,
    "completion-data",
    "shipments",
    "label",
    "--sandbox",
  ],
})
const folder = path.join(work, "files")
await compare(
  `${FILES} files`,
  "read + JSON.parse",
  [process.execPath, path.join(import.meta.dirname, "loop.mjs"), folder],
  5,
  {
    "freight invoice validate": [process.execPath, freight, "invoice", "validate", "--quiet", folder],
  },
)
await compare(
  `${megabytes} MB of NDJSON`,
  "read + JSON.parse",
  [process.execPath, path.join(import.meta.dirname, "loop.mjs"), lines],
  3,
  {
    "freight invoice validate": [process.execPath, freight, "invoice", "validate", "--quiet", lines],
  },
)
await compare(
  `${megabytes / 10} MB of NDJSON`,
  "read + JSON.parse",
  [process.execPath, path.join(import.meta.dirname, "loop.mjs"), few],
  3,
  {
    "freight invoice validate": [process.execPath, freight, "invoice", "validate", "--quiet", few],
  },
)
console.table(rows)

async function compare(what, floorName, floor, times, others) {
  const names = Object.keys(others)
  const runs = new Map([["floor", []], ...names.map((name) => [name, []])])
  for (let turn = 0; turn <= times; turn++) {
    const floorRun = await timed(floor)
    if (turn > 0) runs.get("floor").push(floorRun)
    for (const name of names) {
      const run = await timed(others[name])
      if (turn > 0) runs.get(name).push(run)
    }
  }
  const base = median(runs.get("floor").map(({ ms }) => ms))
  rows.push({ what, command: floorName, ms: Math.round(base), ratio: 1, "peak MB": peak(runs.get("floor")) })
  for (const name of names) {
    const ms = median(runs.get(name).map((run) => run.ms))
    rows.push({
      what,
      command: name,
      ms: Math.round(ms),
      ratio: Number((ms / base).toFixed(2)),
      "peak MB": peak(runs.get(name)),
    })
  }
}

function timed([command, ...args]) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "inherit"] })
    let high = 0
    const look = setInterval(() => {
      high = Math.max(high, highWater(child.pid))
    }, 20)
    child.on("error", reject)
    child.on("exit", (code) => {
      clearInterval(look)
      if (code !== 0) reject(new Error(`${[command, ...args].join(" ")} ended with ${code}`))
      else resolve({ ms: Number(process.hrtime.bigint() - start) / 1e6, mb: high / 1024 })
    })
  })
}

/** Peak resident memory in kB, where the system tells it. */
function highWater(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function peak(runs) {
  return Math.round(Math.max(...runs.map(({ mb }) => mb)))
}

function writeLines(file, size) {
  const handle = openSync(file, "w")
  let batch = ""
  let written = 0
  for (let number = 0; written < size * 1e6; number++) {
    batch += `${invoiceText(number, { lines: linesOf(number) })}\n`
    if (batch.length > 4e6) {
      written += writeSync(handle, batch)
      batch = ""
    }
  }
  writeSync(handle, batch)
  closeSync(handle)
}

/** What people check JSON with today, as installed from the registry by name. */
function peerCommands(files) {
  if (!existsSync(path.join(peers, "node_modules"))) {
    mkdirSync(peers, { recursive: true })
    const args = [
      "install",
      "--prefix",
      peers,
      "--no-save",
      "--no-fund",
      "--no-audit",
      "ajv-cli@5",
      "ajv-formats@2",
      "@sourcemeta/jsonschema",
    ]
    spawnSync("npm", args, { stdio: "ignore", cwd: peers })
  }
  // The peers know no format called email-or-empty.
  const plain = path.join(work, "schema.json")
  writeFileSync(plain, readFileSync(schema, "utf8").replaceAll('"email-or-empty"', '"email"'))
  const bin = (name) => path.join(peers, "node_modules/.bin", name)
  const known = {
    "ajv-cli": [
      bin("ajv"),
      "validate",
      "--spec=draft2020",
      "--strict=false",
      "-c",
      "ajv-formats",
      "-s",
      plain,
      "-d",
      ...files,
    ],
    "sourcemeta jsonschema": [bin("jsonschema"), "validate", plain, ...files],
    "a script with ajv": [process.execPath, path.join(import.meta.dirname, "plain-ajv.mjs"), plain, ...files],
  }
  return Object.fromEntries(
    Object.entries(known).filter(([name, command]) => {
      const works = spawnSync(command[0], command.slice(1), { env, stdio: "ignore" }).status === 0
      if (!works) console.log(`left out: ${name} could not be had, or does not accept the sample`)
      return works
    }),
  )
}
