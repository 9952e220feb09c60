import { apiFlag, command } from "../command/index.ts"
import { type Api, nameDevice } from "../contract/index.ts"
import { formatInstant } from "../base/wall-clock.ts"
import {
  describeDevices,
  type DeskChoice,
  forgetDevices,
  type KnownDevice,
  knownDevices,
  useDevice,
} from "../orders/index.ts"
import { BRIEF, type Column, print } from "../output/index.ts"

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
    show: ({ apis }) => namePrints(apis),
  },
  {
    key: "usedFor",
    title: "THIS DESK",
    rank: 4,
    gives: "words",
    value: ({ usedFor }) => usedFor.join(" "),
    show: ({ usedFor }) => namePrints(usedFor),
  },
]

const PRINTS: Readonly<Record<Api, string>> = { freight: "labels", "direct-print": "PDF files" }

function namePrints(apis: readonly Api[]): string {
  return apis.map((api) => PRINTS[api]).join(", ")
}

function toItem({ printerName, lastUsedAt, createdAt, ...device }: KnownDevice) {
  return {
    ...nameDevice(device),
    ...{ printerName: printerName ?? null, lastUsedAt: lastUsedAt ?? null, createdAt: createdAt ?? null },
  }
}

const deskColumns: Column<DeskChoice>[] = [
  { key: "workstation", title: "WORKSTATION", rank: 4 },
  { key: "profile", title: "PROFILE", rank: 5 },
  { key: "api", title: "API", rank: 1, gives: "nothing" },
  { key: "deviceId", title: "DEVICE", rank: 3, gives: "nothing" },
  { key: "label", title: "LABEL", rank: 2 },
]

export const list = command({
  about:
    "Lists the active print devices of every API that you are signed in to: labels go through the freight API, PDF files through direct print.",
  flags: apiFlag(),
  columns,
  examples: ["freight devices list --sandbox", "freight devices list --sandbox --api direct-print --json"],
  /** GET /print-devices and GET /devices, merged by id. */
  async run(deps, { api }) {
    const devices = await knownDevices(deps, api)
    await print(deps, {
      rows: devices,
      items: devices.map(toItem),
      columns,
      empty: describeDevices([]),
    })
  },
})

export const use = command({
  about:
    "Chooses the print device of this workstation. It is kept per profile, per API and per workstation (FREIGHT_WORKSTATION, or the host's name), so several workstations can share a home folder.",
  args: [{ takes: "[device]", about: "its id or label; without one freight asks, or takes the only device" }],
  flags: apiFlag("only for this API"),
  columns: deskColumns,
  examples: [
    "freight devices use --sandbox device-bench",
    "freight devices use --sandbox device-dispatch --api direct-print",
  ],
  /** The device must be in the fresh list; it is used until it is forgotten or revoked. */
  async run(deps, id, { api }) {
    await print(deps, { rows: await useDevice(deps, id, api), columns: deskColumns })
  },
})

export const forget = command({
  about: "Forgets the print device of this workstation, and shows which one it was. It asks no server.",
  flags: apiFlag("only for this API"),
  columns: deskColumns,
  examples: ["freight devices forget --sandbox", "freight devices forget --sandbox --api freight"],
  async run(deps, { api }) {
    await print(deps, {
      rows: await forgetDevices(deps, api),
      columns: deskColumns,
      empty: "No print device was saved for this workstation.",
    })
  },
})
