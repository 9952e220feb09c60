/** The values of `--format` for a command and its flags: shared by the check and by help. */
import { quoted } from "../base/parsed.ts"
import { toFlagName } from "../base/command-line.ts"
import { FreightError } from "../base/errors.ts"
import type { Env } from "../base/ports.ts"
import { type Globals, variable } from "../machine/index.ts"
import { type Format, FORMATS, type Output } from "../output/index.ts"

export interface Formatted {
  /** The values of `--format`; those of `print` if this is left out. */
  formats?: readonly string[]
  flags?: Readonly<Record<string, { takes?: string; formats?: readonly string[] }>>
}

export const FORMAT_VARIABLE = "FREIGHT_FORMAT"
/** A workbook needs a file, and bare values need field names: neither suits every command. */
const VARIABLE_FORMATS: readonly string[] = ["table", "json", "ndjson", "csv"]

/** The formats that a command can write, whatever its flags. */
export function listFormats({ formats = FORMATS }: Formatted): readonly string[] {
  return formats
}

/**
 * The output format of a command: from its flags, otherwise the variable if the command can write that, otherwise a
 * table.
 * @param given the global flags, and the command's own
 */
export function readOutput(command: Formatted, given: Globals, env: Env, name: string): Output {
  const { json, format, fields: named, header } = given
  if (json && format !== undefined && format !== "json")
    throw new FreightError("usage", `--json and --format ${format} contradict each other`)
  const asked = json ? "json" : format
  const { formats, flag } = findFormats(command, given as Readonly<Record<string, unknown>>)
  if (asked !== undefined && !formats.includes(asked)) throw createFormatError(asked, formats, name, flag)
  const fields = named
    ?.split(",")
    .map((field) => field.trim())
    .filter((field) => field !== "")
  if (fields?.length === 0)
    throw new FreightError("usage", "--fields is empty: name the fields, as in --fields id,carrier")
  if (asked === "value" && !fields)
    throw new FreightError(
      "usage",
      "--format value prints bare values: say of which fields, as in --fields shipmentId",
    )
  const usual = readVariable(env)
  const chosen = asked ?? (usual !== undefined && formats.includes(usual) ? usual : "table")
  return {
    format: chosen as Format,
    ...(fields && { fields }),
    ...(header === false && { isHeadless: true }),
  }
}

/** Whether the command line itself asks for a format for programs: the variable is set for all commands alike. */
export function asksForProgramFormat({ json, format }: Globals): boolean {
  return json === true || (format !== undefined && format !== "table")
}

/** The formats that a command can write with the given flags, and the flag that decides it. */
function findFormats(
  { formats = FORMATS, flags = {} }: Formatted,
  given: Readonly<Record<string, unknown>>,
): { formats: readonly string[]; flag?: string } {
  for (const [name, flag] of Object.entries(flags))
    if (flag.formats && given[name] !== undefined && given[name] !== false)
      return { formats: flag.formats, flag: toFlagName(name) }
  return { formats }
}

function createFormatError(
  asked: string,
  formats: readonly string[],
  name: string,
  flag: string | undefined,
): FreightError {
  const what = [name, flag].filter(Boolean).join(" ")
  if (formats.length === 0)
    return new FreightError("usage", `${what} prints nothing that has a format: leave out --format ${asked}`)
  return new FreightError("usage", `--format takes ${formats.join(", ")} with ${what}, not ${quoted(asked)}`)
}

function readVariable(env: Env): string | undefined {
  const value = variable(env, FORMAT_VARIABLE)
  if (value === undefined || VARIABLE_FORMATS.includes(value)) return value
  throw new FreightError(
    "config",
    `${FORMAT_VARIABLE} takes ${VARIABLE_FORMATS.join(", ")}, not ${quoted(value)}`,
    {
      hint: "It holds for every command that can write it; --format says it for one.",
    },
  )
}
