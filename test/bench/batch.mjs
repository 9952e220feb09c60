// npm run bench -- batch: a batch against the sandbox, as ratios to the floor it is measured with.
// BENCH_ROWS sets how many rows (10,000), BENCH_EARLIER how many entries the ledger holds before (50,000).
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import pg from "pg"
import { sizesOf, withSandbox } from "./measure.mjs"
import { order } from "./orders.mjs"

const root = path.resolve(import.meta.dirname, "../..")
const freight = path.join(root, "bin/freight.js")
const [ROWS] = sizesOf("BENCH_ROWS", 10_000)
const [EARLIER] = sizesOf("BENCH_EARLIER", 50_000)
const AT_ONCE = 16
const LATENCY_MS = 50

const work = mkdtempSync(path.join(tmpdir(), "freight-bench-"))
process.on("exit", () => rmSync(work, { recursive: true, force: true }))
/** Rows a second of a batch, beside the floors. */
export async function rows() {
  const few = await ordersFile("few.csv", ROWS / 10)
  const many = await ordersFile("many.csv", ROWS)
  const table = []

  // The same sandbox for both, in turn: its own pace changes with what it holds.
  await withSandbox([], async (reach) => {
    const floors = []
    const durable = []
    const runs = []
    for (let turn = 0; turn < 3; turn++) {
      floors.push(await bareLoop(reach, ROWS))
      durable.push(await bareLoop(reach, ROWS, path.join(work, "kept")))
      runs.push(await batch(reach, many))
    }
    const [floor, run] = [median(floors), median(runs.map(({ rate }) => rate))]
    const small = await batch(reach, few)
    const what = `a batch of ${ROWS} rows`
    table.push(rateRow(what, "a bare undici loop", floor, floor))
    table.push(rateRow(what, "the same, two synced lines a row", median(durable), floor))
    table.push(rateRow(what, "freight batch book", run, floor, median(runs.map(({ mb }) => mb))))
    const bytes = `${Math.round(median(runs.map(({ bytes }) => bytes)) / ROWS)} bytes a booking`
    table.push({ what: "the ledger's file", command: "freight batch book", took: bytes })
    if (process.env.FREIGHT_TEST_POSTGRES) {
      const { rate } = await batch(reach, many, undefined, { FREIGHT_LEDGER: await newDatabase() })
      table.push(rateRow(what, "freight batch book, PostgreSQL on this machine", rate, floor))
    }
    table.push(rateRow(`a batch of ${ROWS / 10} rows`, "freight batch book", small.rate, floor, small.mb))
  })

  await withSandbox(["--latency", String(LATENCY_MS)], async (reach) => {
    const ideal = (AT_ONCE * 1000) / LATENCY_MS
    const bare = await bareLoop(reach, ROWS / 5)
    const { rate } = await batch(reach, await ordersFile("some.csv", ROWS / 5))
    const what = `a batch with ${LATENCY_MS} ms of latency`
    table.push(rateRow(what, "the ideal", ideal, ideal))
    table.push(rateRow(what, "a bare undici loop", bare, ideal))
    table.push(rateRow(what, "freight batch book", rate, ideal))
  })

  await withSandbox([], async (reach) => {
    const state = path.join(work, "full")
    const empty = (await batch(reach, few)).rate
    await fillLedger(reach, state)
    const full = (await batch(reach, few, state)).rate
    const what = `a batch after ${EARLIER} earlier entries`
    table.push(rateRow(what, "freight batch book, after none", empty, empty))
    table.push(rateRow(what, "freight batch book", full, empty))
    const nothing = await timeOf(["-e", "0"], reach, state)
    for (const command of ["history --since 7d", "history --json"]) {
      const took = await timeOf([freight, ...command.split(" ")], reach, state)
      const row = { what: `history of ${EARLIER} entries`, command: `freight ${command}` }
      table.push({ ...row, took: `${Math.round(took)} ms`, ratio: ratio(took, nothing) })
    }
  })
  return table
}

function rateRow(what, command, rate, floor, mb) {
  const took = `${Math.round(rate)} rows/s`
  return { what, command, took, ratio: ratio(rate, floor), ...(mb && { "peak MB": Math.round(mb) }) }
}

