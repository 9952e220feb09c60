/** Counts where rules are broken, in as much memory as there are rules. */
import type { DocumentResult, RulePlaces } from "../finding.ts"

/** So many files or documents are named. */
const MOST_NAMED = 3

interface Counted extends RulePlaces {
  firstFiles: string[]
  firstIndexes: number[]
  lastFile: string
  lastDocument: object
}

/** Documents must come file by file, as a run has them. */
export function createPlaceCounter(): {
  add(result: DocumentResult): void
  readonly places: Readonly<Record<string, RulePlaces>>
} {
  const counted: Record<string, Counted> = {}
  return {
    places: counted,
    add(result) {
      const { file, index, findings } = result
      for (const { rule } of findings) {
        const place = counted[rule] ?? createCount()
        counted[rule] = place
        if (place.lastDocument === result) continue
        place.lastDocument = result
        place.documents++
        if (index !== undefined && place.firstIndexes.length < MOST_NAMED) place.firstIndexes.push(index)
        if (place.lastFile === file) continue
        place.lastFile = file
        place.files++
        if (place.firstFiles.length < MOST_NAMED) place.firstFiles.push(file)
      }
    },
  }
}

const NOTHING = {}

function createCount(): Counted {
  return { files: 0, documents: 0, firstFiles: [], firstIndexes: [], lastFile: "", lastDocument: NOTHING }
}
