/** The tables, and the steps that bring those of an older version up to this one: once, in order, under a lock. */
import { IS_EXECUTABLE } from "../base/assets.ts"
import { FreightError } from "../base/errors.ts"
import { restorePlaces } from "../contract/index.ts"
import { referenceHash } from "./content.ts"
import { INVISIBLE_SIGNS } from "../base/invisible.ts"
import { foldIdentifier, foldInvoiceNumber, groupNumber } from "../base/order-number.ts"
import { getNormalizedNumber, getReference } from "./spelling.ts"
import type { Database, DatabaseRow, Transaction, Value } from "./database/database.ts"
import { LANE_INDEXES } from "./records/lanes.ts"
import { pages } from "./database/sql.ts"
import { API_KEYS } from "./accounts/keys.ts"
import { CREATE_BARCODES, keepBarcodes } from "./barcodes.ts"
import { ADDED_COLUMNS } from "./records/collected.ts"
import { DESKS } from "./records/desks.ts"
import { ELSEWHERE } from "./elsewhere.ts"
import { ELSEWHERE_MARKS } from "./look.ts"
import { ENTRY, NUMBER, toEntry } from "./entry-rows.ts"
import { JOURNEYS } from "./records/journeys.ts"
import { PLACES } from "./records/places.ts"
import { CREATE } from "./tables.ts"
import { findVersion, SCHEMA_VERSION } from "./version.ts"

/** Whether a claim has the content of a new one, and one of the two has a generated key. */
const STANDS_BESIDE = `scope = new.scope and kind = new.kind and content_hash = new.content_hash
      and state = 'unknown' and (key_given = 0 or new.key_given = 0)`

const CHECK_CONTENT_ALONE = `create or replace function check_content_alone() returns trigger language plpgsql as $$ begin
  perform pg_advisory_xact_lock(hashtextextended(new.kind || '/content:' || new.content_hash, 0));
  if exists (select from sends where ${STANDS_BESIDE}) then
    raise unique_violation using message = 'an equal content is being sent';
  end if;
  return new;
end $$`

/** A step's change that SQL alone cannot make. */
type Change = (transaction: Transaction) => Promise<void>

type Statement = string | Record<Database["dialect"], readonly string[]> | Change

/** As version 10 made it: a change of its columns leaves this to the step. */
const CREATE_API_KEYS = createTable("api_keys", [API_KEYS], "fingerprint, address")

/** As version 11 made it: a change of its columns leaves this to the step. */
const CREATE_PLACES = createTable("places", [PLACES], "scope, suburb, state, postcode")

/** A key and a content that is being sent are unique, even if someone forgets to look; duplicates do not count. */
const DUPLICATE_INDEXES = [
  `create unique index sends_live_key on sends (scope, kind, idempotency_key)
    where idempotency_key is not null and state in ('unknown', 'done') and duplicate_of is null`,
  `create unique index sends_content_being_sent on sends (scope, kind, content_hash)
    where key_given = 0 and state = 'unknown' and duplicate_of is null`,
  `create index sends_duplicate on sends (scope) where duplicate_of is not null and duplicate_settled_at is null`,
  `create index sends_newest_shipment on sends (scope, created_at)
    where kind = 'shipment' and state = 'done' and shipment_id is not null`,
]

/**
 * The state of the ledger, so that an older copy in its place is noticed: see `lost.ts`. A shared database has none,
 * because all desks would wait for that row.
 */
const LEDGER_MARK: Statement = {
  sqlite: [
    "create table ledger_mark (ledger text not null, count integer not null)",
    "insert into ledger_mark select lower(hex(randomblob(8))), count(*) > 0 from sends",
    `create trigger sends_claimed after insert on sends
      begin
        update ledger_mark set count = count + 1;
      end`,
    `create trigger sends_settled after update of state on sends
      begin
        update ledger_mark set count = count + 1;
      end`,
  ],
  postgres: [],
}

/** As version 12 made them. */
const DISPUTE_TABLES = [
  CREATE.disputes,
  CREATE.dispute_steps,
  "create index dispute_steps_dispute on dispute_steps (dispute_id)",
  "create index dispute_steps_credit on dispute_steps (credit_id) where credit_id is not null",
  CREATE.credits,
  CREATE.postings,
  "create index postings_bill on postings (bill_number)",
]

