// How quickly invoices are checked: against Node doing nothing, against reading and parsing, and beside the peers.
// BENCH_MB sets how many megabytes of lines (300).
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs"
import path from "node:path"
import { invoiceText, linesOf } from "./invoices.mjs"
import { bareEnv, compare, freight, NODE, workFolder } from "./measure.mjs"
import { peerCommands } from "./peers.mjs"

const MEGABYTES = Number(process.env.BENCH_MB ?? 300)
const FILES = 5000

export async function rows() {
  const work = workFolder("validation")
  const env = bareEnv(work)
  const small = path.join(work, "small.json")
  // One whose amounts ajv takes for multiples of 0.01 as well.
  writeFileSync(small, invoiceText(12, { lines: 2, pretty: true }))
  const folder = path.join(work, "files")
  mkdirSync(folder)
  for (let number = 0; number < FILES; number++)
    writeFileSync(
      path.join(folder, `${number}.json`),
      invoiceText(number, { lines: linesOf(number), pretty: number % 2 === 0 }),
    )
  const [many, few] = [path.join(work, "many.ndjson"), path.join(work, "few.ndjson")]
  writeLines(many, MEGABYTES)
  writeLines(few, MEGABYTES / 10)

  const validate = (...args) => [process.execPath, freight, "invoice", "validate", ...args]
  const parse = (target) => [
    "read + JSON.parse",
    [process.execPath, path.join(import.meta.dirname, "loop.mjs"), target],
  ]
  const name = "freight invoice validate"
  return [
    ...(await compare(
      { what: "one small invoice", floor: ["node -e 0", NODE], times: 11, env },
      { [name]: validate(small), ...peerCommands([small], { env, work }) },
    )),
    ...(await compare(
      { what: `${FILES} files`, floor: parse(folder), times: 5, env },
      { [name]: validate("--quiet", folder) },
    )),
    ...(await compare(
      { what: `${MEGABYTES} MB of NDJSON`, floor: parse(many), times: 3, env },
      { [name]: validate("--quiet", many) },
    )),
    ...(await compare(
      { what: `${MEGABYTES / 10} MB of NDJSON`, floor: parse(few), times: 3, env },
      { [name]: validate("--quiet", few) },
    )),
  ]
}

function writeLines(file, megabytes) {
  const handle = openSync(file, "w")
  let batch = ""
  let written = 0
  for (let number = 0; written < megabytes * 1e6; number++) {
    batch += `${invoiceText(number, { lines: linesOf(number) })}\n`
    if (batch.length > 4e6) {
      written += writeSync(handle, batch)
      batch = ""
    }
  }
  writeSync(handle, batch)
  closeSync(handle)
}
