import { grouped } from "../base/counted.ts"
import { MAX_SHIPMENTS } from "../base/limits.ts"
import { command, FORCE_FLAG, OUTPUT, wholeNumber } from "../command/index.ts"
import {
  LISTED_COLUMNS,
  listShipments,
  SHIPMENT,
  SHIPMENT_FILTERS,
  SHOWN_COLUMNS,
  showShipment,
} from "../orders/index.ts"

export const list = command({
  about: "Lists booked shipments, newest first.",
  flags: {
    limit: { takes: "<n>", about: "at most this many, 1 to 200 (default: 50)", read: wholeNumber(1, 200) },
    offset: { takes: "<n>", about: "skip this many (default: 0)", read: wholeNumber(0, 1e9) },
    all: {
      about: `every shipment, over all pages; at most ${grouped(MAX_SHIPMENTS)}`,
      conflicts: ["limit", "offset"],
    },
    ...SHIPMENT_FILTERS,
  },
  columns: LISTED_COLUMNS,
  examples: [
    "freight shipments list --sandbox",
    "freight shipments list --sandbox --all --format csv",
    "freight shipments list --sandbox --since 7d --status CONSIGNED --format value --fields id",
  ],
  endsWithReader: true,
  async run(deps, options) {
    await listShipments(deps, options)
  },
})

export const show = command({
  about: "Shows everything about one shipment.",
  args: [{ takes: "<shipment>", about: SHIPMENT }],
  flags: {
    output: {
      ...OUTPUT,
      about: "write all that is known of it as PDF to this file, as freight evidence does",
    },
    force: { ...FORCE_FLAG.force, needs: "output" },
  },
  columns: SHOWN_COLUMNS,
  examples: [
    "freight shipments show --sandbox demo-shipment",
    "freight shipments show --sandbox demo-shipment -o evidence.pdf",
  ],
  async run(deps, name, options) {
    if (options.output === undefined) {
      await showShipment(deps, name)
      return
    }
    const { showEvidence } = await import("../reports/evidence/show.ts")
    await showEvidence(deps, name, options)
  },
})