/**
 * Message for a freight that was open while the ledger was updated and does not write the number; it also covers
 * outcomes in the same transaction as the claim.
 */
const WITHOUT_NUMBER = "a newer freight has updated this ledger: update freight on this machine"

/** As version 13 made them. */
const NUMBERS: readonly Statement[] = [
  "create index sends_number on sends (scope, normalized_number)",
  {
    // A constraint's error would be taken for an equal entry, and tried again. An invalid path is an error of the
    // statement, and its message has the words.
    sqlite: [
      `create trigger sends_have_number before insert on sends when new.normalized_number is null
        begin
          select json_extract('{}', '${WITHOUT_NUMBER}');
        end`,
    ],
    postgres: [
      `create or replace function refuse_without_number() returns trigger language plpgsql as $$ begin
        raise exception '${WITHOUT_NUMBER}';
      end $$`,
      `create trigger sends_have_number before insert on sends for each row
        when (new.normalized_number is null) execute function refuse_without_number()`,
    ],
  },
]

/** As version 13 made it: among rows of one time, the next page begins after the last id. */
const CREATE_CREATED = "create index sends_created on sends (created_at, id)"

/** Rows of one statement, two values each. */
const FILLED_AT_ONCE = 500

/**
 * A reference whose hash changed in version 19 (a `#` in front), 20 (invisible signs), 21 (decimals) or 22 (words
 * before it).
 */
const WRITTEN_OTHERWISE = new RegExp(`[#.\\p{Cf}${INVISIBLE_SIGNS}]|^\\s*(?:order|n[or]|number)`, "iu")

/** Gives each entry its number in the spelling of version 22, and hashes references again whose spelling differs. */
async function rewriteNumbers(transaction: Transaction): Promise<void> {
  const columns = "id, idempotency_key, key_given, content_hash, reference, normalized_number, own"
  const read = (last: DatabaseRow | undefined, size: number) =>
    transaction.all(`select ${columns} from sends where id > ? order by id limit ${size}`, [last?.id ?? ""])
  for await (const rows of pages(read, FILLED_AT_ONCE)) {
    const entries = rows.map((row) => ({ row, entry: toEntry(row) }))
    const changed = entries.flatMap(({ row, entry }) => {
      const number = getNormalizedNumber(entry)
      // A pickup without a key had none when it was claimed: its reference came later.
      return row.normalized_number === "" || row.normalized_number === number
        ? []
        : [[row.id ?? null, number]]
    })
    if (changed.length > 0)
      await transaction.run(
        `update sends set normalized_number = column2 from (values ${changed.map(() => "(?, ?)").join(", ")}) as filled
          where id = column1`,
        changed.flat(),
      )
    for (const { row, entry } of entries)
      if (WRITTEN_OTHERWISE.test(getReference(entry).normalize("NFKC")))
        await hashReferencesOf(transaction, "id = ?", [row.id ?? null])
  }
  const strangers = await transaction.all(
    "select scope, shipment_id, normalized_number, detail from elsewhere",
  )
  for (const { scope = null, shipment_id: id = null, normalized_number: before, detail } of strangers) {
    const number = groupNumber(JSON.parse(String(detail)).customerReference ?? "")
    if (number !== before)
      await transaction.run(
        "update elsewhere set normalized_number = ? where scope = ? and shipment_id = ?",
        [number, scope, id],
      )
  }
}

async function keepEarlierBarcodes(transaction: Transaction): Promise<void> {
  const read = (last: DatabaseRow | undefined, size: number) =>
    transaction.all(
      `select id, response from sends where kind = 'shipment' and response like '%"barcodes"%' and id > ?
        order by id limit ${size}`,
      [last?.id ?? ""],
    )
  for await (const rows of pages(read, FILLED_AT_ONCE))
    await keepBarcodes(
      transaction,
      rows.map(({ id, response }) => ({
        id: String(id),
        kind: "shipment" as const,
        response: JSON.parse(String(response)),
      })),
    )
}

