/** The keys of a terminal while no question reads them. */

export type Keyboard = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown }

const CTRL_C = 0x03

/**
 * Stops the terminal from echoing keys, until the returned function is called.
 * @param interrupt called for Ctrl-C, which is not passed to the system meanwhile
 */
export function swallowKeys(input: Keyboard, interrupt: () => void): () => void {
  const onKeys = (keys: Buffer | string) => {
    if (Buffer.from(keys).includes(CTRL_C)) interrupt()
  }
  input.setRawMode?.(true)
  input.on("data", onKeys)
  input.resume()
  return () => {
    input.off("data", onKeys)
    input.pause()
    input.setRawMode?.(false)
  }
}

/** Reads and drops typed text, including an unfinished line: it must not answer the next question. */
export async function dropTyped(input: Keyboard, interrupt: () => void): Promise<void> {
  const release = swallowKeys(input, interrupt)
  // Waiting input arrives within a turn of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  release()
}

export function hasEnded(input: NodeJS.ReadableStream): boolean {
  return ("readableEnded" in input && input.readableEnded === true) || !input.readable
}
