/**
 * A command is data: its file exports one literal, from which commander's program, the types of its options, the help
 * page, the manual page, `help --json`, completion, the tools of `freight mcp` and the usage errors are made.
 */
import { type Command, Argument as CommanderArgument, Option } from "commander"
import { type NamedOutput, withoutKeys, type Writes } from "../machine/index.ts"
import { argumentName, toFlagName, typedAgain } from "../base/command-line.ts"
import { quoted } from "../base/parsed.ts"
import { suggest } from "../base/suggest.ts"
import type { CalledCommand, Deps } from "../session/index.ts"
import { FreightError, withOptions } from "../base/errors.ts"

/**
 * The value of a flag or an argument, in commander's notation: `<file>` needed, `[file]` optional, `<file...>` several.
 */
type Takes = `<${string}>` | `[${string}]`

type ReadValue<Value> = (text: string, flag: string, now: number) => Value

export interface Flag {
  /** On the command's page; completion shows it up to the first semicolon. */
  about: string
  /** Earlier names, which keep their meaning; no page has them, and no completion offers them. */
  formerly?: readonly `--${string}`[]
  /** Absent if it takes no value. */
  takes?: Takes
  short?: `-${string}`
  choices?: readonly string[]
  /** Read by `read`, as if it had been typed. */
  default?: string
  /** Its value if it is given without one; `true` if absent. */
  alone?: string
  isRequired?: true
  /** Each use adds a value. */
  isRepeatable?: true
  read?: ReadValue<unknown>
  /** Heading of the help; `Flags` if absent. */
  group?: string
  /** It has no effect without one of these flags. */
  needs?: string | readonly string[]
  conflicts?: string | readonly string[]
  /** It names an input: no output may overwrite it. */
  isInput?: true
  /** Formats of `--format` with this flag, if they differ from those without it. */
  formats?: readonly string[]
  /** It names an output, and is checked before the command begins: `check-outputs.ts`. */
  writes?: Writes | ((options: Readonly<Record<string, unknown>>) => Writes)
}

/** By the name of the option, in camel case: `labelName` is `--label-name`, and `noWait` sets `wait` to false. */
export type Flags = Readonly<Record<string, Flag>>

export interface Argument {
  takes: Takes
  about: string
  choices?: readonly string[]
  /** Optional at a terminal only, where the command asks for it. */
  isAsked?: true
  /** The flag that it may be left out with. */
  unless?: string
  /** It names an input: no output may overwrite it. */
  isInput?: true
}

type Simplify<T> = { [Key in keyof T]: T[Key] }

/** `noWait` → `wait`; `notes` is not one. */
type Negated<Name> = Name extends `no${infer Rest}`
  ? Rest extends Capitalize<Rest>
    ? Uncapitalize<Rest>
    : never
  : never

type ValueOf<F> = F extends { read: ReadValue<infer Value> } ? Value : ChoiceOf<F>

/** Lists read from several uses are joined. */
type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value

type OneOf<F> = F extends { takes: Takes }
  ?
      | (F extends { isRepeatable: true } | { takes: `${string}...${string}` }
          ? ItemOf<ValueOf<F>>[]
          : ValueOf<F>)
      | (F extends { takes: `[${string}`; alone?: never } ? true : never)
  : boolean

type AlwaysThere = { default: string } | { isRequired: true }

export type OptionsOf<F> = Simplify<
  {
    -readonly [Name in keyof F as Negated<Name> extends never
      ? F[Name] extends AlwaysThere
        ? Name
        : never
      : never]: OneOf<F[Name]> | (`no${Capitalize<Name & string>}` extends keyof F ? false : never)
  } & {
    -readonly [Name in keyof F as Negated<Name> extends never
      ? F[Name] extends AlwaysThere
        ? never
        : Name
      : never]?: OneOf<F[Name]> | (`no${Capitalize<Name & string>}` extends keyof F ? false : never)
  } & {
    -readonly [Name in keyof F as Negated<Name> extends keyof F ? never : Negated<Name>]: boolean
  }
>

type ChoiceOf<A> = A extends { choices: readonly (infer Choice)[] } ? Choice : string

type ArgumentsOf<A extends readonly Argument[]> = {
  -readonly [At in keyof A]: A[At] extends { takes: `${string}...${string}` }
    ? string[]
    : ChoiceOf<A[At]> | (A[At] extends { takes: `[${string}` } ? undefined : never)
}

/** A command: its file exports one, or one for each of its commands. */
export interface CommandDefinition extends CalledCommand {
  /** The purpose, in whole sentences. */
  about: string
  args?: readonly Argument[]
  flags?: Flags
  /**
   * The flags that its help page shows, in this order; the others and the notes are shown with `--all`. All if absent.
   */
  daily?: readonly string[]
  /** The columns that it prints; `--fields` takes their keys. */
  columns?: readonly { readonly key: string }[]
  /** Complete command lines for the help page. */
  examples: readonly string[]
  /** The help page's text below the flags. */
  notes?: string
  /** The synopsis of arguments and flags; made from the arguments if absent. */
  usage?: string
  /** Files that it writes without a flag that names them, such as one beside another; checked like those of flags. */
  alsoWrites?(...given: never): readonly NamedOutput[]
  /** @returns the exit code; undefined means done */
  run(deps: Deps, ...given: never): Promise<number | undefined>
}

