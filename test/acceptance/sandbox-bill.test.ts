/** Bills of the sandbox's carriers: by its clock, to the cent of the quote, with mistakes on request. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type BillKey, MISTAKES } from "../../src/bills/verdicts.ts"
import type {
  ConsignmentBookingRequest,
  Invoice,
  SingleConnectorRateResponse,
} from "../../src/contract/generated/types.ts"
import { centsOf } from "../../src/base/money.ts"
import { booked } from "./bookings.ts"
import { desk, type Ran } from "./freight.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

type Desk = Awaited<ReturnType<typeof desk>>
type Row = Readonly<Record<string, string>>
type Connector = Parameters<typeof booked>[1]
type Changes = Partial<ConsignmentBookingRequest>

const CONNECTORS: readonly Connector[] = ["connector-a", "connector-b", "connector-c"]

/** A sandbox of its own for each test, with a desk beside it. */
async function withSandbox(use: (sandbox: RunningSandbox, at: Desk) => Promise<void>): Promise<void> {
  const sandbox = await startSandboxHere()
  try {
    await use(sandbox, await desk(sandbox))
  } finally {
    await sandbox.stop()
  }
}

const beside = (sandbox: RunningSandbox) => ({ env: { FREIGHT_STATE_DIR: sandbox.state } })
const bill = (sandbox: RunningSandbox, at: Desk, ...words: string[]): Promise<Ran> =>
  at.freight(["sandbox", "bill", ...words], beside(sandbox))
const rowsOf = (text: string): Row[] => parse(text, { columns: true })
const rowsIn = async (at: Desk, file: string) => rowsOf(await readFile(path.join(at.folder, file), "utf8"))
const keyIn = async (at: Desk, file: string): Promise<BillKey> =>
  JSON.parse(await readFile(path.join(at.folder, `${file}.key`), "utf8"))

/** Cents by consignment, of one column. */
function sums(rows: readonly Row[], column: string): Map<string, number> {
  const totals = new Map<string, number>()
  for (const row of rows) {
    const number = row.Consignment ?? ""
    totals.set(number, (totals.get(number) ?? 0) + centsOf(row[column] ?? ""))
  }
  return totals
}

/** Rates the example's lane with both ends at home, and books that rate. */
async function bookedAtRate(sandbox: RunningSandbox, connector: Connector, changes: Changes = {}) {
  const { serviceCode = { "connector-a": "76", "connector-b": "GEN", "connector-c": "STD" }[connector] } =
    changes
  const reply = await fetch(`${sandbox.freightBaseUrl}/${connector}/rates`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.freightApiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      from: { suburb: "Alexandria", state: "NSW", postcode: "2015", residential: true },
      to: { suburb: "Fremantle", state: "WA", postcode: "6160", residential: true },
      packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
      dangerousGoods: false,
      serviceCode,
    }),
  })
  const { quoteId = "", rates } = (await reply.json()) as SingleConnectorRateResponse
  const [rate] = rates
  if (!rate?.rateId) throw new Error("no rate")
  await booked(sandbox, connector, { ...changes, serviceCode, quoteId, rateId: rate.rateId })
  return rate
}

