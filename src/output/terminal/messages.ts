/**
 * Output on standard error, except for questions: for people as text, for programs as JSON, a line each. Nothing else
 * writes there.
 */
import type { FreightError, MessageJson } from "../../base/errors.ts"
import { safeText } from "../../base/safe-text.ts"
import { errorText } from "./error-text.ts"
import { jsonText } from "./json-text.ts"
import { inAscii } from "./sanitize.ts"
import type { OutputStream, Terminal } from "./terminal.ts"
import { fitLine } from "./width.ts"
import type { Notes } from "../../base/ports.ts"

export interface Messages extends Notes {
  /** The stream for progress and colours: for programs it discards everything, and is not a terminal. */
  readonly progress: OutputStream
  /** Requested text, such as that of `--verbose`: printed unchanged. */
  show(text: string): Promise<void>
  fail(error: FreightError): Promise<void>
}

/** Whether a format is for programs, which then read standard error, too. */
export function isForPrograms(format: string | undefined): boolean {
  return format === "json" || format === "ndjson"
}

export function openMessages(
  { stderr, unicode }: Pick<Terminal, "stderr" | "unicode">,
  format: string | undefined,
): Messages {
  if (isForPrograms(format)) {
    const write = (message: MessageJson | FreightError) => stderr.write(`${jsonText(message)}\n`)
    return {
      progress: Object.create(stderr, {
        isTTY: { value: false },
        colour: { value: false },
        write: { value: async () => {} },
      }),
      note: (text) => write({ note: toLine(text) }),
      warn: (text) => write({ warning: toLine(text) }),
      show: (text) => write({ note: text.trimEnd() }),
      fail: write,
    }
  }
  const printLine = (text: string) => {
    const safe = toLine(text)
    return stderr.write(`${fitLine(stderr, unicode ? safe : inAscii(safe))}\n`)
  }
  return {
    progress: stderr,
    note: printLine,
    warn: (text) => printLine(`warning: ${text}`),
    show: (text) => stderr.write(text),
    fail: (error) => stderr.write(errorText(stderr, error)),
  }
}

/** Notes and warnings hold words of servers and files: each is one line, so that none can forge another. */
const toLine = (text: string) => safeText(text, 4000)
