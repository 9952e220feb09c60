/** `freight audit`: carriers' bills beside real bookings of the sandbox. */
import { mkdir, readFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { beforeAll, describe, expect, it } from "vitest"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { bookToBill, type Report, UNTIL_DELIVERED } from "./audits.ts"
import { csvBill, invBill, invLine, type Line, saveBill } from "./bills.ts"
import { booked } from "./bookings.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import { desk, errorIn, type RunOptions } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { requestsTo } from "./own-sandbox.ts"

const SECOND = { connector: "connector-a", service: "76" }

const ORDERS = [
  order("A-1", SECOND),
  order("A-2", SECOND),
  order("B-1"),
  order("B-2"),
  order("CANCELLED", { ...SECOND, specialInstructions: "sandbox:cancelled" }),
  order("PICKUP", SECOND),
]

const { sandbox, home, get } = await bookToBill(ORDERS)
/** Booked over the API by another program. */
let elsewhere: BookingResponse

beforeAll(async () => {
  const { shipmentId } = get("PICKUP")
  const day = ORDERS[0]?.collectionDateTime?.slice(0, 10) ?? ""
  const times = ["--date", day, "--ready", "10:00", "--close", "17:00"]
  await sandbox.control("clock", { advanceMs: -UNTIL_DELIVERED.advanceMs })
  const pickup = await home.freight(["pickup", "book", "--shipment", shipmentId, ...times])
  expect([pickup.code, pickup.stderr]).toEqual([0, expect.anything()])
  elsewhere = await booked(sandbox, "connector-a", { customerReference: "ELSEWHERE-7" })
  await sandbox.control("clock", UNTIL_DELIVERED)
})

/** A line that bills a consignment as it was booked. */
function line(reference: string, changes: Partial<Line> = {}): Line {
  const { consignment, service, cents, weightKg } = get(reference)
  return { consignment, reference, service, weightKg, cents, ...changes }
}

/** Audits without remembering, so that tests do not meddle. */
async function audit(args: readonly string[], options: RunOptions = {}) {
  const ran = await home.freight(["audit", "--json", "--no-remember", ...args], options)
  const report = ran.code === 0 || ran.code === 1 ? ran.json<Report>() : undefined
  return { ...ran, report, row: (at = 0) => report?.items[at] }
}
const auditLines = async (lines: readonly Line[], ...more: string[]) =>
  audit([await saveBill(home.folder, "bill.csv", csvBill(lines)), ...more])

describe("what was booked elsewhere", () => {
  it.each<[string, (booked: BookingResponse) => Partial<Line>]>([
    ["consignment number", ({ consignmentNumber = "" }) => ({ consignment: consignmentNumber ?? "" })],
    ["order number", ({ orderNumber = "" }) => ({ reference: orderNumber })],
    // The list does not have it.
    ["reference", () => ({ reference: "ELSEWHERE-7" })],
  ])("has no price, and is found by its %s", async (foundBy, names) => {
    const { code, row } = await auditLines([
      line("A-1", { consignment: "", reference: "", ...names(elsewhere) }),
    ])
    const { shipmentId } = elsewhere
    const expected = { verdict: "no-price", quoted: null, difference: null, shipmentId, foundBy }
    expect([code, row()]).toEqual([0, expect.objectContaining(expected)])
  })
})

type Fields = Record<string, unknown>

describe("what names a consignment of an INV document", () => {
  it.each<[field: string, line: (number: string) => Fields, data?: (number: string) => Fields]>([
    ["supplierItemId", (number) => ({ supplierItemId: number })],
    ["serialNumbers", (number) => ({ serialNumbers: [number] })],
    ...["batchId", "description", "comments"].map((field): [string, (number: string) => Fields] => [
      field,
      (number) => ({ [field]: `Freight of ${number}, express` }),
    ]),
    [
      "shipmentDetails.trackingNumber",
      () => ({}),
      (number) => ({ shipmentDetails: { trackingNumber: number } }),
    ],
    ["asnReference.shipmentId", () => ({}), (number) => ({ asnReference: { shipmentId: number } })],
  ])("is found in its %s", async (field, ofLine, ofData) => {
    const { consignment, cents } = get("A-1")
    const lines = [
      invLine(cents - 1000, { description: "Freight", ...ofLine(consignment) }),
      invLine(1000, { description: "Fuel levy", ...ofLine(consignment) }),
    ]
    const { code, row } = await audit([
      await saveBill(home.folder, "bill.json", invBill(lines, ofData?.(consignment))),
    ])
    expect([code, row()]).toEqual([
      0,
      expect.objectContaining({ consignmentNumber: consignment, verdict: "agrees", foundIn: [field] }),
    ])
  })

  it("is not a part of another word, which is not like a number of ours", async () => {
    const { consignment, cents } = get("A-1")
    const bill = invBill([invLine(cents, { description: `X${consignment} and ${consignment}9` })])
    const { row } = await audit([await saveBill(home.folder, "bill.json", bill)])
    expect(row()).toMatchObject({
      verdict: "cannot-tell",
      why: "neither the ledger nor the API knows it, and your shipments have no numbers like it",
    })
  })

  it("has its GST judged by its lines, or by its summary", async () => {
    const { consignment, cents } = get("B-1")
    const of = { serialNumbers: [consignment] }
    const [tax, gst] = [Math.round(cents * 0.1), Math.round(cents * 0.125)]
    const run = async (line: Fields, data?: Fields) =>
      audit([await saveBill(home.folder, "gst.json", invBill([line], data))])
    const byLine = await run(invLine(cents, { ...of, taxAmount: gst / 100 }))
    expect([byLine.code, byLine.row()?.verdict]).toEqual([1, "wrong-gst"])
    const { taxAmount: _, ...bare } = invLine(cents, of)
    const summary = (amount: number) => ({
      invoiceSummary: {
        ...{ subtotal: cents / 100, taxAmount: amount / 100, dueAmount: (cents + amount) / 100 },
        currency: "AUD",
      },
    })
    expect((await run(bare, summary(tax))).code).toBe(0)
    const bySummary = await run(bare, summary(gst))
    expect([bySummary.code, bySummary.report?.bills[0]?.gstCheck]).toEqual([1, "wrong"])
    expect(bySummary.report?.totals.billsWithWrongGst).toBe(1)
  })
})

it("an audit says that the booking of what is billed has no known outcome", async () => {
  const own = await desk(sandbox)
  const file = await saveOrders(own.folder, [order("LOST-1", { specialInstructions: "sandbox:booked-502" })])
  expect((await own.freight(["batch", "book", file])).code).toBe(7)
  const [made] = (await own.freight(["history", "--json"])).items<HistoryRow>()
  const cents = Math.round((made?.price ?? 0) * 100)
  const name = await saveBill(own.folder, "bill.csv", csvBill([{ reference: "LOST-1", cents }]))
  const ran = await own.freight(["audit", name, "--json", "--offline"])
  const [row] = ran.json<Report>().items
  expect(row).toMatchObject({ verdict: "agrees", why: expect.stringContaining("freight reconcile") })
})

describe("bills", () => {
  it("takes a credit memo off", async () => {
    const { consignment, cents } = get("A-1")
    const of = { serialNumbers: [consignment] }
    const memo = { invoiceNumber: "CM-1", purpose: "creditMemo", documentReference: { invoiceId: "INV-1" } }
    const documents = [invBill([invLine(cents + 1000, of)]), invBill([invLine(1000, of)], memo)]
    expect((await audit([await saveBill(home.folder, "memo.json", documents)])).row()?.verdict).toBe("agrees")
  })

  it("reads a list, lines, a folder, standard input, and drafts", async () => {
    const documents = ["A-1", "B-1"].map((each) =>
      invBill([invLine(get(each).cents, { serialNumbers: [get(each).consignment] })], {
        invoiceNumber: `INV-${each}`,
      }),
    )
    const lines = documents.map((each) => `${JSON.stringify(each)}\n`).join("")
    await mkdir(path.join(home.folder, "in"), { recursive: true })
    await saveBill(path.join(home.folder, "in"), "bill.ndjson", lines)
    await saveBill(path.join(home.folder, "in"), "bill.csv", csvBill([line("B-2", { invoice: "INV-9" })]))
    const verdicts = async (...given: Parameters<typeof audit>) =>
      (await audit(...given)).report?.totals.byVerdict.agrees
    expect(await verdicts([await saveBill(home.folder, "list.json", documents)])).toBe(2)
    expect(await verdicts(["in"])).toBe(3)
    expect(await verdicts(["-"], { input: lines })).toBe(2)
    expect(await verdicts(["-"], { input: csvBill([line("A-1")]) })).toBe(1)
    const { docType: _, correlationId: __, timestamp: ___, ...draft } = documents[0] ?? {}
    const { code, report } = await audit([await saveBill(home.folder, "draft.json", draft), "--draft"])
    expect([code, report?.bills[0]?.errors]).toEqual([0, 0])
  })

  it("checks a document against the contract in the same run, and audits it anyway", async () => {
    const { cents, consignment } = get("A-1")
    const bill = invBill([invLine(cents, { serialNumbers: [consignment], currency: "USD" })])
    const { code, row, report, stderr } = await audit([await saveBill(home.folder, "wrong.json", bill)])
    expect([code, row()?.verdict, report?.bills[0]]).toEqual([
      0,
      "agrees",
      expect.objectContaining({ errors: 1 }),
    ])
    expect(stderr).toContain("breaks the contract once")
    expect(stderr).toContain("freight invoice validate wrong.json")
  })

  it("leaves out what asks for nothing, and a bill that is given twice", async () => {
    const of = { serialNumbers: [get("A-1").consignment] }
    const bill = invBill([invLine(get("A-1").cents, of)])
    const withdrawn = { ...bill, data: { ...Object(bill.data), invoiceNumber: "INV-2", operation: "delete" } }
    for (const [name, each] of Object.entries({ one: bill, two: withdrawn, three: bill }))
      await saveBill(home.folder, `${name}.json`, each)
    const { code, report, stderr } = await audit(["one.json", "two.json", "three.json"])
    expect([code, report?.totals.byVerdict]).toMatchObject([0, { agrees: 1, over: 0 }])
    expect(stderr).toContain("it withdraws an invoice")
    expect(stderr).toContain("it is the same bill as in one.json")
  })

  it.each([
    ["nothing", "", "is empty"],
    ["broken JSON", '{"data": ', "line 1"],
    ["a booking", '{"sender": {}}', "is not an invoice"],
  ])("refuses %s with one message, and prints nothing", async (_, text, said) => {
    const { code, stdout, stderr } = await audit([await saveBill(home.folder, "bad.csv", text)])
    expect([code, stdout]).toEqual([2, ""])
    expect(JSON.stringify(errorIn(stderr))).toContain(said)
  })

  it("refuses a file that is not there, no file, and a target that is a bill", async () => {
    expect((await audit(["nowhere.csv"])).code).toBe(2)
    expect((await audit([])).code).toBe(2)
    const file = await saveBill(home.folder, "bill.csv", csvBill([line("A-1")]))
    expect((await audit([file, "-o", file])).code).toBe(2)
    expect((await audit([file, "--disputes", file])).code).toBe(2)
    expect((await audit([file, "--since", "7d"])).code).toBe(2)
  })
})

describe("what is asked", () => {
  const asked = async () => ({
    list: await requestsTo(sandbox, "GET /shipments"),
    track: await requestsTo(sandbox, "GET /track"),
  })

  it("--offline asks nothing, and says what was not looked at", async () => {
    const before = await asked()
    const file = await saveBill(
      home.folder,
      "bill.csv",
      csvBill([line("CANCELLED"), { consignment: "SBA90000003", cents: 100 }]),
    )
    const ran = await home.freight(["audit", file, "--offline", "--no-remember"])
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain("the ledger does not know it, and the API was not asked")
    expect(ran.stdout).toContain("Not checked (--offline)")
    expect(await asked()).toEqual(before)
  })

  it("asks for the tracking of what has no pickup alone", async () => {
    const before = await asked()
    await auditLines([line("PICKUP"), line("A-1")])
    expect((await asked()).track - before.track).toBe(1)
  })

  it("does not ask for what was scanned when it was tracked before", async () => {
    expect((await home.freight(["track", get("A-2").consignment])).code).toBe(0)
    const before = await asked()
    const { row } = await auditLines([line("A-2")])
    expect((await asked()).track).toBe(before.track)
    expect(row()?.verdict).toBe("agrees")
  })

  it("says how to go on where the API cannot be reached", async () => {
    const file = await saveBill(home.folder, "bill.csv", csvBill([line("A-1")]))
    const env = { FREIGHT_BASE_URL: "http://127.0.0.1:9" }
    const { code, stderr, stdout } = await home.freight(["audit", file, "--no-remember"], { env })
    expect([code, stdout]).toEqual([6, ""])
    expect(stderr).toContain("--offline uses the ledger only.")
    expect((await home.freight(["audit", file, "--no-remember", "--offline"], { env })).code).toBe(0)
  })
})

describe("what is remembered", () => {
  describe.each([
    { where: "the same desk", isThere: true, newLedger: async () => undefined },
    { where: "another desk of the team", isThere: SERVER !== undefined, newLedger: () => newDatabase() },
  ])("at $where", ({ where, isThere, newLedger }) => {
    /** Two desks of one ledger, in which two consignments are booked. */
    const openDesks = async () => {
      const ledger = await newLedger()
      const env = ledger === undefined ? {} : { FREIGHT_LEDGER: ledger }
      const one = await desk(sandbox)
      const other = where === "the same desk" ? one : await desk(sandbox)
      await saveOrders(one.folder, [order("R-1", SECOND), order("R-2", SECOND)])
      // The desk before has booked them with a ledger of its own.
      expect((await one.freight(["batch", "book", "orders.csv", "--without-looking"], { env })).code).toBe(0)
      const rows = (await other.freight(["history", "--json"], { env })).items<HistoryRow>()
      const run = async (
        at: typeof one,
        invoice: string,
        references: string[],
        more = 0,
        ...words: string[]
      ) => {
        const lines = references.map((reference) => {
          const { consignmentNumber = "", price = 0 } =
            rows.find((each) => each.reference === reference) ?? {}
          return {
            consignment: consignmentNumber ?? "",
            cents: Math.round((price ?? 0) * 100) + more,
            invoice,
          }
        })
        const file = await saveBill(at.folder, "bill.csv", csvBill(lines))
        const ran = await at.freight(["audit", file, "--json", "--offline", ...words], { env })
        const { items: consignments } = (ran.code ?? 70) > 1 ? { items: [] } : ran.json<Report>()
        return { ...ran, file, consignments, verdicts: consignments.map(({ verdict }) => verdict) }
      }
      return { one, other, env, rows, run }
    }

    it.runIf(isThere)("finds a consignment on another bill, and the same bill again", async () => {
      const { one, other, env, rows, run } = await openDesks()
      expect((await run(one, "OCT", ["R-1"], 0, "--no-remember")).verdicts).toEqual(["agrees"])
      expect((await run(one, "OCT", ["R-1"])).stderr).not.toContain("before")
      expect(await run(other, "OCT", ["R-1"])).toMatchObject({
        ...{ code: 0, verdicts: ["agrees"] },
        stderr: expect.stringContaining("bill OCT was audited before"),
      })
      expect(await run(other, "OCT", ["R-1"], 20)).toMatchObject({
        verdicts: ["agrees"],
        stderr: expect.stringContaining("warning: bill OCT was audited before with another amount"),
      })
      // The last amount of a bill counts: the excess of the first is credited, and all is well.
      const [{ price = 0, consignmentNumber = "" } = {}] = rows.filter(({ reference }) => reference === "R-1")
      const cents = Math.round((price ?? 0) * 100)
      const credit = csvBill([{ consignment: consignmentNumber ?? "", cents: -20, invoice: "DEC" }])
      const ran = await other.freight(
        ["audit", await saveBill(other.folder, "credit.csv", credit), "--json", "--offline"],
        { env },
      )
      expect(ran.json<Report>().items).toMatchObject([
        { verdict: "agrees", billedBefore: (cents + 20) / 100, difference: 0 },
      ])
      expect(await run(other, "NOV", ["R-1", "R-2"])).toMatchObject({
        ...{ code: 1, verdicts: ["billed-twice", "agrees"] },
        consignments: [{ why: expect.stringContaining("charged before in bill OCT") }, {}],
      })
    })

    it.runIf(isThere)(
      "asks whether a bill with the number of another one is that one, corrected, where it has other consignments",
      async () => {
        const { one, other, env, rows, run } = await openDesks()
        const [first = "", second = ""] = ["R-1", "R-2"].map(
          (wanted) => rows.find(({ reference }) => reference === wanted)?.consignmentNumber ?? "",
        )
        expect(await run(one, "ABN 44", ["R-1"], 1500, "--raise")).toMatchObject({
          code: 1,
          verdicts: ["over"],
        })
        const listOpen = async () =>
          (await one.freight(["disputes", "--json"], { env })).json<{
            items: { consignmentNumber: string }[]
          }>()
        const before = await listOpen()
        const post = ["--for", "xero", "--account", "429", "--clearing", "650", "--due", "30 days"]
        for (const at of [other, one]) {
          for (const more of [[], ["--no-remember"], ["--raise"]]) {
            const asked = await run(at, "ABN 44", ["R-2"], 900, ...more)
            expect([asked.code, asked.stdout]).toEqual([2, ""])
            expect(asked.stderr).toContain(`(${first}) then`)
            expect(asked.stderr).toContain(`(${second}) now`)
          }
          const { file: changed } = await run(at, "ABN 44", ["R-2"], 900)
          const told = await at.freight(["audit", changed, "--offline"], { env })
          for (const answer of ["--number", "--corrected"]) expect(told.stderr).toContain(answer)
          expect(await listOpen()).toEqual(before)
          // It is asked about after the bill was posted, too.
          const { file } = await run(one, "ABN 44", ["R-1"], 1500)
          const posted = await one.freight(["post", file, ...post], { env })
          expect([posted.code, posted.stderr]).toEqual([0, expect.anything()])
        }
        // Another number makes it another bill, here and when it is audited again.
        for (const at of [one, other]) {
          const asOther = await run(at, "ABN 44", ["R-2"], 900, "--raise", "--number", "8000123458")
          expect(asOther).toMatchObject({ code: 1, verdicts: ["over"] })
          expect(asOther.stderr).not.toContain("another amount")
        }
        const corrected = await run(other, "ABN 44", ["R-2"], 700, "--corrected")
        expect(corrected.stderr).toContain("bill ABN 44 was audited before with another amount")
        // No question if it was answered before, or if a corrected bill has all earlier consignments.
        expect((await run(one, "ABN 44", ["R-2"], 700)).stderr).toContain("it is audited again")
        expect((await run(one, "ABN 44", ["R-1", "R-2"], 1400)).stderr).toContain("with another amount")
      },
    )
  })
})

describe("--accruals", () => {
  it("lists what was booked and is on no bill, with its amount and a total, and not what another pays or is cancelled", async () => {
    const own = await desk(sandbox)
    const changes = { ...SECOND, specialInstructions: "sandbox:cancelled" }
    await saveOrders(own.folder, [
      order("X-1", SECOND),
      order("X-2"),
      order("X-3", changes),
      order("X-4", { ...SECOND, payer: "receiver:1" }),
    ])
    await own.freight(["batch", "book", "orders.csv"])
    const rows = (await own.freight(["history", "--json"])).items<HistoryRow>()
    const accruals = async (...more: string[]) =>
      (await own.freight(["audit", "--accruals", "--json", ...more])).json<{
        totals: Record<string, unknown>
        items: { reference: string; amount: number | null; from: string }[]
      }>()
    const ours = async (...more: string[]) =>
      (await accruals(...more)).items.filter(({ from }) => from === "ledger")
    expect((await ours()).map(({ reference }) => reference).sort()).toEqual(["X-1", "X-2"])
    expect((await ours("--offline")).map(({ reference }) => reference).sort()).toEqual(["X-1", "X-2", "X-3"])
    expect((await accruals()).items.some(({ from }) => from === "api")).toBe(true)
    const first = rows.find(({ reference }) => reference === "X-1")
    await own.freight([
      "audit",
      await saveBill(
        own.folder,
        "b.csv",
        csvBill([{ consignment: first?.consignmentNumber ?? "", cents: 5000 }]),
      ),
    ])
    const left = await accruals("--offline", "--since", "1d")
    expect(left.items.map(({ reference }) => reference).sort()).toEqual(["X-2", "X-3"])
    const second = rows.filter(({ reference }) => reference === "X-2" || reference === "X-3")
    const amounts = Object.values(left.totals.amounts as Record<string, number | null>)
    expect(amounts.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBeCloseTo(
      second.reduce((sum, each) => sum + (each.price ?? 0), 0),
      2,
    )
    const table = await own.freight(["audit", "--accruals", "--offline"])
    expect(table.stdout).toContain("2 consignments not yet billed: ")
    expect((await own.freight(["audit", "--accruals", "b.csv"])).code).toBe(2)
    for (const more of [["--json"], ["--offline"], ["--offline", "--since", "1d", "--format", "csv"]])
      expect(await own.freight(["report", "accruals", ...more])).toMatchObject({
        code: 0,
        stdout: (await own.freight(["audit", "--accruals", ...more])).stdout,
      })
    for (const format of ["csv", "ndjson", "html"]) {
      await own.freight(["audit", "--accruals", "--offline", "-o", `accruals.${format}`])
      expect(await readFile(path.join(own.folder, `accruals.${format}`), "utf8")).toContain("X-2")
    }
  })
})

describe("report accruals", () => {
  const DAY_MS = 86_400_000

  it("as at a day gives what it was at its end, whatever was booked or audited since", async () => {
    const own = await desk(sandbox)
    await own.freight(["batch", "book", await saveOrders(own.folder, [order("D-1", SECOND), order("D-2")])])
    const [booked] = (await own.freight(["history", "--json"])).items<HistoryRow>()
    const at = Date.parse(booked?.sentAt ?? "")
    const day = new Date(at).toISOString().slice(0, 10)
    const list = async (now: number, ...more: string[]) =>
      (await own.freight(["report", "accruals", "--offline", "--json", ...more], { now })).json<{
        items: { reference: string }[]
      }>()
    const printed = await list(at)
    expect(printed.items).toHaveLength(2)
    const bill = csvBill([{ consignment: booked?.consignmentNumber ?? "", cents: 5000 }])
    await own.freight(["audit", await saveBill(own.folder, "later.csv", bill), "--offline"], {
      now: at + DAY_MS,
    })
    const before = await list(at + DAY_MS, "--as-at", new Date(at - DAY_MS).toISOString().slice(0, 10))
    expect(before.items).toEqual([])
    const table = await own.freight(["report", "accruals", "--offline", "--as-at", day], { now: at + DAY_MS })
    expect(table.stdout).toContain(`not yet billed at the end of ${day}: `)
    const wrong = await own.freight(["report", "accruals", "--as-at", day, "--since", "1d"], {
      now: at + 9 * DAY_MS,
    })
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--since must be before --as-at")])
  })

  it("are a journal and its reversal, once accounts and GST are said", async () => {
    const own = await desk(sandbox)
    await own.freight(["batch", "book", await saveOrders(own.folder, [order("J-1", SECOND), order("J-2")])])
    const write = (...more: string[]) =>
      own.freight(["report", "accruals", "--offline", "--for", "xero", ...more])
    const none = await write()
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining("no account is given for freight: give it with --account"),
    ])
    await own.freight(["config", "set", "freightAccount", "429"])
    await own.freight(["config", "set", "accrualAccount", "801"])
    const unsaid = await write()
    expect([unsaid.code, unsaid.stderr]).toEqual([
      2,
      expect.stringContaining("--unknown-gst included, or excluded"),
    ])
    const rows = (await own.freight(["history", "--json"])).items<HistoryRow>()
    const cents = rows.reduce((sum, { price }) => sum + Math.round((price ?? 0) * 100), 0)
    const { code, stdout, stderr } = await write("--unknown-gst", "excluded", "-o", "journal.csv")
    expect(code, stderr).toBe(0)
    expect(stdout).toContain("2 consignments not yet billed")
    const journal = (await readFile(path.join(own.folder, "journal.csv"), "utf8")).trimEnd().split("\r\n")
    expect(journal.map((line) => line.split(",")[5])).toEqual([
      "*Amount",
      ...[cents, -cents, -cents, cents].map((each) => (each / 100).toFixed(2)),
    ])
    expect(stderr).toContain("and its reversal on ")
  })
})

