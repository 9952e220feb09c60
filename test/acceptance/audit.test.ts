/** `freight audit`: carriers' bills beside real bookings of the sandbox. */
import { mkdir, readFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AuditRow } from "../../src/audit/audit.ts"
import type { Verdict } from "../../src/contract/bills.ts"
import type { BookingResponse, ShipmentListResponse } from "../../src/contract/generated/types.ts"
import type { HistoryRow } from "./history-row.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { csvBill, invBill, invLine, type Line, saveBill } from "./bills.ts"
import { booked } from "./bookings.ts"
import { desk, errorIn, type RunOptions } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { requestsTo } from "./own-sandbox.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

type Desk = Awaited<ReturnType<typeof desk>>

/** A consignment as it was booked: what a carrier would bill it by. */
interface Mine {
  consignment: string
  reference: string
  orderNumber: string
  shipmentId: string
  service: string
  cents: number
  weightKg: number
}

interface Report {
  totals: Record<string, unknown> & {
    byVerdict: Partial<Record<Verdict, number>>
    toDispute: number
    disputed: number
  }
  bills: Record<string, unknown>[]
  consignments: AuditRow[]
}

const SECOND = { connector: "connector-a", service: "76" }

/** One order for each way in which a bill can be wrong. */
const ORDERS = [
  order("A-1", SECOND),
  order("A-2", SECOND),
  order("B-1"),
  order("B-2"),
  order("C-1", { connector: "connector-c", service: "STD" }),
  order("CANCELLED", { ...SECOND, specialInstructions: "sandbox:cancelled" }),
  order("RECEIVER", { ...SECOND, payer: "receiver:4711" }),
  order("THIRD", { payer: "thirdparty:4712" }),
  order("PICKUP", SECOND),
  order("0012345", SECOND),
  order("CUBIC", { ...SECOND, packages: "1x100x100x100@10" }),
]

let sandbox: RunningSandbox
let home: Desk
const mine = new Map<string, Mine>()
/** Booked over the API by another program. */
let elsewhere: BookingResponse

beforeAll(async () => {
  sandbox = await startSandboxHere()
  home = await desk(sandbox)
  const file = await saveOrders(home.folder, ORDERS)
  const ran = await home.freight(["batch", "book", file])
  expect([ran.code, ran.stderr]).toEqual([0, expect.anything()])
  const history = (await home.freight(["history", "--kind", "shipment", "--json"])).json<
    HistoryRow[] & Record<string, unknown>
  >()
  const list = (await home.freight(["shipments", "list", "--json"])).json<
    ShipmentListResponse & Record<string, unknown>
  >()
  for (const row of history) {
    const listed = list.shipments.find(({ id }) => id === row.shipmentId)
    mine.set(row.reference, {
      consignment: listed?.consignmentNumber ?? "",
      reference: row.reference,
      orderNumber: row.orderNumber,
      shipmentId: row.shipmentId,
      service: row.serviceCode,
      cents: Math.round((row.price ?? 0) * 100),
      weightKg: row.weightKg ?? 0,
    })
  }
  const pickup = await home.freight([
    "pickup",
    "book",
    "--shipment",
    get("PICKUP").shipmentId,
    "--date",
    ORDERS[0]?.collectionDateTime?.slice(0, 10) ?? "",
    "--ready",
    "10:00",
    "--close",
    "17:00",
  ])
  expect([pickup.code, pickup.stderr]).toEqual([0, expect.anything()])
  elsewhere = await booked(sandbox, "connector-a", { customerReference: "ELSEWHERE-7" })
  // So that all is collected and delivered: more than the year until its collection.
  await sandbox.control("clock", { advanceMs: 700 * 86_400_000 })
}, 60_000)
afterAll(() => sandbox.stop())

function get(reference: string): Mine {
  const found = mine.get(reference)
  if (!found) throw new Error(`no ${reference}`)
  return found
}

