/** Months in the life of a clerk: consignments are booked, billed in any shape, disputed, credited and posted, a day each. */
import { Buffer } from "node:buffer"
import { type AccrualRow, accrualPages } from "../../src/bills/accruals/accruals.ts"
import { prepareAudit } from "../../src/bills/audit/audit.ts"
import { billLines, summaryLines } from "../../src/bills/audit/report.ts"
import { postOpened } from "../../src/bills/books/open.ts"
import { recordAudit } from "../../src/bills/disputes/keep.ts"
import { describeKept } from "../../src/bills/disputes/told.ts"
import { type ReadOptions, openBills } from "../../src/bills/open.ts"
import { reportSpend } from "../../src/bills/report/spend.ts"
import { readComparison } from "../../src/bills/statement/known.ts"
import { toGst } from "../../src/base/money.ts"
import { formatDate, wallClockNow } from "../../src/base/wall-clock.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { readDisputes } from "../../src/ledger/records/disputes.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { systemIds } from "../../src/machine/host.ts"
import { numbersFrom } from "../acceptance/numbers.ts"
import { driver, entry, NOW, put, SCOPE, storeIn, type TestClock, testClock } from "../ledger/setup.ts"
import { csv, money } from "./desk.ts"
import { readPagesHere } from "./pages-here.ts"

const DAY_MS = 86_400_000
const AUTHOR = { workstation: "desk-1", person: "ann" }
const CARRIER = "CARRIER_C_AU"

/** In cents without GST. */
interface Booked {
  number: string
  quoted: number
}

interface Charge {
  number: string
  exGst: number
  gst: number
}

interface Made {
  number: string
  day: string
  text: string
  charges: readonly Charge[]
}

/** The ways in which a bill says its amounts. */
const SHAPES: readonly ((charge: Charge) => Record<string, string>)[] = [
  ({ exGst, gst }) => ({ "Amount ex GST": money(exGst), GST: money(gst) }),
  ({ exGst, gst }) => ({ "Amount inc GST": money(exGst + gst), GST: money(gst) }),
  ({ exGst, gst }) => ({
    "Amount ex GST": money(exGst),
    GST: money(gst),
    "Amount inc GST": money(exGst + gst),
  }),
  ({ exGst, gst }) => ({
    Freight: money(exGst - Math.trunc(exGst / 7)),
    "Fuel levy": money(Math.trunc(exGst / 7)),
    GST: money(gst),
    "Total inc GST": money(exGst + gst),
  }),
]

/** What went wrong; a figure of one report that differs from another, or a message that makes no sense. */
export interface Lived {
  bills: number
  wrong: string[]
  messages: Set<string>
  did: Record<"disputed" | "credited" | "posted" | "within" | "halfCent", number>
}

const add = (cents: readonly number[]) => cents.reduce((sum, each) => sum + each, 0)
const toCents = (amount: number) => Math.round(amount * 100)

function createReading(text: string, now: number): ReadOptions {
  const quiet = async () => undefined
  return {
    ...{ map: [], ignoreUnknown: false, nowMs: now, tell: quiet, warn: quiet, stage: "draft" },
    ...{ input: undefined, choices: {}, total: undefined, readPages: readPagesHere },
    signal: new AbortController().signal,
    async *stdin() {
      yield Buffer.from(text)
    },
  }
}

export async function readAccruals(
  database: Database,
  before?: number,
  scopes: readonly string[] = [SCOPE],
): Promise<AccrualRow[]> {
  const rows: AccrualRow[] = []
  const sources = { store: storeIn(database), scopes, api: undefined, onRead: async () => undefined }
  for await (const page of accrualPages(sources, { since: undefined, before })) rows.push(...page)
  return rows
}

export interface AtDesk {
  database: Database
  scopes: readonly string[]
  /** Milliseconds since the epoch. */
  now(): number
}

const TOLERANCE = { percent: 1, cents: 50 }

