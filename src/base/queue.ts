import { turns } from "./turns.ts"

/** One call at a time: two ledgers of one process would block each other's lock. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    add<T>(work: () => Promise<T>): Promise<T> {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },
    /** Resolves when all calls have ended and their answers were written. */
    async idle(): Promise<void> {
      for (let awaited: unknown; awaited !== last; ) {
        awaited = last
        await last
        await turns(2)
      }
    },
  }
}
