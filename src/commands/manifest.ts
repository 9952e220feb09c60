import { command } from "../command/index.ts"
import { MANIFEST_COLUMNS, MANIFEST_FLAGS, SHIPMENT, showManifest } from "../orders/index.ts"
import { CARRIERS } from "../carriers/index.ts"

export default command({
  about:
    "Lists the consignments that carriers collect on a day, by carrier and place. With -o manifest.pdf it is a PDF with a page for each driver to sign. Cancelled shipments are left out, and those that are brought to the carrier (--drop-off) unless they are named.",
  args: [{ takes: "[shipment...]", about: `only these, whatever day they are collected on: ${SHIPMENT}` }],
  flags: MANIFEST_FLAGS,
  columns: MANIFEST_COLUMNS,
  examples: [
    "freight manifest --sandbox",
    `freight manifest --sandbox --date tomorrow --carrier ${CARRIERS[0]} --format csv`,
  ],
  run: showManifest,
})
