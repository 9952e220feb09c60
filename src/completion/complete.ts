/**
 * Answers a shell's Tab key: `freight __complete :TYPED WORDS…`, asked by the scripts in completions/. Our own walk
 * rather than @bomb.sh/tab's, which needs the flags of every command loaded and has neither files nor `--flag=` values.
 */
import type { Argument, Command, Option } from "commander"
import type { Act } from "../commands/shared/act.ts"
import { addFlags, createProgram } from "../program.ts"
import type { Machine } from "./data.ts"
import { VALUES, type Value, type Word, words } from "./values.ts"

/** What can be typed at the cursor. `kind` tells the shell whether file names fit too, and how to end a word. */
interface Answer {
  kind: string
  words: readonly Word[]
}

/**
 * @param typed the word at the cursor, as far as it is typed
 * @param before the words before it, without `freight`
 * @returns a line for each word (the word, a tab and its meaning), then `:` and the kind: `commands`, `flags`,
 *   `words LIST`, `data KIND`, `data KIND files`, `files`, `folders` or `free`. Empty after any error: a message would
 *   stand in the middle of the line.
 */
export async function complete(typed: string, before: readonly string[], machine: Machine): Promise<string> {
  try {
    const { kind, words: found } = await findAnswer(typed, before, machine)
    return `${found.map(toLine).join("")}:${kind}\n`
  } catch {
    return ""
  }
}

function toLine({ value, about }: Word): string {
  return about ? `${value}\t${about}\n` : `${value}\n`
}

async function findAnswer(typed: string, before: readonly string[], machine: Machine): Promise<Answer> {
  const at = await findPosition(before)
  const { command, flag } = at
  if (flag && !(flag.optional && typed.startsWith("-"))) {
    const value = flagValue(at, flag)
    if (!(flag.optional && value.kind === "free")) return answerValue(value, typed, before, machine)
  }
  if (/^--[^=]+=/.test(typed)) {
    const equals = typed.indexOf("=") + 1
    const named = findFlag(command, typed.slice(0, equals - 1))
    const value: Value = named ? flagValue(at, named) : { kind: "free" }
    const answer = await answerValue(value, typed.slice(equals), before, machine)
    const whole = answer.words.map((word) => ({ ...word, value: typed.slice(0, equals) + word.value }))
    return { ...answer, words: whole }
  }
  if (typed.startsWith("-")) return { kind: "flags", words: listFlags(command) }
  if (command.commands.length > 0) return { kind: "commands", words: listCommands(command) }
  const argument = command.registeredArguments[at.count] ?? command.registeredArguments.findLast(isVariadic)
  return answerValue(argument ? argumentValue(command, argument) : { kind: "free" }, typed, before, machine)
}

/** Where in the command tree the cursor is. */
export interface Position {
  command: Command
  /** Arguments of the command before the cursor. */
  count: number
  /** The flag that the last word gave, if it takes a value. */
  flag: Option | undefined
  /** What `--format` takes with this command, besides the usual. */
  formats: readonly string[]
}

/** Follows the words through the tree; loads the file of the command that they name, for its flags. */
export async function findPosition(before: readonly string[]): Promise<Position> {
  let formats: readonly string[] = []
  const act: Act = (_run, extraFormats = []) => {
    formats = extraFormats
    return async () => {}
  }
  let command = createProgram(act)
  let count = 0
  let flag: Option | undefined
  let onlyArguments = false
  for (const word of before) {
    const isFlag = /^-./.test(word)
    const isValue = flag !== undefined && !isFlag
    flag = undefined
    if (isValue) continue
    if (onlyArguments) count++
    else if (word === "--") onlyArguments = true
    else if (isFlag) {
      const named = findFlag(command, word)
      if (named && (named.required || named.optional)) flag = named
    } else {
      const child = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
      if (child) await addFlags(child, act)
      else count++
      command = child ?? command
    }
  }
  return { command, count, flag, formats }
}

/** @returns `pickup book`; empty for the program itself */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : ""
}

/** Options of the command and of the program, which come with every command. */
function allFlags(command: Command): readonly Option[] {
  let root = command
  while (root.parent) root = root.parent
  const own = command === root ? [] : command.options
  return [...own.filter(({ long }) => !root.options.some((each) => each.long === long)), ...root.options]
}

function findFlag(command: Command, name: string): Option | undefined {
  return allFlags(command).find(({ long, short }) => long === name || short === name)
}

function listFlags(command: Command): Word[] {
  const flags = allFlags(command).map(({ long, short, description }) => ({
    value: long ?? short ?? "",
    about: shorten(description),
  }))
  return [...flags, { value: "--help", about: "show this page" }]
}

function listCommands(command: Command): Word[] {
  return command.commands.map((each) => ({ value: each.name(), about: shorten(each.summary()) }))
}

/** One line, short enough for a menu. */
function shorten(text: string): string {
  const [line = ""] = text.replace(/\s+/g, " ").split(/(?<=[.;]) /)
  return line.replace(/[.;]$/, "").slice(0, 90)
}

function isVariadic({ variadic }: Argument): boolean {
  return variadic
}

/** What follows a flag; `free` where nobody can guess it. */
export function flagValue({ command, formats }: Position, option: Option): Value {
  const name = option.long ?? option.short ?? ""
  const path = pathOf(command)
  if (name === "--format" && formats.length > 0)
    return words(`formats of ${path}`, async () => [
      ...new Set([...(await import("../terminal/view.ts")).FORMATS, ...formats]),
    ])
  const [takes = ""] = /[<[].+$/.exec(option.flags) ?? []
  return findValue(path, name, takes, option.argChoices)
}

export function argumentValue(command: Command, argument: Argument): Value {
  return findValue(pathOf(command), `<${argument.name()}>`, argument.name(), argument.argChoices)
}

function findValue(path: string, name: string, takes: string, choices: readonly string[] | undefined): Value {
  if (choices) return words(name.replace(/^-+|[<>]/g, ""), async () => choices)
  const placeholder = `<${takes.replace(/^[<[]|[\]>]$|\.\.\./g, "")}>`
  return VALUES[`${path} ${name}`] ?? VALUES[name] ?? VALUES[placeholder] ?? { kind: "free" }
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
      // `--set payer.type=` has values of its own: they are offered once the = is typed, and then nothing else.
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
