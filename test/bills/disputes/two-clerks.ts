/** A clerk's steps with bills, on a database alone; and the ledger's records of bills, without authors and times. */
import { Buffer } from "node:buffer"
import { prepareAudit } from "../../../src/bills/audit/audit.ts"
import { matchInLedger } from "../../../src/bills/matching/evidence.ts"
import type { GivenLink } from "../../../src/bills/matching/links.ts"
import { type ReadOptions, openBills } from "../../../src/bills/open.ts"
import { readBalances, recordMoves } from "../../../src/bills/books/account.ts"
import { undoPostings } from "../../../src/bills/books/undo.ts"
import { hashLines } from "../../../src/bills/growth.ts"
import { checkAudited, postBills, prepareBill } from "../../../src/bills/books/post.ts"
import { sumCents } from "../../../src/bills/pay/decide.ts"
import { type PaymentDraft, recordPayments, undoPayments } from "../../../src/bills/pay/record.ts"
import { confirmCredit, reopenDisputes, takeStep } from "../../../src/bills/disputes/act.ts"
import { toId } from "../../../src/bills/ids.ts"
import { recordAudit } from "../../../src/bills/disputes/raise.ts"
import { systemIds } from "../../../src/machine/host.ts"
import type { Database, DatabaseRow } from "../../../src/ledger/database/database.ts"
import { findBills, rememberBilled, rememberBills } from "../../../src/bills/records/bills.ts"
import { addDisputes, type StepKind } from "../../../src/bills/records/disputes.ts"
import type { Store } from "../../../src/ledger/store.ts"
import type { Clock } from "../../../src/base/ports.ts"
import { entry, put, SCOPE, storeIn } from "../../ledger/setup.ts"

export type Clerk = (database: Database) => Promise<unknown>

const SUPPLIER = "Alpha Freight"
const DAY = "2026-11-24"

/** The bookings, each with its quote in cents without GST. */
const QUOTED = { ZZ1: 1000, ZZ2: 2000 }

/** Each a millisecond after the last, so that nothing seems to be done at once. */
export function tickingClock(): Clock {
  let now = Date.parse(`${DAY}T00:00:00Z`)
  return { now: () => now++, sleep: async () => {} }
}

export async function bookAll(
  store: Store,
  quoted: Readonly<Record<string, number>> = QUOTED,
): Promise<void> {
  await put(
    store,
    ...Object.entries(quoted).map(([consignmentNumber, priceCents], at) =>
      entry({
        key: consignmentNumber,
        state: "done",
        facts: {
          ...{
            connectorId: "connector-a",
            carrier: "CARRIER_A_AU",
            shipmentId: `shp-${at}`,
            consignmentNumber,
          },
          ...{ priceCents, gstBasis: "excluded", currency: "AUD" },
        },
      }),
    ),
  )
}

/** A bill's charges, in cents without GST. */
export interface BillText {
  number: string
  day?: string
  supplier?: string
  charges: Readonly<Record<string, number>>
  /** It states each amount with GST as well, and this much more than it comes to. */
  contradictedBy?: number
}

function write({ number, day = DAY, supplier = SUPPLIER, charges, contradictedBy }: BillText): Uint8Array {
  const isBoth = contradictedBy !== undefined
  const rows = Object.entries(charges).map(([consignment, cents]) =>
    [
      ...[number, day, supplier, consignment, (cents / 100).toFixed(2), (cents / 1000).toFixed(2)],
      ...(isBoth ? [((cents + Math.round(cents / 10) + contradictedBy) / 100).toFixed(2)] : []),
    ].join(","),
  )
  const headings = "Invoice Number,Invoice Date,Carrier,Consignment,Amount ex GST,GST"
  return Buffer.from(`${headings}${isBoth ? ",Amount inc GST" : ""}\n${rows.join("\n")}\n`)
}

const quiet = async () => undefined

function reading(bill: BillText): ReadOptions {
  return {
    ...{ map: [], ignoreUnknown: false, nowMs: Date.parse(DAY), tell: quiet, warn: quiet, stage: "draft" },
    ...{ input: undefined, choices: {} },
    signal: new AbortController().signal,
    async *stdin() {
      yield write(bill)
    },
  }
}

const CLERK = { workstation: "desk", person: "clerk", day: DAY }

