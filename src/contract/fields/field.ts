/** What one field of a booking is as a question: how people call it, and how they answer for it. */
import { findErrors } from "../check.ts"
import { inWords } from "../findings.ts"
import * as requests from "../generated/requests.js"
import type { Carrier } from "../generated/types.ts"
import { type Parsed, parsed, quoted, refused } from "../parsed.ts"
import { formatDate, formatWallClock } from "../wall-clock.ts"
import { explainTwoDays, readWhen } from "../when.ts"
import { isObject, type Json, type JsonObject, putAt } from "./json.ts"
import { readClock } from "./sets.ts"

/** How a field is asked for. What has none is asked by a step that is its own. */
export type Answer =
  /**
   * `day`, `clock` and `moment` are read as people write them, and become `2026-11-25`, `09:00` and
   * `2026-11-25T09:00:00`; a moment in ISO 8601 keeps its zone.
   */
  | { readonly kind: "text" | "whole" | "number" | "yes" | "day" | "clock" | "moment" }
  /** Several, with commas between them. */
  | { readonly kind: "words" }
  | { readonly kind: "one"; readonly of: readonly (readonly [value: string, name: string])[] }
  | Parts

/** Fields of its own, asked one by one; `many`: a list of such. */
export interface Parts {
  readonly kind: "parts"
  readonly parts: readonly Field[]
  readonly many?: true
}

export interface Field {
  /** Dotted path in the booking; of a part, below its whole. */
  readonly path: string
  readonly words: string
  readonly answer?: Answer
  readonly optional?: true
  readonly hint?: string
  /** The only carrier that reads it; all of them where this is left out. */
  readonly carrier?: Carrier
  /** For a part that stands for several fields. */
  readonly split?: Split
  /** What an answer must be, besides what the contract says. */
  readonly check?: (text: string) => Parsed<unknown>
}

interface Split {
  readonly fields: readonly string[]
  readonly read: (text: string) => Parsed<JsonObject>
  /** What `read` reads, out of the fields; empty where they are. */
  readonly write: (whole: JsonObject) => string
}

/**
 * Reads a typed answer and checks it against the contract.
 * @param path where it stands in the booking, list positions as in `alertAddresses.0.email`
 */
export function readAnswer(
  { answer, optional, words, split, check }: Field,
  path: string,
  text: string,
): Parsed<Json> {
  if (text === "" && optional) return parsed(null)
  if (text === "") return refused(`${words} is needed`)
  if (split) return split.read(text)
  const value = parseByKind(answer, text)
  if (!value.ok) return value
  const reason = findRefusal(path, value.value)
  if (reason !== undefined) return refused(reason)
  const checked = check?.(text)
  return checked?.ok === false ? checked : value
}

function parseByKind(answer: Answer | undefined, text: string): Parsed<Json> {
  switch (answer?.kind) {
    case "whole":
      return /^\d{1,9}$/.test(text) ? parsed(Number(text)) : refused(`${quoted(text)} is not a whole number`)
    case "number": {
      const plain = /^\$?\d{1,3}(,\d{3})+(\.|$)/.test(text) ? text.replaceAll(",", "") : text
      const [, number] = /^\$?(\d{1,9}(?:\.\d{1,6})?)$/.exec(plain) ?? []
      return number === undefined ? refused(`${quoted(text)} is not a number`) : parsed(Number(number))
    }
    case "moment":
    case "day": {
      if (answer.kind === "moment" && /^\d{4}-\d\d-\d\dT/.test(text)) return parsed(text)
      const when = readWhen(text)
      const wrong = when.ok ? explainTwoDays(text, when.value) : when
      if (!when.ok || wrong) return refused(wrong?.reason ?? "")
      const { date, time } = when.value
      if (answer.kind === "day") return parsed(formatDate(date))
      return time
        ? parsed(formatWallClock({ ...date, ...time }))
        : refused(`${quoted(text)} has no time of day: add one, such as 9:30am`)
    }
    case "clock":
      return readClock(text)
    case "words":
      return parsed(
        text
          .split(",")
          .map((word) => word.trim())
          .filter((word) => word !== ""),
      )
    default:
      return parsed(text)
  }
}

/** Why the contract does not take a value at a path; undefined when it does. What else is missing does not count. */
export function findRefusal(path: string, value: Json): string | undefined {
  const request: JsonObject = {}
  putAt(request, path, value)
  const shown = path.replace(/\.(\d+)/g, "[$1]")
  const problem = findErrors(requests.ConsignmentBookingRequest, request).find(
    (each) => each.path === shown || [".", "["].some((mark) => each.path.startsWith(`${shown}${mark}`)),
  )
  return problem && inWords({ ...problem, message: problem.message.replace(shown, "it") })
}

/** A value as a line of text: what a question has in it already, and what the review shows. */
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
