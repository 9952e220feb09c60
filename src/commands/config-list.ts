import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { print } from "../terminal/view.ts"
import { settingColumns, settingRows } from "./shared/setting-rows.ts"

export function define(command: Command): void {
  command.description(
    "Lists every setting, its value and its source: a flag beats the environment, which beats the profile, " +
      "which beats the default. Keys are masked.",
  )
}

export const examples = ["freight config list", "freight config list --json"]

export async function run(deps: Deps): Promise<undefined> {
  const rows = settingRows(deps)
  await print(deps, { rows, columns: settingColumns })
}