/** A line that bills a consignment as it was booked. */
function line(reference: string, changes: Partial<Line> = {}): Line {
  const { consignment, service, cents, weightKg } = get(reference)
  return { consignment, reference, service, weightKg, cents, ...changes }
}

/** Audits without remembering, so that tests do not meddle. */
async function audit(args: readonly string[], options: RunOptions = {}) {
  const ran = await home.freight(["audit", "--json", "--no-remember", ...args], options)
  const report = ran.code === 0 || ran.code === 1 ? ran.json<Report & Record<string, unknown>>() : undefined
  return { ...ran, report, row: (at = 0) => report?.consignments[at] }
}
const auditLines = async (lines: readonly Line[], ...more: string[]) =>
  audit([await saveBill(home.folder, "bill.csv", csvBill(lines)), ...more])

describe("each verdict", () => {
  it("agrees: what is billed as it was quoted, by each carrier", async () => {
    const { code, report, stderr } = await auditLines(
      ["A-1", "A-2", "B-1", "B-2", "C-1"].map((each) => line(each)),
    )
    expect([code, report?.totals.byVerdict, stderr]).toEqual([0, { agrees: 5 }, expect.anything()])
  })

  it("adds up the charges of a consignment and keeps them apart", async () => {
    const { cents } = get("A-1")
    const { row } = await auditLines([
      line("A-1", { cents: cents - 1500 }),
      line("A-2"),
      line("A-1", { charge: "Fuel levy", cents: 700 }),
      line("A-1", { charge: "Residential delivery", cents: 800 }),
    ])
    const found = [row(0), row(1)].find((each) => each?.consignment === get("A-1").consignment)
    expect(found).toMatchObject({
      verdict: "agrees",
      charges: { freight: (cents - 1500) / 100, fuel: 7, residential: 8 },
    })
  })

  it.each<[Verdict, string, Partial<Line>]>([
    ["over", "A-1", { cents: 99_999 }],
    ["over", "B-1", { cents: 99_999 }],
    ["under", "A-1", { cents: 500 }],
    ["cancelled", "CANCELLED", {}],
    ["payer-is-another", "RECEIVER", {}],
    ["payer-is-another", "THIRD", {}],
    ["wrong-service", "A-1", { service: "701" }],
    ["wrong-service", "A-1", { service: "9:00 Express" }],
    ["wrong-weight", "A-1", { weightKg: 40 }],
    ["not-ours", "A-1", { consignment: "SBA90000001", reference: "" }],
    ["agrees", "CUBIC", { weightKg: 250 }],
    ["agrees", "A-1", { service: "a name that nobody knows" }],
  ])("%s: %s %o", async (verdict, reference, changes) => {
    const { code, row, stderr } = await auditLines([line(reference, changes)])
    expect([row()?.verdict, row()?.why, stderr]).toEqual([verdict, expect.anything(), expect.anything()])
    expect(code).toBe(verdict === "under" || verdict === "agrees" ? 0 : 1)
  })

  it("billed twice: the same charges again in one bill", async () => {
    const { code, row } = await auditLines([line("A-1"), line("A-2"), line("A-1")])
    const { consignment, cents } = get("A-1")
    expect([code, row()]).toEqual([
      1,
      expect.objectContaining({ consignment, verdict: "billed-twice", disputed: cents / 100 }),
    ])
  })

  it("billed twice: once more in another bill", async () => {
    const { row } = await auditLines([
      line("A-1"),
      line("A-1", { invoice: "INV-2", charge: "Freight again" }),
    ])
    expect(row()).toMatchObject({ verdict: "billed-twice", why: expect.stringContaining("INV-2") })
  })

  it("no price: what was booked elsewhere exists, and has no quoted price", async () => {
    const { consignmentNumber, orderNumber, shipmentId } = elsewhere
    for (const [name, foundBy] of [
      [consignmentNumber ?? "", "consignment number"],
      [orderNumber, "order number"],
    ]) {
      const names =
        foundBy === "order number"
          ? { consignment: "", reference: name ?? "" }
          : { consignment: name ?? "", reference: "" }
      const { code, row } = await auditLines([line("A-1", names)])
      const expected = { verdict: "no-price", quoted: null, difference: null, shipmentId, foundBy }
      expect([code, row()]).toEqual([0, expect.objectContaining(expected)])
    }
  })

  it("finds what was booked elsewhere by its reference, which the list does not have", async () => {
    const { row } = await auditLines([line("A-1", { consignment: "", reference: "ELSEWHERE-7" })])
    const { shipmentId } = elsewhere
    expect(row()).toMatchObject({
      verdict: "no-price",
      shipmentId,
      reference: "ELSEWHERE-7",
      foundBy: "reference",
    })
  })

  it("not collected: no event but the booking's, and no pickup", async () => {
    const own = await desk(sandbox)
    await saveOrders(own.folder, [order("LATE", SECOND)])
    await sandbox.control("clock", { advanceMs: -700 * 86_400_000 })
    try {
      await own.freight(["batch", "book", "orders.csv"])
      const [made] = (await own.freight(["history", "--json"])).json<HistoryRow[] & Record<string, unknown>>()
      const file = await saveBill(
        own.folder,
        "bill.csv",
        csvBill([
          { consignment: made?.consignmentNumber ?? "", cents: Math.round((made?.price ?? 0) * 100) },
        ]),
      )
      const report = async () =>
        (await own.freight(["audit", file, "--json", "--no-remember"])).json<
          Report & Record<string, unknown>
        >()
      expect((await report()).consignments[0]).toMatchObject({
        verdict: "not-collected",
        why: expect.stringContaining("no pickup"),
      })
      const day = order("X").collectionDateTime?.slice(0, 10) ?? ""
      await own.freight([
        "pickup",
        "book",
        "--shipment",
        made?.shipmentId ?? "",
        "--date",
        day,
        "--ready",
        "10:00",
        "--close",
        "17:00",
      ])
      expect((await report()).consignments[0]?.verdict).toBe("agrees")
    } finally {
      await sandbox.control("clock", { advanceMs: 700 * 86_400_000 })
    }
  })

  it("gives a consignment all its verdicts, the worst first", async () => {
    const { row } = await auditLines([line("A-1", { service: "701", cents: 99_999 })])
    expect(row()).toMatchObject({ verdict: "wrong-service", verdicts: ["wrong-service", "over"] })
  })
})

