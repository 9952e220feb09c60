/** A tool, the command that it runs, and what an assistant gets of that. */
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server"
import * as z from "zod"
import { formatPackage } from "../contract/packages.ts"
import type { FreightError } from "../errors.ts"
import { isObject } from "../contract/fields/json.ts"
import type { Json } from "../contract/fields/json.ts"
import { MOST_ANSWER } from "../limits.ts"
import { errorText } from "../terminal/error-text.ts"
import { jsonText } from "../terminal/json-text.ts"

/** What a command line that runs within this process is given. */
export interface Given {
  input?: string | undefined
  signal: AbortSignal
  /** Characters that it may print. */
  most?: number | undefined
}

/** What it printed, and the error that it ended with. */
export interface Ran {
  stdout: string
  stderr: string
  error?: FreightError
}

/** Never throws. */
export type RunFreight = (words: readonly string[], given: Given) => Promise<Ran>

type FlagValue = string | number | boolean | readonly (string | number)[] | undefined

export interface CommandCall {
  /** `batch book` */
  command: string
  /** By their names in camel case. */
  flags?: Readonly<Record<string, FlagValue>>
  args?: readonly string[]
  input?: string
  most?: number
  format?: "json" | "ndjson"
}

export interface ToolContext {
  /** Runs a command as this server was started: with its profile, or in the sandbox. */
  run(call: CommandCall): Promise<Ran>
  folder: string
}

export interface Tool {
  name: string
  title: string
  description: string
  input: z.ZodObject
  annotations: ToolAnnotations
  /** @throws FreightError */
  call(input: unknown, context: ToolContext): Promise<CallToolResult>
}

export type About = Pick<Tool, "name" | "title" | "description">

/** @param call gets what keeps the schema */
export function tool<Input extends z.ZodObject>(
  about: About & { annotations: ToolAnnotations; input: Input },
  call: (input: z.infer<Input>, context: ToolContext) => Promise<CallToolResult>,
): Tool {
  return { ...about, call: (input, context) => call(input as z.infer<Input>, context) }
}

/** A tool that runs one command, which changes nothing. @param where `here`: it asks no server */
export function readingTool<Shape extends z.ZodRawShape>(
  where: "here" | "service",
  about: About,
  shape: Shape,
  toCall: (input: z.infer<z.ZodObject<Shape>>, context: ToolContext) => CommandCall | Promise<CommandCall>,
): Tool {
  const annotations = { readOnlyHint: true, openWorldHint: where === "service" }
  return tool({ ...about, annotations, input: z.strictObject(shape) }, async (input, context) =>
    toReply(
      await context.run({
        most: MOST_ANSWER,
        ...(await toCall(input as z.infer<z.ZodObject<Shape>>, context)),
      }),
    ),
  )
}

/**
 * The command line of a call. Each value stands behind its flag's `=` or behind `--`, so that no text can become a flag.
 * @param common flags that every call has
 */
export function toWords(
  { command, flags = {}, args = [] }: CommandCall,
  common: readonly string[],
): string[] {
  return [...command.split(" "), ...Object.entries(flags).flatMap(toFlag), ...common, "--", ...args]
}

function toFlag([name, value]: [string, FlagValue]): string[] {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (value === undefined || value === false) return []
  if (value === true) return [flag]
  return [value].flat().map((each) => `${flag}=${each}`)
}

/** What a command printed as data, with its notes; and its error, where it had one. */
export function toReply(ran: Ran): CallToolResult {
  const data = parseOutput(ran)
  // The protocol wants an object.
  const structured = data === undefined || isObject(data) ? data : { results: data }
  return replyWith(ran, { ...structured }, data === undefined ? [] : [jsonText(data)])
}

/** Undefined where there is none; what an error has cut off is left out. */
function parseOutput({ stdout, error }: Ran): Json | undefined {
  try {
    return stdout === "" ? undefined : JSON.parse(stdout)
  } catch (notJson) {
    if (error) return undefined
    throw notJson
  }
}

/** @param text for clients that show no structured content, and for people */
export function replyWith(
  { stderr, error }: Pick<Ran, "stderr" | "error">,
  data: Readonly<Record<string, unknown>>,
  text: readonly string[],
): CallToolResult {
  const notes = stderr.split("\n").filter((line) => line !== "")
  const structuredContent = {
    ...data,
    ...(notes.length > 0 && { notes }),
    ...(error && { error: { ...error.toJSON().error, ...(error.hint && { hint: error.hint }) } }),
  }
  const lines = [...(error ? [errorText(PLAIN, error).trimEnd()] : []), ...notes, ...text]
  return {
    content: [{ type: "text", text: lines.join("\n") }],
    structuredContent,
    ...(error && { isError: true }),
  }
}

const PLAIN = { isTTY: false, colour: false, columns: 80, write: async () => {} }

const PACKAGE = z.strictObject({
  count: z.int().min(1).default(1).describe("How many are alike."),
  lengthCm: z.number().positive().describe("Length of each in cm."),
  widthCm: z.number().positive().describe("Width of each in cm."),
  heightCm: z.number().positive().describe("Height of each in cm."),
  weightKg: z.number().positive().describe("Weight of each in kg, not of all together."),
})

export const PACKAGES = z
  .array(z.union([PACKAGE, z.string().describe("2x40x30x20@5.5 is two of 40 × 30 × 20 cm, 5.5 kg each.")]))
  .min(1)

export const ALLOW_DENSITY = z
  .boolean()
  .optional()
  .describe("The person has said that these weights are right, although no goods of such sizes have them.")

/** Packages in the short form that commands take. */
export function packageTexts(packages: z.infer<typeof PACKAGES>): string[] {
  return packages.map((each) => (typeof each === "string" ? each : formatPackage(each)))
}

export const WISHES = {
  service: z.string().optional().describe("A service code, or cheapest, or fastest."),
  maxPrice: z.number().nonnegative().optional().describe("Nothing above this price, as quoted."),
  within: z.int().min(0).max(999).optional().describe("Days from the collection in which it has to arrive."),
  arriveBy: z.string().optional().describe("Arrives by then: 2026-11-25, or with T12:00."),
}
/** As flag or column: the two take it differently. */
export const AVOID = z
  .array(z.string())
  .describe("Services and carriers that are not taken, such as GEN or A.")
