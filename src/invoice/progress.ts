/** How far a long run is, on one line of a terminal that is written over. */
import { grouped } from "../contract/counted.ts"
import type { OutputStream } from "../terminal/terminal.ts"

export interface Progress {
  /** Shows how far the run is, when it is time to. */
  show(done: { documents: number; bytes: number; findings: number }): Promise<void>
  /** Takes the line away, before something else is written. */
  clear(): Promise<void>
}

const FIRST_MS = 1000
const EVERY_MS = 200
const CLEAR = "\r\u001b[K"

/** @param now milliseconds, of any clock */
export function createProgress(stderr: OutputStream, now: () => number): Progress {
  let next = now() + FIRST_MS
  let shown = false
  return {
    async show({ documents, bytes, findings }) {
      if (now() < next) return
      next = now() + EVERY_MS
      shown = true
      const megabytes = (bytes / 1e6).toFixed(0)
      await stderr.write(
        `${CLEAR}${grouped(documents)} documents, ${megabytes} MB, ${grouped(findings)} findings`,
      )
    },
    async clear() {
      if (shown) await stderr.write(CLEAR)
      shown = false
    },
  }
}