describe("what names a consignment", () => {
  it.each<[string, (mine: Mine) => Partial<Line>, string]>([
    ["consignment number", () => ({ reference: "" }), "consignment number"],
    [
      "consignment number in small letters",
      ({ consignment }) => ({ reference: "", consignment: consignment.toLowerCase() }),
      "consignment number",
    ],
    ["order number", ({ orderNumber }) => ({ consignment: "", reference: orderNumber }), "order number"],
    ["reference", () => ({ consignment: "" }), "reference"],
    ["shipment id", ({ shipmentId }) => ({ consignment: "", reference: shipmentId }), "shipment id"],
  ])("finds it in a CSV by its %s", async (_, changes, foundBy) => {
    const { row } = await auditLines([line("A-1", changes(get("A-1")))])
    expect(row()).toMatchObject({ consignment: get("A-1").consignment, verdict: "agrees", foundBy })
  })

  const inField = (field: string): [string, (number: string) => Record<string, unknown>] => [
    field,
    (number) => ({
      [field]:
        field === "serialNumbers"
          ? [number]
          : field === "supplierItemId"
            ? number
            : `Freight of ${number}, express`,
    }),
  ]
  it.each(
    ["supplierItemId", "serialNumbers", "batchId", "description", "comments"].map(inField),
  )("finds it in an INV document as a word of a line's %s", async (field, of) => {
    const { consignment, cents } = get("A-1")
    const bill = invBill([
      invLine(cents, of(consignment)),
      invLine(get("B-1").cents, of(get("B-1").consignment)),
    ])
    const { code, report, stderr } = await audit([await saveBill(home.folder, "bill.json", bill)])
    expect([code, stderr]).toEqual([0, expect.anything()])
    expect(report?.consignments.map((row) => [row.verdict, row.foundIn])).toEqual([
      ["agrees", [field]],
      ["agrees", [field]],
    ])
  })

  it.each([
    ["shipmentDetails.trackingNumber", (number: string) => ({ shipmentDetails: { trackingNumber: number } })],
    ["asnReference.shipmentId", (number: string) => ({ asnReference: { shipmentId: number } })],
  ])("finds it in an INV document as its %s", async (field, data) => {
    const { consignment, cents } = get("A-1")
    const bill = invBill(
      [invLine(cents - 1000, { description: "Freight" }), invLine(1000, { description: "Fuel levy" })],
      data(consignment),
    )
    const { row } = await audit([await saveBill(home.folder, "bill.json", bill)])
    expect(row()).toMatchObject({ consignment, verdict: "agrees", foundIn: [field], charges: { fuel: 10 } })
  })

  it("does not take a number for a part of another word", async () => {
    const { consignment, cents } = get("A-1")
    const bill = invBill([invLine(cents, { description: `X${consignment} and ${consignment}9` })])
    const { row } = await audit([await saveBill(home.folder, "bill.json", bill)])
    expect(row()?.verdict).toBe("not-ours")
  })

  it("restores zeros that a spreadsheet took", async () => {
    const { row } = await auditLines([line("0012345", { consignment: "", reference: "12345" })])
    const { consignment } = get("0012345")
    const foundBy = "reference, its leading zeros restored"
    expect(row()).toMatchObject({ consignment, verdict: "agrees", foundBy })
  })

  it("says of a number in a spreadsheet's short form that it is lost", async () => {
    const { code, row } = await auditLines([{ consignment: "1.23E+12", cents: 5000 }])
    expect([code, row()?.verdict, row()?.why]).toEqual([
      0,
      "cannot-tell",
      expect.stringContaining("a spreadsheet shortened its number"),
    ])
  })

  it("does not believe a reference beside another consignment's number", async () => {
    const { row } = await auditLines([line("A-1", { consignment: "SBA90000002" })])
    expect(row()).toMatchObject({
      verdict: "cannot-tell",
      why: expect.stringContaining(get("A-1").consignment),
    })
  })

  it("cannot tell of a line that names nothing", async () => {
    const { code, row } = await auditLines([
      { cents: 1500, charge: "Account keeping fee", consignment: "" },
      line("A-1"),
    ])
    expect([code, row()]).toEqual([0, expect.objectContaining({ consignment: "", verdict: "cannot-tell" })])
  })
})

