/** From a command line to the run function of one command, which is loaded only then. */
import { Command, CommanderError, Option } from "commander"
import { type AnyCommand, declare, readCall } from "./command.ts"
import { withNext } from "./config/next.ts"
import type { Globals } from "./config/settings.ts"
import type { Deps } from "./deps.ts"
import { EXIT, FreightError } from "./errors.ts"
import type { TreeData } from "./command-data.ts"
import { TOPICS } from "./help/topics.ts"
import type { Terminal } from "./terminal/terminal.ts"
import { type Entry, TREE } from "./tree.ts"
import { VERSION } from "./version.ts"

/** What a command line asks to be shown, instead of something to be done. */
export interface Asked {
  /** The page of a command, or the version. */
  text: string
  /** The words after `freight help`. */
  about?: readonly string[]
  /** The command that was called, as far as the command line could be followed. */
  called?: Command
}

/** Makes the action of a command for commander. */
type Act = (command: AnyCommand) => (...args: unknown[]) => Promise<void>

type MakeDeps = (globals: Globals, extraFormats?: readonly string[]) => Promise<Deps>

/**
 * Parses a command line and runs its command.
 * @returns the exit code
 * @throws FreightError, or whatever a command failed with
 */
export async function runProgram(
  argv: readonly string[],
  terminal: Terminal,
  makeDeps: MakeDeps,
): Promise<number> {
  let code: number = EXIT.done
  const act: Act =
    (definition) =>
    async (...args) => {
      const called = args.at(-1)
      if (!(called instanceof Command))
        throw new TypeError("an action was called by something else than commander")
      const deps = await makeDeps(called.optsWithGlobals(), definition.formats)
      try {
        const given = "define" in definition ? args : readCall(definition, deps, called)
        code = (await definition.run(deps, ...(given as never))) ?? EXIT.done
      } catch (error) {
        throw await asPromised(error, deps)
      }
    }

  const asked: Asked = { text: "" }
  const program = createProgram(act, asked, argv, terminal.stdout.columns)
  let isAlone = false
  try {
    await program.parseAsync(argv, { from: "user" })
  } catch (error) {
    const known =
      error instanceof CommanderError ? await inOwnWords(error, program, asked.called, argv) : error
    if (known instanceof FreightError) throw withNext(known, wordsOf(asked.called), program.opts())
    if (known !== undefined) throw known
    isAlone = error instanceof CommanderError && error.code === "commander.help" && !asked.called
  }

  const { json, format } = program.opts<Globals>()
  if (asked.about && (json || format === "json")) {
    const text = await commandJson(asked.about)
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
    if (text === undefined) return runProgram([...(asked.about ?? []), "--help"], terminal, makeDeps)
    await terminal.stdout.write(text)
  } else if (asked.text !== "") {
    const { finishPage } = await import("./help/page.ts")
    await terminal.stdout.write(finishPage(asked.text, terminal.stdout))
  }
  return code
}

export async function describeCommands(): Promise<TreeData> {
  return (await import("./help/command-data.ts")).describeTree(createDescribed())
}

/** The command tree as JSON, or what is below some words; undefined where these name no command. */
async function commandJson(words: readonly string[]): Promise<string | undefined> {
  const [{ describeNamed }, { jsonText }] = await Promise.all([
    import("./help/command-data.ts"),
    import("./terminal/json-text.ts"),
  ])
  const data = await (words.length === 0 ? describeCommands() : describeNamed(createDescribed(), words))
  return data && `${jsonText(data, 2)}\n`
}

function createDescribed() {
  const page: Asked = { text: "" }
  const pageOf = (command: Command) => {
    page.text = ""
    command.outputHelp()
    return page.text
  }
  return { root: createProgram(undefined, page), addFlags, pageOf }
}

/** Commander's complaint in this tool's words; undefined when it only showed something. */
async function inOwnWords(
  error: CommanderError,
  program: Command,
  called: Command | undefined,
  argv: readonly string[],
): Promise<FreightError | undefined> {
  const { usageError } = await import("./help/usage-error.ts")
  return usageError(error, program, called, argv)
}

/** An error that says by its exit code that nothing was sent, where something was. */
async function asPromised(error: unknown, deps: Deps): Promise<unknown> {
  const made = deps.made()
  if (!made || !(error instanceof FreightError) || error.exitCode !== EXIT.wrongInput) return error
  const { afterMade } = await import("./ledger/refusals.ts")
  return afterMade(error, made)
}

/**
 * The tree, with the flags of a command added when commander is about to parse it.
 * @param act none where no command is to be run
 * @param words the command line. When it begins with a command no other is in the tree, and those that it does not
 *   name have none below them
 */
