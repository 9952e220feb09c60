import type { Command } from "commander"
import type { Api } from "../config/settings.ts"
import type { Deps } from "../deps.ts"
import { forgetDevices } from "../printing/devices.ts"
import { print } from "../terminal/view.ts"
import { apiOption } from "./shared/api-option.ts"
import { deskColumns } from "./shared/desk-columns.ts"

export function define(command: Command): void {
  command
    .description(
      "Forgets the print device of this workstation, and shows which one it was. It asks no server.",
    )
    .addOption(apiOption("only for this API"))
}

export const examples = ["freight devices forget --sandbox", "freight devices forget --sandbox --api freight"]

export async function run(deps: Deps, { api }: { api?: Api }): Promise<undefined> {
  const forgotten = await forgetDevices(deps, api)
  await print(deps, {
    rows: forgotten,
    columns: deskColumns,
    empty: "No print device was saved for this workstation.",
  })
}
