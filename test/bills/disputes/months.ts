/**
 * Months of bills with mistakes, of carriers that credit them as carriers do, and of clerks at two desks who follow them
 * and post them: bills grow, postings are taken back, disputes reopened, numbers linked, and amounts moved in the books.
 */
import { Buffer } from "node:buffer"
import { parse } from "csv-parse/sync"
import { readBalances, recordMoves } from "../../../src/bills/books/account.ts"
import { joinBills } from "../../../src/bills/books/formats.ts"
import { hashLines } from "../../../src/bills/growth.ts"
import { checkAudited, postBills, prepareBill } from "../../../src/bills/books/post.ts"
import { getPostedNumber } from "../../../src/bills/records/postings.ts"
import { undoPostings } from "../../../src/bills/books/undo.ts"
import { matchInLedger } from "../../../src/bills/matching/evidence.ts"
import type { GivenLink } from "../../../src/bills/matching/links.ts"
import { openBills, type ReadOptions } from "../../../src/bills/open.ts"
import { prepareAudit } from "../../../src/bills/audit/audit.ts"
import { type DisputeDays, findDeadline, findDue } from "../../../src/bills/disputes/deadline.ts"
import { confirmCredit, reopenDisputes, takeStep } from "../../../src/bills/disputes/act.ts"
import { type RecordedAudit, recordAudit } from "../../../src/bills/disputes/raise.ts"
import type { Author } from "../../../src/bills/disputes/settle.ts"
import { reportDisputes } from "../../../src/reports/disputes.ts"
import {
  toCreditBalances,
  isOpen,
  isToBeSent,
  type DisputeBalance,
  toDisputeBalances,
} from "../../../src/bills/disputes/balance.ts"
import { addDays, formatDate } from "../../../src/base/wall-clock.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { readComparison } from "../../../src/bills/statement/known.ts"
import { readStatement } from "../../../src/bills/statement/read.ts"
import { readDisputes, readUnsettled, type StepKind } from "../../../src/bills/records/disputes.ts"
import type { Store } from "../../../src/ledger/store.ts"

/** How a carrier reacts to a dispute. */
const WAYS = [
  ...([
    "fully",
    "partly",
    "in two parts",
    "twice",
    "elsewhere",
    "late",
    "restated",
    "never",
    "linked",
  ] as const),
] as const
type Way = (typeof WAYS)[number]

/** The expected state of a dispute in cents, calculated without freight. */
interface Expected {
  consignment: string
  carrier: string
  way: Way
  month: number
  raised: number
  /** Credited by carriers, or assigned to it by a person. */
  given: number
  denied: number
  writtenOff: number
  isSent: boolean
  /** The month in which a person closed what was left, and what had been given by then. */
  closedIn?: number
  givenBefore?: number
  isReopened?: boolean
}

/** A bill as it was audited last. */
interface MadeBill {
  carrier: string
  number: string
  day: string
  lines: readonly Line[]
}

export interface Outcome {
  months: number
  disputes: number
  byWay: Partial<Record<Way, number>>
  byState: Record<string, number>
  /** Errors: there must be none. */
  unbalanced: number
  wrong: string[]
  open: number
  deadlinesUnseen: number
  /** How often each was done. */
  did: Record<
    "grown" | "reopened" | "linked" | "undone" | "moved" | "confirmed late" | "statements read",
    number
  >
  /** Balance of the clearing account at the end, in cents. */
  clearing: number
}

const CARRIERS = ["Alpha Freight", "Beta Couriers", "Gamma Road"]
const DAYS: DisputeDays = new Map(CARRIERS.map((name, at) => [name.toLowerCase(), 30 + at]))
const START = { year: 2026, month: 1, day: 1 }

/** Numbers from 0 to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Shipments with numbers like those that are billed, which are none of them: all that is billed is disputed. */
const OTHERS = ["X999990", "X9999900", "X99999000"].map((consignmentNumber, at) =>
  createShipment(`other-${at}`, consignmentNumber),
)

/** One that was booked elsewhere, and whose price nobody knows. */
function createShipment(id: string, consignmentNumber: string) {
  return {
    ...{ id, carrier: "X", consignmentNumber, createdAt: "2026-01-01T00:00:00.000Z" },
    ...{ status: "CONSIGNED", pickupStatus: "BOOKED", serviceCode: "STD" },
  }
}

