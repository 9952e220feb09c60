import path from "node:path"
import { command, printForPrograms } from "../command/index.ts"
import { checkNewName } from "../machine/index.ts"
import { counted } from "../base/counted.ts"
import { amountOf } from "../base/money.ts"
import { valueOrThrow } from "../base/parsed.ts"
import { formatDay, formatInstant, wallClockNow } from "../base/wall-clock.ts"
import { parseDay } from "../base/when.ts"
import { describeOtherPayments, readAuthor, settleDisputes } from "../bills/index.ts"
import { FreightError } from "../base/errors.ts"
import {
  type AccountRow,
  copyLedger,
  countElsewhere,
  countPrunable,
  describeAccounts,
  type DeskBehind,
  exported,
  findDesksBehind,
  LedgerLost,
  migrate,
  nameKey,
  openDatabase,
  pagesOf,
  pruneLedger,
  readCounts,
  readKeys,
  SCHEMA_VERSION,
  TABLES,
} from "../ledger/index.ts"
import { describeStrangers } from "../orders/index.ts"
import { type Column, isForPeople, jsonText, plainColumns, print } from "../output/index.ts"
import { VERSION } from "../base/version.ts"

interface LedgerStatus {
  ledger: string
  database: "sqlite" | "postgres"
  schema: number
  entries: number
  open: number
  /** Bytes on the disk, where that can be known. */
  bytes: number | null
  oldestAt: string | null
  newestAt: string | null
  /** Orders that were made twice, and that nobody has settled. */
  duplicates: number
  /** Desks that do not use this version of freight. */
  behind: readonly DeskBehind[]
  /** Shipments that were booked with other programs or ledgers, or in the portal. */
  elsewhere: number
  /** A row for each key. */
  accounts: readonly AccountRow[]
}

const statusColumns: Column<LedgerStatus>[] = [
  { key: "place", title: "LEDGER", value: ({ ledger }) => ledger },
  { key: "database", title: "DATABASE" },
  { key: "schema", title: "SCHEMA", align: "right" },
  { key: "entries", title: "ENTRIES", align: "right" },
  { key: "open", title: "OPEN", align: "right" },
  {
    key: "bytes",
    title: "SIZE",
    align: "right",
    show: ({ bytes }) => (bytes === null ? "" : `${amountOf(Math.round(bytes / 10_000))} MB`),
  },
  { key: "oldest", title: "FROM", value: ({ oldestAt }) => oldestAt },
  { key: "newest", title: "TO", value: ({ newestAt }) => newestAt },
  { key: "duplicates", title: "MADE TWICE", hidden: true },
  { key: "behind", title: "DESKS BEHIND", hidden: true, value: ({ behind }) => behind.length },
  { key: "accounts", title: "ACCOUNTS", hidden: true, value: ({ accounts }) => accounts.length },
]

const accountColumns: Column<AccountRow>[] = [
  { key: "account", title: "ACCOUNT", align: "right", rank: 1 },
  { key: "name", title: "NAME", rank: 5 },
  { key: "key", title: "KEY", rank: 2, value: ({ apiKey }) => apiKey },
  { key: "workstation", title: "DESK", rank: 3 },
  { key: "address", title: "ADDRESS", rank: 6, value: ({ baseUrl }) => baseUrl },
  { key: "why", title: "WHY", rank: 4, gives: "words" },
]

