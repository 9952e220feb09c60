import { command } from "../command/index.ts"
import { evidenceColumns, PAGE_FLAGS, showEvidence } from "../reports/index.ts"
import { SHIPMENT } from "../orders/index.ts"

export default command({
  about:
    "Shows everything known about one shipment, for a dispute or a claim: quote, booking, request, pickup, label, tracking and proof of delivery. With -o evidence.pdf it is a page to print or send.",
  args: [{ takes: "<shipment>", about: SHIPMENT }],
  flags: PAGE_FLAGS,
  columns: evidenceColumns,
  examples: [
    "freight evidence --sandbox demo-shipment",
    "freight evidence --sandbox demo-shipment -o evidence.pdf",
    "freight evidence --sandbox demo-shipment --json",
  ],
  notes:
    "If a part is missing, it says why. On the page, very long texts are cut and marked; --json has them whole.",
  async run(deps, name, options) {
    await showEvidence(deps, name, options)
  },
})
