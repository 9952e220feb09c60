/** Tells suppliers about payments. */
import { ADVICE_COLUMNS } from "../bills/index.ts"
import { command, type Flags, FORCE_FLAG, nonEmpty, OUTPUT, pastDay, printChanges } from "../command/index.ts"

const FLAGS = {
  paidOn: {
    takes: "<day>",
    about: "all that was paid on this day (default: the last on which something was)",
    read: pastDay,
  },
  output: {
    ...OUTPUT,
    about:
      "write it to advice.pdf, advice.html, advice.txt or advice.csv, by its ending; - for text on standard output (-)",
    conflicts: "dir",
  },
  dir: {
    takes: "<dir>",
    about: "write the advice for each supplier as PDF into this folder, by the supplier's name",
    writes: "folder",
  },
  as: {
    formerly: ["--from"],
    takes: "<party>",
    about:
      "the saved party that writes, with its name, ABN and address (default: the one called us, or the only supplier)",
    read: nonEmpty,
  },
  offline: {
    formerly: ["--no-evidence"],
    about: "do not ask the API: leave out the pages of evidence for what is withheld",
  },
  ...FORCE_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Writes a remittance advice for a supplier: its bills, what is paid of each, what is withheld and why, and which of its credits were set off, with a page of evidence for each dispute. With --dir, one for each supplier. freight mails nothing.",
  args: [{ takes: "[bill...]", about: "bills that were paid, by number, or supplier and number" }],
  flags: FLAGS,
  columns: ADVICE_COLUMNS,
  examples: ["freight remittance --sandbox -o advice.pdf", "freight remittance --sandbox --dir advices"],
  async run(deps, names, { offline = false, force = false, ...options }) {
    const { writeAdvices } = await import("../reports/advices.ts")
    const rows = await writeAdvices(deps, names, { ...options, hasEvidence: !offline, force })
    if (rows.length > 0) await printChanges(deps, rows, ADVICE_COLUMNS)
  },
})
