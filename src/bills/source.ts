/** Opens the bytes of a bill or a statement. */
import { fileSource, type TextSource } from "../input/index.ts"
import { isStdin } from "../invoice/index.ts"

/** The files of a folder that `freight audit` reads; names with `~$` are lock files of open workbooks. */
export const BILL_FILES = /^(?!~\$).*\.(json|ndjson|jsonl|csv|xlsx)$/i

interface SourceOptions {
  stdin(signal: AbortSignal): AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** @param file as a person names it: `-` is standard input */
export function findSource(file: string, { stdin, signal }: SourceOptions): TextSource {
  return isStdin(file) ? { name: "standard input", chunks: () => stdin(signal) } : fileSource(file, signal)
}
