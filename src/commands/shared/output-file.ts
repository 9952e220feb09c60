import type { Session } from "../../command/deps.ts"

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