export function createProgram(
  act?: Act,
  asked: Asked = { text: "" },
  words?: readonly string[],
  columns = 80,
): Command {
  const write = (text: string) => {
    asked.text += text
  }
  const width = Math.min(columns, 100)
  const program = new Command("freight")
    .description(
      "Rate-shop, book, label, track and print consignments; check invoices before you submit them, and carriers' bills before you pay them.",
    )
    .optionsGroup("Global flags, with any command:")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this page")
    .exitOverride()
    // What commander would write to standard error is either help, which is data, or an error, which it also throws.
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
      minWidthToWrap: 24,
      commandUsage,
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    })
    .showSuggestionAfterError(true)
    .usage("COMMAND [flags]")
    .addHelpText("after", listTopics)
    .addHelpText("after", INTRODUCTION)
  for (const option of globalOptions()) program.addOption(option)

  const beforeParse = async (command: Command) => {
    asked.called = command
    await addFlags(command, act)
  }
  const called = TREE.flatMap(({ entries }) => entries).find((entry) => words && isAmong([words[0]], entry))
  for (const { group, entries } of called ? [{ group: "", entries: [called] }] : TREE) {
    program.commandsGroup(group)
    for (const entry of entries)
      addEntry(program, !words || isAmong(words, entry) ? entry : withoutChildren(entry), beforeParse)
  }
  program.hook("preSubcommand", (_program, command) => beforeParse(command))
  program
    .commandsGroup("Help:")
    .helpCommand(false)
    .command("help")
    .optionsGroup("Flags:")
    .helpOption("-h, --help", "show this page")
    .summary("show the page of a command or a topic")
    .description(
      "Shows the page of a command or a topic; alone, the list of topics. With --json, the whole command tree as data.",
    )
    .argument("[about...]", "a command, such as invoice new, or a topic")
    .addHelpText(
      "after",
      "\nExamples:\n  freight help book\n  freight help exit-codes\n  freight help files --sandbox\n  freight help --json",
    )
    .action((about: string[]) => {
      asked.about = about
    })
  return program
}

function isAmong(words: readonly (string | undefined)[], { name, alias }: Entry): boolean {
  return words.includes(name) || (alias !== undefined && words.includes(alias))
}

function withoutChildren({ children: _, ...entry }: Entry): Entry {
  return entry
}

/** The file of each command whose flags have not been added yet. */
const loaders = new WeakMap<Command, () => Promise<AnyCommand>>()

/**
 * Loads a command's file and adds its flags and arguments, once.
 * @returns what its `--format` takes besides the usual
 */
export async function addFlags(command: Command, act?: Act): Promise<readonly string[] | undefined> {
  const load = loaders.get(command)
  if (!load) return undefined
  loaders.delete(command)
  const loaded = await load()
  if ("define" in loaded) loaded.define(command)
  else declare(command, loaded)
  if (act) command.action(act(loaded))
  if ("notes" in loaded && loaded.notes !== undefined) command.addHelpText("after", `\n${loaded.notes}`)
  command
    .addHelpText("after", `\nExamples:\n${loaded.examples.map((line) => `  ${line}`).join("\n")}`)
    .addHelpText(
      "after",
      "\nEvery command also takes --sandbox, --profile, --json and the other global flags: freight --help.",
    )
  return loaded.formats
}

function addEntry(parent: Command, entry: Entry, beforeParse: (command: Command) => Promise<void>): void {
  const command = parent
    .command(entry.name, { hidden: entry.isUnlisted === true })
    .summary(entry.purpose)
    .description(sentence(entry.purpose))
    .optionsGroup("Flags:")
    .helpOption("-h, --help", "show this page")
  if (entry.alias) command.alias(entry.alias)
  if (entry.load) loaders.set(command, entry.load)
  if (!entry.children) return
  command.helpCommand(false)
  for (const child of entry.children) addEntry(command, child, beforeParse)
  const example = `${entry.name} ${entry.children[0]?.name}`
  if (!entry.load)
    command
      .usage("COMMAND [flags]")
      .addHelpText("after", `\nEach has a page of its own with examples: freight help ${example}.`)
  command.hook("preSubcommand", (_parent, child) => beforeParse(child))
}

function globalOptions(): Option[] {
  return [
    new Option("--sandbox", "use the built-in sandbox: no account, nothing real is booked"),
    new Option("--profile <name>", "use this profile's keys and settings"),
    new Option("--format <format>", "table, json, ndjson or csv (default: table)"),
    new Option("--json", "the same as --format json"),
    new Option("--fields <a,b.c>", "show these fields only, in this order"),
    new Option("--no-input", "never ask: fail with what is missing"),
    new Option("--plain", "ask in plain lines, without redrawing: for screen readers"),
    new Option("--quiet", "no notes and no progress"),
    new Option("--verbose", "show each HTTP exchange, keys masked"),
    new Option("--timeout <seconds>", "give up on a reply after this long (default: 30)"),
    new Option("--no-color", "no colour"),
  ]
}

const INTRODUCTION = `
Try it now, without an account:
  freight book --sandbox
  freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5`

function listTopics(): string {
  const width = Math.max(...TOPICS.map(({ name }) => name.length))
  const rows = TOPICS.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`)
  return `\nTopics, with freight help TOPIC:\n${rows.join("\n")}`
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
