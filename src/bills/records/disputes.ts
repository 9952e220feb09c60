/**
 * Disputes with carriers, each of their steps, and the credits of bills. Rows are added and never changed, except
 * credits.
 */
import {
  type DatabaseRow,
  describeColumns,
  type GstBasis,
  inParts,
  insertRecords,
  placeholders,
  plainColumn,
  queryInParts,
  SENDER_COLUMNS,
  type Sender,
  type Statements,
  type Transaction,
} from "../../ledger/index.ts"
import type { Money } from "../money.ts"
import type { RememberedBill } from "./bills.ts"

/** The bill of a charge or a credit; if `number` is empty, the file names it. */
export interface OfBill extends Pick<RememberedBill, "supplier" | "file"> {
  billNumber: string
  /** `yyyy-mm-dd`; empty where the bill has none. */
  billDate: string
}

/** Names of a consignment on a bill. Empty if unknown. */
export interface OfConsignment {
  consignment: string
  shipmentId: string
  reference: string
  /** As booked; for charges without a booking, the carrier of the rest of the bill. */
  carrier: string
}

interface Written extends Sender {
  /** ISO 8601 in UTC. */
  at: string
}

export interface Dispute extends OfBill, OfConsignment, Written {
  /** Made from bill and consignment: raising it again never makes a second one. */
  id: string
  verdict: string
  why: string
  /** Cents, on the basis. */
  amountCents: number
  gstBasis: GstBasis
  /**
   * Cents of GST that the bill charges on all of it: included or on top, by the basis. Missing if the bill does not
   * state it, or an older version raised it.
   */
  gstCents?: number
  /** `yyyy-mm-dd`, on which it was raised. */
  day: string
}

const OF_BILL = {
  supplier: "text",
  billNumber: "text",
  billDate: "text",
  file: "text",
  consignment: "text",
  shipmentId: "text",
  reference: "text",
  carrier: "text",
}

export const DISPUTES = describeColumns<Dispute>({
  id: "text",
  ...OF_BILL,
  verdict: "text",
  why: "text",
  amountCents: "bigint",
  gstBasis: "text",
  day: ["raised_on", "text"],
  at: ["raised_at", "text"],
  ...SENDER_COLUMNS,
  gstCents: "bigint",
})

export const STEP_KINDS = ["sent", "answered", "credited", "denied", "written-off"] as const
export type StepKind = (typeof STEP_KINDS)[number]

export interface Step extends Written {
  id: string
  disputeId: string
  kind: StepKind
  /** `yyyy-mm-dd`. */
  day: string
  /** Cents on the dispute's basis that this step closes; negative for a reversal. */
  amountCents: number
  /** The credit that it uses, and how much of that, on its own basis. */
  creditId?: string
  creditCents?: number
  /** The carrier's number for it. */
  claim?: string
  why?: string
}

export const STEPS = describeColumns<Step>({
  id: "text",
  disputeId: "text",
  kind: ["step", "text"],
  day: ["step_on", "text"],
  amountCents: "bigint",
  creditId: "text",
  creditCents: "bigint",
  claim: "text",
  why: "text",
  at: ["written_at", "text"],
  ...SENDER_COLUMNS,
})

/** A bill's credit for a consignment, in positive cents. */
export interface Credit extends OfBill, OfConsignment, Written, Money {
  /** Made from bill and consignment. */
  id: string
}

export const CREDITS = describeColumns<Credit>(
  {
    id: "text",
    ...OF_BILL,
    exGst: ["ex_gst_cents", "bigint"],
    gst: ["gst_cents", "bigint"],
    incGst: ["inc_gst_cents", "bigint"],
    unspecifiedGstCents: ["unsaid_cents", "bigint"],
    at: ["written_at", "text"],
    ...SENDER_COLUMNS,
  },
  { exGst: null, gst: null, incGst: null, unspecifiedGstCents: null },
)

export interface DisputeBook {
  /** In the order in which they were raised. */
  disputes: Dispute[]
  /** In the order in which they were written. */
  steps: Step[]
  /** In the order of their bills. */
  credits: Credit[]
}

