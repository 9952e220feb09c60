/** Asking one question on a terminal, and every way in which a person leaves it. */
import { FreightError } from "../errors.ts"

export interface Streams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** Ends the question that is open. */
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

/** Nothing more will be typed. */
export function hasEnded(input: NodeJS.ReadableStream): boolean {
  return ("readableEnded" in input && input.readableEnded === true) || !input.readable
}
