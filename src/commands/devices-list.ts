import type { Command } from "commander"
import type { Api } from "../config/settings.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { type KnownDevice, knownDevices, listed } from "../printing/devices.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import { apiOption } from "./shared/api-option.ts"

export function define(command: Command): void {
  command
    .description(
      "Lists the active print devices of every API that you are signed in to: labels go through the freight API, PDF files through direct print.",
    )
    .addOption(apiOption())
}

export const examples = [
  "freight devices list --sandbox",
  "freight devices list --sandbox --api direct-print --json",
]

const columns: Column<KnownDevice>[] = [
  { key: "id", title: "ID", rank: 2, gives: "nothing" },
  { key: "label", title: "LABEL", rank: 1 },
  { key: "printerName", title: "PRINTER", rank: 5 },
  {
    key: "lastUsedAt",
    title: "LAST USED",
    rank: 6,
    show: ({ lastUsedAt }) => formatInstant(lastUsedAt ?? ""),
    brief: BRIEF.time,
    gives: "nothing",
  },
  { key: "createdAt", title: "REGISTERED", hidden: true },
  {
    key: "apis",
    title: "PRINTS",
    rank: 3,
    gives: "words",
    value: ({ apis }) => apis.join(" "),
    show: ({ apis }) => things(apis),
  },
  {
    key: "usedFor",
    title: "THIS DESK",
    rank: 4,
    gives: "words",
    value: ({ usedFor }) => usedFor.join(" "),
    show: ({ usedFor }) => things(usedFor),
  },
]

/** GET /print-devices and GET /devices, merged by id. */
export async function run(deps: Deps, { api }: { api?: Api }): Promise<undefined> {
  const devices = await knownDevices(deps, api)
  await print(deps, { json: { devices }, rows: devices, columns, empty: listed([]) })
}

const THINGS: Readonly<Record<Api, string>> = { freight: "labels", "direct-print": "PDF files" }

function things(apis: readonly Api[]): string {
  return apis.map((api) => THINGS[api]).join(", ")
}
