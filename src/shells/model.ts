/** The command tree as a shell needs it: what can follow what. */
import type { Argument, Command, Option } from "commander"
import { FORMATS } from "../terminal/view.ts"
import type { Value, Word } from "./value.ts"
import { VALUES } from "./values.ts"

export interface Flag {
  /** `-o` and `--output`. */
  names: readonly string[]
  about: string
  /** What follows it; undefined when nothing does. */
  value?: Value
  /** It stands without a value as well. */
  optional: boolean
}

export interface CommandModel {
  /** `pickup book`; empty for the tool itself. */
  path: string
  /** Commands below it; an alias stands beside its name. */
  children: readonly { name: string; alias: string | undefined; about: string }[]
  flags: readonly Flag[]
  /** In their order; the last may be given several times. */
  args: readonly { value: Value; many: boolean }[]
}

export interface Model {
  /** The tool itself is the first. */
  commands: readonly CommandModel[]
  /** Flags and arguments with a value of which the table knows nothing, as its keys would name them. */
  unknown: readonly string[]
}

/**
 * @param program with the flags of every command
 * @param extraFormats what `--format` takes besides, by command
 */
export function modelOf(program: Command, extraFormats: ReadonlyMap<Command, readonly string[]>): Model {
  const unknown: string[] = []
  const completionOf = (
    path: string,
    name: string,
    takes: string,
    choices: readonly string[] | undefined,
  ): Value => {
    if (choices) return wordsOf(name.replace(/^-+/, ""), choices)
    const placeholder = `<${takes.replace(/^[<[]|[\]>]$|\.\.\./g, "")}>`
    const known = VALUES[`${path} ${name}`] ?? VALUES[name] ?? VALUES[placeholder]
    if (!known) unknown.push(`${path} ${name}`)
    return known ?? { kind: "free" }
  }
  const flagOf = (
    path: string,
    { flags, long, short, description, argChoices, optional, required }: Option,
  ): Flag => {
    const names = [short, long].filter((name) => name !== undefined)
    const [takes = ""] = /[<[].+$/.exec(flags) ?? []
    const about = plain(description)
    if (!optional && !required) return { names, about, optional: false }
    return { names, about, optional, value: completionOf(path, names.at(-1) ?? "", takes, argChoices) }
  }
  const argOf = (path: string, argument: Argument) => ({
    many: argument.variadic,
    value: completionOf(path, `<${argument.name()}>`, argument.name(), argument.argChoices),
  })

  const walk = (command: Command, path: string): CommandModel[] => {
    const formats = extraFormats.get(command)
    const own: CommandModel = {
      path,
      children: command.commands.map((each) => ({
        name: each.name(),
        alias: each.aliases()[0],
        about: plain(each.summary() || each.description()),
      })),
      flags: [
        ...command.options.map((option) => flagOf(path, option)),
        ...(formats ? [formatFlag(path, [...FORMATS, ...formats])] : []),
        { names: ["-h", "--help"], about: "show this page", optional: false },
      ],
      args: command.registeredArguments.map((argument) => argOf(path, argument)),
    }
    return [own, ...command.commands.flatMap((each) => walk(each, `${path} ${each.name()}`.trim()))]
  }

  return { commands: walk(program, ""), unknown }
}

/** A command with formats of its own has the flag too, for its value. */
function formatFlag(path: string, formats: readonly string[]): Flag {
  const value = wordsOf(`formats of ${path}`, [...new Set(formats)])
  return { names: ["--format"], about: "how to show the answer", optional: false, value }
}

function wordsOf(name: string, list: readonly string[]): Value {
  return { kind: "words", name, words: list.map((value) => ({ value })) }
}

/** Every list of words in the tree, by its name. @throws TypeError when two lists share a name */
export function wordLists({ commands }: Model): Map<string, readonly Word[]> {
  const lists = new Map<string, readonly Word[]>()
  for (const { flags, args } of commands)
    for (const { value } of [...flags, ...args]) {
      if (value?.kind !== "words") continue
      const { name, words } = value
      const known = lists.get(name)
      if (known && JSON.stringify(known) !== JSON.stringify(words))
        throw new TypeError(`two lists are called ${name}`)
      lists.set(name, words)
    }
  return lists
}

/** One line, short enough for a menu. */
function plain(text: string): string {
  const [line = ""] = text.replace(/\s+/g, " ").split(/(?<=[.;]) /)
  return line.replace(/[.;]$/, "").slice(0, 90)
}
