/** Months in the life of a clerk: consignments are booked, billed in any shape, disputed, credited and posted, a day each. */
import { Buffer } from "node:buffer"
import { groupBy } from "../../src/base/grouping.ts"
import { toGst, toIncGst } from "../../src/base/money.ts"
import { formatDate, wallClockNow } from "../../src/base/wall-clock.ts"
import { type AccrualRow, accrualPages } from "../../src/reports/accruals/accruals.ts"
import { prepareAudit } from "../../src/bills/audit/audit.ts"
import { billLines, summaryLines } from "../../src/bills/audit/report.ts"
import { postOpened } from "../../src/bills/books/open.ts"
import { recordAudit } from "../../src/bills/disputes/raise.ts"
import { splitGst } from "../../src/bills/disputes/balance.ts"
import { describeRaised } from "../../src/bills/disputes/messages.ts"
import { sumEntries } from "../../src/bills/entries.ts"
import type { Taxed } from "../../src/bills/money.ts"
import { openBills, type ReadOptions } from "../../src/bills/open.ts"
import { toLane } from "../../src/reports/lane-names.ts"
import { reportSpend } from "../../src/reports/spend.ts"
import type { SpendBy } from "../../src/reports/spend-by.ts"
import { readComparison } from "../../src/bills/statement/known.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { readDisputes } from "../../src/bills/records/disputes.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { systemIds } from "../../src/machine/host.ts"
import { numbersFrom } from "../acceptance/numbers.ts"
import {
  driver,
  entry,
  NOW,
  put,
  request,
  SCOPE,
  storeIn,
  type TestClock,
  testClock,
} from "../ledger/setup.ts"
import { csv, money } from "./desk.ts"
import { readPagesHere } from "./pages-here.ts"

const DAY_MS = 86_400_000
const AUTHOR = { workstation: "desk-1", person: "ann" }
const OTHER = "freight:other"
const SERVICES = [
  { connectorId: "connector-c", carrier: "CARRIER_C_AU", serviceCode: "STD" },
  { connectorId: "connector-c", carrier: "CARRIER_C_AU", serviceCode: "EXP" },
  { connectorId: "connector-b", carrier: "CARRIER_B_AU", serviceCode: "GEN" },
] as const

/** In cents: `quoted` is without GST, `priced` as the carrier quotes it. */
interface Booked {
  number: string
  quoted: number
  priced: number
  gstBasis: "excluded" | "included"
  at: number
  scope: string
  service: (typeof SERVICES)[number]
  centre: "Sydney" | "Perth"
  from: "NSW" | "VIC"
  to: "WA" | "QLD"
}

