/** Limits of reading, so that a wrong file or an endless reply is reported and does not fill the memory. */

/** Bytes of an input that is read as a whole: a booking, a PDF, an invoice to show, a list of ids, a key. */
export const MAX_INPUT_BYTES = 100_000_000
/** Bytes that a command that prints a key may print, and as many of errors. */
export const MAX_KEY_OUTPUT_BYTES = 10_000
/** Columns of a batch. */
export const MAX_COLUMNS = 1_000
/** Ranges of merged cells of a sheet that are kept. */
export const MAX_MERGED_RANGES = 1_000
/** Characters of a batch's row. An unclosed quote would otherwise take in the whole file. */
export const MAX_ROW_LENGTH = 1_000_000
/** Characters of a batch's cell: the limit of spreadsheets. */
export const MAX_CELL_LENGTH = 32_767
/** Bytes that the files in an archive unpack to, and how many files there are. */
export const MAX_UNPACKED_BYTES = 1_000_000_000
export const MAX_PARTS = 10_000
/** Largest ratio of an archive's files to the archive, if they are larger than `SMALL_UNPACKED` bytes. */
export const MAX_COMPRESSION_RATIO = 250
export const SMALL_UNPACKED = 100_000_000
/** Characters of a workbook's texts, which are held while its rows are read. */
export const MAX_TEXTS_LENGTH = 100_000_000
/** Maximum page size of the API's lists. */
export const MAX_PAGE_SIZE = 200
/** Shipments that `--all` lists. */
export const MAX_SHIPMENTS = 200_000
/** Characters of an answer to an assistant, which reads all of it. */
export const MAX_ANSWER_LENGTH = 200_000
/** Bytes of an assistant's message. */
export const MAX_MESSAGE_BYTES = 10_000_000
/** Files and folders that are searched for those that an assistant names. */
export const MAX_SEARCHED = 100_000
/** Charges of the bills of one audit, which take about 2 KB of memory each. */
export const MAX_CHARGES = 500_000
/** Levels of arrays and objects in JSON files and replies, so that code may recurse over the value. */
export const DEEPEST = 1_000

/** Whether a JSON text nests deeper than `DEEPEST`. `JSON.parse` takes 60 bytes for each level, so check this first. */
export function isTooDeep(text: string): boolean {
  if (!hasManyBrackets(text)) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length && depth <= DEEPEST; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) isInString = !isInString
    else if (isInString) at += code === 0x5c ? 1 : 0
    // `[` and `{`, `]` and `}`: they differ in this bit only.
    else if ((code | 0x20) === 0x7b) depth++
    else if ((code | 0x20) === 0x7d) depth--
  }
  return depth > DEEPEST
}

/** A fast check that spares most texts the slow one. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (++count > DEEPEST) return true
  return false
}
