/**
 * Payments and advices whose process is killed at any await, by SIGKILL: all that it was to record is recorded, or nothing,
 * and run again it is right. FREIGHT_TEST_PAY_KILLS=100 kills so many of each command and ledger.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { bookToBill } from "./audits.ts"
import { csvBill } from "./bills.ts"
import { ensureBuilt, getBinary } from "./freight.ts"
import { KILLS_AT_AWAIT } from "./kills.ts"
import { order } from "./orders.ts"

const KILLS = Number(process.env.FREIGHT_TEST_PAY_KILLS ?? 6)
const LEDGERS = [
  { name: "SQLite", isThere: true, newLedger: async () => undefined },
  { name: "PostgreSQL", isThere: SERVER !== undefined, newLedger: () => newDatabase() },
]
const BILLS = ["K-1", "K-2", "K-3"]
const DUE = "2020-01-01"

const { home, get } = await bookToBill(
  BILLS.map((name) => order(name, { connector: "connector-a", service: "76" })),
)

/** The desk at a ledger of its own, which has three bills to pay, of each of which 22.00 is disputed. */
async function openDesk(address: string | undefined) {
  ensureBuilt()
  const env = { ...home.env, ...(address !== undefined && { FREIGHT_LEDGER: address }) }
  if (address !== undefined) expect((await home.freight(["ledger", "copy", "--to", address])).code).toBe(0)
  const freight = (...args: string[]) => home.freight([...args, "--json"], { env })
  for (const [at, name] of BILLS.entries()) {
    const { consignment, cents } = get(name)
    const file = path.join(home.folder, `${name}.csv`)
    const rows = [
      { consignment, cents },
      { consignment: `SBA9900000${at}`, cents: 2000 },
    ]
    await writeFile(file, csvBill(rows.map((row) => ({ ...row, invoice: name }))))
    expect((await freight("audit", file, "--raise")).code).toBe(1)
    const books = ["--for", "xero", "--account", "429", "--clearing", "650", "--due", DUE, "--force"]
    const posted = await freight("post", file, ...books, "-o", `${file}.xero.csv`)
    expect(posted.code, posted.stderr).toBe(0)
  }
  const desk = {
    freight,
    /** Starts a command and kills it at an await. @returns how many it had, where it was not killed */
    async kill(at: number, ...args: string[]) {
      const words = ["--require", KILLS_AT_AWAIT, getBinary(), ...args, "--json"]
      const child = spawn(process.execPath, words, {
        cwd: home.folder,
        env: { ...env, FREIGHT_TEST_KILL_AT: String(at) },
        stdio: ["ignore", "ignore", "pipe"],
      })
      let stderr = ""
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk
      })
      await once(child, "close")
      return Number(/^awaits: (\d+)/m.exec(stderr)?.[1])
    },
    /** Which of the bills are paid. */
    async listPaid() {
      const listed = (await freight("pay", "--list", "--due-by", DUE)).items<{
        billNumber: string
        paidBefore: number
      }>()
      return listed.filter(({ paidBefore }) => paidBefore > 0).map(({ billNumber }) => billNumber)
    },
    async takeBack() {
      expect((await freight("pay", "--undo", ...BILLS, "--why", "it was not made")).code).toBe(0)
    },
  }
  // Undo payments of another test: this ledger may be a copy of that test's ledger.
  if ((await desk.listPaid()).length > 0) await desk.takeBack()
  return desk
}

/** The awaits at which it is killed: the second half of all of them, when all is loaded, up to the last. */
function* listMoments(awaits: number): Generator<number> {
  for (let at = 1; at <= KILLS; at++) yield Math.round((awaits * (KILLS + at)) / (2 * KILLS))
}

describe.each(LEDGERS)("a desk that is killed, on $name", ({ isThere, newLedger }) => {
  it.runIf(isThere)("has recorded all payments of a run, of a plan too, or none", async () => {
    const desk = await openDesk(await newLedger())
    const plan = path.join(home.folder, "payments.json")
    const makePlan = async () => {
      const made = await desk.freight("pay", "--list", "--due-by", DUE, "-o", plan, "--force")
      expect(made.code, made.stderr).toBe(0)
    }
    for (const words of [BILLS, [plan, "--approved-by", "Ann Lee"]]) {
      await makePlan()
      const awaits = await desk.kill(Number.POSITIVE_INFINITY, "pay", ...words)
      expect(await desk.listPaid()).toEqual(BILLS)
      await desk.takeBack()
      const left = new Set<number>()
      for (const at of listMoments(awaits)) {
        await makePlan()
        await desk.kill(at, "pay", ...words)
        const paid = await desk.listPaid()
        expect([[], BILLS], `killed at ${at} of ${awaits}`).toContainEqual(paid)
        left.add(paid.length)
        const again = await desk.freight("pay", ...words)
        expect(again.code, again.stderr).toBe(0)
        const isNew = paid.length === 0
        expect(again.items()).toMatchObject(BILLS.map((billNumber) => ({ billNumber, isNew })))
        await desk.takeBack()
      }
      expect(left, "killed before and after").toEqual(new Set([0, BILLS.length]))
    }
  })

  it.runIf(isThere)("has whole advices in the folder, or none", async () => {
    const desk = await openDesk(await newLedger())
    await desk.freight("pay", ...BILLS)
    const folder = path.join(home.folder, "advices")
    const file = path.join(folder, "Carrier A.pdf")
    const words = ["remittance", "--dir", folder]
    const awaits = await desk.kill(Number.POSITIVE_INFINITY, ...words)
    expect(existsSync(file)).toBe(true)
    const paid = await desk.listPaid()
    for (const at of listMoments(awaits)) {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
      await desk.kill(at, ...words)
      if (existsSync(file)) {
        const text = (await readFile(file)).toString("latin1")
        expect([text.slice(0, 5), text.trimEnd().slice(-5)], `killed at ${at}`).toEqual(["%PDF-", "%%EOF"])
      }
      const again = await desk.freight(...words)
      // Where it was killed before it had noted that the file is its own.
      if (again.code !== 0) {
        expect(again.stderr).toContain("already exists")
        expect((await desk.freight(...words, "--force")).code).toBe(0)
      }
      expect((await readdir(folder)).filter((name) => name.endsWith(".pdf"))).toEqual(["Carrier A.pdf"])
      expect(await desk.listPaid()).toEqual(paid)
    }
  })
})