describe("what is billed", () => {
  it("is a quarter more than was quoted on a lane where the sandbox is told so", () =>
    withSandbox(async (sandbox, at) => {
      const quoted = await bookedAtRate(sandbox, "connector-b")
      await sandbox.control("faults", { fault: "overbilled:connector-b@20-61" })
      await bookedAtRate(sandbox, "connector-b", { customerReference: "PO-2" })
      await sandbox.control("clock", { advanceMs: 30 * 86_400_000 })
      await bill(sandbox, at, "-o", "bill.csv")
      const [plain = 0, more = 0] = [...sums(await rowsIn(at, "bill.csv"), "Amount ex GST").values()]
      expect(plain).toBe(centsOf(quoted.price ?? 0))
      expect(more / plain).toBeGreaterThan(1.15)
      expect(more / plain).toBeLessThanOrEqual(1.25)
    }))

  it("adds up to the quote of each carrier, charge by charge, with a tenth of GST as carrier B quotes it", () =>
    withSandbox(async (sandbox, at) => {
      const quotes = []
      for (const connector of CONNECTORS) quotes.push(await bookedAtRate(sandbox, connector))
      const ran = await bill(sandbox, at, "--delivered", "-o", "bill.csv")
      expect(ran.stderr).toContain("The sandbox's clock is set to")
      const rows = await rowsIn(at, "bill.csv")
      expect(rows.map((row) => row.Charge)).toEqual(
        CONNECTORS.flatMap(() => ["Freight", "Fuel levy", "Residential pickup", "Residential delivery"]),
      )
      const exGst = [...sums(rows, "Amount ex GST").values()]
      const gst = [...sums(rows, "GST").values()]
      expect(exGst).toEqual(quotes.map(({ price = 0 }) => centsOf(price)))
      expect(gst).toEqual(exGst.map((cents) => Math.round(cents / 10)))
      expect(gst[1]).toBe(centsOf(quotes[1]?.priceGst ?? 0))
      for (const row of rows) {
        expect(row["Amount ex GST"]).toMatch(/^\d+\.\d\d$/)
        expect(centsOf(row["Amount inc GST"] ?? "")).toBe(
          centsOf(row["Amount ex GST"] ?? "") + centsOf(row.GST ?? ""),
        )
        expect(row["Weight kg"]).toBe("11")
      }
    }))

  it("is what was reported as the quote, or the carrier's own price where nothing was", () =>
    withSandbox(async (sandbox, at) => {
      await booked(sandbox, "connector-c", { quotedPriceExGstMinor: 4321, quotedCurrency: "AUD" })
      await booked(sandbox, "connector-c")
      await bill(sandbox, at, "--delivered", "-o", "bill.csv")
      expect([...sums(await rowsIn(at, "bill.csv"), "Amount ex GST").values()]).toEqual([4321, 6252])
    }))

  it("leaves out what is cancelled, paid by others or not collected, and says how many", () =>
    withSandbox(async (sandbox, at) => {
      await booked(sandbox, "connector-a", { customerReference: "good" })
      await booked(sandbox, "connector-a", { customerReference: "sandbox:cancelled" })
      await booked(sandbox, "connector-b", { payer: { type: "Receiver", accountNumber: "R-9" } })
      await booked(sandbox, "connector-b", { payer: { type: "ThirdParty", accountNumber: "T-9" } })
      await booked(sandbox, "connector-c", { customerReference: "sandbox:not-collected" })
      const ran = await bill(sandbox, at, "--delivered", "-o", "bill.csv", "--json")
      expect(ran.json().leftOut).toEqual({ cancelled: 1, "payer-is-another": 2, "not-collected": 1 })
      expect(ran.stderr).toContain(
        "Not billed: 1 cancelled, 2 paid by the receiver or a third party, 1 not collected.",
      )
      expect(new Set((await rowsIn(at, "bill.csv")).map((row) => row.Reference))).toEqual(new Set(["good"]))
    }))

  it("asks for --delivered while nothing is collected, and writes nothing", () =>
    withSandbox(async (sandbox, at) => {
      await booked(sandbox, "connector-a")
      const ran = await bill(sandbox, at, "-o", "bill.csv")
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("nothing to bill: 1 not collected")])
      expect(ran.stderr).toContain("--delivered")
      await expect(readFile(path.join(at.folder, "bill.csv"))).rejects.toThrow("ENOENT")
      expect((await bill(sandbox, at, "--delivered", "-o", "bill.csv")).code).toBe(0)
    }))

  it("moves the clock for every command, so that tracking sees all of it delivered", () =>
    withSandbox(async (sandbox, at) => {
      const { consignmentNumber } = await booked(sandbox, "connector-a")
      await bill(sandbox, at, "--delivered", "-o", "bill.csv")
      const tracked = await at.freight(["track", String(consignmentNumber), "--json"])
      expect(tracked.items()).toMatchObject([{ tracking: { currentStatus: "Delivered" } }])
      const again = await bill(sandbox, at, "--delivered", "-o", "again.csv")
      expect(again.stderr).not.toContain("clock")
    }))

  it("takes the days of collection and one carrier alone", () =>
    withSandbox(async (sandbox, at) => {
      const on = (day: string) => ({ collectionDateTime: `${day}T10:00:00`, customerReference: day })
      const year = new Date().getUTCFullYear() + 1
      for (const day of [`${year}-03-01`, `${year}-03-02`, `${year}-03-03`])
        for (const connector of CONNECTORS) await booked(sandbox, connector, on(day))
      const days = ["--since", `${year}-03-02`, "--until", `2/3/${year}`]
      const ran = await bill(sandbox, at, "--delivered", ...days, "--carrier", "CARRIER_B_AU", "-o", "-")
      const rows = rowsOf(ran.stdout)
      expect(new Set(rows.map((row) => `${row.Carrier} ${row["Ship Date"]}`))).toEqual(
        new Set([`Carrier B ${year}-03-02`]),
      )
    }))
})

