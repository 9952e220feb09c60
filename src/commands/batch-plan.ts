import type { Command } from "commander"
import { checkBatch } from "../batch/book.ts"
import { type RowFlags, buildRowDefaults } from "../batch/defaults.ts"
import { makePlan } from "../batch/plan/make.ts"
import { planText, readPlan } from "../batch/plan/plan.ts"
import { keepRows, readRows } from "../batch/rows/rows.ts"
import { openInput } from "../sheets/source.ts"
import { withSavedMap } from "../config/maps.ts"
import type { Deps } from "../deps.ts"
import { EXIT, FreightError } from "../errors.ts"
import {
  createBatchDeps,
  findPlanAccount,
  keepMap,
  type MapFlags,
  readMapToSave,
  readRunFlags,
  refusePlan,
  type RunFlags,
} from "./shared/batch-deps.ts"
import type { CommandDefinition } from "./shared/command.ts"
import { showPlan } from "./shared/plan-output.ts"
import { addRowFlags } from "./shared/row-flags.ts"

interface Options extends RowFlags, RunFlags, MapFlags {
  output?: string
  force?: boolean
}

export function define(command: Command): void {
  command
    .usage("[flags] <file>")
    .hook("preAction", refuseFlags)
    .description(
      "Gets rates for every row of a file of orders, chooses by its wishes, and writes a plan for someone to approve. " +
        "Books nothing. freight batch book --plan books exactly that, within the 48 hours that rates are valid.",
    )
    .argument("<file>", "the rows, or - for standard input")
    .option(
      "-o, --output <file>",
      "write the plan here, or to standard output with - (FILE.plan.json beside the file)",
    )
    .option("--force", "overwrite a file that freight did not write")
  addRowFlags(command)
    .option("--skip-invalid", "leave out rows with errors, and plan the others")
    .option("--max-total <amount>", "make no plan that costs more than this in total")
    .option("--concurrency <n>", "maximum number of requests at once", "8")
    .option("--again", "plan rows even if an equal booking was made under another key within 24 hours")
}

export const examples = [
  "freight batch plan --sandbox orders.csv --service cheapest --within 3d",
  "freight batch plan show orders.plan.json",
  "freight batch book --sandbox --plan orders.plan.json",
]

/** Commander takes the flags of a plan also where one is shown. @throws FreightError `usage` */
function refuseFlags(plan: Command, called: Command): void {
  if (called === plan) return
  const given = plan.options.find((option) => plan.getOptionValueSource(option.attributeName()) === "cli")
  if (given)
    throw new FreightError(
      "usage",
      `freight batch plan ${called.name()} has no flag ${given.long ?? given.flags}`,
    )
}

/** @returns 1 when some rows have no choice */
export async function run(deps: Deps, file: string, typed: Options): Promise<number> {
  const options = typed.useMap === undefined ? typed : withSavedMap(deps.config, typed.useMap, typed)
  const saved = readMapToSave(options)
  if (file === "-" && options.output === undefined)
    throw new FreightError("usage", "say where to write the plan: -o plan.json")
  const target = options.output ?? `${file.replace(/(?<=[^/\\])\.[^./\\]*$/, "")}.plan.json`
  if (target === file && target !== "-") throw new FreightError("usage", "-o names the file with the rows")
  const given = readRunFlags(options)
  await refusePlan(deps, file, ["batch", "plan", "show"])
  await deps.outputs.check(target, options.force)
  const input = await openInput(deps.terminal.stdin, file, false, `${deps.stateDir}/batch`, deps.signal)
  try {
    const batchDeps = await createBatchDeps(deps, given.concurrency, options)
    const sandbox = deps.globals.sandbox === true
    const defaults = await buildRowDefaults(deps, options, { connectors: batchDeps.connectors, sandbox })
    const batch = {
      ...given,
      name: input.source.name,
      rows: keepRows(() => readRows(input.source, defaults)),
    }
    const checked = await checkBatch(batchDeps, batch)
    if (options.saveMap !== undefined && saved) await keepMap(deps, options.saveMap, saved)
    const plan = await makePlan(batchDeps, batch, checked, await findPlanAccount(deps, batchDeps))
    await deps.outputs.write(target, planText(plan))
    if (target === "-") await deps.note(`Plan hash: ${plan.planHash}`)
    else await showPlan(deps, plan, target)
    return plan.complete ? EXIT.done : EXIT.no
  } finally {
    await input.close()
  }
}

export const show: CommandDefinition = {
  define: (command) =>
    command
      .description(
        "Shows what a plan would book: each row with its service, arrival and price, and why; the total; and how long its rates are valid. freight refuses a plan that was changed after it was made.",
      )
      .argument("<file>", "the plan, or - for standard input"),
  examples: ["freight batch plan show orders.plan.json", "freight batch plan show orders.plan.json --json"],
  async run(deps: Deps, file: string): Promise<undefined> {
    await showPlan(deps, await readPlan(deps, file), file)
  },
}
