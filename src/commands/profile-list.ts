import type { Command } from "commander"
import { profileValue } from "../config/file.ts"
import { maskAddress, maskKey } from "../config/keys.ts"
import type { SettingKey } from "../config/known.ts"
import { SANDBOX_PROFILE } from "../config/sandbox-mode.ts"
import type { Deps } from "../deps.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

interface Row {
  name: string
  inUse: boolean
  freightBaseUrl: string | null
  freightApiKey: string | null
  directPrintBaseUrl: string | null
  directPrintApiKey: string | null
}

export function define(command: Command): void {
  command.description("Lists the profiles, and which is in use. Keys are masked.")
}

export const examples = ["freight profile list", "freight profile list --json"]

/** Listed while it is in use instead of an account. */
const SANDBOX: Row = {
  name: SANDBOX_PROFILE,
  inUse: true,
  freightBaseUrl: null,
  freightApiKey: null,
  directPrintBaseUrl: null,
  directPrintApiKey: null,
}

const columns: Column<Row>[] = [
  { key: "inUse", title: " ", show: ({ inUse }) => (inUse ? "*" : " ") },
  { key: "name", title: "PROFILE" },
  {
    key: "freightBaseUrl",
    title: "FREIGHT API",
    show: (row) => (row === SANDBOX ? "built in" : (row.freightBaseUrl ?? "")),
  },
  { key: "freightApiKey", title: "KEY", gives: "nothing" },
  { key: "directPrintBaseUrl", title: "DIRECT PRINT API" },
  { key: "directPrintApiKey", title: "KEY", gives: "nothing" },
]

export async function run({ config, globals, settings, terminal, output }: Deps): Promise<undefined> {
  const { name: used } = settings.profile()
  const { profiles } = config.read()
  const rows = Object.entries(profiles).map(([name, profile]): Row => {
    const masked = (key: SettingKey, mask: (text: string) => string) => {
      const value = profileValue(profile, key)
      return value === undefined ? null : mask(value)
    }
    return {
      name,
      inUse: name === used && !globals.sandbox,
      freightBaseUrl: masked("freightBaseUrl", maskAddress),
      freightApiKey: masked("freightApiKey", maskKey),
      directPrintBaseUrl: masked("directPrintBaseUrl", maskAddress),
      directPrintApiKey: masked("directPrintApiKey", maskKey),
    }
  })
  if (globals.sandbox) rows.push(SANDBOX)
  await print(
    { terminal, output },
    { rows, columns, empty: "There are no profiles yet: freight auth login makes the first." },
  )
}
