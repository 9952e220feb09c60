/** How far a batch is: a line that is written over on a terminal, a line now and then elsewhere. */
import type { Clock } from "../ports.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { Tally } from "./result.ts"

interface Progress {
  /** Shows how far it is, when it is time to. */
  show(tally: Tally): Promise<void>
  /** Takes the line away, before something else is written. */
  clear(): Promise<void>
}

const EVERY_MS = 200
const PLAIN_EVERY_MS = 10_000
const WIDTH = 24
/** A shorter bar says nothing. */
const NARROWEST = 8
const CLEAR = "\r\u001b[K"

/** @param rows how many there are in all; undefined while they are still coming */
export function createProgress(
  { stderr, unicode }: Pick<Terminal, "stderr" | "unicode">,
  clock: Pick<Clock, "now">,
  rows: number | undefined,
): Progress {
  const began = clock.now()
  let next = began + (stderr.isTTY ? 0 : PLAIN_EVERY_MS)
  let shown = false
  return {
    async show(tally) {
      const now = clock.now()
      if (now < next) return
      next = now + (stderr.isTTY ? EVERY_MS : PLAIN_EVERY_MS)
      const text = progressText(tally, rows, (now - began) / 1000)
      if (!stderr.isTTY) return stderr.write(`${text}\n`)
      shown = true
      const width = Math.min(WIDTH, stderr.columns - text.length - "[] ".length - 1)
      const bar =
        rows === undefined || width < NARROWEST ? "" : `${barText(tally.rows / rows, width, unicode)} `
      await stderr.write(`${CLEAR}${`${bar}${text}`.slice(0, stderr.columns - 1)}`)
    },
    async clear() {
      if (shown) await stderr.write(CLEAR)
      shown = false
    },
  }
}

function barText(share: number, width: number, unicode: boolean): string {
  const full = Math.min(width, Math.floor(share * width))
  const [done, left] = unicode ? ["━", "╌"] : ["#", "."]
  return `[${done.repeat(full)}${left.repeat(width - full)}]`
}

/** `120 of 500: 110 booked, 4 failed, 6 unknown, 35/s, 0:11 left` */
export function progressText(
  { rows: done, states }: Tally,
  rows: number | undefined,
  seconds: number,
): string {
  const failed = states.failed + states.invalid + states.changed + states.duplicate
  const rate = seconds > 0 ? done / seconds : 0
  const left = rows !== undefined && rate > 0 ? `, ${clockText((rows - done) / rate)} left` : ""
  const parts = [
    `${states.booked} booked`,
    `${failed} failed`,
    `${states.unknown + states.sending} unknown`,
    `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`,
  ]
  return `${done}${rows === undefined ? "" : ` of ${rows}`}: ${parts.join(", ")}${left}`
}

function clockText(seconds: number): string {
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const tail = String(whole % 60).padStart(2, "0")
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`
}
