import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import type { Act } from "./shared/act.ts"
import { examples } from "./shared/examples.ts"

export function define(command: Command, act: Act): void {
  command
    .description("Forgets every booking, quote and print job of the sandbox on this machine.")
    .addHelpText("after", examples("freight sandbox reset"))
    .action(act(run))
}

async function run(deps: Deps): Promise<undefined> {
  const { resetSandbox } = await import("../sandbox/server.ts")
  await resetSandbox(`${deps.stateDir}/sandbox`)
  await deps.note("The sandbox is empty.")
  return
}
