/** When it is ready and when the premises close, by the clock of the place of collection. */
import { carrierName, nameCarriers } from "../../../carriers/index.ts"
import { closesAfter, isPast } from "../../../contract/index.ts"
import {
  formatClock,
  formatMoment,
  formatWallClock,
  parseCloseTime,
  parseTimeOfDay,
  type WallClock,
  wallClockNow,
} from "../../../base/wall-clock.ts"
import { BACK, type Back, capital, type Conversation } from "../../../output/index.ts"
import { findTimeRefusals, type TimeRefusal } from "../consequences.ts"
import { findLastTime, type WizardContext } from "../context.ts"
import { setAnswer, type Draft, getText } from "../draft.ts"
import { askInOrder, type Step, unlessBack } from "../step.ts"
import {
  exampleTimes,
  formatLocalTime,
  formatWeekdayAndTime,
  readClose,
  readFuture,
  readTime,
  getReadyTime,
  readyTimes,
  formatSuggestion,
  getZone,
  toCity,
} from "../when.ts"

const READY = "collectionDateTime"
const CLOSE = "collectionCloseTime"
const USUAL_CLOSE = "17:00"

/** The times of a booking: within the window of the chosen carrier, or of each. */
export const times = createTimes((draft) => findTimeRefusals(draft))

/** The times of a standalone pickup, for which the contract has no window. */
export const pickupTimes = createTimes(() => [])

type FindRefusals = (draft: Draft) => readonly TimeRefusal[]

function createTimes(findRefusals: FindRefusals): Step {
  return {
    isOpen(draft, context) {
      const ready = getReadyTime(draft)
      return (
        !ready ||
        getText(draft, CLOSE) === "" ||
        isTooLate(draft, ready, wallClockNow(context.now(), getZone(draft)))
      )
    },
    async ask(draft, context) {
      const { conversation } = context
      const zone = getZone(draft)
      const now = () => wallClockNow(context.now(), zone)
      const here = formatLocalTime(now(), zone, context.zone())
      await conversation.say(
        `Times are in ${toCity(zone)} time: it is ${formatWeekdayAndTime(now())} there${here ? ` (${here})` : ""}.`,
      )
      const before = getReadyTime(draft)
      if (before && isTooLate(draft, before, now()))
        await conversation.warn(`${formatWeekdayAndTime(before)} has passed: another time is needed.`)
      for (let known = draft; ; ) {
        const result = await askInOrder(known, "times", context, [
          { name: "ready", ask: (at) => askReady(at, now(), context, findRefusals) },
          { name: "close", ask: (at) => askClose(at, context) },
        ])
        if (result === BACK) return BACK
        const isKept = await confirmBrokenWindow(findRefusals(result), conversation)
        if (isKept === true) return result
        known = { ...result, at: { step: "times", ...(isKept === BACK && { isBack: true }) } }
      }
    },
  }
}

function isTooLate({ allowed }: Draft, time: WallClock, now: WallClock): boolean {
  return !allowed?.allowPast && isPast(time, now)
}

async function askReady(
  draft: Draft,
  now: WallClock,
  context: WizardContext,
  findRefusals: FindRefusals,
): Promise<Draft | Back> {
  const { conversation } = context
  const zone = getZone(draft)
  const nameTime = (time: WallClock) => {
    const here = formatLocalTime(time, zone, context.zone())
    return `${formatSuggestion(time, now)}${here ? ` (${here})` : ""}`
  }
  const given = getReadyTime(draft)
  const current = given && !isTooLate(draft, given, now) ? given : undefined
  const read = (answer: string) =>
    draft.allowed?.allowPast ? readTime(answer, now) : readFuture(answer, now)
  const isCurrent = (time: WallClock) =>
    current !== undefined && formatWallClock(time) === formatWallClock(current)
  const offered = readyTimes(now)
  const times = current && !offered.some(isCurrent) ? [current, ...offered] : offered
  const setReady = (ready: WallClock) => setAnswer(draft, READY, formatWallClock(ready))
  /** Whether every carrier accepts it, with the default closing time. */
  const suits = (ready: WallClock) =>
    findRefusals(setAnswer(setReady(ready), CLOSE, suggestClose(draft, ready, context))).length === 0
  for (;;) {
    const chosen = await conversation.choose<WallClock | "other">(
      "When is it ready for collection?",
      [...times.map((value) => ({ name: nameTime(value), value })), { name: "Another time", value: "other" }],
      times.find(isCurrent) ?? times.find(suits) ?? times[0],
    )
    if (chosen === BACK) return BACK
    if (chosen !== "other") return setReady(chosen)
    const typed = await conversation.text("Day and time", {
      hint: exampleTimes(now),
      check: read,
      live(answer) {
        const time = read(answer)
        return time.ok ? `${formatMoment(time.value)} in ${toCity(zone)}` : undefined
      },
    })
    const time = typed === BACK ? undefined : read(typed)
    if (!time?.ok) continue
    await conversation.say(`Ready ${formatMoment(time.value)}, ${toCity(zone)} time.`)
    return setReady(time.value)
  }
}

async function askClose(draft: Draft, context: WizardContext): Promise<Draft | Back> {
  const ready = getReadyTime(draft)
  if (!ready) return BACK
  const asked = context.conversation.text("When do the premises close?", {
    initial: suggestClose(draft, ready, context),
    check: (answer) => readClose(answer, ready),
  })
  return unlessBack(asked, (typed) => {
    const close = parseCloseTime(typed)
    return close.ok ? setAnswer(draft, CLOSE, close.value) : draft
  })
}

/** The closing time of the draft, of the last time, or the usual one: the first that is after the goods are ready. */
function suggestClose(draft: Draft, ready: WallClock, context: WizardContext): string | undefined {
  const last = String(findLastTime(draft, context)?.request[CLOSE] ?? "")
  return [getText(draft, CLOSE), last, USUAL_CLOSE]
    .map(parseTimeOfDay)
    .flatMap((read) => (read.ok && closesAfter(read.value, ready) ? [formatClock(read.value)] : []))[0]
}

/** Asks whether to keep times that only some carriers accept. */
async function confirmBrokenWindow(
  refusals: readonly TimeRefusal[],
  conversation: Conversation,
): Promise<boolean | Back> {
  if (refusals.length === 0) return true
  for (const { carrier, problems } of refusals)
    for (const problem of problems) await conversation.warn(`${capital(carrierName(carrier))}: ${problem}.`)
  const who = capital(nameCarriers(refusals.map(({ carrier }) => carrier)))
  return conversation.choose<boolean>(`${who} would refuse these times; the others may accept them.`, [
    { name: "Change them", value: false },
    { name: "Keep them, and book another carrier", value: true },
  ])
}
