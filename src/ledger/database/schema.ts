/** The tables, and how they came to be: each migration is applied once, in order, under a lock. */
import { IS_EXECUTABLE } from "../../assets.ts"
import { FreightError } from "../../errors.ts"
import type { Database, Transaction } from "./database.ts"

const SENDS = `
create table sends (
  id text primary key,
  scope text not null,
  account text not null,
  kind text not null check (kind in ('shipment', 'pickup', 'label-print', 'pdf-print')),
  idempotency_key text,
  key_given integer not null check (key_given in (0, 1)),
  content_hash text not null,
  reference_hash text,
  attempt integer not null,
  state text not null check (state in ('unknown', 'done', 'refused', 'released')),
  created_at text not null,
  settled_at text,
  lease_until text,
  claim_token text not null,
  workstation text not null,
  person text not null,
  call text not null,
  connector_id text,
  carrier text,
  service_code text,
  about text,
  reference text,
  receiver_suburb text,
  receiver_state text,
  receiver_postcode text,
  packages text,
  weight_grams integer,
  shipment_id text,
  consignment_number text,
  order_number text,
  device_id text,
  price_cents integer,
  gst_cents integer,
  price_inc_gst_cents integer,
  gst_basis text,
  currency text,
  eta text,
  transit_days integer,
  rate_id text,
  quote_id text,
  standing integer not null default 0,
  request text not null,
  response text,
  error text,
  note text
)`

/** Whether a claim has the content of a new one, and one of the two has a key that no person gave. */
const STANDS_BESIDE = `scope = new.scope and kind = new.kind and content_hash = new.content_hash
      and state = 'unknown' and (key_given = 0 or new.key_given = 0)`

const MIGRATIONS: readonly (readonly (string | Record<Database["dialect"], readonly string[]>)[])[] = [
  [
    SENDS,
    // What may exist under a key, and what is being sent, there is once, even if someone forgets to look.
    `create unique index sends_live_key on sends (scope, kind, idempotency_key)
      where idempotency_key is not null and state in ('unknown', 'done')`,
    `create unique index sends_content_being_sent on sends (scope, kind, content_hash)
      where key_given = 0 and state = 'unknown'`,
    `create unique index sends_shipment on sends (scope, shipment_id)
      where kind = 'shipment' and shipment_id is not null`,
    "create index sends_key on sends (scope, idempotency_key)",
    "create index sends_content on sends (scope, content_hash)",
    "create index sends_reference on sends (scope, reference_hash)",
    "create index sends_created on sends (created_at)",
    "create index sends_open on sends (state) where state = 'unknown'",
    `create table accounts (
      account text primary key,
      scope text not null,
      address text not null,
      first_used_at text not null
    )`,
    `create table imports (
      source text primary key,
      imported_at text not null,
      entries integer not null
    )`,
  ],
  [
    // A unique index cannot say it: several keys that people gave may have the same content, and no other key may
    // stand beside them. What has no lease is not being sent: it comes from another ledger.
    {
      sqlite: [
        `create trigger sends_content_alone before insert on sends
          when new.state = 'unknown' and new.lease_until is not null
          begin
            select raise(abort, 'an equal content is being sent') from sends where ${STANDS_BESIDE};
          end`,
      ],
      postgres: [
        `create or replace function check_content_alone() returns trigger language plpgsql as $$ begin
          perform pg_advisory_xact_lock(
            hashtextextended(new.scope || '/' || new.kind || '/content:' || new.content_hash, 0));
          if exists (select from sends where ${STANDS_BESIDE}) then
            raise unique_violation using message = 'an equal content is being sent';
          end if;
          return new;
        end $$`,
        `create trigger sends_content_alone before insert on sends for each row
          when (new.state = 'unknown' and new.lease_until is not null) execute function check_content_alone()`,
      ],
    },
  ],
  [
    // A pickup for several shipments names none of them in its request.
    `create table collected (
      scope text not null,
      shipment_id text not null,
      send_id text not null,
      primary key (scope, shipment_id, send_id)
    )`,
    "create index sends_pickup on sends (scope, shipment_id) where kind = 'pickup'",
  ],
  [
    // What is found by any of its names: see `named.ts`.
    "alter table sends add column pickup_id text",
    {
      sqlite: [
        "update sends set pickup_id = json_extract(response, '$.pickupBookingId') where kind = 'pickup'",
      ],
      postgres: ["update sends set pickup_id = response::json ->> 'pickupBookingId' where kind = 'pickup'"],
    },
    "create index sends_consignment on sends (scope, consignment_number)",
    "create index sends_order on sends (scope, order_number)",
    "create index sends_customer_reference on sends (scope, reference)",
    "create index sends_pickup_id on sends (scope, pickup_id) where pickup_id is not null",
  ],
  [
    // What tracking said last: see `journeys.ts`.
    `create table journeys (
      scope text not null,
      consignment_number text not null,
      status text,
      events integer not null default 0,
      first_event_at text,
      last_event_at text,
      eta text,
      delivered_at text,
      items_received integer,
      is_cancelled integer not null default 0,
      has_label integer not null default 0,
      looked_at text not null,
      primary key (scope, consignment_number)
    )`,
  ],
  [
    // Bills that were audited, and what each of them charges for a consignment: see `bills.ts`.
    `create table bills (
      id text primary key,
      scope text not null,
      supplier text not null,
      number text not null,
      bill_date text,
      file text not null,
      amount_cents bigint not null,
      gst_cents bigint,
      gst_basis text not null,
      audited_at text not null,
      workstation text not null,
      person text not null
    )`,
    `create table billed (
      bill_id text not null,
      consignment text not null,
      shipment_id text,
      ex_gst_cents bigint,
      gst_cents bigint,
      inc_gst_cents bigint,
      unsaid_cents bigint,
      charges text not null,
      verdict text not null,
      disputed_cents bigint not null,
      primary key (bill_id, consignment)
    )`,
    "create index bills_number on bills (number)",
    "create index billed_consignment on billed (consignment)",
    "create index billed_shipment on billed (shipment_id) where shipment_id is not null",
  ],
  ["alter table sends add column why text"],
  [
    // Invoices that were checked to be sent: see `invoices.ts`.
    `create table invoices (
      supplier text not null,
      number text not null,
      amount text,
      file text not null,
      registered_at text not null,
      primary key (supplier, number)
    )`,
  ],
  [
    // Whose a shipment is, is also asked without an account.
    "drop index sends_shipment",
    `create unique index sends_shipment on sends (shipment_id, scope)
      where kind = 'shipment' and shipment_id is not null`,
  ],
  [
    // How far the ledger is, so that an older copy in its place is noticed: see `lost.ts`. Not in a database that is
    // shared: all desks would wait for each other's write of that row.
    {
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
    },
  ],
]

