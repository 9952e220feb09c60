import type { Command } from "commander"
import { readPlan } from "../batch/plan/plan.ts"
import type { Deps } from "../deps.ts"
import { showPlan } from "./shared/plan-output.ts"

export function define(command: Command): void {
  command
    .description(
      "Shows what a plan would book: each row with its service, arrival and price, and why; the total; and how long its rates are valid. freight refuses a plan that was changed after it was made.",
    )
    .argument("<file>", "the plan, or - for standard input")
}

export const examples = [
  "freight batch plan show orders.plan.json",
  "freight batch plan show orders.plan.json --json",
]

export async function run(deps: Deps, file: string): Promise<undefined> {
  await showPlan(deps, await readPlan(deps, file), file)
}
