import type { DeskChoice } from "../../printing/devices.ts"
import type { Column } from "../../terminal/columns.ts"

/** Which device a workstation uses for an API. */
export const deskColumns: Column<DeskChoice>[] = [
  { key: "workstation", title: "WORKSTATION" },
  { key: "profile", title: "PROFILE", spare: 1 },
  { key: "api", title: "API" },
  { key: "deviceId", title: "DEVICE" },
  { key: "label", title: "LABEL" },
]
