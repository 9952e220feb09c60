/** Messages about postings and undone postings. */
import { counted } from "../../base/counted.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { getPostedNumber, type Posting } from "../records/postings.ts"
import type { Program } from "../programs.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import { BOOKS, isImported } from "./formats.ts"
import { describePosting, type Posted } from "./post.ts"

/** @param file the import file, `-` for standard output; undefined if there is none */
export function describePosted(
  posted: readonly Posted[],
  program: Program,
  file: string | undefined,
): string[] {
  const made = posted.filter(({ isNew }) => isNew)
  const again =
    made.length === 0
      ? `this is the same ${file === undefined ? "entry" : "file"} again`
      : "it is left out of this file"
  return [
    ...made.flatMap(({ posting }) =>
      posting.part === undefined
        ? []
        : `Bill ${posting.billNumber} has grown since it was posted: only its new rows are written, as bill ${getPostedNumber(posting)}.`,
    ),
    ...posted.flatMap(({ posting, isNew }) =>
      isNew
        ? []
        : `Bill ${getPostedNumber(posting)} ${describePosting(posting)}: ${again}, and nothing was posted twice.`,
    ),
    ...(made.length === 0 ? posted : made).flatMap(({ posting }) => describeGivenBack(posting, program)),
    ...(made.length === 0 ? [] : [describeSum(made, program, file)]),
  ]
}

/** A bill with a negative total: how the program imports it, or the lines to type. */
function describeGivenBack(posting: Posting, program: Program): string[] {
  const cents = posting.exGst + posting.gst
  if (cents >= 0) return []
  const { title, credit } = BOOKS[program]
  const bill = `Bill ${getPostedNumber(posting)} gives ${formatMoney(amountOf(-cents), BILL_CURRENCY)} back`
  if (isImported(posting)) return [`${bill}: ${title} imports it as ${credit ?? "a bill"}.`]
  return [
    `${bill}, and the import of ${title} takes bills only. Enter it there as a supplier credit:`,
    ...posting.body.split("\n"),
  ]
}

function describeSum(made: readonly Posted[], program: Program, file: string | undefined): string {
  const cents = made.reduce((total, { posting }) => total + posting.exGst + posting.gst, 0)
  const where = file === undefined ? ", and there is no file to import" : file === "-" ? "" : ` in ${file}`
  const how = file === undefined ? "" : ` ${BOOKS[program].how}`
  return `Posted ${counted(made.length, "bill")}, ${formatMoney(amountOf(cents), BILL_CURRENCY)}${where}.${how}`
}

export function describeUndone({ posting, isNew }: Posted): string {
  const bill = `Bill ${getPostedNumber(posting)}`
  return isNew
    ? `${bill} is not in the books any more, and can be posted again with freight post. It ${describePosting(posting)}.`
    : `${bill} was already undone (${posting.undone}): nothing was written.`
}
