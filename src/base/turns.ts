/** Turns of the event loop: in each, what has arrived by then is looked at. */

/**
 * What can wait waits for these, so that requests which are about to leave go first: they leave after two, see
 * `api/dispatcher.ts`.
 */
export const AFTER_REQUESTS = 3

/** Lets so many turns go by. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
