/** Runs the function of the called command, which is loaded only then. */
import { Command, CommanderError } from "commander"
import {
  type CommandDefinition,
  commandName,
  declare,
  namesOutput,
  readCall,
  toOption,
} from "../command/index.ts"
import { dropStrayQuotes, withHyphens } from "../base/command-line.ts"
import { type Globals, withNext } from "../machine/index.ts"
import type { Deps } from "../session/index.ts"
import type { CalledCommand } from "../session/index.ts"
import { EXIT, FreightError } from "../base/errors.ts"
import type { Terminal } from "../output/index.ts"
import { type Entry, GLOBAL_FLAGS, GLOBAL_FLAGS_HEADING, HELP, HELP_COMMAND, PROGRAM, TREE } from "./tree.ts"
import { finishPage, LAYOUT } from "./help/page.ts"
import { VERSION } from "../base/version.ts"

/** A page that a command line asks for, instead of an action. */
interface PageRequest {
  /** The page of a command, or the version. */
  text: string
  /** The words after `freight help`. */
  about?: readonly string[]
  /** Include seldom needed flags. */
  showsAll?: boolean
  /** The command whose output schema is wanted. */
  outputOf?: Command
  /** The command that was called, as far as the command line could be followed. */
  called?: Command
}

/** Makes the action of a command for commander. */
type Act = (command: CommandDefinition) => (...args: unknown[]) => Promise<void>

type MakeDeps = (globals: Globals, called?: CalledCommand) => Promise<Deps>

/**
 * Parses a command line and runs its command.
 * @returns the exit code
 */
export async function runProgram(
  typed: readonly string[],
  terminal: Terminal,
  makeDeps: MakeDeps,
): Promise<number> {
  const argv = withList(dropStrayQuotes(typed))
  let code: number = EXIT.done
  const act: Act =
    (definition) =>
    async (...args) => {
      const called = args.at(-1)
      if (!(called instanceof Command))
        throw new TypeError("an action was called by something else than commander")
      // A command with any number of arguments would take such a flag as one.
      if (!argv.includes("--") && called.args.some((word) => isDashedFlag(word, called)))
        throw new CommanderError(EXIT.wrongInput, "commander.excessArguments", "")
      globals = called.optsWithGlobals<Globals>()
      const deps = await makeDeps(globals, {
        ...definition,
        words: argv,
        name: commandName(called),
      })
      begins = true
      try {
        const given = readCall(definition, deps, called)
        const { fields, format, isHeadless } = deps.output
        if (fields || format === "xlsx" || isHeadless || namesOutput(definition, given)) {
          const { checkOutputs } = await import("../command/check-outputs.ts")
          await checkOutputs(deps, definition, wordsOf(called).join(" "), given)
        }
        code = (await definition.run(deps, ...(given as never))) ?? EXIT.done
        const outputError = deps.getOutputError()
        if (outputError !== undefined) throw outputError
      } catch (error) {
        throw await asPromised(error, deps)
      }
    }

  let begins = false
  let globals: Globals | undefined
  const asked: PageRequest = { text: "" }
  const program = createProgram(act, asked, argv, terminal.stdout.columns)
  let isAlone = false
  let isHelp = false
  try {
    await program.parseAsync(argv, { from: "user" })
  } catch (error) {
    const known =
      error instanceof CommanderError ? await inOwnWords(error, program, asked.called, argv) : error
    if (known instanceof FreightError)
      throw withNext(known, wordsOf(asked.called), globals ?? program.opts(), begins)
    if (known !== undefined) throw known
    isAlone = error instanceof CommanderError && error.code === "commander.help" && !asked.called
    isHelp = error instanceof CommanderError && error.code !== "commander.version"
  }

  const { json, format, jsonSchema } = program.opts<Globals & { jsonSchema?: true }>()
  if (jsonSchema && !argv.some(isHelpFlag)) {
    if (isHelp && asked.called) throw await withoutCommand(asked.called)
    const { outputSchemaText } = await import("./output-schema.ts")
    await terminal.stdout.write(outputSchemaText(asked.about ? [HELP.name] : wordsOf(asked.outputOf)))
    return code
  }
  const about = asked.about ?? (isHelp ? wordsOf(asked.called) : undefined)
  // A page that a flag asks for is shown in any output format.
  if (asked.about && format !== undefined) {
    const { readOutput } = await import("../session/formats.ts")
    readOutput(HELP_COMMAND, { format }, {}, "freight help")
  }
  if (about && (json || format === "json")) {
    if (isHelp && asked.called && !argv.some(isHelpFlag)) throw await withoutCommand(asked.called)
    const text = await commandJson(about)
    if (text !== undefined) {
      await terminal.stdout.write(text)
      return code
    }
  }
  if (asked.about || isAlone) {
    const { introductionText, topicText } = await import("./help/help.ts")
    const getDeps = () => makeDeps(program.opts())
    const text = isAlone
      ? introductionText(await getDeps())
      : await topicText(asked.about ?? [], terminal, getDeps)
    // The page of a command shows its flags, which are loaded when it is called.
    if (text === undefined) {
      const words = [...(asked.about ?? []), "--help", ...(asked.showsAll ? [ALL] : [])]
      return runProgram(words, terminal, makeDeps)
    }
    const isData = asked.about !== undefined && (json || format === "json")
    await terminal.stdout.write(isData ? await topicJson(asked.about, text) : text)
  } else if (asked.text !== "") {
    const first = isHelp && !asked.called ? await import("./help/first-page.ts") : undefined
    // The whole page does not fit on a terminal; a pipe gets all of it.
    const isDaily = first && terminal.stdout.isTTY && !argv.includes(ALL)
    const page = first ? first.arrangeFirstPage(asked.text, terminal.stdout) : asked.text
    await terminal.stdout.write(
      isDaily ? first.dailyPage(terminal.stdout) : finishPage(page, terminal.stdout),
    )
  }
  return code
}

