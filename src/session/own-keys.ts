import { ENDPOINT, type Endpoint } from "../machine/index.ts"
import type { Api } from "../contract/index.ts"
import type { Sender } from "../ledger/index.ts"
import type { OpenSession } from "./session.ts"

/** The keys that are set up, as the ledger knows them: by fingerprint and address. */
export function openOwnKeys({ globals, settings }: OpenSession, { workstation }: Sender) {
  const toOwnKey = async (api: Api, { baseUrl, key }: Endpoint) => {
    const { fingerprint, keyId, SANDBOX_ADDRESS, serviceAddress } = await import("../ledger/accounts/keys.ts")
    const address = globals.sandbox ? SANDBOX_ADDRESS : serviceAddress(baseUrl)
    const own = { fingerprint: fingerprint(key), address, api, workstation }
    const name = settings.value("account")
    return { ...own, id: keyId(own), ...(name !== undefined && { name }) }
  }
  /** The key that is set up, without checking that it is complete; the sandbox's has its whole ledger. */
  const findOwnKey = async (api: Api) => {
    if (globals.sandbox) return undefined
    const key = settings.value(ENDPOINT[api].key)
    const baseUrl = settings.value(ENDPOINT[api].baseUrl)
    return key === undefined || baseUrl === undefined ? undefined : toOwnKey(api, { baseUrl, key })
  }
  return { toOwnKey, findOwnKey }
}