/** Audits the text of a bill, raises what is to be disputed, and says what is told of it. */
export async function auditText({ database, scopes, now }: AtDesk, text: string, between = () => {}) {
  const quiet = async () => undefined
  const deps = { store: storeIn(database), scopes, api: undefined, ids: systemIds }
  const prepared = await prepareAudit({ ...deps, note: quiet, rememberSeen: quiet }, [{ file: "-" }], {
    ...{ tolerance: TOLERANCE, reading: createReading(text, now()) },
  })
  between()
  const author = { ...AUTHOR, day: formatDate(wallClockNow(now())), scope: SCOPE }
  const { audit, kept } = await recordAudit(database, prepared, author, true)
  const { notes, warnings } = describeKept(kept, true)
  const told = [
    ...audit.rows.map(({ why }) => why),
    ...audit.bills.flatMap(billLines),
    ...summaryLines(audit, TOLERANCE),
    ...[...audit.notes, ...audit.warnings, ...notes, ...warnings],
  ]
  return { audit, kept, told }
}

/** Posts the text of a bill: freight to 429, what is disputed to 650. */
export async function postText(
  { database, scopes, now }: AtDesk,
  text: string,
  warn: (warning: string) => void,
) {
  return postOpened(
    await openBills([{ file: "-" }], createReading(text, now())),
    {
      ...{ database, scopes, sender: AUTHOR, confirm: undefined, now: () => wallClockNow(now()) },
      warn: async (warning) => warn(warning),
    },
    { due: "30 days" },
    {
      ...{ program: "xero", rules: [], otherwise: { account: "429", costCentre: "" }, clearing: "650" },
      ...{ isSummed: false, isAgain: false, book: { tracking: "Cost Centre" } },
    },
  )
}

class Month {
  readonly #random: () => number
  readonly #clock: TestClock = testClock(NOW - (NOW % DAY_MS))
  readonly #database = openSqlite(":memory:", { driver, clock: this.#clock })
  readonly #desk: AtDesk = {
    ...{ database: this.#database, scopes: [SCOPE] },
    now: () => this.#clock.now(),
  }
  readonly #booked = new Map<string, Booked>()
  /** Cents without GST and GST that bills charge for each consignment. */
  readonly #billed = new Map<string, Charge>()
  /** What is disputed in full or part of a consignment, which a later bill may give back. */
  readonly #disputed: Charge[] = []
  readonly #printed = new Map<number, AccrualRow[]>()
  readonly #lived: Lived

  constructor(seed: number, lived: Lived) {
    this.#random = numbersFrom(seed)
    this.#lived = lived
  }

  #below(most: number): number {
    return Math.floor(this.#random() * most)
  }

  async live(days: number): Promise<void> {
    await migrate(this.#database)
    for (let day = 0; day < days; day++) {
      await this.#book(day)
      await this.#bill(this.#draw(day))
      this.#clock.advance(DAY_MS - (this.#clock.now() % DAY_MS) - 1)
      this.#printed.set(this.#clock.now() + 1, await readAccruals(this.#database))
      this.#clock.advance(1)
    }
    for (const [end, printed] of this.#printed) {
      const known = await readAccruals(this.#database, end)
      this.#expect(
        `accruals as at ${new Date(end).toISOString()}`,
        JSON.stringify(known),
        JSON.stringify(printed),
      )
    }
    await this.#database.close()
  }

  #expect(what: string, is: unknown, should: unknown): void {
    if (is !== should) this.#lived.wrong.push(`${what}: ${String(is)}, and not ${String(should)}`)
  }

