/** The booking file and the command that make the same booking again. */
import { shellLine } from "../contract/command-line.ts"
import type { BookingAddress } from "../contract/generated/types.ts"
import { type Field, flagName, isObject } from "./field.ts"
import { FIELDS } from "./fields.ts"
import { type Json, type JsonObject, sameJson } from "./set.ts"

export interface Again {
  /** The booking without its rate and its totals: a quote is good for 48 hours, and the totals follow. */
  request: JsonObject
  connectorId: string
  /** `--sandbox`, `--profile NAME`. */
  globals: readonly string[]
  /** What was done after it: `--wait`, `--label`. */
  after: readonly string[]
  platform: string
}

/** The command with the booking in a file. */
export function commandWithFile({ connectorId, globals, after, platform }: Again, file: string): string {
  const words = ["freight", "book", ...globals, "--file", file, "--connector", connectorId, ...after]
  return shellLine(words, platform)
}

/** The command alone: saved addresses by their names, all else field by field. */
export function commandAlone(
  { request, connectorId, globals, after, platform }: Again,
  saved: readonly { name: string; address: BookingAddress }[],
): string {
  const words = FIELDS.flatMap((field) => {
    const value = request[field.path]
    // What follows by itself need not be said.
    if (value === undefined) return []
    if (field.path === "collection" && sameJson(value, request.sender)) return []
    if (field.path === "dangerousGoods" && value === false) return []
    if (field.path === "payer" && sameJson(value, { type: "Sender" })) return []
    const name = saved.find(({ address }) => sameJson(value, address))?.name
    return flagWords(field, value, name) ?? setWords(field.path, value)
  })
  const known = new Set(FIELDS.map(({ path }) => path))
  const others = Object.entries(request).flatMap(([name, value]) =>
    known.has(name) ? [] : setWords(name, value),
  )
  return shellLine(
    ["freight", "book", ...globals, "--connector", connectorId, ...words, ...others, ...after],
    platform,
  )
}

function flagWords(
  { flag, answer }: Field,
  value: Json,
  savedName: string | undefined,
): string[] | undefined {
  if (!flag) return undefined
  const name = flagName(flag.takes)
  if (answer?.kind === "parts") return savedName === undefined ? undefined : [name, savedName]
  const texts = [value].flat().map((each) => (flag.write ? flag.write(each) : plainText(each)))
  return texts.every((text) => text !== undefined) ? texts.flatMap((text) => [name, text]) : undefined
}

function plainText(value: Json): string | undefined {
  return typeof value === "object" ? undefined : String(value)
}

function setWords(path: string, value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => setWords(`${path}.${at}`, each))
  if (isObject(value))
    return Object.entries(value).flatMap(([name, each]) => setWords(`${path}.${name}`, each))
  return ["--set", `${path}=${String(value)}`]
}