describe("bills as invoices", () => {
  let sandbox: RunningSandbox
  let at: Desk
  beforeAll(async () => {
    sandbox = await startSandboxHere()
    at = await desk(sandbox)
    for (let n = 0; n < 4; n++)
      for (const connector of CONNECTORS)
        await bookedAtRate(sandbox, connector, { customerReference: `PO-${connector}-${n}` })
    await bill(sandbox, at, "--delivered", "-o", "bill.json")
  })
  afterAll(() => sandbox.stop())

  // The tests book collections a year ahead, so only the rule for shipping dates is off.
  const STRICTLY = ["--strict", "--complete", "--rule-level", "accounting/shipping-date=off"]

  it("pass invoice validate without a finding, mistakes or none", async () => {
    await bill(sandbox, at, "--errors", "80%", "-o", "wrong.json")
    for (const file of ["bill.json", "wrong.json"]) {
      const ran = await at.freight(["invoice", "validate", ...STRICTLY, "--json", file])
      expect(ran.json()).toMatchObject({ total: 3, invalid: 0 })
      for (const { findings } of ran.items<{ findings: unknown[] }>()) expect(findings).toEqual([])
    }
  })

  it("are one document for each carrier, with the consignment in each line twice", async () => {
    const invoices: Invoice[] = JSON.parse(await readFile(path.join(at.folder, "bill.json"), "utf8"))
    expect(invoices.map(({ data }) => data.supplier.name)).toEqual(["Carrier A", "Carrier B", "Carrier C"])
    for (const { data } of invoices)
      for (const { description = "", serialNumbers = [], comments } of data.lineItems) {
        const [consignment = ""] = serialNumbers
        expect(consignment).toMatch(/^SB[ABC]\d{8}$/)
        expect(description).toMatch(new RegExp(`\\b${consignment}\\b`))
        expect(comments).toMatch(/^11 kg, shipped \d{4}-\d\d-\d\d, reference PO-connector-/)
      }
  })

  it("hold the same charges as the CSV", async () => {
    await bill(sandbox, at, "-o", "same.csv")
    const invoices: Invoice[] = JSON.parse(await readFile(path.join(at.folder, "bill.json"), "utf8"))
    const lines = invoices.flatMap(({ data: { invoiceNumber, lineItems } }) =>
      lineItems.map(({ serialNumbers, subtotal, taxAmount = 0 }) =>
        [invoiceNumber, serialNumbers?.[0], subtotal.toFixed(2), taxAmount.toFixed(2)].join(" "),
      ),
    )
    const rows = (await rowsIn(at, "same.csv")).map((row) =>
      [row["Invoice Number"], row.Consignment, row["Amount ex GST"], row.GST].join(" "),
    )
    expect(lines).toEqual(rows)
  })
})

