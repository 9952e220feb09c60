/** The keys of a terminal while no question reads them. */

export type Keyboard = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown }

const CTRL_C = 0x03

/**
 * Takes the keys away from the terminal, which would show them, until the returned function is called.
 * @param interrupt what a Ctrl-C does: it comes to us and not to the system
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

/** Reads and drops what was typed and not read yet, an unfinished line included: it must not answer what comes next. */
export async function dropTyped(input: Keyboard, interrupt: () => void): Promise<void> {
  const release = swallowKeys(input, interrupt)
  // Waiting input arrives within a turn of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  release()
}

export function hasEnded(input: NodeJS.ReadableStream): boolean {
  return ("readableEnded" in input && input.readableEnded === true) || !input.readable
}
