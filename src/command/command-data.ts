/** What `freight help --json` promises of commands. Types only. */

export interface FlagData {
  /** `--output` */
  name: string
  /** `-o` */
  short?: string
  /** `boolean` stands alone; `choice` takes one of `choices`. */
  type: "boolean" | "text" | "number" | "choice"
  /** What the help calls its value: `file`. */
  value?: string
  /** The value may be left out. */
  isValueOptional?: true
  choices?: readonly string[]
  default?: unknown
  isRequired?: true
  isRepeatable?: true
  /** What `--format` takes with this flag, instead of what the command has. */
  formats?: readonly string[]
  description: string
}

export interface ArgumentData {
  name: string
  isRequired: boolean
  isVariadic: boolean
  choices?: readonly string[]
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
  /** What the page says below its flags. */
  notes: string
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
