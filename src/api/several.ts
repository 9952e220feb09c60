/** Calls for several items, a few at once; one failure does not hide the others. */
import { type ErrorKind, FreightError, toDetail } from "../base/errors.ts"
import { groupBy } from "../base/grouping.ts"
import { AT_ONCE, workThrough } from "./limiter.ts"

export type Attempt<Item, Result> = { item: Item } & (
  | { ok: true; result: Result }
  | { ok: false; error: FreightError }
)

const OUT_OF_REACH: readonly ErrorKind[] = ["unavailable", "rateLimited", "timeout"]
/** Failures after which the other items are still worth trying. */
const APART: readonly ErrorKind[] = [
  ...OUT_OF_REACH,
  "notFound",
  "refused",
  "notReady",
  "badReply",
  "unreadable",
]

/** After this many failures in a row to reach the service, it is not asked any more. */
const MAX_MISSES = 4

/**
 * Calls for every item, as many at a time as the API's limiter admits. After {@link MAX_MISSES} failures in a row to reach
 * the service, the rest fails unasked.
 * @returns the results, in the order of the items
 * @throws errors of kinds that {@link APART} lacks, as every item would have them: no key, no permission, Ctrl-C
 */
export async function several<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Attempt<Item, Result>[]> {
  const attempts: Attempt<Item, Result>[] = []
  let missesInARow = 0

  const attempt = async (item: Item): Promise<Attempt<Item, Result>> => {
    try {
      const result = await call(item)
      missesInARow = 0
      return { item, ok: true, result }
    } catch (error) {
      if (!(error instanceof FreightError) || !APART.includes(error.kind)) throw error
      missesInARow = OUT_OF_REACH.includes(error.kind) ? missesInARow + 1 : 0
      return { item, ok: false, error }
    }
  }

  await workThrough(items.entries(), AT_ONCE, async ([at, item]) => {
    attempts[at] =
      missesInARow < MAX_MISSES ? await attempt(item) : { item, ok: false, error: createNotAskedError() }
  })
  return attempts
}

function createNotAskedError(): FreightError {
  return new FreightError(
    "unavailable",
    `not asked: the service was out of reach ${MAX_MISSES} times in a row`,
  )
}

/**
 * Failures for one reason, together: their messages differ in the id of the item only.
 * @returns for each reason its items, and the error, which says `ID` where there are several
 */
export function groupFailures<Item extends { shipmentId: string }>(
  failures: readonly { item: Item; error: FreightError }[],
): { items: Item[]; error: FreightError }[] {
  const toReason = ({ item, error }: (typeof failures)[number]) =>
    error.message.replaceAll(item.shipmentId, "ID")
  return [...groupBy(failures, toReason)].flatMap(([message, group]) => {
    const [first, second] = group
    if (!first) return []
    const { kind, hint, next, code, apiCode, errors } = first.error
    const error = second
      ? new FreightError(kind, message, { hint, next, code, apiCode, errors })
      : first.error
    return [{ items: group.map(({ item }) => item), error }]
  })
}

export interface Failure {
  name: string
  /** As it was named on the command line, if that is another name. */
  target?: string | undefined
  error: FreightError
}

/**
 * One error for all failures, each by name, with a hint that all of them share; for a single item its own error. The exit
 * code is that of the worst.
 * @param things as in `2 of 5 labels failed`
 */
export function failureOf(things: string, asked: number, failures: readonly Failure[]): FreightError {
  const [worst] = failures.map(({ error }) => error).sort((a, b) => b.exitCode - a.exitCode)
  if (!worst) throw new RangeError("nothing failed")
  if (asked === 1) return worst
  const [hint, ...otherHints] = new Set(failures.map(({ error }) => error.hint))
  const [code, ...otherCodes] = new Set(failures.map(({ error }) => error.code))
  const sharedHint = otherHints.length === 0 ? hint : undefined
  return new FreightError(worst.kind, `${failures.length} of ${asked} ${things} failed`, {
    ...(otherCodes.length === 0 && { code }),
    errors: failures.map(({ name, target = name, error }) =>
      toDetail(target, error, `${name}: ${error.message}`),
    ),
    ...(worst.retryAfter !== undefined && { retryAfter: worst.retryAfter }),
    ...(sharedHint !== undefined && { hint: sharedHint }),
    ...(failures.length > 50 && { hint: "--json lists every one of them." }),
  })
}