/** `freight shipments` alone, or with flags only, means `freight shipments list`: likewise each group with a list. */
function withList(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith("-"))
  const flags = argv.slice(at + 1)
  const group = TREE.flatMap(({ entries }) => entries).find((entry) => isAmong([argv[at]], entry))
  if (!group || !hasList(group) || flags[0]?.startsWith("-") === false) return argv
  return flags.some(isHelpFlag) ? argv : argv.toSpliced(at + 1, 0, "list")
}

/** Whether a word is a flag whose hyphens a document has turned into a dash. */
function isDashedFlag(word: string, { options, parent }: Command): boolean {
  const [flag] = withHyphens(word).split("=")
  const all = [...options, ...(parent?.options ?? []), ...(parent?.parent?.options ?? [])]
  return flag !== word.split("=")[0] && all.some(({ long, short }) => flag === long || flag === short)
}

const isHelpFlag = (word: string) => word === "-h" || word === "--help"
/** With `--help`: include seldom needed flags. */
const ALL = "--all"

function hasList({ load, children = [] }: Entry): boolean {
  return !load && children.some(({ name }) => name === "list")
}

/** The command tree as JSON, or the part below some words; undefined if these name no command. */
async function commandJson(words: readonly string[]): Promise<string | undefined> {
  const [{ describeNamed, describeTree }, { jsonText }] = await Promise.all([
    import("./help/command-data.ts"),
    import("../output/terminal/json-text.ts"),
  ])
  const data = await (words.length === 0 ? describeTree() : describeNamed(words))
  return data && `${jsonText(data, 2)}\n`
}

/** A topic's page, for programs. */
async function topicJson(words: readonly string[] = [], text: string): Promise<string> {
  const { jsonText } = await import("../output/terminal/json-text.ts")
  return `${jsonText({ topic: words.join(" "), text }, 2)}\n`
}

/** Commander's error in this tool's words; undefined if it only showed something. */
async function inOwnWords(
  error: CommanderError,
  program: Command,
  called: Command | undefined,
  argv: readonly string[],
): Promise<FreightError | undefined> {
  const { usageError } = await import("./help/usage-error.ts")
  return usageError(error, program, called, argv)
}

/** A script that calls a group without a command does nothing: it gets an error, not a page. */
async function withoutCommand(group: Command): Promise<FreightError> {
  const { missingCommand } = await import("./help/usage-error.ts")
  return missingCommand(group)
}

/** Corrects an error whose exit code says that nothing was sent, if something was. */
async function asPromised(error: unknown, deps: Deps): Promise<unknown> {
  const made = deps.made()
  if (!made || !(error instanceof FreightError) || error.exitCode !== EXIT.wrongInput) return error
  const { afterMade } = await import("../ledger/refusals.ts")
  return afterMade(error, made)
}

/**
 * The tree, with the flags of a command added when commander is about to parse it.
 * @param words the command line. When it begins with a command no other is in the tree, and those that it does not
 *   name have none below them
 */