it("says that the booking of what is billed has no known outcome", async () => {
  const own = await desk(sandbox)
  const file = await saveOrders(own.folder, [order("LOST-1", { specialInstructions: "sandbox:booked-502" })])
  expect((await own.freight(["batch", "book", file])).code).toBe(7)
  const [made] = (await own.freight(["history", "--json"])).json<HistoryRow[] & Record<string, unknown>>()
  const cents = Math.round((made?.price ?? 0) * 100)
  const name = await saveBill(own.folder, "bill.csv", csvBill([{ reference: "LOST-1", cents }]))
  const ran = await own.freight(["audit", name, "--json", "--offline"])
  const [row] = ran.json<Report & Record<string, unknown>>().consignments
  expect(row).toMatchObject({ verdict: "agrees", why: expect.stringContaining("freight reconcile") })
})

it.skipIf(SERVER === undefined)("remembers bills in a team's ledger for all its workstations", async () => {
  const env = { FREIGHT_LEDGER: await newDatabase() }
  const [one, other] = [await desk(sandbox), await desk(sandbox)]
  await saveOrders(one.folder, [order("TEAM-1")])
  expect((await one.freight(["batch", "book", "orders.csv"], { env })).code).toBe(0)
  const history = await other.freight(["history", "--json"], { env })
  const [made] = history.json<HistoryRow[] & Record<string, unknown>>()
  const bill = (invoice: string): Line => ({
    consignment: made?.consignmentNumber ?? "",
    cents: Math.round((made?.price ?? 0) * 100),
    invoice,
  })
  const run = async (at: Desk, invoice: string) => {
    const name = await saveBill(at.folder, "bill.csv", csvBill([bill(invoice)]))
    const ran = await at.freight(["audit", name, "--json", "--offline"], { env })
    return { ...ran, verdict: ran.json<Report & Record<string, unknown>>().consignments[0]?.verdict }
  }
  expect((await run(one, "OCT")).verdict).toBe("agrees")
  expect((await run(other, "OCT")).stderr).toContain("bill OCT was audited before")
  expect((await run(other, "NOV")).verdict).toBe("billed-twice")
})