it("an audit does not call a charge under that is credited in full, and keeps it to be billed", async () => {
  const own = await desk(sandbox)
  await own.freight(["batch", "book", await saveOrders(own.folder, [order("Z-1"), order("Z-2")])])
  const rows = (await own.freight(["history", "--json"])).items<HistoryRow>()
  const of = (reference: string) => rows.find((row) => row.reference === reference)
  const price = (reference: string) => Math.round((of(reference)?.price ?? 0) * 100)
  const bill = (invoice: string, ...all: [reference: string, cents: number][]) =>
    csvBill(all.map(([reference, cents]) => ({ invoice, reference, cents })))
  const run = async (text: string) => {
    const ran = await own.freight([
      "audit",
      await saveBill(own.folder, "bill.csv", text),
      "--json",
      "--offline",
    ])
    return ran.json<Report>().items.map(({ verdict, why }) => [verdict, why])
  }
  const unbilled = async () =>
    (await own.freight(["audit", "--accruals", "--offline", "--json"]))
      .items<{ reference: string }>()
      .map(({ reference }) => reference)
      .sort()
  const credited = ["agrees", "charged and credited in full: nothing is asked for it"]
  expect(await run(bill("1", ["Z-1", price("Z-1")], ["Z-1", -price("Z-1")]))).toEqual([credited])
  expect(await unbilled()).toEqual(["Z-1", "Z-2"])
  await run(bill("2", ["Z-2", price("Z-2")]))
  expect(await unbilled()).toEqual(["Z-1"])
  expect(await run(bill("3", ["Z-2", -price("Z-2")]))).toEqual([credited])
  expect(await unbilled()).toEqual(["Z-1", "Z-2"])
  expect(await run(bill("4", ["Z-2", price("Z-2") * 2]))).toEqual([["over", expect.anything()]])
})