const createApi = (shipments: readonly ReturnType<typeof createShipment>[]) =>
  ({
    listShipments: async () => ({ shipments, total: shipments.length }),
    getShipment: () => Promise.reject(new FreightError("notFound", "there is none")),
    track: () => Promise.reject(new FreightError("notFound", "there is none")),
    listConnectors: async () => ({ connectors: [] }),
  }) as unknown as NonNullable<Parameters<typeof prepareAudit>[0]["api"]>

/** Bills on a statement. */
const MAX_LISTED = 24

interface Line {
  consignment: string
  cents: number
}

/** @param desks two openings of one ledger */
export async function liveThrough(
  desks: readonly [Store, Store],
  { months, seed }: { months: number; seed: number },
): Promise<Outcome> {
  const random = randomOf(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const expected = new Map<string, Expected>()
  /** Credits that come in a later month, by carrier. */
  const coming: { month: number; carrier: string; line: Line; of: Expected }[] = []
  const outcome: Outcome = {
    ...{ months, disputes: 0, byWay: {}, byState: {}, unbalanced: 0, wrong: [], open: 0, deadlinesUnseen: 0 },
    did: { grown: 0, reopened: 0, linked: 0, undone: 0, moved: 0, "confirmed late": 0, "statements read": 0 },
    clearing: 0,
  }
  const told = new Set<string>()
  const bills = new Map<string, MadeBill>()
  const shipments = [...OTHERS]
  /** The accounting program: cents without GST on each account. */
  const accounts = new Map<string, number>()
  /** The last import of each bill, by its number there. */
  const imported = new Map<string, readonly (readonly [account: string, cents: number])[]>()
  /** Bills whose posting was taken back. */
  const toPost = new Set<string>()

  for (let month = 0; month < months; month++) {
    const dayOf = (day: number) => formatDate(addDays(START, month * 30 + day))
    const by = (day: number, desk = 0): Author => ({
      workstation: `desk-${desk}`,
      person: "clerk",
      day: dayOf(day),
    })
    const audit = async (
      carrier: string,
      number: string,
      lines: readonly Line[],
      day: number,
      isToRaise: boolean,
    ) => {
      const bill = { carrier, number, day: dayOf(0), lines }
      bills.set(number, bill)
      const bytes = Buffer.from(billOf(bill))
      // Both desks get the same mail.
      return Promise.all(desks.map((store, at) => auditAt(store, bytes, by(day, at), isToRaise)))
    }

    for (const carrier of CARRIERS) {
      const charges = Array.from(
        { length: 1 + Math.floor(random() * 3) },
        (_, at): Line => ({
          consignment: `${carrier.slice(0, 1)}${String(month).padStart(5, "0")}${at}`,
          cents: 100 + Math.floor(random() * 20_000),
        }),
      )
      const number = `${carrier.slice(0, 1)}-${month}`
      for (const { consignment, cents } of charges) {
        const way = pick(WAYS)
        expected.set(consignment, {
          ...{
            consignment,
            carrier,
            way,
            month,
            raised: cents,
            given: 0,
            denied: 0,
            writtenOff: 0,
            isSent: false,
          },
        })
        outcome.byWay[way] = (outcome.byWay[way] ?? 0) + 1
      }
      // Credits for earlier months are on the same bill as the new charges.
      const credits = coming.filter((each) => each.carrier === carrier && each.month === month)
      const lines = [...charges, ...credits.map(({ line }) => line)]
      // An export of the month so far comes first, and may be posted.
      const isGrowing = lines.length > 1 && random() < 0.3
      if (isGrowing) {
        const first = lines.slice(0, 1 + Math.floor(random() * (lines.length - 1)))
        await audit(carrier, number, first, 0, true)
        if (random() < 0.7) await post(number, by(0))
        outcome.did.grown += 1
      }
      const kept = await audit(carrier, number, isGrowing ? lines.toReversed() : lines, 0, true)
      // Some take a credit of another consignment only once its bill is posted.
      const isLate = random() < 0.5
      if (isLate) await post(number, by(0))
      for (const { line, of } of credits) await take(of, line, kept, by(1))
      if (isLate && credits.some(({ of }) => of.way === "elsewhere")) outcome.did["confirmed late"] += 1
      // The bill is corrected: one of its credits is another.
      const isPosted = isGrowing || isLate
      const restated = isPosted ? undefined : credits.find(({ of }) => of.way === "restated" && of.given > 0)
      if (restated) {
        const { line, of } = restated
        const corrected = { ...line, cents: -Math.max(1, Math.floor(-line.cents / 2)) }
        await audit(
          carrier,
          number,
          lines.map((each) => (each === line ? corrected : each)),
          2,
          true,
        )
        of.given += line.cents - corrected.cents
      }
      await post(number, by(2))
      if (random() < 0.15) await undo(number, by(2))
    }
    await follow(month, by)
    check()
    await compare()
    await keepBooks(by(29), month % 3 === 2)
    if (month % 3 === 2) await readStatements(by(29))
  }
  // Nobody leaves anything open.
  await follow(months + 99, (day) => ({
    ...{ workstation: "desk-0", person: "clerk", day: formatDate(addDays(START, months * 30 + day)) },
  }))
  check()
  const balances = await compare()
  await keepBooks(
    { workstation: "desk-0", person: "clerk", day: formatDate(addDays(START, months * 30)) },
    true,
  )
  outcome.clearing = accounts.get("650") ?? 0
  outcome.disputes = balances.length
  for (const balance of balances) {
    outcome.byState[balance.state] = (outcome.byState[balance.state] ?? 0) + 1
    if (isOpen(balance)) outcome.open += 1
  }
  return outcome

  async function auditAt(
    store: Store,
    bytes: Uint8Array,
    writer: Author,
    isToRaise: boolean,
    links: readonly GivenLink[] = [],
  ): Promise<RecordedAudit> {
    const prepared = await prepareAudit(
      {
        ...{ store, scopes: undefined, api: createApi(shipments), note: quiet, rememberSeen: quiet },
        ids: { uuid: () => crypto.randomUUID(), random },
      },
      [{ file: "-" }],
      {
        tolerance: { percent: 1, cents: 50 },
        reading: readingOf(bytes, writer.day),
        links,
      },
    )
    const { kept } = await recordAudit(store.database, prepared, { ...writer, scope: "" }, isToRaise)
    return kept
  }

  /** Posts a bill at both desks at once, and imports what is new: once. */
  async function post(number: string, writer: Author): Promise<void> {
    const bill = bills.get(number)
    if (!bill) throw new Error(number)
    const bytes = Buffer.from(billOf(bill))
    const posted = await Promise.all(
      desks.map(async ({ database }) => {
        const read = await openBills([{ file: "-" }], readingOf(bytes, writer.day))
        const hashes = hashLines(read.named)
        const kept = await checkAudited(database, read.bills, hashes)
        const consignments = await matchInLedger(read.named, database, undefined)
        const heading = { supplier: bill.carrier, number, date: bill.day, due: bill.day }
        return postBills(
          database,
          kept.map((each) => prepareBill(each, consignments, heading, hashes)),
          {
            ...{ program: "xero", rules: [], clearing: "650", isSummed: false, isAgain: false },
            ...{
              otherwise: { account: `429 ${bill.carrier}`, costCentre: "" },
              book: { tracking: "Cost Centre" },
            },
          },
          writer,
          (text) => void outcome.wrong.push(text),
        )
      }),
    )
    const made = posted.flat().filter(({ isNew }) => isNew)
    if (made.length > 1) outcome.wrong.push(`bill ${number} was posted twice at once`)
    for (const { posting } of made) {
      const rows = readRows(joinBills("xero", [posting]))
      imported.set(getPostedNumber(posting), rows)
      for (const [account, cents] of rows) book(account, cents)
    }
    const all = [...imported].filter(([name]) => name.split("/")[0] === number).flatMap(([, rows]) => rows)
    const [is, should] = [sum(all.map(([, cents]) => cents)), sum(bill.lines.map(({ cents }) => cents))]
    if (is !== should) outcome.wrong.push(`${is} of bill ${number} is in the books, not ${should}`)
  }

  /** Both desks record that the last posting of a bill was not imported. */
  async function undo(number: string, writer: Author): Promise<void> {
    const said = { why: "not imported", isAgain: false }
    const undone = await Promise.all(
      desks.map(({ database }) => undoPostings(database, [number], said, writer)),
    )
    const made = undone.flat().filter(({ isNew }) => isNew)
    if (made.length !== 1) outcome.wrong.push(`bill ${number} was taken back ${made.length} times`)
    for (const { posting } of made) {
      for (const [account, cents] of imported.get(getPostedNumber(posting)) ?? []) book(account, -cents)
      imported.delete(getPostedNumber(posting))
    }
    toPost.add(number)
    outcome.did.undone += 1
  }

  /** With its share of the GST that the bill charges on what was raised: a statement is compared with GST. */
  function addGst({ raised }: Expected, cents: number): number {
    return raised === 0 ? cents : cents + Math.round((Math.round(raised / 10) * cents) / raised)
  }

  /** A carrier's statement of all its bills agrees with what was audited, posted and is in dispute. */
  async function readStatements({ day }: Author): Promise<void> {
    const [{ database }] = desks
    for (const carrier of CARRIERS) {
      const own = [...bills.values()].filter((bill) => bill.carrier === carrier).slice(-MAX_LISTED)
      const cents = (bill: MadeBill) => bill.lines.map((line) => line.cents + Math.round(line.cents / 10))
      const rows = own.map((bill) => `${bill.number},${bill.day},${(sum(cents(bill)) / 100).toFixed(2)}`)
      const text = Buffer.from(`${carrier}\nInvoice,Invoice date,Amount inc GST\n${rows.join("\n")}\n`)
      const lines = await readStatement("-", readingOf(text, day, []))
      const compared = await readComparison(database, lines)
      const open = own.map((bill) =>
        sum(
          [...expected.values()]
            .filter(
              (each) => bill.number === `${carrier.slice(0, 1)}-${each.month}` && each.carrier === carrier,
            )
            .map((each) => addGst(each, Math.max(0, getLeft(each)))),
        ),
      )
      const should = open.map((left) => `${left > 0 ? "in-dispute" : "posted"} ${left}`)
      const is = compared.rows.map(({ state, disputedCents }) => `${state} ${disputedCents}`)
      if (is.join() !== should.join())
        outcome.wrong.push(`the statement of ${carrier} on ${day}: ${is.join()}, not ${should.join()}`)
      outcome.did["statements read"] += 1
    }
  }

  function book(account: string, cents: number): void {
    accounts.set(account, (accounts.get(account) ?? 0) + cents)
  }

  /**
   * The clearing account is what freight says of it. Some of what is to be moved is moved each month; now and then all,
   * and then just what is open of posted bills stands there.
   */
  async function keepBooks(writer: Author, isAll: boolean): Promise<void> {
    for (const number of toPost)
      if (isAll || random() < 0.5) {
        await post(number, writer)
        toPost.delete(number)
      }
    for (const { disputeBalance, toMove } of await readBalances(desks[0].database)) {
      if (toMove.length === 0 || (!isAll && random() < 0.5)) continue
      const { id } = disputeBalance.dispute
      const moved = await Promise.all(
        desks.map(({ database }) => recordMoves(database, [id], undefined, writer)),
      )
      if (moved.flat().length !== 1) outcome.wrong.push(`${id} was moved ${moved.flat().length} times`)
      for (const { cents, account } of toMove) {
        book("650", -cents)
        book(account, cents)
      }
      outcome.did.moved += 1
    }
    const balances = await readBalances(desks[1].database)
    const is = accounts.get("650") ?? 0
    const said = sum(balances.map(({ cents }) => cents))
    if (is !== said) outcome.wrong.push(`${is} is on the clearing account, and freight says ${said}`)
    if (!isAll) return
    const open = [...expected.values()].map(getLeft).filter((cents) => cents > 0)
    if (is !== sum(open)) outcome.wrong.push(`${is} is on the clearing account, and ${sum(open)} is open`)
    if (balances.length !== open.length)
      outcome.wrong.push(`${balances.length} stand on the clearing account, and ${open.length} are open`)
  }

  /** A credit of another consignment is taken for what it is meant, by whoever is told of it. */
  async function take(
    of: Expected,
    line: Line,
    kept: readonly RecordedAudit[],
    writer: Author,
  ): Promise<void> {
    of.given -= line.cents
    if (line.consignment === of.consignment) return
    const guess = kept
      .flatMap(({ guesses }) => guesses)
      .find(
        ({ credit, dispute }) =>
          credit.consignment === line.consignment && dispute.consignment === of.consignment,
      )
    if (!guess) {
      // It was closed by then: nobody takes it.
      of.given += line.cents
      return
    }
    await confirmCredit(desks[0].database, guess.credit.id, guess.dispute.id, writer)
  }

  /** A month of a clerk: what is due is sent, what was refused is written down, and what is old is let go. */
  async function follow(month: number, by: (day: number, desk?: number) => Author): Promise<void> {
    for (const day of [3, 10, 17, 24, 29]) {
      const book = await readUnsettled(desks[1].database)
      for (const balance of toDisputeBalances(book)) {
        const isPast = (findDeadline(balance.dispute, DAYS) ?? "") < by(day).day
        // One whose credit was taken back was closed until then.
        const isReopened = balance.steps.some(({ amountCents }) => amountCents < 0)
        if (isPast && isToBeSent(balance) && !isReopened && !told.has(balance.dispute.id))
          outcome.deadlinesUnseen += 1
      }
      const due = findDue(book, DAYS, by(day).day)
      for (const { bill } of due)
        for (const { dispute } of toDisputeBalances(book))
          if (dispute.billNumber === bill) told.add(dispute.id)
      for (const { bill } of due) {
        await Promise.all(desks.map((store, at) => step(store, [bill], "sent", by(day, at))))
        for (const each of expected.values())
          if (bill === `${each.carrier.slice(0, 1)}-${each.month}`) each.isSent = true
      }
    }
    for (const each of expected.values()) await actOn(each, month, by)
  }

  async function actOn(
    of: Expected,
    month: number,
    by: (day: number, desk?: number) => Author,
  ): Promise<void> {
    const age = month - of.month
    const left = getLeft(of)
    const number = `${of.carrier.slice(0, 1)}-${of.month}`
    if (of.way === "linked" && age === 1 && left > 0) {
      const shipment = createShipment(`linked-${of.consignment}`, `X${9_000_000 + shipments.length}`)
      shipments.push(shipment)
      const links = [{ number: of.consignment, shipment: shipment.id, isAlways: false }]
      const bytes = Buffer.from(billOf(bills.get(number) as MadeBill))
      const kept = await Promise.all(desks.map((store, at) => auditAt(store, bytes, by(25, at), true, links)))
      // It stays linked without being told again.
      kept.push(await auditAt(desks[0], bytes, by(25), true))
      for (const { linked } of kept)
        if (!linked.some(({ dispute }) => dispute.consignment === of.consignment))
          outcome.wrong.push(`${of.consignment} was linked, and that is not told`)
      await Promise.all(desks.map((store, at) => step(store, [of.consignment], "written-off", by(25, at))))
      of.writtenOff += left
      outcome.did.linked += 1
      return
    }
    const isJustClosed =
      of.closedIn === month - 1 && of.given === of.givenBefore && of.denied + of.writtenOff > 0 && left === 0
    if (isJustClosed && !of.isReopened && random() < 0.3) {
      const said = { why: "it was not meant", isAgain: false }
      await Promise.all(
        desks.map(({ database }, at) => reopenDisputes(database, [of.consignment], said, by(25, at))),
      )
      Object.assign(of, { denied: 0, writtenOff: 0, isReopened: true })
      outcome.did.reopened += 1
      return
    }
    const send = (inMonths: number, cents: number, consignment = of.consignment) =>
      coming.push({ month: month + inMonths, carrier: of.carrier, line: { consignment, cents: -cents }, of })
    if (age === 0) {
      if (["fully", "twice", "restated"].includes(of.way)) send(1, of.raised)
      if (of.way === "twice") send(2, of.raised)
      if (of.way === "partly" || of.way === "in two parts") send(1, Math.ceil(of.raised / 3))
      if (of.way === "in two parts") send(2, of.raised - Math.ceil(of.raised / 3))
      if (of.way === "late") send(5, of.raised)
      if (of.way === "elsewhere") send(1, of.raised, `X${of.consignment}`)
    }
    if (left <= 0 || age < 3) return
    // Both desks write it down at once: it stands once.
    const kind: StepKind = of.way === "never" || of.way === "late" ? "denied" : "written-off"
    await Promise.all(desks.map((store, at) => step(store, [of.consignment], kind, by(26, at))))
    if (kind === "denied") of.denied += left
    else of.writtenOff += left
    Object.assign(of, { closedIn: month, givenBefore: of.given })
  }

  async function step(store: Store, names: readonly string[], kind: StepKind, writer: Author): Promise<void> {
    await takeStep(store.database, names, { kind, isAgain: false }, writer)
  }

  /** A credit that comes after it was denied or written off counts against that. */
  function check(): void {
    for (const of of expected.values()) {
      const closed = of.denied + of.writtenOff
      const open = of.raised - Math.min(of.raised, of.given)
      const back = Math.max(0, closed - open)
      const fromDenied = Math.min(back, of.denied)
      of.denied -= fromDenied
      of.writtenOff -= back - fromDenied
    }
  }

  async function compare(): Promise<DisputeBalance[]> {
    const book = await readDisputes(desks[0].database)
    const balances = toDisputeBalances(book)
    const { rows } = reportDisputes(book, { since: "0000-01-01", until: "9999-12-31" })
    const inCents = (amount: number) => Math.round(amount * 100)
    for (const { raised, credited, open, denied, writtenOff } of rows)
      if (
        inCents(raised) !==
        [credited, open, denied, writtenOff].map(inCents).reduce((sum, each) => sum + each)
      )
        outcome.unbalanced += 1
    const byConsignment = new Map(balances.map((balance) => [balance.dispute.consignment, balance]))
    for (const of of expected.values()) {
      const balance = byConsignment.get(of.consignment)
      const is = balance && [balance.creditedCents, balance.deniedCents, balance.writtenOffCents]
      const should = [Math.min(of.raised, of.given), of.denied, of.writtenOff]
      if (JSON.stringify(is) !== JSON.stringify(should) || balance?.dispute.amountCents !== of.raised)
        outcome.wrong.push(
          `${of.consignment} (${of.way}): ${JSON.stringify(is)}, not ${JSON.stringify(should)} of ${of.raised}`,
        )
    }
    const all = [...expected.values()]
    const given = all.reduce((sum, each) => sum + each.given, 0)
    const used = all.reduce((sum, each) => sum + Math.min(each.raised, each.given), 0)
    const credits = toCreditBalances(book)
    const usedCents = credits.reduce((sum, each) => sum + each.usedCents, 0)
    if (usedCents !== used) outcome.wrong.push(`credits used ${usedCents}, not ${used} of ${given}`)
    for (const { cents, usedCents: paid, credit } of credits)
      if (paid > cents) outcome.wrong.push(`credit ${credit.consignment} is used beyond itself`)
    return balances
  }
}

function billOf({ carrier, number, day, lines }: MadeBill): string {
  const rows = lines.map(({ consignment, cents }) =>
    [
      number,
      day,
      carrier,
      consignment,
      (cents / 100).toFixed(2),
      (Math.round(cents / 10) / 100).toFixed(2),
    ].join(","),
  )
  return `Invoice Number,Invoice Date,Carrier,Consignment,Amount ex GST,GST\n${rows.join("\n")}\n`
}

const quiet = async () => {}

function readingOf(
  bytes: Uint8Array,
  day: string,
  map: readonly string[] = ["Consignment=consignment"],
): ReadOptions {
  return {
    ...{
      map,
      ignoreUnknown: false,
      nowMs: Date.parse(day),
      tell: quiet,
      warn: quiet,
    },
    ...{ stage: "draft", input: undefined, choices: {}, signal: new AbortController().signal },
    async *stdin() {
      yield bytes
    },
  }
}

function readRows(file: string): [account: string, cents: number][] {
  const records: Record<string, string>[] = parse(file, { columns: true, skip_empty_lines: true })
  return records.map((record) => [
    record["*AccountCode"] ?? "",
    Math.round(Number(record["*UnitAmount"]) * 100),
  ])
}

function sum(cents: readonly number[]): number {
  return cents.reduce((all, each) => all + each, 0)
}

/** The open amount of a dispute, in cents. */
function getLeft({ raised, given, denied, writtenOff }: Expected): number {
  return raised - Math.min(raised, given) - denied - writtenOff
}
