/** The completion scripts of the whole tree. `scripts/completions.mjs` writes them when the tool is built. */
import type { Command } from "commander"
import type { Act } from "../commands/shared/act.ts"
import { createProgram } from "../program.ts"
import { type Entry, TREE } from "../tree.ts"
import { bashScript } from "./bash.ts"
import { fishScript } from "./fish.ts"
import { type Model, modelOf } from "./model.ts"
import { powershellScript } from "./powershell.ts"
import { tablesOf } from "./tables.ts"
import { zshScript } from "./zsh.ts"

/** The text of each script, by the name of its file. */
export async function completionScripts(): Promise<Record<string, string>> {
  const tables = tablesOf(await wholeModel())
  return {
    "freight.bash": bashScript(tables),
    _freight: zshScript(tables),
    "freight.fish": fishScript(tables),
    "freight.ps1": powershellScript(tables),
  }
}

/** The tree with the flags of every command, which are otherwise loaded only for the one that is called. */
export async function wholeModel(): Promise<Model> {
  const extraFormats = new Map<Command, readonly string[]>()
  const program = createProgram(() => async () => {})
  const define = async (parent: Command, { name, load, children = [] }: Entry): Promise<void> => {
    const command = parent.commands.find((each) => each.name() === name)
    if (!command) throw new TypeError(`no command ${name}`)
    const act: Act = (_run, formats) => {
      if (formats) extraFormats.set(command, formats)
      return async () => {}
    }
    if (load) (await load()).define(command, act)
    for (const child of children) await define(command, child)
  }
  for (const { entries } of TREE) for (const entry of entries) await define(program, entry)
  return modelOf(program, extraFormats)
}
