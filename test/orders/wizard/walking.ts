/** Walks of a plain booking, from a script. */
import { expect } from "vitest"
import type { Draft } from "../../../src/orders/wizard/draft.ts"
import { walk } from "../../../src/orders/wizard/walk.ts"
import { DARWIN, draftOf, HARBOUR, PORT, type TestContext, testContext } from "./bench.ts"
import { ENTER, type Line, scripted } from "./scripted.ts"

export const SAVED = [
  { name: "harbour", address: HARBOUR },
  { name: "port", address: PORT },
  { name: "darwin", address: DARWIN },
]

/** Every question of a plain booking, with an answer: ten, and one to book it. */
export const PLAIN: Line[] = [
  ["Who sends it?", "harbour"],
  ["Who receives it?", "port"],
  ["Packages", "2x40x30x20@5.5"],
  ["Packed in", "carton"],
  ["Are there dangerous goods", false],
  ["When is it ready", "Mon 23 Nov, 09:00"],
  ["When do the premises close?", ENTER],
  ["Is either place a home?", ENTER],
  ["Which service", ENTER],
  ["Your own reference", ENTER],
]
export const BOOK: Line[] = [["Book it?", "Book it: AUD 40.00, Standard, carrier C"]]
export const change = (title: string): Line[] => [
  ["Book it?", "Change something"],
  ["Change what?", `${title}:`],
]

export async function walked(
  lines: Line[],
  { start = draftOf(), context = testContext({ saved: SAVED }) } = {},
) {
  const talk = scripted(lines)
  const draft = await walk(start, { ...context, conversation: talk })
  expect(talk.left).toEqual([])
  return { talk, draft, context }
}

/** Walks until the person leaves; gives what was kept then. */
export async function left(lines: Line[], context: TestContext, start = draftOf()): Promise<Draft> {
  const talk = scripted(lines)
  await expect(walk(start, { ...context, conversation: talk })).rejects.toThrow("interrupted")
  const kept = context.kept.at(-1)
  if (!kept) throw new Error("nothing was kept")
  return JSON.parse(JSON.stringify(kept)) as Draft
}
