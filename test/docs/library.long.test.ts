/**
 * The program of docs/library.md as it stands there: killed at random awaits, beside a person who books the same orders.
 * FREIGHT_TEST_KILLS=100 runs the long form.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk, ensureBuilt, ROOT } from "../acceptance/freight.ts"
import { bookedBy, KILLS_AT_AWAIT } from "../acceptance/kills.ts"
import { numbersFrom } from "../acceptance/numbers.ts"
import { nestedOrder, orders } from "../acceptance/orders.ts"
import { ownSandbox } from "../acceptance/own-sandbox.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"

const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 20_261_128)
const KILLS = Number(process.env.FREIGHT_TEST_KILLS ?? 10)
const [COUNT, MAX_RUNS] = [100, 12]
const SHORT_LEASE = path.join(ROOT, "test/acceptance/killed-program.cjs")

const LEDGERS = [
  { name: "SQLite", isThere: true, newLedger: async () => undefined },
  { name: "PostgreSQL", isThere: SERVER !== undefined, newLedger: () => newDatabase() },
]

/** The first block of the page. */
async function programOfPage(): Promise<string> {
  const page = await readFile(path.join(ROOT, "docs/library.md"), "utf8")
  return /^```js\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ""
}

describe.each(
  LEDGERS,
)(`the program of docs/library.md, with a ledger in $name (FREIGHT_TEST_SEED=${SEED})`, ({
  isThere,
  newLedger,
}) => {
  it.runIf(isThere)(
    "books each of a hundred orders once, wherever it is killed",
    async ({ annotate }) => {
      ensureBuilt()
      const next = numbersFrom(SEED)
      const sandbox = await ownSandbox()
      const made = await desk(sandbox)
      const ledger = await newLedger()
      const env = { ...made.env, ...(ledger !== undefined && { FREIGHT_LEDGER: ledger }) }
      const inFolder = (name: string) => path.join(made.folder, name)
      await mkdir(inFolder("node_modules"))
      await symlink(ROOT, inFolder("node_modules/freight-cli"), "junction")
      await writeFile(inFolder("night.mjs"), await programOfPage())
      const list = orders(COUNT).map((row) => {
        const { reference: customerReference, service: serviceCode, ...rest } = nestedOrder(row)
        return { ...rest, customerReference, serviceCode }
      })
      await writeFile(inFolder("orders.json"), JSON.stringify(list))

      /** @param killAt the await at which it is killed; it ends by itself where it has fewer */
      const run = async (killAt = 0) => {
        const child = spawn(
          process.execPath,
          ["--require", KILLS_AT_AWAIT, "--require", SHORT_LEASE, "night.mjs"],
          {
            cwd: made.folder,
            env: { ...env, FREIGHT_TEST_KILL_AT: String(killAt) },
            stdio: ["ignore", "pipe", "pipe"],
          },
        )
        const said = { stdout: "", stderr: "" }
        for (const name of ["stdout", "stderr"] as const)
          child[name].on("data", (chunk) => {
            said[name] += chunk
          })
        const [code] = await once(child, "close")
        const rows = said.stdout.split("\n").flatMap((line) => {
          const [reference = "", state] = line.split("\t")
          return state === undefined ? [] : [{ reference, state }]
        })
        return { code, ...said, rows, isKilled: child.signalCode === "SIGKILL" }
      }
      const books = async () => bookedBy(await sandbox.control("books"))

      await sandbox.control("faults", { fault: "drop-after-commit:0.02@POST/shipments" })
      await sandbox.control("faults", { fault: "drop-before:0.02@POST/shipments" })
      let killed = 0
      let most = 20_000
      let person: ReturnType<typeof made.binary> | undefined
      for (let kill = 0; kill < KILLS; kill++) {
        const ran = await run(1 + Math.floor(most * next()))
        if (ran.isKilled) killed++
        else most = Number(/awaits: (\d+)/.exec(ran.stderr)?.[1] ?? most)
        if (kill === KILLS / 2)
          person = made.binary(
            ["batch", "book", "orders.json", "--no-rate", "--new-orders", "--skip-invalid", "--json"],
            { env: { ...env } },
          )
      }
      await person
      const dreamt: string[] = []
      let last = await run()
      let runs = 1
      for (; last.code !== 0 && runs < MAX_RUNS; runs++) {
        const there = await books()
        const open = last.rows.filter(({ state }) => state === "unknown" || state === "sending")
        dreamt.push(
          ...last.rows.flatMap(({ reference, state }) =>
            state === "booked" && !there.has(reference) ? [reference] : [],
          ),
        )
        if (open.length > 0)
          expect([last.code, last.stderr]).toEqual([7, expect.stringContaining("freight reconcile")])
        // An order that is not in the sandbox's books was certainly not made: a person would check that and release it.
        for (const { reference } of open)
          if (!there.has(reference))
            await made.freight(["reconcile", "--release", reference], { env: { ...env } })
        last = await run()
      }
      await annotate(`${killed} kills of ${KILLS}, ${runs} runs to the end`)
      expect([last.code, dreamt], last.stderr).toEqual([0, []])
      expect(killed).toBeGreaterThan(KILLS / 3)
      const counts = Array.from((await books()).values(), (ids) => ids.length)
      expect([counts.length, new Set(counts)]).toEqual([COUNT, new Set([1])])
    },
    600_000,
  )
})
