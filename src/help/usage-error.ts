/** What is wrong with a command line, in freight's own words: commander's codes, and words that people guess. */
import type { Command, CommanderError } from "commander"
import { commandName, missingArgument } from "../command.ts"
import { withoutKeys } from "../config/keys.ts"
import { nextCommand, typedAgain } from "../base/command-line.ts"
import { getOwn } from "../base/json.ts"
import { quoted } from "../base/parsed.ts"
import { FreightError } from "../base/errors.ts"

/** What people type for a command that is called otherwise. */
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
}

/** The command of a group that takes a file, given right after the group's name. */
const TAKES_FILE: Readonly<Record<string, string>> = { batch: "book", invoice: "validate", print: "pdf" }

/** Flags of other tools. */
const MEANT_FLAGS: Readonly<Record<string, string>> = {
  "--csv": "--format csv",
  "--ndjson": "--format ndjson",
  "--table": "--format table",
  "--yaml": "--format json",
  "--silent": "--quiet",
  "--test": "--sandbox",
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
  // `freight` or `freight shipments` alone shows what there is.
  if (exitCode === 0 || code === "commander.help") return undefined
  const command = called ?? program
  // What was typed is repeated, and may have been a key.
  const text = withoutKeys(message.replace(/^error: /, ""))
  const word = /'([^']*)'/.exec(text)?.[1] ?? ""
  const suggestion = /Did you mean (.+)\?/.exec(text)?.[1]
  const near = suggestion === undefined ? {} : { hint: `Did you mean ${suggestion}?` }
  switch (code) {
    case "commander.unknownCommand":
      return unknownCommand(command, argv, near, onlySuggestion(suggestion))
    case "commander.unknownOption": {
      const meant = getOwn(MEANT_FLAGS, word.split("=")[0] ?? "")
      const hint = meant === undefined ? near : { hint: `That is ${meant}.` }
      const [flag = "", value] = word.split("=")
      const right = meant ?? onlySuggestion(suggestion)
      const again = right && replaceWord(argv, word, [...right.split(" "), ...(value ? [value] : [])])
      return new FreightError("usage", `${commandName(command)} has no flag ${flag}`, { ...hint, ...again })
    }
    case "commander.missingArgument": {
      const wanted = command.registeredArguments[command.args.length] ?? command.registeredArguments.at(-1)
      return missingArgument(command, { takes: wanted?.name() ?? "", about: wanted?.description ?? "" })
    }
    case "commander.optionMissingArgument": {
      return new FreightError("usage", `${word.split(" ")[0]} needs a value: ${word}`)
    }
    case "commander.excessArguments":
      return excessArgument(command, argv)
    case "commander.invalidArgument": {
      const [, flag, value = "", choices] =
        /^option '(\S+)[^']*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(text) ?? []
      return new FreightError(
        "usage",
        flag ? `${flag} takes ${choices}, not ${quoted(value)}` : `${quoted(word)}: ${text}`,
      )
    }
    default:
      return new FreightError("usage", text.split("\n")[0] ?? text, near)
  }
}

/** The one word that may be meant; undefined where there are several. */
function onlySuggestion(suggestion: string | undefined): string | undefined {
  return suggestion === undefined || /^one of /.test(suggestion) ? undefined : suggestion
}

/** The same command line with other words for one. */
function replaceWord(argv: readonly string[], word: string, words: readonly string[]): { next?: string } {
  const at = argv.indexOf(word)
  return at < 0 ? {} : typedAgain([...argv.slice(0, at), ...words, ...argv.slice(at + 1)])
}

function unknownCommand(
  command: Command,
  argv: readonly string[],
  near: { hint?: string },
  suggested: string | undefined,
): FreightError {
  const [word = ""] = command.args
  const name = quoted(withoutKeys(word))
  const instead = (words: readonly string[]) => replaceWord(argv, word, words)
  const suggestion = { ...near, ...(suggested && instead([suggested])) }
  if (command.parent) {
    const takesFile = getOwn(TAKES_FILE, command.name())
    const message = `${commandName(command)} has no command ${name}`
    if (takesFile === undefined || !/[./\\]/.test(word)) return new FreightError("usage", message, suggestion)
    const hint = `A file goes to ${commandName(command)} ${takesFile}.`
    return new FreightError("usage", message, { hint, ...instead([takesFile, word]) })
  }
  const message = `there is no command ${name}`
  const meant = getOwn(MEANT, word.toLowerCase())
  if (meant === undefined) return new FreightError("usage", message, suggestion)
  return new FreightError("usage", message, {
    hint: `That is freight ${meant}.`,
    ...instead(meant.split(" ")),
  })
}

function excessArgument(command: Command, argv: readonly string[]): FreightError {
  const word = command.args[command.registeredArguments.length] ?? ""
  const takes = command.registeredArguments.map((argument) => argument.name().toUpperCase()).join(" and ")
  const what = takes === "" ? "takes flags only" : `takes ${takes} only`
  const split = findSplitValue(command, argv, word)
  if (split) {
    const { flag, value, line } = split
    const message = `${quoted(withoutKeys(word))} belongs to ${flag}: put it in quotes, ${flag} ${quoted(withoutKeys(value))}`
    return new FreightError("usage", message, typedAgain(line))
  }
  const message = `${commandName(command)} ${what}: ${quoted(withoutKeys(word))} is one word too many`
  const hasFile = command.options.some(({ long }) => long === "--file")
  if (!hasFile || !/\.json$/i.test(word)) return new FreightError("usage", message)
  const at = argv.lastIndexOf(word)
  return new FreightError("usage", message, {
    hint: "A file is given with --file.",
    ...nextCommand("freight", ...argv.slice(0, at), "--file", ...argv.slice(at)),
  })
}

/** A flag whose value was typed without quotes, and the line with each such value in one piece. */
function findSplitValue(command: Command, argv: readonly string[], word: string) {
  const takesWords = command.registeredArguments.length
  const [last] = command.args.slice(takesWords - 1, takesWords)
  const start = takesWords === 0 ? 0 : argv.indexOf(last ?? "") + 1
  const isFlag = (text: string) => /^--?\w/.test(text)
  const takesValue = (text: string) => command.options.some(({ long, required }) => long === text && required)
  const line = argv.slice(0, start)
  let found: { flag: string; value: string } | undefined
  for (let at = start; at < argv.length; at++) {
    const flag = argv[at] ?? ""
    line.push(flag)
    if (!takesValue(flag)) continue
    const next = argv.findIndex((text, index) => index > at + 1 && isFlag(text))
    const words = argv.slice(at + 1, next < 0 ? argv.length : next)
    const value = words.join(" ")
    if (words.length > 1 && words.includes(word)) found ??= { flag, value }
    line.push(value)
    at += words.length
  }
  return found && { ...found, line }
}
