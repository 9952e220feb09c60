/** The terminal as commands see it: three streams and what they can show. */
import { FreightError } from "../../base/errors.ts"

export interface OutputStream {
  /** Resolves when the text was taken, so that a slow reader slows the writer. */
  write(chunk: string | Uint8Array): Promise<void>
  readonly isTTY: boolean
  /** ANSI colour is wanted and understood. */
  readonly colour: boolean
  /** Width in characters; 80 where there is no terminal. */
  readonly columns: number
}

export interface InputStream {
  readonly isTTY: boolean
  /** Everything there is, as bytes; until the command is interrupted. @throws FreightError `input` when it is too long */
  readAll(): Promise<Uint8Array>
  /** The bytes as they come, for what may be too large to hold; until the signal is aborted. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/**
 * Refuses to read what nobody has piped in.
 * @param advice `pipe the JSON in, or name a file`
 * @throws FreightError `usage` where standard input is the keyboard
 */
export function refuseKeyboard({ isTTY }: InputStream, advice: string): void {
  if (isTTY) throw new FreightError("usage", `standard input is the keyboard: ${advice}`)
}

export interface Terminal {
  readonly stdin: InputStream
  /** Data only. */
  readonly stdout: OutputStream
  /** Progress, notes, prompts, warnings and errors. */
  readonly stderr: OutputStream
  /** The terminal shows characters beyond ASCII. */
  readonly unicode: boolean
}
