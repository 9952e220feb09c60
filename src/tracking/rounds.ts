import type { FreightApi } from "../api/freight.ts"
import { type Attempt, several } from "../api/several.ts"
import type { Carrier, TrackingResponse } from "../contract/generated/types.ts"
import type { Clock, Ids } from "../ports.ts"

/** What came of asking for one consignment. */
export type Answer = Attempt<string, TrackingResponse>

export interface Question {
  consignments: readonly string[]
  /** Only this carrier is asked. There is no good default: a wrong one hides the consignment (freight behaviour 6). */
  carrier: Carrier | undefined
  /** Whether to ask for this consignment again. */
  again(answer: Answer): boolean
  /** The pause between rounds is this to twice this, by chance, so that many desks do not ask at once. */
  intervalMs: number
  /** No round begins after this long. */
  limitMs: number
}

export interface RoundDeps {
  clock: Clock
  ids: Ids
  signal: AbortSignal
}

/**
 * GET /track for every consignment, then again for those that are to be asked again, round by round. Yields what each
 * round brought, in the order of the consignments. Never asks sooner than after `intervalMs`.
 */
export async function* rounds(
  { clock, ids, signal }: RoundDeps,
  api: Pick<FreightApi, "track">,
  { consignments, carrier, again, intervalMs, limitMs }: Question,
): AsyncGenerator<Answer[]> {
  const end = clock.now() + limitMs
  let open = consignments
  for (;;) {
    const answers = await several(open, (consignment) =>
      api.track({ consignment, ...(carrier !== undefined && { carrier }) }),
    )
    yield answers
    open = answers.filter(again).map(({ item }) => item)
    const left = end - clock.now()
    if (open.length === 0 || left < intervalMs) return
    await clock.sleep(Math.min(intervalMs * (1 + ids.random()), left), signal)
  }
}
