/** What is done while one waits, in one line that moves and then goes away. */
import { safeText } from "../../contract/safe-text.ts"
import type { Clock } from "../../ports.ts"
import { paint } from "../style.ts"
import { fitted, marks, room, type Window } from "./window.ts"

/** What is done sooner than that is not worth a flicker. */
const SOON_MS = 150
const FRAME_MS = 100
const HIDE = "\u001b[?25l"
const SHOW = "\u001b[?25h"
const CLEAR = "\r\u001b[2K"

export async function spinning<T>(
  { window, clock, write }: { window: Window; clock: Clock; write: (text: string) => void },
  what: string,
  work: (tell: (words: string) => void) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  let words = what
  let drawn = false
  const spin = async () => {
    await clock.sleep(SOON_MS, over.signal)
    drawn = true
    write(HIDE)
    for (let turn = 0; ; turn++) {
      const { spinner } = marks(window)
      const mark = paint(window, "cyan", spinner[turn % spinner.length] ?? "")
      write(`${CLEAR}${mark} ${fitted(window, safeText(words), room(window) - 2)}`)
      await clock.sleep(FRAME_MS, over.signal)
    }
  }
  const spun = spin().catch(() => {})
  try {
    return await work((told) => {
      words = told
    })
  } finally {
    over.abort()
    await spun
    if (drawn) write(`${CLEAR}${SHOW}`)
  }
}
