/** Saved addresses: parties that a booking names instead of writing them out. */
import { quoted } from "../../base/parsed.ts"
import { checkAddress, inWords, type SavedAddress } from "../../contract/index.ts"
import { FreightError } from "../../base/errors.ts"
import type { ConfigFile } from "./file.ts"
import { findSaved } from "./saved.ts"

/** Whether a flag's value is a file rather than a saved address: ends in .json or contains a path. */
export function isFileName(text: string): boolean {
  return text === "-" || /\.json$|[\\/]/i.test(text)
}

/**
 * A saved address by its name.
 * @throws FreightError `input` if there is none, `config` if the saved one breaks the contract
 */
export function savedAddress(store: ConfigFile, name: string): SavedAddress {
  const found = findSaved(store, "addresses", name)
  const { errors } = checkAddress(found)
  if (errors.length > 0)
    throw new FreightError("config", `the saved address ${quoted(name)} is not a valid address`, {
      errors: errors.map((error) => ({ message: inWords(error), field: error.path })),
      hint: `Save it again with freight address add "${name}" --replace, or fix it in ${store.file}.`,
    })
  return found as SavedAddress
}
