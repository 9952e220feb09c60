/** Flags of commands that choose a service or save labels. */
import { parseLabelName } from "./label-files.ts"
import { parseNames } from "../../contract/index.ts"
import { parseShare } from "../../machine/index.ts"
import { parseDays } from "../../base/when.ts"
import { cents, type Flag, type Flags, readBy } from "../../command/index.ts"

/** Flags for limits of a rate; `--service` is each command's own. */
export const PREFERENCE_FLAGS = {
  within: {
    takes: "<days>",
    about: "only services that arrive within this many days of the collection: 3d",
    read: readBy(parseDays),
  },
  arriveBy: { takes: "<time>", about: "only services that arrive by then: 2026-11-25, or with T12:00" },
  maxPrice: { takes: "<amount>", about: "only services up to this price with GST", read: cents },
  onTime: {
    takes: "<percent>",
    about: "only services that arrived in time this often, where that is known: 90%",
    read: readBy(parseShare),
  },
  avoid: {
    takes: "<name>",
    about: "avoid this service or carrier: GEN or A; or none, to avoid nothing (repeatable)",
    isRepeatable: true,
    read: parseNames,
  },
} as const satisfies Flags

/** How each label's file is named. */
export const LABEL_NAME = {
  takes: "<pattern>",
  about: "how each label's file is named: '{reference}-{consignment}.pdf', or with {shipment}",
  read: parseLabelName,
} as const satisfies Flag
