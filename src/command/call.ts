/** A command that a program calls, as the words of its command line. */
import { toFlagName } from "../base/command-line.ts"

export type FlagValue = string | number | boolean | readonly (string | number)[] | undefined

export interface CommandCall {
  /** `batch book` */
  command: string
  /** By their names in camel case. */
  flags?: Readonly<Record<string, FlagValue>>
  args?: readonly string[]
  input?: string
  most?: number
  format?: "json" | "ndjson"
}

/**
 * The command line of a call. Each value stands behind its flag's `=` or behind `--`, so that no text can become a flag.
 * @param common flags that every call has
 */
export function toWords(
  { command, flags = {}, args = [] }: CommandCall,
  common: readonly string[],
): string[] {
  return [...command.split(" "), ...Object.entries(flags).flatMap(toFlag), ...common, "--", ...args]
}

function toFlag([name, value]: [string, FlagValue]): string[] {
  const flag = toFlagName(name)
  if (value === undefined || value === false) return []
  if (value === true) return [flag]
  return [value].flat().map((each) => `${flag}=${each}`)
}
