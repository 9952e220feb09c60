/** Explains errors in a command line in freight's own words: commander's codes, and words that people guess. */
import type { Command, CommanderError, Option } from "commander"
import { commandName, isNamed, missingArgument } from "../../command/index.ts"
import { withoutKeys } from "../../machine/index.ts"
import { dropQuotes, nextCommand, typedAgain, withHyphens } from "../../base/command-line.ts"
import { getOwn } from "../../base/json.ts"
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"

/** Other words that people type for a command. */
const MEANT: Readonly<Record<string, string>> = {
  login: "auth login",
  signin: "auth login",
  init: "auth login",
  setup: "auth login",
  logout: "auth logout",
  whoami: "auth status",
  quote: "rate-shop",
  quotes: "rate-shop",
  price: "rate-shop",
  prices: "rate-shop",
  rate: "rate-shop",
  ship: "book",
  send: "book",
  order: "book",
  list: "shipments list",
  ls: "shipments list",
  show: "shipments show",
  status: "track",
  where: "track",
  labels: "label",
  collect: "pickup book",
  validate: "invoice validate",
  check: "invoice validate",
  claim: "evidence",
  dispute: "evidence",
  void: "cancel",
  undo: "cancel",
  version: "--version",
  "auth whoami": "auth status",
  "auth show": "auth status",
  "profile add": "auth login --profile",
  "profile new": "auth login --profile",
  "pickup list": "history --kind pickup",
  "pickup cancel": "cancel",
  "shipments cancel": "cancel",
  "shipments track": "track",
  "invoice check": "invoice validate",
  "batch run": "batch book",
  "batch import": "batch book",
  "batch upload": "batch book",
  "batch send": "batch book",
  "batch rates": "batch plan",
  "profile create": "auth login --profile",
  "pickup delete": "cancel",
  "pickup new": "pickup book",
  "shipments delete": "cancel",
  "ledger show": "ledger status",
  "ledger list": "history",
  "print labels": "print label",
  reprint: "print label --again",
}

/** Kinds of a file given right after `freight`, and for each the command that sends nothing with it. */
const FILE_USES: readonly {
  endings: RegExp
  isOfOrders?: true
  hint: string
  words(file: string): readonly string[]
}[] = [
  {
    endings: /\.(csv|tsv|txt|xlsx|ods)$/i,
    isOfOrders: true,
    hint: "A file of orders goes to freight batch book, here without sending anything; a carrier's bill goes to freight audit.",
    words: (file) => ["batch", "book", file, "--dry-run"],
  },
  {
    endings: /\.json$/i,
    hint: "A booking goes to freight book --file, here without sending anything; an invoice goes to freight invoice validate.",
    words: (file) => ["book", "--file", file, "--dry-run"],
  },
  { endings: /\.pdf$/i, hint: "A carrier's bill goes to freight audit.", words: (file) => ["audit", file] },
]

/** Other words that people type for the commands of a saved list. */
const MEANT_BELOW: Readonly<Record<string, string>> = {
  show: "list",
  get: "list",
  ls: "list",
  new: "add",
  create: "add",
  set: "add",
  edit: "add",
  save: "add",
  delete: "remove",
  rm: "remove",
}

/** The command of a group that takes a file, given right after the group's name. */
const TAKES_FILE: Readonly<Record<string, string>> = { batch: "book", invoice: "validate", print: "pdf" }

/** The command of a group that takes a shipment, given right after the group's name. */
const TAKES_NAME: Readonly<Record<string, string>> = { shipments: "show", pickup: "book", print: "label" }

/** Flags that people type for a number of rows. The history is limited by days. */
const COUNTS = ["--limit", "--max", "--last", "--top", "-n"]

