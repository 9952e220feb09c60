/** Adds the command to run next to errors, by their kind if they name none. */

import { type ErrorKind, type FreightError, withOptions } from "../../base/errors.ts"
import type { Globals } from "./settings.ts"

/** What to run where a thing on this machine, or on the way to the server, may be wrong. */
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
 */
export function withNext(error: FreightError, words: readonly string[], globals: Globals): FreightError {
  const found = error.next ?? nextAfter(error, words)
  const next = found && onSameService(found, globals)
  const errors = error.errors?.map((detail) =>
    detail.next === undefined ? detail : { ...detail, next: onSameService(detail.next, globals) },
  )
  if (next === error.next && !errors) return error
  return withOptions(error, { next, errors })
}

/** `--sandbox` and `--profile` as they were given, for a command that is shown. */
export function serviceFlags({ sandbox, profile }: Globals): string[] {
  return [...(sandbox ? ["--sandbox"] : []), ...(profile === undefined ? [] : ["--profile", profile])]
}

/** Adds `--sandbox` or `--profile`, so that the command asks the same service. Help pages need neither. */
export function onSameService(next: string, { sandbox, profile }: Globals): string {
  if (!next.startsWith("freight ") || /^freight (help|--help)/.test(next)) return next
  if (sandbox) return next.includes("--sandbox") ? next : `${next} --sandbox`
  const isPlain = profile !== undefined && /^[\w.-]+$/.test(profile)
  return isPlain && !next.includes("--profile") ? `${next} --profile ${profile}` : next
}

function nextAfter({ kind, status, message }: FreightError, words: readonly string[]): string | undefined {
  const isFlag = kind === "input" && message.startsWith("--")
  if (kind === "usage" || isFlag)
    return words.length > 0 ? ["freight help", ...words].join(" ") : "freight --help"
  // The server is there, but busy or down: only waiting helps.
  if (kind === "unavailable" && status !== undefined) return undefined
  // A command that has failed is not the one to run next.
  return BY_KIND[kind] === `freight ${words[0]}` ? undefined : BY_KIND[kind]
}
