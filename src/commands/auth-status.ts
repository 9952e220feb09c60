import type { Command } from "commander"
import { maskAddress, maskKey } from "../config/keys.ts"
import { ENDPOINT } from "../config/known.ts"
import { sourceText } from "../config/resolve.ts"
import { APIS, type Api } from "../config/settings.ts"
import type { Deps } from "../deps.ts"
import { EXIT, FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import { type Probe, probe } from "./shared/probe.ts"

/** Whether a key may do something; printing cannot be tried without printing. */
type Allowed = boolean | "unknown"

interface Status {
  api: Api
  baseUrl: string | null
  /** Masked. */
  key: string | null
  /** Where the key comes from. */
  from: string | null
  signedIn: boolean
  /** Null when it could not be tried. */
  works: boolean | null
  scopes?: Record<"devices:read" | "print-jobs:write", Allowed>
  message: string
}

export function define(command: Command): void {
  command.description("Shows, for each API, which key is used, where it comes from, and whether it works.")
}

export const examples = ["freight auth status --sandbox", "freight auth status --sandbox --json"]

const columns: Column<Status>[] = [
  { key: "api", title: "API", rank: 1, gives: "nothing" },
  { key: "baseUrl", title: "ADDRESS", rank: 6 },
  { key: "key", title: "KEY", rank: 4 },
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
        .map(([name, has]) => `${name}: ${WORDS[String(has)]}`)
        .join(", ") || "-",
  },
  { key: "message", title: "STATUS", rank: 3, gives: "words" },
]

const WORDS: Readonly<Record<string, string>> = { true: "yes", false: "no", unknown: "unknown" }

/** @returns 4 when no API is signed in to or a key does not work, 6 when one could not be tried */
export async function run(deps: Deps): Promise<number> {
  const statuses: Status[] = []
  for (const api of APIS) statuses.push(await getStatus(deps, api))
  const { name } = deps.settings.profile()
  await print(deps, {
    json: { profile: deps.globals.sandbox ? null : name, apis: statuses },
    rows: statuses,
    columns,
  })
  const signedIn = statuses.filter((each) => each.signedIn)
  if (signedIn.length === 0) {
    await deps.note("Sign in with freight auth login, or try any command with --sandbox.")
    return EXIT.notAllowed
  }
  if (signedIn.some(({ works }) => works === false)) return EXIT.notAllowed
  return signedIn.some(({ works }) => works === null) ? EXIT.unavailable : EXIT.done
}

async function getStatus(deps: Deps, api: Api): Promise<Status> {
  const key = deps.settings.resolve(ENDPOINT[api].key)
  const baseUrl = deps.settings.value(ENDPOINT[api].baseUrl)
  const status: Status = {
    api,
    baseUrl: baseUrl === undefined ? null : maskAddress(baseUrl),
    key: key.value === undefined ? null : maskKey(key.value),
    from: key.source === "none" ? null : sourceText(key),
    signedIn: key.source !== "none",
    works: null,
    message: "not signed in",
  }
  if (!status.signedIn) return status
  try {
    const endpoint = await deps.endpoint(api)
    const tried = await probe(deps, api, endpoint)
    return { ...status, baseUrl: endpoint.baseUrl, key: maskKey(endpoint.key), ...judged(api, tried) }
  } catch (error) {
    // The key or the address cannot be used at all; the other API may still be fine.
    if (!(error instanceof FreightError) || error.kind !== "config") throw error
    return { ...status, works: false, message: error.message }
  }
}

function judged(api: Api, { outcome, error }: Probe): Pick<Status, "works" | "message" | "scopes"> {
  const scopes = (read: Allowed) =>
    api === "direct-print" && { scopes: { "devices:read": read, "print-jobs:write": "unknown" as const } }
  if (outcome === "works") return { works: true, message: "works", ...scopes(true) }
  const message = error?.message ?? "no answer"
  if (outcome === "forbidden" && api === "direct-print")
    return { works: true, message: "valid, but may not list devices", ...scopes(false) }
  if (outcome === "failed") return { works: null, message, ...scopes("unknown") }
  return { works: false, message, ...scopes("unknown") }
}
