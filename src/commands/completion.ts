import { readFile } from "node:fs/promises"
import { Argument, type Command } from "commander"
import { readAsset } from "../assets.ts"
import { MARK, type Place, placeFor, SCRIPTS, SHELLS, type Shell } from "./shared/completion-script.ts"
import { homeFolder, variable } from "../config/settings.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { print } from "../terminal/view.ts"

interface Options {
  install?: boolean
}

export function define(command: Command): void {
  command
    .description(
      "Prints the script that completes commands, flags and values at the Tab key, or installs it where the shell looks. " +
        "Saved addresses, connectors, services, devices, shipments and quotes are completed from what this machine has seen.",
    )
    .addArgument(new Argument("<shell>", "bash, zsh, fish or powershell").choices(SHELLS))
    .option("--install", "install it; no other file is changed")
}

export const examples = ["freight completion fish --install", "freight completion bash > freight.bash"]

export async function run(deps: Deps, shell: Shell, { install }: Options): Promise<undefined> {
  const script = readAsset(`completions/${SCRIPTS[shell]}`)
  if (install) await putInPlace(deps, shell, script)
  else await deps.terminal.stdout.write(script)
}

/** @throws FreightError `input` when something else has the file's name, or it cannot be written. */
async function putInPlace(deps: Deps, shell: Shell, script: string): Promise<void> {
  const { env, runtime, files, terminal, output } = deps
  const place = placeFor(shell, env, runtime.platform, variable(env, "HOME") ?? homeFolder())
  const before = await readText(place.file)
  if (before !== undefined && before !== script && !before.slice(0, 200).includes(MARK))
    throw new FreightError("input", `${place.file} already exists, and freight did not write it`, {
      hint: "Move it away, or print the script and put it where you want it.",
      next: `freight completion ${shell}`,
    })
  const done = before === script ? "unchanged" : before === undefined ? "written" : "replaced"
  if (done !== "unchanged") await files.write(place.file, script)
  for (const line of await told(place, done)) await deps.note(line)
  if (output.format === "table" && !output.fields) return
  const row = { shell, file: place.file, done }
  const columns = Object.keys(row).map((key) => ({ key, title: key }))
  await print({ terminal, output }, { rows: [row], columns, single: true })
}

/** What was done, what is left to do, and how to undo it. */
async function told({ file, line, note }: Place, done: string): Promise<string[]> {
  const isWired = line !== undefined && (await readText(line.to))?.includes(line.unless)
  return [
    done === "unchanged" ? `Already installed: ${file}` : `Written: ${file}`,
    ...(line && !isWired
      ? [`To use it, add this line to ${line.to}, which freight does not change:\n  ${line.text}`]
      : []),
    ...(isWired ? [] : [note]),
    `To undo it, delete that file${line ? " and remove the line" : ""}.`,
  ]
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined)
}
