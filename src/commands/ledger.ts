import { command, printForPrograms } from "../command/index.ts"
import { checkNewName } from "../machine/index.ts"
import { amountOf } from "../base/money.ts"
import {
  type AccountRow,
  KEPT_DAYS,
  type LedgerStatus,
  setAccountName,
  pagesOf,
  readDayToPrune,
} from "../ledger/index.ts"
import { type Column, isForPeople, jsonText, plainColumns, print } from "../output/index.ts"

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
    const { readStatus } = await import("../ledger/maintenance/status.ts")
    const { store } = await deps.readLedger()
    const { status, notes } = await readStatus(store, deps.sender.workstation)
    await print(deps, { rows: [status], columns: statusColumns, single: true })
    if (isForPeople(deps.output) && status.accounts.length > 0)
      await print(deps, { rows: status.accounts, columns: accountColumns })
    for (const note of notes) await deps.note(note)
  },
})

const accountChangeColumns = [
  { key: "key", title: "KEY", value: ({ apiKey }: { apiKey: string }) => apiKey },
  ...plainColumns(["account", "before"]),
]

export const account = command({
  about:
    "Says which account an API key belongs to, for a key that is not used any more. For a key in use, set it in its profile: " +
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
    const before = (await setAccountName(store.database, key, name)) ?? null
    await deps.note(`The key ${key} belongs to the account ${name}.`)
    await printForPrograms(deps, { apiKey: key, account: name, before }, accountChangeColumns)
  },
})

const copyColumns = plainColumns(["from", "to", "entries", "copied"])

export const copy = command({
  about:
    "Copies the ledger to another place: to a database that a team shares, or to a file. Entries that are already there stay " +
    "as they are, so it can be repeated. The ledger in use stays the same until the setting is changed.",
  flags: {
    toLedger: {
      formerly: ["--to"],
      takes: "<ledger>",
      about: "postgres://USER@HOST/DATABASE, or a file: its full path, or ./NAME",
      isRequired: true,
    },
    fromLedger: {
      formerly: ["--from"],
      takes: "<ledger>",
      about: "another ledger than the one in use, such as the one that was used before",
    },
  },
  columns: copyColumns,
  examples: ["freight ledger copy --sandbox --to-ledger ./ledger-copy.db"],
  async run(deps, { toLedger: to, fromLedger: from }) {
    const { copyWithBills } = await import("../bills/copy.ts")
    const copied = await copyWithBills(deps, { to, from })
    await print(deps, { rows: [copied], columns: copyColumns, single: true })
    if (from === undefined) await deps.note(`To use it from now on: freight config set ledger ${copied.to}`)
  },
})

const exportAll = command({
  about: "Writes the whole ledger as NDJSON: one entry per line, with the column names of the database.",
  examples: ["freight ledger export --sandbox > ledger.ndjson"],
  formats: ["ndjson"],
  endsWithReader: true,
  async run(deps) {
    const { exported } = await import("../ledger/maintenance/admin.ts")
    const { store } = await deps.readLedger()
    for await (const rows of pagesOf(store.database)) {
      deps.signal.throwIfAborted()
      await deps.terminal.stdout.write(rows.map((row) => `${jsonText(exported(row))}\n`).join(""))
    }
  },
})

const pruneColumns = plainColumns(["ledger", "before", "removed"])

export const prune = command({
  about:
    "Removes settled entries from before the given day. Open entries stay, and so do bookings that the carrier has but the API does " +
    "not. The key of a removed entry is forgotten, and a file that has that order would book it again: name a day before " +
    `the oldest file that may still be run. Each key stays known for at least ${KEPT_DAYS} days.`,
  flags: {
    before: {
      takes: "<day>",
      about: `a day, at least ${KEPT_DAYS} days ago: 2026-01-01, 1 Jan 2026`,
      isRequired: true,
      read: readDayToPrune,
    },
    dryRun: { about: "count what would be removed, and remove nothing" },
  },
  columns: pruneColumns,
  examples: ["freight ledger prune --sandbox --before 2020-01-01"],
  async run(deps, { before, dryRun = false }) {
    const { pruneBefore } = await import("../ledger/maintenance/admin.ts")
    const { store } = await deps.readLedger()
    const { removed, note } = await pruneBefore(store.database, before, deps.clock.now(), dryRun)
    await print(deps, {
      rows: [{ ledger: store.place, before, removed }],
      columns: pruneColumns,
      single: true,
    })
    await deps.note(note)
  },
})

const acceptColumns = plainColumns(["ledger", "loss", "accepted"])

export const accept = command({
  about:
    "Goes on with the ledger's file as it is, after freight refused it: it is gone, or an older copy of itself, or another " +
    "ledger. Put the right file back instead if you can. Orders that only the right file knows may be booked again after this.",
  flags: { yes: { about: "do not ask before it is done" } },
  columns: acceptColumns,
  examples: ["freight ledger accept --sandbox --yes"],
  async run(deps, { yes = false }) {
    const { acceptLedger } = await import("../ledger/maintenance/accept.ts")
    const { outcome, ...file } = await acceptLedger(deps, yes)
    if (outcome !== "kept refused")
      await print(deps, {
        rows: [{ ...file, accepted: outcome === "accepted" }],
        columns: acceptColumns,
        single: true,
      })
    await deps.note(ACCEPTED_WORDS[outcome])
  },
})

const ACCEPTED_WORDS = {
  "nothing to accept": "There is nothing to accept: it is the ledger that was used last.",
  "kept refused": "Nothing was changed.",
  accepted: "Before you run a file of orders again, compare it with what was booked: freight shipments list.",
} as const

export { exportAll as export }
