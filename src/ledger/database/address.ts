/** The address of a ledger: a file, or a PostgreSQL database. */
import { quoted } from "../../base/parsed.ts"
import path from "node:path"
import { FreightError } from "../../base/errors.ts"

export interface PostgresAddress {
  /** For people: without password and options. */
  text: string
  host: string
  port: number
  user?: string
  database?: string
  tls: "verified" | "unverified" | "none"
}

export type LedgerAddress =
  | { dialect: "sqlite"; file: string }
  | { dialect: "postgres"; address: PostgresAddress }

/**
 * @param name the setting or flag that gave it, for messages: `FREIGHT_LEDGER`
 * @throws FreightError `config` if it is neither, or contains a password
 */
export function parseLedgerAddress(text: string, name: string): LedgerAddress {
  if (/^postgres(ql)?:/i.test(text)) return { dialect: "postgres", address: parsePostgres(text, name) }
  if (/^[a-z][a-z+]+:\/\//i.test(text) || !path.isAbsolute(text))
    throw new FreightError(
      "config",
      `${name} takes postgres://USER@HOST/DATABASE, or the full path of a file`,
      {
        hint: "Without it the ledger is a file in the state folder.",
      },
    )
  return { dialect: "sqlite", file: text }
}

function parsePostgres(text: string, name: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const [database = "", user = ""] = decodeParts(url?.pathname.slice(1), url?.username) ?? []
  if (!url || url.hostname === "" || database === "")
    throw new FreightError("config", `${name} is not a full address: postgres://USER@HOST/DATABASE`)
  if (url.password !== "")
    throw new FreightError(
      "config",
      `${name} must not hold the password, where the history and other users see it`,
      {
        hint: "Set PGPASSWORD, or add a line to ~/.pgpass; on a terminal freight asks for it. If you did give a real one, change it.",
      },
    )
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const port = Number(url.port || 5432)
  const shown = `${user && `${user}@`}${url.hostname}${url.port && `:${url.port}`}/${database}`
  return {
    text: `postgres://${shown}`,
    host,
    port,
    ...(user !== "" && { user }),
    database,
    tls: parseTlsMode(url.searchParams.get("sslmode"), host, name),
  }
}

/** @returns undefined where a `%` in one of them begins nothing that was encoded */
function decodeParts(...parts: readonly (string | undefined)[]): string[] | undefined {
  try {
    return parts.map((part = "") => decodeURIComponent(part))
  } catch {
    return undefined
  }
}

function parseTlsMode(mode: string | null, host: string, name: string): PostgresAddress["tls"] {
  switch (mode) {
    case null:
      return isLoopback(host) ? "none" : "verified"
    case "disable":
      return "none"
    case "require":
      return "unverified"
    case "verify-full":
      return "verified"
    default:
      throw new FreightError(
        "config",
        `sslmode in ${name} is verify-full, require or disable, not ${quoted(mode)}`,
      )
  }
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host)
}