it("an audit does not exit with 1 for what was billed too little, also with a wrong service", async () => {
  const under = await auditLines([line("A-1", { cents: 500 }), line("B-1")])
  expect([under.code, under.row()?.verdict, under.report?.totals.disputed]).toEqual([0, "under", 0])
  const other = await auditLines([line("A-1", { service: "75", cents: 500 })])
  expect([other.code, other.row()?.verdict, other.report?.totals.disputed]).toEqual([0, "wrong-service", 0])
})

describe("the report", () => {
  const bill = () =>
    saveBill(
      home.folder,
      "month.csv",
      csvBill([line("A-1", { cents: 99_999 }), line("CANCELLED"), line("B-1"), line("A-2", { cents: 500 })]),
    )

  it("is a table that names what does not agree, the worst first, with totals and what to dispute", async () => {
    const { code, stdout } = await home.freight(["audit", await bill(), "--no-remember"])
    expect(code).toBe(1)
    const lines = stdout.split("\n")
    expect(lines[1]).toContain("cancelled")
    expect(lines[2]).toContain("over")
    expect(lines[3]).toContain("under")
    expect(stdout).not.toContain(get("B-1").consignment)
    expect(stdout).toContain("4 consignments: 1 cancelled, 1 over, 1 under, 1 agrees.")
    expect(stdout).toContain("Tolerance: 1 % or 0.50, whichever is more.")
    expect(stdout).toMatch(/To dispute: 2 consignments, AUD [\d,.]+\./)
    expect((await home.freight(["audit", await bill(), "--no-remember", "--all"])).stdout).toContain(
      get("B-1").consignment,
    )
  })

  it("is the same in each format, on standard output and in a file by its ending", async () => {
    const file = await bill()
    const run = (...more: string[]) => home.freight(["audit", file, "--no-remember", ...more])
    const rows = (await run("--json")).json<Report>().items
    const lines = (await run("--format", "ndjson")).stdout
      .trim()
      .split("\n")
      .map((each) => JSON.parse(each))
    expect(lines).toEqual(rows)
    const csv = parse((await run("--format", "csv")).stdout, { columns: true }) as Record<string, string>[]
    expect(csv.map(({ consignment, verdict, disputed }) => [consignment, verdict, Number(disputed)])).toEqual(
      rows.map(({ consignmentNumber: consignment, verdict, disputed }) => [consignment, verdict, disputed]),
    )
    const html = (await run("--format", "html")).stdout
    expect(html).toContain("<table>")
    for (const ending of ["json", "ndjson", "csv", "html"]) {
      const ran = await run("-o", `report.${ending}`)
      expect([ran.code, ran.stdout]).toEqual([1, ""])
      const written = await readFile(path.join(home.folder, `report.${ending}`), "utf8")
      expect(written).toBe((await run("--format", ending)).stdout)
    }
    const picked = (await run("--json", "--fields", "consignment,verdict")).json<{
      items: Record<string, unknown>[]
    }>()
    expect(picked).toMatchObject({ total: rows.length, nextOffset: null, totals: {} })
    expect(picked.items).toHaveLength(rows.length)
    expect(Object.keys(picked.items[0] ?? {}).sort()).toEqual(["consignment", "verdict"])
  })

  it("writes the disputes for the carrier", async () => {
    const { code, stderr } = await home.freight([
      "audit",
      await bill(),
      "--no-remember",
      "--disputes",
      "disputes.csv",
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining("2 disputes in disputes.csv")])
    const rows = parse(await readFile(path.join(home.folder, "disputes.csv"), "utf8"), {
      columns: true,
    }) as Record<string, string>[]
    expect(rows.map((row) => [row.Consignment, row.Dispute, row["Invoice Number"]])).toEqual([
      [get("CANCELLED").consignment, "cancelled", "INV-1"],
      [get("A-1").consignment, "over", "INV-1"],
    ])
    expect(rows[1]?.Disputed).toBe(((99_999 - get("A-1").cents) / 100).toFixed(2))
  })
})

