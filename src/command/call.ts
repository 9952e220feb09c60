/**
 * Calls a command from a program: checks its input against the command's literal, and makes the words of its command
 * line.
 */
import { argumentName, toFlagName } from "../base/command-line.ts"
import { FreightError } from "../base/errors.ts"
import { requireKind } from "../base/options.ts"
import type { Argument, Flag } from "./command.ts"
import type { FlagData } from "./command-data.ts"

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
 * The command line of a call. Each value comes after its flag's `=` or after `--`, so that no text can become a flag.
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

/** Flags whose value is a number, by the help's name for it. */
const NUMBERS = ["n", "ms", "seconds", "days", "amount"] as const
type NumberName = (typeof NUMBERS)[number] | "percent"

/** A program's value for a flag; `checkFlagValue` checks that. */
export type GivenValue<F> = F extends { takes: infer Takes }
  ? F extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Takes extends `<${NumberName}>` | `[${NumberName}]`
      ? number
      : F extends { isRepeatable: true }
        ? readonly string[]
        : string
  : boolean

/** The type of a flag's value, for `freight help --json`. */
export function getFlagType({ takes, choices }: Pick<Flag, "takes" | "choices">): FlagData["type"] {
  if (takes === undefined) return "boolean"
  if (choices) return "choice"
  return NUMBERS.some((name) => name === argumentName(takes)) ? "number" : "text"
}

export function isList({ isRepeatable, takes }: Pick<Flag, "isRepeatable" | "takes">): boolean {
  return isRepeatable === true || takes?.includes("...") === true
}

/**
 * Checks a program's value for a flag. The command itself reads the value.
 * @param where the call and its option, for people: `book: key`
 * @param flag as the command declares it
 * @throws FreightError `usage` for a value that is not of the flag's type
 */
export function checkFlagValue(where: string, flag: Flag, value: unknown): asserts value is FlagValue {
  const type = getFlagType(flag)
  if (type === "boolean") return requireKind(where, "true or false", value)
  // People write 90%, and programs give the number.
  if (type === "number" || argumentName(flag.takes ?? "") === "percent")
    return requireKind(where, "a number", value)
  if (!isList(flag)) return requireKind(where, "text", value)
  for (const [at, each] of [value].flat().entries()) requireKind(`${where}[${at}]`, "text", each)
}

/**
 * Checks a program's value for an argument: a name.
 * @param argument as the command declares it
 * @throws FreightError `usage` for a value that is not a name, and for `-`, as a program has no standard input to give
 */
export function checkArgument(
  where: string,
  { takes, about }: Argument,
  value: unknown,
): asserts value is string {
  const name = `${where}: ${argumentName(takes)}`
  const hint = `It is the ${about.replace(/;.*/s, "")}.`
  requireKind(name, "text", value, hint)
  if (value === "-") throw new FreightError("usage", `${name} "-" is not a name; nothing was sent`, { hint })
}