/**
 * Checks a command's literal: its `run` gets the arguments, then the options, with the declared types; its flags keep
 * their types.
 */
export function command<
  const A extends readonly Argument[] = [],
  const F extends Flags = Record<never, Flag>,
>(
  literal: Omit<CommandDefinition, "args" | "flags" | "daily" | "alsoWrites" | "run"> & {
    args?: A
    flags?: F
    daily?: readonly (keyof F & string)[]
    alsoWrites?(...given: [...ArgumentsOf<A>, OptionsOf<F>]): readonly NamedOutput[]
    run(deps: Deps, ...given: [...ArgumentsOf<A>, OptionsOf<F>]): Promise<number | undefined>
  },
): Omit<CommandDefinition, "flags"> & { flags?: F } {
  return literal
}

/**
 * Adds a command's arguments and flags to commander's.
 * @param argv the command line, which an error repeats corrected
 * @param showsAll whether its page shows all flags
 * @returns the number of flags that its page does not show
 */
export function declare(
  command: Command,
  definition: CommandDefinition,
  argv: readonly string[],
  showsAll = true,
): number {
  const { args = [], flags = {}, daily = Object.keys(flags), usage } = definition
  command.description(definition.about)
  if (usage !== undefined) command.usage(usage)
  for (const { takes, about, choices } of args) {
    const argument = new CommanderArgument(takes, about)
    if (choices) argument.choices(choices).argParser(readChoice(commandName(command), choices, argv))
    command.addArgument(argument)
  }
  // Flags without a heading come last.
  const others = Object.keys(flags)
    .filter((name) => !daily.includes(name))
    .sort((one, other) => Number(!flags[one]?.group) - Number(!flags[other]?.group))
  const add = (name: string, changes?: Partial<Flag>) => {
    const flag = flags[name]
    if (flag)
      command.addOption(
        toOption(name, { ...flag, ...changes }, argv).hideHelp(!showsAll && others.includes(name)),
      )
  }
  for (const name of daily) add(name)
  for (const name of others) add(name, { group: flags[name]?.group ?? "All other flags" })
  return showsAll ? 0 : others.length
}

/** An option that also matches its earlier names. */
class FlagOption extends Option {
  private readonly attribute: string
  private readonly formerly: readonly string[]

  /** @param name as in `Flags` @param words as commander writes a flag */
  constructor(name: string, words: string, { about, formerly = [] }: Flag) {
    super(words, about)
    this.attribute = toAttribute(name)
    this.formerly = formerly
  }

  override attributeName(): string {
    return this.attribute
  }

  /** By this, commander finds the option of a word. */
  is(word: string): boolean {
    return [this.short, this.long, ...this.formerly].includes(word)
  }
}

/** Whether a word is one of an option's names, also an earlier one. */
export function isNamed(option: Option, word: string): boolean {
  return option instanceof FlagOption ? option.is(word) : [option.short, option.long].includes(word)
}

/** A flag as commander takes it. @param name as in `Flags` @param argv see `declare` */
export function toOption(name: string, flag: Flag, argv: readonly string[]): Option {
  const { short, takes, choices, default: value, isRequired, isRepeatable, group } = flag
  const words = [[short, toFlagName(name)].filter(Boolean).join(", "), takes].filter(Boolean).join(" ")
  const option = new FlagOption(name, words, flag)
  if (choices) {
    const readOne = readChoice(toFlagName(name), choices, argv)
    option.choices(choices)
    if (option.variadic)
      option.argParser<string[]>((text, before) => [
        ...(Array.isArray(before) ? before : []),
        ...text.split(",").map((word) => readOne(word.trim())),
      ])
    else option.argParser(readOne)
  }
  if (value !== undefined) option.default(value)
  if (isRequired) option.makeOptionMandatory()
  if (isRepeatable) option.argParser(repeat)
  if (group !== undefined) option.helpGroup(`${group}:`)
  return option
}

/** Makes a reader of one of the choices. @param name of the flag, or of the command whose argument it is */
function readChoice(name: string, choices: readonly string[], argv: readonly string[]) {
  return (word: string): string => {
    if (choices.includes(word)) return word
    const message = `${name} takes ${choices.join(", ")}, not ${quoted(withoutKeys(word))}`
    const near = suggest(word, choices)
    const at = argv.indexOf(word)
    const again = near !== undefined && at >= 0 ? typedAgain(argv.with(at, near)) : {}
    throw new FreightError(
      "usage",
      message,
      near === undefined ? {} : { hint: `Did you mean ${near}?`, ...again },
    )
  }
}

