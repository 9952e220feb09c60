import { fileName } from "../contract/file-name.ts"
import { withoutKeys } from "./keys.ts"
import { ENDPOINT } from "./known.ts"
import type { Settings } from "./resolve.ts"
import type { Api, Globals } from "./settings.ts"

/**
 * The folder below the state folder that belongs to the service of one API. It goes by the address and not by the key:
 * a key that was changed must not make the ledger forget.
 * @throws FreightError as `Settings.value` does
 */
export function serviceFolder(globals: Globals, settings: Settings, api: Api): string {
  if (globals.sandbox) return "sandbox"
  const baseUrl = settings.value(ENDPOINT[api].baseUrl)
  // While the address is missing or wrong, whoever then sends is told so by the transport.
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return "no-service"
  const { host, pathname } = new URL(baseUrl)
  return fileName(withoutKeys(`${host}${pathname.replace(/\/+$/, "")}`))
}
