/** Where output goes, and in which format. */
import type { Deps } from "../../deps.ts"
import { FreightError } from "../../errors.ts"
import type { Terminal } from "../../terminal/terminal.ts"

/**
 * The format of what is written: as `--format` says, or else by the ending of the file.
 * @param target undefined for standard output
 * @param formats those that an ending may choose
 * @param others endings that mean one of them
 */
export function chooseFormat(
  { output, globals }: Pick<Deps, "output" | "globals">,
  target: string | undefined,
  formats: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  if (globals.json || globals.format !== undefined || target === undefined) return output.format
  const ending = /\.(\w+)$/.exec(target)?.[1]?.toLowerCase() ?? ""
  const format = others[ending] ?? ending
  return formats.includes(format) ? format : output.format
}

/** @throws FreightError `usage` when a PDF would go to the terminal: `-` is for pipes. */
export function checkPdfTarget({ stdout }: Terminal, file: string | undefined): void {
  if (file === "-" && stdout.isTTY)
    throw new FreightError("usage", "a PDF cannot be shown on a terminal: redirect it, or name a file")
}
