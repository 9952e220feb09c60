/** From a command line to the run function of one command, which is loaded only then. */
import { Command, CommanderError, Option } from "commander"
import type { Act } from "./commands/shared/act.ts"
import { withoutKeys } from "./config/keys.ts"
import type { Globals } from "./config/settings.ts"
import type { Deps } from "./deps.ts"
import { EXIT, FreightError } from "./errors.ts"
import type { OutputStream, Terminal } from "./terminal/terminal.ts"
import { type CommandModule, type Entry, TREE } from "./tree.ts"
import { VERSION } from "./version.ts"

/**
 * Parses a command line and runs its command.
 * @returns the exit code
 * @throws FreightError, or whatever a command failed with
 */
export async function runProgram(
  argv: readonly string[],
  terminal: Terminal,
  makeDeps: (globals: Globals, extraFormats?: readonly string[]) => Promise<Deps>,
): Promise<number> {
  let code: number = EXIT.done
  const act: Act =
    <Args extends unknown[]>(
      run: (deps: Deps, ...args: Args) => Promise<number | undefined>,
      extraFormats?: readonly string[],
    ) =>
    async (...args: unknown[]) => {
      const command = args.at(-1)
      if (!(command instanceof Command))
        throw new TypeError("an action was called by something else than commander")
      // Commander passes the arguments, the options and then itself; a run function takes as many as it names.
      const deps = await makeDeps(command.optsWithGlobals(), extraFormats)
      code = (await run(deps, ...(args as Args))) ?? EXIT.done
    }

  let written = ""
  const words = asFlags(argv)
  const program = createProgram(
    act,
    (text) => {
      written += text
    },
    words,
    terminal.stdout,
  )
  try {
    await program.parseAsync(words, { from: "user" })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // `freight` or `freight shipments` alone shows what there is.
    if (error.exitCode !== 0 && error.code !== "commander.help") throw usageError(error)
  }
  if (written !== "") await terminal.stdout.write(written)
  return code
}

/**
 * The tree, with the flags of a command added when commander is about to parse it.
 * @param words the command line. When it begins with a command no other is in the tree, and those that it does not
 *   name have none below them
 */
export function createProgram(
  act: Act,
  writeOut: (text: string) => void,
  words?: readonly string[],
  screen: Pick<OutputStream, "columns" | "colour"> = { columns: 80, colour: false },
): Command {
  const program = new Command("freight")
    .description(
      "Rate-shop, book, label, track and print consignments; check invoices before you submit them.",
    )
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .exitOverride()
    // What commander would write to standard error is either help, which is data, or an error, which it also throws.
    .configureOutput({
      writeOut,
      writeErr: writeOut,
      outputError: () => {},
      getOutHelpWidth: () => screen.columns,
      getErrHelpWidth: () => screen.columns,
      getOutHasColors: () => screen.colour,
      getErrHasColors: () => screen.colour,
    })
    .showSuggestionAfterError(true)
    .usage("COMMAND [flags]")
  for (const option of globalOptions()) program.addOption(option)
  program.addHelpText("after", INTRODUCTION)

  const loaders: Loaders = new Map()
  const called = TREE.flatMap(({ entries }) => entries).find((entry) => words && isAmong([words[0]], entry))
  for (const { group, entries } of called ? [{ group: "", entries: [called] }] : TREE) {
    program.commandsGroup(group)
    for (const entry of entries)
      addEntry(program, !words || isAmong(words, entry) ? entry : withoutChildren(entry), loaders, act)
  }
  program.commandsGroup("Help:").helpCommand("help [command]", "the same as COMMAND --help")
  loadBelow(program, loaders, act)
  return program
}

function isAmong(words: readonly (string | undefined)[], { name, alias }: Entry): boolean {
  return words.includes(name) || (alias !== undefined && words.includes(alias))
}

function withoutChildren({ children: _, ...entry }: Entry): Entry {
  return entry
}

type Loaders = Map<Command, () => Promise<CommandModule>>

function addEntry(parent: Command, entry: Entry, loaders: Loaders, act: Act): void {
  const command = parent.command(entry.name).summary(entry.purpose).description(sentence(entry.purpose))
  if (entry.alias) command.alias(entry.alias)
  if (entry.load) loaders.set(command, entry.load)
  if (!entry.children) return
  command.usage("COMMAND [flags]")
  for (const child of entry.children) addEntry(command, child, loaders, act)
  command.helpCommand(false)
  loadBelow(command, loaders, act)
}

/** Adds a command's flags just before commander parses them. */
function loadBelow(parent: Command, loaders: Loaders, act: Act): void {
  parent.hook("preSubcommand", (_parent, command) => loadInto(command, loaders, act))
}

async function loadInto(command: Command, loaders: Loaders, act: Act): Promise<void> {
  const load = loaders.get(command)
  if (!load) return
  loaders.delete(command)
  const { define } = await load()
  define(command, act)
}

function globalOptions(): Option[] {
  return [
    new Option("--profile <name>", "use this profile's keys and settings"),
    new Option("--sandbox", "use the built-in sandbox: no account, nothing real is booked"),
    new Option("--format <format>", "table, json, ndjson or csv"),
    new Option("--json", "the same as --format json"),
    new Option("--fields <a,b.c>", "show these fields only, in this order"),
    new Option("--no-input", "never ask; fail with what is missing"),
    new Option("--quiet", "no notes or progress"),
    new Option("--verbose", "show each HTTP exchange, keys masked"),
    new Option("--timeout <seconds>", "give up on a reply after this long (30)"),
    new Option("--no-color", "no colour"),
  ].map((option) => option.helpGroup("Global flags:"))
}

const INTRODUCTION = `
Try it now, without an account:
  freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5

freight COMMAND --help has examples for each command.`

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** `freight help book` is `freight book --help`, so that the command's flags are loaded on the one way there is. */
function asFlags(argv: readonly string[]): string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : [...argv]
}

/** Commander's complaint in this tool's shape: its suggestion becomes the hint. */
function usageError(error: CommanderError): FreightError {
  // It repeats what was typed, and that may have been a key.
  const [first = "", ...rest] = withoutKeys(error.message.replace(/^error: /, "")).split("\n")
  const suggestion = rest.join(" ").match(/Did you mean (.+)\?/)?.[1]
  return new FreightError("usage", first, {
    hint: suggestion ? `Did you mean ${suggestion}?` : "Run the command with --help to see what it takes.",
  })
}