/** `freight audit BILL --raise --offline` */
export function auditing(bill: BillText, isToRaise = true, links: readonly GivenLink[] = []): Clerk {
  return async (database) => {
    const prepared = await prepareAudit(
      {
        ...{ store: storeIn(database), scopes: [SCOPE], api: undefined, note: quiet, rememberSeen: quiet },
        ...{ ids: systemIds, signal: new AbortController().signal },
      },
      [{ file: "-" }],
      { tolerance: { percent: 1, cents: 50 }, reading: reading(bill), links },
    )
    const { audit, kept } = await recordAudit(database, prepared, { ...CLERK, scope: "" }, isToRaise)
    return {
      bills: audit.bills.map(({ before }) => before ?? "new"),
      rows: audit.rows.map(({ consignmentNumber: consignment, verdicts, why, disputed }) => ({
        consignment,
        verdicts,
        why,
        disputed,
      })),
      raised: kept.raised.map(({ id, amountCents }) => ({ id, amountCents })),
      mistaken: kept.mistaken.map(({ dispute: { id }, openCents }) => ({ id, openCents })),
      selfBilled: kept.selfBilled.map(({ dispute: { id }, openCents }) => ({ id, openCents })),
      before: kept.before.map(({ balance, amountCents }) => ({ id: balance.dispute.id, amountCents })),
    }
  }
}

/** `freight post BILL` */
export function posting(bill: BillText, isAgain = false): Clerk {
  return async (database) => {
    const { bills, named } = await openBills([{ file: "-" }], reading(bill))
    const hashes = hashLines(named)
    const kept = await checkAudited(database, bills, hashes)
    const consignments = await matchInLedger(named, database, [SCOPE])
    const { number, supplier = SUPPLIER, day = DAY } = bill
    const heading = { supplier, number, date: day, due: day }
    const posted = await postBills(
      database,
      kept.map((each) => prepareBill(each, consignments, heading, hashes)),
      {
        ...{ program: "xero", rules: [], otherwise: { account: "429", costCentre: "" }, clearing: "650" },
        ...{ isSummed: false, isAgain, book: { tracking: "Cost Centre" } },
      },
      CLERK,
      () => undefined,
    )
    return posted.map(({ isNew, posting: { clearing, body } }) => ({ isNew, clearing, body }))
  }
}

/** `freight disputes denied ZZ2`, and the others */
export function stepping(kind: StepKind, name: string, amountCents?: number): Clerk {
  return async (database) => {
    const draft = { kind, isAgain: false, ...(amountCents !== undefined && { amountCents }) }
    const stepped = await takeStep(database, [name], draft, CLERK)
    return stepped.map(({ isNew, balance: { state, openCents } }) => ({ isNew, state, openCents }))
  }
}

/** `freight disputes reopen ZZ2` */
export function reopening(name: string): Clerk {
  return async (database) => {
    const stepped = await reopenDisputes(database, [name], { why: "a mistake", isAgain: false }, CLERK)
    return stepped.map(({ isNew, balance: { state, openCents } }) => ({ isNew, state, openCents }))
  }
}

/** `freight post --undo B-1` */
export function undoing(name: string): Clerk {
  return async (database) => {
    const said = { why: "not imported", isAgain: false }
    const undone = await undoPostings(database, [name], said, CLERK)
    return undone.map(({ isNew, posting: { part } }) => ({ isNew, part }))
  }
}

/** `freight disputes moved ZZ2` */
export function moving(name: string): Clerk {
  return async (database) => {
    const moved = await recordMoves(database, [name], undefined, CLERK)
    return moved.flatMap(({ toMove }) => toMove.map(({ cents, account }) => ({ cents, account })))
  }
}

/** `freight report clearing` */
export const readingClearing: Clerk = async (database) =>
  (await readBalances(database)).map(({ disputeBalance, cents, openCents, comingCents, toMove }) => ({
    ...{ consignment: disputeBalance.dispute.consignment, cents, openCents, comingCents },
    toMove: toMove.map((each) => [each.cents, each.account, each.why.is]),
  }))

/** `freight disputes confirm CREDIT DISPUTE` */
export function confirming(credit: string, dispute: string): Clerk {
  return async (database) => {
    const { state, openCents } = await confirmCredit(database, credit, dispute, CLERK)
    return { state, openCents }
  }
}