export const status = command({
  about:
    "Shows where the ledger is, how many entries it has, how large it is, and what is open. It asks no server.",
  columns: statusColumns,
  examples: ["freight ledger status --sandbox", "freight ledger status --sandbox --json"],
  async run(deps) {
    const { store } = await deps.readLedger()
    const { database } = store
    const { programs, portal } = await countElsewhere(database, undefined)
    const { oldest, newest, ...counts } = await readCounts(database)
    const found: LedgerStatus = {
      ledger: store.place,
      database: database.dialect,
      schema: SCHEMA_VERSION,
      ...counts,
      oldestAt: oldest,
      newestAt: newest,
      bytes: (await database.size(TABLES)) ?? null,
      duplicates: (await store.duplicates()).length,
      behind: await findDesksBehind(database, {
        workstation: deps.sender.workstation,
        version: VERSION,
        schema: SCHEMA_VERSION,
      }),
      elsewhere: programs + portal,
      accounts: describeAccounts(await readKeys(database)),
    }
    await print(deps, { rows: [found], columns: statusColumns, single: true })
    if (isForPeople(deps.output) && found.accounts.length > 0)
      await print(deps, { rows: found.accounts, columns: accountColumns })
    if (found.open > 0)
      await deps.note(`${found.open} with an unknown outcome: freight reconcile looks for them.`)
    for (const desk of found.behind)
      await deps.note(
        `${desk.workstation} ${describeUse(desk)}, last seen on ${formatInstant(desk.seenAt)}: update freight there.`,
      )
    if (programs > 0) await deps.note(describeStrangers(programs))
    if (found.duplicates > 0)
      await deps.note(
        `${counted(found.duplicates, "order was", "orders were")} made twice: freight today names them.`,
      )
  },
})

function describeUse({ version, schema }: DeskBehind): string {
  if (version === null) return "has not used this version of freight"
  return `uses freight ${version} (schema ${schema}; this one is ${VERSION}, schema ${SCHEMA_VERSION})`
}

const accountChangeColumns = [
  { key: "key", title: "KEY", value: ({ apiKey }: { apiKey: string }) => apiKey },
  ...plainColumns(["account", "before"]),
]

export const account = command({
  about:
    "Says which account an API key belongs to, for a key that is not used any more; of a key in use, its profile says it: " +
    "freight config set account NAME. The same name means one account, two names mean two.",
  args: [
    { takes: "<key>", about: "the key's fingerprint, as freight ledger status shows it" },
    { takes: "<name>", about: "a name for the account" },
  ],
  columns: accountChangeColumns,
  examples: ["freight ledger account 3f2a9c51d0e4 acme"],
  async run(deps, key, name) {
    checkNewName("profiles", name)
    const { store } = await deps.readLedger()
    const known = (await readKeys(store.database)).find(({ fingerprint }) => fingerprint === key)
    const named = await nameKey(store.database, key, name)
    if (named === 0)
      throw new FreightError("notFound", `the ledger knows no API key ${key}`, {
        next: "freight ledger status",
      })
    await deps.note(`The key ${key} belongs to the account ${name}.`)
    await printForPrograms(
      deps,
      { apiKey: key, account: name, before: known?.name ?? null },
      accountChangeColumns,
    )
  },
})

const copyColumns = plainColumns(["from", "to", "entries", "copied"])

export const copy = command({
  about:
    "Copies the ledger to another place: to a database that a team shares, or to a file. Entries that are already there stay " +
    "as they are, so it can be repeated. The ledger in use stays the same until the setting is changed.",
  flags: {
    to: {
      takes: "<place>",
      about: "postgres://USER@HOST/DATABASE, or a file: its full path, or ./NAME",
      isRequired: true,
    },
    from: {
      takes: "<place>",
      about: "another ledger than the one in use, such as the one that was used before",
    },
  },
  columns: copyColumns,
  examples: ["freight ledger copy --sandbox --to ./ledger-copy.db"],
  async run(deps, { to, from }) {
    const resolve = (text: string) => (/^\.{1,2}[/\\]/.test(text) ? path.resolve(text) : text)
    const place = resolve(to)
    const other =
      from === undefined ? undefined : await openDatabase(resolve(from), "--from", deps.ledgerPorts)
    if (other) await migrate(other)
    const source = other ?? (await deps.readLedger()).store.database
    const target = await openDatabase(place, "--to", deps.ledgerPorts)
    try {
      if (target.place === source.place)
        throw new FreightError("usage", `the ledger is already in ${source.place}`)
      await migrate(target)
      const others = await describeOtherPayments(source, target)
      const copied = await copyLedger(source, target)
      for (const other of others) await deps.warn(other)
      await settleDisputes(target, readAuthor(deps))
      const rows = [{ from: source.place, to: target.place, ...copied }]
      await print(deps, { rows, columns: copyColumns, single: true })
      if (!other) await deps.note(`To use it from now on: freight config set ledger ${target.place}`)
    } finally {
      await other?.close()
      await target.close()
    }
  },
})

