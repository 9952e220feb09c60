/** Reports as a workbook. Its rows are held until all are there. */
import { type SheetColumn, writeWorkbook } from "../../output/index.ts"
import type { DocumentResult, Reporter } from "../finding.ts"

export function createSheetReporter(
  columns: readonly SheetColumn[],
  toRows: (result: DocumentResult) => Iterable<readonly unknown[]>,
): Reporter {
  const rows: (readonly unknown[])[] = []
  return {
    document(result) {
      rows.push(...toRows(result))
      return []
    },
    end: () => "",
    rest: () => writeWorkbook(columns, rows),
  }
}