describe("bills", () => {
  it("names the columns that it does not use, unless they are to be ignored", async () => {
    const file = await saveBill(
      home.folder,
      "extra.csv",
      `Consignment,Amount,Depot\n${get("A-1").consignment},1.00,SYD\n`,
    )
    expect((await audit([file])).stderr).toContain('1 column is not used: "Depot"')
    expect((await audit([file, "--ignore-unknown"])).stderr).not.toContain("Depot")
  })

  it("maps columns with --map, and says which fields there are", async () => {
    const { consignment, cents } = get("B-1")
    const text = `Whatsit,How much\n${consignment},${(cents / 100).toFixed(2)}\n`
    const file = await saveBill(home.folder, "odd.csv", text)
    expect((await audit([file])).code).toBe(2)
    const { code, row } = await audit([file, "--map", "Whatsit=consignment", "--map", "How much=amount"])
    expect([code, row()?.verdict]).toEqual([0, "agrees"])
    const wrong = await audit([file, "--map", "Whatsit=colour"])
    expect([wrong.code, errorIn(wrong.stderr).message]).toEqual([2, expect.stringContaining("colour")])
  })

  it("reads a column for each kind of charge, amounts as spreadsheets write them, titles and totals", async () => {
    const { consignment, cents } = get("A-1")
    const dollars = (value: number) => `"$${(value / 100).toFixed(2)}"`
    const text = [
      "Carrier A Pty Ltd,,,",
      "Connote;Freight charge;Fuel surcharge;Total ex GST".replaceAll(";", ","),
      `${consignment},${dollars(cents - 1000)},${dollars(1000)},${dollars(cents)}`,
      `Total,,,${dollars(cents)}`,
    ].join("\r\n")
    const { code, row, report } = await audit([await saveBill(home.folder, "wide.csv", text)])
    expect([code, report?.consignments.length]).toEqual([0, 1])
    expect(row()).toMatchObject({ verdict: "agrees", charges: { freight: (cents - 1000) / 100, fuel: 10 } })
  })

  it("takes credits off, in brackets and as a credit memo", async () => {
    const { consignment, cents } = get("A-1")
    const text = `Consignment,Amount ex GST\n${consignment},${(cents + 1000) / 100}\n${consignment},(10.00)\n`
    expect((await audit([await saveBill(home.folder, "credit.csv", text)])).row()?.verdict).toBe("agrees")
    const of = { serialNumbers: [consignment] }
    const documents = [
      invBill([invLine(cents + 1000, of)]),
      invBill([invLine(1000, of)], {
        invoiceNumber: "CM-1",
        purpose: "creditMemo",
        documentReference: { invoiceId: "INV-1" },
      }),
    ]
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
    const both = { agrees: 2 }
    expect(
      (await audit([await saveBill(home.folder, "list.json", documents)])).report?.totals.byVerdict,
    ).toEqual(both)
    expect((await audit(["in"])).report?.totals.byVerdict).toEqual({ agrees: 3 })
    expect((await audit(["-"], { input: lines })).report?.totals.byVerdict).toEqual(both)
    expect((await audit(["-"], { input: csvBill([line("A-1")]) })).report?.totals.byVerdict).toEqual({
      agrees: 1,
    })
    const {
      docType: _,
      correlationId: __,
      timestamp: ___,
      ...draft
    } = documents[0] as Record<string, unknown>
    const { code, report } = await audit([await saveBill(home.folder, "draft.json", draft), "--draft"])
    expect([code, report?.bills[0]?.errors]).toEqual([0, 0])
  })

  it("checks a document against the contract in the same run, and audits it all the same", async () => {
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
    const withdrawn = invBill([invLine(get("A-1").cents, of)], {
      invoiceNumber: "INV-2",
      operation: "delete",
    })
    await saveBill(home.folder, "one.json", bill)
    await saveBill(home.folder, "two.json", withdrawn)
    const { code, report, stderr } = await audit([
      "one.json",
      "two.json",
      await saveBill(home.folder, "three.json", bill),
    ])
    expect([code, report?.totals.byVerdict]).toEqual([0, { agrees: 1 }])
    expect(stderr).toContain("it withdraws an invoice")
    expect(stderr).toContain("it is the same bill as in one.json")
  })

  it.each([
    ["nothing", "", "is empty"],
    ["broken JSON", '{"data": ', "line 1"],
    ["a booking", '{"sender": {}}', "is not an invoice"],
    ["no amounts", "Consignment,Reference\nSBA00000001,PO-1\n", "an amount"],
    ["no names", "Amount,Invoice number\n5.00,INV-1\n", "a consignment number or a reference"],
    ["an amount that is none", "Consignment,Amount\nSBA00000001,about five\n", "row 2, Amount"],
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

describe("GST", () => {
  it("tries both readings of carrier A's quotes, says which fits, and knows the basis of carrier B's", async () => {
    const dollars = (cents: number) => (cents / 100).toFixed(2)
    const bill = (reference: string, cents: number) =>
      `Consignment,Amount\n${get(reference).consignment},${dollars(cents)}\n`
    const row = async (text: string) => (await audit([await saveBill(home.folder, "gst.csv", text)])).row()
    const [a, b] = [get("A-1").cents, get("B-1").cents]
    expect((await row(bill("A-1", a)))?.why).toBe(
      "as quoted, the quote read as without GST, the bill read as without GST",
    )
    expect(await row(bill("A-1", Math.round(a * 1.1)))).toMatchObject({ verdict: "agrees" })
    expect((await row(bill("B-1", b)))?.why).toBe("as quoted, the bill read as without GST")
    expect((await row(bill("B-1", Math.round(b * 1.1))))?.why).toBe("as quoted, the bill read as with GST")
    expect((await row(bill("B-1", Math.round(b * 1.05))))?.verdict).toBe("cannot-tell")
    expect((await row(bill("B-1", Math.round(b * 1.3))))?.verdict).toBe("over")
  })
})

describe("--tolerance", () => {
  it.each([
    [[], 100, "over"],
    [["--tolerance", "5%"], 100, "agrees"],
    [["--tolerance", "1.00"], 100, "agrees"],
    [["--tolerance", "0.99"], 100, "over"],
    [["--tolerance", "0.10,5%"], 100, "agrees"],
    [["--tolerance", "0.10", "--tolerance", "5%"], 100, "agrees"],
    [["--tolerance", "0"], 1, "over"],
  ])("%o makes %i cents more: %s", async (flags, more, verdict) => {
    const { row, report } = await auditLines([line("B-1", { cents: get("B-1").cents + more })], ...flags)
    expect(row()?.verdict).toBe(verdict)
    expect(report?.totals.tolerance).toBeDefined()
  })

  it("refuses what is no tolerance", async () => {
    expect((await auditLines([line("A-1")], "--tolerance", "much")).code).toBe(2)
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
  it("finds a consignment on another bill next month, and is told that the same bill comes again", async () => {
    const own = await desk(sandbox)
    await saveOrders(own.folder, [order("R-1", SECOND), order("R-2", SECOND)])
    await own.freight(["batch", "book", "orders.csv"])
    await sandbox.control("clock", { advanceMs: 700 * 86_400_000 })
    const rows = (await own.freight(["history", "--json"])).json<HistoryRow[] & Record<string, unknown>>()
    const lineOf = (reference: string, invoice: string, more = 0): Line => {
      const row = rows.find((each) => each.reference === reference)
      return {
        consignment: row?.consignmentNumber ?? "",
        cents: Math.round((row?.price ?? 0) * 100) + more,
        invoice,
      }
    }
    const run = async (lines: readonly Line[], ...more: string[]) => {
      const ran = await own.freight([
        "audit",
        await saveBill(own.folder, "bill.csv", csvBill(lines)),
        "--json",
        ...more,
      ])
      return {
        ...ran,
        verdicts: ran.json<Report & Record<string, unknown>>().consignments.map(({ verdict }) => verdict),
      }
    }
    const october = [lineOf("R-1", "OCT")]
    expect((await run(october, "--no-remember")).verdicts).toEqual(["agrees"])
    expect((await run(october)).stderr).not.toContain("before")

    const again = await run(october)
    expect([again.code, again.verdicts]).toEqual([0, ["agrees"]])
    expect(again.stderr).toContain("bill OCT was audited before")

    const changed = await run([lineOf("R-1", "OCT", 20)])
    expect(changed.verdicts).toEqual(["agrees"])
    expect(changed.stderr).toContain("warning: bill OCT was audited before with another amount")

    const november = await run([lineOf("R-1", "NOV"), lineOf("R-2", "NOV")])
    expect([november.code, november.verdicts]).toEqual([1, ["billed-twice", "agrees"]])
    expect(november.json<Report & Record<string, unknown>>().consignments[0]?.why).toContain(
      "charged before in bill OCT",
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
    const rows = (await own.freight(["history", "--json"])).json<HistoryRow[] & Record<string, unknown>>()
    const accruals = async (...more: string[]) =>
      (await own.freight(["audit", "--accruals", "--json", ...more])).json<{
        totals: Record<string, unknown>
        consignments: { reference: string; amount: number | null; from: string }[]
      }>()
    const ours = async (...more: string[]) =>
      (await accruals(...more)).consignments.filter(({ from }) => from === "ledger")
    expect((await ours()).map(({ reference }) => reference).sort()).toEqual(["X-1", "X-2"])
    expect((await ours("--offline")).map(({ reference }) => reference).sort()).toEqual(["X-1", "X-2", "X-3"])
    expect((await accruals()).consignments.some(({ from }) => from === "api")).toBe(true)
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
    expect(left.consignments.map(({ reference }) => reference).sort()).toEqual(["X-2", "X-3"])
    const second = rows.filter(({ reference }) => reference === "X-2" || reference === "X-3")
    const amounts = Object.values(left.totals.amounts as Record<string, number>)
    expect(amounts.reduce((sum, each) => sum + each, 0)).toBeCloseTo(
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
    const rows = (await run("--json")).json<Report & Record<string, unknown>>().consignments
    const lines = (await run("--format", "ndjson")).stdout
      .trim()
      .split("\n")
      .map((each) => JSON.parse(each))
    expect(lines).toEqual(rows)
    const csv = parse((await run("--format", "csv")).stdout, { columns: true }) as Record<string, string>[]
    expect(csv.map(({ consignment, verdict, disputed }) => [consignment, verdict, Number(disputed)])).toEqual(
      rows.map(({ consignment, verdict, disputed }) => [consignment, verdict, disputed]),
    )
    const html = (await run("--format", "html")).stdout
    expect(html).toContain("<table>")
    for (const ending of ["json", "ndjson", "csv", "html"]) {
      const ran = await run("-o", `report.${ending}`)
      expect([ran.code, ran.stdout]).toEqual([1, ""])
      const written = await readFile(path.join(home.folder, `report.${ending}`), "utf8")
      expect(written).toBe((await run("--format", ending)).stdout)
    }
    const picked = (await run("--json", "--fields", "consignment,verdict")).json<
      Record<string, unknown>[] & Record<string, unknown>
    >()
    expect(Object.keys(picked[0] ?? {})).toEqual(["consignment", "verdict"])
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
