/** The command tree as data: for programs that call freight (`freight help --json`), and for completion. */
import type { Argument, Command, Option } from "commander"
import type { ArgumentData, CommandData, FlagData, TreeData } from "../command-data.ts"
import { EXIT, EXIT_MEANINGS } from "../errors.ts"
import { FORMATS } from "../terminal/view.ts"
import { VERSION } from "../version.ts"

/** Counts changes of this shape that programs would stumble over. */
const SCHEMA_VERSION = 1

interface Program {
  root: Command
  /** Adds the flags of a command, whose file is loaded for that. @returns what its `--format` takes besides */
  addFlags(command: Command): Promise<readonly string[] | undefined>
  /** The page of a command as commander writes it. */
  pageOf(command: Command): string
}

/** Flags and arguments whose value is a number, by what the help calls it. */
const NUMBERS = new Set(["n", "ms", "seconds", "days", "amount"])

export async function describeTree(program: Program): Promise<TreeData> {
  const { root } = program
  return {
    schemaVersion: SCHEMA_VERSION,
    version: VERSION,
    description: root.description(),
    globalFlags: root.options.map(describeFlag),
    exitCodes: Object.entries(EXIT).map(([name, code]) => ({
      code,
      name,
      meaning: EXIT_MEANINGS[name as keyof typeof EXIT],
    })),
    commands: await describeBelow(program, root),
  }
}

/** One command with those below it. @param words `["pickup", "book"]` @returns undefined when they name none */
export async function describeNamed(
  program: Program,
  words: readonly string[],
): Promise<CommandData | undefined> {
  const found = words.reduce<Command | undefined>(
    (above, word) => above?.commands.find((each) => [each.name(), ...each.aliases()].includes(word)),
    program.root,
  )
  return found && describeCommand(program, found)
}

async function describeBelow(program: Program, command: Command): Promise<CommandData[]> {
  const described: CommandData[] = []
  for (const each of command.commands) described.push(await describeCommand(program, each))
  return described
}

async function describeCommand(program: Program, command: Command): Promise<CommandData> {
  const extraFormats = (await program.addFlags(command)) ?? []
  const { examples, notes } = readExtras(program.pageOf(command).slice(command.helpInformation().length))
  return {
    command: getCommandName(command),
    aliases: command.aliases(),
    purpose: command.summary(),
    description: command.description(),
    arguments: command.registeredArguments.map(describeArgument),
    flags: command.options.map(describeFlag),
    formats: command.commands.length > 0 ? [] : [...new Set([...FORMATS, ...extraFormats])],
    examples,
    notes,
    commands: await describeBelow(program, command),
  }
}

function getCommandName(command: Command): string {
  return command.parent ? `${getCommandName(command.parent)} ${command.name()}` : command.name()
}

/** The examples below a page, and what else stands there. */
function readExtras(text: string): { examples: string[]; notes: string } {
  const blocks = text.split(/\n(?=\n)/).map((block) => block.trim())
  const isExamples = (block: string) => block.startsWith("Examples:")
  return {
    examples: blocks.filter(isExamples).flatMap((block) =>
      block
        .split("\n")
        .slice(1)
        .map((line) => line.trim()),
    ),
    notes: blocks
      .filter((block) => block !== "" && !isExamples(block) && !/^E(very|ach) .*freight /.test(block))
      .join("\n\n"),
  }
}

function describeFlag(option: Option): FlagData {
  const { short, long, argChoices, defaultValue, mandatory, parseArg, optional, description } = option
  const value = /[<[](.+?)(?:\.\.\.)?[\]>]$/.exec(option.flags)?.[1]
  return {
    name: long ?? short ?? option.name(),
    ...(long && short && { short }),
    type: getFlagType(value, argChoices),
    ...(value !== undefined && { value }),
    ...(optional && { isValueOptional: true as const }),
    ...(argChoices && { choices: argChoices }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(mandatory && { isRequired: true as const }),
    // Those that take a value each time have a function that gathers them.
    ...((option.variadic || (parseArg && !argChoices)) && { isRepeatable: true as const }),
    description,
  }
}

function getFlagType(value: string | undefined, choices: readonly string[] | undefined): FlagData["type"] {
  if (value === undefined) return "boolean"
  if (choices) return "choice"
  return NUMBERS.has(value) ? "number" : "text"
}

function describeArgument(argument: Argument): ArgumentData {
  const { required, variadic, argChoices, description } = argument
  return {
    name: argument.name(),
    isRequired: required,
    isVariadic: variadic,
    ...(argChoices && { choices: argChoices }),
    description,
  }
}
