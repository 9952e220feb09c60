/**
 * The bands of a layout: the horizontal positions of its columns. A saved map keeps them, so that a PDF is read whose
 * headings freight cannot find. They are ignored if the rows stand elsewhere.
 */
import { type Line, listColumnNames, MONEY, overlaps, type PlacedText } from "../../../input/index.ts"
import type { Band } from "../../../machine/index.ts"
import { type Heading, type HeadingReader, holdsMoney, holdsName, isKnown } from "./headings.ts"
import { isSurelyRow, looksLikeRow } from "./look.ts"

/** Knows headings, and the positions of columns without one. */
export interface BandReader extends HeadingReader {
  bands: readonly Band[]
}

/** @param width of the page, in points */
export function placeBands({ bands, meaning }: BandReader, width: number): Heading[] {
  const names = listColumnNames(bands.map(({ heading }) => heading))
  return bands.map(({ heading, from, to }, at) => {
    const named = meaning(names[at] ?? heading)
    return {
      text: heading,
      x0: from * width,
      x1: to * width,
      meaning: isKnown({ meaning: named }) ? named : meaning(heading),
    }
  })
}

/** Whether each text of a line stands in one of these columns. */
export function isRowIn(columns: readonly Heading[], line: Line): boolean {
  const places = looksLikeRow(line) ? findPlaces(columns, line) : undefined
  if (!places) return false
  const has = (test: (column: Heading) => boolean, pattern: RegExp) =>
    line.phrases.some(({ text }, at) => {
      const column = columns[places[at] ?? -1]
      return column !== undefined && test(column) && pattern.test(text)
    })
  return has(holdsMoney, MONEY) && (!columns.some(holdsName) || has(holdsName, /\d/))
}

/** The column of each text of a line; undefined if a text stands in none or several. */
function findPlaces(columns: readonly PlacedText[], { phrases }: Line): number[] | undefined {
  const places = phrases.flatMap((phrase) => {
    const over = columns.flatMap((column, at) => (overlaps(column, phrase) ? [at] : []))
    return over.length === 1 ? over : []
  })
  return places.length === phrases.length ? places : undefined
}

/** Whether all lines that must be rows fit the bands, with amounts where amounts stood before. */
export function fitsBands(lines: readonly Line[], reader: BandReader): boolean {
  let rows = 0
  for (const line of lines) {
    const columns = placeBands(reader, line.width)
    if (isRowIn(columns, line)) rows++
    else if (!isSurelyRow(line)) continue
    const places = findPlaces(columns, line)
    const isAlike = places?.every(
      (place, at) => MONEY.test(line.phrases[at]?.text ?? "") === (reader.bands[place]?.amounts === true),
    )
    if (!isAlike) return false
  }
  return rows > 0
}

/** The bands of columns, from the texts of their rows. @param places the column of each text of a row */
export function toBands(
  headings: readonly string[],
  rows: readonly Line[],
  placeOf: (phrase: PlacedText) => number,
): Band[] | undefined {
  const bands = headings.map((heading) => ({ heading, from: Number.POSITIVE_INFINITY, to: 0, amounts: 0 }))
  const counts = headings.map(() => 0)
  for (const { phrases, width } of rows)
    for (const phrase of phrases) {
      const at = placeOf(phrase)
      const band = bands[at]
      if (!band) return undefined
      band.from = Math.min(band.from, phrase.x0 / width)
      band.to = Math.max(band.to, phrase.x1 / width)
      band.amounts += MONEY.test(phrase.text) ? 1 : 0
      counts[at] = (counts[at] ?? 0) + 1
    }
  return bands.flatMap(({ heading, from, to, amounts }, at): Band[] =>
    counts[at] === 0 ? [] : [{ heading, from: round(from), to: round(to), amounts: amounts === counts[at] }],
  )
}

/** A tenth of a point on a usual page. */
const round = (share: number) => Math.round(share * 10_000) / 10_000