/** Registers invoices under their key of version 22; keeps the first of two that are one now. */
async function rewriteInvoices(transaction: Transaction): Promise<void> {
  const rows = await transaction.all("select supplier, number from invoices order by registered_at")
  for (const { supplier, number } of rows) {
    const written = [String(supplier), String(number)]
    const folded = [foldIdentifier(String(supplier)), foldInvoiceNumber(String(number))]
    if (String(folded) === String(written)) continue
    const own = "supplier = ? and number = ?"
    const isThere = await transaction.all(`select 1 from invoices where ${own}`, folded)
    await (isThere.length > 0
      ? transaction.run(`delete from invoices where ${own}`, written)
      : transaction.run(`update invoices set supplier = ?, number = ? where ${own}`, [...folded, ...written]))
  }
}

const DAY_MS = 86_400_000

/** References are equal in any spelling from here on. Only those that may still equal a new order are hashed again. */
async function hashReferences(transaction: Transaction): Promise<void> {
  const since = new Date((await transaction.now()) - 2 * DAY_MS).toISOString()
  await hashReferencesOf(transaction, "(state = 'unknown' or coalesce(settled_at, created_at) > ?)", [since])
}

async function hashReferencesOf(
  transaction: Transaction,
  which: string,
  values: readonly Value[],
): Promise<void> {
  const columns = "id, idempotency_key, key_given, content_hash, request, written_places"
  const rows = await transaction.all(
    `select ${columns} from sends where reference_hash is not null and ${which}`,
    values,
  )
  for (const row of rows) {
    const { id = null, request, written_places: places } = row
    const booked = JSON.parse(String(request))
    const written = restorePlaces(booked, places == null ? undefined : JSON.parse(String(places)))
    const hash = referenceHash(getReference(toEntry(row)), written.receiver) ?? null
    await transaction.run("update sends set reference_hash = ? where id = ?", [hash, id])
  }
}

/** As version 13 made it. */
const CREATE_DESKS = createTable("desks", [DESKS])

/** As version 13 made them. */
const ELSEWHERE_TABLES = [
  createTable("elsewhere", [ELSEWHERE], "scope, shipment_id"),
  "create index elsewhere_number on elsewhere (scope, normalized_number)",
  "create index elsewhere_goods on elsewhere (scope, goods_hash)",
  createTable("elsewhere_marks", [ELSEWHERE_MARKS], "key_id"),
]

/** Indexes by which audits find bills; as version 13 made them. */
const DISPUTE_INDEXES = [
  "create index disputes_bill on disputes (bill_number)",
  "create index credits_bill on credits (bill_number)",
]

/** Unimported files and later transfers; as version 14 made them. */
const CLEARING_TABLES = [
  "alter table postings add column undone text",
  CREATE.clearing_moves,
  "create index clearing_moves_dispute on clearing_moves (dispute_id)",
]

/** As version 15 made them. */
const BILL_COLUMNS = [
  "alter table bills add column growth text",
  "alter table billed add column seen_at text",
]
const POSTED_PARTS = [
  ...["accounts text", "brought_back text", "part integer", "lines text"].map(
    (column) => `alter table postings add column ${column}`,
  ),
  CREATE.links,
  "create index links_number on links (number)",
]

/** As version 16 made them. */
const DISPATCH_TABLES = [
  CREATE.dispatches,
  "create index dispatches_shipment on dispatches (shipment_id)",
  "create index dispatches_file on dispatches (file, workstation)",
]

/** As version 22 made it: the booking that had the shipment then. */
const SEND_OF_DISPATCH = "alter table dispatches add column send_id text"

/** As version 17 made them: they serve choosing services by past bookings. */
const EVIDENCE_INDEXES: readonly Statement[] = [
  LANE_INDEXES,
  "create index disputes_shipment on disputes (shipment_id)",
]

/** As version 22 made it: the steps of invoices. Invoices registered before have none. */
const INVOICE_STEP_TABLE: readonly Statement[] = [
  CREATE.invoice_steps,
  "create index invoice_steps_refers_to on invoice_steps (supplier, refers_to) where refers_to is not null",
]

/** As version 22 made it: the GST that bills charge on disputed amounts. It is unknown for earlier disputes. */
const DISPUTED_GST = "alter table disputes add column gst_cents bigint"

