/** The help page of a command, or of the whole tool: purpose and examples first, then what it takes. */
import type { Argument, Command, Option } from "commander"
import { type Block, blocksOf } from "./page.ts"
import { TOPICS } from "./topics.ts"

/** @param texts what the command adds: before its flags the examples, after them notes */
export function commandPage(command: Command, texts: { before: string; after: string }): Block[] {
  const isRoot = command.parent === null
  const help = command.createHelp()
  const flags = groups(help.visibleOptions(command), (option) => option.helpGroupHeading ?? "Flags:", flag)
  const commands = groups(help.visibleCommands(command), (each) => each.helpGroup() || "Commands:", entry)
  const args = help.visibleArguments(command).map(argument)
  return [
    { text: command.description() },
    { heading: "Usage:", lines: usage(command) },
    ...(texts.before === "" ? [] : blocksOf(texts.before)),
    ...commands,
    ...(isRoot ? [{ heading: "Topics, with freight help TOPIC:", list: topicRows() }] : []),
    ...(args.length > 0 ? [{ heading: "Arguments:", list: args }] : []),
    // That -h shows the page is known to whoever reads it.
    ...(command.options.length > 0 ? flags : []),
    ...(texts.after === "" ? [] : blocksOf(texts.after)),
    ...(isRoot ? [] : [{ text: footer(command) }]),
  ]
}

export function topicRows(): [string, string][] {
  return TOPICS.map(({ name, purpose }) => [name, purpose])
}

/** `freight rates` beside `freight rate-shop`. */
function usage(command: Command): string[] {
  const above: string[] = []
  for (let each = command.parent; each; each = each.parent) above.unshift(each.name())
  const takes = command.usage().replace("[options]", "[flags]")
  return [command.name(), ...command.aliases()].map((name) => [...above, name, takes].join(" "))
}

function footer(command: Command): string {
  if (command.commands.length === 0)
    return "Every command also takes --sandbox, --profile, --json and the other global flags: freight --help."
  const [first] = command.commands
  const words = [command.name(), first?.name()].join(" ")
  return `Each has a page of its own with examples: freight help ${words}.`
}

/** Things under their headings, in the order in which the headings first come. */
function groups<T>(
  things: readonly T[],
  headingOf: (thing: T) => string,
  row: (thing: T) => [string, string],
): Block[] {
  const found = new Map<string, [string, string][]>()
  for (const thing of things) {
    const heading = headingOf(thing)
    found.set(heading, [...(found.get(heading) ?? []), row(thing)])
  }
  return [...found].map(([heading, list]) => ({ heading, list }))
}

function entry(command: Command): [string, string] {
  return [[command.name(), ...command.aliases()].join(", "), command.summary() || command.description()]
}

function argument(each: Argument): [string, string] {
  return [each.name(), each.description]
}

function flag({ flags, description, argChoices, defaultValue, negate }: Option): [string, string] {
  const notes = [
    argChoices && `one of ${argChoices.join(", ")}`,
    defaultValue !== undefined && !negate && `default: ${String(defaultValue)}`,
  ].filter(Boolean)
  return [flags, notes.length > 0 ? `${description} (${notes.join("; ")})` : description]
}
