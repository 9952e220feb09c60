import type { Command } from "commander"
import { safeText } from "../contract/safe-text.ts"
import type { Deps } from "../deps.ts"
import { EXIT } from "../errors.ts"
import { print } from "../terminal/view.ts"
import { noSetting, settingColumns, settingRows } from "./shared/setting-rows.ts"

export function define(command: Command): void {
  command
    .description("Prints the value of one setting that is in effect here. A key is masked.")
    .argument("<setting>", "its name, as freight config list shows it")
}

export const examples = ["freight config get timeout", "freight config get stateDir --json"]

/** @returns 1 when it is not set */
export async function run(deps: Deps, key: string): Promise<number> {
  const rows = settingRows(deps)
  const found = rows.find((each) => each.key === key)
  if (!found)
    throw noSetting(
      key,
      rows.map((each) => each.key),
    )
  if (deps.output.format !== "table" || deps.output.fields)
    await print(deps, { rows: [found], columns: settingColumns, single: true })
  else if (found.value !== null) await deps.terminal.stdout.write(`${safeText(found.value)}\n`)
  else await deps.note(`${key} is not set.`)
  return found.value === null ? EXIT.no : EXIT.done
}