describe("mistakes", () => {
  let sandbox: RunningSandbox
  let at: Desk
  beforeAll(async () => {
    sandbox = await startSandboxHere()
    at = await desk(sandbox)
    for (let n = 0; n < 10; n++)
      for (const connector of CONNECTORS)
        await booked(sandbox, connector, { customerReference: `good-${connector}-${n}` })
    await booked(sandbox, "connector-a", { customerReference: "sandbox:cancelled" })
    await booked(sandbox, "connector-b", { payer: { type: "Receiver", accountNumber: "R-9" } })
    await booked(sandbox, "connector-c", { customerReference: "sandbox:not-collected" })
    await bill(sandbox, at, "--delivered", "-o", "right.csv")
  })
  afterAll(() => sandbox.stop())

  const wrong = (file: string, ...words: string[]) => bill(sandbox, at, "-o", file, ...words)

  it("are of each kind, one for a consignment, and written down in a key", async () => {
    const ran = await wrong("wrong.csv", "--errors", "60%", "--json")
    const key = await keyIn(at, "wrong.csv")
    expect(ran.json()).toMatchObject({ keyFile: "wrong.csv.key", mistakes: 20 })
    expect(new Set(key.mistakes.map(({ mistake }) => mistake))).toEqual(new Set(MISTAKES))
    expect(new Set(key.mistakes.map(({ consignment }) => consignment)).size).toBe(20)

    const [right, rows] = [await rowsIn(at, "right.csv"), await rowsIn(at, "wrong.csv")]
    const [quoted, asked] = [sums(right, "Amount ex GST"), sums(rows, "Amount ex GST")]
    expect(key).toMatchObject({ seed: 1, consignments: asked.size })
    const kinds = new Map(key.mistakes.map(({ consignment, mistake }) => [consignment, mistake]))
    for (const [number, cents] of asked) {
      const price = quoted.get(number) ?? 0
      const kind = kinds.get(number)
      // Tests of audits check the other kinds (audit-proof.ts).
      if (kind === undefined) expect(cents).toBe(price)
      if (kind === "billed-twice") expect(cents).toBe(2 * price)
      if (kind === "over") expect(cents).toBeGreaterThan(price * 1.1)
      if (kind === "under") expect(cents).toBeLessThan(price / 1.1)
    }
  })

  it("are the same for the same seed, and others for another", async () => {
    await wrong("one.csv", "--errors", "20")
    await wrong("two.csv", "--errors", "20%")
    await wrong("three.csv", "--errors", "20%", "--seed", "2")
    const [one, two, three] = await Promise.all(
      ["one", "two", "three"].map((name) => readFile(path.join(at.folder, `${name}.csv`), "utf8")),
    )
    expect(two).toBe(one)
    expect(three).not.toBe(one)
    expect(await keyIn(at, "two.csv")).toEqual(await keyIn(at, "one.csv"))
  })

  it("are not made unless they are asked for", async () => {
    await expect(readFile(path.join(at.folder, "right.csv.key"))).rejects.toThrow("ENOENT")
  })

  it.each([
    [["--errors", "0"], "--errors takes a percentage above 0"],
    [["--errors", "101%"], "--errors takes a percentage above 0"],
    [["--errors", "5%", "-o", "-"], "--errors writes its key beside the bill"],
    [["--seed", "one"], "--seed takes a whole number"],
    [["--since", "soon"], "--since takes a day"],
    [["--until", "tomorrow 10am"], "--until takes a day"],
    [["-o", "bill.docx"], "a bill is CSV, a workbook, a PDF or JSON, and bill.docx does not say which"],
    [["-o", "right.csv/bill.csv"], "cannot write right.csv/bill.csv"],
  ])("%j is refused in words", async (words, message) => {
    const ran = await wrong("refused.csv", ...words)
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)])
    expect(ran.stdout).toBe("")
  })

  it("asks where the bill goes", async () => {
    const ran = await at.freight(["sandbox", "bill"], beside(sandbox))
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("say where the bill goes")])
  })

  it("does not write over a file that is another's", async () => {
    await writeFile(path.join(at.folder, "mine.csv"), "mine\n")
    const ran = await wrong("mine.csv")
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("--force")])
    expect((await wrong("mine.csv", "--force")).code).toBe(0)
  })
})