/** As version 22 made them: payments of bills, and the due day of each. Earlier postings do not have it. */
const PAYMENT_TABLE = [
  CREATE.payments,
  "create index payments_bill on payments (bill_number)",
  "alter table postings add column due text",
]

/** As version 22 made them: why the amount of a bill is unknown, and since when. */
const BILL_DOUBT = ["doubt text", "doubt_at text"].map((column) => `alter table bills add column ${column}`)

/**
 * Records what left the clearing account until version 14: amounts that returned with a credit whose bill was posted
 * after it paid, and disputes closed by hand after posting, before freight recorded transfers.
 */
async function keepEarlierMoves(transaction: Transaction): Promise<void> {
  const postings = await transaction.all("select * from postings order by posted_at")
  const steps = await transaction.all("select * from dispute_steps order by written_at")
  const credits = new Map((await transaction.all("select * from credits")).map((row) => [row.id, row]))
  for (const { id = null, content } of postings) {
    const charges = JSON.parse(String(content)) as { account?: string; clearing?: string; of?: string }[]
    const own = Object.fromEntries(
      charges.flatMap(({ of, account }) => (of && account ? [[of, account]] : [])),
    )
    const clearing = charges.find((charge) => charge.clearing)?.clearing ?? ""
    if (Object.keys(own).length > 0)
      await transaction.run("update postings set accounts = ? where id = ?", [
        JSON.stringify({ clearing, own }),
        id,
      ])
  }
  const cleared = new Map<string, { cents: number; posting: DatabaseRow }>()
  const newest = new Map(postings.map((row) => [`${row.supplier} ${row.bill_number}`, row]))
  for (const posting of [...newest.values()].filter(({ undone }) => undone == null))
    for (const [id, cents] of Object.entries(JSON.parse(String(posting.cleared)) as Record<string, number>))
      cleared.set(id, { cents, posting })
  for (const [id, { cents, posting }] of cleared) {
    const gone = steps.reduce((sum, step) => {
      if (step.dispute_id !== id || String(step.written_at) <= String(posting.posted_at)) return sum
      const amount = Number(step.amount_cents)
      // Version 14 named the account of each charge, and recorded moves.
      const isKept = String(posting.content).includes('"account"')
      if (step.credit_id == null) return isKept ? sum : sum + Math.max(0, amount)
      const credit = credits.get(step.credit_id)
      const isPosted = postings.some(
        (each) =>
          each.undone == null &&
          (each.bill_number === credit?.bill_number || each.file === credit?.file) &&
          String(each.posted_at) >= String(step.written_at),
      )
      return isPosted ? sum + amount : sum
    }, 0)
    const amount = Math.min(cents, gone)
    if (amount > 0)
      await transaction.run(
        `insert into clearing_moves (id, dispute_id, amount_cents, why, moved_on, written_at, workstation, person)
          values (?, ?, ?, 'before freight kept this', ?, ?, ?, ?)`,
        [
          `moved before 15 ${id}`,
          id,
          amount,
          String(posting.posted_at).slice(0, 10),
          posting.posted_at ?? null,
          posting.workstation ?? null,
          posting.person ?? null,
        ],
      )
  }
}

/** As version 22 made it: a bench asks at each scan whether its label was printed. */
const CREATE_LABEL_PRINTS =
  "create index sends_label_print on sends (scope, shipment_id) where kind = 'label-print'"

/** Cancellations by carriers on the phone; as version 22 made them. */
const CANCELLED_COLUMNS = [
  "alter table sends add column cancelled_at text",
  "alter table sends add column cancellations text",
]

