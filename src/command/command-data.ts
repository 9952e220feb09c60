/** What `freight help --json` promises of commands. Types only. */

export interface FlagData {
  /** `--output` */
  name: string
  /** `-o`; null where it has none. */
  short: string | null
  /** `boolean` stands alone; `choice` takes one of `choices`. */
  type: "boolean" | "text" | "number" | "choice"
  /** What the help calls its value: `file`; null of one that stands alone. */
  value: string | null
  /** The value may be left out. */
  isValueOptional: boolean
  /** Null where it takes more than some words. */
  choices: readonly string[] | null
  /** Null where it has none. */
  default: string | number | boolean | readonly string[] | null
  isRequired: boolean
  isRepeatable: boolean
  /** What `--format` takes with this flag, where that is not what the command has; else null. */
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
  /** What `--format` takes; anything else is exit code 2. */
  formats: readonly string[]
  /** What `--fields` takes, as far as that is known beforehand. */
  fields: readonly string[]
  examples: readonly string[]
  /** What the page says below its flags; null where it says nothing. */
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
