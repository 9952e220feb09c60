import type { Session } from "./deps.ts"
import type { OutputStream } from "../output/terminal/terminal.ts"
import type { Output } from "../output/terminal/view.ts"

/**
 * The format of what is written: as `--format` says, or else by the ending of the file.
 * @param target undefined for standard output
 * @param formats those that an ending may choose
 * @param others endings that mean one of them
 */
export function chooseFormat(
  { output, globals }: Pick<Session, "output" | "globals">,
  target: string | undefined,
  formats: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  if (globals.json || globals.format !== undefined || target === undefined) return output.format
  const ending = /\.(\w+)$/.exec(target)?.[1]?.toLowerCase() ?? ""
  const format = others[ending] ?? ending
  return formats.includes(format) ? format : output.format
}

export interface OutputTarget {
  stdout: OutputStream
  output: Output
}

const FILE_COLUMNS = 120

/** Writes to standard output, or to a file that is there whole or not at all. */
export async function writeOutput(
  deps: Session,
  file: string | undefined,
  act: (target: OutputTarget) => Promise<void>,
): Promise<void> {
  const { terminal, output } = deps
  if (file === undefined || file === "-") return act({ stdout: terminal.stdout, output })
  const format = chooseFormat(deps, file, ["csv", "xlsx", "json", "ndjson", "html"])
  const draft = await deps.files.create(file)
  try {
    const stdout = {
      write: (text: string | Uint8Array) => draft.write(text),
      isTTY: false,
      colour: false,
      columns: FILE_COLUMNS,
    }
    await act({ stdout, output: { ...output, format: format as Output["format"] } })
    await draft.keep()
  } finally {
    await draft.discard()
  }
}