/** The names of the tables. */
export const TABLES = [...JSON.stringify(MIGRATIONS).matchAll(/create table (\w+)/g)].map(
  ([, name = ""]) => name,
)

/** The version that this freight makes and reads. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Makes the tables, or brings them up to this version.
 * @throws FreightError `config` when a newer freight made them
 */
export async function migrate(database: Database): Promise<void> {
  if ((await readVersion(database)) === SCHEMA_VERSION) return
  await database.transaction(async (transaction) => {
    await transaction.lock(["freight ledger schema"])
    await transaction.run("create table if not exists ledger_schema (version integer not null)")
    const [row] = await transaction.all("select version from ledger_schema")
    const version = Number(row?.version ?? 0)
    if (version > SCHEMA_VERSION) throw newerLedger(database.place, version)
    for (const migration of MIGRATIONS.slice(version))
      for (const statement of listStatements(migration, database.dialect)) await transaction.run(statement)
    await setVersion(transaction, row === undefined)
  })
}

/** The version of the tables; 0 where there are none. @throws FreightError `config` for a newer one. */
export async function readVersion(database: Database): Promise<number> {
  const found = await database.all(
    database.dialect === "sqlite"
      ? "select name from sqlite_master where type = 'table' and name = 'ledger_schema'"
      : "select tablename from pg_catalog.pg_tables where schemaname = current_schema() and tablename = 'ledger_schema'",
  )
  if (found.length === 0) return 0
  const [row] = await database.all("select version from ledger_schema")
  const version = Number(row?.version ?? 0)
  if (version > SCHEMA_VERSION) throw newerLedger(database.place, version)
  return version
}

async function setVersion(transaction: Transaction, isNew: boolean): Promise<void> {
  const sql = isNew
    ? "insert into ledger_schema (version) values (?)"
    : "update ledger_schema set version = ?"
  await transaction.run(sql, [SCHEMA_VERSION])
}

/** Times are compared as text: PostgreSQL would sort text by the rules of a language. */
function listStatements(migration: (typeof MIGRATIONS)[number], dialect: Database["dialect"]): string[] {
  const statements = migration.flatMap((each) => (typeof each === "string" ? [each] : each[dialect]))
  return dialect === "sqlite"
    ? statements
    : statements.map((statement) => statement.replace(/ text\b/g, ' text collate "C"'))
}

function newerLedger(place: string, version: number): FreightError {
  return new FreightError(
    "config",
    `the ledger in ${place} was made by a newer version of freight (schema ${version}; this one knows ${SCHEMA_VERSION})`,
    {
      hint: `${IS_EXECUTABLE ? "Replace this executable with the newest one" : "Update freight on this machine"}. Nothing was sent, and the ledger was not changed.`,
      ...(!IS_EXECUTABLE && { next: "npm install -g freight-cli" }),
    },
  )
}