/** Flags of other tools and commands: the first one that the command has is meant. */
const MEANT_FLAGS: Readonly<Record<string, readonly string[]>> = {
  "--from": ["--since", "--sender"],
  "--to": ["--receiver", "--until"],
  ...Object.fromEntries(
    [
      ...["--weight", "--dimensions", "--size", "--pkg", "--parcel", "--parcels", "--carton", "--cartons"],
      ...["--qty", "--quantity", "--count", "--kg", "--length", "--width", "--height"],
    ].map((flag) => [flag, ["--package"]]),
  ),
  "--csv": ["--format csv"],
  "--ndjson": ["--format ndjson"],
  "--table": ["--format table"],
  "--xlsx": ["--format xlsx"],
  "--yaml": ["--format json"],
  "--silent": ["--quiet"],
  "-q": ["--quiet"],
  "--debug": ["--verbose"],
  "--test": ["--sandbox"],
  "--demo": ["--sandbox"],
  "--dry": ["--dry-run"],
  "--preview": ["--dry-run"],
  "--simulate": ["--dry-run"],
  "--cheap": ["--cheapest", "--service cheapest"],
  "--fast": ["--fastest", "--service fastest"],
  "--dangerous": ["--set dangerousGoods=true"],
  "--dg": ["--set dangerousGoods=true"],
  "--residential": ["--to-residential"],
  "--date": ["--ready"],
  "--ready": ["--date"],
  "--time": ["--ready"],
  "--ref": ["--reference"],
  "--po": ["--reference"],
  "--notes": ["--instructions"],
  "--comment": ["--instructions"],
  "--status": ["--state"],
  "--xero": ["--for xero"],
  "--myob": ["--for myob"],
  "--quickbooks": ["--for quickbooks"],
}

/**
 * @param called the command that was called, as far as the command line could be followed
 * @param argv the command line
 * @returns undefined when commander only showed something
 */
export function usageError(
  { message, exitCode, code }: CommanderError,
  program: Command,
  called: Command | undefined,
  argv: readonly string[],
): FreightError | undefined {
  // `freight` or `freight shipments` alone lists the commands.
  if (exitCode === 0 || code === "commander.help") return undefined
  const command = called ?? program
  // The message repeats the typed text, which may have been a key.
  const text = withoutKeys(message.replace(/^error: /, ""))
  const word = /'([^']*)'/.exec(text)?.[1] ?? ""
  const suggestion = /Did you mean (.+)\?/.exec(text)?.[1]
  const near = suggestion === undefined ? {} : { hint: `Did you mean ${suggestion}?` }
  const dashed = argv.find((each) => withHyphens(each) !== each)
  if (dashed !== undefined && ["commander.unknownOption", "commander.excessArguments"].includes(code)) {
    const { line, hint } = rewriteLine(command, program, argv)
    return new FreightError(
      "usage",
      `${quoted(withoutKeys(dashed))} begins with a dash, which documents write: write ${quoted(withoutKeys(withHyphens(dashed)))}`,
      { ...(hint !== undefined && { hint }), ...typedAgain(line) },
    )
  }
  const leftOut = argv.find(isEllipsis)
  if (leftOut !== undefined && code === "commander.excessArguments")
    return new FreightError(
      "usage",
      `${quoted(leftOut)} marks what an example leaves out: do not type it`,
      typedAgain(argv.filter((each) => !isEllipsis(each))),
    )
  switch (code) {
    case "commander.unknownCommand":
      return unknownCommand(command, argv, near, onlySuggestion(suggestion))
    case "commander.unknownOption": {
      const [flag = "", value] = word.split("=")
      const long = withTwoHyphens(command, program, flag)
      if (long !== flag) {
        const { line, hint } = rewriteLine(command, program, argv)
        return new FreightError("usage", `${commandName(command)} has no flag ${flag}`, {
          hint: [`That is ${long}.`, hint].filter(Boolean).join(" "),
          ...typedAgain(line),
        })
      }
      if (value !== undefined && findOption(command, program, flag))
        return new FreightError("usage", `${flag} takes no value`, replaceWord(argv, word, [flag]))
      if (flag === "--key" && command.options.some(({ long }) => long === "--api-key-stdin"))
        return new FreightError("usage", `${commandName(command)} has no flag ${flag}`, {
          hint: "A key is never given on the command line. freight auth login asks for it; --api-key-stdin reads it from standard input.",
          next: "freight auth login",
        })
      const meant = findMeantFlag(command, program, flag)
      if (meant === "--package")
        return new FreightError("usage", `${commandName(command)} has no flag ${flag}`, {
          hint: "Packages are --package COUNTxLENGTHxWIDTHxHEIGHT@KG: 2x40x30x20@5.5 is two of 40 x 30 x 20 cm, of 5.5 kg each.",
        })
      if (COUNTS.includes(flag) && command.name() === "history")
        return new FreightError("usage", `${commandName(command)} has no flag ${flag}`, {
          hint: "A table on a terminal shows the newest 50; --since 7d shows those of a week, and --json all.",
        })
      const hint = meant === undefined ? near : { hint: `That is ${meant}.` }
      const right = meant ?? onlySuggestion(suggestion)
      const again =
        right && replaceFlag(command, argv, word, [...right.split(" "), ...(value ? [value] : [])])
      return new FreightError("usage", `${commandName(command)} has no flag ${flag}`, { ...hint, ...again })
    }
    case "commander.missingArgument": {
      const wanted = command.registeredArguments[command.args.length] ?? command.registeredArguments.at(-1)
      return missingArgument(command, { takes: wanted?.name() ?? "", about: wanted?.description ?? "" })
    }
    case "commander.optionMissingArgument": {
      return new FreightError("usage", `${word.split(/[ ,]/)[0]} needs a value: ${word}`)
    }
    case "commander.missingMandatoryOptionValue":
      return new FreightError("usage", `${commandName(command)} needs ${word}`)
    case "commander.excessArguments":
      return excessArgument(command, program, argv)
    default:
      return new FreightError("usage", text.split("\n")[0] ?? text, near)
  }
}

