/** Lines as a person types them, read one at a time; nothing is read, and nothing keeps the process alive, between. */
import { StringDecoder } from "node:string_decoder"
import { FreightError } from "../errors.ts"
import { hasEnded, readTyped } from "./asking.ts"

export interface LineReader {
  /**
   * Reads the next line, without its end.
   * @throws FreightError `interrupted` at the end of the input, or when the signal is aborted
   */
  next(): Promise<string>
  /** Drops the lines that were typed so far. */
  drop(): Promise<void>
}

export function lineReader(input: NodeJS.ReadableStream, signal: AbortSignal): LineReader {
  const decoder = new StringDecoder("utf8")
  let held = ""
  const taken = () => {
    const line = /^(.*?)(?:\r\n|[\r\n])/s.exec(held)
    if (line) held = held.slice(line[0].length)
    return line?.[1]
  }
  // A terminal that went away between two questions is told by the next one.
  input.on("error", () => {})

  const drop = async () => {
    await readTyped(input, () => {})
    held = ""
  }
  const next = () =>
    new Promise<string>((resolve, reject) => {
      const line = signal.aborted ? undefined : taken()
      if (line !== undefined) {
        resolve(line)
        return
      }
      const stop = () => {
        input.off("data", onData)
        for (const end of ENDS) input.off(end, leave)
        signal.removeEventListener("abort", leave)
        input.pause()
      }
      const leave = () => {
        stop()
        reject(new FreightError("interrupted", "interrupted"))
      }
      const onData = (chunk: Buffer | string) => {
        held += decoder.write(Buffer.from(chunk))
        const whole = taken()
        if (whole === undefined) return
        stop()
        resolve(whole)
      }
      if (signal.aborted || hasEnded(input)) {
        leave()
        return
      }
      input.on("data", onData)
      for (const end of ENDS) input.once(end, leave)
      signal.addEventListener("abort", leave)
      input.resume()
    })
  return { next, drop }
}

const ENDS = ["end", "close", "error"]