const exportAll = command({
  about: "Writes the whole ledger as NDJSON: one entry per line, with the column names of the database.",
  examples: ["freight ledger export --sandbox > ledger.ndjson"],
  formats: ["ndjson"],
  endsWithReader: true,
  async run(deps) {
    const { store } = await deps.readLedger()
    for await (const rows of pagesOf(store.database)) {
      deps.signal.throwIfAborted()
      await deps.terminal.stdout.write(rows.map((row) => `${jsonText(exported(row))}\n`).join(""))
    }
  },
})

/** Longer than quotes, disputes about duplicates and files that are run again are about. */
const KEPT_DAYS = 90
const KEPT_MS = KEPT_DAYS * 24 * 3_600_000

const pruneColumns = plainColumns(["ledger", "before", "removed"])

export const prune = command({
  about:
    "Removes settled entries from before the given day. Open entries stay, and so does what the carrier has but the API does " +
    "not. The key of a removed entry is forgotten, and a file that has that order would book it again: name a day before " +
    `the oldest file that may still be run. Each key stays known for at least ${KEPT_DAYS} days.`,
  flags: {
    before: {
      takes: "<day>",
      about: `a day, at least ${KEPT_DAYS} days ago: 2026-01-01, 1 Jan 2026`,
      isRequired: true,
      read: parseDayToPrune,
    },
    dryRun: { about: "count what would be removed, and remove nothing" },
  },
  columns: pruneColumns,
  examples: ["freight ledger prune --sandbox --before 2020-01-01"],
  async run(deps, { before, dryRun }) {
    const { store } = await deps.readLedger()
    const count = dryRun ? countPrunable : pruneLedger
    const removed = await count(store.database, new Date(before).toISOString())
    const rows = [{ ledger: store.place, before, removed }]
    await print(deps, { rows, columns: pruneColumns, single: true })
    if (dryRun) return void (await deps.note("Nothing was removed: these would be."))
    const keptUntil = formatDay(wallClockNow(deps.clock.now() + KEPT_MS))
    await deps.note(
      `Orders sent before ${before} are forgotten: a file that has one of them would book it again. ` +
        `What is sent today stays known until ${keptUntil} at least.`,
    )
  },
})

function parseDayToPrune(text: string, flag: string, now: number): string {
  const day = valueOrThrow(
    parseDay(text, () => wallClockNow(now), "past"),
    flag,
  )
  if (Date.parse(day) <= now - KEPT_MS) return day
  throw new FreightError(
    "usage",
    `${flag} takes a day at least ${KEPT_DAYS} days ago: newer entries prevent double bookings`,
  )
}

const acceptColumns = plainColumns(["ledger", "loss", "accepted"])

export const accept = command({
  about:
    "Goes on with the ledger's file as it is, after freight refused it: it is gone, or an older copy of itself, or another " +
    "ledger. Put the right file back instead if you can. What only that one knows may be booked again after this.",
  flags: { yes: { about: "do not ask" } },
  columns: acceptColumns,
  examples: ["freight ledger accept --sandbox --yes"],
  async run(deps, { yes }) {
    let lost: LedgerLost | undefined
    const ledger = await deps.readLedger().then(
      ({ store }) => store.place,
      (error) => {
        if (!(error instanceof LedgerLost)) throw error
        lost = error
        return lost.file
      },
    )
    const show = (accepted: boolean) =>
      print(deps, {
        rows: [{ ledger, loss: lost?.loss ?? null, accepted }],
        columns: acceptColumns,
        single: true,
      })
    if (!lost) {
      await show(false)
      await deps.note("There is nothing to accept: it is the ledger that was used last.")
      return
    }
    if (!yes) {
      if (!deps.interactive)
        throw new FreightError("usage", `${lost.message}: add --yes to go on anyway`, {
          hint: lost.hint,
        })
      await deps.warn(lost.message)
      if (!(await (await deps.prompt()).confirm("Go on anyway?", false))) {
        await deps.note("Nothing was changed.")
        return
      }
    }
    lost.accept()
    await show(true)
    await deps.note(
      "Before you run a file of orders again, compare it with what was booked: freight shipments list.",
    )
  },
})

export { exportAll as export }