/** How people write that a command goes on. */
function isEllipsis(word: string): boolean {
  return /^(?:…|\.{3,})$/.test(word)
}

/** @param group a command with commands below it, none of which was given */
export function missingCommand(group: Command): FreightError {
  const names = group.commands.map((each) => each.name()).join(", ")
  const words = commandName(group).split(" ").slice(1)
  return new FreightError("usage", `${commandName(group)} needs one of its commands: ${names}`, {
    ...nextCommand("freight", "help", ...words),
  })
}

/** The flag that people mean by another, where this command has it. */
function findMeantFlag(command: Command, program: Command, flag: string): string | undefined {
  const has = (meant: string) => findOption(command, program, meant.split(" ")[0] ?? "") !== undefined
  return getOwn(MEANT_FLAGS, flag)?.find(has)
}

function findOption(command: Command, program: Command, flag: string): Option | undefined {
  return [...command.options, ...program.options].find((option) => isNamed(option, flag))
}

/** The one suggestion; undefined if there are several. */
function onlySuggestion(suggestion: string | undefined): string | undefined {
  return suggestion === undefined || /^one of /.test(suggestion) ? undefined : suggestion
}

/** The same command line with other words for one. */
function replaceWord(argv: readonly string[], word: string, words: readonly string[]): { next?: string } {
  const at = argv.indexOf(word)
  return at < 0 ? {} : typedAgain([...argv.slice(0, at), ...words, ...argv.slice(at + 1)])
}

/** The same command line with another flag; undefined if that flag lacks its value. */
function replaceFlag(
  command: Command,
  argv: readonly string[],
  word: string,
  words: readonly string[],
): { next?: string } {
  const after = argv.indexOf(word) + 1
  const isBare = argv[after] === undefined || argv[after]?.startsWith("-")
  const [flag = "", ...values] = words
  if (values.length === 0 && isBare && command.options.some((each) => isNamed(each, flag) && each.required))
    return {}
  // A time of day was given after --ready.
  const line = argv.map((each, at) =>
    at === after && flag === "--date" ? each.replace(TIME_OF_DAY, "") : each,
  )
  return replaceWord(line, word, words)
}

const TIME_OF_DAY = /(?<=\S)(?: at| |T) *\d{1,2}(?::?\d\d)?(?: *[ap]m)?$/i

