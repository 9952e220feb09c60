import { type Attempt, type FreightApi, several } from "../../api/index.ts"
import type { Carrier, TrackingResponse } from "../../contract/generated/types.ts"
import { isOver, isPending, type Tracked } from "./events.ts"
import type { Deps } from "../../session/index.ts"

type Answer = Attempt<string, TrackingResponse>

interface RoundOptions {
  consignments: readonly string[]
  /** Only this carrier is asked. There is no good default: a wrong one hides the consignment (freight behaviour 6). */
  carrier: Carrier | undefined
  again(answer: Answer): boolean
  /** The pause between rounds is random, from this to twice this, so that many workstations do not ask at once. */
  intervalMs: number
  /** No round begins after this long. */
  limitMs: number
}

/**
 * GET /track for every consignment, then in rounds for those to ask again, at least `intervalMs` apart. Yields each
 * round's answers in order.
 */
async function* askInRounds(
  { clock, ids, signal }: Pick<Deps, "clock" | "ids" | "signal">,
  api: Pick<FreightApi, "track">,
  { consignments, carrier, again, intervalMs, limitMs }: RoundOptions,
): AsyncGenerator<Answer[]> {
  const end = clock.now() + limitMs
  let open = consignments
  for (;;) {
    const answers = await several(open, (consignment) => api.track({ consignment, carrier }))
    yield answers
    open = answers.filter(again).map(({ item }) => item)
    const left = end - clock.now()
    if (open.length === 0 || left < intervalMs) return
    await clock.sleep(Math.min(intervalMs * (1 + ids.random()), left), signal)
  }
}

type Answers = ReadonlyMap<string, Answer>

export async function askUntilKnown(
  deps: Pick<Deps, "clock" | "ids" | "signal">,
  api: Pick<FreightApi, "track">,
  options: Omit<RoundOptions, "again">,
): Promise<Answers> {
  const last = new Map<string, Answer>()
  const again = (answer: Answer) => answer.ok && isPending(answer.result)
  for await (const answers of askInRounds(deps, api, { ...options, again })) keep(last, answers)
  return last
}

/**
 * The last answer for each consignment, once each is delivered, cannot be watched, or the time has run out. Retries while
 * the service is unreachable, unless the first round already failed so.
 * @param show gets each round's results
 */
export async function askUntilOver(
  deps: Pick<Deps, "clock" | "ids" | "signal" | "note" | "warn">,
  api: Pick<FreightApi, "track">,
  options: Omit<RoundOptions, "again">,
  show: (found: Tracked[]) => Promise<void>,
): Promise<Answers> {
  const last = new Map<string, Answer>()
  let reached = false
  /** The last round's failure was reported: the same one is not reported again. */
  let isReported = false
  const again = (answer: Answer) => {
    if (answer.ok) return answer.result.supported && !isOver(answer.result)
    return reached && !isLost(answer)
  }
  for await (const answers of askInRounds(deps, api, { ...options, again })) {
    keep(last, answers)
    const found = foundIn(answers)
    reached ||= found.length > 0
    await show(found)
    for (const answer of answers)
      if (isLost(answer)) await deps.warn(`${answer.item}: ${answer.error.message}; it is not watched`)
    const failed = answers.find((answer) => !answer.ok && again(answer))
    if (failed && !failed.ok && !isReported) await deps.note(`${failed.error.message}; asking again later`)
    isReported = failed !== undefined
  }
  return last
}

export function foundIn(answers: Iterable<Answer>): Tracked[] {
  return Array.from(answers).flatMap((answer) =>
    answer.ok ? [{ consignment: answer.item, ...answer.result }] : [],
  )
}

function isLost(answer: Answer): answer is Extract<Answer, { ok: false }> {
  return !answer.ok && (answer.error.kind === "notFound" || answer.error.kind === "refused")
}

function keep(last: Map<string, Answer>, answers: readonly Answer[]): void {
  for (const answer of answers) last.set(answer.item, answer)
}
