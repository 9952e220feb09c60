/** Ledgers of every version that is read: each opens, and answers as it did. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { systemClock } from "../../src/machine/host.ts"
import { type Json, type JsonObject, put } from "../../src/base/json.ts"
import { LASTING_FIELDS, PREFERENCE_FIELDS } from "../../src/contract/fields/own.ts"
import { foldInvoiceNumber } from "../../src/base/order-number.ts"
import { referenceHash } from "../../src/ledger/content.ts"
import { migrate, OLDEST_VERSION, readVersion } from "../../src/ledger/schema.ts"
import { SCHEMA_VERSION } from "../../src/ledger/version.ts"
import type { Database, DatabaseRow } from "../../src/ledger/database/database.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { startSandbox } from "../../src/sandbox/server.ts"
import { desk, errorIn } from "../acceptance/freight.ts"
import { draw } from "../drawn.ts"
import { synchronousDriver } from "../simulation/driver.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import { failure, temporaryDir, testClock } from "./setup.ts"
import {
  describeSchema,
  type LedgerFixture,
  loadIntoFile,
  loadIntoPostgres,
  readFixture,
  VERSIONS,
} from "./versions.ts"

it("there is a ledger of each version: npm run ledger-fixture keeps one of this version", () => {
  const all = Array.from({ length: SCHEMA_VERSION - OLDEST_VERSION + 1 }, (_, n) => OLDEST_VERSION + n)
  expect(VERSIONS).toEqual(all)
  for (const version of VERSIONS) expect(readFixture(version).version).toBe(version)
})

const OLDER = VERSIONS.filter((version) => version < SCHEMA_VERSION)
/** An office that works on a ledger takes seconds. */
const DRAWN = [...draw(OLDER), SCHEMA_VERSION]
/** Preferences that any service of the fixtures meets. The account is given by a flag. */
const WISHED = { maxPrice: 5000, within: 300, onTime: 1, avoid: ["C"], arriveBy: "2028-01-31" }
/** The first that keeps order numbers, by which a claim is decided. */
const NUMBERED = 13

/** The first that keeps what a carrier has cancelled on the phone. */
const CANCELLING = 22

interface Kind {
  name: string
  isThere: boolean
  /** The setting of a ledger with what the fixture has, or of an empty one. */
  load(fixture: LedgerFixture | undefined): Promise<string>
  open(address: string): Promise<Database>
}

const KINDS: Kind[] = [
  {
    name: "SQLite",
    isThere: true,
    load: (fixture) =>
      fixture ? loadIntoFile(fixture) : Promise.resolve(path.join(temporaryDir(), "ledger.db")),
    async open(file) {
      const database = openSqlite(file, { driver: synchronousDriver, clock: systemClock })
      onTestFinished(() => database.close())
      await migrate(database)
      return database
    },
  },
  {
    name: "PostgreSQL",
    isThere: SERVER !== undefined,
    load: (fixture) => (fixture ? loadIntoPostgres(fixture) : newDatabase()),
    open: connectTo,
  },
]

/** Commands for each ledger: they change nothing, and their output is in versions/VERSION.txt. */
const QUESTIONS = [
  "history --format csv --fields key,kind,state,sentAt,about,shipmentId,consignmentNumber,priceIncGst,workstation,note",
  "history --spend carrier",
  "history --search ORD-B-000005 --fields id",
  "ledger status --fields entries,open,oldest,newest,duplicates,accounts --json",
  "audit INV-1.csv --offline --no-remember --format csv",
  "report spend --since 2026-11-01 --format csv",
  "report accruals --format csv --offline",
  "report clearing --format csv",
  "report disputes --format csv",
  "disputes --all --format csv",
  "disputes show STRANGER",
  "disputes credits --format csv",
  "pay --list --format csv",
  "places list --format csv",
  "today --format csv",
]

const BILL = `Invoice Number,Invoice Date,Carrier,Consignment,Charge,Weight kg,Ship Date,Amount ex GST,GST,Amount inc GST
INV-1,2026-11-24,Carrier A,SBB00000005,Freight,11,2026-11-18,900.00,90.00,990.00
INV-1,2026-11-24,Carrier A,SBB00000006,Freight,2,2026-11-18,29.53,2.95,32.48
`

