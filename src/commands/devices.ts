import type { Api } from "../contract/endpoints.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import {
  type DeskChoice,
  forgetDevices,
  type KnownDevice,
  knownDevices,
  describeDevices,
  useDevice,
} from "../printing/devices.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { OldCommand } from "../command.ts"
import { apiOption } from "./shared/flags.ts"

export const list: OldCommand = {
  define: (command) =>
    command
      .description(
        "Lists the active print devices of every API that you are signed in to: labels go through the freight API, PDF files through direct print.",
      )
      .addOption(apiOption()),
  examples: ["freight devices list --sandbox", "freight devices list --sandbox --api direct-print --json"],
  run: listDevices,
}

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
async function listDevices(deps: Deps, { api }: { api?: Api }): Promise<undefined> {
  const devices = await knownDevices(deps, api)
  await print(deps, { json: { devices }, rows: devices, columns, empty: describeDevices([]) })
}

const THINGS: Readonly<Record<Api, string>> = { freight: "labels", "direct-print": "PDF files" }

function things(apis: readonly Api[]): string {
  return apis.map((api) => THINGS[api]).join(", ")
}

export const use: OldCommand = {
  define: (command) =>
    command
      .description(
        "Chooses the print device of this workstation. It is kept per profile, per API and per workstation (FREIGHT_WORKSTATION, or the host's name), so several desks can share a home folder.",
      )
      .argument("[device]", "device id; without it freight asks, or takes the only device")
      .addOption(apiOption("only for this API")),
  examples: [
    "freight devices use --sandbox device-bench",
    "freight devices use --sandbox device-dispatch --api direct-print",
  ],
  run: chooseDevice,
}

/** The device must be in the fresh list, and is then used until it is forgotten or revoked. */
async function chooseDevice(deps: Deps, id: string | undefined, { api }: { api?: Api }): Promise<undefined> {
  const kept = await useDevice(deps, id, api)
  await print(deps, { rows: kept, columns: deskColumns })
}

export const forget: OldCommand = {
  define: (command) =>
    command
      .description(
        "Forgets the print device of this workstation, and shows which one it was. It asks no server.",
      )
      .addOption(apiOption("only for this API")),
  examples: ["freight devices forget --sandbox", "freight devices forget --sandbox --api freight"],
  run: forgetDevice,
}

async function forgetDevice(deps: Deps, { api }: { api?: Api }): Promise<undefined> {
  const forgotten = await forgetDevices(deps, api)
  await print(deps, {
    rows: forgotten,
    columns: deskColumns,
    empty: "No print device was saved for this workstation.",
  })
}

const deskColumns: Column<DeskChoice>[] = [
  { key: "workstation", title: "WORKSTATION", rank: 4 },
  { key: "profile", title: "PROFILE", rank: 5 },
  { key: "api", title: "API", rank: 1, gives: "nothing" },
  { key: "deviceId", title: "DEVICE", rank: 3, gives: "nothing" },
  { key: "label", title: "LABEL", rank: 2 },
]