/** Selects disputes, with their credits and steps. */
export type DisputeQuestion =
  /** On bills with these numbers. */
  | { billNumbers: readonly string[] }
  /** For these consignments or shipments. */
  | { consignments: readonly string[]; shipmentIds: readonly string[] }
  /** By consignment, reference, shipment, bill or the beginning of the id. */
  | { names: readonly string[] }
  /** Disputes of a supplier with exactly one of these amounts open, in cents. */
  | { supplier: string; openCents: readonly number[] }
  /** Disputes that a round of settling can change: see `readPayable`. */
  | "payable"

/** Reads disputes and credits; all of them without a question. */
export async function readDisputes(statements: Statements, question?: DisputeQuestion): Promise<DisputeBook> {
  if (question === "payable") return readPayable(statements)
  if (question && "supplier" in question) return readOpenOf(statements, question.supplier, question.openCents)
  if (question) return readWhere(statements, toConditions(question))
  return {
    disputes: (await statements.all(`select * from disputes ${RAISED_ORDER}`)).map((row) =>
      DISPUTES.read(row),
    ),
    steps: (await statements.all("select * from dispute_steps"))
      .map((row) => STEPS.read(row))
      .sort(compareSteps),
    credits: (await statements.all(`select * from credits ${BILL_ORDER}`)).map((row) => CREDITS.read(row)),
  }
}

const RAISED_ORDER = "order by raised_at, bill_number, consignment, id"
const BILL_ORDER = "order by bill_date, id"

/**
 * `unsettled`: disputes with something open (more than 0), or closed twice after two ledgers were merged (less).
 * `rest`: credits with something left, or with more used than there is: their bill was corrected, or two ledgers used
 * them.
 */
const UNSETTLED = `with closed as materialized (
    select dispute_id, sum(amount_cents) as cents from dispute_steps group by dispute_id),
  used as materialized (
    select credit_id, sum(credit_cents) as cents from dispute_steps where credit_id is not null group by credit_id),
  unsettled as materialized (
    select id, amount_cents - coalesce(closed.cents, 0) as open_cents
    from disputes left join closed on closed.dispute_id = id where amount_cents <> coalesce(closed.cents, 0)),
  rest as materialized (
    select id, consignment, shipment_id from credits left join used on used.credit_id = id
    where coalesce(ex_gst_cents, inc_gst_cents, unsaid_cents, 0) <> coalesce(used.cents, 0))`

/**
 * Disputes that are open or closed twice, credits with something left and the disputes that they may pay, with
 * everything that belongs to them.
 */
export async function readUnsettled(statements: Statements): Promise<DisputeBook> {
  const credits = await statements.all(
    `${UNSETTLED} select * from credits where id in (select id from rest)
      or id in (select credit_id from dispute_steps where credit_id is not null
        and dispute_id in (select id from unsettled where open_cents < 0)) ${BILL_ORDER}`,
  )
  // A late credit pays disputes that were denied or written off.
  const disputes = await statements.all(
    `${UNSETTLED} select * from disputes where id in (select id from unsettled)
      or id in (select dispute_id from dispute_steps where credit_id in (select id from rest))
      or (${plainColumn("consignment")} in (select ${plainColumn("consignment")} from rest where consignment <> '')
          or shipment_id in (select shipment_id from rest where shipment_id <> ''))
        and id in (select dispute_id from dispute_steps where step in ('denied', 'written-off')
          group by dispute_id having sum(amount_cents) > 0) ${RAISED_ORDER}`,
  )
  return toBook(statements, disputes, credits)
}

/** More was closed than is disputed. */
const CLOSED_TWICE = `id in (select closed.dispute_id from
  (select dispute_id, sum(amount_cents) as cents from dispute_steps group by dispute_id) as closed
  join disputes as disputed on disputed.id = closed.dispute_id where disputed.amount_cents < closed.cents)`