/** Tables of older versions whose rows are in others now, and of each version what the database writes itself. */
const REPLACED = ["accounts", "imports", "ledger_schema", "ledger_mark"]

const WHERE_IT_WAS = "localhost:18080"

/** An office that has such a ledger, a minute after it was kept, and the service that its keys are of. */
async function openOffice(version: number, kind: Kind) {
  const clock = testClock(Date.parse(readFixture(version).at) + 60_000)
  let made = 0
  const sent: string[] = []
  const sandbox = await startSandbox({
    dir: temporaryDir(),
    clock,
    ids: { uuid: () => `11111111-0000-4000-8000-${String(++made).padStart(12, "0")}` },
    onRequest: ({ method, path: url, status }) => {
      if (method === "POST") sent.push(`${url} ${status}`)
    },
  })
  onTestFinished(() => sandbox.close())
  const where = `localhost:${sandbox.port}`
  const fixture = readFixture(version, { [WHERE_IT_WAS]: where })
  const address = await kind.load(fixture)
  const office = await desk({ ...sandbox, keys: {} })
  const env = { FREIGHT_LEDGER: address, FREIGHT_WORKSTATION: "office", USER: "ann" }
  await writeFile(path.join(office.folder, "INV-1.csv"), BILL)
  /** The request that an entry sent, and the words that book it again. */
  const order = (key: string) => {
    const row = fixture.rows.sends?.find((each) => each.idempotency_key === key)
    const request = JSON.parse(String(row?.request)) as Record<string, unknown>
    const words = ["book", "--file", "-", "--key", key, "--connector", String(row?.connector_id)]
    return { request, words: [...words, "--no-rate", "--allow-past", "--json"] }
  }
  const freight = (words: readonly string[], input = "") =>
    office.freight(words, { env, input, now: clock.now() })
  return {
    freight,
    sent,
    /** Books again what was sent under a key, as it was or changed. */
    bookAgain(key: string, changes: Record<string, unknown> = {}, ...more: string[]) {
      const { request, words } = order(key)
      return freight([...words, ...more], JSON.stringify({ ...request, ...changes }))
    },
    /** Books again under another key what was sent under one, with a property of freight's own. */
    bookUnder(key: string, other: string, at: string, value: Json) {
      const { request, words } = order(key)
      put(request as JsonObject, at.split("."), value)
      return freight(
        words.map((word) => (word === key ? other : word)),
        JSON.stringify(request),
      )
    },
    /** Text without what is new each time. */
    withoutPlaces: (text: string) => text.replaceAll(address, "LEDGER").replaceAll(where, WHERE_IT_WAS),
    shipmentOf: (key: string) =>
      fixture.rows.sends?.find((each) => each.idempotency_key === key && each.duplicate_of === undefined)
        ?.shipment_id,
  }
}

/** PostgreSQL gives some numbers as texts. */
const toTexts = (row: DatabaseRow) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => column !== HASHED_AGAIN)
      .map(([column, value]) => [column, String(value)]),
  )

/** The column that finds entries equal to a new one: see the last test. */
const HASHED_AGAIN = "reference_hash"

const ELSEWHERE = {
  companyName: "Swan Fittings",
  address1: "1 Hay Street",
  suburb: "Perth",
  state: "WA",
  postcode: "6000",
}

