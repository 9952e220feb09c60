// How quickly invoices are checked: against Node doing nothing, against reading and parsing, and beside the peers.
// BENCH_MB sets how many megabytes of lines (300), BENCH_FILES how many files (5,000).
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs"
import path from "node:path"
import { invoiceText, linesOf, moreLinesOf } from "./invoices.mjs"
import { bareEnv, compare, freight, NODE, sizesOf, workFolder } from "./measure.mjs"
import { fastPeerCommands, peerCommands } from "./peers.mjs"

const [MEGABYTES] = sizesOf("BENCH_MB", 300)
const [FILES] = sizesOf("BENCH_FILES", 5000)

export async function rows() {
  const work = workFolder("validation")
  const env = bareEnv(work)
  const small = path.join(work, "small.json")
  // One whose amounts ajv takes for multiples of 0.01 as well.
  writeFileSync(small, invoiceText(12, { lines: 2, pretty: true }))
  const shorter = writeFiles(path.join(work, "shorter"), linesOf)
  const longer = writeFiles(path.join(work, "longer"), moreLinesOf)
  // By this name sourcemeta knows lines.
  const [many, few] = [path.join(work, "many.jsonl"), path.join(work, "few.jsonl")]
  writeLines(many, MEGABYTES)
  writeLines(few, MEGABYTES / 15)
  const broken = path.join(work, "broken.jsonl")
  writeLines(broken, MEGABYTES / 15, (text) => text.replace('"standard"', '"gift"'))

  const validate = (...args) => [process.execPath, freight, "invoice", "validate", ...args]
  const parse = (target) => [
    "read + JSON.parse",
    [process.execPath, path.join(import.meta.dirname, "loop.mjs"), target],
  ]
  const name = "freight invoice validate"
  const peers = peerCommands([small], { env, work })
  // The peer that is nearest: one process, and its schema compiled once.
  const { "a script with ajv": script } = peers
  const ofFiles = ({ folder, files, bytes }) =>
    compare(
      { what: `${FILES} files, ${Math.round(bytes / 1e6)} MB`, floor: parse(folder), times: 5, env },
      {
        [name]: validate("--quiet", folder),
        ...(script && { "a script with ajv": [...script.slice(0, -1), ...files] }),
      },
    )
  return [
    ...(await compare(
      { what: "one small invoice", floor: ["node -e 0", NODE], times: 11, env },
      { [name]: validate(small), ...peers },
    )),
    ...(await ofFiles(shorter)),
    ...(await ofFiles(longer)),
    ...(await compare(
      { what: `${MEGABYTES} MB of NDJSON`, floor: parse(many), times: 2, env },
      { [name]: validate("--quiet", many), ...fastPeerCommands(many, { env, work }) },
    )),
    ...(await compare(
      { what: `${MEGABYTES / 15} MB of NDJSON`, floor: parse(few), times: 5, env },
      { [name]: validate("--quiet", few), ...fastPeerCommands(few, { env, work }) },
    )),
    ...(await compare(
      {
        what: `${MEGABYTES / 15} MB of NDJSON, an error in each document`,
        floor: parse(broken),
        times: 5,
        env,
      },
      { [`${name} --format ndjson`]: validate("--quiet", "--format", "ndjson", broken) },
    )),
  ]
}

function writeFiles(folder, linesOf) {
  mkdirSync(folder)
  const files = []
  let bytes = 0
  for (let number = 0; number < FILES; number++) {
    const file = path.join(folder, `${number}.json`)
    const text = invoiceText(number, { lines: linesOf(number), pretty: number % 2 === 0 })
    writeFileSync(file, text)
    files.push(file)
    bytes += text.length
  }
  return { folder, files, bytes }
}

function writeLines(file, megabytes, change = (text) => text) {
  const handle = openSync(file, "w")
  let batch = ""
  let written = 0
  for (let number = 0; written < megabytes * 1e6; number++) {
    batch += `${change(invoiceText(number, { lines: linesOf(number) }))}\n`
    if (batch.length > 4e6) {
      written += writeSync(handle, batch)
      batch = ""
    }
  }
  writeSync(handle, batch)
  closeSync(handle)
}
