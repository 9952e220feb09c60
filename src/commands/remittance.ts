/** What a supplier is told of payments. */
import path from "node:path"
import {
  command,
  type Flags,
  FORCE_FLAG,
  nonEmpty,
  type OptionsOf,
  OUTPUT,
  pastDay,
  printChanges,
  writeOutput,
} from "../command/index.ts"
import type { Asking, Ledgers, Memory, Services, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { toFileName } from "../base/file-names.ts"
import { quoted } from "../base/parsed.ts"
import { ADVICE_COLUMNS, listAdviceRows, readAuthor } from "../bills/index.ts"
import { LETTER_ENDINGS } from "../reports/index.ts"
import { isForPeople, print } from "../output/index.ts"

type Needs = Asking & Ledgers & Memory & Services & Session

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

const ADVICE_ENDINGS = [...LETTER_ENDINGS, "csv"] as const

export default command({
  about:
    "Writes a remittance advice for a supplier: its bills, what is paid of each, what is withheld and why, and which of its credits were set off, with a page of evidence for each dispute. With --dir, one for each supplier. freight mails nothing.",
  args: [{ takes: "[bill...]", about: "bills that were paid, by number, or supplier and number" }],
  flags: FLAGS,
  columns: ADVICE_COLUMNS,
  examples: ["freight remittance --sandbox -o advice.pdf", "freight remittance --sandbox --dir advices"],
  run: writeAdvices,
})

async function writeAdvices(
  deps: Needs,
  names: readonly string[],
  { output = "-", dir, offline, force, as: party, paidOn }: OptionsOf<typeof FLAGS>,
): Promise<undefined> {
  if (names.length > 0 && paidOn !== undefined)
    throw new FreightError("usage", "--paid-on takes all bills of that day: name none with it")
  const format =
    output === "-" ? "txt" : ADVICE_ENDINGS.find((each) => output.toLowerCase().endsWith(`.${each}`))
  if (format === undefined)
    throw new FreightError(
      "usage",
      `an advice is PDF, HTML, text or CSV: -o takes a name that ends in .pdf, .html, .txt or .csv, not '${output}'`,
    )
  const { describeAdvice, listWithheld, readAdvices } = await import("../bills/pay/advice.ts")
  const day = paidOn === undefined ? undefined : readAuthor(deps, paidOn).day
  const advices = await readAdvices((await deps.readLedger()).store.database, names, day)
  const rows = advices.flatMap(listAdviceRows)
  const isForPrograms = output === "-" && dir === undefined && !isForPeople(deps.output)
  if (format === "csv" || isForPrograms) {
    await writeOutput(deps, output === "-" ? undefined : output, ({ stdout, output: to }) =>
      print(
        { terminal: { ...deps.terminal, stdout }, output: to, warnings: deps.warnings },
        { rows, columns: ADVICE_COLUMNS },
      ),
    )
    return undefined
  }
  if (dir === undefined && advices.length > 1)
    throw new FreightError(
      "usage",
      `these are payments to ${advices.length} suppliers, and an advice is for one: name its bills, or a folder with --dir`,
      { hint: `They are ${advices.map(({ supplier }) => quoted(supplier)).join(", ")}.` },
    )
  const files = advices.map(({ supplier }) =>
    dir === undefined ? output : path.join(dir, `${toFileName(supplier, "supplier")}.pdf`),
  )
  if (dir !== undefined)
    for (const file of files) deps.outputs.check({ file, writes: "pdf", force: force === true })
  const { findAccount, findSender } = await import("../bills/disputes/letter-head.ts")
  const { gatherPages, renderPages } = await import("../reports/letter-pages.ts")
  const from = await findSender(deps, party)
  for (const [at, each] of advices.entries()) {
    const account = await findAccount(deps, { carrier: "", supplier: each.supplier }, "advice")
    const page = describeAdvice(each, { day: readAuthor(deps).day, from, account })
    const withheld = each.payments.flatMap(listWithheld)
    const written = await renderPages(
      page,
      offline ? [] : await gatherPages(deps, withheld),
      dir === undefined ? format : "pdf",
    )
    const file = files[at] ?? output
    if (file === "-") await deps.terminal.stdout.write(written)
    else {
      await deps.outputs.write(file, written)
      await deps.note(`Saved as ${file}, for ${each.supplier}.`)
    }
  }
  if (output !== "-" || dir !== undefined) await printChanges(deps, rows, ADVICE_COLUMNS)
  return undefined
}