/** Sums of one dispute, by the index of its steps. */
const sumSteps = (more = "") =>
  `coalesce((select sum(amount_cents) from dispute_steps where dispute_id = disputes.id${more}), 0)`
const IS_UNSETTLED = `amount_cents <> ${sumSteps()}`
const IS_OPEN = `amount_cents > ${sumSteps()}`
const IS_LET_GO = `${sumSteps(" and step in ('denied', 'written-off')")} > 0`

/** How a credit names its dispute: see `matchCredits`. A late credit pays disputes that were denied or written off. */
const IS_NAMED = [
  `${plainColumn("consignment")} in (select ${plainColumn("consignment")} from named where consignment <> '')
    and (${IS_UNSETTLED} or ${IS_LET_GO})`,
  `shipment_id in (select shipment_id from named where shipment_id <> '') and (${IS_UNSETTLED} or ${IS_LET_GO})`,
  `reference in (select reference from named where reference <> '') and ${IS_OPEN}`,
  "id in (select dispute_id from dispute_steps where credit_id in (select id from named))",
].map((condition) => `(${condition})`)

/**
 * The part of {@link readUnsettled} that a round of settling can change: leaves out disputes that none of these credits
 * names. If few credits have something left, few disputes are read, however many are open.
 */
export async function readPayable(statements: Statements): Promise<DisputeBook> {
  const closedTwice = await statements.all(`select * from disputes where ${CLOSED_TWICE}`)
  const left = await statements.all(`${UNSETTLED} select * from credits where id in (select id from rest)`)
  const disputes = new Map(closedTwice.map((row) => [row.id, row]))
  const credits = new Map(left.map((row) => [row.id, row]))
  for (const ids of inParts(closedTwice.map(({ id }) => String(id))))
    for (const row of await statements.all(
      `select * from credits where id in (select credit_id from dispute_steps
        where credit_id is not null and dispute_id in (${placeholders(ids)}))`,
      ids,
    ))
      credits.set(row.id, row)
  for (const ids of inParts(left.map(({ id }) => String(id))))
    for (const row of await statements.all(
      `with named as materialized (select * from credits where id in (${placeholders(ids)}))
        select * from disputes where ${IS_NAMED.join(" or ")}`,
      ids,
    ))
      disputes.set(row.id, row)
  return toBook(
    statements,
    sortRows(disputes, ["raised_at", "bill_number", "consignment", "id"]),
    sortRows(credits, ["bill_date", "id"]),
  )
}

/** Puts rows in the order of the database. */
function sortRows(rows: ReadonlyMap<unknown, DatabaseRow>, columns: readonly string[]): DatabaseRow[] {
  return [...rows.values()].sort((one, other) => {
    const differing = columns.find((column) => one[column] !== other[column])
    return differing === undefined || String(one[differing]) > String(other[differing]) ? 1 : -1
  })
}

/** Disputes of a supplier with exactly one of these amounts open, in cents, with their steps. */
async function readOpenOf(
  statements: Statements,
  supplier: string,
  cents: readonly number[],
): Promise<DisputeBook> {
  const rows: DatabaseRow[] = []
  for (const some of inParts([...new Set(cents)]))
    rows.push(
      ...(await statements.all(
        `select * from disputes where supplier = ? and amount_cents - ${sumSteps()} in (${placeholders(some)})`,
        [supplier, ...some],
      )),
    )
  return toBook(statements, rows, [])
}

/** Fewest characters of an id that name it. */
export const MIN_ID_LENGTH = 6

function toConditions(question: Exclude<DisputeQuestion, "payable" | { supplier: string }>): Condition[] {
  if ("billNumbers" in question) return inColumn("bill_number", question.billNumbers)
  if ("consignments" in question)
    return [
      ...inColumn("consignment", question.consignments),
      ...inColumn("shipment_id", question.shipmentIds),
    ]
  return [...new Set(question.names)].map((name) => [
    `? in (consignment, reference, shipment_id, bill_number, file) or substr(id, 1, ${MIN_ID_LENGTH}) = ?
      or supplier || ' ' || bill_number = ? or supplier || ' ' || file = ?`,
    [name, name.slice(0, MIN_ID_LENGTH), name, name],
  ])
}

