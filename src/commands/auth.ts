import { apiFlag, CHANGE_COLUMNS, command, printChanges, toChange } from "../command/index.ts"
import type { ApiStatus, LoginRow } from "../machine/index.ts"
import { type Column, print } from "../output/index.ts"

const loginColumns: Column<LoginRow>[] = [
  { key: "profile", title: "PROFILE" },
  { key: "api", title: "API" },
  { key: "baseUrl", title: "ADDRESS" },
  { key: "key", title: "KEY", value: ({ apiKey }) => apiKey },
  { key: "checked", title: "TRIED", show: ({ checked }) => (checked ? "works" : "no") },
]

export const login = command({
  about:
    "Saves the addresses and keys of the APIs in a profile, after trying them. On a terminal it asks for them, hides the " +
    "keys, and then offers to choose this workstation's print device and where your goods are collected; every " +
    "question may be skipped. In a script it reads one key from standard input.",
  flags: {
    apiKeyStdin: { formerly: ["--with-key"], about: "read one API key from standard input" },
    ...apiFlag("only this API; --api-key-stdin sets one API (default: freight)"),
    baseUrl: { takes: "<url>", about: "the API's address" },
    offline: { formerly: ["--no-check"], about: "do not ask the API: save without trying them" },
  },
  columns: loginColumns,
  examples: [
    "freight auth login",
    "freight auth login --profile wholesale --api direct-print",
    "freight auth login --api-key-stdin --base-url https://freight.example.com/v1",
  ],
  async run(deps, options) {
    const { signIn } = await import("../machine/config/sign-in.ts")
    const rows = await signIn(deps, options)
    await print(deps, { rows, columns: loginColumns })
    if (options.apiKeyStdin) return
    const { setUpDesk } = await import("../orders/wizard/desk-setup.ts")
    const apis = rows.map(({ api }) => api)
    await setUpDesk(deps, deps.settings.profile().name, apis)
  },
})

const statusColumns: Column<ApiStatus>[] = [
  { key: "api", title: "API", rank: 1, gives: "nothing" },
  { key: "baseUrl", title: "ADDRESS", rank: 6 },
  { key: "key", title: "KEY", rank: 4, value: ({ apiKey }) => apiKey },
  { key: "from", title: "FROM", rank: 5, gives: "words" },
  {
    key: "works",
    title: "WORKS",
    rank: 2,
    isState: true,
    show: ({ works }) => (works === null ? "-" : works ? "yes" : "no"),
  },
  {
    key: "scopes",
    title: "SCOPES",
    rank: 7,
    gives: "words",
    show: ({ scopes }) =>
      Object.entries(scopes ?? {})
        .map(([name, has]) => `${name}: ${PERMISSION_WORDS[String(has)]}`)
        .join(", ") || "-",
  },
  { key: "message", title: "STATUS", rank: 3, gives: "words" },
]

const PERMISSION_WORDS: Readonly<Record<string, string>> = { true: "yes", false: "no", unknown: "unknown" }

export const status = command({
  about: "Shows, for each API, which key is used, where it comes from, and whether it works.",
  columns: statusColumns,
  examples: ["freight auth status --sandbox", "freight auth status --sandbox --json"],
  async run(deps) {
    const { readSignedIn } = await import("../machine/config/sign-in.ts")
    const { statuses, problem } = await readSignedIn(deps)
    const { name } = deps.settings.profile()
    await print(deps, {
      summary: { profile: deps.globals.sandbox ? null : name },
      rows: statuses,
      columns: statusColumns,
    })
    if (problem) throw problem
  },
})

export const logout = command({
  about: "Removes the keys of the profile in use from this machine. Its other settings stay.",
  flags: { all: { about: "the keys of every profile" } },
  columns: CHANGE_COLUMNS,
  examples: ["freight auth logout", "freight auth logout --all"],
  async run(deps, { all = false }) {
    const { KEY_SETTINGS, signOut } = await import("../machine/config/sign-in.ts")
    const { before, profiles } = await signOut(deps, all)
    const removed = profiles.flatMap((profile) =>
      KEY_SETTINGS.map((setting) => toChange(before, profile, setting, undefined)),
    )
    await printChanges(
      deps,
      removed.filter((change) => change.before !== null),
      CHANGE_COLUMNS,
    )
  },
})
