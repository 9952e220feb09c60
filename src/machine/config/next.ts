/** Adds the next command to errors that name none, by their kind; and the flags of the service to commands in messages. */

import { type ErrorDetail, type ErrorKind, FreightError, withOptions } from "../../base/errors.ts"
import type { Globals } from "./settings.ts"

/** For errors that this machine, or the connection to the server, may cause. */
const LOOK = "freight doctor"

const BY_KIND: Partial<Readonly<Record<ErrorKind, string>>> = {
  config: LOOK,
  unauthenticated: LOOK,
  forbidden: LOOK,
  unavailable: LOOK,
  timeout: LOOK,
  badReply: LOOK,
  unreadable: LOOK,
  outcomeUnknown: "freight reconcile",
}

/**
 * Adds the command to run next, if one helps.
 * @param words the failed command, without `freight`: `["shipments", "list"]`
 * @param begins whether commands run at all: with a wrong variable none does, including the doctor
 */
export function withNext(
  error: FreightError,
  words: readonly string[],
  globals: Globals,
  begins = true,
): FreightError {
  const complete = (next: string | undefined): Pick<ErrorDetail, "next" | "nextArgs"> => {
    if (next === undefined) return {}
    const line = onSameService(next, globals)
    const nextArgs = findRunnable(line, error.kind, words.join(" "))
    return { next: line, ...(nextArgs && { nextArgs }) }
  }
  // A usage error names commands as such; only the next command is run.
  const inWords = (text: string) => (error.kind === "usage" ? text : completeCommands(text, globals))
  const errors = error.errors?.map((detail) => ({
    ...{ ...detail, message: inWords(detail.message) },
    ...complete(detail.next),
  }))
  const next = error.next ?? (error.kind === "config" && !begins ? undefined : nextAfter(error, words))
  const message = inWords(error.message)
  const isCorrected = error.kind === "usage" && error.next !== undefined
  const hint = error.hint && (isCorrected ? error.hint : completeCommands(error.hint, globals))
  if (next === undefined && !errors && message === error.message && hint === error.hint) return error
  const added = withOptions(error, { ...complete(next), errors, ...(hint !== undefined && { hint }) })
  return message === error.message ? added : new FreightError(error.kind, message, added)
}

/** Commands whose answer depends on the service, the account or its ledger, as patterns. */
const OF_SERVICE = [
  ...["book", "cancel", "label", "today", "track", "reconcile", "history", "rate-shop", "dispatched"],
  ...["doctor", "evidence", "manifest", "connectors", "audit", "post", "pay", "remittance"],
  ...["batch book", "batch plan", "batch status", "print label", "print pdf"],
  ...["pickup book", "pickup show", "pickup told", "shipments list", "shipments show"],
  ...["devices list", "devices use", "ledger status", "ledger account"],
  "report (?:carriers|spend|savings|accruals|disputes|clearing)",
  "disputes(?: (?:show|letter|sent|answered|credited|denied|written-off|reopen|moved|credits|confirm))?",
]

/** Such a command within a sentence, unless it names the service itself. */
const IN_SENTENCE = new RegExp(
  `\\bfreight (?:${OF_SERVICE.join("|")})(?![\\w-])(?!(?:(?!freight |[.;] ).)*--(?:sandbox|profile)\\b)`,
  "g",
)

/** Adds `--sandbox` or `--profile` to the commands in a sentence, so that each asks the same service when it is pasted. */
export function completeCommands(text: string, globals: Globals): string {
  return text.replace(IN_SENTENCE, (command) => onSameService(command, globals))
}

/** Commands that a script may run by itself: they read, or settle what was sent. `cancel` only ever ends with an error. */
const HARMLESS = [
  ...["help", "doctor", "reconcile", "history", "today", "connectors", "label", "track"],
  ...["shipments list", "shipments show", "pickup show", "devices list", "ledger status"],
  ...["address list", "package list", "party list", "profile list", "places list", "batch maps"],
  ...["disputes show", "disputes credits", "batch template"],
]
/** The steps of a booking that asked for them. */
const STEPS = ["print label", "pickup book"]
/** Flags that keep a command harmless, and whether they have a value. */
const HARMLESS_FLAGS: Readonly<Record<string, boolean>> = {
  "--sandbox": false,
  "--profile": true,
  "--kind": true,
  "--all": false,
  "--columns": true,
  "--contract": false,
  "--dir": true,
  "-o": true,
  "--device": true,
}
/** `NAME`: a person has to put something in its place. */
const PLACEHOLDER = /^[A-Z]+(\.\w+)?$/

/**
 * The arguments of a command line that works as it stands, without a person: it spends nothing, releases nothing, and is
 * not the command that failed.
 * @param failed the command that failed: `shipments list`
 */
function findRunnable(line: string, kind: ErrorKind, failed: string): readonly string[] | undefined {
  const [program, ...args] = Array.from(
    line.matchAll(/"([^"]*)"|(\S+)/g),
    ([, quoted, bare]) => quoted ?? bare ?? "",
  )
  const names = [...HARMLESS, ...(kind === "stepFailed" ? STEPS : [])]
  const called = names
    .filter((name) => `${args.join(" ")} `.startsWith(`${name} `))
    .sort()
    .at(-1)
  if (program !== "freight" || called === undefined || called === failed) return undefined
  // The corrected line may have more errors.
  if (kind === "usage" && called !== "help") return undefined
  const given = args.slice(called.split(" ").length)
  for (const [at, word] of given.entries()) {
    const isValue = HARMLESS_FLAGS[given[at - 1] ?? ""] === true
    if (
      !isValue &&
      (PLACEHOLDER.test(word) || (word.startsWith("-") && !Object.hasOwn(HARMLESS_FLAGS, word)))
    )
      return undefined
  }
  return args
}

/** `--sandbox` and `--profile` as they were given, for a printed command. */
export function serviceFlags({ sandbox, profile }: Globals): string[] {
  return [...(sandbox ? ["--sandbox"] : []), ...(profile === undefined ? [] : ["--profile", profile])]
}

/** Adds `--sandbox` or `--profile`, so that the command asks the same service. Help pages need neither. */
export function onSameService(next: string, { sandbox, profile }: Globals): string {
  if (!next.startsWith("freight ") || /^freight help\b/.test(next)) return next
  if (sandbox) return next.includes("--sandbox") ? next : `${next} --sandbox`
  const isPlain = profile !== undefined && /^[\w.-]+$/.test(profile)
  return isPlain && !next.includes("--profile") ? `${next} --profile ${profile}` : next
}

function nextAfter({ kind, status, message }: FreightError, words: readonly string[]): string | undefined {
  const isFlag = kind === "input" && message.startsWith("--")
  if (kind === "usage" || isFlag) return ["freight help", ...words].join(" ")
  // The server exists, but is busy or down: only waiting helps.
  if (kind === "unavailable" && status !== undefined) return undefined
  // A command that has failed is not the one to run next.
  return BY_KIND[kind] === `freight ${words[0]}` ? undefined : BY_KIND[kind]
}
