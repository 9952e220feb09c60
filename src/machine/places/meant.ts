/** Lists the places that a name without state or postcode may mean. */
import { answerName, type PlaceJudge } from "../../contract/index.ts"
import type { Parsed } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"

/**
 * @param read the text as it was parsed; the place is what follows its last comma
 * @param where it stood (`--from: `)
 * @param loadPlaces called only for a text that could not be read
 * @throws FreightError `input` with what the text may mean
 */
export async function placeOrThrow<T>(
  read: Parsed<T>,
  text: string,
  where: string,
  loadPlaces: () => Promise<Pick<PlaceJudge, "findNamed">>,
): Promise<T> {
  if (read.ok) return read.value
  const hint = answerName(text.split(",").at(-1) ?? "", await loadPlaces())
  throw new FreightError("input", `${where}${read.reason}`, { ...(hint !== undefined && { hint }) })
}