type Condition = readonly [condition: string, values: readonly string[]]

function inColumn(column: string, values: readonly string[]): Condition[] {
  return Array.from(inParts([...new Set(values)]), (some) => [`${column} in (${placeholders(some)})`, some])
}

/** @param conditions of disputes and of credits alike */
async function readWhere(statements: Statements, conditions: readonly Condition[]): Promise<DisputeBook> {
  const disputes = new Map<unknown, DatabaseRow>()
  const credits = new Map<unknown, DatabaseRow>()
  for (const [condition, values] of conditions) {
    for (const row of await statements.all(
      `select * from disputes where ${condition} ${RAISED_ORDER}`,
      values,
    ))
      disputes.set(row.id, row)
    for (const row of await statements.all(`select * from credits where ${condition} ${BILL_ORDER}`, values))
      credits.set(row.id, row)
  }
  return toBook(statements, [...disputes.values()], [...credits.values()])
}

async function toBook(
  statements: Statements,
  disputes: readonly DatabaseRow[],
  credits: readonly DatabaseRow[],
): Promise<DisputeBook> {
  return {
    disputes: disputes.map((row) => DISPUTES.read(row)),
    steps: await readStepsOf(statements, disputes, credits),
    credits: credits.map((row) => CREDITS.read(row)),
  }
}

async function readStepsOf(
  statements: Statements,
  disputes: readonly DatabaseRow[],
  credits: readonly DatabaseRow[],
): Promise<Step[]> {
  const steps = new Map<string, Step>()
  for (const [column, rows] of [
    ["dispute_id", disputes],
    ["credit_id", credits],
  ] as const)
    for (const ids of inParts(rows.map(({ id }) => String(id))))
      for (const row of await statements.all(
        `select * from dispute_steps where ${column} in (${placeholders(ids)})`,
        ids,
      ))
        steps.set(String(row.id), STEPS.read(row))
  return [...steps.values()].sort(compareSteps)
}

/** Reversed steps come before the payments that use the amount. */
function compareSteps(one: Step, other: Step): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return one.amountCents - other.amountCents || (one.id < other.id ? -1 : 1)
}

/** Disputes with these ids, and their steps in the order in which they were written. */
export async function findDisputes(
  statements: Statements,
  ids: readonly string[],
): Promise<Pick<DisputeBook, "disputes" | "steps">> {
  const disputes = await find(statements, "disputes", ids, (row) => DISPUTES.read(row))
  const steps = await readStepsOf(
    statements,
    ids.map((id) => ({ id })),
    [],
  )
  return { disputes, steps }
}

export async function findCredits(statements: Statements, ids: readonly string[]): Promise<Credit[]> {
  return find(statements, "credits", [...new Set(ids)], (row) => CREDITS.read(row))
}

async function find<T>(
  statements: Statements,
  table: "disputes" | "credits",
  ids: readonly string[],
  read: (row: DatabaseRow) => T,
): Promise<T[]> {
  const rows = await queryInParts(ids, (part) =>
    statements.all(`select * from ${table} where id in (${placeholders(part)})`, part),
  )
  return rows.map(read)
}

/** Existing disputes stay as they are. */
export async function addDisputes(transaction: Transaction, disputes: readonly Dispute[]): Promise<void> {
  await insertRecords(transaction, "disputes", DISPUTES, disputes, " on conflict do nothing")
}

export async function addSteps(transaction: Transaction, steps: readonly Step[]): Promise<void> {
  await insertRecords(transaction, "dispute_steps", STEPS, steps, " on conflict do nothing")
}

/** A corrected bill may credit another amount: the last one counts. */
export async function replaceCredits(transaction: Transaction, credits: readonly Credit[]): Promise<void> {
  for (const ids of inParts(credits.map(({ id }) => id)))
    await transaction.run(`delete from credits where id in (${placeholders(ids)})`, ids)
  await insertRecords(transaction, "credits", CREDITS, credits)
}
