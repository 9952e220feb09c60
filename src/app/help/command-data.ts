/** The command tree as data: for programs that call freight (`freight help --json`), manual pages and completion. */
import { listFormats } from "../../session/index.ts"
import {
  type Argument,
  type ArgumentData,
  type CommandData,
  type CommandDefinition,
  type Flag,
  type FlagData,
  type Flags,
  getFlagType,
  isList,
  type TreeData,
} from "../../command/index.ts"
import { argumentName, toFlagName } from "../../base/command-line.ts"
import { EXIT, EXIT_MEANINGS } from "../../base/errors.ts"
import { capital } from "../../output/index.ts"
import { type Entry, ENTRIES, findEntry, GLOBAL_FLAGS, PROGRAM } from "../tree.ts"
import { VERSION } from "../../base/version.ts"

/** Counts breaking changes of this shape. */
const SCHEMA_VERSION = 2

/** Loads every command. */
export async function describeTree(): Promise<TreeData> {
  return {
    schemaVersion: SCHEMA_VERSION,
    version: VERSION,
    description: PROGRAM,
    globalFlags: describeFlags({ version: { short: "-V", about: "print the version" }, ...GLOBAL_FLAGS }),
    exitCodes: Object.entries(EXIT).map(([name, code]) => ({
      code,
      name,
      meaning: EXIT_MEANINGS[name as keyof typeof EXIT],
    })),
    commands: await Promise.all(ENTRIES.map((entry) => describeEntry("freight", entry))),
  }
}

/** One command with those below it. @param words `["pickup", "book"]` @returns undefined when they name none */
export async function describeNamed(words: readonly string[]): Promise<CommandData | undefined> {
  const found = findEntry(words)
  return found && describeEntry(["freight", ...words.slice(0, -1)].join(" "), found)
}

async function describeEntry(above: string, entry: Entry): Promise<CommandData> {
  const { name, alias, purpose, load, children = [] } = entry
  const command = `${above} ${name}`
  const definition: Partial<CommandDefinition> = (await load?.()) ?? {}
  const { about, args = [], flags = {}, columns = [], examples = [], notes = null } = definition
  return {
    command,
    aliases: alias === undefined ? [] : [alias],
    purpose,
    description: about ?? `${capital(purpose)}.`,
    arguments: args.map(describeArgument),
    flags: describeFlags(flags),
    formats: load ? listFormats(definition) : [],
    fields: [...new Set(columns.map(({ key }) => key))],
    examples,
    notes,
    commands: await Promise.all(children.map((child) => describeEntry(command, child))),
  }
}

function describeFlags(flags: Flags): FlagData[] {
  return Object.entries(flags).map(([name, flag]) => describeFlag(name, flag))
}

/** @param name in camel case */
function describeFlag(name: string, flag: Flag): FlagData {
  const { formerly = [], short, takes, choices, default: value, isRequired, formats, about } = flag
  return {
    name: toFlagName(name),
    formerly,
    short: short ?? null,
    type: getFlagType(flag),
    value: takes ? argumentName(takes) : null,
    isValueOptional: takes?.startsWith("[") === true,
    choices: choices ?? null,
    default: value ?? null,
    isRequired: isRequired === true,
    isRepeatable: isList(flag),
    formats: formats ?? null,
    description: about,
  }
}

function describeArgument({ takes, choices, about }: Argument): ArgumentData {
  return {
    name: argumentName(takes),
    isRequired: takes.startsWith("<"),
    isVariadic: takes.includes("..."),
    choices: choices ?? null,
    description: about,
  }
}
