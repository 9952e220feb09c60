import { createFreightApi, type FreightApi } from "../../api/index.ts"
import { FreightError, withOptions } from "../../base/errors.ts"
import type { Services, Session } from "../../session/index.ts"
import { limitLongRun } from "../../command/index.ts"

/** Opens a separate connection, because an audit may ask about thousands of consignments. */
export async function connectToAudit(deps: Services & Session): Promise<FreightApi> {
  try {
    const endpoint = await deps.endpoint("freight")
    return createFreightApi(await deps.connect("freight", endpoint, limitLongRun(deps)))
  } catch (error) {
    return adviseOffline(error)
  }
}

const OUT_OF_REACH = [
  "unavailable",
  "timeout",
  "rateLimited",
  "badReply",
  "unreadable",
  "unauthenticated",
  "config",
]

/** Without the API an audit still works, but can tell less. */
export function adviseOffline(error: unknown): never {
  if (!(error instanceof FreightError) || !OUT_OF_REACH.includes(error.kind)) throw error
  const hint = "--offline uses the ledger only."
  throw withOptions(error, { hint: error.hint === undefined ? hint : `${error.hint} ${hint}` })
}
