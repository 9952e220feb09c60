/** Conversations over streams that a test holds: what is typed, and all that was written. */
import { PassThrough } from "node:stream"
import { expect, onTestFinished } from "vitest"
import type { Clock } from "../../../../src/base/ports.ts"
import { inquirerConversation } from "../../../../src/output/terminal/conversation/inquirer.ts"
import { plainConversation } from "../../../../src/output/terminal/conversation/plain.ts"
import type { Terminal } from "../../../../src/output/terminal/terminal.ts"

export function plainDesk({ keepsAnswers = true, columns = 80 } = {}) {
  const { input, stop, terminal, written } = streams({ columns })
  const clock = new HeldClock()
  const interrupt = () => stop.abort()
  return {
    conversation: plainConversation({ input, signal: stop.signal, terminal, clock, keepsAnswers, interrupt }),
    clock,
    input,
    stop,
    keys: (keys: string) => input.write(keys),
    type: (...lines: string[]) => input.write(lines.map((line) => `${line}\n`).join("")),
    written,
  }
}

export function inquirerDesk({ columns = 80, colour = false, keepsAnswers = true, unicode = true } = {}) {
  const { input, output, stop, terminal, written } = streams({ columns, colour, unicode })
  const clock = new HeldClock()
  const modes: boolean[] = []
  let interrupted = 0
  const keyboard = Object.assign(input, {
    setRawMode: (raw: boolean) => {
      modes.push(raw)
    },
  })
  const conversation = inquirerConversation({
    input: keyboard,
    output: Object.assign(output, { rows: 24, columns }),
    signal: stop.signal,
    terminal,
    clock,
    keepsAnswers,
    interrupt: () => {
      interrupted++
    },
  })
  return {
    conversation,
    clock,
    input,
    stop,
    type: (text: string) => input.write(text),
    /** Types once the words were written: what is typed before a question is dropped. */
    async reply(words: string, ...keys: string[]) {
      await expect.poll(written).toContain(words)
      for (const key of keys) input.write(key)
    },
    written,
    interrupted: () => interrupted,
    /** The terminal takes keys one by one. */
    raw: () => modes.at(-1) === true,
  }
}

function streams({ columns = 80, colour = false, unicode = true } = {}) {
  const input = new PassThrough()
  // Inquirer ends what it writes to, except for the standard streams.
  const output = Object.assign(new PassThrough(), { _isStdio: true })
  const stop = new AbortController()
  let text = ""
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString()
  })
  onTestFinished(() => stop.abort())
  const stream = {
    isTTY: true,
    colour,
    columns,
    write: (chunk: string | Uint8Array) =>
      new Promise<void>((resolve) => {
        output.write(chunk, () => resolve())
      }),
  }
  const terminal: Pick<Terminal, "stderr" | "unicode"> = { stderr: stream, unicode }
  return { input, output, stop, terminal, written: () => text }
}

/** A clock that stands still until it is told to go on. */
class HeldClock implements Clock {
  #now = 0
  #sleepers: { at: number; wake: () => void }[] = []

  now() {
    return this.#now
  }

  sleep(ms: number, signal?: AbortSignal) {
    return new Promise<void>((resolve, reject) => {
      this.#sleepers.push({ at: this.#now + ms, wake: resolve })
      signal?.addEventListener("abort", () => reject(signal.reason))
    })
  }

  async pass(ms: number) {
    const end = this.#now + ms
    for (;;) {
      // Whoever was woken goes back to sleep before the next one is.
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#now = next.at
      this.#sleepers = this.#sleepers.filter((each) => each !== next)
      next.wake()
    }
    this.#now = end
  }
}

/** The introduction to a plain conversation. */
export const HOW =
  "Type an answer and press Enter. Enter alone takes the answer in brackets, a\nspace clears it, < goes back, and Ctrl-C stops and keeps your answers.\n"

/** The output, without the explanation that comes first. */
export function shown(written: string): string {
  return written.slice(HOW.length)
}
