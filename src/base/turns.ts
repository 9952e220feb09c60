/** Turns of the event loop: each handles the events that have arrived. */

/**
 * Work that can wait lets this many turns pass, so that requests about to be sent go first: they leave after two, see
 * `api/dispatcher.ts`.
 */
export const AFTER_REQUESTS = 3

/** Lets turns of the event loop pass. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Steps of work between two turns; each is small, such as a row or a line. */
const STEPS_IN_TURN = 16

/**
 * Long work on a file calls it between rows: at intervals it yields to the event loop, so that signals are heard.
 * @returns a function that throws the signal's reason once that is aborted
 */
export function createStep(signal: AbortSignal): () => Promise<void> | undefined {
  let count = 0
  return () => (++count % STEPS_IN_TURN === 0 ? turnUnless(signal) : undefined)
}

async function turnUnless(signal: AbortSignal): Promise<void> {
  await turns(1)
  signal.throwIfAborted()
}