describe("a bill with the number of an earlier one", () => {
  const billed = async (invoice: string, lines: readonly Line[]) =>
    saveBill(home.folder, `${invoice}.csv`, csvBill(lines.map((each) => ({ ...each, invoice }))))
  const [one, two] = [get("A-1"), get("A-2")].map(({ consignment, cents }) => ({ consignment, cents })) as [
    { consignment: string; cents: number },
    { consignment: string; cents: number },
  ]

  it("is that one where it names by our numbers what it named by the carrier's", async () => {
    const before = [
      { consignment: "7700412", cents: one.cents + 11 },
      { consignment: "7700413", cents: two.cents + 23 },
    ]
    await home.freight(["audit", await billed("JOBS", before), "--offline"])
    const after = [
      { ...one, cents: one.cents + 11 },
      { ...two, cents: two.cents + 900 },
    ]
    const { stderr } = await home.freight(["audit", await billed("JOBS", after), "--offline"])
    expect(stderr).toContain("bill JOBS was audited before with another amount")
    const other = [
      { ...one, cents: one.cents + 700 },
      { ...two, cents: two.cents + 800 },
    ]
    await home.freight(["audit", await billed("OTHER-JOBS", before), "--offline"])
    const asked = await home.freight(["audit", await billed("OTHER-JOBS", other), "--offline"])
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("with other consignments")])
  })

  it.runIf(hasTerminal).each([
    ["n", 2, "say its number with --number"],
    ["y", 1, "was audited before with another amount"],
  ])(
    "freight asks at a terminal whether a bill with other consignments is the earlier one, corrected: %s",
    async (answer, code, told) => {
      const invoice = `ASKED-${answer}`
      await home.freight(["audit", await billed(invoice, [{ ...one, cents: one.cents + 1500 }]), "--offline"])
      const file = await billed(invoice, [{ ...two, cents: two.cents + 900 }])
      const seat = await sitDown(["audit", file, "--offline"], home.env)
      await seat.see("Is it the earlier bill, corrected?")
      const screen = await seat.scrollback()
      expect(screen).toContain(`(${one.consignment}) then`)
      expect(screen).toContain(`(${two.consignment}) now`)
      seat.type(answer)
      seat.press("enter")
      expect(await seat.exit).toBe(code)
      expect(await seat.scrollback()).toContain(told)
    },
  )
})
