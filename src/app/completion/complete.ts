/**
 * Answers a shell's Tab key: `freight __complete :TYPED WORDS…`, asked by the scripts in completions/. Our own walk
 * rather than @bomb.sh/tab's, which has neither files nor `--flag=VALUE` and needs every command's code loaded.
 */
import type { ArgumentData, CommandData, FlagData, TreeData } from "../../command/index.ts"
import type { Machine } from "./data.ts"
import { VALUES, type Value, type Word, words } from "./values.ts"

/** Candidates at the cursor. `kind` tells the shell whether file names fit too, and how to end a word. */
interface Answer {
  kind: string
  words: readonly Word[]
}

/**
 * @param tree the commands, as the build writes them, so that completion loads none
 * @param typed the word at the cursor, as far as it is typed
 * @param before the words before it, without `freight`
 * @returns a line for each word (the word, a tab and its meaning), then `:` and the kind: `commands`, `flags`,
 *   `words LIST`, `data KIND`, `data KIND files`, `files`, `folders` or `free`. Empty after any error: a message would
 *   stand in the middle of the line.
 */
export async function complete(
  tree: TreeData,
  typed: string,
  before: readonly string[],
  machine: Machine,
): Promise<string> {
  try {
    const { kind, words: found } = await findAnswer(
      findPosition(toCommand(tree), before),
      typed,
      before,
      machine,
    )
    return `${found.map(toLine).join("")}:${kind}\n`
  } catch {
    return ""
  }
}

function toLine({ value, about }: Word): string {
  return about ? `${value}\t${about}\n` : `${value}\n`
}

/** The part of a command, or of the program, that completion uses. */
type Command = Pick<
  CommandData,
  "command" | "aliases" | "commands" | "flags" | "arguments" | "formats" | "fields"
>

export function toCommand({ globalFlags, commands }: TreeData): Command {
  const help: FlagData = {
    name: "--help",
    type: "boolean",
    description: "show this page",
    formerly: [],
    ...{ short: null, value: null, choices: null, default: null, formats: null },
    ...{ isValueOptional: false, isRequired: false, isRepeatable: false },
  }
  return {
    command: "freight",
    aliases: [],
    commands,
    flags: [...globalFlags, help],
    arguments: [],
    formats: [],
    fields: [],
  }
}

interface Position {
  root: Command
  command: Command
  count: number
  /** The flag before the cursor, if it takes a value. */
  flag: FlagData | undefined
}

function findPosition(root: Command, before: readonly string[]): Position {
  const at: Position = { root, command: root, count: 0, flag: undefined }
  let onlyArguments = false
  for (const word of before) {
    const isFlag = /^-./.test(word)
    const isValue = at.flag !== undefined && !isFlag
    at.flag = undefined
    if (isValue) continue
    const child = at.command.commands.find((each) => getNames(each).includes(word))
    if (onlyArguments) at.count++
    else if (word === "--") onlyArguments = true
    else if (isFlag) {
      const named = findFlag(at, word)
      if (named?.value) at.flag = named
    } else if (child) at.command = child
    else at.count++
  }
  return at
}

async function findAnswer(
  at: Position,
  typed: string,
  before: readonly string[],
  machine: Machine,
): Promise<Answer> {
  const { command, flag } = at
  if (flag && !(flag.isValueOptional && typed.startsWith("-"))) {
    const value = findFlagValue(command, flag)
    if (!(flag.isValueOptional && value.kind === "free")) return answerValue(value, typed, before, machine)
  }
  if (/^--[^=]+=/.test(typed)) {
    const equals = typed.indexOf("=") + 1
    const named = findFlag(at, typed.slice(0, equals - 1))
    const value: Value = named ? findFlagValue(command, named) : { kind: "free" }
    const answer = await answerValue(value, typed.slice(equals), before, machine)
    const whole = answer.words.map((word) => ({ ...word, value: typed.slice(0, equals) + word.value }))
    return { ...answer, words: whole }
  }
  if (typed.startsWith("-")) return { kind: "flags", words: listFlags(at) }
  const isFirst = command.commands.length > 0 && at.count === 0
  if (command.commands.length > 0 && command.arguments.length === 0)
    return { kind: "commands", words: listCommands(command) }
  if (isFirst) return { kind: "commands files", words: listCommands(command) }
  const argument = command.arguments[at.count] ?? command.arguments.findLast(({ isVariadic }) => isVariadic)
  const value: Value = argument ? findArgumentValue(command, argument) : { kind: "free" }
  return answerValue(value, typed, before, machine)
}

/** The command's own flags, then those that come with every command. */
function allFlags({ command, root }: Position): readonly FlagData[] {
  return command === root ? root.flags : [...command.flags, ...root.flags]
}

function findFlag(at: Position, name: string): FlagData | undefined {
  return allFlags(at).find((flag) => [flag.name, flag.short, ...flag.formerly].includes(name))
}

function listFlags(at: Position): Word[] {
  return allFlags(at).map(({ name, description }) => ({ value: name, about: shorten(description) }))
}

function listCommands({ commands }: Command): Word[] {
  return commands.map((each) => ({
    value: getNames(each)[0] ?? "",
    about: shorten(each.purpose || each.description),
  }))
}

/** Its name, then its alias. */
function getNames({ command, aliases }: Command): string[] {
  return [command.split(" ").at(-1) ?? "", ...aliases]
}

/** The first sentence, without its full stop. */
function shorten(text: string): string {
  const [line = ""] = text.replace(/\s+/g, " ").split(/(?<=[.;]) /)
  return line.replace(/[.;]$/, "").slice(0, 90)
}

/** `free`: cannot be guessed. */
export function findFlagValue(
  { command, formats, fields }: Command,
  { name, value, choices }: FlagData,
): Value {
  if (name === "--format" && formats.length > 0) return words(`formats of ${command}`, async () => formats)
  if (name === "--fields" && fields.length > 0) return words(`fields of ${command}`, async () => fields)
  return findValue(command, name, value, choices)
}

export function findArgumentValue({ command }: Command, { name, choices }: ArgumentData): Value {
  return findValue(command, `<${name}>`, name, choices)
}

/** @param value the help's name for it */
function findValue(
  command: string,
  name: string,
  value: string | null,
  choices: readonly string[] | null,
): Value {
  if (choices) return words(name.replace(/^-+|[<>]/g, ""), async () => choices)
  const path = command.replace(/^freight ?/, "")
  return VALUES[`${path} ${name}`] ?? VALUES[name] ?? VALUES[`<${value}>`] ?? { kind: "free" }
}

async function answerValue(
  value: Value,
  typed: string,
  before: readonly string[],
  machine: Machine,
): Promise<Answer> {
  switch (value.kind) {
    case "words": {
      const all = await value.words()
      // `--set payer.type=` has values of its own, offered only once the = is typed.
      const hasEquals = typed.includes("=")
      const fitting = all.filter((word) => /=./.test(word.value) === hasEquals)
      return { kind: `words ${value.name}`, words: fitting }
    }
    case "data": {
      const { findOnMachine } = await import("./data.ts")
      const found = await findOnMachine(value.data, before, machine, typed)
      return { kind: `data ${value.data}${value.files ? " files" : ""}`, words: found }
    }
    default:
      return { kind: value.kind, words: [] }
  }
}