function createProgram(act: Act, asked: PageRequest, words: readonly string[], columns: number): Command {
  const write = (text: string) => {
    asked.text += text
  }
  const width = Math.min(columns, 100)
  const program = new Command("freight")
    .description(PROGRAM)
    .optionsGroup(GLOBAL_FLAGS_HEADING)
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this page")
    .exitOverride()
    // Commander writes help and errors here. Errors are thrown too, so only help is printed.
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      // Colours come later: commander need not look at the terminal.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({
      ...LAYOUT,
      commandUsage,
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    })
    .usage("COMMAND [flags]")
  for (const [name, flag] of Object.entries(GLOBAL_FLAGS)) program.addOption(toOption(name, flag, words))

  // Commander suggests only flags that are not hidden.
  const showsAll = !words.some(isHelpFlag) || words.includes(ALL)
  const beforeParse = async (command: Command) => {
    asked.called = command
    if (program.opts().jsonSchema) takeAnything(command, () => (asked.outputOf = command))
    else await addFlags(command, act, words, showsAll)
  }
  const called = TREE.flatMap(({ entries }) => entries).find((entry) => isAmong([words[0]], entry))
  for (const { group, entries } of called ? [{ group: "", entries: [called] }] : TREE) {
    program.commandsGroup(group)
    for (const entry of entries)
      addEntry(program, isAmong(words, entry) ? entry : withoutChildren(entry), beforeParse)
  }
  program.hook("preSubcommand", (_program, command) => beforeParse(command))
  program.commandsGroup("Help:").helpCommand(false)
  const help = addEntry(program, HELP, beforeParse)
  declare(help, HELP_COMMAND, words)
  help
    .addHelpText("after", listExamples(HELP_COMMAND))
    .action((about: string[], { all }: { all?: boolean }) => {
      asked.about = about
      asked.showsAll = all === true
    })
  return program
}

function isAmong(words: readonly (string | undefined)[], { name, alias }: Entry): boolean {
  return words.includes(name) || (alias !== undefined && words.includes(alias))
}

function withoutChildren({ children: _, ...entry }: Entry): Entry {
  return entry
}

/** A command without an action needs no arguments, and reads no flags. */
function takeAnything(command: Command, onCalled: () => void): void {
  if (loaders.has(command)) command.allowUnknownOption().allowExcessArguments().action(onCalled)
}

/** The file of each command whose flags have not been added yet. */
const loaders = new WeakMap<Command, () => Promise<CommandDefinition>>()

/** Loads a command's file and adds its flags and arguments, once. @param words the command line */
async function addFlags(
  command: Command,
  act: Act,
  words: readonly string[],
  showsAll: boolean,
): Promise<void> {
  const load = loaders.get(command)
  if (!load) return
  loaders.delete(command)
  const loaded = await load()
  const hidden = declare(command, loaded, words, showsAll)
  command.action(act(loaded))
  const { notes } = loaded
  if (hidden > 0) {
    const more = `${hidden} more flags${notes === undefined ? "" : ", and notes"}`
    command.addHelpText("after", `\n${more}: ${commandName(command)} --help ${ALL}`)
  } else if (notes !== undefined) command.addHelpText("after", `\n${notes}`)
  command
    .addHelpText("after", listExamples(loaded))
    .addHelpText(
      "after",
      "\nEvery command also takes --sandbox, --profile, --json and the other global flags: freight --help.",
    )
}

function listExamples({ examples }: CommandDefinition): string {
  return `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`
}

function addEntry(parent: Command, entry: Entry, beforeParse: (command: Command) => Promise<void>): Command {
  const command = parent
    .command(entry.name)
    .summary(entry.purpose)
    .description(sentence(entry.purpose))
    .optionsGroup("Flags:")
    .helpOption("-h, --help", "show this page")
  if (entry.alias) command.alias(entry.alias)
  if (entry.load && entry !== HELP) loaders.set(command, entry.load)
  if (!entry.children) return command
  command.helpCommand(false)
  for (const child of entry.children) addEntry(command, child, beforeParse)
  const example = `${entry.name} ${entry.children[0]?.name}`
  if (!entry.load)
    command
      .usage(hasList(entry) ? "[COMMAND] [flags]" : "COMMAND [flags]")
      .addHelpText("after", hasList(entry) ? "\nWithout a command it lists." : "")
      .addHelpText("after", `\nEach has a page of its own with examples: freight help ${example}.`)
  return command.hook("preSubcommand", (_parent, child) => beforeParse(child))
}

/** `freight rate-shop [flags]`, and the same with its alias. */
function commandUsage(command: Command): string {
  const above = [...wordsOf(command.parent ?? undefined)]
  const words = command.parent ? ["freight", ...above] : []
  const takes = command.usage().replace("[options]", "[flags]")
  return [command.name(), ...command.aliases()]
    .map((name) => [...words, name, takes].join(" "))
    .join("\n       ")
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** The words that call a command, without `freight`. */
function wordsOf(command: Command | undefined): string[] {
  return command?.parent ? [...wordsOf(command.parent), command.name()] : []
}
