/**
 * Answers a shell's Tab key: `freight __complete :TYPED WORDS…`, asked by the scripts in completions/. Our own walk
 * rather than @bomb.sh/tab's, which has neither files nor `--flag=VALUE` and needs every command's code loaded.
 */
import type { ArgumentNode, CommandNode, FlagNode } from "./commands.ts"
import type { Machine } from "./data.ts"
import { VALUES, type Value, type Word, words } from "./values.ts"

/** Candidates at the cursor. `kind` tells the shell whether file names fit too, and how to end a word. */
interface Answer {
  kind: string
  words: readonly Word[]
}

/**
 * @param root the commands, as `describeCommands` gives them
 * @param typed the word at the cursor, as far as it is typed
 * @param before the words before it, without `freight`
 * @returns a line for each word (the word, a tab and its meaning), then `:` and the kind: `commands`, `flags`,
 *   `words LIST`, `data KIND`, `data KIND files`, `files`, `folders` or `free`. Empty after any error: a message would
 *   stand in the middle of the line.
 */
export async function complete(
  root: CommandNode,
  typed: string,
  before: readonly string[],
  machine: Machine,
): Promise<string> {
  try {
    const { kind, words: found } = await findAnswer(findPosition(root, before), typed, before, machine)
    return `${found.map(toLine).join("")}:${kind}\n`
  } catch {
    return ""
  }
}

function toLine({ value, about }: Word): string {
  return about ? `${value}\t${about}\n` : `${value}\n`
}

interface Position {
  root: CommandNode
  command: CommandNode
  count: number
  /** The flag that the last word gave, if it takes a value. */
  flag: FlagNode | undefined
}

function findPosition(root: CommandNode, before: readonly string[]): Position {
  const at: Position = { root, command: root, count: 0, flag: undefined }
  let onlyArguments = false
  for (const word of before) {
    const isFlag = /^-./.test(word)
    const isValue = at.flag !== undefined && !isFlag
    at.flag = undefined
    if (isValue) continue
    const child = at.command.commands.find(({ names }) => names.includes(word))
    if (onlyArguments) at.count++
    else if (word === "--") onlyArguments = true
    else if (isFlag) {
      const named = findFlag(at, word)
      if (named?.takes) at.flag = named
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
  if (flag && !(flag.isOptional && typed.startsWith("-"))) {
    const value = findFlagValue(command, flag)
    if (!(flag.isOptional && value.kind === "free")) return answerValue(value, typed, before, machine)
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
function allFlags({ command, root }: Position): readonly FlagNode[] {
  return command === root ? root.flags : [...command.flags, ...root.flags]
}

function findFlag(at: Position, name: string): FlagNode | undefined {
  return allFlags(at).find(({ names }) => names.includes(name))
}

function listFlags(at: Position): Word[] {
  return allFlags(at).map(({ names, about }) => ({ value: names.at(-1) ?? "", about }))
}

function listCommands({ commands }: CommandNode): Word[] {
  return commands.map(({ names: [value = ""], about }) => ({ value, about }))
}

/** `free`: cannot be guessed. */
export function findFlagValue({ path, formats }: CommandNode, flag: FlagNode): Value {
  const name = flag.names.at(-1) ?? ""
  if (name === "--format" && formats) return words(`formats of ${path}`, async () => formats)
  return findValue(path, name, flag)
}

export function findArgumentValue({ path }: CommandNode, argument: ArgumentNode): Value {
  return findValue(path, `<${argument.takes}>`, argument)
}

function findValue(
  path: string,
  name: string,
  { takes, choices }: Pick<FlagNode, "takes" | "choices">,
): Value {
  if (choices) return words(name.replace(/^-+|[<>]/g, ""), async () => choices)
  return VALUES[`${path} ${name}`] ?? VALUES[name] ?? VALUES[`<${takes}>`] ?? { kind: "free" }
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
      const found = await findOnMachine(value.data, before, machine)
      return { kind: `data ${value.data}${value.files ? " files" : ""}`, words: found }
    }
    default:
      return { kind: value.kind, words: [] }
  }
}
