/** Every example of every help page runs as it stands, in order, at one desk that has never seen freight before. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fullInvoice, minimalInvoice, textOf } from "../invoice/samples.ts"
import { freePort } from "../ports.ts"
import { desk } from "./freight.ts"
import { bash, withFreightOnPath } from "./shell.ts"
import { commandNames } from "./tree.ts"

/** The page of a file that many begin with comes first, then the addresses and the draft that others use; the rest as in the help. */
const FIRST = ["book", "label", "address add", "invoice new"]
const PAGES = ["", ...FIRST, ...commandNames().filter((name) => !FIRST.includes(name))]

/** Examples that need an account or a person, and how they end without. */
const ENDS: readonly (readonly [line: RegExp, code: number | readonly number[], why: RegExp])[] = [
  // By the day of the week: what the others booked is collected tomorrow, or not.
  [/^freight today/, [0, 1], /needs|to look at|"items"/],
  [/^freight auth login( --profile .*)?$/, 2, /there is no terminal to ask for the keys/],
  [/^freight book --sandbox$/, 2, /./],
  [/^freight cancel .* --(confirmed|undo)/, 1, /the ledger has no booking/],
  [/^freight cancel/, 1, /Call carrier /],
  [/^freight ledger account/, 5, /knows no API key/],
  [/^freight audit carrier\.csv/, 1, /./],
  [/^freight disputes confirm/, 5, /there is no credit/],
  [/^freight pay .*-o/, 5, /nothing is to be paid: no plan was written/],
  [/^freight remittance/, 5, /nothing was paid yet/],
  [/^freight auth login --api-key-stdin/, 2, /standard input is empty/],
]
/** Examples that serve until they are interrupted. */
const SERVES = /^freight sandbox start/

const CARRIER_BILL = `Invoice number,Invoice date,Supplier,Connote,Amount ex GST,GST
B-1,2026-11-20,Carrier A,SBA90000001,50.00,5.00
`

let made: Awaited<ReturnType<typeof desk>>
let env: Record<string, string>
beforeAll(async () => {
  made = await desk()
  await mkdir(path.join(made.folder, "outbox"))
  await writeFile(path.join(made.folder, "outbox", "INV-1001.json"), textOf(fullInvoice()))
  await writeFile(path.join(made.folder, "invoices.ndjson"), `${JSON.stringify(minimalInvoice())}\n`)
  await writeFile(path.join(made.folder, "carrier.csv"), CARRIER_BILL)
  await writeFile(path.join(made.folder, "statement.csv"), "Invoice,Total\nB-1,55.00\n")
  await writeFile(path.join(made.folder, "lines.csv"), "Description,Qty,Price,GST\nLamp,2,20.00,4.00\n")
  const billed = "1 Harbour Street; Sydney NSW 2000"
  await writeFile(
    path.join(made.folder, "month.csv"),
    `Invoice no,PO,Bill to address,Description,Qty,Price,GST\nINV-3,PO-7,${billed},Lamp,2,20.00,4.00\n`,
  )
  env = await withFreightOnPath(made)
})
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
})

const running = new Set<ChildProcess>()

interface Ended {
  code: number | null
  said: string
}

/** Runs a line as a shell does; what goes to a printer goes nowhere. */
function shell(line: string): { child: ChildProcess; ended: Promise<Ended> } {
  const safe = line.replace(/\| lp\b/, "| cat >/dev/null")
  const command = SERVES.test(line) ? `exec ${safe}` : safe
  const child = spawn("bash", ["-o", "pipefail", "-c", command], { cwd: made.folder, env, stdio: "pipe" })
  running.add(child)
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk
    })
  child.stdin.end()
  const ended = once(child, "close").then(([code]) => {
    running.delete(child)
    return { code: code as number | null, said }
  })
  return { child, ended }
}

/** A command of freight alone, without a pipe or a file for its output: the shell only finds its words. */
const IS_ALONE = /^freight [^|<>;&]*$/

async function runWords(line: string): Promise<Ended> {
  const { stdout } = await bash(`freight() { printf '%s\\0' "$@"; }; ${line}`, made.folder, env)
  const { code, stdout: out, stderr } = await made.freight(stdout.split("\0").slice(0, -1), { clock: false })
  return { code, said: out + stderr }
}

async function runExample(line: string): Promise<Ended> {
  if (!SERVES.test(line)) return IS_ALONE.test(line) ? runWords(line) : shell(line).ended
  // That of the example may be taken here.
  const { child, ended } = shell(line.replace("--port 8080", `--port ${await freePort()}`))
  await Promise.race([once(child.stdout ?? child, "data"), ended])
  child.kill("SIGINT")
  return ended
}

function examplesIn(page: string): string[] {
  const [, after = ""] = page.split(/^(?:Examples|Try it now, without an account):\n/m)
  const [block = ""] = after.split("\n\n")
  return block.split("\n").map((line) => line.trim())
}

describe("the examples of", () => {
  for (const name of PAGES)
    it(`freight ${name}`.trim(), async () => {
      const page = await made.freight(name === "" ? ["--help"] : ["help", ...name.split(" ")])
      expect(page.code).toBe(0)
      const lines = examplesIn(page.stdout)
      expect(lines.length, "examples").toBeGreaterThan(0)
      for (const line of lines) {
        const [, expected = 0, why] = ENDS.find(([each]) => each.test(line)) ?? []
        const { code, said } = await runExample(line)
        expect([expected].flat(), `${line}\n${said}`).toContain(code)
        if (why) expect(said).toMatch(why)
      }
    })
})