/** A batch that needs no rates, so that it sends exactly what the bare loop sends. */
async function ordersFile(name, rows) {
  const file = path.join(work, name)
  const out = createWriteStream(file)
  out.write(`${Object.keys(order(0)).join(",")}\n`)
  for (let n = 0; n < rows; n++)
    if (!out.write(`${Object.values(order(n)).join(",")}\n`)) await once(out, "drain")
  out.end()
  await once(out, "close")
  return file
}

/** Rows a second from the first booking to the last, as the sandbox sees them, and the peak of memory. */
async function batch(reach, file, state = mkdtempSync(path.join(work, "state-")), more = {}) {
  const before = await booked(reach)
  const watch = { first: 0, last: 0, seen: before }
  const args = [
    freight,
    "batch",
    "book",
    file,
    "--concurrency",
    String(AT_ONCE),
    "--no-rate",
    "--results",
    path.join(state, "results.csv"),
    "--json",
    "--quiet",
  ]
  const child = spawn(process.execPath, args, {
    env: { ...envOf(reach, state), ...more },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let mb = 0
  const look = setInterval(async () => {
    mb = Math.max(mb, highWater(child.pid))
    const now = await booked(reach)
    if (now > watch.seen && watch.first === 0) Object.assign(watch, { first: performance.now(), from: now })
    if (now > watch.seen) Object.assign(watch, { last: performance.now(), seen: now })
  }, 50)
  const [[code], stdout] = await Promise.all([once(child, "close"), text(child.stdout)])
  clearInterval(look)
  if (code !== 0) throw new Error(`the batch ended with ${code}: ${stdout}`)
  const bytes = statSync(path.join(state, "ledger.db"), { throwIfNoEntry: false })?.size ?? 0
  if (state.includes("state-")) rmSync(state, { recursive: true, force: true })
  return { rate: (watch.seen - watch.from) / ((watch.last - watch.first) / 1000), mb, bytes }
}

/** An empty database on the server that the tests use. */
async function newDatabase() {
  const name = `freight_bench_${process.pid}`
  const client = new pg.Client({ connectionString: process.env.FREIGHT_TEST_POSTGRES })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name}`)
  await client.end()
  const address = new URL(process.env.FREIGHT_TEST_POSTGRES)
  address.pathname = `/${name}`
  return address.href
}

/** Milliseconds that Node takes for it, the median of some. */
async function timeOf(args, reach, state) {
  const times = []
  for (let turn = 0; turn < 5; turn++) {
    const began = performance.now()
    await once(spawn(process.execPath, args, { env: envOf(reach, state), stdio: "ignore" }), "exit")
    times.push(performance.now() - began)
  }
  return median(times)
}

async function booked({ freightBaseUrl }) {
  const reply = await fetch(`${new URL(freightBaseUrl).origin}/__sandbox/books?only=counts`)
  return (await reply.json()).counts.shipments
}

/** @param kept the file in which it keeps what it does; none to keep nothing */
async function bareLoop(reach, rows, kept = "") {
  const script = path.join(import.meta.dirname, "batch-floor.mjs")
  const args = [script, reach.freightBaseUrl, reach.freightApiKey, String(rows), String(AT_ONCE), kept]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  return Number(await text(child.stdout))
}

/** Makes as many entries as a busy year leaves, by the ledger's own functions. */
async function fillLedger(reach, state) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "batch-fill.mjs"), String(EARLIER)], {
    env: envOf(reach, state),
    stdio: ["ignore", "inherit", "inherit"],
  })
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`the ledger could not be filled: ${code}`)
}

function envOf(reach, state) {
  mkdirSync(state, { recursive: true })
  return {
    PATH: process.env.PATH,
    HOME: work,
    FREIGHT_STATE_DIR: state,
    FREIGHT_CONFIG_DIR: path.join(work, "config"),
    FREIGHT_BASE_URL: reach.freightBaseUrl,
    FREIGHT_API_KEY: reach.freightApiKey,
    // Each run books the same goods as the one before, from a desk of its own.
    FREIGHT_LOOK_ELSEWHERE: "off",
  }
}

/** Peak resident memory in MB, where the system tells it. */
function highWater(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function ratio(value, floor) {
  return Number((value / floor).toFixed(2))
}
