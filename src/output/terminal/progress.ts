/** How far something of many rows is. */
import type { Clock } from "../../base/ports.ts"
import { CLEAR_LINE } from "./style.ts"
import type { Terminal } from "./terminal.ts"

const EVERY_MS = 200
const PLAIN_EVERY_MS = 10_000
const WIDTH = 24
const NARROWEST = 8

/**
 * A bar with a text on a terminal, an occasional line elsewhere.
 * @param total undefined while it is unknown
 * @param textOf the text after some seconds
 */
export function createProgress<Done extends { rows: number }>(
  { stderr, unicode }: Pick<Terminal, "stderr" | "unicode">,
  clock: Pick<Clock, "now">,
  total: number | undefined,
  textOf: (done: Done, total: number | undefined, seconds: number) => string,
) {
  const began = clock.now()
  let next = began + (stderr.isTTY ? 0 : PLAIN_EVERY_MS)
  let shown = false
  return {
    /** Shows progress if it is time to. */
    async show(done: Done): Promise<void> {
      const now = clock.now()
      if (now < next) return
      next = now + (stderr.isTTY ? EVERY_MS : PLAIN_EVERY_MS)
      const text = textOf(done, total, (now - began) / 1000)
      if (!stderr.isTTY) return stderr.write(`${text}\n`)
      shown = true
      const width = Math.min(WIDTH, stderr.columns - text.length - "[] ".length - 1)
      const bar =
        total === undefined || width < NARROWEST ? "" : `${barText(done.rows / total, width, unicode)} `
      await stderr.write(`${CLEAR_LINE}${`${bar}${text}`.slice(0, stderr.columns - 1)}`)
    },
    async clear(): Promise<void> {
      if (shown) await stderr.write(CLEAR_LINE)
      shown = false
    },
  }
}

function barText(share: number, width: number, unicode: boolean): string {
  const full = Math.min(width, Math.floor(share * width))
  const [done, left] = unicode ? ["━", "╌"] : ["#", "."]
  return `[${done.repeat(full)}${left.repeat(width - full)}]`
}
