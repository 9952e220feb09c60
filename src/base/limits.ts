/** Limits of reading, so that a wrong file or an endless reply is reported and does not fill the memory. */

/** Bytes of an input that is read as a whole: a booking, a PDF, an invoice to show, a list of ids, a key. */
export const MOST_INPUT_BYTES = 100_000_000
/** Bytes that a command that prints a key may print, and as many of errors. */
export const MOST_KEY_OUTPUT = 10_000
/** Columns of a batch. */
export const MOST_COLUMNS = 1_000
/** Ranges of merged cells of a sheet that are kept. */
export const MOST_MERGED = 1_000
/** Characters of a batch's row. An unclosed quote would otherwise take in the whole file. */
export const LONGEST_ROW = 1_000_000
/** Characters of a batch's cell: the limit of spreadsheets. */
export const LONGEST_CELL = 32_767
/** Bytes that the files in an archive unpack to, and how many files there are. */
export const MOST_UNPACKED = 1_000_000_000
export const MOST_PARTS = 10_000
/** Largest ratio of an archive's files to the archive, if they are larger than `SMALL_UNPACKED` bytes. */
export const MOST_SQUEEZED = 250
export const SMALL_UNPACKED = 100_000_000
/** Characters of a workbook's texts, which are held while its rows are read. */
export const MOST_HELD = 100_000_000
/** Maximum page size of the API's lists. */
export const LONGEST_PAGE = 200
/** Shipments that `--all` lists. */
export const MOST_SHIPMENTS = 200_000
/** Characters of an answer to an assistant, which reads all of it. */
export const MOST_ANSWER = 200_000
/** Bytes of an assistant's message. */
export const MOST_MESSAGE = 10_000_000
/** Files and folders that are searched for those that an assistant names. */
export const MOST_LOOKED_AT = 100_000
/** Charges of the bills of one audit, which take about 2 KB of memory each. */
export const MOST_CHARGES = 500_000
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