function unknownCommand(
  command: Command,
  argv: readonly string[],
  near: { hint?: string },
  suggested: string | undefined,
): FreightError {
  const [word = ""] = command.args
  const name = quoted(withoutKeys(word))
  const instead = (words: readonly string[]) => replaceWord(argv, word, words)
  const lower = word.toLowerCase()
  const same = command.commands.find((each) => [each.name(), ...each.aliases()].includes(lower))
  if (same) near = { hint: `Did you mean ${lower}?` }
  const right = same ? lower : suggested
  const suggestion = { ...near, ...(right && instead([right])) }
  if (command.parent) {
    const takesFile = getOwn(TAKES_FILE, command.name())
    const message = `${commandName(command)} has no command ${name}`
    const right = findMeantBelow(command, word.toLowerCase())
    if (right !== undefined) {
      const [at, rest] = [argv.indexOf(command.name()), argv.slice(argv.indexOf(word) + 1)]
      return new FreightError("usage", message, {
        hint: `That is freight ${right}.`,
        ...typedAgain([...argv.slice(0, at), ...right.split(" "), ...rest]),
      })
    }
    const takesName = getOwn(TAKES_NAME, command.name())
    if (takesName !== undefined && /\d/.test(word) && suggested === undefined)
      return new FreightError("usage", message, {
        hint: `A shipment goes to ${commandName(command)} ${takesName}.`,
        ...instead([takesName, word]),
      })
    if (takesFile === undefined || !/[./\\]/.test(word)) return new FreightError("usage", message, suggestion)
    const hint = `A file goes to ${commandName(command)} ${takesFile}.`
    return new FreightError("usage", message, { hint, ...instead([takesFile, word]) })
  }
  const message = `there is no command ${name}`
  if (lower === "freight" && command.args.length > 1)
    return new FreightError("usage", message, { hint: "The word freight is there twice.", ...instead([]) })
  const meant = getOwn(MEANT, word.toLowerCase())
  if (meant === undefined) {
    const use = FILE_USES.find(({ endings }) => endings.test(word))
    if (!use) return new FreightError("usage", message, suggestion)
    return new FreightError("usage", message, { hint: use.hint, ...instead(use.words(word)) })
  }
  return new FreightError("usage", message, {
    hint: `That is freight ${meant}.`,
    ...instead(meant.split(" ")),
  })
}

/** The command that people mean by a word after a group. */
function findMeantBelow(group: Command, word: string): string | undefined {
  const below = getOwn(MEANT_BELOW, word)
  const has = group.commands.some((each) => each.name() === below)
  return getOwn(MEANT, `${group.name()} ${word}`) ?? (has ? `${group.name()} ${below}` : undefined)
}

function excessArgument(command: Command, program: Command, argv: readonly string[]): FreightError {
  const word = command.args[command.registeredArguments.length] ?? ""
  const takes = command.registeredArguments.map((argument) => argument.name().toUpperCase()).join(" and ")
  const what = takes === "" ? "takes flags only" : `takes ${takes} only`
  const split = findSplitValue(command, argv, word)
  if (split) {
    const written = writeSplit(split)
    const message = split.isQuoted
      ? `${ONLY_STRAIGHT}: write ${written}`
      : `${quoted(withoutKeys(word))} belongs to ${split.flag}: write it as ${written}`
    return new FreightError("usage", message, typedAgain(split.line))
  }
  const message = `${commandName(command)} ${what}: ${quoted(withoutKeys(word))} is one word too many`
  const hasFile = command.options.some(({ long }) => long === "--file")
  const orders = FILE_USES.find(({ endings }) => endings.test(word))
  if (commandName(command) === "freight book" && orders?.isOfOrders)
    return new FreightError("usage", message, {
      hint: "A file of orders goes to freight batch book.",
      ...typedAgain(["batch", ...argv]),
    })
  if (hasFile && /\.json$/i.test(word)) {
    const at = argv.lastIndexOf(word)
    return new FreightError("usage", message, {
      hint: "A file is given with --file.",
      ...nextCommand(
        "freight",
        ...argv.slice(0, at).filter((each) => each !== "--"),
        "--file",
        ...argv.slice(at),
      ),
    })
  }
  const place = argv.lastIndexOf(word)
  const before = argv[place - 1] ?? ""
  const option = findOption(command, program, before)
  if (option && !option.required && !option.optional)
    return new FreightError(
      "usage",
      `${before} takes no value: ${quoted(withoutKeys(word))} is one word too many`,
      typedAgain(argv.toSpliced(place, 1)),
    )
  if (getOwn(MEANT_BELOW, word) === "list" || word === "list")
    return new FreightError("usage", message, {
      hint: `${commandName(command)} lists by itself.`,
      ...typedAgain(argv.toSpliced(place, 1)),
    })
  return new FreightError("usage", message)
}

