/** The last tracking answers, so that a repeated look sends no request. */
import type { TrackingResponse } from "../../contract/generated/types.ts"
import { openStore } from "./store.ts"

/** An answer is reused for this long: carriers' events are not quicker. */
export const ANSWER_KEPT_MS = 60_000

interface Answer {
  /** ISO 8601 in UTC, at the service. */
  at: string
  answer: TrackingResponse
}

type Answers = Readonly<Record<string, Answer>>

export type TrackingAnswers = ReturnType<typeof openAnswers>

/** @param folder of the account; one file there has all answers of the last look */
export function openAnswers(folder: string) {
  const store = openStore<Answers>({ folder, parse: (kept) => Object(kept) as Answers })
  const listFresh = (now: number) =>
    Object.entries(store.read("answers") ?? {}).filter(([, { at }]) => {
      const age = now - Date.parse(at)
      return age >= 0 && age < ANSWER_KEPT_MS
    })
  return {
    /** Answers of the last minute, by request. @param now milliseconds since the epoch, at the service */
    find: async (now: number): Promise<ReadonlyMap<string, TrackingResponse>> =>
      new Map(listFresh(now).map(([name, { answer }]) => [name, answer])),
    async keep(answers: ReadonlyMap<string, TrackingResponse>, now: number): Promise<void> {
      const at = new Date(now).toISOString()
      const added = Array.from(answers, ([name, answer]): [string, Answer] => [name, { at, answer }])
      store.keep("answers", Object.fromEntries([...listFresh(now), ...added]))
    },
  }
}