/**
 * The records that two audits at once left behind, before bills were judged one at a time: the bill is there twice, and
 * the second audit has raised all of it as billed twice.
 */
export function mistaking(bill: BillText): Clerk {
  return async (database) => {
    await auditing(bill, false)(database)
    const [first] = await findBills(database, [bill.number])
    if (!first) throw new Error("no bill")
    const at = new Date(await database.now()).toISOString()
    const billed = Object.entries(bill.charges).map(([consignment, cents], place) => {
      const shipmentId = consignment in QUOTED ? `shp-${place}` : ""
      const over = cents - (QUOTED[consignment as keyof typeof QUOTED] ?? 0)
      return { consignment, shipmentId, cents, over }
    })
    const name = bill.number === "" ? "an earlier bill" : `bill ${bill.number}`
    await database.transaction(async (transaction) => {
      await rememberBills(transaction, [{ ...first, id: "twin", auditedAt: at }])
      await rememberBilled(
        transaction,
        billed.map(({ consignment, shipmentId, cents }) => ({
          ...{ billId: "twin", consignment, shipmentId, exGst: cents, gst: cents / 10, incGst: cents * 1.1 },
          ...{
            unspecifiedGstCents: null,
            charges: ["freight"],
            verdict: "billed-twice",
            disputedCents: cents,
          },
        })),
      )
      await addDisputes(
        transaction,
        billed.map(({ consignment, shipmentId, cents, over }) => ({
          id: toId(
            "dispute",
            ...(bill.number === "" ? ["", "standard input", bill.day ?? DAY] : [SUPPLIER, bill.number]),
            consignment,
          ),
          ...{ supplier: first.supplier, billNumber: bill.number, billDate: first.date, file: first.file },
          ...{ consignment, shipmentId, reference: "", carrier: "CARRIER_A_AU", verdict: "billed-twice" },
          why: `charged before in ${name}, audited on ${DAY}${over > 0 ? `; ${(over / 100).toFixed(2)} more than quoted` : ""}`,
          ...{ amountCents: cents, gstBasis: "excluded" as const, at, ...CLERK },
        })),
      )
    })
  }
}

/** `freight pay B-1` */
export function paying(names: readonly string[], more: Partial<PaymentDraft> = {}): Clerk {
  return async (database) => {
    const draft = { isElsewhere: false, ...more }
    const { paid } = await recordPayments(database, names, draft, CLERK)
    return paid.map(({ isNew, payment: { billNumber, part, paid: cents, withheld, setOff } }) => ({
      ...{ isNew, billNumber, part, cents, setOff },
      withheld: sumCents(withheld),
    }))
  }
}

/** `freight pay --undo B-1` */
export function unpaying(name: string): Clerk {
  return async (database) => {
    const undone = await undoPayments(database, [name], { why: "not paid", isAgain: false }, CLERK)
    return undone.map(({ isNew, payment: { part, paid } }) => ({ isNew, part, paid }))
  }
}

const TABLES = [
  ...[
    "bills",
    "billed",
    "disputes",
    "dispute_steps",
    "credits",
    "postings",
    "clearing_moves",
    "payments",
    "links",
  ],
]
/** Who wrote it and when, and what is made of that. */
const ASIDE = ["audited_at", "raised_at", "written_at", "posted_at", "seen_at", "workstation", "person"]

/** All that the ledger says of bills. */
export async function describeLedger(database: Database): Promise<unknown> {
  const bills = await database.all("select * from bills")
  const names = new Map(bills.map(({ id, number, amount_cents: cents }) => [id, `${number}: ${cents}`]))
  const tables: Record<string, unknown> = {}
  for (const table of TABLES)
    tables[table] = (await database.all(`select * from ${table}`))
      .map((row) => describe(row, table, names))
      .sort()
  return tables
}

function describe(row: DatabaseRow, table: string, names: ReadonlyMap<unknown, string>): string {
  const kept = Object.entries(row).flatMap(([column, value]) => {
    if (ASIDE.includes(column) || (column === "id" && ["bills", "dispute_steps"].includes(table))) return []
    return [[column, column === "bill_id" ? names.get(value) : value === null ? null : String(value)]]
  })
  // Growth has the time of each part.
  return JSON.stringify(Object.fromEntries(kept)).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "")
}
