/** What the commands of saved addresses, packages, parties and maps share. */
import { removeNames } from "../../config/saved.ts"
import type { Deps } from "../../deps.ts"
import { anyColumn } from "../../terminal/columns.ts"
import { print } from "../../terminal/view.ts"

/** Removes names from a list of the settings file, and says so. @throws what `removeNames` does */
export async function removeSaved(
  { config, note }: Deps,
  list: Parameters<typeof removeNames>[1],
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const gone = new Set(names)
  await removeNames(config, list, gone)
  await note(`Removed: ${[...gone].join(", ")}.`)
  return gone
}

/** Prints what was saved, for programs: a person knows it. */
export async function printSaved(deps: Deps, row: object): Promise<void> {
  if (deps.output.format === "table" && !deps.output.fields) return
  const columns = Object.keys(row).map((key) => anyColumn(key, key))
  await print(deps, { rows: [row], columns, single: true })
}
