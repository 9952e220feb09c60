/** Walks that are interrupted, or take long. */
import { describe, expect, it } from "vitest"
import { walk } from "../../../src/booking/wizard/wizard.ts"
import { DARWIN, draftOf, PORT, type TestWorld, testWorld } from "./bench.ts"
import { ENTER, LEAVE, type Line, type Reply, scripted } from "./scripted.ts"
import { BOOK, change, left, PLAIN, SAVED, walked } from "./walking.ts"

describe("time that passes", () => {
  /** The clock moves on while the person looks at the review, or at the confirmation. */
  const reading = async (lines: Line[], world: TestWorld, at: "Is it" | "Book", ms: number) => {
    const talk = scripted(lines)
    let left = ms
    const pass = (question: string) => {
      if (!question.startsWith(at)) return
      world.advance(left)
      left = 0
    }
    const slow: typeof talk = {
      ...talk,
      choose(question, ...rest) {
        pass(question)
        return talk.choose(question, ...rest)
      },
      confirm(question, initial) {
        pass(question)
        return talk.confirm(question, initial)
      },
    }
    const draft = await walk(draftOf(), slow, world)
    expect(talk.left).toEqual([])
    return { talk, draft }
  }

  it("of 48 hours has the rates asked for again before it is sent", async () => {
    const world = testWorld({ saved: SAVED })
    const { talk, draft } = await reading(
      [...PLAIN, ...BOOK, ["Which service", ENTER], ...BOOK],
      world,
      "Book",
      49 * 3_600_000,
    )
    expect(talk.said).toContain("The rates are more than 48 hours old: they are asked for again.")
    expect(draft.offer?.quoteId).toBe("quote-2")
  })

  it("past the ready time asks for another before it is sent", async () => {
    const world = testWorld({ saved: SAVED })
    const { draft } = await reading(
      [
        ...PLAIN,
        ["Is it all right?", ENTER],
        ["When is it ready", ENTER],
        ["When do the premises close?", ENTER],
        ["Which service", ENTER],
        ...BOOK,
      ],
      world,
      "Is it",
      7 * 86_400_000,
    )
    expect(draft.request.collectionDateTime).toBe("2026-11-27T11:00:00")
  })

  it("before a draft is gone on with is seen at once", async () => {
    const world = testWorld({ saved: SAVED })
    const start = await left([...PLAIN, ["Is it all right?", LEAVE]], world)
    world.advance(49 * 3_600_000)
    const { draft } = await walked([["Which service", ENTER], ...BOOK], { start, world })
    expect(draft.offer?.quoteId).toBe("quote-2")
  })
})

describe("a draft", () => {
  const all: Line[] = [...PLAIN, ...BOOK]
  for (const [at, [question]] of all.entries())
    it(`that was left at "${question}" is gone on with there, and nothing is asked twice`, async () => {
      if (at === 0) {
        await expect(walk(draftOf(), scripted([[question, LEAVE]]), testWorld())).rejects.toThrow(
          "interrupted",
        )
        return
      }
      const world = testWorld({ saved: SAVED })
      const start = await left([...all.slice(0, at), [question, LEAVE] as [string, Reply]], world)
      // What was confirmed is looked at once more.
      const rest = at === all.length - 1 ? BOOK : all.slice(at)
      const { draft } = await walked(rest, { start, world })
      expect(draft.request.receiver).toEqual(PORT)
    })

  it("over which the command line laid other packages has its rates asked for again", async () => {
    const world = testWorld({ saved: SAVED })
    const kept = await left([...PLAIN, ["Is it all right?", LEAVE]], world)
    const packages = [{ count: 9, lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 1 }]
    const start = { ...kept, request: { ...kept.request, packages } }
    const { talk } = await walked([["Which service", ENTER], ...BOOK], { start, world })
    expect(talk.said[0]).toBe("Since the packages changed, the rates are asked for again.")
  })

  it("keeps a change that was begun in the review", async () => {
    const world = testWorld({ saved: SAVED })
    const start = await left([...PLAIN, ...change("Receiver"), ["Who receives it?", LEAVE]], world)
    const { draft } = await walked([["Who receives it?", "darwin"], ["Which service", ENTER], ...BOOK], {
      start,
      world,
    })
    expect(draft.request.receiver).toEqual(DARWIN)
  })
})
