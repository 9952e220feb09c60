/** Answers a place that lacks its state or postcode with the places that it may be. */
import { formatPlaces } from "../contract/place-doubts.ts"
import type { Parsed } from "../contract/parsed.ts"
import { FreightError } from "../errors.ts"
import type { Places } from "./judge.ts"

/** How many are named. */
const MOST_NAMED = 5

/**
 * @param read the text as it was parsed
 * @param where it stood (`--from`)
 * @param loadPlaces called only for a text that could not be read
 * @throws FreightError `input` with what the text may mean
 */
export async function placeOrThrow<T>(
  read: Parsed<T>,
  text: string,
  where: string,
  loadPlaces: () => Promise<Pick<Places, "findNamed">>,
): Promise<T> {
  if (read.ok) return read.value
  const meant = (await loadPlaces()).findNamed(text.split(",").at(-1) ?? "", MOST_NAMED)
  throw new FreightError("input", `${where}: ${read.reason}`, {
    ...(meant.length > 0 && { hint: `It may be ${formatPlaces(meant)}.` }),
  })
}
