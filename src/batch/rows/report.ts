/** The errors of a batch. */
import { FreightError } from "../../errors.ts"
import { errorsIn, type RowsReport } from "../../sheets/findings.ts"

/** The errors as one error for `--json`, if any row cannot be booked. */
export function rowsError(file: string, report: RowsReport): FreightError | undefined {
  const { size } = report.bad
  if (size === 0) return undefined
  return new FreightError(
    "input",
    `${file}: ${size} of ${report.total} rows cannot be booked; nothing was sent`,
    {
      errors: errorsIn(report),
      hint: `Fix them and run this again, or book the others with --skip-invalid.${report.hasHeadings ? " Rows are numbered as a spreadsheet shows them, headings included." : ""}`,
    },
  )
}
