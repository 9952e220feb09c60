/** Asking one question on a terminal, and every way in which a person leaves it. */
import { FreightError } from "../../errors.ts"
import type { Clock } from "../../ports.ts"

export interface Streams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  signal: AbortSignal
}

/** @throws FreightError `interrupted` on Ctrl-C or Ctrl-D, or when the terminal goes away or has gone already */
export async function ask<T>(
  { input, output, signal }: Streams,
  question: (streams: Streams) => Promise<T>,
): Promise<T> {
  const left = new AbortController()
  const leave = () => left.abort()
  if (hasEnded(input)) leave()
  // Ctrl-D and a closed terminal end the line reader, which then pauses its input and tells nobody.
  for (const end of ["pause", "close", "error"]) input.once(end, leave)
  try {
    return await question({ input, output, signal: AbortSignal.any([signal, left.signal]) })
  } catch (error) {
    if (error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name))
      throw new FreightError("interrupted", "interrupted", { cause: error })
    throw error
  } finally {
    for (const end of ["pause", "close", "error"]) input.off(end, leave)
  }
}

/** As long between two questions that a key pressed meanwhile was not meant for the second. */
const WAIT_MS = 300

/** Drops the keys that are pressed while one waits: an Enter must not answer a question that was not there. */
interface WaitGuard {
  /** The next question starts afresh, however short the wait was. */
  waited(): void
  /** Call before each question: drops what was typed if there was a wait. */
  beforeQuestion(): Promise<void>
  /** Call after each question. */
  afterQuestion(): void
}

/** @param drop reads and drops what was typed so far */
export function guardWaits(clock: Pick<Clock, "now">, drop: () => Promise<void>): WaitGuard {
  let since = clock.now()
  let hasWaited = false
  return {
    waited() {
      hasWaited = true
    },
    async beforeQuestion() {
      if (hasWaited || clock.now() - since > WAIT_MS) await drop()
    },
    afterQuestion() {
      since = clock.now()
      hasWaited = false
    },
  }
}

export type Keyboard = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown }

const CTRL_C = 0x03

/** Listens to keys that come to us and not to the system: a Ctrl-C does what it always does, all others nothing. */
export function interruptOnCtrlC(interrupt: () => void): (keys: Buffer | string) => void {
  return (keys) => {
    if (Buffer.from(keys).includes(CTRL_C)) interrupt()
  }
}

/** Reads and drops what was typed and not read yet, a line that is not finished included. */
export async function dropTyped(input: Keyboard, interrupt: () => void): Promise<void> {
  const onKeys = interruptOnCtrlC(interrupt)
  input.setRawMode?.(true)
  input.on("data", onKeys)
  input.resume()
  // What waits in the terminal arrives within a turn of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  input.off("data", onKeys)
  input.pause()
  input.setRawMode?.(false)
}

export function hasEnded(input: NodeJS.ReadableStream): boolean {
  return ("readableEnded" in input && input.readableEnded === true) || !input.readable
}
