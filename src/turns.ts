/** Turns of the event loop: in each, what has arrived by then is looked at. */

/** A request waits so many before it leaves, to see what its connection has come to: see `api/dispatcher.ts`. */
export const BEFORE_A_REQUEST = 2

/** What can wait waits for these, so that requests which are about to leave go first. */
export const AFTER_REQUESTS = BEFORE_A_REQUEST + 1

/** Lets so many turns go by. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
