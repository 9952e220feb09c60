/** `freight invoice correct`: withdraws, changes or credits an invoice that was sent. */
import { command } from "../command/index.ts"
import { JSON_FORMATS } from "../output/index.ts"
import { correctInvoice, CORRECTION_FLAGS } from "../invoice/index.ts"

export default command({
  about:
    "Corrects an invoice that was sent: writes the document that cancels it, changes it, or credits it. Shows what changes and what is due after it. The invoice's own file stays as it is.",
  args: [{ takes: "<file>", about: "the invoice as JSON, or - for standard input", isInput: true }],
  flags: CORRECTION_FLAGS,
  formats: JSON_FORMATS,
  examples: [
    'freight invoice new --number INV-1 --po PO-7 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000" --line "2 x Lamp @ 19.99" --line "1 x Handbook @ 30 tax 0" -o invoice.json',
    'freight invoice correct invoice.json --change-line "1=3 x" --set dueDate=2099-12-20 -o update.json',
    'freight invoice correct invoice.json --credit-line 1=1 --number CM-1 --comments "One lamp was broken" -o CM-1.json',
    "freight invoice correct invoice.json --credit --number CM-2 -o CM-2.json",
    "freight invoice correct invoice.json --cancel -o cancel.json",
  ],
  notes: `An update and a cancellation keep the invoice's number and date. Totals and taxes follow from the lines, and a total that no change concerns stays as it is.
A credit memo has a number of its own, names the invoice, and its amounts are negative. Without -o, a script gets the document on standard output, and what changes on standard error; --json prints both as one object.
Everything is checked as freight invoice validate does, before it is written.`,
  run: correctInvoice,
})