describe.each(KINDS)("$name", (kind) => {
  const on = it.runIf(kind.isThere)

  on.each(VERSIONS)("brings version %i up to the tables that are made anew", async (version) => {
    const database = await kind.open(await kind.load(readFixture(version)))
    const fresh = await kind.open(await kind.load(undefined))
    expect(await readVersion(database)).toBe(SCHEMA_VERSION)
    expect(await describeSchema(database)).toEqual(await describeSchema(fresh))
  })

  on.each(VERSIONS)("keeps each row of version %i", async (version) => {
    const fixture = readFixture(version)
    const database = await kind.open(await kind.load(fixture))
    for (const [table, rows] of Object.entries(fixture.rows)) {
      if (REPLACED.includes(table)) continue
      const found = (await database.all(`select * from ${table}`)).map(toTexts)
      expect([table, found.length]).toEqual([table, rows.length])
      // Version 22 compares the numbers of invoices in another spelling.
      const kept = rows.map((row) =>
        table === "invoices" ? { ...row, number: foldInvoiceNumber(String(row.number)) } : row,
      )
      expect(found).toEqual(expect.arrayContaining(kept.map((row) => expect.objectContaining(toTexts(row)))))
    }
  })

  on.each(VERSIONS)("records what a desk had sent that has version %i open still", async (version) => {
    const fixture = readFixture(version)
    const database = await kind.open(await kind.load(fixture))
    const find = () =>
      database.all("select state, shipment_id, lease_until from sends where idempotency_key = 'PO-9'")
    const { renewal, outcome } = fixture.statements
    expect(await find()).toMatchObject([{ state: "unknown", shipment_id: null }])
    expect(await database.run(...renewal)).toBe(1)
    expect(await database.run(...outcome)).toBe(1)
    expect(await find()).toMatchObject([
      { state: "done", shipment_id: expect.any(String), lease_until: null },
    ])
  })

  on.each(OLDER.filter((version) => version >= NUMBERED))(
    "takes a claim of a desk that has version %i open still: it knows all that a claim is decided by",
    async (version) => {
      const fixture = readFixture(version)
      const database = await kind.open(await kind.load(fixture))
      const [sql, parameters] = fixture.statements.claim
      await database.run("delete from sends where idempotency_key = 'PO-9'")
      expect(await database.run(sql, parameters)).toBe(1)
    },
  )

  on.each(OLDER.filter((version) => version < NUMBERED))(
    "takes no claim of a desk that has version %i open still",
    async (version) => {
      const fixture = readFixture(version)
      const database = await kind.open(await kind.load(fixture))
      const [sql, parameters] = fixture.statements.claim
      const another = parameters.map((value) =>
        typeof value === "string" ? value.replace(/^(po)-9/i, "$1-10") : value,
      )
      expect(another).not.toEqual(parameters)
      const before = await database.all("select id from sends order by id")
      // The older version reports that the ledger cannot be used (exit code 2), with this message.
      expect(await failure(database.run(sql, another))).toMatchObject({
        kind: "config",
        message: expect.stringContaining(
          "a newer freight has updated this ledger: update freight on this machine",
        ),
      })
      expect(await database.all("select id from sends order by id")).toEqual(before)
    },
  )

  on("fills in the order number of each entry that an older version wrote, of any number", async () => {
    const fixture = readFixture(NUMBERED - 1)
    const [row] = fixture.rows.sends?.filter((each) => each.idempotency_key === "PO-1") ?? []
    const many = Array.from({ length: 1_001 }, (_, n) => ({
      ...row,
      ...{ id: `old-${n}`, idempotency_key: `PO-00${1000 + n}`, shipment_id: null, state: "refused" },
    }))
    const sends = [...(fixture.rows.sends ?? []), ...many]
    const database = await kind.open(await kind.load({ ...fixture, rows: { ...fixture.rows, sends } }))
    const numbers = await database.all(
      "select normalized_number as number from sends where id like 'old-%' order by 1",
    )
    expect(numbers).toEqual(many.map((_, n) => ({ number: `po-${1000 + n}` })))
    expect(await database.all("select id from sends where normalized_number is null")).toEqual([])
  })

  on.each(DRAWN)("looks up, audits and reports of version %i as expected", async (version) => {
    const { freight, withoutPlaces, sent } = await openOffice(version, kind)
    const said: string[] = []
    // The first of those that nobody has booked.
    const disputes = readFixture(version).rows.disputes?.map(({ consignment }) => String(consignment)) ?? []
    const stranger = disputes.find((name) => /^ZZ1|901$/.test(name)) ?? "ZZ100"
    for (const each of QUESTIONS) {
      const question = each.replace("STRANGER", stranger)
      const { code, stdout } = await freight(question.split(" "))
      said.push(`$ freight ${question}`, `exit code ${code}`, withoutPlaces(stdout))
    }
    await expect(said.join("\n")).toMatchFileSnapshot(`versions/${version}.txt`)
    expect(sent).toEqual([])
  })

  on.each(DRAWN)(
    "books on a ledger of version %i what is new, and nothing that it knows",
    async (version) => {
      const { bookAgain, sent, shipmentOf } = await openOffice(version, kind)
      for (const key of ["PO-1", "PO-2", "PO-3", "PO-6 sandbox:booked-502", "B-1"]) {
        const { code, json, stderr } = await bookAgain(key)
        expect([key, code], stderr).toEqual([key, 0])
        expect(json()).toMatchObject({ shipmentId: shipmentOf(key) })
        expect(stderr).toContain("Booked before under this key")
      }
      const { code, stderr } = await bookAgain("PO-1", { receiver: ELSEWHERE })
      expect([code, errorIn(stderr).message]).toEqual([1, expect.stringContaining("has changed")])
      if (version >= CANCELLING) {
        const taken = await bookAgain("PO-10")
        expect([taken.code, errorIn(taken.stderr).message]).toEqual([
          1,
          expect.stringMatching(/cancelled on .*, confirmed by Kim, 13 20 50; its key stays taken$/),
        ])
      }
      // PO-9 was being sent when the ledger was kept. From version 19 on the look of a later booking has settled PO-8.
      for (const key of version < 19 ? ["PO-8", "PO-9"] : ["PO-9"]) {
        const unknown = await bookAgain(key)
        expect([key, unknown.code, errorIn(unknown.stderr).kind]).toEqual([key, 7, "outcomeUnknown"])
      }
      expect(sent).toEqual([])
      const released = await bookAgain("PO-7")
      expect(released.code, released.stderr).toBe(0)
      expect(sent).toEqual(["/freight/v0/connector-b/shipments 201"])
      const again = await bookAgain("PO-7")
      expect([again.code, again.json().shipmentId]).toEqual([0, released.json().shipmentId])
      expect(sent).toHaveLength(1)
    },
  )

  on.each(DRAWN)(
    "books no order of a ledger of version %i again for what is kept beside it",
    async (version) => {
      const { bookUnder, sent, shipmentOf } = await openOffice(version, kind)
      const properties = LASTING_FIELDS.flatMap(({ path: at, flag }) =>
        (flag.kind === "yesNo" ? [true, false] : ["Sales"]).map((value) => ({ at, value })),
      )
      const wishes = PREFERENCE_FIELDS.flatMap(({ column: { name: at } }) =>
        at === "connector" ? [] : [{ at, value: WISHED[at] }],
      )
      const said: { at: string; value: Json }[] = [...properties, ...wishes]
      for (const key of ["PO-1", "PO-2"])
        for (const { at, value } of said) {
          const same = await bookUnder(key, key, at, value)
          expect([at, same.code], same.stderr).toEqual([at, 0])
          expect(same.json()).toMatchObject({ shipmentId: shipmentOf(key) })
          const other = await bookUnder(key, `${key}-OTHER`, at, value)
          expect([at, other.code, errorIn(other.stderr)], other.stderr).toMatchObject([
            at,
            1,
            { kind: "refused", message: expect.stringContaining(`under the key ${key},`) },
          ])
        }
      expect(sent.filter((each) => !each.includes("/rates"))).toEqual([])
    },
  )

  on.each(DRAWN)(
    "writes down that an order of version %i is cancelled, and books it again in its place alone",
    async (version) => {
      const { freight, bookAgain, sent, shipmentOf } = await openOffice(version, kind)
      const noted = await freight(["cancel", "PO-1", "--confirmed", "Kim", "--json"])
      expect(noted.code, noted.stderr).toBe(0)
      expect(noted.json()).toMatchObject({ state: "cancelled", shipmentId: shipmentOf("PO-1") })
      const taken = await bookAgain("PO-1")
      expect([taken.code, errorIn(taken.stderr).message]).toEqual([
        1,
        expect.stringContaining("confirmed by Kim; its key stays taken"),
      ])
      expect(sent).toEqual([])
      const replaced = await bookAgain("PO-1", {}, "--replaces")
      expect(replaced.code, replaced.stderr).toBe(0)
      const again = await bookAgain("PO-1", {}, "--replaces")
      expect([again.code, again.json().shipmentId]).toEqual([0, replaced.json().shipmentId])
      expect(sent).toHaveLength(1)
    },
  )

  on.each(DRAWN)(
    "brings back an order of version %i once, and asks for what that does not know",
    async (version) => {
      const { freight, sent } = await openOffice(version, kind)
      const words = [
        "book",
        "--return-of",
        "PO-1",
        "--connector",
        "connector-b",
        "--service",
        "GEN",
        "--json",
      ]
      const asked = await freight(words)
      expect([asked.code, errorIn(asked.stderr).errors]).toEqual([
        2,
        expect.arrayContaining([expect.objectContaining({ field: "collectionDateTime" })]),
      ])
      const times = ["--ready", "in 3 days 10:00", "--close", "17:00"]
      const booked = await freight([...words, ...times])
      expect([booked.code, booked.json<{ freight: object }>().freight], booked.stderr).toMatchObject([
        0,
        { reference: "RETURN-OF-PO-1" },
      ])
      const again = await freight([...words, ...times])
      expect([again.code, errorIn(again.stderr).message]).toEqual([
        1,
        expect.stringContaining("these packages of PO-1 come back already"),
      ])
      expect(sent.filter((each) => !each.includes("/rates"))).toHaveLength(1)
    },
  )

  on.each([18, 19, 21])(
    "brings numbers and hashes of version %i to the spelling that is compared by now",
    async (version) => {
      const fixture = readFixture(version)
      const [booked] = fixture.rows.sends?.filter(({ idempotency_key: key }) => key === "PO-2") ?? []
      const old = (reference: string, number: string) => {
        const request = { ...JSON.parse(String(booked?.request)), customerReference: reference }
        return {
          ...{ ...booked, reference, request: JSON.stringify(request) },
          ...{ id: reference, claim_token: reference, shipment_id: reference, idempotency_key: reference },
          ...{ normalized_number: number, reference_hash: "of version 18" },
        }
      }
      const [stranger] = fixture.rows.elsewhere ?? []
      const listed = {
        ...(stranger ?? { scope: "s", created_at: "2026-11-01", is_cancelled: 0, goods_hash: "" }),
        ...{ shipment_id: "shp-9", normalized_number: "#-1002", read_at: "2026-11-01T00:00:00.000Z" },
        detail: JSON.stringify({
          ...JSON.parse(String(stranger?.detail ?? "{}")),
          customerReference: "#1002",
        }),
      }
      const registered = (number: string, at: string) => ({
        ...{ supplier: "S-1", number, amount: null, file: "a.json", registered_at: at },
      })
      const rows = {
        ...fixture.rows,
        sends: [
          ...(fixture.rows.sends ?? []),
          old("#1001", "#-1001"),
          old("2028.010", "2028-10"),
          old("Order #1003", "order-#-1003"),
          old("PO-1#2", "po-1-#-2"),
          // As versions 13 to 19 compared it: a filler was a letter.
          old("PO-\u31643", "po-\u1160-3"),
        ],
        elsewhere: [listed],
        invoices: [
          registered("INV-1", "2026-11-01T00:00:00.000Z"),
          registered("INV-1\u200b", "2026-11-02T00:00:00.000Z"),
          registered("INV-\u00ad2", "2026-11-02T00:00:00.000Z"),
          registered("INV-\u11603", "2026-11-02T00:00:00.000Z"),
          // As version 20 compared them: dashes, zeros and separators counted.
          registered("INV\u20131", "2026-11-03T00:00:00.000Z"),
          registered("INV 004", "2026-11-03T00:00:00.000Z"),
          registered("--", "2026-11-03T00:00:00.000Z"),
        ],
      }
      const database = await kind.open(await kind.load({ ...fixture, rows }))
      const { receiver } = JSON.parse(String(booked?.request))
      const found = await database.all(
        "select reference, normalized_number as number, reference_hash as hash from sends where id in ('#1001', '2028.010', 'Order #1003', 'PO-1#2', 'PO-\u31643') order by reference",
      )
      expect(found.map(({ reference, number, hash }) => [reference, number, hash])).toEqual([
        ["#1001", "1001", referenceHash("1001", receiver)],
        ["2028.010", "2028.01", referenceHash("2028.01", receiver)],
        ["Order #1003", "1003", referenceHash("1003", receiver)],
        ["PO-1#2", "po-1-#-2", referenceHash("po 1#2", receiver)],
        ["PO-\u31643", "po-3", referenceHash("PO-3", receiver)],
      ])
      expect(await database.all("select normalized_number as number from elsewhere")).toEqual([
        { number: "1002" },
      ])
      const invoices = await database.all("select number, registered_at as at from invoices order by number")
      expect(invoices).toEqual([
        { number: "--", at: "2026-11-03T00:00:00.000Z" },
        { number: "inv-1", at: "2026-11-01T00:00:00.000Z" },
        { number: "inv-2", at: "2026-11-02T00:00:00.000Z" },
        { number: "inv-3", at: "2026-11-02T00:00:00.000Z" },
        { number: "inv-4", at: "2026-11-03T00:00:00.000Z" },
      ])
    },
  )

  on(
    "hashes references of version 20 again that may be one by now, and keys that are the only name",
    async () => {
      const fixture = readFixture(20)
      const [booked] = fixture.rows.sends?.filter(({ idempotency_key: key }) => key === "PO-2") ?? []
      const { customerReference: _, ...request } = JSON.parse(String(booked?.request))
      const old = (key: string, reference?: string) => ({
        ...booked,
        ...{ id: key, claim_token: key, shipment_id: key, idempotency_key: key, normalized_number: key },
        ...{ reference: reference ?? null, reference_hash: "of version 20" },
        request: JSON.stringify({ ...request, customerReference: reference }),
      })
      const kept = [old("A", "5050.10"), old("5060.10"), old("5070"), old("B", "5080")]
      const rows = { ...fixture.rows, sends: [...(fixture.rows.sends ?? []), ...kept] }
      const database = await kind.open(await kind.load({ ...fixture, rows }))
      const found = await database.all(
        "select id, reference_hash as hash from sends where id in ('A', '5060.10', '5070', 'B') order by id",
      )
      expect(found.map(({ id, hash }) => [id, hash])).toEqual([
        ["5060.10", referenceHash("5060.1", request.receiver)],
        ["5070", "of version 20"],
        ["A", referenceHash("5050.1", request.receiver)],
        ["B", "of version 20"],
      ])
    },
  )

  on("hashes the references of the last day again, in the spelling that is compared", async () => {
    const fixture = readFixture(NUMBERED - 1)
    const hashed = fixture.rows.sends?.find(({ reference_hash: hash, kind }) => hash && kind === "shipment")
    const copy = (id: string, at: string) => ({
      ...hashed,
      ...{ id, idempotency_key: id, claim_token: id, shipment_id: id, state: "done", duplicate_of: null },
      ...{ created_at: at, settled_at: null, reference_hash: "of an older version" },
    })
    const copies = [copy("late", new Date().toISOString()), copy("early", "2026-01-01T00:00:00.000Z")]
    const sends = [...(fixture.rows.sends ?? []), ...copies]
    const database = await kind.open(await kind.load({ ...fixture, rows: { ...fixture.rows, sends } }))
    const hashes = await database.all("select id, reference_hash from sends where id in ('early', 'late')")
    const { customerReference, receiver } = JSON.parse(String(hashed?.request))
    expect(hashes).toHaveLength(copies.length)
    expect(hashes).toEqual(
      expect.arrayContaining([
        { id: "early", reference_hash: "of an older version" },
        { id: "late", reference_hash: referenceHash(customerReference, receiver) },
      ]),
    )
  })
})
