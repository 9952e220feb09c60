import { describe, expect, it } from "vitest"
import { type Entry, STATES, type State } from "../../src/ledger/entry.ts"
import { EQUAL_FOR_MS, decideClaim, newestAttempt, type Decision } from "../../src/ledger/decision.ts"
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
  /** Its carrier has cancelled it on the phone. */
  cancelled: boolean
}

const CASES = ["none" as const, ...STATES].flatMap((state) =>
  Array.from({ length: 2 ** 7 }, (_, bits): Case => {
    const [keyed, sameContent, again, young, alive, standing, cancelled] = [0, 1, 2, 3, 4, 5, 6].map(
      (at) => ((bits >> at) & 1) === 1,
    ) as [boolean, boolean, boolean, boolean, boolean, boolean, boolean]
    return { state, keyed, sameContent, again, young, alive, standing, cancelled }
  }),
)

/** Facts that a row does not name do not count. */
const TABLE: readonly [rule: string, when: Partial<Case>, kind: Decision["kind"]][] = [
  ["nothing was sent", { state: "none" }, "free"],
  ["it was refused", { state: "refused" }, "free"],
  ["it was released by hand", { state: "released" }, "free"],
  ["it is being sent", { state: "unknown", alive: true }, "sending"],
  ["it was sent, and its outcome is not known", { state: "unknown", alive: false }, "unknown"],
  ["it was done under this key, and cancelled", { state: "done", keyed: true, cancelled: true }, "cancelled"],
  [
    "it was done under this key",
    { state: "done", keyed: true, cancelled: false, sameContent: true },
    "booked",
  ],
  [
    "this key was used for something else",
    { state: "done", keyed: true, cancelled: false, sameContent: false },
    "key-taken",
  ],
  ["the carrier has it, and the API does not", { state: "done", keyed: false, standing: true }, "at-carrier"],
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

function kindOf({
  state,
  keyed,
  sameContent,
  again,
  young,
  alive,
  standing,
  cancelled,
}: Case): Decision["kind"] {
  const settledAt = new Date(NOW - (young ? EQUAL_FOR_MS - 1 : EQUAL_FOR_MS)).toISOString()
  const leaseUntil = new Date(NOW + (alive ? 1 : -1)).toISOString()
  const key = keyed ? "key:PO-1001" : "content:c0ffee"
  const made =
    state === "none"
      ? undefined
      : entry({
          ...{ key, state, settledAt, leaseUntil, content: "c0ffee", facts: { standing } },
          ...(cancelled && { cancelledAt: settledAt }),
        })
  const question = { key, keyGiven: keyed, again, content: sameContent || !keyed ? "c0ffee" : "other" }
  return decideClaim(made ? [made] : [], question, NOW).kind
}

describe("decideClaim", () => {
  it("has exactly one rule for each of the 640 cases", () => {
    expect(CASES).toHaveLength(640)
    expect(CASES.filter((one) => rowsOf(one).length !== 1)).toEqual([])
  })

  it.each(TABLE)("%s: %j is %s", (rule, _when, kind) => {
    const cases = CASES.filter((one) => rowsOf(one)[0]?.[0] === rule)
    expect(new Set(cases.map(kindOf))).toEqual(new Set([kind]))
  })

  const question = { key: "content:c0ffee", keyGiven: false, content: "c0ffee", again: false }
  const unkeyed = (changes: Partial<Entry>) => entry({ key: "content:c0ffee", keyGiven: false, ...changes })

  it("counts the 24 hours from the outcome, not from the sending", () => {
    const settledAt = new Date(NOW + 2 * HOUR).toISOString()
    const made = [unkeyed({ state: "done", settledAt })]
    expect(decideClaim(made, question, NOW + 26 * HOUR - 1).kind).toBe("equal")
    expect(decideClaim(made, question, NOW + 26 * HOUR).kind).toBe("free")
  })

  it("names the newest equal one that was made earlier, unless a key or `again` says that this one is another", () => {
    const made = [1, 3, 2].map((n) =>
      entry({ key: `key:PO-${n}`, state: "done", sentAt: `2025-01-0${n}T00:00:00.000Z`, content: "c0ffee" }),
    )
    const all = [...made, entry({ key: "key:PO-4", state: "refused", content: "c0ffee" })]
    expect(decideClaim(all, question, NOW)).toMatchObject({ kind: "free", earlier: { key: "key:PO-3" } })
    for (const meant of [{ again: true }, { key: "key:PO-9", keyGiven: true }, { content: "other" }])
      expect(decideClaim(all, { ...question, ...meant }, NOW)).toEqual({ kind: "free" })
  })

  it.each([
    ["key:PO-1", "booked"],
    ["content:c0ffee", "equal"],
  ])("looks at every entry under %s: later attempts may have been another account's, or ended before", (key, kind) => {
    const done = entry({ key, keyGiven: false, state: "done", settledAt: new Date(NOW).toISOString() })
    const later = { key, keyGiven: false, attempt: 2, sentAt: new Date(NOW + HOUR).toISOString() }
    for (const state of ["refused", "released"] as const)
      expect(decideClaim([done, entry({ ...later, state })], { ...question, key }, NOW + HOUR)).toEqual({
        kind,
        entry: done,
        own: done,
        ...(kind === "booked" && { ignored: [] }),
      })
  })

  it("gives what was made under the key, also where a later attempt has no known outcome", () => {
    const done = entry({ key: "key:PO-1", state: "done", settledAt: new Date(NOW).toISOString() })
    const later = entry({ key: "key:PO-1", attempt: 2, sentAt: new Date(NOW + HOUR).toISOString() })
    expect(decideClaim([done, later], { ...question, key: "key:PO-1" }, NOW + HOUR)).toEqual({
      kind: "booked",
      entry: done,
      own: done,
      ignored: [],
    })
  })

  it("counts attempts, in whatever order they come", () => {
    const [first, second] = [1, 2].map((attempt) => entry({ attempt })) as [Entry, Entry]
    expect([[first, second], [second, first], []].map(newestAttempt)).toEqual([2, 2, 0])
  })

  it("takes a clock that was set back for no reason to send again", () => {
    const made = [unkeyed({ state: "done", settledAt: new Date(NOW).toISOString() })]
    expect(decideClaim(made, question, NOW - 48 * HOUR).kind).toBe("equal")
  })

  it("takes no lease for one that is longer than any: the clock was set back since", () => {
    const leaseUntil = new Date(NOW + HOUR).toISOString()
    expect(decideClaim([unkeyed({ leaseUntil })], question, NOW).kind).toBe("unknown")
  })
})

describe("what is equal under another key", () => {
  const GIVEN = { key: "key:PO-1", keyGiven: true }
  const GENERATED = { key: "key:w-1", keyGiven: false }
  const NONE = { key: "content:c0ffee", keyGiven: false }
  const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString()
  const settledAt = at(0)
  const asked = { content: "c0ffee", referenceHash: "ref", again: false }
  const other = { ...asked, key: "key:other", keyGiven: true }

  it.each<[string, Partial<Entry>, typeof other, Decision["kind"]]>([
    ["two keys that people gave are two orders", GIVEN, other, "free"],
    ["without a key, after a given one", GIVEN, { ...other, ...NONE }, "equal"],
    ["under a generated key, after a given one", GIVEN, { ...other, ...GENERATED }, "equal"],
    ["under a given key, after none", NONE, other, "equal"],
    ["under a given key, after a generated one", GENERATED, other, "equal"],
    ["under a generated key, after none", NONE, { ...other, key: "key:w-2", keyGiven: false }, "equal"],
    ["when told again", NONE, { ...other, again: true }, "free"],
  ])("%s", (_rule, made, question, kind) => {
    const done = entry({ state: "done", settledAt, ...made })
    expect(decideClaim([done], question, NOW + HOUR).kind).toBe(kind)
  })

  it("is the same reference to the same receiver, whatever the service", () => {
    const done = entry({
      ...NONE,
      key: "content:express",
      state: "done",
      settledAt,
      content: "express",
      referenceHash: "ref",
    })
    expect(decideClaim([done], other, NOW)).toEqual({ kind: "equal", entry: done })
    expect(decideClaim([done], { ...other, referenceHash: "another" }, NOW).kind).toBe("free")
  })

  it("is not all that has no reference", () => {
    const done = entry({ ...NONE, key: "content:express", state: "done", settledAt, content: "express" })
    expect(decideClaim([done], { ...other, referenceHash: undefined }, NOW).kind).toBe("free")
  })

  it.each([
    ["given", GIVEN],
    ["made up", GENERATED],
  ])("is never sent where only the carrier has it, under a key that was %s", (_how, key) => {
    const carrierOnly = entry({ ...key, state: "done", settledAt, facts: { standing: true } })
    for (const again of [true, false])
      expect(decideClaim([carrierOnly], { ...other, again }, NOW + 48 * HOUR).kind).toBe("at-carrier")
    expect(decideClaim([carrierOnly], { ...other, content: "express" }, NOW).kind).toBe("free")
  })

  it("is looked for also after its own key was refused", () => {
    const refused = entry({ key: other.key, state: "refused" })
    const done = entry({ ...NONE, state: "done", settledAt })
    expect(decideClaim([refused, done], other, NOW)).toEqual({ kind: "equal", entry: done, own: refused })
  })

  it("is asked of the newest attempt under its own key, in whatever order they come", () => {
    const attempts = [1, 2].map((attempt) =>
      entry({ ...GIVEN, attempt, state: attempt === 1 ? "released" : "done", settledAt, content: "c0ffee" }),
    )
    for (const order of [attempts, attempts.toReversed()])
      expect(decideClaim(order, { ...other, ...GIVEN }, NOW)).toMatchObject({ kind: "booked" })
  })

  it.each([true, false])("is never sent while its outcome is not known, told again: %s", (again) => {
    expect(decideClaim([entry(NONE)], { ...other, again }, NOW + 48 * HOUR).kind).toBe("unknown")
  })

  it("is what has no known outcome before what was made", () => {
    const done = entry({ ...NONE, state: "done", settledAt })
    const unknown = entry(GENERATED)
    expect(decideClaim([done, unknown], other, NOW)).toEqual({ kind: "unknown", entry: unknown })
    const sending = entry({ ...GENERATED, leaseUntil: new Date(NOW + 1).toISOString() })
    expect(decideClaim([done, sending], other, NOW)).toEqual({ kind: "sending", entry: sending })
  })

  it("is told by the newest of those that were made", () => {
    const made = [0, 1, 2].map((hours) =>
      entry({
        key: `key:w-${hours}`,
        keyGiven: false,
        state: "done",
        sentAt: at(hours),
        settledAt: at(hours),
      }),
    )
    for (const order of [made, made.toReversed()])
      expect(decideClaim(order, other, NOW + HOUR)).toMatchObject({ entry: { key: "key:w-2" } })
  })

  describe("for pickups", () => {
    const pickup = { ...other, content: "another", referenceHash: undefined, collects: ["shp-1"] }
    const made = entry({ ...GIVEN, kind: "pickup", state: "done", settledAt, facts: { shipmentId: "shp-1" } })

    it("is one of the same shipment, whatever their keys and its age", () => {
      expect(decideClaim([made], pickup, NOW + 48 * HOUR).kind).toBe("has-pickup")
      expect(decideClaim([made], { ...pickup, again: true }, NOW).kind).toBe("free")
      expect(decideClaim([made], { ...pickup, collects: ["shp-2"] }, NOW).kind).toBe("free")
    })

    it("is a common one that collects it", () => {
      const common = { ...made, facts: {}, collects: ["shp-2", "shp-1"] }
      expect(decideClaim([common], pickup, NOW + 48 * HOUR).kind).toBe("has-pickup")
    })
  })
})