/** The group of a booking by each cut, as a report on spending names it. */
const CUTS: Readonly<Partial<Record<SpendBy, (booked: Booked) => string>>> = {
  carrier: ({ service }) => service.carrier,
  service: ({ service }) => `${service.carrier} ${service.serviceCode}`,
  month: ({ at }) => formatDate(wallClockNow(at)).slice(0, 7),
  "cost-centre": ({ centre }) => centre,
  account: ({ scope }) => scope,
  lane: ({ from, to }) => toLane(from, to),
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

/** `wrong` lists figures that differ between two reports, and messages that make no sense. */
export interface Lived {
  bills: number
  wrong: string[]
  messages: Set<string>
  did: Record<"disputed" | "credited" | "posted" | "within" | "halfCent" | "free" | "partlyFree", number>
}

const add = (cents: readonly number[]) => cents.reduce((sum, each) => sum + each, 0)
const toCents = (amount: number) => Math.round(amount * 100)
/** Each name once, in order. */
const joined = (names: readonly string[]) => [...new Set(names)].sort().join(", ")

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
  const { notes, warnings } = describeRaised(kept, true)
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
    ...{ database: this.#database, scopes: [SCOPE, OTHER] },
    now: () => this.#clock.now(),
  }
  readonly #booked = new Map<string, Booked>()
  /** Cents without GST and GST that bills charge for each consignment. */
  readonly #billed = new Map<string, Charge>()
  /** Disputed amounts, full or in part, that a later bill may credit. */
  readonly #disputed: Charge[] = []
  /** Cents without GST and GST that were raised for each consignment. */
  readonly #raised = new Map<string, Charge>()
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
      const made = this.#draw(day)
      await this.#bill(made)
      // A report over all days takes longest.
      if (day === days - 1 || this.#random() < 0.2) await this.#compareReports(made.number)
      this.#clock.advance(DAY_MS - (this.#clock.now() % DAY_MS) - 1)
      this.#printed.set(
        this.#clock.now() + 1,
        await readAccruals(this.#database, undefined, this.#desk.scopes),
      )
      this.#clock.advance(1)
    }
    for (const [end, printed] of this.#printed) {
      const known = await readAccruals(this.#database, end, this.#desk.scopes)
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
      const gstBasis = this.#random() < 0.25 ? "included" : "excluded"
      const booked: Booked = {
        ...{ number, quoted, gstBasis, at: this.#clock.now() },
        priced: gstBasis === "included" ? toIncGst(quoted) : quoted,
        scope: this.#random() < 0.3 ? OTHER : SCOPE,
        service: SERVICES[this.#below(SERVICES.length)] ?? SERVICES[0],
        centre: this.#random() < 0.5 ? "Sydney" : "Perth",
        from: this.#random() < 0.5 ? "NSW" : "VIC",
        to: this.#random() < 0.5 ? "WA" : "QLD",
      }
      this.#booked.set(number, booked)
      await put(
        storeIn(this.#database),
        entry({
          ...{ key: `key:${number}`, content: number, state: "done", scope: booked.scope },
          sentAt: new Date(booked.at).toISOString(),
          request: { ...request, collection: { ...request.sender, state: booked.from } },
          facts: {
            ...booked.service,
            ...{ shipmentId: `shp-${number}`, consignmentNumber: number, reference: `SO-${number}` },
            ...{ priceCents: booked.priced, gstBasis, currency: "AUD", receiverState: booked.to },
            own: { costCentre: booked.centre },
          },
        }),
      )
    }
  }

  /** A bill of some of what is booked and not billed, of what nobody booked, and of credits of what was disputed. */
  #draw(day: number): Made {
    const number = `INV-${day + 1}`
    const charge = (name: string, exGst: number): Charge => ({
      ...{ number: name, exGst },
      gst: toGst(this.#drawTaxed(exGst)),
    })
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
    charges.push(...credits.map((each) => ({ ...each, exGst: 0 - each.exGst, gst: 0 - each.gst })))
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
    this.#lived.did.free += charges.filter(({ gst }) => gst === 0).length
    this.#lived.did.halfCent += charges.filter(({ exGst }) => Math.abs(exGst) % 10 === 5).length
    return { number, day: date, text, charges }
  }

  /** How much of an amount is not free of GST. */
  #drawTaxed(exGst: number): number {
    const luck = this.#random()
    if (luck < 0.7) return exGst
    if (luck < 0.85) return 0
    this.#lived.did.partlyFree++
    return Math.trunc(exGst / 3)
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
      const own = charges.find((one) => one.number === each.consignment && one.exGst > 0)
      const split = splitGst(each, each.amountCents)
      if (!own || !split) {
        this.#lived.wrong.push(`${number}, ${each.consignment} is disputed without its GST`)
        continue
      }
      // To the cent, but where a row has several charges, which share its GST.
      const share = (own.gst * split.exGst) / own.exGst
      if (Math.abs(split.gst - share) > 1)
        this.#lived.wrong.push(`${number}, GST disputed of ${own.number}: ${split.gst}, and not ${share}`)
      this.#disputed.push({ number: own.number, ...split })
      const before = this.#raised.get(own.number) ?? { exGst: 0, gst: 0 }
      this.#raised.set(own.number, {
        ...{ number: own.number, exGst: before.exGst + split.exGst, gst: before.gst + split.gst },
      })
    }
    for (const each of charges) {
      const before = this.#billed.get(each.number) ?? { number: each.number, exGst: 0, gst: 0 }
      const all = { ...before, exGst: before.exGst + each.exGst, gst: before.gst + each.gst }
      this.#billed.set(each.number, all)
    }
    this.#clock.advance(60_000)
    const isPaid = kept.payments.length > 0 || charges.some((each) => each.exGst < 0)
    const apart = isPaid ? undefined : raised.flatMap((each) => splitGst(each, each.amountCents) ?? [])
    await this.#post({ number, day, text, charges }, exGst, gst, apart && sumEntries(apart))
    await this.#compareStatement(number, day, exGst + gst, apart && sumEntries(apart))
    this.#lived.bills++
  }

  async #sumRaised(number: string): Promise<number> {
    const { disputes } = await readDisputes(this.#database)
    return add(disputes.filter((each) => each.billNumber === number).map((each) => each.amountCents))
  }

  /** @param apart what is disputed; undefined where something of it is paid */
  async #post({ number, text }: Made, exGst: number, gst: number, apart: Taxed | undefined): Promise<void> {
    const posted = await postText(this.#desk, text, (warning) => void this.#lived.messages.add(warning))
    for (const { posting } of posted) {
      this.#expect(`${number}, posted without GST`, posting.exGst, exGst)
      this.#expect(`${number}, GST posted`, posting.gst, gst)
      if (apart !== undefined)
        this.#expect(`${number}, on the clearing account`, posting.clearing, apart.exGst + apart.gst)
    }
    this.#lived.did.posted += posted.length
  }

  async #compareStatement(
    number: string,
    date: string,
    cents: number,
    apart: Taxed | undefined,
  ): Promise<void> {
    const { rows } = await readComparison(this.#database, [
      {
        ...{ type: "invoice", number, date, supplier: "Carrier C", cents, basis: "incGst" },
        ...{ paidCents: undefined, row: 1 },
      },
    ])
    const state = rows[0]?.state ?? ""
    if (!["posted", "in-dispute"].includes(state))
      this.#lived.wrong.push(`${number} on a statement is ${state}`)
    if (apart === undefined) return
    const isWithGst = rows[0]?.asked?.basis === "included"
    const disputed = isWithGst ? apart.exGst + apart.gst : apart.exGst
    this.#expect(`${number}, disputed on a statement`, rows[0]?.disputedCents, disputed)
  }

  /** Compares the quoted, billed, disputed and accrued amounts of each group of each cut, for bookings only. */
  async #compareReports(number: string): Promise<void> {
    const scopes = this.#desk.scopes
    const accrued = await readAccruals(this.#database, undefined, scopes)
    const { disputes } = await readDisputes(this.#database)
    const all = [...this.#booked.values()]
    const span = { scopes, since: 0, until: this.#clock.now() + DAY_MS }
    for (const [by, nameOf] of Object.entries(CUTS) as [SpendBy, (booked: Booked) => string][]) {
      const { rows } = await reportSpend(storeIn(this.#database), span, by)
      this.#expect(`groups by ${by}`, joined(rows.map(({ group }) => group ?? "")), joined(all.map(nameOf)))
      for (const [group, own] of groupBy(all, nameOf)) {
        const names = new Set(own.map((each) => each.number))
        const sum = (key: "billedAmount" | "billedGst" | "unbilledAmount" | "amount") =>
          add(rows.filter((row) => (row.group ?? "") === group).map((row) => toCents(row[key])))
        const charged = own.flatMap((each) => this.#billed.get(each.number) ?? [])
        const open = own.filter((each) => (this.#billed.get(each.number)?.exGst ?? 0) === 0)
        const ofAccrued = accrued.filter(({ consignmentNumber: consignment }) => names.has(consignment ?? ""))
        const disputed = disputes
          .filter(({ consignment }) => names.has(consignment))
          .map((each) => splitGst(each, each.amountCents) ?? { exGst: Number.NaN, gst: Number.NaN })
        const raised = own.flatMap((each) => this.#raised.get(each.number) ?? [])
        const unbilled = add(open.map(({ priced }) => priced))
        const what = `${number}, ${by} ${group}`
        this.#expect(`${what}: quoted`, sum("amount"), add(own.map(({ priced }) => priced)))
        this.#expect(`${what}: billed`, sum("billedAmount"), add(charged.map(({ exGst }) => exGst)))
        this.#expect(`${what}: GST billed`, sum("billedGst"), add(charged.map(({ gst }) => gst)))
        this.#expect(`${what}: not billed`, sum("unbilledAmount"), unbilled)
        this.#expect(`${what}: accrued`, add(ofAccrued.map(({ amount }) => toCents(amount ?? 0))), unbilled)
        for (const key of ["exGst", "gst"] as const)
          this.#expect(
            `${what}: ${key} disputed`,
            add(disputed.map((each) => each[key])),
            add(raised.map((each) => each[key])),
          )
      }
    }
  }
}

/** @param days of each month: a bill a day */
export async function liveMonths({ months, days, seed }: { months: number; days: number; seed: number }) {
  const lived: Lived = {
    ...{ bills: 0, wrong: [], messages: new Set() },
    did: { disputed: 0, credited: 0, posted: 0, within: 0, halfCent: 0, free: 0, partlyFree: 0 },
  }
  for (let month = 0; month < months; month++) await new Month(seed * 7919 + month, lived).live(days)
  return lived
}
