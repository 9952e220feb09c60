/**
 * Checks a command's output before it does anything: fields, format, and each file and folder to write. Errors found
 * later cannot be undone.
 */
import path from "node:path"
import { toFlagName } from "../base/command-line.ts"
import { FreightError } from "../base/errors.ts"
import { isUnderDevices } from "../base/file-names.ts"
import { fullPath, isSameFile } from "../base/system.ts"
import type { NamedOutput } from "../machine/index.ts"
import type { CommandDefinition } from "./command.ts"
import type { Memory, Session } from "../session/index.ts"

/**
 * @param name of the command, without `freight`
 * @param given what its `run` gets: arguments, then options
 * @throws FreightError `usage` or `input`, while nothing was sent or written
 */
export async function checkOutputs(
  { output, outputs, terminal }: Pick<Session, "output" | "terminal"> & Pick<Memory, "outputs">,
  definition: CommandDefinition,
  name: string,
  given: readonly unknown[],
): Promise<void> {
  if (output.fields) {
    const { checkFields } = await import("./output-fields.ts")
    checkFields(output.fields, definition.columns, name)
  }
  const options = toOptions(given)
  const named = listOutputs(definition, given, options)
  const isReportInFile = named.some(({ writes, file }) => writes === "report" && file !== "-")
  if (output.format === "xlsx" && !isReportInFile && terminal.stdout.isTTY)
    throw new FreightError("usage", "--format xlsx is a file for spreadsheets, and not for a terminal", {
      hint: "Write it into a file: add > list.xlsx, or -o list.xlsx where the command has it.",
    })
  if (output.isHeadless && output.format !== "csv" && !isReportInFile)
    throw new FreightError("usage", "--no-header leaves the names out of CSV: add --format csv")
  if (named.length === 0) return
  refuseSameName(named)
  refuseInputs(named, listInputs(definition, given, options))
  for (const each of named) outputs.check({ ...each, force: options.force === true })
}

type Options = Readonly<Record<string, unknown>>

function toOptions(given: readonly unknown[]): Options {
  return Object(given.at(-1))
}

function listOutputs(
  { flags = {}, alsoWrites }: CommandDefinition,
  given: readonly unknown[],
  options: Options,
): NamedOutput[] {
  const named = Object.entries(flags).flatMap(([name, { writes, short }]): NamedOutput[] => {
    const file = options[name]
    if (writes === undefined || typeof file !== "string") return []
    const what = typeof writes === "function" ? writes(options) : writes
    return [{ flag: short ?? toFlagName(name), file, writes: what }]
  })
  return [...named, ...(alsoWrites?.(...(given as never)) ?? [])]
}

function listInputs(
  { args = [], flags = {} }: CommandDefinition,
  given: readonly unknown[],
  options: Options,
): string[] {
  const values = [
    ...args.flatMap(({ isInput }, at) => (isInput ? [given[at]] : [])),
    ...Object.entries(flags).flatMap(([name, { isInput }]) => (isInput ? [options[name]] : [])),
  ]
  return values.flat().filter((value) => typeof value === "string")
}

function refuseSameName(named: readonly NamedOutput[]): void {
  for (const [at, one] of named.entries()) {
    const other = named.slice(at + 1).find((each) => isSame(one.file, each.file))
    if (!other) continue
    const where = one.file === "-" ? "go to standard output" : `name ${one.file}`
    throw new FreightError(
      "usage",
      `${one.flag} and ${other.flag} both ${where}: give each a file of its own; nothing was sent or written`,
    )
  }
}

function refuseInputs(named: readonly NamedOutput[], inputs: readonly string[]): void {
  for (const { flag, file, writes } of named) {
    if (file === "-" || writes === "folder") continue
    const input = inputs.find((each) => isSame(each, file))
    if (input !== undefined)
      throw new FreightError(
        "usage",
        `${flag} ${file} would overwrite ${input}, which is read; nothing was sent or written`,
        { hint: `Name another file with ${flag}.` },
      )
  }
}

/** Also if one is a link to the other. A device accepts several writers. */
function isSame(one: string, other: string): boolean {
  if (one === "-" || other === "-") return one === other
  if (isUnderDevices(one) || isUnderDevices(other)) return false
  return fullPath(path.normalize(one)) === fullPath(path.normalize(other)) || isSameFile(one, other)
}
