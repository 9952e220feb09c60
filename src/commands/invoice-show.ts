import { command, FORCE_FLAG, OUTPUT, wholeNumber } from "../command/index.ts"
import { DRAFT_FLAGS, showInvoice } from "../invoice/index.ts"
import { JSON_FORMATS } from "../output/index.ts"

export default command({
  about:
    "Shows the invoice as a page, with errors and warnings marked where they are. A broken document is shown as far as it can be read.",
  args: [{ takes: "<file>", about: "the document as JSON, or - for standard input", isInput: true }],
  flags: {
    ...DRAFT_FLAGS,
    output: {
      ...OUTPUT,
      about: "write the invoice as it is sent: a .pdf or .html file",
    },
    logo: { takes: "<file>", about: "with -o: a PNG or JPEG picture at the top", isInput: true },
    ...FORCE_FLAG,
    index: {
      takes: "<n>",
      about: "which document of several, counted from 0 (default: 0)",
      read: wholeNumber(0, 999_999_999),
    },
  },
  formats: JSON_FORMATS,
  examples: [
    'freight invoice new --number INV-1 --po PO-7 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000" --line "2 x Lamp @ 19.99" -o invoice.json',
    "freight invoice show invoice.json",
    "freight invoice show invoice.json -o invoice.pdf",
  ],
  run: showInvoice,
})
