/** The terminal for commands: three streams and their capabilities. */
import { ClosedPipe, FreightError } from "../../base/errors.ts"

export interface OutputStream {
  /** Resolves when the text was taken, so that a slow reader slows the writer. */
  write(chunk: string | Uint8Array): Promise<void>
  readonly isTTY: boolean
  /** ANSI colour is wanted and understood. */
  readonly colour: boolean
  /** Width in characters; 80 without a terminal. */
  readonly columns: number
}

export interface InputStream {
  readonly isTTY: boolean
  /** Everything there is, as bytes; until the command is interrupted. @throws FreightError `input` when it is too long */
  readAll(): Promise<Uint8Array>
  /** The bytes in chunks, for input that may be too large for memory; until the signal is aborted. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/**
 * Refuses to read from a keyboard.
 * @param advice `pipe the JSON in, or name a file`
 * @throws FreightError `usage` if standard input is the keyboard
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

export interface OutlastingTerminal {
  terminal: Terminal
  /** Why standard output could not be written completely; undefined if it was, or if its reader closed it. */
  getOutputError(): unknown
}

/**
 * The same terminal for commands that act while printing: when a stream can no longer be written, nothing more goes
 * there, and the command continues to its end.
 */
export function outlastReaders(terminal: Terminal): OutlastingTerminal {
  let outputError: unknown
  return {
    terminal: {
      ...terminal,
      stdout: outlast(terminal.stdout, (error) => {
        if (!(error instanceof ClosedPipe)) outputError = error
      }),
      stderr: outlast(terminal.stderr, () => {}),
    },
    getOutputError: () => outputError,
  }
}

function outlast(stream: OutputStream, onError: (error: unknown) => void): OutputStream {
  let hasFailed = false
  const write: OutputStream["write"] = async (chunk) => {
    if (hasFailed) return
    try {
      await stream.write(chunk)
    } catch (error) {
      hasFailed = true
      onError(error)
    }
  }
  // Whether it is a terminal is asked only when it has to be known.
  return Object.create(stream, { write: { value: write } })
}
