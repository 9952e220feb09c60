import type { DeskChoice } from "../../printing/devices.ts"
import type { Column } from "../../terminal/columns.ts"

/** Which device a workstation uses for an API. */
export const deskColumns: Column<DeskChoice>[] = [
  { key: "workstation", title: "WORKSTATION", rank: 4 },
  { key: "profile", title: "PROFILE", rank: 5 },
  { key: "api", title: "API", rank: 1, gives: "nothing" },
  { key: "deviceId", title: "DEVICE", rank: 3, gives: "nothing" },
  { key: "label", title: "LABEL", rank: 2 },
]