const SCHEMA: readonly Statement[] = [
  createTable("sends", ENTRY),
  ...DUPLICATE_INDEXES,
  // A shipment's account is also looked up without a scope.
  `create unique index sends_shipment on sends (shipment_id, scope)
    where kind = 'shipment' and shipment_id is not null`,
  "create index sends_key on sends (scope, idempotency_key)",
  "create index sends_content on sends (scope, content_hash)",
  "create index sends_reference on sends (scope, reference_hash)",
  CREATE_CREATED,
  "create index sends_open on sends (state) where state = 'unknown'",
  "create index sends_pickup on sends (scope, shipment_id) where kind = 'pickup'",
  CREATE_LABEL_PRINTS,
  // Names that find an entry: see `named.ts`.
  "create index sends_consignment on sends (scope, consignment_number)",
  "create index sends_order on sends (scope, order_number)",
  "create index sends_customer_reference on sends (scope, reference)",
  "create index sends_pickup_id on sends (scope, pickup_id) where pickup_id is not null",
  // A unique index cannot express it: several keys that people gave may have the same content, and no generated key may
  // be beside them. An entry without a lease is not being sent: it comes from another ledger.
  {
    sqlite: [
      `create trigger sends_content_alone before insert on sends
        when new.state = 'unknown' and new.lease_until is not null
        begin
          select raise(abort, 'an equal content is being sent') from sends where ${STANDS_BESIDE};
        end`,
    ],
    postgres: [
      CHECK_CONTENT_ALONE,
      `create trigger sends_content_alone before insert on sends for each row
        when (new.state = 'unknown' and new.lease_until is not null) execute function check_content_alone()`,
    ],
  },
  // A pickup for several shipments names none of them in its request.
  `create table collected (
    scope text not null,
    shipment_id text not null,
    send_id text not null,
    primary key (scope, shipment_id, send_id)
  )`,
  ...ADDED_COLUMNS,
  CREATE_BARCODES,
  createTable("journeys", [JOURNEYS], "scope, consignment_number"),
  CREATE.bills,
  CREATE.billed,
  "create index bills_number on bills (number)",
  "create index billed_consignment on billed (consignment)",
  "create index billed_shipment on billed (shipment_id) where shipment_id is not null",
  CREATE.invoices,
  ...INVOICE_STEP_TABLE,
  CREATE_API_KEYS,
  CREATE_PLACES,
  LEDGER_MARK,
  ...DISPUTE_TABLES,
  ...NUMBERS,
  CREATE_DESKS,
  ...ELSEWHERE_TABLES,
  ...DISPUTE_INDEXES,
  ...CLEARING_TABLES,
  ...POSTED_PARTS,
  ...DISPATCH_TABLES,
  ...EVIDENCE_INDEXES,
  DISPUTED_GST,
  SEND_OF_DISPATCH,
  ...PAYMENT_TABLE,
]

/**
 * Each step makes the tables of its version from those of the version before. A step, and the code that it uses, is
 * never changed.
 */
const STEPS: readonly { version: number; statements: readonly Statement[] }[] = [
  {
    version: 10,
    statements: [
      CREATE_API_KEYS,
      `insert into api_keys
        select account, address, case when scope like 'direct-print:%' then 'direct-print' else 'freight' end, scope,
          null, '', first_used_at, first_used_at, '[]', '{}', 0 from accounts`,
      "drop table accounts",
      "drop table imports",
      // Claims of all accounts take the same lock: the claim decides which of them are one.
      { sqlite: [], postgres: [CHECK_CONTENT_ALONE] },
      "alter table sends add column duplicate_of text",
      "alter table sends add column duplicate_settled_at text",
      "drop index sends_live_key",
      "drop index sends_content_being_sent",
      ...DUPLICATE_INDEXES,
      LEDGER_MARK,
    ],
  },
  { version: 11, statements: ["alter table sends add column written_places text", CREATE_PLACES] },
  { version: 12, statements: DISPUTE_TABLES },
  {
    version: 13,
    statements: [
      `alter table sends add column ${NUMBER.sql}`,
      hashReferences,
      "drop index sends_created",
      CREATE_CREATED,
      ...NUMBERS,
      CREATE_DESKS,
      ...ELSEWHERE_TABLES,
      ...DISPUTE_INDEXES,
    ],
  },
  { version: 14, statements: CLEARING_TABLES },
  { version: 15, statements: [...BILL_COLUMNS, ...POSTED_PARTS, keepEarlierMoves] },
  { version: 16, statements: DISPATCH_TABLES },
  { version: 17, statements: EVIDENCE_INDEXES },
  { version: 18, statements: ["alter table sends add column offers text"] },
  { version: 19, statements: ["alter table sends add column own text"] },
  { version: 20, statements: [] },
  { version: 21, statements: [] },
  {
    version: 22,
    // Versions 19 to 21 rewrote numbers, and version 20 invoices too: the last time is enough.
    statements: [
      ...[
        ...ADDED_COLUMNS,
        CREATE_BARCODES,
        ...CANCELLED_COLUMNS,
        DISPUTED_GST,
        SEND_OF_DISPATCH,
        CREATE_LABEL_PRINTS,
        ...INVOICE_STEP_TABLE,
        ...PAYMENT_TABLE,
        ...BILL_DOUBT,
      ],
      ...[rewriteNumbers, keepEarlierBarcodes, rewriteInvoices],
    ],
  },
]

