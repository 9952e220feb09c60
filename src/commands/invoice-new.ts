import { command, type Flags, FORCE_FLAG, OUTPUT, percentage, SHEET_FLAGS } from "../command/index.ts"
import { ADDRESS_FORM, CONTACT_FORM, FIELD_NAMES, LINE_FORM, NEW_PURPOSES } from "../invoice/index.ts"
import { FORMATS, JSON_FORMATS } from "../output/index.ts"

const flags = {
  number: { takes: "<text>", about: "your number of the invoice" },
  po: { takes: "<text>", about: "the purchase order that is billed" },
  shipment: {
    takes: "<shipment>",
    about:
      "bill this shipment, by any of its names: fills in carrier, number, date, where it went, its price and its purchase order (repeatable)",
    isRepeatable: true,
  },
  supplier: { takes: "<name>", about: "a saved supplier, as freight party list has it" },
  supplierId: { group: "Supplier", takes: "<text>", about: "the buyer's code for the supplier" },
  supplierName: { group: "Supplier", takes: "<text>", about: "the supplier's name" },
  abn: { group: "Supplier", takes: "<digits>", about: "the supplier's ABN; needed when there is tax" },
  supplierAddress: {
    group: "Supplier",
    takes: "<address>",
    about: "the supplier's address, as --bill-to takes one",
  },
  bsb: { group: "Supplier", takes: "<digits>", about: "BSB of the bank account to pay into: 062-000" },
  accountNumber: { group: "Supplier", takes: "<digits>", about: "number of that account" },
  accountName: {
    group: "Supplier",
    takes: "<text>",
    about: "name of that account, if it is not the supplier's",
  },
  contact: {
    group: "Supplier",
    takes: "<text>",
    about: `who answers questions: "${CONTACT_FORM}", or some of it`,
  },
  customer: { takes: "<name>", about: "a saved customer to bill" },
  billTo: {
    group: "Customer and addresses",
    takes: "<address>",
    about: `"${ADDRESS_FORM}", or "NAME, STREET, CITY STATE POSTCODE"`,
  },
  shipTo: { group: "Customer and addresses", takes: "<address>", about: "where goods go, where it differs" },
  soldTo: {
    group: "Customer and addresses",
    takes: "<address>",
    about: "who bought, where that is not who is billed",
  },
  remitTo: {
    group: "Customer and addresses",
    takes: "<address>",
    about: "where payment goes, besides the bank account",
  },
  line: {
    takes: "<line>",
    about: `"${LINE_FORM}": tax in percent and unit code may be left out, for 10 and none (repeatable)`,
    isRepeatable: true,
    conflicts: "linesFrom",
  },
  shippingAmount: {
    group: "Amounts",
    takes: "<amount>",
    about:
      "shipping before tax: 12.50, or 12.50 tax 0; taxed as the lines are (default: the price of the shipments)",
  },
  specialHandling: {
    group: "Amounts",
    takes: "<amount>",
    about: "charge for special handling, as --shipping-amount takes it",
  },
  deposit: {
    group: "Amounts",
    takes: "<amount>",
    about: "what was paid before, GST included: it is taken off the amount due",
  },
  markup: {
    group: "Amounts",
    takes: "<percent>",
    about:
      "charge the freight of the shipments on, as lines: what audited bills or else quotes say that it cost, with this mark-up in it: 8%, or 0%",
    read: percentage,
    needs: "shipment",
    conflicts: ["linesFrom", "shippingAmount"],
  },
  showMarkup: { group: "Amounts", about: "with --markup: the mark-up is a line of its own", needs: "markup" },
  chargeDisputed: {
    group: "Amounts",
    about: "with --markup: charge also what is disputed with the carrier",
    needs: "markup",
  },
  date: {
    takes: "<day>",
    about: "date of the invoice: 2026-11-20, 20/11/2026, yesterday (default: today in Sydney)",
  },
  due: { takes: "<day>", about: "when it is to be paid, as --date takes a day" },
  terms: {
    takes: "<text>",
    about:
      'payment terms: "30 days", "2/10 net 30", or in words; days set when payment is due, unless --due does',
  },
  purpose: {
    takes: "<purpose>",
    about: `one of ${NEW_PURPOSES.join(", ")}`,
    default: "standard",
  },
  refersTo: { takes: "<number>", about: "the earlier invoice that a memo changes" },
  comments: { takes: "<text>", about: "a note to the buyer; of a memo, the reason for it" },
  set: {
    takes: "<field=value>",
    about:
      "set any other field of the invoice: shipping.carrier=…, contacts.0.role=…, extrinsics.costCentre=… (repeatable)",
    isRepeatable: true,
  },
  linesFrom: {
    formerly: ["--from"],
    takes: "<file>",
    about: "the lines, as CSV or .xlsx with one in each row; - for standard input",
    isInput: true,
  },
  per: {
    group: "Lines from a file",
    takes: "<column>",
    about: "with --lines-from: an invoice for each value of this column, such as invoiceNumber",
    needs: "linesFrom",
    conflicts: "shipment",
    formats: FORMATS,
  },
  map: {
    group: "Lines from a file",
    takes: "<column=field>",
    about: "with --lines-from: use this column as that field; COLUMN= ignores the column (repeatable)",
    isRepeatable: true,
    needs: "linesFrom",
  },
  ignoreUnknown: {
    group: "Lines from a file",
    about: "with --lines-from: ignore unknown columns, without a note",
    needs: "linesFrom",
  },
  sheet: {
    group: "Lines from a file",
    ...SHEET_FLAGS.sheet,
    about: `with --lines-from: ${SHEET_FLAGS.sheet.about}`,
    needs: "linesFrom",
  },
  hidden: {
    group: "Lines from a file",
    ...SHEET_FLAGS.hidden,
    about: `with --lines-from: ${SHEET_FLAGS.hidden.about}`,
    needs: "linesFrom",
  },
  headerRow: {
    group: "Lines from a file",
    ...SHEET_FLAGS.headerRow,
    about: `with --lines-from: ${SHEET_FLAGS.headerRow.about}`,
    needs: "linesFrom",
  },
  output: {
    ...OUTPUT,
    about: "write to this file, with --per into this folder, or - for standard output (default: -)",
    writes: ({ per }) => (per === undefined ? "file" : "folder"),
  },
  ...FORCE_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Writes the draft of an invoice, with all totals worked out. Asks on a terminal for what is missing. The service fills in the rest. With --lines-from, the lines come from a CSV or .xlsx file, and with --per it writes an invoice for each value of a column.",
  flags,
  daily: [
    ...["number", "po", "supplier", "customer", "line", "shipment"],
    ...["linesFrom", "date", "due", "output"],
  ] as const,
  formats: JSON_FORMATS,
  examples: [
    'freight invoice new --number INV-1 --po PO-7 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000" --line "2 x Lamp @ 19.99 EA" --line "1 x Handbook @ 30 tax 0" -o invoice.json',
    'freight invoice new --purpose creditMemo --refers-to INV-1 --number CM-1 --po PO-7 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000" --line "1 x Lamp @ 19.99 EA"',
    'freight invoice new --sandbox --shipment demo-shipment --shipping-amount 25 --number INV-2 --po PO-8 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000" --line "2 x Lamp @ 19.99 EA"',
    'freight invoice new --sandbox --shipment EXAMPLE-2 --markup 8% --number INV-3 --po PO-9 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000"',
    'freight invoice new --deposit 20 --set "shipping.carrier=Northern Freight" --set remitTo.bankDetails.swift=HARBAU2S --number INV-4 --po PO-7 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000" --line "2 x Lamp @ 19.99 EA"',
    'freight invoice new --lines-from lines.csv --number INV-2 --po PO-7 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street, Sydney NSW 2000" -o INV-2.json',
    'freight invoice new --lines-from month.csv --per invoiceNumber --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 -o month',
  ],
  notes: `With --lines-from, columns are found by their headings, as people and accounting programs write them, and a flag holds for all rows. Everything is checked before anything is written, and with --per a file that has other text is kept unless --force is given.
The fields that --map takes: ${FIELD_NAMES}. Any other field of the contract is one too, by its path: shipping.carrier, contacts.role, lineItems.countryOfOrigin, extrinsics.costCentre.`,
  async run(deps, options) {
    const { writeNewInvoice } = await import("../invoice/new/run.ts")
    const { readBilledShipments } = await import("../bills/billed-shipments.ts")
    await writeNewInvoice(deps, options, () => readBilledShipments(deps, options))
  },
})
