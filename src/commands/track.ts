import { quoted } from "../base/parsed.ts"
import { CARRIERS } from "../carriers/index.ts"
import { FreightError } from "../base/errors.ts"
import { command, type Flags, milliseconds, nonEmpty } from "../command/index.ts"
import { eventColumns, OPEN_DAYS, SHIPMENT_NAMES } from "../orders/index.ts"

const flags = {
  open: { about: "everything booked from here, by anyone in the team, that is not delivered" },
  since: {
    takes: "<when>",
    about: `with --open: bookings since then (default: ${OPEN_DAYS}d)`,
    needs: "open",
  },
  now: {
    about: "with --open: ask also about what was asked less than a minute ago",
    needs: "open",
  },
  carrier: {
    takes: "<carrier>",
    about: "ask this carrier only; without it, your shipments and then all carriers are searched",
    choices: CARRIERS,
  },
  wait: {
    takes: "[seconds]",
    about: "wait this long while the carrier knows nothing yet (default: 300)",
    alone: "300",
    read: milliseconds,
  },
  watch: {
    about: "ask again until all are delivered, and print new events as they come; Ctrl-C stops it",
    conflicts: "noRemember",
  },
  interval: {
    takes: "<seconds>",
    about: "poll at this interval, plus up to as much again at random (default: 30; with --watch 60)",
    needs: ["wait", "watch"],
    read: readInterval,
  },
  new: { about: "only events not shown before on this machine; with --open, only what changed" },
  noRemember: { about: "do not mark these events as seen: --new shows them again" },
  exec: {
    takes: "<command>",
    about: "run this in the shell once for each consignment that changed; see below",
    read: nonEmpty,
  },
} as const satisfies Flags

const EXEC_HELP = `The command of --exec gets the change on its standard input, as one JSON object:
  {"shipmentId","reference","consignmentNumber","supported","tracking":
    {"currentStatus","eta","deliveredAt","events":[…],"pod"}}
It has only the new events, newest first; none if only the status or the ETA changed. shipmentId and reference are null for shipments that were booked elsewhere. The command's output goes to standard error. If it fails, freight says so, ends with exit code 8, and repeats the change at the next look; it also repeats a change during which it was stopped. The first look has a change for each consignment. This machine remembers the changes, for all commands of --exec together.`

export default command({
  about:
    "Shows where consignments are, newest event first, and proof of delivery where the carrier gives it. If none is named, it asks on a terminal. --open shows a line for each one that is on its way.",
  args: [{ takes: "[consignment...]", about: SHIPMENT_NAMES, isAsked: true, unless: "open" }],
  flags,
  columns: eventColumns,
  examples: [
    "freight track --sandbox DEMO-A-MOVING DEMO-A-DELIVERED",
    "freight track --sandbox DEMO-A-DELIVERED --json",
    "freight track --sandbox DEMO-B-DELIVERED --watch --format ndjson",
    "echo DEMO-A-MOVING | freight track --sandbox - --new",
    'freight track --sandbox --open --new --exec "more >> changes.ndjson"',
  ],
  notes: EXEC_HELP,
  endsWithReader: ({ exec }) => exec === undefined,
  async run(deps, names, options) {
    const { track } = await import("../orders/tracking/track.ts")
    return track(deps, names, options)
  },
})

/** Reads seconds as milliseconds. */
function readInterval(text: string, flag: string): number {
  const intervalMs = milliseconds(text, flag)
  if (intervalMs >= 1000) return intervalMs
  throw new FreightError("usage", `${flag} takes seconds from 1, not ${quoted(text)}`, {
    hint: "The service asks to wait 30 to 60 seconds between two looks.",
  })
}
