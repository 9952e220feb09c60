/** Finds the word that was probably meant. */
/** Longer words are not typing errors. */
const MAX_WORD_LENGTH = 64

/** Typing errors allowed in a word of this length if a wrong guess would change the meaning. */
export function getMaxEdits(word: string): number {
  return word.length < 8 ? 1 : 2
}

/**
 * The candidate closest to a misspelt word. Case does not count.
 * @param edits letters that may differ; default: one in three
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
  edits = Math.floor(word.length / 3),
): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined
  let best: string | undefined
  let least = edits + 1
  for (const candidate of candidates) {
    // Each added or missing letter is one error.
    if (Math.abs(word.length - candidate.length) >= least) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance >= least) continue
    best = candidate
    least = distance
  }
  return best
}

/** Damerau-Levenshtein distance: letters added, dropped, changed or swapped with their neighbour. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const now = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      now[column] = Math.min(
        at(last, column) + 1,
        at(now, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = now
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
