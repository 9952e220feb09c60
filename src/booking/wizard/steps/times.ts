/** When it is ready and when the premises close, by the clock of the place of collection. */
import { isPast } from "../../../contract/collection-times.ts"
import {
  formatClock,
  formatMoment,
  formatWallClock,
  parseCloseTime,
  parseTimeOfDay,
  type WallClock,
  wallClockNow,
} from "../../../contract/wall-clock.ts"
import { BACK, type Back, type Conversation } from "../../../terminal/conversation/conversation.ts"
import { windowProblems } from "../consequences.ts"
import { toCity } from "../when.ts"
import { setAnswer, type Draft, getText } from "../draft.ts"
import { goTo, askInOrder, type Step } from "../step.ts"
import {
  formatLocalTime,
  formatWeekdayAndTime,
  readClose,
  readFuture,
  getReadyTime,
  readyTimes,
  formatSuggestion,
  getZone,
} from "../when.ts"
import { findLastTime, type World } from "../world.ts"

const READY = "collectionDateTime"
const CLOSE = "collectionCloseTime"

export const times: Step = {
  isOpen(draft, world) {
    const ready = getReadyTime(draft)
    return !ready || getText(draft, CLOSE) === "" || isPast(ready, wallClockNow(world.now(), getZone(draft)))
  },
  async ask(draft, conversation, world) {
    const zone = getZone(draft)
    const now = () => wallClockNow(world.now(), zone)
    const here = formatLocalTime(now(), zone, world.zone)
    await conversation.say(
      `Times are in ${toCity(zone)} time: it is ${formatWeekdayAndTime(now())} there${here ? ` (${here})` : ""}.`,
    )
    const before = getReadyTime(draft)
    if (before && isPast(before, now()))
      await conversation.warn(`${formatWeekdayAndTime(before)} has passed: another time is needed.`)
    for (let known = draft; ; ) {
      const result = await askInOrder(known, "times", world, [
        { name: "ready", ask: (at) => askReady(at, now(), conversation, world) },
        { name: "close", ask: (at) => askClose(at, conversation, world) },
      ])
      if (result === BACK) return BACK
      const keep = await confirmBrokenWindow(result, conversation)
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
  const zone = getZone(draft)
  const named = (time: WallClock) => {
    const here = formatLocalTime(time, zone, world.zone)
    return `${formatSuggestion(time, now)}${here ? ` (${here})` : ""}`
  }
  const given = getReadyTime(draft)
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
    if (chosen !== "other") return setAnswer(draft, READY, formatWallClock(chosen))
    const typed = await conversation.text("Day and time", {
      hint: "tomorrow 9:00, mon 10am, 23/11 10am, 2026-11-23 10:00",
      check: (answer) => readFuture(answer, now),
      live(answer) {
        const read = readFuture(answer, now)
        return read.ok ? `${formatMoment(read.value)} in ${toCity(zone)}` : undefined
      },
    })
    if (typed === BACK) continue
    const read = readFuture(typed, now)
    if (!read.ok) continue
    await conversation.say(`Ready ${formatMoment(read.value)}, ${toCity(zone)} time.`)
    return setAnswer(draft, READY, formatWallClock(read.value))
  }
}

function isSame(one: WallClock, other: WallClock): boolean {
  return formatWallClock(one) === formatWallClock(other)
}

async function askClose(draft: Draft, conversation: Conversation, world: World): Promise<Draft | Back> {
  const ready = getReadyTime(draft)
  if (!ready) return BACK
  const before = parseTimeOfDay(
    getText(draft, CLOSE) || String(findLastTime(draft, world)?.request[CLOSE] ?? ""),
  )
  const typed = await conversation.text("When do the premises close?", {
    initial: before.ok ? formatClock(before.value) : "17:00",
    check: (answer) => readClose(answer, ready),
  })
  if (typed === BACK) return BACK
  const close = parseCloseTime(typed)
  return close.ok ? setAnswer(draft, CLOSE, close.value) : draft
}

/** Carrier A's window, where it is broken (freight behaviour 4): the times may be kept for the other carriers. */
async function confirmBrokenWindow(draft: Draft, conversation: Conversation): Promise<boolean | Back> {
  const problems = windowProblems(draft)
  if (problems.length === 0) return true
  for (const problem of problems) await conversation.warn(`Carrier A: ${problem}.`)
  const answer = await conversation.choose<boolean>(
    "Carrier A would refuse these times; the others may accept them.",
    [
      { name: "Change them", value: false },
      { name: "Keep them, and book another carrier", value: true },
    ],
  )
  return answer === BACK ? false : answer
}