function createTable(name: string, columns: readonly { sql: string }[], key?: string): string {
  const lines = [...columns.map(({ sql }) => sql), ...(key === undefined ? [] : [`primary key (${key})`])]
  return `create table ${name} (\n  ${lines.join(",\n  ")}\n)`
}

export const TABLES = [...JSON.stringify(SCHEMA).matchAll(/create table (\w+)/g)].map(([, name = ""]) => name)

/** The oldest version that the steps begin with. */
export const OLDEST_VERSION = SCHEMA_VERSION - STEPS.length

/**
 * Makes the tables, or brings them up to this version.
 * @param note gets a line before a long step
 * @throws FreightError `config` if a newer freight made them, or one before the first release
 */
export async function migrate(
  database: Database,
  note: (text: string) => Promise<void> = async () => {},
): Promise<void> {
  const found = await readVersion(database)
  if (found === SCHEMA_VERSION) return
  if (found > 0 && (await isLarge(database)))
    await note("The ledger is brought up to date for this version of freight: that can take some minutes.")
  const bringUp = async (transaction: Transaction) => {
    await transaction.lock(["freight ledger schema"])
    await transaction.run("create table if not exists ledger_schema (version integer not null)")
    const [row] = await transaction.all("select version from ledger_schema")
    const before = Number(row?.version ?? 0)
    checkVersion(database.place, before)
    const statements =
      before === 0
        ? SCHEMA
        : STEPS.filter(({ version }) => version > before).flatMap((step) => step.statements)
    for (const statement of toDialect(statements, database.dialect))
      await (typeof statement === "string" ? transaction.run(statement) : statement(transaction))
    await transaction.run("delete from ledger_schema")
    await transaction.run("insert into ledger_schema (version) values (?)", [SCHEMA_VERSION])
  }
  await database.transaction(bringUp, true)
}

/** From this number of entries on, creating an index takes seconds. */
const MANY_ENTRIES = 100_000

async function isLarge(database: Database): Promise<boolean> {
  return (await database.all(`select id from sends limit 1 offset ${MANY_ENTRIES}`)).length > 0
}

/** The version of the tables; 0 where there are none. */
export async function readVersion(database: Database): Promise<number> {
  const version = await findVersion(database)
  checkVersion(database.place, version)
  return version
}

/** Times are compared as text: PostgreSQL would sort text by the rules of a language. */
function toDialect(statements: readonly Statement[], dialect: Database["dialect"]): (string | Change)[] {
  const own = statements.flatMap((each): readonly (string | Change)[] =>
    typeof each === "object" ? each[dialect] : [each],
  )
  return dialect === "sqlite"
    ? own
    : own.map((each) => (typeof each === "string" ? each.replace(/ text\b/g, ' text collate "C"') : each))
}

function checkVersion(place: string, version: number): void {
  if (version === 0 || (version >= OLDEST_VERSION && version <= SCHEMA_VERSION)) return
  const isNewer = version > SCHEMA_VERSION
  const maker = isNewer ? "a newer version of freight" : "a version of freight before the first release"
  const known = isNewer ? `this one knows ${SCHEMA_VERSION}` : `this one reads ${OLDEST_VERSION} and later`
  const update = IS_EXECUTABLE
    ? "Replace this executable with the newest one"
    : "Update freight on this machine"
  throw new FreightError(
    "config",
    `the ledger in ${place} was made by ${maker} (schema ${version}; ${known})`,
    {
      hint: `${isNewer ? update : "Move it away, or name another with FREIGHT_LEDGER"}. Nothing was sent, and the ledger was not changed.`,
    },
  )
}
