import { describe, expect, it } from "vitest"
import { findTimeRefusals } from "../../../src/orders/wizard/consequences.ts"
import { pickupTimes, times } from "../../../src/orders/wizard/steps/times.ts"
import { formatLocalTime, readClose, readFuture, readyTimes } from "../../../src/orders/wizard/when.ts"
import { formatWallClock, wallClockNow } from "../../../src/base/wall-clock.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { NOW, PORT, rateOf, shippable, testContext } from "./bench.ts"
import { ENTER, LEAVE, type Line, scripted } from "./scripted.ts"

const HOUR_MS = 3_600_000
const SYDNEY = wallClockNow(NOW, "Australia/Sydney")
const bare = () => {
  const draft = shippable()
  const { collectionDateTime: _, collectionCloseTime: __, ...request } = draft.request
  return { ...draft, request }
}
const ask = async (lines: Line[], draft = bare(), context = testContext()) => {
  const talk = scripted(lines)
  return { talk, context, answer: await times.ask(draft, { ...context, conversation: talk }) }
}

const NEXT_TWICE: Line[] = [
  ["When is it ready", ENTER],
  ["When do the premises close?", ENTER],
]

describe("times", () => {
  it("are offered from the next business hour on", () => {
    expect(readyTimes(SYDNEY).map(formatWallClock)).toEqual([
      "2026-11-20T11:00:00",
      "2026-11-23T09:00:00",
      "2026-11-23T13:00:00",
    ])
  })

  it("are not so near that they pass while one answers", () => {
    const first = (minute: number) => readyTimes({ ...SYDNEY, minute }).map(formatWallClock)[0]
    expect(first(45)).toBe("2026-11-20T11:00:00")
    expect(first(46)).toBe("2026-11-20T12:00:00")
  })

  it("that have passed are taken where that is allowed", async () => {
    const allowed = { allowPast: true } as const
    const late = { ...shippable(), allowed }
    late.request = { ...late.request, collectionDateTime: "2026-11-18T09:00:00" }
    expect(times.isOpen(late, testContext())).toBe(false)
    expect(times.isOpen({ ...late, allowed: {} }, testContext())).toBe(true)
    const kept = await ask(NEXT_TWICE, late)
    expect(kept.answer).toHaveProperty("request.collectionDateTime", "2026-11-18T09:00:00")
    expect(kept.talk.said.join()).not.toContain("has passed")
    const typed: Line[] = [
      ["When is it ready", "Another time"],
      ["Day and time", "17/11/2026 10am"],
      ["When do the premises close?", ENTER],
    ]
    const { answer } = await ask(typed, { ...bare(), allowed })
    expect(answer).toHaveProperty("request.collectionDateTime", "2026-11-17T10:00:00")
  })

  it("late on a Friday are offered from Monday on", () => {
    expect(readyTimes({ ...SYDNEY, hour: 17 }).map(formatWallClock)[0]).toBe("2026-11-23T09:00:00")
  })

  it("that are offered take two answers", async () => {
    const { answer } = await ask([
      ["When is it ready", "Mon 23 Nov, 09:00"],
      ["When do the premises close?", ENTER],
    ])
    expect(answer).toMatchObject({
      request: { collectionDateTime: "2026-11-23T09:00:00", collectionCloseTime: "1700" },
    })
  })

  it("are the clock's at the place of collection, and the workstation's stands beside it where it differs", async () => {
    const draft = { ...bare(), request: { ...bare().request, collection: { ...PORT } } }
    const { talk } = await ask(
      [
        ["When is it ready", "Mon 23 Nov, 09:00 (Mon 23 Nov, 12:00 in Sydney)"],
        ["When do the premises close?", "5pm"],
      ],
      draft,
    )
    expect(talk.said[0]).toBe(
      "Times are in Perth time: it is Fri 20 Nov, 07:20 there (Fri 20 Nov, 10:20 in Sydney).",
    )
  })

  it("are shown once where the clocks agree", async () => {
    const { talk } = await ask(NEXT_TWICE)
    expect(talk.said[0]).toBe("Times are in Sydney time: it is Fri 20 Nov, 10:20 there.")
  })

  it("can be typed, and must lie ahead", async () => {
    const { talk, answer } = await ask([
      ["When is it ready", "Another time"],
      ["Day and time", "2026-11-19 10:00"],
      ["Day and time", "tue 10am"],
      ["When do the premises close?", "9:00"],
      ["When do the premises close?", "16:00"],
    ])
    expect(answer).toMatchObject({
      request: { collectionDateTime: "2026-11-24T10:00:00", collectionCloseTime: "1600" },
    })
    expect(talk.refusals).toEqual([
      "Thu 19 Nov, 10:00 has passed: it is Fri 20 Nov, 10:20 there now",
      "09:00 is not after 10:00, when the goods are ready",
    ])
  })

  it("that break carrier A's window are explained, and can be changed", async () => {
    const { talk, answer } = await ask([
      ["When is it ready", "Mon 23 Nov, 13:00"],
      ["When do the premises close?", "14:00"],
      ["Carrier A would refuse these times", "Change them"],
      ["When is it ready", ENTER],
      ["When do the premises close?", "17:00"],
    ])
    expect(talk.said[1]).toBe(
      "Carrier A: the closing time is at 14:00, and carrier A needs 120 minutes from 13:00, when the goods are ready.",
    )
    expect(answer).toMatchObject({ request: { collectionCloseTime: "1700" } })
  })

  it("that break carrier A's window can be kept for another carrier", async () => {
    const { answer } = await ask([
      ["When is it ready", "Mon 23 Nov, 13:00"],
      ["When do the premises close?", "14:00"],
      ["Carrier A would refuse these times", "Keep them"],
    ])
    expect(answer).toMatchObject({ request: { collectionCloseTime: "1400" } })
  })

  it("late in the day are proposed for a day on which every carrier takes them", async () => {
    const { talk, answer } = await ask(NEXT_TWICE, bare(), testContext({ now: NOW + 5 * HOUR_MS }))
    expect(answer).toMatchObject({
      request: { collectionDateTime: "2026-11-23T09:00:00", collectionCloseTime: "1700" },
    })
    expect(talk.asked[0]?.choices).toEqual([
      "Today, Fri 20 Nov, 16:00",
      "Mon 23 Nov, 09:00",
      "Mon 23 Nov, 13:00",
      "Another time",
    ])
  })

  it("that are proposed suit every carrier at any hour of the week", async () => {
    const refused: string[] = []
    for (let hours = 0; hours < 7 * 24; hours++) {
      const { answer } = await ask(NEXT_TWICE, bare(), testContext({ now: NOW + hours * HOUR_MS }))
      if (typeof answer === "symbol" || findTimeRefusals(answer).length > 0)
        refused.push(`after ${hours} hours`)
    }
    expect(refused).toEqual([])
  })

  it("propose the closing time of the last time, and none that is over when the goods are ready", async () => {
    const earlier = [{ request: { collectionCloseTime: "1200" }, own: {}, connectorId: undefined }]
    const { answer } = await ask(NEXT_TWICE, bare(), testContext({ now: NOW + 3 * HOUR_MS, earlier }))
    expect(answer).toMatchObject({
      request: { collectionDateTime: "2026-11-20T14:00:00", collectionCloseTime: "1700" },
    })
  })

  it("that break carrier A's window are not asked about where another carrier was chosen", async () => {
    const { answer } = await ask(
      [
        ["When is it ready", "Mon 23 Nov, 13:00"],
        ["When do the premises close?", "14:00"],
      ],
      { ...bare(), rate: rateOf("CARRIER_B_AU") },
    )
    expect(answer).toMatchObject({ request: { collectionCloseTime: "1400" } })
  })

  it("of a pickup alone have no window", async () => {
    const talk = scripted(NEXT_TWICE)
    const answer = await pickupTimes.ask(bare(), {
      ...testContext({ now: NOW + 5 * HOUR_MS }),
      conversation: talk,
    })
    expect(answer).toMatchObject({
      request: { collectionDateTime: "2026-11-20T16:00:00", collectionCloseTime: "1700" },
    })
  })

  it("that have passed since are open again, and said so", async () => {
    const context = testContext({ now: NOW + 5 * 86_400_000 })
    const draft = shippable()
    expect(times.isOpen(draft, context)).toBe(true)
    const { talk } = await ask(NEXT_TWICE, draft, context)
    expect(talk.said[1]).toBe("Mon 23 Nov, 10:00 has passed: another time is needed.")
  })

  it("go back from closing to ready, and out of the step", async () => {
    const { answer } = await ask([
      ["When is it ready", ENTER],
      ["When do the premises close?", BACK],
      ["When is it ready", BACK],
    ])
    expect(answer).toBe(BACK)
  })

  it("are kept after each answer", async () => {
    const context = testContext()
    const left = ask(
      [
        ["When is it ready", ENTER],
        ["When do the premises close?", LEAVE],
      ],
      bare(),
      context,
    )
    await expect(left).rejects.toThrow("interrupted")
    expect(context.kept.at(-1)?.request.collectionDateTime).toBe("2026-11-20T11:00:00")
  })
})

