import { describe, expect, it } from "vitest"
import { STATES, type State } from "../../src/ledger/entry.ts"
import { EQUAL_FOR_MS, judge, type Verdict } from "../../src/ledger/judge.ts"
import { entry, HOUR, NOW } from "./setup.ts"

interface Case {
  state: State | "none"
  keyed: boolean
  sameContent: boolean
  again: boolean
  /** Within 24 hours. */
  young: boolean
  alive: boolean
  standing: boolean
}

const BOTH = [true, false]

const CASES: Case[] = ["none" as const, ...STATES].flatMap((state) =>
  BOTH.flatMap((keyed) =>
    BOTH.flatMap((sameContent) =>
      BOTH.flatMap((again) =>
        BOTH.flatMap((young) =>
          BOTH.flatMap((alive) =>
            BOTH.map((standing) => ({ state, keyed, sameContent, again, young, alive, standing })),
          ),
        ),
      ),
    ),
  ),
)

/** What is not named in a row does not count. */
const TABLE: readonly [rule: string, when: Partial<Case>, verdict: Verdict][] = [
  ["nothing was sent", { state: "none" }, "free"],
  ["it was refused", { state: "refused" }, "free"],
  ["it was released by hand", { state: "released" }, "free"],
  ["it is being sent", { state: "unknown", alive: true }, "in-flight"],
  ["it was sent, and its outcome is not known", { state: "unknown", alive: false }, "unknown"],
  ["it was done under this key", { state: "done", keyed: true, sameContent: true }, "recorded"],
  [
    "this key was used for something else",
    { state: "done", keyed: true, sameContent: false },
    "other-content",
  ],
  ["the carrier has it, and the API does not", { state: "done", keyed: false, standing: true }, "equal"],
  [
    "an equal one was done, and one more is wanted",
    { state: "done", keyed: false, standing: false, again: true },
    "free",
  ],
  [
    "an equal one was done within 24 hours",
    { state: "done", keyed: false, standing: false, again: false, young: true },
    "equal",
  ],
  [
    "an equal one was done longer ago",
    { state: "done", keyed: false, standing: false, again: false, young: false },
    "free",
  ],
]

function rowsOf(one: Case) {
  return TABLE.filter(([, when]) =>
    Object.entries(when).every(([name, value]) => one[name as keyof Case] === value),
  )
}

function verdictOf({ state, keyed, sameContent, again, young, alive, standing }: Case): Verdict {
  const settledAt = new Date(NOW - (young ? EQUAL_FOR_MS - 1 : EQUAL_FOR_MS)).toISOString()
  const made =
    state === "none" ? undefined : entry({ state, settledAt, content: "c0ffee", facts: { standing } })
  return judge(made, { keyed, again, content: sameContent ? "c0ffee" : "other", now: NOW }, alive)
}

describe("judge", () => {
  it("has exactly one rule for each of the 320 cases", () => {
    expect(CASES).toHaveLength(320)
    expect(CASES.filter((one) => rowsOf(one).length !== 1)).toEqual([])
  })

  it.each(TABLE)("%s: %j is %s", (rule, _when, verdict) => {
    const cases = CASES.filter((one) => rowsOf(one)[0]?.[0] === rule)
    expect(new Set(cases.map(verdictOf))).toEqual(new Set([verdict]))
  })

  const question = { keyed: false, content: "c0ffee", again: false }

  it("counts the 24 hours from the outcome, not from the sending", () => {
    const sentAt = new Date(NOW).toISOString()
    const settledAt = new Date(NOW + 2 * HOUR).toISOString()
    const made = entry({ state: "done", sentAt, settledAt })
    expect(judge(made, { ...question, now: NOW + EQUAL_FOR_MS + HOUR }, false)).toBe("equal")
    expect(judge(made, { ...question, now: NOW + EQUAL_FOR_MS + 2 * HOUR }, false)).toBe("free")
  })

  it("takes a clock that was set back for no reason to send again", () => {
    const made = entry({ state: "done", settledAt: new Date(NOW).toISOString() })
    expect(judge(made, { ...question, now: NOW - 48 * HOUR }, false)).toBe("equal")
  })
})
