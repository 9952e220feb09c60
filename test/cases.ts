/**
 * Tables that are text files: below each line that is tried stands what came of it, so that wording is kept in one
 * place and read beside its cause. A line with # is a comment. To add a case, write its line, and run its test with -u.
 */
import { readFileSync } from "node:fs"
import path from "node:path"
import { expect } from "vitest"
import { FreightError } from "../src/base/errors.ts"

/** The text before each line of an outcome. */
const OUTCOME = "    "

/**
 * Tries each line of a file, and compares what comes of them with what the file says.
 *
 * @param folder of the test, as `import.meta.dirname`
 */
export async function expectCases(
  folder: string,
  name: string,
  outcomeOf: (line: string) => string | readonly string[] | Promise<string | readonly string[]>,
): Promise<void> {
  const file = path.join(folder, name)
  const lines = readFileSync(file, "utf8").split("\n")
  const written: string[] = []
  for (const line of lines) {
    if (line.startsWith(OUTCOME)) continue
    written.push(line)
    if (line === "" || line.startsWith("#")) continue
    const outcome = [await outcomeOf(line)].flat().flatMap((each) => each.split("\n"))
    written.push(...(outcome.length > 0 ? outcome : ["nothing"]).map((each) => OUTCOME + each))
  }
  await expect(written.join("\n")).toMatchFileSnapshot(file)
}

/**
 * Tries functions with each line of a file, such as `centsOf("1.15")`, whose arguments are JSON. What is written of
 * a text that was read is its value, or why it was refused.
 */
export function expectCalls(
  folder: string,
  name: string,
  functions: Readonly<Record<string, unknown>>,
): Promise<void> {
  return expectCases(folder, name, async (line) => {
    const [, called = "", given = ""] = /^(\w+)\((.*)\)$/.exec(line) ?? []
    const call = functions[called] as ((...given: unknown[]) => unknown) | undefined
    if (!call) throw new Error(`no function of the test is called so: ${line}`)
    try {
      return showOutcome(await call(...JSON.parse(`[${given}]`)))
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      return `throws ${error.kind}: ${error.message}${error.hint ? ` — ${error.hint}` : ""}`
    }
  })
}

/** A text that was read as its value, errors as their sentences, all else as JSON. */
export function showOutcome(value: unknown): string | string[] {
  if (Array.isArray(value) && value.some(isSaid)) return value.flatMap(showOutcome)
  if (typeof value === "object" && value !== null && "ok" in value) {
    if ("reason" in value) return `refused: ${value.reason}`
    if ("value" in value) return showOutcome(value.value)
  }
  if (!isSaid(value)) return toJson(value)
  const { message, hint, ...rest } = value
  const more = Object.keys(rest).length > 0 ? ` ${toJson(rest)}` : ""
  return `${message}${hint === undefined ? "" : ` — ${hint}`}${more}`
}

function isSaid(value: unknown): value is { message: string; hint?: string } {
  return typeof value === "object" && value !== null && "message" in value
}

function toJson(value: unknown): string {
  const written = (each: unknown) =>
    typeof each === "bigint" ? `${each}n` : Object.is(each, -0) ? "minus nought" : each
  return JSON.stringify(value, (_, each) => written(each)) ?? "undefined"
}
