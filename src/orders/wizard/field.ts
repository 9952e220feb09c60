/** A booking's field as a question: its name, and how it is answered. */
import { findErrors, getKind, inWords, type KindContext, type KindName } from "../../contract/index.ts"
import * as requests from "../../contract/generated/requests.js"
import type { Carrier } from "../../contract/generated/types.ts"
import { type Parsed, parsed, refused } from "../../base/parsed.ts"
import { isObject, type Json, type JsonObject, putAt } from "../../base/json.ts"

/** How a field is asked for: by its kind, by a choice, or part by part. */
export type Answer =
  | { readonly kind: Exclude<KindName, "choice" | "yesNo"> | "yes" }
  /** Several words, separated by commas. */
  | { readonly kind: "words" }
  | { readonly kind: "one"; readonly of: readonly (readonly [value: string, name: string])[] }
  | Parts

/** Parts with fields of their own, asked one by one; `many`: a list of them. */
export interface Parts {
  readonly kind: "parts"
  readonly parts: readonly Field[]
  readonly many?: true
}

export interface Field {
  /** Dotted path in the booking; for a part, within its whole. */
  readonly path: string
  readonly words: string
  readonly answer?: Answer
  readonly optional?: true
  readonly hint?: string
  /** The carriers that read it; all if absent. */
  readonly carriers?: readonly Carrier[]
  readonly split?: Split
}

interface Split {
  readonly fields: readonly string[]
  readonly read: (text: string) => Parsed<JsonObject>
  /** Writes the text that `read` reads; empty where the fields are empty. */
  readonly write: (whole: JsonObject) => string
}

/**
 * Reads a typed answer and checks it against the contract.
 * @param path its place in the booking, list positions as in `alertAddresses.0.email`
 * @param context with the clock by which `sat 28/11` is read
 */
export function readAnswer(
  { answer, optional, words, split }: Field,
  path: string,
  text: string,
  context: KindContext = {},
): Parsed<Json> {
  if (text === "" && optional) return parsed(null)
  if (text === "") return refused(`${words} is needed`)
  if (split) return split.read(text)
  if (answer?.kind === "words") return readWithContract(path, splitWords(text))
  if (!answer || answer.kind === "yes" || answer.kind === "one" || answer.kind === "parts")
    return readWithContract(path, text)
  const kind = getKind(answer.kind)
  const value = kind.parse(text, context)
  const allowed = value.ok ? readWithContract(path, value.value) : value
  const checked = kind.checkTyped?.(text)
  return allowed.ok && checked?.ok === false ? checked : allowed
}

function readWithContract(path: string, value: Json): Parsed<Json> {
  const reason = findRefusal(path, value)
  return reason === undefined ? parsed(value) : refused(reason)
}

function splitWords(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
}

/** Why the contract rejects a value at a path; undefined if it does not. Other missing fields do not count. */
export function findRefusal(path: string, value: Json): string | undefined {
  const request: JsonObject = {}
  putAt(request, path, value)
  const shown = path.replace(/\.(\d+)/g, "[$1]")
  const problem = findErrors(requests.ConsignmentBookingRequest, request).find(
    (each) => each.path === shown || [".", "["].some((mark) => each.path.startsWith(`${shown}${mark}`)),
  )
  return problem && inWords({ ...problem, message: problem.message.replace(shown, "it") })
}

/** A value as a line of text: the default in a question, and the text in the review. */
export function answerText({ answer }: Field, value: Json | undefined): string {
  if (value === undefined || value === null) return ""
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (answer?.kind === "one") return answer.of.find(([each]) => each === value)?.[1] ?? String(value)
  if (answer?.kind !== "parts") return Array.isArray(value) ? value.map(String).join(", ") : String(value)
  const { parts } = answer
  return [value]
    .flat()
    .map((one) =>
      parts
        .map((part) => answerText(part, isObject(one) ? one[part.path] : undefined))
        .filter((text) => text !== "")
        .join(", "),
    )
    .join("; ")
}
