/** When it is ready and when the premises close, by the clock of the place of collection. */
import { isPast } from "../../../contract/collection-times.ts"
import {
  formatClock,
  formatWallClock,
  parseCloseTime,
  parseTimeOfDay,
  type WallClock,
  wallClockNow,
} from "../../../contract/wall-clock.ts"
import { BACK, type Back, type Conversation } from "../../../terminal/conversation/conversation.ts"
import { windowProblems } from "../consequences.ts"
import { cityOf } from "../when.ts"
import { answered, type Draft, textOf } from "../draft.ts"
import { goTo, inOrder, type Step } from "../step.ts"
import {
  alsoHere,
  dayAndTime,
  readClose,
  readWhen,
  readyOf,
  readyTimes,
  suggestionText,
  zoneOf,
} from "../when.ts"
import type { World } from "../world.ts"

const READY = "collectionDateTime"
const CLOSE = "collectionCloseTime"

export const times: Step = {
  isOpen(draft, world) {
    const ready = readyOf(draft)
    return !ready || textOf(draft, CLOSE) === "" || isPast(ready, wallClockNow(world.now(), zoneOf(draft)))
  },
  async ask(draft, conversation, world) {
    const zone = zoneOf(draft)
    const now = () => wallClockNow(world.now(), zone)
    const here = alsoHere(now(), zone, world.zone)
    await conversation.say(
      `Times are by the clock in ${cityOf(zone)}: it is ${dayAndTime(now())} there${here ? ` (${here})` : ""}.`,
    )
    const before = readyOf(draft)
    if (before && isPast(before, now()))
      await conversation.say(
        world.paint("yellow", `${dayAndTime(before)} has passed: another time is needed.`),
      )
    for (let known = draft; ; ) {
      const result = await inOrder(known, "times", world, [
        { name: "ready", ask: (at) => askReady(at, now(), conversation, world) },
        { name: "close", ask: (at) => askClose(at, conversation) },
      ])
      if (result === BACK) return BACK
      const keep = await explained(result, conversation, world)
      if (keep === true) return result
      known = goTo(result, "times")
    }
  },
}

async function askReady(
  draft: Draft,
  now: WallClock,
  conversation: Conversation,
  world: World,
): Promise<Draft | Back> {
  const zone = zoneOf(draft)
  const named = (time: WallClock) => {
    const here = alsoHere(time, zone, world.zone)
    return `${suggestionText(time, now)}${here ? ` (${here})` : ""}`
  }
  const given = readyOf(draft)
  const current = given && !isPast(given, now) ? given : undefined
  const offered = readyTimes(now)
  const times = current && !offered.some((each) => isSame(each, current)) ? [current, ...offered] : offered
  for (;;) {
    const chosen = await conversation.choose<WallClock | "other">(
      "When is it ready for collection?",
      [...times.map((value) => ({ name: named(value), value })), { name: "Another time", value: "other" }],
      times.find((each) => current && isSame(each, current)) ?? times[0],
    )
    if (chosen === BACK) return BACK
    if (chosen !== "other") return answered(draft, READY, formatWallClock(chosen))
    const typed = await conversation.text("Day and time", {
      hint: "tomorrow 9:00, mon 10am, 2026-11-23 10:00",
      check: (answer) => readWhen(answer, now),
      live(answer) {
        const read = readWhen(answer, now)
        return read.ok ? `${named(read.value)} in ${cityOf(zone)}` : undefined
      },
    })
    if (typed === BACK) continue
    const read = readWhen(typed, now)
    if (read.ok) return answered(draft, READY, formatWallClock(read.value))
  }
}

function isSame(one: WallClock, other: WallClock): boolean {
  return formatWallClock(one) === formatWallClock(other)
}

async function askClose(draft: Draft, conversation: Conversation): Promise<Draft | Back> {
  const ready = readyOf(draft)
  if (!ready) return BACK
  const before = parseTimeOfDay(textOf(draft, CLOSE))
  const typed = await conversation.text("When do the premises close?", {
    initial: before.ok ? formatClock(before.value) : "17:00",
    check: (answer) => readClose(answer, ready),
  })
  if (typed === BACK) return BACK
  const close = parseCloseTime(typed)
  return close.ok ? answered(draft, CLOSE, close.value) : draft
}

/** Carrier A's window, where it is broken (freight behaviour 4): the times may be kept for the other carriers. */
async function explained(draft: Draft, conversation: Conversation, world: World): Promise<boolean | Back> {
  const problems = windowProblems(draft)
  if (problems.length === 0) return true
  for (const problem of problems) await conversation.say(world.paint("yellow", `Carrier A: ${problem}.`))
  const answer = await conversation.choose<boolean>(
    "Carrier A would refuse these times; the others may take them.",
    [
      { name: "Change them", value: false },
      { name: "Keep them, and book another carrier", value: true },
    ],
  )
  return answer === BACK ? false : answer
}
