/** Writes remittance advices to suppliers, each with the evidence for withheld amounts. */
import { FreightError } from "../base/errors.ts"
import {
  ADVICE_COLUMNS,
  type AdviceRow,
  type LetterHead,
  listAdviceRows,
  readAuthor,
} from "../bills/index.ts"
import { writeOutput } from "../command/index.ts"
import { isForPeople, print } from "../output/index.ts"
import type { Asking, Ledgers, Memory, Services, Session } from "../session/index.ts"
import { chooseLetterFormat, type LetterOptions, writeLetterFiles } from "./letter-pages.ts"

interface AdviceOptions extends LetterOptions {
  /** All payments of this day: milliseconds since the epoch. */
  paidOn?: number
}

/**
 * Writes an advice for the supplier of the named bills, or of those paid on a day (by default the last one with a
 * payment). With a folder, one for each supplier.
 * @returns the rows of those that went into files
 * @throws FreightError `usage` for several suppliers and no folder, and for a file of another ending; `notFound` if
 * nothing was paid
 */
export async function writeAdvices(
  deps: Asking & Ledgers & Memory & Services & Session,
  names: readonly string[],
  { paidOn, ...options }: AdviceOptions,
): Promise<AdviceRow[]> {
  if (names.length > 0 && paidOn !== undefined)
    throw new FreightError("usage", "--paid-on takes all bills of that day: name none with it")
  const { output = "-", dir } = options
  const format = chooseLetterFormat("advice", options)
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
    return []
  }
  const letters = advices.map((advice) => ({
    name: advice.supplier,
    to: { carrier: "", supplier: advice.supplier },
    disputes: advice.payments.flatMap(listWithheld),
    describe: (head: LetterHead) => describeAdvice(advice, head),
    saved: `, for ${advice.supplier}.`,
  }))
  await writeLetterFiles(deps, "advice", letters, format, options)
  return output === "-" && dir === undefined ? [] : rows
}
