import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { print } from "../terminal/view.ts"

export function define(command: Command): void {
  command.description("Prints where the settings file is, whether it exists or not.")
}

export const examples = ["freight config path"]

export async function run({ terminal, output, config: { file } }: Deps): Promise<undefined> {
  if (output.format === "table" && !output.fields) await terminal.stdout.write(`${file}\n`)
  else
    await print(
      { terminal, output },
      { rows: [{ file }], columns: [{ key: "file", title: "FILE" }], single: true },
    )
}
