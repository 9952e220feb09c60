import type { Command } from "commander"
import type { Api } from "../config/settings.ts"
import type { Deps } from "../deps.ts"
import { useDevice } from "../printing/devices.ts"
import { print } from "../terminal/view.ts"
import { apiOption } from "./shared/api-option.ts"
import { deskColumns } from "./shared/desk-columns.ts"

export function define(command: Command): void {
  command
    .description(
      "Chooses the print device of this workstation. It is kept per profile, per API and per workstation (FREIGHT_WORKSTATION, or the host's name), so several desks can share a home folder.",
    )
    .argument("[device]", "device id; without it freight asks, or takes the only device")
    .addOption(apiOption("only for this API"))
}

export const examples = [
  "freight devices use --sandbox device-bench",
  "freight devices use --sandbox device-dispatch --api direct-print",
]

/** The device must be in the fresh list, and is then used until it is forgotten or revoked. */
export async function run(deps: Deps, id: string | undefined, { api }: { api?: Api }): Promise<undefined> {
  const kept = await useDevice(deps, id, api)
  await print(deps, { rows: kept, columns: deskColumns })
}
