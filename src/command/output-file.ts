import type { Memory, Session } from "../session/index.ts"
import type { Output, OutputStream } from "../output/index.ts"

/**
 * The output format: from `--format`, otherwise from the file's ending.
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
  return findFormat(target, formats, others) ?? output.format
}

function findFormat(
  target: string,
  formats: readonly string[],
  others: Readonly<Record<string, string>>,
): string | undefined {
  const ending = /\.(\w+)$/.exec(target)?.[1]?.toLowerCase() ?? ""
  const format = others[ending] ?? ending
  return formats.includes(format) ? format : undefined
}

export interface OutputTarget {
  stdout: OutputStream
  output: Output
}

const FILE_COLUMNS = 120

const FILE_FORMATS = ["csv", "xlsx", "json", "ndjson", "html"]
const FILE_ENDINGS = { htm: "html" }

/** The format for a file's ending; undefined if it has none. */
export const findFileFormat = (file: string): string | undefined =>
  findFormat(file, FILE_FORMATS, FILE_ENDINGS)

/** The format of a file that `writeOutput` writes. @param usual if neither `--format` nor the ending decides */
export function chooseFileFormat(
  deps: Pick<Session, "output" | "globals">,
  file: string | undefined,
  usual: string | undefined,
): string {
  const format = chooseFormat(deps, file, FILE_FORMATS, FILE_ENDINGS)
  return format === "table" && file !== undefined ? (usual ?? format) : format
}

/** Writes to standard output, or to a file, which is complete or absent and is recorded as freight's own. */
export async function writeOutput(
  deps: Session & Pick<Memory, "outputs">,
  file: string | undefined,
  act: (target: OutputTarget) => Promise<void>,
  usual?: string,
): Promise<void> {
  const { terminal } = deps
  const output = { ...deps.output, format: chooseFileFormat(deps, file, usual) as Output["format"] }
  if (file === undefined || file === "-") return act({ stdout: terminal.stdout, output })
  const draft = await deps.outputs.create(file)
  try {
    const stdout = {
      write: (text: string | Uint8Array) => draft.write(text),
      isTTY: false,
      colour: false,
      columns: FILE_COLUMNS,
    }
    await act({ stdout, output })
    await draft.keep()
  } finally {
    await draft.discard()
  }
}