  async #book(day: number): Promise<void> {
    for (let n = 0; n < 4 + this.#below(6); n++) {
      this.#clock.advance(60_000)
      const number = `SBC${String(day * 100 + n + 1).padStart(8, "0")}`
      const quoted = 500 + this.#below(30_000)
      this.#booked.set(number, { number, quoted })
      await put(
        storeIn(this.#database),
        entry({
          ...{ key: `key:${number}`, content: number, state: "done" },
          sentAt: new Date(this.#clock.now()).toISOString(),
          facts: {
            ...{ connectorId: "connector-c", carrier: CARRIER, serviceCode: "STD" },
            ...{ shipmentId: `shp-${number}`, consignmentNumber: number, reference: `SO-${number}` },
            ...{ priceCents: quoted, gstBasis: "excluded", currency: "AUD" },
            own: { costCentre: this.#random() < 0.5 ? "Sydney" : "Perth" },
          },
        }),
      )
    }
  }

  /** A bill of some of what is booked and not billed, of what nobody booked, and of credits of what was disputed. */
  #draw(day: number): Made {
    const number = `INV-${day + 1}`
    const charge = (name: string, exGst: number): Charge => ({ number: name, exGst, gst: toGst(exGst) })
    const open = [...this.#booked.values()].filter((each) => !this.#billed.has(each.number))
    const isRated = this.#random() < 0.2
    const charges = open.flatMap(({ number: name, quoted }) => {
      const luck = this.#random()
      if (luck < 0.15) return []
      if (isRated) return charge(name, Math.round(quoted * 1.0095))
      if (luck < 0.65) return charge(name, quoted)
      if (luck < 0.8) return charge(name, quoted + 60 + this.#below(4_000))
      if (luck < 0.9) return charge(name, Math.max(10, quoted - 60 - this.#below(4_000)))
      return charge(name, Math.round(quoted * 1.005))
    })
    if (this.#random() < 0.4) charges.push(charge(`ZZ${day}`, 1865))
    const credits = this.#disputed.splice(0, this.#below(3))
    charges.push(...credits.map((each) => charge(each.number, -each.exGst)))
    if (charges.length === 0) charges.push(charge(`ZY${day}`, 700))
    const shape = SHAPES[this.#below(SHAPES.length)] as (typeof SHAPES)[number]
    const date = formatDate(wallClockNow(this.#clock.now()))
    const head = { "Invoice Number": number, "Invoice Date": date, Carrier: "Carrier C" }
    const rows = charges.map((each) => ({ ...head, Consignment: each.number, ...shape(each) }))
    const headings = Object.keys(rows[0] ?? {})
    const text = csv(
      headings,
      ...rows.map((row) => headings.map((heading) => (row as Record<string, string>)[heading] ?? "")),
    )
    this.#lived.did.credited += credits.length
    this.#lived.did.halfCent += charges.filter(({ exGst }) => Math.abs(exGst) % 10 === 5).length
    return { number, day: date, text, charges }
  }

  async #bill({ number, text, charges, day }: Made): Promise<void> {
    const { did, messages } = this.#lived
    const { audit, kept, told } = await auditText(this.#desk, text, () => this.#clock.advance(60_000))
    for (const message of told) messages.add(message)
    const [exGst, gst] = [add(charges.map((each) => each.exGst)), add(charges.map((each) => each.gst))]
    const sum = (key: "billedExGst" | "billedIncGst" | "billedGst") =>
      add(audit.rows.map((row) => toCents(row[key] ?? 0)))
    const isExcluded = audit.rows.every(({ billedExGst }) => billedExGst !== null)
    if (isExcluded) this.#expect(`${number}, audited without GST`, sum("billedExGst"), exGst)
    this.#expect(`${number}, audited with GST`, sum("billedIncGst"), exGst + gst)
    this.#expect(`${number}, GST audited`, sum("billedGst"), gst)
    // Disputes: what the audit says, what was raised, and what the reports have of it.
    const disputed = audit.rows.filter((row) => row.disputed > 0)
    const raised = kept.raised.filter(({ billNumber }) => billNumber === number)
    if (kept.payments.length === 0 && kept.surplus.length === 0) {
      this.#expect(
        `${number}, disputed`,
        add(raised.map((each) => each.amountCents)),
        toCents(audit.totals.disputed),
      )
      this.#expect(`${number}, to dispute`, audit.totals.toDispute, raised.length)
    }
    this.#expect(
      `${number}, in the ledger`,
      await this.#sumRaised(number),
      add(raised.map((each) => each.amountCents)),
    )
    did.disputed += disputed.length
    if (audit.totals.withinTolerance.consignments > 0) did.within++
    for (const each of raised) {
      const own = charges.find((one) => one.number === each.consignment)
      if (own && own.exGst > 0 && each.gstBasis === "excluded")
        this.#disputed.push({ number: own.number, exGst: each.amountCents, gst: toGst(each.amountCents) })
    }
    for (const each of charges) {
      const before = this.#billed.get(each.number) ?? { number: each.number, exGst: 0, gst: 0 }
      const all = { ...before, exGst: before.exGst + each.exGst, gst: before.gst + each.gst }
      this.#billed.set(each.number, all)
    }
    this.#clock.advance(60_000)
    await this.#post({ number, day, text, charges }, exGst, gst)
    await this.#compareStatement(number, day, exGst + gst)
    await this.#compareReports(number)
    this.#lived.bills++
  }

  async #sumRaised(number: string): Promise<number> {
    const { disputes } = await readDisputes(this.#database)
    return add(disputes.filter((each) => each.billNumber === number).map((each) => each.amountCents))
  }

  async #post({ number, text }: Made, exGst: number, gst: number): Promise<void> {
    const posted = await postText(this.#desk, text, (warning) => void this.#lived.messages.add(warning))
    for (const { posting } of posted) {
      this.#expect(`${number}, posted without GST`, posting.exGst, exGst)
      this.#expect(`${number}, GST posted`, posting.gst, gst)
    }
    this.#lived.did.posted += posted.length
  }

  async #compareStatement(number: string, date: string, cents: number): Promise<void> {
    const { rows } = await readComparison(this.#database, [
      {
        ...{ type: "invoice", number, date, supplier: "Carrier C", cents, basis: "incGst" },
        ...{ paidCents: undefined, row: 1 },
      },
    ])
    const state = rows[0]?.state ?? ""
    if (!["posted", "in-dispute"].includes(state))
      this.#lived.wrong.push(`${number} on a statement is ${state}`)
  }

  /** What is billed, and what is not, in the reports: of bookings alone. */
  async #compareReports(number: string): Promise<void> {
    const own = [...this.#billed.values()].filter((each) => this.#booked.has(each.number))
    const open = [...this.#booked.values()].filter(
      (each) => (this.#billed.get(each.number)?.exGst ?? 0) === 0,
    )
    const accrued = await readAccruals(this.#database)
    const unbilled = add(open.map(({ quoted }) => quoted))
    this.#expect(`${number}, accrued`, add(accrued.map(({ amount }) => toCents(amount ?? 0))), unbilled)
    for (const by of ["carrier", "service", "month", "cost-centre", "account", "lane"] as const) {
      const span = { scopes: [SCOPE], since: 0, until: this.#clock.now() + DAY_MS }
      const { rows } = await reportSpend(storeIn(this.#database), span, by)
      const sum = (key: "billedTotal" | "billedGst" | "unbilledTotal" | "total") =>
        add(rows.map((row) => toCents(row[key])))
      this.#expect(`${number}, spent by ${by}`, sum("billedTotal"), add(own.map((each) => each.exGst)))
      this.#expect(`${number}, GST spent by ${by}`, sum("billedGst"), add(own.map((each) => each.gst)))
      this.#expect(`${number}, not billed by ${by}`, sum("unbilledTotal"), unbilled)
      this.#expect(
        `${number}, quoted by ${by}`,
        sum("total"),
        add([...this.#booked.values()].map((each) => each.quoted)),
      )
    }
  }
}

/** @param days of each month: a bill a day */
export async function liveMonths({ months, days, seed }: { months: number; days: number; seed: number }) {
  const lived: Lived = {
    ...{ bills: 0, wrong: [], messages: new Set() },
    did: { disputed: 0, credited: 0, posted: 0, within: 0, halfCent: 0 },
  }
  for (let month = 0; month < months; month++) await new Month(seed * 7919 + month, lived).live(days)
  return lived
}
