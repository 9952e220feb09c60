// How long a command takes from the first to the last moment of its process, against Node doing nothing.
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import path from "node:path"
import { invoiceText } from "./invoices.mjs"
import { bareEnv, compare, freight, NODE, withSandbox, workFolder } from "./measure.mjs"

const TIMES = 20
const RATE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "1x40x30x20@5"]

export async function rows() {
  const work = workFolder("startup")
  const small = path.join(work, "small.json")
  writeFileSync(small, invoiceText(1, { lines: 2, pretty: true }))
  const table = []
  await withSandbox([], async (reach) => {
    const env = bareEnv(work, {
      FREIGHT_STATE_DIR: path.join(work, "state"),
      FREIGHT_BASE_URL: reach.freightBaseUrl,
      FREIGHT_API_KEY: reach.freightApiKey,
    })
    const of = (...args) => [process.execPath, freight, ...args]
    const commands = {
      "freight --version": of("--version"),
      "freight --help": of("--help"),
      "a completion": of("__complete", ":", "book", "--connector"),
      "freight invoice validate": of("invoice", "validate", small),
      "freight history": of("history"),
      "freight track": of("track", "DEMO-A-MOVING"),
      "freight track --sandbox": of("track", "DEMO-A-MOVING", "--sandbox"),
      "freight rate-shop --sandbox": of("rate-shop", "--sandbox", ...RATE),
      "gh --version": ["gh", "--version"],
    }
    // There is something to complete.
    spawnSync(process.execPath, [freight, "connectors"], { env, stdio: "ignore" })
    const known = Object.entries(commands).filter(([name, [command, ...args]]) => {
      const works = spawnSync(command, args, { env, stdio: "ignore" }).status === 0
      if (!works) console.log(`left out: ${name}, which is not here`)
      return works
    })
    const what = { what: "start-up", floor: ["node -e 0", NODE], times: TIMES, env }
    table.push(...(await compare(what, Object.fromEntries(known))))
  })
  return table
}
