/** Keeps the rows of a small batch between its passes, so that they are read and judged once. */
import type { Row } from "./row.ts"

/** Characters of cells: those of about 10,000 usual rows. What is longer is read again, so that memory stays flat. */
const MOST_KEPT = 4_000_000

/** @param read the rows from the start; called once if they are few, and for each pass if they are many */
export function keepRows(read: () => AsyncIterable<Row>, most = MOST_KEPT): () => AsyncGenerator<Row> {
  let kept: readonly Row[] | undefined
  return async function* () {
    if (kept) return yield* kept
    const rows: Row[] = []
    let size = 0
    for await (const row of read()) {
      for (const [column, text] of row.cells) size += column.length + text.length
      if (size <= most) rows.push(row)
      else rows.length = 0
      yield row
    }
    if (size <= most) kept = rows
  }
}
