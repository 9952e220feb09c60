/** The command tree as data, written at build time so that completion loads no command. */
import type { Command, Option } from "commander"
import { addFlags, createProgram } from "../program.ts"
import { FORMATS } from "../terminal/view.ts"

export interface CommandNode {
  /** `pickup book`; empty for the program itself. */
  path: string
  /** Its name, then its alias. */
  names: readonly string[]
  about: string
  commands: readonly CommandNode[]
  /** Its own; those of the program come with every command. */
  flags: readonly FlagNode[]
  arguments: readonly ArgumentNode[]
  /** What `--format` takes, where that is more than usual. */
  formats?: readonly string[]
}

export interface FlagNode {
  /** The last name is the one offered. */
  names: readonly string[]
  about: string
  /** What the help calls its value: `file`. */
  takes?: string
  isOptional: boolean
  choices?: readonly string[]
}

export interface ArgumentNode {
  takes: string
  isVariadic: boolean
  choices?: readonly string[]
}

export function describeCommands(): Promise<CommandNode> {
  return describe(createProgram(), "")
}

async function describe(command: Command, path: string): Promise<CommandNode> {
  const formats = await addFlags(command)
  const help = { names: ["--help"], about: "show this page", isOptional: false }
  return {
    path,
    names: [command.name(), ...command.aliases()],
    about: shorten(command.summary() || command.description()),
    commands: await Promise.all(
      command.commands.map((each) => describe(each, `${path} ${each.name()}`.trim())),
    ),
    flags: [...command.options.map(describeFlag), ...(command.parent ? [] : [help])],
    arguments: command.registeredArguments.map((argument) => ({
      takes: argument.name(),
      isVariadic: argument.variadic,
      ...(argument.argChoices && { choices: argument.argChoices }),
    })),
    ...(formats && { formats: [...new Set([...FORMATS, ...formats])] }),
  }
}

function describeFlag({ flags, short, long, description, argChoices, optional }: Option): FlagNode {
  const takes = /[<[](.+?)(\.\.\.)?[\]>]$/.exec(flags)?.[1]
  return {
    names: [short, long].filter((name) => name !== undefined),
    about: shorten(description),
    isOptional: optional,
    ...(takes !== undefined && { takes }),
    ...(argChoices && { choices: argChoices }),
  }
}

function shorten(text: string): string {
  const [line = ""] = text.replace(/\s+/g, " ").split(/(?<=[.;]) /)
  return line.replace(/[.;]$/, "").slice(0, 90)
}
