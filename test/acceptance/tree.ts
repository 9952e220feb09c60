import type { Command } from "commander"
import { createProgram } from "../../src/program.ts"

/** The commands that do something, by their words: `shipments list`. */
export function commandNames(): string[] {
  return leaves(
    createProgram(() => async () => {}),
    "",
  )
}

function leaves(command: Command, words: string): string[] {
  return command.commands.flatMap((each) => {
    const name = `${words} ${each.name()}`.trim()
    return each.commands.length > 0 ? leaves(each, name) : [name]
  })
}