/** `--to "Perth WA 6000"` */
function writeSplit({ flag, value }: SplitValue): string {
  return `${flag} ${quoted(withoutKeys(value))}`
}

/** Adds the missing hyphen to `-to` and `-sort=price`, if the command has such a flag. */
function withTwoHyphens(command: Command, program: Command, word: string): string {
  const long = word.replace(/^-(?=[a-z]{2})/, "--")
  const [flag = ""] = long.split("=")
  return flag === "--help" || findOption(command, program, flag) ? long : word
}

/** The line with all of its flags and quotes fixed for a shell, and a note about the quotes. */
function rewriteLine(command: Command, program: Command, argv: readonly string[]) {
  const flagged = argv.map((word) => withTwoHyphens(command, program, withHyphens(word)))
  const { line, splits } = joinSplitValues(command, flagged, 0, command.registeredArguments.length > 0)
  const found = splits.find(({ isQuoted }) => isQuoted)
  return { line, hint: found && `${ONLY_STRAIGHT.replace(/^o/, "O")}: write ${writeSplit(found)}.` }
}

interface SplitValue {
  flag: string
  value: string
  words: readonly string[]
  isQuoted: boolean
}

const ONLY_STRAIGHT = "only straight double quotes keep these words together"

/** A flag whose value was typed without quotes, and the line with each such value in one piece. */
function findSplitValue(command: Command, argv: readonly string[], word: string) {
  const takesWords = command.registeredArguments.length
  const [last] = command.args.slice(takesWords - 1, takesWords)
  const start = takesWords === 0 ? 0 : argv.indexOf(last ?? "") + 1
  const { line, splits } = joinSplitValues(command, argv, start)
  const found = splits.find(({ words }) => words.includes(word))
  return found && { ...found, line }
}

/** The line with the words of each value in one piece, from a word on, and those values. */
function joinSplitValues(command: Command, argv: readonly string[], start: number, onlyQuoted = false) {
  const isFlag = (text: string) => /^--?\w/.test(text)
  const findTaker = (text: string) =>
    command.options.find((option) => option.required && isNamed(option, text))
  const line = argv.slice(0, start)
  const splits: SplitValue[] = []
  for (let at = start; at < argv.length; at++) {
    const text = argv[at] ?? ""
    const equals = text.startsWith("--") ? text.indexOf("=") : -1
    const flag = equals < 0 ? text : text.slice(0, equals)
    const inline = equals < 0 ? [] : [text.slice(equals + 1)]
    const taker = findTaker(flag)
    const from = at + 1 + (inline.length > 0 ? 0 : 1)
    const next = argv.findIndex((each, index) => index >= from && isFlag(each))
    const words = taker ? [...inline, ...argv.slice(at + 1, next < 0 ? argv.length : next)] : []
    const [name = "", ...rest] = words
    const isPair = taker?.flags.includes("=") && !name.includes("=") && rest.length > 0
    const typed = isPair ? `${name}=${rest.join(" ")}` : words.join(" ")
    const value = dropQuotes(typed)
    const isQuoted = value !== typed
    if (!taker || (onlyQuoted && !isQuoted)) {
      line.push(text)
      continue
    }
    if (words.length > 1) splits.push({ flag, value, words, isQuoted })
    line.push(flag, value)
    at += words.length - inline.length
  }
  return { line, splits }
}
