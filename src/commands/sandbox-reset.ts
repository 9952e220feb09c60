import { rm } from "node:fs/promises"
import type { Command } from "commander"
import type { Deps } from "../deps.ts"

export function define(command: Command): void {
  command.description(
    "Deletes every booking, quote and print job of the sandbox, and its part of the ledger.",
  )
}

export const examples = ["freight sandbox reset"]

/** What this machine remembers of the sandbox goes too: a ledger of bookings that are gone would refuse equal ones. */
export async function run(deps: Deps): Promise<undefined> {
  const { resetSandbox } = await import("../sandbox/server.ts")
  await resetSandbox(`${deps.stateDir}/sandbox`)
  await rm(`${deps.stateDir}/sandbox`, { recursive: true, force: true })
  await deps.note("The sandbox is empty.")
}
