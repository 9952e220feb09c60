/** The saved suppliers, with which a command compares the bank accounts of invoices. */
import { FreightError } from "../base/errors.ts"
import type { ConfigFile } from "../machine/index.ts"
import type { KnownSupplier } from "./accounting/known-supplier.ts"

/** Undefined if no party is saved. Unreadable settings do not prevent the check: they cause a warning. */
export async function readKnownSuppliers({
  config,
  warn,
}: {
  config: ConfigFile
  warn(message: string): Promise<void>
}): Promise<readonly KnownSupplier[] | undefined> {
  try {
    if (Object.keys(config.read().parties ?? {}).length === 0) return undefined
    return (await import("./new/parties.ts")).listKnownSuppliers(config)
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    await warn(`bank accounts are not compared with the usual ones: ${error.message}`)
    return undefined
  }
}
