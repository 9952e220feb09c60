/** The commands as `freight help --json` promises them. Types only. */

export interface FlagData {
  /** `--output` */
  name: string
  /** Names that it had before, which are still understood: `--skip`. */
  formerly: readonly string[]
  /** `-o`; null where it has none. */
  short: string | null
  /** `boolean` takes no value; `choice` takes one of `choices`. */
  type: "boolean" | "text" | "number" | "choice"
  /** The help's name for its value: `file`; null for a flag without one. */
  value: string | null
  isValueOptional: boolean
  /** Null if any text is allowed. */
  choices: readonly string[] | null
  /** Null where it has none. */
  default: string | number | boolean | readonly string[] | null
  isRequired: boolean
  isRepeatable: boolean
  /** Formats of `--format` with this flag, if they differ from the command's; else null. */
  formats: readonly string[] | null
  description: string
}

export interface ArgumentData {
  name: string
  isRequired: boolean
  isVariadic: boolean
  choices: readonly string[] | null
  description: string
}

export interface CommandData {
  /** As it is called: `freight pickup book`. */
  command: string
  aliases: readonly string[]
  purpose: string
  description: string
  arguments: readonly ArgumentData[]
  flags: readonly FlagData[]
  /** Formats of `--format`; any other is exit code 2. */
  formats: readonly string[]
  /** Fields of `--fields`, as far as they are known beforehand. */
  fields: readonly string[]
  examples: readonly string[]
  /** The page's text below the flags; null if there is none. */
  notes: string | null
  commands: readonly CommandData[]
}

export interface TreeData {
  schemaVersion: number
  version: string
  description: string
  globalFlags: readonly FlagData[]
  exitCodes: readonly { code: number; name: string; meaning: string }[]
  commands: readonly CommandData[]
}
