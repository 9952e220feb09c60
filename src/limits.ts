/** How much is read at most, so that a wrong file or a server without end is told of and does not fill the memory. */

/** Bytes of an input that is read whole: a booking, a PDF, an invoice to show, a list of ids, a key. */
export const MOST_INPUT_BYTES = 100_000_000
/** Columns of a batch. */
export const MOST_COLUMNS = 1_000
/** Characters of a batch's row. A quote that is never closed would otherwise take in the whole file. */
export const LONGEST_ROW = 1_000_000
/** Characters of a batch's cell: what spreadsheets take. */
export const LONGEST_CELL = 32_767
/** Shipments that `--all` lists. */
export const MOST_SHIPMENTS = 200_000
/** Characters of an answer to an assistant, which reads all of it. */
export const MOST_ANSWER = 200_000
