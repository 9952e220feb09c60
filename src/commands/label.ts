import { LABEL_NAME, type SavedLabel, SHIPMENT_NAMES } from "../orders/index.ts"
import { command, type Flags, FORCE_FLAG, OUTPUT, WAIT_FLAGS, wholeNumber } from "../command/index.ts"
import { BRIEF, type Column, LAYOUT_NAMES, MAX_PLACES, print } from "../output/index.ts"

const columns: Column<SavedLabel>[] = [
  { key: "shipmentId", title: "SHIPMENT", rank: 9, brief: BRIEF.id, gives: "nothing" },
  { key: "file", title: "FILE", value: ({ labelFile }) => labelFile },
  { key: "bytes", title: "BYTES", align: "right" },
  { key: "page", title: "PAGE", align: "right", hidden: true },
  { key: "place", title: "PLACE", align: "right", hidden: true },
]

const flags = {
  output: {
    ...OUTPUT,
    about:
      "write to this file, or - for standard output (default: REFERENCE.pdf, or CONSIGNMENT.pdf without one)",
    writes: "pdf",
    conflicts: ["dir", "merge"],
  },
  dir: { takes: "<dir>", about: "write each label into this folder", writes: "folder", conflicts: "merge" },
  labelName: { ...LABEL_NAME, conflicts: ["output", "merge"] },
  merge: {
    takes: "<file>",
    about: "write all into one PDF in the given order, or - for standard output",
    writes: "pdf",
  },
  layout: {
    formerly: ["--sheet"],
    takes: "<layout>",
    about: "with --merge: two or four labels on each sheet of A4, as large as they are",
    choices: LAYOUT_NAMES,
    needs: "merge",
  },
  start: {
    takes: "<n>",
    about: "with --layout: the first place that is free on the first sheet (default: 1)",
    read: wholeNumber(1, MAX_PLACES),
    needs: "layout",
  },
  ...FORCE_FLAG,
  ...WAIT_FLAGS,
} as const satisfies Flags

export default command({
  about:
    "Saves the labels of shipments as PDF. On a terminal it asks which, if none is named. Waits for labels that their carrier makes later. Files of an earlier run are overwritten, so run it again to complete what failed.",
  args: [{ takes: "[shipment...]", about: SHIPMENT_NAMES, isAsked: true }],
  flags,
  alsoWrites: (_, { output, dir, merge }) =>
    (output ?? dir ?? merge) === undefined ? [{ flag: "label", file: ".", writes: "folder" }] : [],
  columns,
  examples: [
    "freight label --sandbox demo-shipment -o label.pdf",
    "freight label --sandbox demo-shipment --dir labels --json",
    "freight shipments list --sandbox --format csv --fields id | freight label --sandbox - --merge labels.pdf",
    "freight label --sandbox demo-shipment --merge labels.pdf --layout a4x4 --start 3",
  ],
  async run(deps, given, options) {
    const { output, merge, layout } = options
    const { saveNamed } = await import("../orders/labels/save.ts")
    const { saved, count, error } = await saveNamed(deps, given, options)
    if (output !== "-" && merge !== "-" && (saved.length > 0 || count > 1))
      // The positions show how much of a sheet is used.
      await print(deps, {
        rows: saved,
        columns: layout ? columns.map((column) => ({ ...column, hidden: false })) : columns,
      })
    if (layout && merge !== "-")
      await deps.note(`Print ${merge} at 100 %: fitted to the page, its barcodes would be smaller.`)
    if (error) throw error
  },
})