/** Gathers a repeatable flag's values. */
function repeat(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

/**
 * Checks and reads commander's values for a command's `run`.
 * @param called the command, as commander parsed it
 * @throws FreightError `usage`, and what a flag's `read` throws
 */
export function readCall(
  { args = [], flags = {} }: CommandDefinition,
  deps: Deps,
  called: Command,
): unknown[] {
  const values: readonly unknown[] = called.processedArgs
  takeParentFlags(called)
  const options: Record<string, unknown> = called.opts()
  const isGiven = (flag: string) => {
    const attribute = toAttribute(flag)
    const isNegated = attribute !== flag
    return called.getOptionValueSource(attribute) === "cli" && (options[attribute] === false) === isNegated
  }
  for (const [option, { needs = [], conflicts = [] }] of Object.entries(flags)) {
    if (!isGiven(option)) continue
    if (needs.length > 0 && ![needs].flat().some(isGiven)) throw missingFlag(option, [needs].flat())
    const other = [conflicts].flat().find(isGiven)
    if (other !== undefined) throw contradiction(option, other)
  }
  for (const [option, { read = toText, takes, alone }] of Object.entries(flags)) {
    const value = options[option] === true ? alone : options[option]
    if (value === undefined || value === false) continue
    const readText = (text: unknown) => read(String(text), toFlagName(option), deps.clock.now())
    if (Array.isArray(value)) options[option] = value.flatMap(readText)
    else options[option] = takes?.startsWith("[") ? readOptional(readText, value, option) : readText(value)
  }
  for (const [at, argument] of args.entries()) {
    const { isAsked, unless } = argument
    const isNeeded = isAsked ? !deps.interactive : unless !== undefined
    if (!isNeeded || (unless !== undefined && isGiven(unless))) continue
    if ([values[at] ?? []].flat().length === 0) throw missingArgument(called, argument)
  }
  return [...values, options]
}

/** Whether a command line names a file to write. @param given the arguments of `run` */
export function namesOutput(
  { flags = {}, alsoWrites }: CommandDefinition,
  given: readonly unknown[],
): boolean {
  const options: Record<string, unknown> = Object(given.at(-1))
  const isNamed = ([name, { writes }]: [string, Flag]) => writes !== undefined && options[name] !== undefined
  return alsoWrites !== undefined || Object.entries(flags).some(isNamed)
}

function toText(text: string): string {
  return text
}

/** Commander accepts the flags of `batch plan` after `batch plan show` too: one that both have is the called command's. */
function takeParentFlags(called: Command): void {
  const { parent } = called
  if (!parent?.parent) return
  for (const option of parent.options) {
    const name = option.attributeName()
    if (parent.getOptionValueSource(name) !== "cli") continue
    if (!called.options.some(({ long }) => long === option.long))
      throw new FreightError("usage", `${commandName(called)} has no flag ${option.long ?? option.flags}`)
    called.setOptionValueWithSource(name, parent.getOptionValue(name), "cli")
  }
}

/** `noWait` sets `wait`. */
function toAttribute(flag: string): string {
  return flag.replace(/^no([A-Z])/, (_, letter: string) => letter.toLowerCase())
}

/** A flag with an optional value takes the next word, which may be meant for the command. */
function readOptional(readText: (text: unknown) => unknown, text: unknown, option: string): unknown {
  try {
    return readText(text)
  } catch (error) {
    if (!(error instanceof FreightError) || error.hint !== undefined) throw error
    throw withOptions(error, {
      hint: `If ${quoted(String(text))} is what the command is for, put it before ${toFlagName(option)}.`,
    })
  }
}

function missingFlag(option: string, needs: readonly string[]): FreightError {
  return new FreightError("usage", `${toFlagName(option)} needs ${needs.map(toFlagName).join(" or ")}`)
}

function contradiction(option: string, other: string): FreightError {
  const [one, two] = [toFlagName(option), toFlagName(other)]
  return new FreightError("usage", `${one} and ${two} contradict each other: choose one`)
}

/** @param argument the one that a command line lacks */
export function missingArgument(
  command: Command,
  { takes, about }: Pick<Argument, "about"> & { takes: string },
): FreightError {
  const message = `${commandName(command)} needs ${argumentName(takes).toUpperCase()}: ${about}`
  // A flag with an optional value takes the next word, which was meant for the command.
  const taker = command.options.find(
    (option) => option.optional && typeof command.getOptionValue(option.attributeName()) === "string",
  )
  if (!taker) return new FreightError("usage", message)
  const word = quoted(withoutKeys(command.getOptionValue(taker.attributeName())))
  return new FreightError("usage", `${message}; ${taker.long} took ${word} as its value`, {
    hint: `If ${word} is what the command is for, put it before ${taker.long}.`,
  })
}

/** `freight shipments show`; the words that call the command. */
export function commandName(command: Command): string {
  return command.parent ? `${commandName(command.parent)} ${command.name()}` : command.name()
}
