/** A tool, its command, and the answer for an assistant. */
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server"
import * as z from "zod"
import { readAsset } from "../base/assets.ts"
import type { CommandCall, CommandData, FlagData, FlagValue, TreeData } from "../command/index.ts"
import { toFlagName } from "../base/command-line.ts"
import { formatPackage } from "../contract/index.ts"
import { isObject, tryParseJson } from "../base/json.ts"
import type { Json } from "../base/json.ts"
import { readNotes } from "../base/notes.ts"
import type { Ran } from "../base/ports.ts"
import { errorText, jsonText } from "../output/index.ts"
import { markCarriers, showHidden } from "./carriers.ts"

export interface ToolContext {
  /** Runs a command as this server was started: with its profile, or in the sandbox. */
  run(call: CommandCall): Promise<Ran>
  folder: string
}

export interface Tool {
  name: string
  title: string
  description: string
  input: z.ZodPreprocess<z.ZodObject>
  annotations: ToolAnnotations
  call(input: unknown, context: ToolContext): Promise<CallToolResult>
}

export type About = Pick<Tool, "name" | "title" | "description">

/** @param call gets arguments that match the schema */
export function tool<Input extends z.ZodObject>(
  about: About & { annotations: ToolAnnotations; input: Input },
  call: (input: z.infer<Input>, context: ToolContext) => Promise<CallToolResult>,
): Tool {
  const input = z.preprocess((given) => takeEarlier(given as Json, about.input), about.input)
  return { ...about, input, call: (values, context) => call(values as z.infer<Input>, context) }
}

/** Names that flags had before: they are still understood, and no tool shows them. */
const EARLIER = z.registry<{ names: readonly string[] }>()

/** The input with the names that its flags have now. A flag that is given by both keeps them, and is refused. */
function takeEarlier(given: Json | undefined, { shape }: z.ZodObject): unknown {
  if (!isObject(given)) return given
  const now = new Map(
    Object.entries(shape).flatMap(([key, schema]) =>
      (EARLIER.get(schema)?.names ?? []).map((name): [string, string] => [name, key]),
    ),
  )
  const rename = (key: string) => {
    const name = now.get(key) ?? key
    return key in shape || name in given ? key : name
  }
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [rename(key), value]))
}

/** A command as `freight help --json` describes it, of the build. @param name `batch plan` */
export function describeCommand(name: string): CommandData {
  const { commands } = JSON.parse(readAsset("dist/commands.json")) as TreeData
  const flatten = (each: CommandData): CommandData[] => [each, ...each.commands.flatMap(flatten)]
  const found = commands.flatMap(flatten).find(({ command }) => command === `freight ${name}`)
  if (!found) throw new TypeError(`no command ${name}`)
  return found
}

/** Schemas of the flags that an assistant may give to a command. @param names in camel case */
export function flagSchemas<Name extends string>(
  { flags }: CommandData,
  names: readonly Name[],
): Record<Name, z.ZodOptional<z.ZodType<FlagValue>>> {
  const schemas: Partial<Record<Name, z.ZodOptional<z.ZodType<FlagValue>>>> = {}
  for (const name of names) {
    const flag = flags.find((each) => each.name === toFlagName(name))
    if (!flag) throw new TypeError(`no flag ${name}`)
    schemas[name] = toSchema(flag)
      .optional()
      .describe(toAssistant(flag.description))
      .register(EARLIER, { names: flag.formerly.map(toInputName) })
  }
  return schemas as Record<Name, z.ZodOptional<z.ZodType<FlagValue>>>
}

/** The text of a flag or a field without parts that only a command line has: other fields get an assistant's names. */
export function toAssistant(about: string): string {
  return about
    .replace(/ \(repeatable[^)]*\)/g, "")
    .replace(/[,;] or - for standard input.*$/, "")
    .replace(/: see freight .*$/, "")
    .replace(/--package\b/g, "packages")
    .replace(/--[a-z][a-z-]*/g, toInputName)
}

/** `--leave-out` is `leaveOut`. */
function toInputName(flag: string): string {
  return flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function toSchema({ type, choices, isRepeatable }: FlagData): z.ZodType<FlagValue> {
  const text = choices ? z.enum(choices) : z.string()
  if (isRepeatable) return listOf(z.array(text))
  return type === "boolean" ? z.boolean() : type === "number" ? z.number() : text
}

/** A list, which some assistants send as JSON text. */
export function listOf<List extends z.ZodArray>(list: List): z.ZodPreprocess<List> {
  return z.preprocess((given) => {
    const read = typeof given === "string" ? tryParseJson(given) : given
    return Array.isArray(read) ? read : given
  }, list)
}

/** The data that a command printed, with its notes, and its error if it had one. */
export function toReply(ran: Ran): CallToolResult {
  const printed = parseOutput(ran)
  const data = printed === undefined ? undefined : markCarriers(printed)
  const structured = isObject(data) ? data : undefined
  return replyWith(ran, { ...structured }, data === undefined ? [] : [jsonText(data)])
}

/** Undefined if there is none; output that an error cut off is dropped. */
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
  const notes = readNotes(stderr)
  const structuredContent = {
    ...data,
    ...(notes.length > 0 && { notes }),
    ...error?.toJSON(),
  }
  const lines = [...(error ? [errorText(PLAIN, error).trimEnd()] : []), ...notes, ...text]
  return {
    content: [{ type: "text", text: showHidden(lines.join("\n")) }],
    structuredContent: JSON.parse(JSON.stringify(structuredContent), (_, value) =>
      typeof value === "string" ? showHidden(value) : value,
    ),
    ...(error && { isError: true }),
  }
}

const PLAIN = { isTTY: false, colour: false, columns: 80, write: async () => {} }

/** A number, which some assistants send as text. Text with more in it, such as a unit, is refused. */
function numberOf(number: z.ZodNumber): z.ZodPreprocess<z.ZodNumber> {
  return z.preprocess(
    (given) => (typeof given === "string" && /^\d+(\.\d+)?$/.test(given) ? Number(given) : given),
    number,
  )
}

const PACKAGE = z.strictObject({
  count: numberOf(z.int().min(1)).default(1).describe("How many are alike."),
  lengthCm: numberOf(z.number().positive()).describe("Length of each in cm."),
  widthCm: numberOf(z.number().positive()).describe("Width of each in cm."),
  heightCm: numberOf(z.number().positive()).describe("Height of each in cm."),
  weightKg: numberOf(z.number().positive()).describe("Weight of each in kg, not of all together."),
})

export const PACKAGES = listOf(
  z
    .array(
      z.union([PACKAGE, z.string().describe("2x40x30x20@5.5 is two of 40 × 30 × 20 cm, 5.5 kg each.")], {
        error:
          "send count, lengthCm, widthCm, heightCm and weightKg as numbers, or text such as 2x40x30x20@5.5",
      }),
    )
    .min(1),
)

export function packageTexts(packages: z.infer<typeof PACKAGES>): string[] {
  return packages.map((each) => (typeof each === "string" ? each : formatPackage(each)))
}
