import type { Command } from "commander"
import type { Deps } from "../../deps.ts"

/** What a command is: its file exports this, or one for each of its commands. */
export interface CommandDefinition {
  /** Adds description, arguments and flags. */
  define(command: Command): void
  /** Command lines that run as they stand, for the help page. */
  examples: readonly string[]
  /** What `--format` takes besides the usual. */
  formats?: readonly string[]
  /** @returns the exit code; undefined means done */
  run(deps: Deps, ...args: never[]): Promise<number | undefined>
}