describe("a typed time", () => {
  const read = (text: string) => {
    const result = readFuture(text, SYDNEY)
    return result.ok ? formatWallClock(result.value) : result.reason
  }
  for (const [typed, meant] of [
    ["15:00", "2026-11-20T15:00:00"],
    ["9:00", "2026-11-21T09:00:00"],
    ["today 4pm", "2026-11-20T16:00:00"],
    ["tomorrow 9am", "2026-11-21T09:00:00"],
    ["Monday 10:00", "2026-11-23T10:00:00"],
    ["fri 10:00", "2026-11-27T10:00:00"],
    ["2026-11-23T10:00", "2026-11-23T10:00:00"],
    ["2026-11-23 10:00:00", "2026-11-23T10:00:00"],
    ["23/11 10am", "2026-11-23T10:00:00"],
    ["23/11/2026 5:00 PM", "2026-11-23T17:00:00"],
    ["1/12 10am", "2026-12-01T10:00:00"],
    ["3 Jan 10:00", "2027-01-03T10:00:00"],
  ] as const)
    it(`${typed} is ${meant}`, () => expect(read(typed)).toBe(meant))

  for (const typed of ["", "soon", "2026-13-01 10:00", "monday", "25:00", "2026-11-23T10:00Z"])
    it(`'${typed}' is refused`, () => expect(readFuture(typed, SYDNEY).ok).toBe(false))

  it("for closing is read as people write it", () => {
    expect(readClose("5pm", SYDNEY)).toEqual({ ok: true, value: "17:00" })
  })

  it("is not repeated for a workstation on the same time", () => {
    expect(formatLocalTime(SYDNEY, "Australia/Sydney", "Australia/Melbourne")).toBeUndefined()
  })
})
